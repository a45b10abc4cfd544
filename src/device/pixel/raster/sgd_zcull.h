/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: zcull. Rejects primitives whose depths all fail the depth test against the bounds
 * of the stored depths.
 */
#ifndef SGD_ZCULL_H
#define SGD_ZCULL_H

#include <stdbool.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/raster/sgd_raster.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_arch.h"
#include "common/sgd_prim.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"

/* The bounds of a 16x16 block are recomputed after this number of 8x4 blocks has been drawn in it.
 * The limit is higher when small primitives are tested, because rejecting them saves less.
 */
#define SGD_ZCULL_REFRESH 16
#define SGD_ZCULL_REFRESH_SMALL 64

void sgd_zcull_begin(struct sgd_raster *r);
/* Writes the bounds and the mask of stale blocks back to the metadata record. */
void sgd_zcull_end(struct sgd_raster *r);
/* Like sgd_zcull_rejects(), but for any state and for rectangles of any size. */
bool sgd_zcull_rejects_any(struct sgd_raster *r, const struct sgd_prim *prim, int x0, int y0,
                           int x1, int y1);
/* Returns a mask of the 16x16 blocks (see sgd_meta_block()) in which the primitive might pass the
 * depth test. Only blocks in the rectangle from x0, y0 to x1, y1 are included. Coordinates are
 * relative to the tile, with x1 and y1 inclusive.
 */
uint32_t sgd_zcull_alive(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x0,
                         unsigned y0, unsigned x1, unsigned y1);

/* Returns the primitive's depth at place `at` of pixel x, y of the tile. */
static inline float
sgd_zcull_depth_at(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                   struct sgd_sample_pos at)
{
   const float rx = (float)(r->x + x) + at.x - prim->ox;
   const float ry = (float)(r->y + y) + at.y - prim->oy;

   return sgd_plane_raw(prim->z.v0, prim->z.dx, prim->z.dy, rx, ry);
}

/* Returns the primitive's depth at the centre of pixel x, y of the tile. */
static inline float
sgd_zcull_depth(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y)
{
   return sgd_zcull_depth_at(r, prim, x, y, SGD_SAMPLE_CENTER);
}

/* Returns the depth key (see sgd_depth_key()) of a fragment with depth z. */
static ALWAYS_INLINE uint32_t
sgd_zcull_key(const struct sgd_zs_format *f, float z)
{
   if (f->is_float)
      return sgd_depth_key(f, sgpu_f2bits(sgd_depth_float(z)));
   return f->depth_bits == 24 ? sgd_depth_unorm_float(z, 24)
                              : sgd_depth_unorm_float(z, f->depth_bits);
}

/* Returns the maximum depth key of any fragment. If the stored key has this value, e.g. after a
 * clear, no fragment can be farther away.
 */
static inline uint32_t
sgd_zcull_most(const struct sgd_zs_format *f)
{
   return f->is_float ? sgd_depth_key(f, SGPU_FP_ONE_BITS) : sgd_depth_max(f);
}

/* Returns true if a primitive without depth offset fails the depth test in all pixels of a
 * rectangle. `high` is the maximum stored depth key. Requires sgd_zcull.quick.
 */
static ALWAYS_INLINE bool
sgd_zcull_fails(const struct sgd_raster *r, const struct sgd_prim *prim, uint32_t high, unsigned x0,
                unsigned y0, unsigned x1, unsigned y1)
{
   const struct sgd_zs_format *f = &r->pixel.state->plan.rop.zs.format;
   const bool equal = r->pixel.state->plan.rop.zs.func == SGPU_COMPARE_LEQUAL;

   if (equal && high >= sgd_zcull_most(f))
      return false;
   const unsigned x = prim->z.dx > 0.0f ? x0 : x1, y = prim->z.dy > 0.0f ? y0 : y1;
   const uint32_t least = sgd_zcull_key(f, sgd_zcull_depth(r, prim, x, y));
   return equal ? least > high : least >= high;
}

/* Returns true if the primitive fails the depth test in all pixels of a rectangle in the tile, with
 * x1 and y1 inclusive.
 */
static ALWAYS_INLINE bool
sgd_zcull_rejects(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x0, unsigned y0,
                  unsigned x1, unsigned y1)
{
   const struct sgd_zcull *z = &r->zcull;
   const unsigned k = sgd_meta_block(x0, y0);

   if (unlikely(!z->quick || sgd_meta_block(x1, y1) != k || (z->stale >> k & 1) ||
                z->writes[k] >= SGD_ZCULL_REFRESH || prim->depth_offset != 0.0f))
      return sgd_zcull_rejects_any(r, prim, x0, y0, x1, y1);
   return sgd_zcull_fails(r, prim, z->high[k], x0, y0, x1, y1);
}

/* Like sgd_zcull_rejects(), but for rectangles of up to 8x4 pixels. Returns false without a test if
 * the rectangle spans several 16x16 blocks.
 */
static ALWAYS_INLINE bool
sgd_zcull_rejects_small(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x0, unsigned y0,
                        unsigned x1, unsigned y1)
{
   const struct sgd_zcull *z = &r->zcull;
   const unsigned k = sgd_meta_block(x0, y0);

   if (sgd_meta_block(x1, y1) != k)
      return false;
   if (unlikely(!z->quick || (z->stale >> k & 1) || z->writes[k] >= SGD_ZCULL_REFRESH_SMALL ||
                prim->depth_offset != 0.0f))
      return sgd_zcull_rejects_any(r, prim, x0, y0, x1, y1);
   return sgd_zcull_fails(r, prim, z->high[k], x0, y0, x1, y1);
}

/* Returns true if the primitive is known to pass the depth test in all pixels of block k (see
 * sgd_meta_block()), and sets *low and *high to the bounds of its depth keys in the block. The
 * block must be inside the surface. Returns false if the tile list has already drawn to the block,
 * unless this function returned true for that drawing.
 */
static inline bool
sgd_zcull_passes(const struct sgd_raster *r, const struct sgd_prim *prim, unsigned k, uint32_t *low,
                 uint32_t *high)
{
   const struct sgd_zs_format *f = &r->pixel.state->plan.rop.zs.format;
   const struct sgd_zcull *z = &r->zcull;
   const unsigned x0 = (k & 3) * SGD_META_BLOCK, x1 = x0 + SGD_META_BLOCK - 1;
   const unsigned y0 = (k >> 2) * SGD_META_BLOCK, y1 = y0 + SGD_META_BLOCK - 1;
   const bool right = prim->z.dx > 0.0f, up = prim->z.dy > 0.0f;

   if (!z->quick || ((z->stale | z->dirty) >> k & 1) || prim->depth_offset != 0.0f)
      return false;
   /* A stored key above the maximum key of fragments can be a NaN, for which the depth test fails.
    */
   if (f->is_float && z->high[k] > sgd_zcull_most(f))
      return false;
   *high = sgd_zcull_key(f, sgd_zcull_depth(r, prim, right ? x1 : x0, up ? y1 : y0));
   if (r->pixel.state->plan.rop.zs.func == SGPU_COMPARE_LEQUAL ? *high > z->low[k]
                                                               : *high >= z->low[k])
      return false;
   *low = sgd_zcull_key(f, sgd_zcull_depth(r, prim, right ? x0 : x1, up ? y0 : y1));
   return true;
}

/* Records that an 8x4 block in the 16x16 block k (see sgd_meta_block()) is drawn. */
static inline void
sgd_zcull_note(struct sgd_raster *r, unsigned k)
{
   r->zcull.dirty |= 1u << k;
   r->zcull.writes[k]++;
}

#endif
