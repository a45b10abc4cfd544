/* SPDX-License-Identifier: MIT */
/*
 * GDDR3: parameters and statistics of a channel.
 */
#include "sgt_gddr.h"

#include <inttypes.h>
#include <stdio.h>

#include "sgt_range.h"
#include "sgt_stats.h"
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
   /* A refresh has ended before the next one is due, whatever was open. */
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
   /* A clock in the queue. */
   return (2 * p->pipe + 1 + p->t_rcd + p->t_cl + g->data_clocks) * g->unit.clock->period;
}

const char *const sgt_gddr_state_names[SGT_GDDR_STATES] = { "read",    "write", "turn", "row",
                                                            "refresh", "wait",  "idle" };

#define ROW(member, name, of, text)                           \
   {                                                          \
      name, of, text, offsetof(struct sgt_gddr_stats, member) \
   }

static const struct sgt_stat_row counts[] = {
   ROW(clocks, "clocks", "clocks", "Clocks of the memory."),
   ROW(requests[0], "reads", "requests", "Requests that read."),
   ROW(requests[1], "writes", "requests", "Requests that write."),
   ROW(bursts[0], "read-bursts", "bursts", "Column commands that read."),
   ROW(bursts[1], "write-bursts", "bursts", "Column commands that write."),
   ROW(activates, "activates", "commands", "Rows that were opened."),
   ROW(precharges, "precharges", "commands", "Rows that were closed, all causes."),
   ROW(closes, "closes", "commands", "Rows that were closed for want of requests."),
   ROW(refreshes, "refreshes", "commands", "Refreshes of all banks."),
   ROW(turns[0], "turns-to-read", "", "Turns of the controller from writes to reads."),
   ROW(turns[1], "turns-to-write", "", "Turns of the controller from reads to writes."),
   ROW(turns_high, "turns-full", "", "Turns to writes because many wait."),
   ROW(turns_run, "turns-fair", "", "Turns because the other direction waited too long."),
   ROW(overtakes, "overtakes", "bursts", "Bursts that went before an older one."),
   ROW(limited, "limited", "bursts", "Bursts that nothing more could overtake."),
   ROW(ordered, "ordered", "bursts", "Bursts that came behind one for the same address."),
   ROW(wait[0], "read-wait", "clocks", "From the queue to the column command, reads, summed."),
   ROW(wait[1], "write-wait", "clocks", "From the queue to the column command, writes, summed."),
   ROW(occupancy, "occupancy", "bursts x clocks", "Bursts in the queue, summed over clocks."),
   ROW(full, "full", "clocks", "Clocks in which a request found no room."),
   ROW(blocked, "blocked", "clocks", "Clocks in which a read found no room for its response."),
   ROW(max_queue, "max-queue", "bursts", "The most in the queue."),
   ROW(max_writes, "max-writes", "bursts", "The most writes in the queue."),
};

static const char *const row_names[SGT_GDDR_ROWS] = { "hit", "empty", "miss" };
static const char *const bank_names[SGT_GDDR_MAX_BANKS] = {
   "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
};

void
sgt_gddr_register(const struct sgt_gddr *g, struct sgt_stats *s, const char *unit)
{
   const struct sgt_gddr_stats *t = &g->stats;
   sgt_stats_add_rows(s, unit, t, counts, ARRAY_SIZE(counts));
   sgt_stats_add_parts(s, unit, "bus", "clocks", "What the data bus does in each clock.",
                       SGT_GDDR_STATES, t->states, sgt_gddr_state_names, t->clocks);
   sgt_stats_add_parts(s, unit, "read-rows", "bursts", "Reads by the row of their bank.",
                       SGT_GDDR_ROWS, t->rows[0], row_names, t->bursts[0]);
   sgt_stats_add_parts(s, unit, "write-rows", "bursts", "Writes by the row of their bank.",
                       SGT_GDDR_ROWS, t->rows[1], row_names, t->bursts[1]);
   sgt_stats_add_parts(s, unit, "bank-bursts", "bursts", "Bursts by bank.", g->params.banks,
                       t->bank_bursts, bank_names, t->bursts[0] + t->bursts[1]);
   sgt_stats_add_parts(s, unit, "bank-activates", "commands", "Activates by bank.", g->params.banks,
                       t->bank_activates, bank_names, t->activates);
   sgt_stats_add_log2(s, unit, "wait", "bursts", "Bursts by clocks in the queue.",
                      ARRAY_SIZE(t->wait_log2), t->wait_log2);
}
