/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements a fast clear has left out.
 */
#include "xfer/sgd_tile_expand.h"

#include <string.h>

#include "sgd_cleared_tile.h"
#include "sgd_tile_meta.h"
#include "sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

/* Blocks of the tile that the surface has. */
static uint32_t
surface_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y)
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
   if (!(surface_blocks(s, x, y) & ~m->stored)) {
      m->cleared = 0;
      return false;
   }
   describe(t, m, s, x, y, layer);
   if (!m->stored)
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
   return true;
}

void
sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k)
{
   const struct sgd_surface *s = t->surface;
   const int32_t x = t->x + (k & 3) * SGD_META_BLOCK, y = t->y + (k >> 2) * SGD_META_BLOCK;
   const unsigned bytes = SGD_META_BLOCK * SGPU_TILE_HEIGHT * s->bpe;
   struct {
      uint8_t b[32];
   } pattern;

   if (t->meta->stored >> k & 1)
      return;
   t->meta->stored |= 1u << k;
   if (x + SGD_META_BLOCK > s->width || y + SGD_META_BLOCK > s->height) {
      const struct SGPU_RECT r = { x, y, MIN2(x + SGD_META_BLOCK, s->width),
                                   MIN2(y + SGD_META_BLOCK, s->height) };
      sgd_fill(s, &r, t->layer, 0, t->meta->value, NULL);
      return;
   }
   memcpy(&pattern, t->pattern, sizeof(pattern));
   for (unsigned row = 0; row < SGD_META_BLOCK; row += SGPU_TILE_HEIGHT) {
      uint8_t *restrict p = sgd_surface_element(s, x, y + row, t->layer, 0);
      for (unsigned i = 0; i < bytes; i += 2 * sizeof(pattern)) {
         memcpy(p + i, &pattern, sizeof(pattern));
         memcpy(p + i + sizeof(pattern), &pattern, sizeof(pattern));
      }
   }
}

void
sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || !m->cleared)
      return;
   if (!m->stored) {
      const struct SGPU_RECT r = sgd_tile_rect(s, x, y);
      sgd_fill(s, &r, layer, 0, m->value, NULL);
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
   } else {
      /* The record stays as it is until all elements are in memory: a copy inside the
       * surface may read this tile at the same time.
       */
      struct sgd_tile_meta record = *m;
      struct sgd_cleared_tile t;
      uint32_t left = surface_blocks(s, x, y) & ~m->stored;

      describe(&t, &record, s, x, y, layer);
      while (left)
         sgd_cleared_tile_store(&t, u_bit_scan(&left));
   }
   __atomic_store_n(&m->cleared, 0, __ATOMIC_RELEASE);
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
   if (whole && !memcmp(rect, &tile, sizeof(tile)))
      m->cleared = 0;
   else
      sgd_tile_expand(worker, s, rect->x0, rect->y0, layer);
}
