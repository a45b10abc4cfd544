/* SPDX-License-Identifier: MIT */
/*
 * The engine of 1999: adds its statistics to the registry.
 */
#include "engine99/sgt_engine.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_stats.h"
#include "util/macros.h"

void
sgt_engine_result_register(const struct sgt_engine_result *r, struct sgt_stats *s)
{
   sgt_stats_add_count(s, "engine", "cycles", "cycles", "Cycles until the last slice has retired.",
                       &r->cycles);
   sgt_stats_add_count(s, "engine", "work", "cycles",
                       "Accelerator cycles with a slice; work / cycles is the parallelism.",
                       &r->work);
   sgt_stats_add_parts(s, "accelerators", "states", "cycles",
                       "State of each accelerator in each cycle.", SGT_STATES, r->states,
                       sgt_state_names, r->cycles * r->accelerators);
   sgt_stats_add_parts(s, "fetch", "states", "cycles", "State of the fetch unit in each cycle.",
                       SGT_FETCH_STATES, r->fetch, sgt_fetch_state_names, r->cycles);
   sgt_stats_add_parts(s, "issue", "states", "cycles", "State of the issue unit in each cycle.",
                       SGT_ISSUE_STATES, r->issue, sgt_issue_state_names, r->cycles);
   sgt_stats_add_count(s, "fetch", "items", "items", "Primitives and transfers that entered.",
                       &r->items);
   sgt_stats_add_count(s, "fetch", "dropped-items", "items",
                       "Items without pixels that did not enter.", &r->dropped_items);
   sgt_stats_add_count(s, "fetch", "split-items", "items", "Items with more than one slice.",
                       &r->split_items);
   sgt_stats_add_count(s, "fetch", "slices", "slices", "Slices that entered.", &r->slices);
   sgt_stats_add_count(s, "accelerators", "pixels", "pixels", "Pixels drawn or transferred.",
                       &r->pixels);
   sgt_stats_add_count(s, "accelerators", "spans", "spans", "Rows of slices with pixels.",
                       &r->spans);
   sgt_stats_add_count(s, "accelerators", "longest", "cycles", "Cycles of the longest slice.",
                       &r->work_longest);
   sgt_stats_add_count(s, "issue", "raw", "pairs",
                       "Slices that read data that an earlier slice in the unit writes.", &r->raw);
   sgt_stats_add_count(s, "issue", "waw", "pairs",
                       "Slices that write data that an earlier slice in the unit writes.", &r->waw);
   sgt_stats_add_count(s, "issue", "war", "pairs",
                       "Slices that write data that an earlier slice in the unit reads.", &r->war);
   sgt_stats_add_count(s, "issue", "conflicts", "pairs",
                       "Slices that overlap an earlier slice in the unit and may run in any order.",
                       &r->conflicts);
   sgt_stats_add_count(s, "issue", "overtakes", "slices",
                       "Slices that issued before an older candidate.", &r->overtakes);
   sgt_stats_add_count(s, "issue", "wait", "cycles",
                       "Cycles from entry to issue, summed over slices.", &r->wait);
   sgt_stats_add_histogram(s, "accelerators", "busy-cycles", "cycles",
                           "Cycles by number of busy accelerators.", r->accelerators + 1,
                           r->busy_cycles);
   sgt_stats_add_histogram(s, "issue", "candidate-cycles", "cycles",
                           "Cycles by number of candidates.", r->candidates + 1,
                           r->candidate_cycles);
   sgt_stats_add_log2(s, "accelerators", "slice-cycles", "slices",
                      "Slices by number of busy cycles.", ARRAY_SIZE(r->slice_cycles),
                      r->slice_cycles);
   sgt_stats_add_log2(s, "issue", "slice-wait", "slices",
                      "Slices by number of cycles from entry to issue.", ARRAY_SIZE(r->slice_wait),
                      r->slice_wait);
   if (r->dram.clocks)
      sgt_dram_stats_register(&r->dram, s);
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
