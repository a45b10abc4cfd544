/* SPDX-License-Identifier: MIT */
/*
 * The 1999 engine: its statistics in the registry.
 */
#include "sgt_engine.h"

#include <stdlib.h>
#include <string.h>

#include "sgt_stats.h"
#include "util/macros.h"

static void
add_count(struct sgt_stats *s, const char *unit, const char *name, const char *of,
          const uint64_t *value, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = SGT_STAT_COUNT,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = 1,
                                        .values = value });
}

static void
add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of, uint32_t num,
          const uint64_t *values, const char *const *names, uint64_t total, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = SGT_STAT_PARTS,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = num,
                                        .values = values,
                                        .names = names,
                                        .total = total });
}

static void
add_histogram(struct sgt_stats *s, const char *unit, const char *name, const char *of,
              enum sgt_stat_kind kind, uint32_t num, const uint64_t *values, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = kind,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = num,
                                        .values = values });
}

void
sgt_engine_result_register(const struct sgt_engine_result *r, struct sgt_stats *s)
{
   add_count(s, "engine", "cycles", "cycles", &r->cycles, "Until the last slice has retired.");
   add_count(s, "engine", "work", "cycles", &r->work,
             "Accelerator cycles with a slice; work / cycles is the parallelism.");
   add_parts(s, "accelerators", "states", "cycles", SGT_STATES, r->states, sgt_state_names,
             r->cycles * r->accelerators, "What accelerators do in each cycle.");
   add_parts(s, "fetch", "states", "cycles", SGT_FETCH_STATES, r->fetch, sgt_fetch_state_names,
             r->cycles, "What the fetch unit does in each cycle.");
   add_parts(s, "issue", "states", "cycles", SGT_ISSUE_STATES, r->issue, sgt_issue_state_names,
             r->cycles, "What the issue unit does in each cycle.");
   add_count(s, "fetch", "items", "items", &r->items, "Primitives and transfers that entered.");
   add_count(s, "fetch", "dropped-items", "items", &r->dropped_items,
             "Items without pixels that did not enter.");
   add_count(s, "fetch", "split-items", "items", &r->split_items, "Items of more than one slice.");
   add_count(s, "fetch", "slices", "slices", &r->slices, "Slices that entered.");
   add_count(s, "accelerators", "pixels", "pixels", &r->pixels, "Pixels drawn or transferred.");
   add_count(s, "accelerators", "spans", "spans", &r->spans, "Rows of slices with pixels.");
   add_count(s, "accelerators", "longest", "cycles", &r->work_longest,
             "Cycles of the longest slice.");
   add_count(s, "issue", "raw", "pairs", &r->raw,
             "Slices that read what an earlier one in the unit writes.");
   add_count(s, "issue", "waw", "pairs", &r->waw,
             "Slices that write what an earlier one in the unit writes.");
   add_count(s, "issue", "war", "pairs", &r->war,
             "Slices that write what an earlier one in the unit reads.");
   add_count(s, "issue", "conflicts", "pairs", &r->conflicts,
             "Slices that overlap an earlier one in the unit, in any order.");
   add_count(s, "issue", "overtakes", "slices", &r->overtakes,
             "Slices that issued before an older candidate.");
   add_count(s, "issue", "wait", "cycles", &r->wait, "From entry to issue, summed over slices.");
   add_histogram(s, "accelerators", "busy-cycles", "cycles", SGT_STAT_HISTOGRAM,
                 r->accelerators + 1, r->busy_cycles, "Cycles by busy accelerators.");
   add_histogram(s, "issue", "candidate-cycles", "cycles", SGT_STAT_HISTOGRAM, r->candidates + 1,
                 r->candidate_cycles, "Cycles by candidates.");
   add_histogram(s, "accelerators", "slice-cycles", "slices", SGT_STAT_LOG2,
                 ARRAY_SIZE(r->slice_cycles), r->slice_cycles, "Slices by busy cycles.");
   add_histogram(s, "issue", "slice-wait", "slices", SGT_STAT_LOG2, ARRAY_SIZE(r->slice_wait),
                 r->slice_wait, "Slices by cycles from entry to issue.");
   if (!r->dram.clocks)
      return;
   const struct sgt_dram_stats *d = &r->dram;
   add_count(s, "dram", "reads", "requests", &d->reads, "Requests of 32 bytes that read.");
   add_count(s, "dram", "writes", "requests", &d->writes, "Requests of 32 bytes that write.");
   add_count(s, "dram", "row-hits", "requests", &d->row_hits, "Requests to an open row.");
   add_count(s, "dram", "row-empty", "requests", &d->row_empty,
             "Requests to a bank without an open row.");
   add_count(s, "dram", "row-misses", "requests", &d->row_misses,
             "Requests to a bank with another row open.");
   add_count(s, "dram", "clocks", "clocks", &d->clocks, "Clocks of the memory.");
   add_count(s, "dram", "bus-busy", "clocks", &d->bus_busy,
             "Clocks with data, summed over channels.");
   add_count(s, "dram", "queue-full", "clocks", &d->queue_full,
             "Clocks in which the first request of a port found its queue full.");
   add_count(s, "dram", "queue-wait", "clocks", &d->queue_wait,
             "From a queue to the column command, summed over requests.");
   add_count(s, "dram", "queue-occupancy", "requests", &d->queue_occupancy,
             "Requests in queues, summed over clocks.");
}

void
sgt_engine_result_finish(struct sgt_engine_result *r)
{
   free(r->busy_cycles);
   free(r->candidate_cycles);
   free(r->series);
   free(r->operations);
   memset(r, 0, sizeof(*r));
}
