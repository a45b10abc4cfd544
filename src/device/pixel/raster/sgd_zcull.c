/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: zcull. The metadata record of a tile has the bounds of the depths stored in each
 * 16x16 block. A primitive is rejected in a rectangle of pixels if all of its depths there fail the
 * depth test against the bounds.
 *
 * The value of a plane is monotonic in x and in y, even with rounding, and so are depth offset,
 * clamping and quantization. Hence the minimum and maximum depth in a rectangle of pixels are at
 * two of its corners, and are computed by the same formula as for pixels.
 *
 * All primitives of a tile list have the same depth comparison. Passing depths only move the bounds
 * away from the depths that the comparison rejects (e.g. LESS only ever lowers depths), so the
 * bounds stay valid while pixels are written. At the end of the list, the written blocks are marked
 * as stale. A later list that needs their bounds recomputes them first, unless the tile is cleared
 * before.
 *
 * A list works on a copy of the bounds in the record, because lists that don't write depth can
 * share the record.
 *
 * On multisampled targets the bounds are those of all samples, and the depths of a primitive are
 * evaluated at the outermost places of samples in x and in y, which need not be one sample's.
 */
#include "pixel/raster/sgd_zcull.h"

#include <string.h>

#include "pixel/shading/sgd_pixel.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "common/sgd_tile_meta.h"
#include "util/bitscan.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include "pixel/raster/sgd_zcull_avx2.h"
#endif

/* Sets the outermost places in a pixel at which depths are evaluated. */
static void
set_places(struct sgd_zcull *z, const struct sgd_coverage_mode *mode)
{
   z->first = z->last = SGD_SAMPLE_CENTER;
   for (unsigned s = 0; mode->multisample && s < mode->samples; s++) {
      const struct sgd_sample_pos at = sgd_sample_pos_of(mode->sample_at[s]);
      z->first.x = MIN2(z->first.x, at.x);
      z->first.y = MIN2(z->first.y, at.y);
      z->last.x = MAX2(z->last.x, at.x);
      z->last.y = MAX2(z->last.y, at.y);
   }
}

void
sgd_zcull_begin(struct sgd_raster *r)
{
   const struct sgd_state *st = r->pixel.state;
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   struct sgd_zcull *z = &r->zcull;

   memset(z, 0, sizeof(*z));
   if (!(r->early || r->pixel.late) || !(p->depth || p->bounds))
      return;
   z->meta = sgd_tile_meta(&st->zs, r->x, r->y, r->layer);
   if (!z->meta)
      return;
   z->update = p->write;
   bool known = z->meta->ranges == st->zs.format;
   if (!known && z->update) {
      memset(z->meta->low, 0, sizeof(z->meta->low));
      memset(z->meta->high, 0xff, sizeof(z->meta->high));
      z->meta->stale = 0;
      z->meta->ranges = st->zs.format;
      known = true;
   }
   /* Pipeline statistics count program invocations even for pixels that fail late tests, so zcull
    * is disabled for them.
    */
   z->active = known && sgd_raster_has(r, SGPU_PATH_ZCULL) &&
               !(r->pixel.late && r->pixel.batch->draw->count_stats);
   z->tests = z->active && st->plan.zs_mode.reject && sgd_comparison_rejects(p->func);
   z->bounds = z->active && p->bounds && st->plan.zs_mode.reject_bounds;
   z->quick = z->active && sgd_raster_has(r, SGPU_PATH_QUICK);
   if (z->active) {
      memcpy(z->low, z->meta->low, sizeof(z->low));
      memcpy(z->high, z->meta->high, sizeof(z->high));
      z->stale = z->meta->stale;
      set_places(z, &r->pixel.mode);
   }
}

/* -- bounds of stored depths --------------------------------------------------- */

