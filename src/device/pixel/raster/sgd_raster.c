/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: rasterizes the primitives in a tile list.
 */
#include <stdlib.h>
#include <string.h>

#include "pixel/shading/sgd_pixel.h"
#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_descent.h"
#include "pixel/raster/sgd_raster.h"
#include "pixel/shading/sgd_visibility.h"
#include "pixel/raster/sgd_raster_observe.h"
#include "pixel/raster/sgd_stencil_block.h"
#include "pixel/raster/sgd_whole.h"
#include "pixel/raster/sgd_window_rects.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_lanes.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_tile_list.h"
#include "common/sgd_waiting.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

static void
raster_free(void *raster)
{
   struct sgd_raster *r = raster;

   if (r)
      free(r->pixel.visibility);
   free(r);
}

static struct sgd_raster *
raster_get(struct sgd_worker *worker)
{
   if (!worker->raster) {
      worker->raster = calloc(1, sizeof(struct sgd_raster));
      worker->raster_free = raster_free;
   }
   return worker->raster;
}

static void
reset_collectors(struct sgd_raster *r)
{
   for (unsigned i = 0; i < 2; i++) {
      struct sgd_collector *c = &r->collector[i];
      c->count = 0;
      c->distinct = true;
      c->sampled = r->pixel.mode.samples > 1 || r->pixel.mode.multisample;
      memset(c->rows, 0, sizeof(c->rows));
      memset(&c->samples, 0, sizeof(c->samples));
   }
}

/* Converts the 32x32 polygon stipple pattern to lane masks of 8x4 blocks. */
static void
setup_stipple(struct sgd_raster *r)
{
   for (unsigned by = 0; by < 8; by++) {
      for (unsigned bx = 0; bx < 4; bx++) {
         uint32_t mask = 0;
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const unsigned x = bx * SGD_BLOCK_W + sgd_lane_x(l);
            const unsigned y = by * SGD_BLOCK_H + sgd_lane_y(l);
            mask |= (r->pixel.state->poly_stipple[y] >> (31 - x) & 1) << l;
         }
         r->stipple[by][bx] = mask;
      }
   }
}

static void
raster_begin(struct sgd_raster *r, struct sgd_worker *worker, const struct sgd_batch *batch,
             const struct sgd_tile_list *tile, struct sgd_stats *stats)
{
   const struct sgd_plan *plan = &batch->draw->state->plan;

   sgd_pixel_stage_begin(&r->pixel, worker, batch, stats);
   r->early = plan->early;
   r->paths = plan->paths;
   r->waits = false;
   r->x = tile->tx * SGD_TILE;
   r->y = tile->ty * SGD_TILE;
   r->layer = tile->layer;
   r->cut = false;
   r->quads = r->covered = r->waiting_lanes = 0;
   reset_collectors(r);
}

/* Approximate cost of a record in the visibility buffer over its lifetime, in host instructions.
 * warp_cost() is the cost of shading a warp in the same unit.
 */
#define RECORD_COST 100

static unsigned
warp_cost(const struct sgd_shader *ps)
{
   return 1000 + 100 * ps->num_instrs;
}

static void
count_warps(struct sgd_raster *r)
{
   r->pixel.worker->counters[SGPU_COUNTER_PIXEL_WARPS] += r->pixel.warps;
   r->pixel.worker->counters[SGPU_COUNTER_PIXEL_LANES] += r->pixel.lanes;
   r->pixel.stats->ps_invocations += r->pixel.lanes;
}

/* Returns the lanes of a block whose pixel squares intersect the disc of a smooth point, i.e. for
 * which the point of the square nearest to the centre is inside the disc. Coordinates are multiples
 * of 1/256, so that differences and squares near the disc are exact in double precision.
 */
static uint32_t
disc_lanes(const struct sgd_prim *prim, int x, int y)
{
   const double radius = prim->u.point.radius;
   uint32_t mask = 0;

   if (!prim->smooth)
      return ~0u;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const double left = x + (int)sgd_lane_x(l) - (double)prim->ox;
      const double above = y + (int)sgd_lane_y(l) - (double)prim->oy;
      const double dx = left > 0.0 ? left : left < -1.0 ? left + 1.0 : 0.0;
      const double dy = above > 0.0 ? above : above < -1.0 ? above + 1.0 : 0.0;
      mask |= (uint32_t)(dx * dx + dy * dy < radius * radius) << l;
   }
   return mask;
}

