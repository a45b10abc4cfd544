/* SPDX-License-Identifier: MIT */
/*
 * Setup: the part of a draw's plan for clipping, culling and setup.
 */
#include "geometry/setup/sgd_setup_mode.h"

#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_located.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_state.h"

float
sgd_setup_offset_unit(const struct sgd_state *state)
{
   if (!state->zs.valid || !state->zs.desc)
      return 0x1p-23f;

   const struct util_format_channel_description *z =
      &state->zs.desc->channel[state->zs.desc->swizzle[0] < 4 ? state->zs.desc->swizzle[0] : 0];
   if (z->type == UTIL_FORMAT_TYPE_FLOAT)
      return 0.0f;
   const uint64_t steps = (UINT64_C(1) << z->size) - 1;
   return (float)((int32_t)((steps + (1 << 24) - 1) / steps)) * 0x1p-24f;
}

/* Returns true if a viewport that the draw can use swizzles positions. */
static bool
swizzles(const struct sgd_state *state)
{
   bool any = state->viewport[0].swizzle;

   for (unsigned n = 1; state->plan.viewports && n < SGD_MAX_VIEWPORTS; n++)
      any |= state->viewport[n].swizzle;
   return any;
}

struct sgd_setup_mode
sgd_setup_mode(const struct sgd_state *state)
{
   const struct SGPU_SHADER *last = &state->shader_desc[sgd_state_last(state)->stage];
   const struct SGPU_RASTERIZER *rast = &state->rast;
   const bool smooths = sgd_state_smooths(state);
   const bool solid_front = rast->fill_front == SGPU_FILL_SOLID;
   const bool solid_back = rast->fill_back == SGPU_FILL_SOLID;

   struct sgd_setup_mode m = {
      .cull_distances = last->cull_distances,
      .pixel_center = rast->half_pixel_center ? 0 : SGD_SUBPIXEL / 2,
      .offset_unit = sgd_setup_offset_unit(state),
      .multisamples = sgd_state_multisamples(state) || sgd_state_located(state),
      .conservative = state->coverage.conservative,
      .smooth_points = rast->point_smooth && !rast->point_quad && smooths,
      .smooth_lines = rast->line_smooth && smooths,
      .smooth_fill = rast->poly_smooth && smooths && (solid_front || solid_back),
      .fill_unfilled = !solid_front || !solid_back,
      .swizzles = swizzles(state),
      .viewport_mask = last->viewport_mask && state->plan.viewports,
      .relative_layer = last->relative_layer,
   };
   m.line_rects = m.smooth_lines || m.multisamples || m.conservative;
   m.clip_planes = rast->clip_planes & ~m.cull_distances;
   m.clip_cut = 1u << SGD_CLIP_W | SGD_CLIP_GUARD_BITS | m.clip_planes << SGD_CLIP_USER |
                (rast->depth_clip_near ? 1u << SGD_CLIP_NEAR : 0) |
                (rast->depth_clip_far ? 1u << SGD_CLIP_FAR : 0);
   return m;
}
