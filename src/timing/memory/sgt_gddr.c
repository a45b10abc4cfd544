/* SPDX-License-Identifier: MIT */
/*
 * GDDR3: parameters and statistics of a channel.
 */
#include "sgt_gddr.h"

#include <inttypes.h>
#include <stdio.h>

#include "sgt_stats.h"
#include "util/u_math.h"

void
sgt_gddr_params_init(struct sgt_gddr_params *p)
{
   *p = (struct sgt_gddr_params){
      .bus_bits = 64,
      .burst = 4,
      .banks = 8,
      .row_bytes = 4096,
      .queue = 32,
      .hit_limit = 16,
      .write_high = 16,
      .write_low = 4,
      .run_limit = 64,
      .pipe = 16,
      .t_rcd = 12,
      .t_rp = 10,
      .t_ras = 25,
      .t_rc = 35,
      .t_rrd = 8,
      .t_ccd = 2,
      .t_cl = 10,
      .t_wl = 7,
      .t_rtp = 2,
      .t_rtw = 2,
      .t_wr = 11,
      .t_cdlr = 6,
      .t_refi = 4212,
      .t_rfc = 57,
   };
}

bool
sgt_gddr_params_check(const struct sgt_gddr_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, low, high;
      bool power;
   } ranges[] = {
      { "bus_bits", p->bus_bits, 8, 512, true },
      { "burst", p->burst, 2, 64, true },
      { "banks", p->banks, 1, SGT_GDDR_MAX_BANKS, true },
      { "row_bytes", p->row_bytes, 64, 1 << 20, true },
      { "queue", p->queue, 2, SGT_GDDR_MAX_QUEUE, false },
      { "hit_limit", p->hit_limit, 0, 1 << 20, false },
      { "write_high", p->write_high, 1, SGT_GDDR_MAX_QUEUE, false },
      { "write_low", p->write_low, 0, p->write_high - 1, false },
      { "run_limit", p->run_limit, 1, 1 << 20, false },
      { "pipe", p->pipe, 1, 1000, false },
      { "t_rcd", p->t_rcd, 1, 255, false },
      { "t_rp", p->t_rp, 1, 255, false },
      { "t_ras", p->t_ras, 1, 255, false },
      { "t_rc", p->t_rc, 1, 255, false },
      { "t_rrd", p->t_rrd, 1, 255, false },
      { "t_ccd", p->t_ccd, p->burst / 2, 255, false },
      { "t_cl", p->t_cl, 1, 255, false },
      { "t_wl", p->t_wl, 1, 255, false },
      { "t_rtp", p->t_rtp, 1, 255, false },
      { "t_rtw", p->t_rtw, 0, 255, false },
      { "t_wr", p->t_wr, 0, 255, false },
      { "t_cdlr", p->t_cdlr, 0, 255, false },
      { "t_refi", p->t_refi, 0, 1 << 24, false },
      { "t_rfc", p->t_rfc, 1, 1000, false },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      const uint32_t value = ranges[i].value;
      if (value < ranges[i].low || value > ranges[i].high) {
         snprintf(error, error_size, "gddr.%s: %" PRIu32 " is not from %" PRIu32 " to %" PRIu32,
                  ranges[i].name, value, ranges[i].low, ranges[i].high);
         return false;
      }
      if (ranges[i].power && !util_is_power_of_two_nonzero(value)) {
         snprintf(error, error_size, "gddr.%s: %" PRIu32 " is not a power of 2", ranges[i].name,
                  value);
         return false;
      }
   }
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
