/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: stores the clear value of tiles that were fast cleared, so that their elements are
 * in memory.
 */
#include "xfer/sgd_tile_expand.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "common/sgd_cleared_tile.h"
#include "common/sgd_tile_meta.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

uint32_t
sgd_tile_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y)
{
   const struct SGPU_RECT r = sgd_tile_rect(s, x, y);
   const unsigned columns = DIV_ROUND_UP(r.x1 - r.x0, SGD_META_BLOCK);
   const unsigned rows = DIV_ROUND_UP(r.y1 - r.y0, SGD_META_BLOCK);

   return 0x1111u * ((1u << columns) - 1) & ((1u << 4 * rows) - 1);
}

static void
describe(struct sgd_cleared_tile *t, struct sgd_tile_meta *m, const struct sgd_surface *s,
         uint32_t x, uint32_t y, uint32_t layer)
{
   t->surface = s;
   t->meta = m;
   t->x = x & ~(SGD_TILE - 1);
   t->y = y & ~(SGD_TILE - 1);
   t->layer = layer;
   for (unsigned i = 0; i < sizeof(t->pattern); i++)
      t->pattern[i] = m->value[i % s->bpe];
}

bool
sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                       const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || !m->cleared)
      return false;
   if (!(sgd_tile_blocks(s, x, y) & ~m->stored)) {
      m->cleared = SGD_TILE_DRAWN;
      return false;
   }
   describe(t, m, s, x, y, layer);
   if (!m->stored && m->cleared == SGD_TILE_CLEARED)
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
   return true;
}

/* Fills a block of 16x16 pixels, which is four rows of micro tiles. Each row has `bytes` bytes, a
 * multiple of 32.
 */
static ALWAYS_INLINE void
store_rows(uint8_t *restrict p, size_t pitch, const uint8_t pattern[32], unsigned bytes)
{
#if defined(__AVX2__)
   const __m256i v = _mm256_loadu_si256((const __m256i *)pattern);
#else
   uint64_t v[4];
   memcpy(v, pattern, sizeof(v));
#endif
   for (unsigned row = 0; row < SGD_META_BLOCK / SGPU_TILE_HEIGHT; row++, p += pitch) {
      for (unsigned i = 0; i < bytes; i += sizeof(v))
         memcpy(p + i, &v, sizeof(v));
   }
}

void
sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k)
{
   const struct sgd_surface *s = t->surface;
   const int32_t x = t->x + (k & 3) * SGD_META_BLOCK, y = t->y + (k >> 2) * SGD_META_BLOCK;
   const unsigned row = SGD_META_BLOCK * SGPU_TILE_HEIGHT;

   if (t->meta->stored >> k & 1)
      return;
   t->meta->stored |= 1u << k;
   if (t->meta->cleared == SGD_TILE_KEPT)
      return;
   if (x + SGD_META_BLOCK > s->width || y + SGD_META_BLOCK > s->height) {
      const struct SGPU_RECT r = { x, y, MIN2(x + SGD_META_BLOCK, s->width),
                                   MIN2(y + SGD_META_BLOCK, s->height) };
      sgd_fill_samples(s, &r, t->layer, t->meta->value);
      return;
   }
   uint8_t *p = sgd_surface_element(s, x, y, t->layer, 0);
   for (unsigned sample = 0; sample < s->samples; sample++, p += s->sample_stride) {
      /* With a constant size, the compiler unrolls the loop. Most formats have four bytes. */
      if (likely(s->bpe == 4))
         store_rows(p, s->pitch, t->pattern, row * 4);
      else
         store_rows(p, s->pitch, t->pattern, row * s->bpe);
   }
}

/* Stores the clear value in all elements of a tile that are not in memory. */
static void
store_left(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
           uint32_t layer, const struct sgd_tile_meta *m)
{
   if (!m->stored) {
      const struct SGPU_RECT r = sgd_tile_rect(s, x, y);
      sgd_fill_samples(s, &r, layer, m->value);
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
      return;
   }
   /* Work on a copy of the metadata. If this is a copy inside a surface, another worker may read
    * the tile at the same time, and must still see it as cleared until all elements are in memory.
    */
   struct sgd_tile_meta record = *m;
   struct sgd_cleared_tile t;
   uint32_t left = sgd_tile_blocks(s, x, y) & ~m->stored;

   describe(&t, &record, s, x, y, layer);
   while (left)
      sgd_cleared_tile_store(&t, u_bit_scan(&left));
}

void
sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || !m->cleared)
      return;
   /* In state SGD_TILE_KEPT, all elements are in memory already. */
   if (m->cleared != SGD_TILE_KEPT)
      store_left(worker, s, x, y, layer, m);
   __atomic_store_n(&m->cleared, SGD_TILE_DRAWN, __ATOMIC_RELEASE);
}

void
sgd_tile_resolve(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                 uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   sgd_tile_expand(worker, s, x, y, layer);
   if (m)
      m->constant = SGPU_FORMAT_NONE;
}

void
sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                   const struct SGPU_RECT *rect, uint32_t layer, bool whole)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, rect->x0, rect->y0, layer);

   if (!m)
      return;
   const struct SGPU_RECT tile = sgd_tile_rect(s, rect->x0, rect->y0);
   m->ranges = 0;
   m->constant = SGPU_FORMAT_NONE;
   if (whole && !memcmp(rect, &tile, sizeof(tile)))
      m->cleared = SGD_TILE_DRAWN;
   else
      sgd_tile_expand(worker, s, rect->x0, rect->y0, layer);
}
