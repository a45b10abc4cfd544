/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: 16x16 blocks that a triangle covers completely, and in which all of its depths
 * pass the depth test against the bounds of the stored depths.
 *
 * The depths in such a block are stored without a test. If the colours replace elements that a fast
 * clear hasn't written to memory yet, the clear values aren't written at all. The bounds of the new
 * depths are the depths at two corners of the triangle's plane (zcull), and need not be computed
 * from memory.
 */
#include "pixel/raster/sgd_whole.h"

#include <string.h>

#include "observe/records/sgd_observation.h"
#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_depth_plane.h"
#include "pixel/raster/sgd_open.h"
#include "pixel/raster/sgd_raster_observe.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_stats.h"
#include "common/sgd_worker.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

#define PIXELS (SGD_META_BLOCK * SGD_META_BLOCK)

void
sgd_whole_begin(struct sgd_raster *r)
{
   /* zcull can only show that all depths in a block pass if it uses SGPU_PATH_QUICK. */
   if (r->early && !r->zcull.quick)
      r->paths &= ~(1u << SGPU_PATH_WHOLE);
}

/* Stores the depths of block k. `cleared` is true if the block has been fast-cleared and its clear
 * values haven't been written to memory yet.
 */
static void
store_depths(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k, bool cleared)
{
   const struct sgd_surface *s = &r->pixel.state->zs;
   const int x = (k & 3) * SGD_META_BLOCK, y = (k >> 2) * SGD_META_BLOCK;
   const struct sgd_depth_plane plane = {
      .v0 = prim->z.v0,
      .dx = prim->z.dx,
      .dy = prim->z.dy,
      .rx = (float)(r->x + x) + SGD_SAMPLE_CENTER.x - prim->ox,
      .ry = (float)(r->y + y) + SGD_SAMPLE_CENTER.y - prim->oy,
   };
   uint32_t value;

   memcpy(&value, r->zcull.meta->value, sizeof(value));
   sgd_depth_plane_store(sgd_surface_element(s, r->x + x, r->y + y, r->layer, 0), s->pitch,
                         r->pixel.state->plan.rop.zs.path, &plane, cleared ? &value : NULL);
   r->pixel.worker->counters[SGPU_COUNTER_ZS_TESTED] += PIXELS;
   r->pixel.worker->counters[SGPU_COUNTER_ZS_PASSED] += PIXELS;
}

bool
sgd_raster_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k)
{
   const int x = r->x + (k & 3) * SGD_META_BLOCK, y = r->y + (k >> 2) * SGD_META_BLOCK;
   uint32_t low = 0, high = 0, replaced = 0;
   bool cleared = false;

   if (SGD_OBSERVED_LEVEL && r->pixel.worker->observation->rejected)
      return false;
   if (r->pixel.stopped || (r->early && !sgd_zcull_passes(r, prim, k, &low, &high)))
      return false;
   if (r->early) {
      r->zcull.low[k] = low;
      r->zcull.high[k] = high;
   }
   if (SGD_OBSERVED_LEVEL)
      return r->early && sgd_observe_whole(r, prim, k);
   if (unlikely(!r->targets.open))
      sgd_open_targets(r);
   if (r->targets.unstored >> k & 1) {
      cleared = r->early && r->zcull.meta->cleared && !(r->zcull.meta->stored >> k & 1);
      replaced = sgd_open_replace(r, k, r->early);
   } else if (!r->early) {
      return false;
   }
   r->quads += PIXELS / 4;
   r->covered += PIXELS;
   if (r->early)
      store_depths(r, prim, k, cleared);
   if (!r->pixel.ps) {
      r->pixel.stats->samples_passed += PIXELS;
      return true;
   }
   for (int by = y; by < y + SGD_META_BLOCK; by += SGD_BLOCK_H) {
      for (int bx = x; bx < x + SGD_META_BLOCK; bx += SGD_BLOCK_W) {
         r->pixel.kept = 0;
         sgd_raster_passed(r, prim, bx, by);
         /* Lanes are missing from `kept` if the watchdog stopped the program or memory ran out.
          * Their pixels keep the clear value.
          */
         if (replaced && unlikely(r->pixel.kept != ~0u))
            sgd_open_restore(r, replaced, bx, by, ~r->pixel.kept);
      }
   }
   return true;
}
