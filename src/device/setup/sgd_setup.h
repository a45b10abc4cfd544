/* SPDX-License-Identifier: MIT */
/*
 * Setup unit: what points, lines and triangles share.
 *
 * Gradients are computed in double precision from single-precision values and
 * exact coordinates, by IEEE operations alone, and rounded once: the same bits
 * on every host.  No product or quotient of them can be subnormal in double
 * precision.
 */
#ifndef SGD_SETUP_H
#define SGD_SETUP_H

#include "front/sgd_front.h"

/* Memory for a primitive and its planes, the head filled in; its box is cut to
 * what may be drawn.  NULL when there is nothing to draw, or no memory.
 */
struct sgd_prim *sgd_setup_prim(struct sgd_front *f, enum sgd_prim_type type,
                                const struct sgd_face *face, int32_t x0, int32_t y0, int32_t x1,
                                int32_t y1);

/* Lines: depth, 1/w and attributes.  `wide`: those of a step are copies. */
void sgd_setup_line_values(struct sgd_front *f, struct sgd_prim *prim,
                           const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                           const struct sgd_face *face, bool wide, bool y_major);
/* Counts fragments for the line stipple; returns the counter at the first of
 * them.
 */
unsigned sgd_setup_count_stipple(struct sgd_front *f, unsigned count);

/* Triangles: the same. */
void sgd_setup_triangle_values(struct sgd_front *f, struct sgd_prim *prim,
                               const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                               const struct sgd_vertex *v2, int64_t area,
                               const struct sgd_face *face);

/* Smooth and multisampled lines. */
void sgd_setup_strip(struct sgd_front *f, const struct sgd_vertex *v0,
                     const struct sgd_vertex *v1, const struct sgd_face *face);
void sgd_setup_strip_skip(struct sgd_front *f, const struct sgd_vertex *v0,
                          const struct sgd_vertex *v1);

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

/* The values of flat inputs: bits, of no type. */
static inline void
sgd_setup_flat(const struct sgd_varyings *v, struct sgd_prim *p, const struct sgd_vertex *prov)
{
   if (v->num_flat)
      memcpy(sgd_prim_flat(v, p), prov->attr + v->num_planes, v->num_flat * sizeof(float));
}

/* Where the planes of a primitive have their origin: its first vertex, or the
 * point of the targets nearest to it.
 */
static inline float
sgd_setup_origin(int32_t c, uint32_t size)
{
   const int32_t max = (int32_t)size * SGD_SUBPIXEL;

   return (float)CLAMP(c, 0, max) * (1.0f / SGD_SUBPIXEL);
}

/* Depth and 1/w: a plane whose values could overflow becomes a NaN, the same
 * everywhere, so that no lane has to ask.
 */
static inline struct sgd_plane
sgd_tame(struct sgd_plane p)
{
   const float most = 0x1p100f;

   if (sgpu_fabs(p.v0) < most && sgpu_fabs(p.dx) < most && sgpu_fabs(p.dy) < most)
      return p;
   return (struct sgd_plane){ sgpu_bits2f(SGPU_FP_NAN_BITS), 0.0f, 0.0f };
}

/* The plane of a primitive's depth, and what is added to its values. */
static inline void
sgd_setup_depth(struct sgd_prim *prim, struct sgd_plane z, float offset)
{
   const bool sane = sgpu_fabs(offset) < 0x1p100f;

   prim->z = sgd_tame(z);
   prim->depth_offset = sane ? offset : 0.0f;
   if (!sane)
      prim->z = (struct sgd_plane){ sgpu_bits2f(SGPU_FP_NAN_BITS), 0.0f, 0.0f };
}

/* Window coordinate or attribute as double, subnormals as zeros. */
static inline double
sgd_wide(float x)
{
   return (double)sgpu_fp_in(x);
}

#endif
