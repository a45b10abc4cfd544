/* SPDX-License-Identifier: MIT */
/*
 * Early depth tests (Lindholm et al. 2008, "Rasterization"). The unit passes blocks from fine
 * raster to the distributor in order. If the depth of a draw is tested before its pixel program,
 * the ROPs first test the block. A block releases the pixel warps that it completes, when it and
 * all earlier blocks have been tested.
 */
#ifndef SGT_EARLY_H
#define SGT_EARLY_H

#include "stats/sgt_early_counters.h"
#include "chip_front/sgt_front_ports.h"
#include "params/sgt_raster_params.h"
#include "chip_rop/sgt_rop_client.h"
#include "chip_rop/sgt_rop_split.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_early_state {
   SGT_EARLY_BUSY,    /* takes a block or a response, or sends a request or a warp */
   SGT_EARLY_ROP,     /* the channel to a ROP has no place */
   SGT_EARLY_TESTS,   /* the oldest block is being tested */
   SGT_EARLY_LATE,    /* the next block waits for an earlier draw with late tests */
   SGT_EARLY_RELEASE, /* the channel to the distributor has no place */
   SGT_EARLY_EMPTY,   /* there are no blocks */
   SGT_EARLY_STATES,
};

/* A block in the queue, or the end of an operation. */
struct sgt_early_entry {
   uint32_t number;     /* number of the block; of the operation if `ends` */
   uint32_t warp;       /* next pixel warp that the block releases, or SGT_NONE */
   uint32_t unanswered; /* number of requests without a response */
   bool ends;           /* this is the end of an operation */
   uint64_t since;      /* time at which the block was taken, in ticks */
};

struct sgt_early {
   struct sgt_unit unit;
   uint32_t rate, queue; /* maximum numbers of requests a cycle, and of blocks in the queue */
   bool drops;           /* fault for tests: every eighth block is not tested */
   bool ahead;           /* fault for tests: blocks do not wait for draws with late tests */
   const struct sgt_plan *plan;
   struct sgt_channel *blocks;   /* channel from fine raster: struct sgt_raster_block */
   struct sgt_channel *releases; /* channel to the distributor: struct sgt_raster_release */
   struct sgt_channel *late;     /* channel from the distributor: struct sgt_late_ended */
   bool *late_ended;             /* per draw with late tests: it has ended */
   uint32_t lates;               /* all draws with late tests below this number have ended */
   struct sgt_rop_client client;
   struct sgt_early_entry *ring;
   uint32_t first, num, room;        /* first element, length and size of the ring, a power of 2 */
   struct sgt_rop_request *requests; /* requests of the latest block */
   /* Numbers of these requests, and of those that were sent; index of the block in the ring. */
   uint32_t num_requests, next_request, slot;
   struct sgt_unit_states states;
   struct sgt_early_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The channels must be set before its first
 * call. Returns false if out of memory.
 */
bool sgt_early_init(struct sgt_early *e, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
void sgt_early_finish(struct sgt_early *e);
/* Returns whether there are no blocks, and all requests have responses. */
bool sgt_early_idle(const struct sgt_early *e);
/* Writes what the unit has under way. */
void sgt_early_dump(const struct sgt_early *e, struct sgt_dump *d);
/* Registers the statistics after a run of `cycles` of the unit's clock. The unit must stay valid as
 * long as the statistics are used.
 */
void sgt_early_register(struct sgt_early *e, uint64_t cycles, struct sgt_stats *stats);

#endif
