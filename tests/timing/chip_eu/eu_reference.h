/* SPDX-License-Identifier: MIT */
/*
 * The execution unit once more, slow and obvious: every cycle looks at everything, nothing is
 * kept that can be looked up.  With a memory and a texture unit that take a fixed time.
 */
#ifndef EU_REFERENCE_H
#define EU_REFERENCE_H

#include "chip_eu/sgt_eu.h"

#define EU_REFERENCE_MORE 128 /* until nothing is busy */

struct eu_reference_event {
   uint64_t cycle;
   uint32_t event, thread, pc;
};

struct eu_reference {
   struct eu_reference_event *events;
   uint32_t num, room;
   uint64_t cycles; /* to the end of the last warp, and EU_REFERENCE_MORE */
   uint64_t thread_states[SGT_EU_THREAD_STATES];
   uint64_t alu_states[SGT_EU_MAX_ALUS][SGT_EU_THREAD_STATES];
   uint64_t operations[SGT_EU_OPERATIONS + 1];
};

/* Runs all warps of the work, in their order, which are there from cycle 1 on.  `memory` and
 * `texture`: cycles from a request to its answer.  The events have to be freed.  Stops at
 * `limit` cycles.
 */
void eu_reference_run(struct eu_reference *r, const struct sgt_eu_params *p,
                      const struct sgt_work *work, uint64_t memory, uint64_t texture,
                      uint64_t limit);

#endif
