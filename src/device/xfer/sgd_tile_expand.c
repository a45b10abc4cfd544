/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements a fast clear has left out.
 */
#include "xfer/sgd_tile_expand.h"

#include <string.h>

#include "sgd_tile_meta.h"
#include "sgd_worker.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

/* The micro tiles of the tile that the surface has. */
static void
count_micro_tiles(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t *columns,
                  uint32_t *rows)
{
   const struct SGPU_RECT r = sgd_tile_rect(s, x, y);

   *columns = DIV_ROUND_UP((uint32_t)(r.x1 - r.x0), SGPU_TILE_WIDTH);
   *rows = DIV_ROUND_UP((uint32_t)(r.y1 - r.y0), SGPU_TILE_HEIGHT);
}

static void
describe(struct sgd_cleared_tile *t, struct sgd_tile_meta *m, const struct sgd_surface *s,
         uint32_t x, uint32_t y, uint32_t layer)
{
   const struct SGPU_RECT r = sgd_tile_rect(s, x, y);

   t->meta = m;
   t->base = sgd_surface_element(s, r.x0, r.y0, layer, 0);
   t->pitch = s->pitch;
   t->columns = (r.x1 - r.x0) / SGPU_TILE_WIDTH;
   t->rows = (r.y1 - r.y0) / SGPU_TILE_HEIGHT;
   t->surface = s;
   t->layer = layer;
   t->bytes = SGPU_TILE_ELEMENTS * s->bpe;
   for (unsigned i = 0; i < sizeof(t->pattern); i++)
      t->pattern[i] = m->value[i % s->bpe];
}

void
sgd_cleared_tile_store_part(const struct sgd_cleared_tile *t, uint32_t x, uint32_t y)
{
   const int32_t x0 = x & ~(SGPU_TILE_WIDTH - 1), y0 = y & ~(SGPU_TILE_HEIGHT - 1);
   const struct SGPU_RECT r = {
      .x0 = x0,
      .y0 = y0,
      .x1 = MIN2(x0 + (int32_t)SGPU_TILE_WIDTH, t->surface->width),
      .y1 = MIN2(y0 + (int32_t)SGPU_TILE_HEIGHT, t->surface->height),
   };

   sgd_fill(t->surface, &r, t->layer, 0, t->meta->value, NULL);
}

bool
sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                       const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);
   uint32_t columns, rows;
   bool all = true;

   if (!m || !m->cleared)
      return false;
   count_micro_tiles(s, x, y, &columns, &rows);
   for (uint32_t row = 0; row < rows; row++)
      all &= m->stored[row] == (1u << columns) - 1;
   if (all) {
      m->cleared = 0;
      return false;
   }
   describe(t, m, s, x, y, layer);
   if (sgd_tile_untouched(m))
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
   return true;
}

void
sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);
   struct sgd_cleared_tile t;
   uint32_t columns, rows;

   if (!m || !m->cleared)
      return;
   if (sgd_tile_untouched(m)) {
      const struct SGPU_RECT r = sgd_tile_rect(s, x, y);
      sgd_fill(s, &r, layer, 0, m->value, NULL);
      worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
   } else {
      /* The record stays as it is until all elements are in memory: a copy inside the
       * surface may read this tile at the same time.
       */
      struct sgd_tile_meta record = *m;
      describe(&t, &record, s, x, y, layer);
      count_micro_tiles(s, x, y, &columns, &rows);
      for (uint32_t row = 0; row < rows; row++) {
         for (uint32_t column = 0; column < columns; column++)
            sgd_cleared_tile_store(&t, (x & ~(SGD_TILE - 1)) + column * SGPU_TILE_WIDTH,
                                   (y & ~(SGD_TILE - 1)) + row * SGPU_TILE_HEIGHT);
      }
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
