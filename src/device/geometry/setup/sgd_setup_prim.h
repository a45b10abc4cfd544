/* SPDX-License-Identifier: MIT */
/*
 * Setup: functions that points, lines and triangles share. Gradients are computed in double
 * precision from single-precision values and exact coordinates, with IEEE operations only, and
 * rounded once. This makes them bit-identical on all hosts. No product or quotient can be subnormal
 * in double precision.
 */
#ifndef SGD_SETUP_PRIM_H
#define SGD_SETUP_PRIM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_arch.h"
#include "common/sgd_prim.h"
#include "common/sgd_varyings.h"
#include "sgpu_fp.h"
#include "util/macros.h"

struct sgd_face;
struct sgd_front;

/* Allocates a primitive with its planes, sets the members that all primitives have in common, and
 * clips the box to the drawable pixels. Returns NULL if there is nothing to draw, or on allocation
 * failure.
 */
struct sgd_prim *sgd_setup_prim(struct sgd_front *f, enum sgd_prim_type type,
                                const struct sgd_face *face, int32_t x0, int32_t y0, int32_t x1,
                                int32_t y1);

/* Computes the planes of depth, 1/w and attributes for a triangle. */
void sgd_setup_triangle_values(struct sgd_front *f, struct sgd_prim *prim,
                               const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                               const struct sgd_vertex *v2, int64_t area,
                               const struct sgd_face *face);

static inline float *
sgd_prim_v0(const struct sgd_varyings *v, struct sgd_prim *p)
{
   return p->attr;
}

static inline float *
sgd_prim_dx(const struct sgd_varyings *v, struct sgd_prim *p)
{
   return p->attr + v->num_planes;
}

static inline float *
sgd_prim_dy(const struct sgd_varyings *v, struct sgd_prim *p)
{
   return p->attr + 2 * v->num_planes;
}

static inline float *
sgd_prim_flat(const struct sgd_varyings *v, struct sgd_prim *p)
{
   return p->attr + 3 * v->num_planes;
}

/* Copies the values of flat inputs bit by bit, regardless of their type. */
static inline void
sgd_setup_flat(const struct sgd_varyings *v, struct sgd_prim *p, const struct sgd_vertex *prov)
{
   if (v->num_flat)
      memcpy(sgd_prim_flat(v, p), prov->attr + v->num_planes, v->num_flat * sizeof(float));
}

/* Returns the x or y coordinate of the origin of a primitive's planes. The origin is the first
 * vertex, clamped to the size of the targets.
 */
static inline float
sgd_setup_origin(int32_t c, uint32_t size)
{
   const int32_t max = (int32_t)size * SGD_SUBPIXEL;

   return (float)CLAMP(c, 0, max) * (1.0f / SGD_SUBPIXEL);
}

/* Returns true if no value of the plane can overflow. */
static inline bool
sgd_is_tame(struct sgd_plane p)
{
   const float most = 0x1p100f;

   return (sgpu_fabs(p.v0) < most) & (sgpu_fabs(p.dx) < most) & (sgpu_fabs(p.dy) < most);
}

/* Replaces a depth or 1/w plane by NaN if its values could overflow, so that the raster engine
 * needs no overflow checks per lane.
 */
static inline struct sgd_plane
sgd_tame(struct sgd_plane p)
{
   if (sgd_is_tame(p))
      return p;
   return (struct sgd_plane){ sgpu_bits2f(SGPU_FP_NAN_BITS), 0.0f, 0.0f };
}

/* Sets the depth plane and the depth offset of a primitive. */
static inline void
sgd_setup_depth(struct sgd_prim *prim, struct sgd_plane z, float offset)
{
   const bool sane = sgpu_fabs(offset) < 0x1p100f;

   prim->z = sgd_tame(z);
   prim->depth_offset = sane ? offset : 0.0f;
   if (!sane)
      prim->z = (struct sgd_plane){ sgpu_bits2f(SGPU_FP_NAN_BITS), 0.0f, 0.0f };
}

/* Converts a window coordinate or attribute to double precision, flushing subnormals to zero. */
static inline double
sgd_wide(float x)
{
   return (double)sgpu_fp_in(x);
}

/* Rounds to single precision. Subnormal results are flushed to zero on every host. */
static inline float
sgd_narrow(double x)
{
#if SGPU_FP_HW_FTZ
   return (float)x;
#else
   return sgpu_fp_narrow(x);
#endif
}

#endif
