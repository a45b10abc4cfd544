/* SPDX-License-Identifier: MIT */
/*
 * The 1999 engine: parameters, names.
 */
#include "sgt_engine.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

const char *const sgt_state_names[SGT_STATES] = {
   [SGT_STATE_BUSY] = "busy",
   [SGT_STATE_MEMORY] = "memory",
   [SGT_STATE_RAW] = "raw",
   [SGT_STATE_WAW] = "waw",
   [SGT_STATE_WAR] = "war",
   [SGT_STATE_CONFLICT] = "conflict",
   [SGT_STATE_ISSUE_RATE] = "issue-rate",
   [SGT_STATE_WINDOW_FULL] = "window-full",
   [SGT_STATE_STARVED] = "starved",
   [SGT_STATE_DRAIN] = "drain",
};

const char *const sgt_fetch_state_names[SGT_FETCH_STATES] = {
   [SGT_FETCH_ENTERED] = "entered",
   [SGT_FETCH_NO_DESTINATION] = "no-destination",
   [SGT_FETCH_NO_CANDIDATE] = "no-candidate",
   [SGT_FETCH_NO_SOURCE] = "no-source",
   [SGT_FETCH_ALONE] = "alone",
   [SGT_FETCH_EMPTY] = "empty",
};

const char *const sgt_issue_state_names[SGT_ISSUE_STATES] = {
   [SGT_ISSUE_ISSUED] = "issued",         [SGT_ISSUE_NO_ACCELERATOR] = "no-accelerator",
   [SGT_ISSUE_DEPENDENCE] = "dependence", [SGT_ISSUE_CONFLICT] = "conflict",
   [SGT_ISSUE_EMPTY] = "empty",
};

void
sgt_engine_params_init(struct sgt_engine_params *p)
{
   *p = (struct sgt_engine_params){
      .entry_rate = 1,
      .split = SGT_SPLIT_NONE,
      .slice_width = 32,
      .slice_height = 32,
      .issue_rate = 1,
      .select = SGT_SELECT_RANDOM,
      .accelerators = 16,
      .candidates = 128,
      .setup = 4,
      .depth = 8,
      .pixel_rate = 1,
      .clear_rate = 1,
      .copy_rate = 1,
      .seed = 1,
      .interval = 100,
   };
   sgt_dram_params_init(&p->dram);
}

struct sgt_split_params
sgt_engine_split_params(const struct sgt_engine_params *p)
{
   return (struct sgt_split_params){
      .mode = p->split,
      .width = p->slice_width,
      .height = p->slice_height,
      .aligned = p->slice_aligned,
      .transfers = p->split_transfers,
      .box = p->slice_box,
   };
}

bool
sgt_engine_params_check(const struct sgt_engine_params *p, char *error, size_t error_size)
{
   const uint32_t most = p->accelerators + p->candidates;
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "accelerators", p->accelerators, 1, SGT_MAX_ACCELERATORS },
      { "candidates", p->candidates, 1, SGT_MAX_CANDIDATES },
      { "destinations", p->destinations, 0, most },
      { "sources", p->sources, 0, 4 * (SGT_MAX_ACCELERATORS + SGT_MAX_CANDIDATES) },
      { "entry_rate", p->entry_rate, 1, 1024 },
      { "issue_rate", p->issue_rate, 1, 1024 },
      { "split", p->split, SGT_SPLIT_NONE, SGT_SPLIT_GRID },
      { "slice_width", p->slice_width, 1, 1 << 16 },
      { "slice_height", p->slice_height, 1, 1 << 16 },
      { "slice_box", p->slice_box, SGT_SLICE_BOX_ITEM, SGT_SLICE_BOX_COVERAGE },
      { "select", p->select, SGT_SELECT_RANDOM, SGT_SELECT_CRITICAL },
      { "breaking", p->breaking, SGT_BREAK_NONE, SGT_BREAK_EXACT },
      { "setup", p->setup, 0, 1 << 20 },
      { "span", p->span, 0, 1 << 16 },
      { "depth", p->depth, 0, 1 << 20 },
      { "pixel_rate", p->pixel_rate, 1, 1 << 16 },
      { "clear_rate", p->clear_rate, 1, 1 << 16 },
      { "copy_rate", p->copy_rate, 1, 1 << 16 },
      { "transfer_setup", p->transfer_setup, 0, 1 << 20 },
      { "memory", p->memory, SGT_MEMORY_PERFECT, SGT_MEMORY_DRAM },
      { "interval", p->interval, 1, UINT32_MAX },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   return p->memory == SGT_MEMORY_PERFECT || sgt_dram_params_check(&p->dram, error, error_size);
}
