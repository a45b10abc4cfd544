/* SPDX-License-Identifier: MIT */
/*
 * The 1999 engine: names its states, and checks that its parameters are valid and compatible with
 * each other.
 */
#include "engine99/sgt_engine.h"

#include <inttypes.h>
#include <stdio.h>

#include "params/sgt_range.h"

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
   if (!sgt_engine_params_ranges(p, error, error_size))
      return false;
   const uint64_t candidates = p->candidates ? p->candidates
                                             : (uint64_t)p->window * p->accelerators;
   if (candidates > SGT_MAX_CANDIDATES) {
      snprintf(error, error_size,
               "issue.window x issue.accelerators = %" PRIu64 " candidate buffers: expected %u or "
               "less",
               candidates, SGT_MAX_CANDIDATES);
      return false;
   }
   const struct sgt_range stations = { "issue.destinations", p->destinations, 0,
                                       p->accelerators + candidates };
   if (!sgt_ranges_check(&stations, 1, error, error_size))
      return false;
   return p->memory == SGT_MEMORY_PERFECT || sgt_dram_params_check(&p->dram, error, error_size);
}
