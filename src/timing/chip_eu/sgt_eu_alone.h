/* SPDX-License-Identifier: MIT */
/*
 * A single execution unit that runs all warps of a work, for microbenchmarks and tests. Memory and
 * textures answer after a fixed time.
 */
#ifndef SGT_EU_ALONE_H
#define SGT_EU_ALONE_H

#include "chip_eu/sgt_eu.h"

struct sgt_eu_alone {
   struct sgt_sched sched;
   struct sgt_clock clock;
   struct sgt_eu_programs programs;
   struct sgt_eu eu;
   struct sgt_unit unit; /* unit at the other end of all ports */
   struct sgt_channel launch, done, tex_request, tex_response, mem_request, mem_response;
   uint32_t next, num; /* index of the next warp to start; number of warps */
   uint32_t ended;     /* number of warps that have ended */
};

/* Initializes the unit. `memory` and `texture` are the numbers of cycles from a request to its
 * answer, at least 2. Warps can start in order from cycle 1 on. Returns false if out of memory.
 */
bool sgt_eu_alone_init(struct sgt_eu_alone *a, const struct sgt_eu_params *params,
                       const struct sgt_work *work, uint32_t memory, uint32_t texture);
void sgt_eu_alone_finish(struct sgt_eu_alone *a);
/* Runs until all warps have ended. Returns false if this does not happen before or at cycle
 * `limit`.
 */
bool sgt_eu_alone_run(struct sgt_eu_alone *a, uint64_t limit);

#endif
