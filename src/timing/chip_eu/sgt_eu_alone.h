/* SPDX-License-Identifier: MIT */
/*
 * An execution unit alone: it gets all warps of a work, and memory and textures answer after a
 * fixed time.  For microbenchmarks and tests.
 */
#ifndef SGT_EU_ALONE_H
#define SGT_EU_ALONE_H

#include "chip_eu/sgt_eu.h"

struct sgt_eu_alone {
   struct sgt_sched sched;
   struct sgt_clock clock;
   struct sgt_eu_programs programs;
   struct sgt_eu eu;
   struct sgt_unit unit; /* the other end of all ports */
   struct sgt_channel launch, done, tex_request, tex_response, mem_request, mem_response;
   uint32_t next, num; /* warps of the work */
   uint32_t ended;
};

/* `memory` and `texture`: cycles from a request to its answer, from 2.  Warps are there from
 * cycle 1 on, in their order.  False: no memory.
 */
bool sgt_eu_alone_init(struct sgt_eu_alone *a, const struct sgt_eu_params *params,
                       const struct sgt_work *work, uint32_t memory, uint32_t texture);
void sgt_eu_alone_finish(struct sgt_eu_alone *a);
/* To the end of all warps.  False: it is not reached by the cycle `limit`. */
bool sgt_eu_alone_run(struct sgt_eu_alone *a, uint64_t limit);

#endif