/* Updates the per-lane bounds with the depth keys of a micro tile. */
static ALWAYS_INLINE void
bound(const struct sgd_zs_format *f, const uint8_t *restrict p, unsigned bytes,
      uint32_t low[restrict SGD_WARP], uint32_t high[restrict SGD_WARP])
{
   const uint32_t mask = sgd_depth_max(f);
   const unsigned shift = f->depth_shift;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t e = bytes == 2 ? ((const uint16_t *)p)[l]
                                    : ((const uint32_t *)p)[l * (bytes / 4)];
      const uint32_t key = sgd_depth_key(f, (e >> shift) & mask);
      low[l] = key < low[l] ? key : low[l];
      high[l] = key > high[l] ? key : high[l];
   }
}

/* Computes the bounds of the depth keys in an area of `across` by `down` micro tiles, starting at
 * p.
 */
static ALWAYS_INLINE void
find_bounds(const struct sgd_zs_format *f, const uint8_t *p, size_t pitch, unsigned across,
            unsigned down, uint32_t *least, uint32_t *greatest)
{
   _Alignas(64) uint32_t low[SGD_WARP], high[SGD_WARP];

   for (unsigned l = 0; l < SGD_WARP; l++) {
      low[l] = UINT32_MAX;
      high[l] = 0;
   }
   for (unsigned j = 0; j < down; j++, p += pitch) {
      /* The micro tiles of a row are contiguous in memory. */
      for (unsigned i = 0; i < across; i++) {
         const uint8_t *tile = p + i * SGPU_TILE_ELEMENTS * f->bytes;
         if (f->bytes == 2)
            bound(f, tile, 2, low, high);
         else if (f->bytes == 4)
            bound(f, tile, 4, low, high);
         else
            bound(f, tile, 8, low, high);
      }
   }
   *least = UINT32_MAX;
   *greatest = 0;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      *least = MIN2(*least, low[l]);
      *greatest = MAX2(*greatest, high[l]);
   }
}

/* Computes the bounds in one sample plane. */
static void
find_plane_range(const struct sgd_zs_format *f, const uint8_t *p, size_t pitch, unsigned across,
                 unsigned down, uint32_t *low, uint32_t *high)
{
#if defined(__AVX2__)
#define BOUNDS(kind)                                          \
   case kind:                                                 \
      sgd_v8_bounds(kind, p, pitch, across, down, low, high); \
      break;
   switch (sgd_v8_bounds_of(f)) {
      BOUNDS(SGD_V8_BOUNDS_16)
      BOUNDS(SGD_V8_BOUNDS_24)
      BOUNDS(SGD_V8_BOUNDS_32)
      BOUNDS(SGD_V8_BOUNDS_FLOAT)
   default:
      find_bounds(f, p, pitch, across, down, low, high);
      break;
   }
#undef BOUNDS
#else
   find_bounds(f, p, pitch, across, down, low, high);
#endif
}

static void
find_range(struct sgd_raster *r, unsigned k)
{
   const struct sgd_surface *s = &r->pixel.state->zs;
   const struct sgd_zs_format f = r->pixel.state->plan.rop.zs.format;
   const int x0 = r->x + (k & 3) * SGD_META_BLOCK, y0 = r->y + (k >> 2) * SGD_META_BLOCK;
   const int x1 = MIN2(x0 + SGD_META_BLOCK, s->width), y1 = MIN2(y0 + SGD_META_BLOCK, s->height);
   const unsigned across = DIV_ROUND_UP(x1 - x0, SGD_BLOCK_W);
   const unsigned down = DIV_ROUND_UP(y1 - y0, SGD_BLOCK_H);
   const uint8_t *p = s->base + r->layer * s->layer_stride +
                      sgpu_tiled_offset(x0, y0, s->pitch, s->bpe);
   uint32_t *low = &r->zcull.low[k], *high = &r->zcull.high[k];

   find_plane_range(&f, p, s->pitch, across, down, low, high);
   for (unsigned n = 1; n < s->samples; n++) {
      uint32_t least, greatest;
      find_plane_range(&f, p + n * s->sample_stride, s->pitch, across, down, &least, &greatest);
      *low = MIN2(*low, least);
      *high = MAX2(*high, greatest);
   }
   r->zcull.writes[k] = 0;
   r->zcull.stale &= ~(1u << k);
}

