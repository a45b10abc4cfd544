/* SPDX-License-Identifier: MIT */
/*
 * Work distributor: registers the statistics.
 */
#include "chip_front/sgt_dist.h"

#include <stdio.h>

#include "kernel/sgt_stats.h"
#include "util/macros.h"

static const char *const kinds[SGT_DIST_KINDS] = { "vertex", "pixel", "grid" };

void
sgt_dist_register(struct sgt_dist *d, uint64_t cycles, struct sgt_stats *stats)
{
   struct sgt_dist_counters *c = &d->counters;
   const uint64_t period = d->unit.clock->period;
   for (unsigned i = 0; i < SGT_DIST_KINDS; i++) {
      sgt_unit_states_finish(&d->states[i], &d->unit, cycles);
      c->residence[i] /= period;
   }
   c->output_wait /= period;
   c->queue_wait /= period;
   c->order_wait /= period;
   sgt_dist_counters_register(c, d->states, cycles, stats);
   for (uint32_t i = 0; i < d->params.tpcs; i++) {
      uint64_t total = 0;
      for (unsigned j = 0; j < SGT_DIST_KINDS; j++)
         total += d->tpc_warps[i * SGT_DIST_KINDS + j];
      snprintf(d->tpc_names[i], sizeof(d->tpc_names[i]), "tpc%u-warps", i);
      sgt_stats_add_parts(stats, "distribution", d->tpc_names[i], "warps",
                          "Warps that started on the TPC.", SGT_DIST_KINDS,
                          &d->tpc_warps[i * SGT_DIST_KINDS], kinds, total);
   }
}
