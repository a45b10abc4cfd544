/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements a fast clear has left out.
 */
#include "xfer/sgd_tile_expand.h"

#include <string.h>

#include "sgd_tile_meta.h"
#include "sgd_worker.h"
#include "xfer/sgd_element.h"

void
sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                uint32_t layer)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || !m->cleared)
      return;
   const struct SGPU_RECT r = sgd_tile_rect(s, x, y);
   sgd_fill(s, &r, layer, 0, m->value, NULL);
   /* A copy inside the surface may read this tile at the same time. */
   __atomic_store_n(&m->cleared, 0, __ATOMIC_RELEASE);
   worker->counters[SGPU_COUNTER_TILES_EXPANDED]++;
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