void
sgd_zcull_end(struct sgd_raster *r)
{
   struct sgd_zcull *z = &r->zcull;

   if (!z->update)
      return;
   if (z->active) {
      memcpy(z->meta->low, z->low, sizeof(z->low));
      memcpy(z->meta->high, z->high, sizeof(z->high));
      z->meta->stale = z->stale | z->dirty;
   } else {
      z->meta->stale |= z->dirty;
   }
}

/* -- primitives ------------------------------------------------------------------ */

/* Returns the depth key of the primitive at place `at` of pixel x, y of the tile. */
static uint32_t
depth_key_at(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
             struct sgd_sample_pos at)
{
   const struct sgd_zs_format *f = &r->pixel.state->plan.rop.zs.format;
   float z = sgd_zcull_depth_at(r, prim, x, y, at);

   if (prim->depth_offset != 0.0f)
      z = sgd_offset_depth(z, prim->depth_offset, f->is_float);
   if (r->pixel.state->rast.depth_clamp)
      z = sgd_pixel_clamp_depth(&r->pixel, prim, z);
   return sgd_zcull_key(f, z);
}

/* Returns a mask of the 16x16 blocks that a rectangle of pixels touches. Sets *low and *high to the
 * minimum and maximum depth key stored in these blocks.
 */
static ALWAYS_INLINE uint32_t
stored_range(struct sgd_raster *r, int x0, int y0, int x1, int y1, uint32_t *low, uint32_t *high)
{
   struct sgd_zcull *z = &r->zcull;
   uint32_t blocks = 0;

   *low = UINT32_MAX;
   *high = 0;
   for (int by = y0 / SGD_META_BLOCK; by <= y1 / SGD_META_BLOCK; by++) {
      for (int bx = x0 / SGD_META_BLOCK; bx <= x1 / SGD_META_BLOCK; bx++) {
         const unsigned k = by * 4 + bx;
         if (unlikely(z->writes[k] >= SGD_ZCULL_REFRESH || (z->stale >> k & 1)))
            find_range(r, k);
         *low = MIN2(*low, z->low[k]);
         *high = MAX2(*high, z->high[k]);
         blocks |= 1u << k;
      }
   }
   return blocks;
}

/* Returns true if all stored depths in the blocks fail the depth bounds test. Never rejects dirty
 * blocks, because depths that this tile list has stored may be inside the bounds of the test.
 */
static __attribute__((noinline)) bool
bounds_reject(struct sgd_raster *r, int x0, int y0, int x1, int y1)
{
   uint32_t low, high;
   const uint32_t blocks = stored_range(r, x0, y0, x1, y1, &low, &high);

   return !(r->zcull.dirty & blocks) &&
          (high < r->pixel.state->plan.rop.zs.low || low > r->pixel.state->plan.rop.zs.high);
}

