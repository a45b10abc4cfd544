/* SPDX-License-Identifier: MIT */
/*
 * Runs all warps of a struct sgt_work on a single execution unit, for microbenchmarks and tests.
 * Memory and textures respond after a fixed number of cycles.
 */
#ifndef SGT_EU_ALONE_H
#define SGT_EU_ALONE_H

#include "chip_eu/sgt_eu.h"

struct sgt_eu_alone {
   struct sgt_sched sched;
   struct sgt_clock clock;
   struct sgt_eu_programs programs;
   struct sgt_eu eu;
   /* unit at the other end of all channels, which stands in for the distributor, the memory and the
    * texture units
    */
   struct sgt_unit unit;
   struct sgt_channel launch, done, tex_request, tex_response, mem_request, mem_response;
   uint32_t next, num; /* next: index of the next warp to launch; num: number of warps */
   uint32_t ended;     /* number of warps that have finished */
};

/* Initializes the unit. `memory` and `texture` are the latencies from request to response in
 * cycles, and must be at least 2. Warps are launched in order, starting in cycle 1. Returns false
 * on allocation failure.
 */
bool sgt_eu_alone_init(struct sgt_eu_alone *a, const struct sgt_eu_params *params,
                       const struct sgt_work *work, uint32_t memory, uint32_t texture);
void sgt_eu_alone_finish(struct sgt_eu_alone *a);
/* Runs until all warps have finished. Returns false if any warp is still running in cycle `limit`.
 */
bool sgt_eu_alone_run(struct sgt_eu_alone *a, uint64_t limit);

#endif
