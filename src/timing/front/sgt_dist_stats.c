/* SPDX-License-Identifier: MIT */
/*
 * Work distribution: statistics.
 */
#include "sgt_dist.h"

#include <stdio.h>

#include "sgt_stats.h"
#include "util/macros.h"

static const char *const states[SGT_DIST_STATES] = {
   [SGT_DIST_STARTED] = "started",
   [SGT_DIST_WARPS] = "no-warp",
   [SGT_DIST_REGISTERS] = "no-register",
   [SGT_DIST_SHARED] = "no-shared-memory",
   [SGT_DIST_LIMIT] = "limit",
   [SGT_DIST_REORDER] = "order",
   [SGT_DIST_BUSY] = "busy",
   [SGT_DIST_STEP] = "step",
   [SGT_DIST_EMPTY] = "empty",
};
static const char *const kinds[SGT_DIST_KINDS] = { "vertex", "pixel", "grid" };

#define ROW(member, name, of, text)                              \
   {                                                             \
      name, of, text, offsetof(struct sgt_dist_counters, member) \
   }
static const struct sgt_stat_row rows[] = {
   ROW(started[SGT_DIST_KIND_VERTEX], "vertex-warps", "warps",
       "Vertex, tessellation and geometry warps that started."),
   ROW(started[SGT_DIST_KIND_PIXEL], "pixel-warps", "warps", "Pixel warps that started."),
   ROW(started[SGT_DIST_KIND_GRID], "grid-warps", "warps", "Warps of grids that started."),
   ROW(ended[SGT_DIST_KIND_VERTEX], "vertex-ended", "warps", "Vertex warps that ended."),
   ROW(ended[SGT_DIST_KIND_PIXEL], "pixel-ended", "warps", "Pixel warps that ended."),
   ROW(ended[SGT_DIST_KIND_GRID], "grid-ended", "warps", "Warps of grids that ended."),
   ROW(tess_ctrl, "tess-ctrl-warps", "warps", "Tessellation control warps."),
   ROW(tess_eval, "tess-eval-warps", "warps", "Tessellation evaluation warps."),
   ROW(geometry, "geometry-warps", "warps", "Geometry warps."),
   ROW(lanes[SGT_DIST_KIND_VERTEX], "vertex-lanes", "lanes", "Lanes of vertex warps."),
   ROW(lanes[SGT_DIST_KIND_PIXEL], "pixel-lanes", "lanes", "Lanes of pixel warps, helpers too."),
   ROW(lanes[SGT_DIST_KIND_GRID], "grid-lanes", "lanes", "Lanes of warps of grids."),
   ROW(pixels, "pixels", "pixels", "Covered pixels of pixel warps."),
   ROW(pixels_kept, "pixels-kept", "pixels", "Those that programs and late tests left."),
   ROW(quads, "quads", "quads", "Quads of pixel warps."),
   ROW(unkept_warps, "unkept-warps", "warps", "Pixel warps that wrote nothing."),
   ROW(groups, "groups", "workgroups", "Workgroups that started."),
   ROW(steps, "steps", "steps", "Steps of batches that followed another step."),
   ROW(outputs, "outputs", "outputs", "Outputs that went to setup, in order."),
   ROW(output_wait, "output-wait", "cycles",
       "Cycles of ended warps until their outputs went to setup, summed."),
   ROW(turns_passed, "turns-passed", "warps",
       "Warps and workgroups whose turn a TPC without room lost."),
   ROW(residence[SGT_DIST_KIND_VERTEX], "vertex-residence", "cycles",
       "Cycles of vertex warps from start to end, summed."),
   ROW(residence[SGT_DIST_KIND_PIXEL], "pixel-residence", "cycles",
       "Cycles of pixel warps from start to end, summed."),
   ROW(residence[SGT_DIST_KIND_GRID], "grid-residence", "cycles",
       "Cycles of warps of grids from start to end, summed."),
   ROW(queue_wait, "queue-wait", "cycles", "Cycles of pixel warps in queues of TPCs, summed."),
   ROW(order_wait, "order-wait", "cycles",
       "Cycles of ended pixel warps that waited for earlier ones, summed."),
   ROW(max_held, "max-held", "warps", "Most warps whose outputs were kept at once."),
   ROW(max_queue, "max-queue", "warps", "Most pixel warps in a queue of a TPC."),
   ROW(max_unwritten, "max-unwritten", "warps", "Most pixel warps of a TPC under way."),
   ROW(max_warps, "max-warps", "warps", "Most warps of a SM at once."),
   ROW(over_limit, "over-limit", "warps", "Warps that started beyond the limit of their kind."),
};
#undef ROW

void
sgt_dist_register(struct sgt_dist *d, uint64_t cycles, struct sgt_stats *stats)
{
   struct sgt_dist_counters *c = &d->counters;
   const uint64_t period = d->unit.clock->period;
   for (unsigned i = 0; i < SGT_DIST_KINDS; i++) {
      sgt_unit_states_finish(&d->states[i], &d->unit, cycles);
      sgt_stats_add_parts(stats, "distribution",
                          i == SGT_DIST_KIND_VERTEX  ? "vertex-states"
                          : i == SGT_DIST_KIND_PIXEL ? "pixel-states"
                                                     : "grid-states",
                          "cycles", "What becomes of waiting warps of the kind.", SGT_DIST_STATES,
                          d->states[i].count, states, cycles);
      c->residence[i] /= period;
   }
   c->output_wait /= period;
   c->queue_wait /= period;
   c->order_wait /= period;
   sgt_stats_add_rows(stats, "distribution", c, rows, ARRAY_SIZE(rows));
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      uint64_t total = 0;
      for (unsigned j = 0; j < SGT_DIST_KINDS; j++)
         total += d->tpc_warps[i * SGT_DIST_KINDS + j];
      snprintf(d->tpc_names[i], sizeof(d->tpc_names[i]), "tpc%u-warps", i);
      sgt_stats_add_parts(stats, "distribution", d->tpc_names[i], "warps",
                          "Warps that the TPC was given.", SGT_DIST_KINDS,
                          &d->tpc_warps[i * SGT_DIST_KINDS], kinds, total);
   }
}