static void
raster_rect(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const int x0 = MAX2(prim->x0, r->x), x1 = MIN2(prim->x1, r->x + SGD_TILE);
   const int y0 = MAX2(prim->y0, r->y), y1 = MIN2(prim->y1, r->y + SGD_TILE);

   if (r->zcull.active &&
       sgd_zcull_rejects(r, prim, x0 - r->x, y0 - r->y, x1 - 1 - r->x, y1 - 1 - r->y)) {
      r->pixel.worker->counters[SGPU_COUNTER_ZCULL_SLICES]++;
      if (SGD_OBSERVED_LEVEL && sgd_observe_rejected_begin(r)) {
         raster_rect(r, prim);
         sgd_observe_rejected_end(r);
      }
      return;
   }
   for (int y = y0 & ~(SGD_BLOCK_H - 1); y < y1; y += SGD_BLOCK_H) {
      for (int x = x0 & ~(SGD_BLOCK_W - 1); x < x1; x += SGD_BLOCK_W) {
         uint32_t mask = sgd_lanes_box(x, y, x0, y0, x1, y1) & disc_lanes(prim, x, y);
         if (prim->type == SGD_PRIM_BOX && r->pixel.state->rast.poly_stipple)
            mask &= r->stipple[y / SGD_BLOCK_H % 8][x / SGD_BLOCK_W % 4];
         if (mask)
            sgd_raster_block(r, prim, x, y, mask);
      }
   }
}

/* Number of primitives to prefetch ahead. The primitives of a tile list can be scattered across the
 * batch's memory.
 */
#define PREFETCH 3

static inline void
prefetch_prim(const struct sgd_prim *prim)
{
   __builtin_prefetch(prim);
   __builtin_prefetch((const uint8_t *)prim + 64);
   __builtin_prefetch((const uint8_t *)prim + 128);
}

void
sgd_raster_run(struct sgd_worker *worker, const struct sgd_batch *batch,
               const struct sgd_tile_list *tile, struct sgd_stats *stats,
               struct sgd_waiting *waiting)
{
   struct sgd_raster *r = raster_get(worker);

   if (!r) {
      worker->stop.reason = SGD_STOP_MEMORY;
      return;
   }
   raster_begin(r, worker, batch, tile, stats);
   if (unlikely(r->pixel.mode.window_rects) && !sgd_window_rects_begin(r))
      return;
   r->masked = r->cut || r->pixel.state->rast.poly_stipple;
   if (r->pixel.state->rast.poly_stipple)
      setup_stipple(r);
   r->targets.open = false;
   r->targets.unstored = UINT16_MAX;
   sgd_zcull_begin(r);
   sgd_whole_begin(r);
   sgd_stencil_block_begin(r);
   if (waiting && waiting->wait)
      r->waits = sgd_visibility_begin(&r->pixel, waiting->records == 0);
   const bool waits = r->waits;
   if (waiting && (waiting->records || waits))
      r->pixel.hides = r->pixel.state->plan.order.role != SGD_ORDER_NONE;

   for (const struct sgd_prim_chunk *chunk = tile->first; chunk && !r->pixel.stopped;
        chunk = chunk->next) {
      for (unsigned i = 0; i < chunk->count; i++) {
         const struct sgd_prim *prim = chunk->prim[i];
         if (i + PREFETCH < chunk->count)
            prefetch_prim(chunk->prim[i + PREFETCH]);
         if (r->pixel.mode.multisample && !r->pixel.mode.conservative)
            sgd_raster_multisample(r, prim);
         else if (prim->type == SGD_PRIM_TRIANGLE)
            sgd_raster_triangle(r, prim);
         else if (prim->type == SGD_PRIM_LINE)
            sgd_raster_line(r, prim);
         else if (prim->type == SGD_PRIM_POLYGON)
            sgd_raster_polygon(r, prim);
         else if (prim->type == SGD_PRIM_LINE_RECT)
            sgd_raster_line_rect(r, prim);
         else
            raster_rect(r, prim);
      }
   }
   sgd_raster_flush(r);
   sgd_zcull_end(r);

   worker->counters[SGPU_COUNTER_QUADS] += r->quads;
   worker->counters[SGPU_COUNTER_PIXELS] += r->covered;
   count_warps(r);
   if (waits) {
      waiting->spent += (r->pixel.visibility->count - waiting->records) * (uint64_t)RECORD_COST;
      waiting->records = r->pixel.visibility->count;
      waiting->lanes += r->waiting_lanes;
      stats->samples_passed += r->waiting_lanes;
   }
}

void
sgd_raster_shade(struct sgd_worker *worker, const struct sgd_batch *batch,
                 const struct sgd_tile_list *tile, struct sgd_stats *stats,
                 struct sgd_waiting *waiting, uint32_t first, uint32_t end)
{
   struct sgd_raster *r = worker->raster;
   uint64_t hidden = 0;
   bool begun = false;

   for (uint32_t n = first; n < end; n++) {
      const struct sgd_visible *v = &r->pixel.visibility->record[n];
      const uint32_t lanes = sgd_visibility_lanes(r->pixel.visibility, n);

      hidden += util_bitcount(v->mask & ~lanes);
      if (!lanes)
         continue;
      if (!begun)
         raster_begin(r, worker, batch, tile, stats);
      begun = r->pixel.late_shading = true;
      waiting->shaded += util_bitcount(lanes);
      sgd_raster_visible(r, v->prim, r->x + v->x, r->y + v->y, lanes, v->block);
   }
   waiting->gained += hidden * warp_cost(batch->draw->state->shader[SGPU_STAGE_PIXEL]) / SGD_WARP;
   if (!begun)
      return;
   sgd_raster_flush(r);
   count_warps(r);
}
