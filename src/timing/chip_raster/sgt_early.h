/* SPDX-License-Identifier: MIT */
/*
 * Early tests (Lindholm et al. 2008, "Rasterization"): blocks of fine raster, in order, to the
 * distributor.  Where a draw's depths are tested ahead of its program, the ROPs test a block
 * first; the pixel warps that it completes start when it and those before it are tested.
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
   SGT_EARLY_BUSY,    /* a block comes, requests or warps go */
   SGT_EARLY_ROP,     /* a ROP has no place */
   SGT_EARLY_TESTS,   /* the oldest block is being tested */
   SGT_EARLY_LATE,    /* a draw before the next block is tested late, and has not ended */
   SGT_EARLY_RELEASE, /* the distributor has no place */
   SGT_EARLY_EMPTY,
   SGT_EARLY_STATES,
};

struct sgt_early_entry {
   uint32_t number;     /* the block, or the operation */
   uint32_t warp;       /* the next that it releases */
   uint32_t unanswered; /* requests */
   bool ends;
   uint64_t since; /* ticks */
};

struct sgt_early {
   struct sgt_unit unit;
   uint32_t rate, queue;
   bool drops; /* of tests: every eighth block is not tested */
   bool ahead; /* of tests: blocks do not wait for draws that are tested late */
   const struct sgt_plan *plan;
   struct sgt_channel *blocks;   /* from fine raster */
   struct sgt_channel *releases; /* to the distributor */
   struct sgt_channel *late;     /* from it */
   bool *late_ended;             /* by number of the late draw */
   uint32_t lates;               /* late draws from 0 on that have ended */
   struct sgt_rop_client client;
   struct sgt_early_entry *ring;
   uint32_t first, num, room;        /* a power of 2 */
   struct sgt_rop_request *requests; /* of the latest block */
   uint32_t num_requests, next_request, slot;
   struct sgt_unit_states states;
   struct sgt_early_counters counters;
};

/* Adds the unit to the scheduler; the channels are set before its first call.  False: no
 * memory.
 */
bool sgt_early_init(struct sgt_early *e, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
void sgt_early_finish(struct sgt_early *e);
bool sgt_early_idle(const struct sgt_early *e);
/* Writes what the unit has under way. */
void sgt_early_dump(const struct sgt_early *e, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_early_register(struct sgt_early *e, uint64_t cycles, struct sgt_stats *stats);

#endif