bool
sgd_zcull_rejects_any(struct sgd_raster *r, const struct sgd_prim *prim, int x0, int y0, int x1,
                      int y1)
{
   uint32_t low, high;

   if (likely(r->zcull.quick && prim->depth_offset == 0.0f)) {
      stored_range(r, x0, y0, x1, y1, &low, &high);
      return sgd_zcull_fails(r, prim, high, x0, y0, x1, y1);
   }
   if (unlikely(r->zcull.bounds)) {
      if (bounds_reject(r, x0, y0, x1, y1))
         return true;
      if (!r->zcull.tests)
         return false;
   }

   const struct sgd_zs_format *f = &r->pixel.state->plan.rop.zs.format;
   const enum sgpu_compare func = r->pixel.state->plan.rop.zs.func;
   const bool right = prim->z.dx > 0.0f, up = prim->z.dy > 0.0f;
   const struct sgd_sample_pos *a = &r->zcull.first, *b = &r->zcull.last;
   stored_range(r, x0, y0, x1, y1, &low, &high);

   const bool below = func == SGPU_COMPARE_LESS || func == SGPU_COMPARE_LEQUAL ||
                      func == SGPU_COMPARE_EQUAL;
   if (below && (func == SGPU_COMPARE_LESS || high < sgd_zcull_most(f))) {
      const struct sgd_sample_pos at = { right ? a->x : b->x, up ? a->y : b->y };
      const uint32_t least = depth_key_at(r, prim, right ? x0 : x1, up ? y0 : y1, at);
      if (func == SGPU_COMPARE_LESS ? least >= high : least > high)
         return true;
   }
   if (!below || func == SGPU_COMPARE_EQUAL) {
      const struct sgd_sample_pos at = { right ? b->x : a->x, up ? b->y : a->y };
      const uint32_t greatest = depth_key_at(r, prim, right ? x1 : x0, up ? y1 : y0, at);
      if (func == SGPU_COMPARE_GREATER ? greatest <= low : greatest < low)
         return true;
   }
   return false;
}

/* Returns a mask of the 16x16 blocks (see sgd_meta_block()) that a rectangle of pixels touches. */
static uint32_t
blocks_of(unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
   const unsigned bx0 = x0 / SGD_META_BLOCK, bx1 = x1 / SGD_META_BLOCK;
   const unsigned by0 = y0 / SGD_META_BLOCK, by1 = y1 / SGD_META_BLOCK;

   return ((2u << bx1) - (1u << bx0)) * 0x1111 & ((0x10u << 4 * by1) - (1u << 4 * by0));
}

/* Returns a mask of the blocks whose bounds must be recomputed before they are used. */
static uint32_t
outdated(const struct sgd_zcull *z)
{
   uint32_t blocks = z->stale;

#if defined(__AVX2__)
   blocks |= sgd_v16_least(z->writes, SGD_ZCULL_REFRESH);
#else
   for (unsigned k = 0; k < SGD_META_BLOCKS; k++)
      blocks |= (uint32_t)(z->writes[k] >= SGD_ZCULL_REFRESH) << k;
#endif
   return blocks;
}

uint32_t
sgd_zcull_alive(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x0, unsigned y0,
                unsigned x1, unsigned y1)
{
   const uint32_t box = blocks_of(x0, y0, x1, y1);
   uint32_t fails = 0;

   if (unlikely(!r->zcull.quick || prim->depth_offset != 0.0f)) {
      for (uint32_t left = box; left;) {
         const unsigned k = u_bit_scan(&left);
         const unsigned x = k % 4 * SGD_META_BLOCK, y = k / 4 * SGD_META_BLOCK;
         fails |= (uint32_t)sgd_zcull_rejects_any(r, prim, MAX2(x, x0), MAX2(y, y0),
                                                  MIN2(x + SGD_META_BLOCK - 1, x1),
                                                  MIN2(y + SGD_META_BLOCK - 1, y1))
                  << k;
      }
      return box & ~fails;
   }
   for (uint32_t left = box & outdated(&r->zcull); unlikely(left);)
      find_range(r, u_bit_scan(&left));
#if defined(__AVX2__)
   for (unsigned row = y0 / SGD_META_BLOCK & ~1u; row <= y1 / SGD_META_BLOCK; row += 2)
      fails |= sgd_v8_zcull_fails(r, prim, row, x0, y0, x1, y1) << 4 * row;
#else
   for (uint32_t left = box; left;) {
      const unsigned k = u_bit_scan(&left);
      const unsigned x = k % 4 * SGD_META_BLOCK, y = k / 4 * SGD_META_BLOCK;
      fails |= (uint32_t)sgd_zcull_fails(r, prim, r->zcull.high[k], MAX2(x, x0), MAX2(y, y0),
                                         MIN2(x + SGD_META_BLOCK - 1, x1),
                                         MIN2(y + SGD_META_BLOCK - 1, y1))
               << k;
   }
#endif
   return box & ~fails;
}
