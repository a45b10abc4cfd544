/* SPDX-License-Identifier: MIT */
/*
 * Setup: initializes the per-batch state, and computes the depth offset and the members that all
 * primitives have in common.
 */
#include "geometry/setup/sgd_setup.h"

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_setup_head.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_draw_box.h"
#include "common/sgd_prim.h"
#include "common/sgd_varyings.h"
#include "sgpu_fp.h"
#include "util/macros.h"

void
sgd_setup_begin(struct sgd_front *f)
{
   const struct sgd_state *state = f->state;
   const unsigned viewports = f->multi_viewport ? SGD_MAX_VIEWPORTS : 1;

   for (unsigned n = 0; n < viewports; n++) {
      const struct sgd_draw_boxes boxes = sgd_draw_boxes(state, n);
      f->box[n] = boxes.filled;
      f->reach[n] = boxes.reach;
   }
}

/* Returns 2^floor(log2(x)), or 0 if x is 0 or denormal. */
static float
power_of_two(float x)
{
   return sgpu_bits2f(sgpu_f2bits(x) & SGPU_FP_INF_BITS);
}

float
sgd_setup_offset(const struct sgd_front *f, const struct sgd_vertex *v0,
                 const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const double inv = 1.0 / (double)area;
   const double z1 = sgd_wide(v1->z) - sgd_wide(v0->z), z2 = sgd_wide(v2->z) - sgd_wide(v0->z);
   const double dx = (z1 * (v2->y - v0->y) - z2 * (v1->y - v0->y)) * SGD_SUBPIXEL * inv;
   const double dy = (z2 * (v1->x - v0->x) - z1 * (v2->x - v0->x)) * SGD_SUBPIXEL * inv;
   const float mx = sgpu_fabs(sgd_narrow(dx)), my = sgpu_fabs(sgd_narrow(dy));
   const float slope = mx > my ? mx : my;
   float units = rast->offset_units;

   if (!rast->offset_units_unscaled) {
      float unit = f->mode->offset_unit;
      if (unit == 0.0f) {
         const float za = sgpu_fmax(sgpu_fabs(v0->z),
                                    sgpu_fmax(sgpu_fabs(v1->z), sgpu_fabs(v2->z)));
         /* Use the distance from za to the next float, but at least the smallest normal number. */
         unit = sgpu_fmax(sgpu_fmul(power_of_two(za), 0x1p-23f), 0x1p-126f);
      }
      units = sgpu_fmul(units, unit);
   }

   float offset = sgpu_fmad(slope, rast->offset_scale, units);
   if (sgpu_flt(0.0f, rast->offset_clamp))
      offset = sgpu_fmin(offset, rast->offset_clamp);
   else if (sgpu_flt(rast->offset_clamp, 0.0f))
      offset = sgpu_fmax(offset, rast->offset_clamp);
   return offset;
}

struct sgd_prim *
sgd_setup_prim(struct sgd_front *f, enum sgd_prim_type type, const struct sgd_face *face,
               int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   return sgd_setup_head(f, type, face, x0, y0, x1, y1);
}
