/* SPDX-License-Identifier: MIT */
/*
 * Slow and simple reference of the execution unit: every cycle examines everything, and nothing is
 * stored that can be looked up.  The memory and the texture unit take a fixed time.
 */
#ifndef EU_REFERENCE_H
#define EU_REFERENCE_H

#include "chip_eu/sgt_eu.h"

#define EU_REFERENCE_MORE 128 /* number of cycles after the last warp until nothing is busy */

struct eu_reference_event {
   uint64_t cycle;
   uint32_t event, thread, pc;
};

struct eu_reference {
   struct eu_reference_event *events;
   uint32_t num, room;
   uint64_t cycles; /* cycles to the end of the last warp, plus EU_REFERENCE_MORE */
   uint64_t thread_states[SGT_EU_THREAD_STATES];
   uint64_t alu_states[SGT_EU_MAX_ALUS][SGT_EU_THREAD_STATES];
   uint64_t operations[SGT_EU_OPERATIONS + 1];
};

/* Runs all warps of the work in order; all of them are available from cycle 1 on.  `memory` and
 * `texture` are cycles from a request to its answer.  Stops at `limit` cycles.  The caller must
 * free the events.
 */
void eu_reference_run(struct eu_reference *r, const struct sgt_eu_params *p,
                      const struct sgt_work *work, uint64_t memory, uint64_t texture,
                      uint64_t limit);

#endif
