/* SPDX-License-Identifier: MIT */
/*
 * GDDR3: parameters and statistics of a channel.
 */
#include "chip_memory/sgt_gddr.h"

#include <inttypes.h>
#include <stdio.h>

#include "params/sgt_range.h"
#include "kernel/sgt_stats.h"
#include "util/u_math.h"

bool
sgt_gddr_params_check(const struct sgt_gddr_params *p, char *error, size_t error_size)
{
   const struct sgt_range ranges[] = {
      { "gddr.write_low", p->write_low, 0, p->write_high - 1 },
      { "gddr.t_ccd", p->t_ccd, p->burst / 2, SGT_GDDR_MAX_CLOCKS },
   };
   if (!sgt_gddr_params_ranges(p, error, error_size) ||
       !sgt_ranges_check(ranges, ARRAY_SIZE(ranges), error, error_size))
      return false;
   const uint32_t bytes = p->bus_bits / 8 * p->burst;
   if (bytes != 32 && bytes != 64) {
      snprintf(error, error_size,
               "gddr.burst: %" PRIu32 " beats of %" PRIu32 " bits are not 32 or 64 bytes", p->burst,
               p->bus_bits);
      return false;
   }
   /* A refresh must end before the next refresh is due, even if it has to close open rows first. */
   const uint32_t refresh = p->t_ras + p->t_rc + p->t_wl + p->burst + p->t_wr + p->t_rp + p->t_rfc;
   if (p->t_refi && p->t_refi <= refresh) {
      snprintf(error, error_size, "gddr.t_refi: %" PRIu32 " is not 0 or above %" PRIu32, p->t_refi,
               refresh);
      return false;
   }
   return true;
}

uint64_t
sgt_gddr_latency(const struct sgt_gddr *g)
{
   const struct sgt_gddr_params *p = &g->params;
   /* The 1 is the clock that the read spends in the queue. */
   return (2 * p->pipe + 1 + p->t_rcd + p->t_cl + g->data_clocks) * g->unit.clock->period;
}

const char *const sgt_gddr_state_names[SGT_GDDR_STATES] = { "read",    "write", "turn", "row",
                                                            "refresh", "wait",  "idle" };

void
sgt_gddr_register(const struct sgt_gddr *g, struct sgt_stats *s, const char *unit)
{
   sgt_gddr_stats_register(&g->stats, g->params.banks, s, unit);
}
