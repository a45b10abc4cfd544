/* SPDX-License-Identifier: MIT */
/*
 * Early depth tests (Lindholm et al. 2008, "Rasterization"). The unit receives blocks from fine
 * raster. If a draw tests depth before its pixel program, the ROPs test these blocks. Once a block
 * and all earlier blocks have been tested, the pixel warps that the block completes are released to
 * the distributor.
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
   SGT_EARLY_BUSY,    /* accepts a block or a response, or sends a request or a warp */
   SGT_EARLY_ROP,     /* the channel to a ROP has no room */
   SGT_EARLY_TESTS,   /* the oldest block is being tested */
   SGT_EARLY_LATE,    /* the next block waits for an earlier draw with late tests */
   SGT_EARLY_RELEASE, /* the channel to the distributor has no room */
   SGT_EARLY_EMPTY,   /* no blocks are queued */
   SGT_EARLY_STATES,
};

/* An entry of the queue of the early tests: a block, or the end of an operation. */
struct sgt_early_entry {
   uint32_t number;     /* index of the operation if `ends` is set, index of the block otherwise */
   uint32_t warp;       /* next pixel warp that the block releases, or SGT_NONE */
   uint32_t unanswered; /* number of ROP requests that have not been answered yet */
   bool ends;           /* true if the entry is the end of an operation */
   uint64_t since;      /* time when the unit accepted the block, in ticks */
};

struct sgt_early {
   struct sgt_unit unit;
   /* rate: maximum number of requests per cycle
    * queue: capacity of the queue in blocks
    */
   uint32_t rate, queue;
   bool drops; /* fault injection for tests: if set, every eighth block skips its tests */
   bool ahead; /* fault injection for tests: if set, blocks don't wait for draws with late tests */
   const struct sgt_plan *plan;
   struct sgt_channel *blocks;   /* channel from fine raster, for struct sgt_raster_block */
   struct sgt_channel *releases; /* channel to the distributor, for struct sgt_raster_release */
   struct sgt_channel *late;     /* channel from the distributor, for struct sgt_late_ended */
   bool *late_ended;             /* for each draw with late tests, true if the draw has ended */
   uint32_t lates;               /* number of leading entries of late_ended that are true */
   struct sgt_rop_client client;
   struct sgt_early_entry *ring;
   /* first: index of the oldest entry of the ring buffer
    * num: number of entries
    * room: capacity, a power of 2
    */
   uint32_t first, num, room;
   struct sgt_rop_request *requests; /* requests of the most recent block */
   /* num_requests: number of entries of `requests`
    * next_request: index of the next request to send
    * slot: index of the block in the ring
    */
   uint32_t num_requests, next_request, slot;
   struct sgt_unit_states states;
   struct sgt_early_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The caller must set the channels before the
 * simulation starts. Returns false on allocation failure.
 */
bool sgt_early_init(struct sgt_early *e, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
void sgt_early_finish(struct sgt_early *e);
/* Returns true if no blocks are queued and all requests have been answered. */
bool sgt_early_idle(const struct sgt_early *e);
/* Dumps the state of the unit and the queued blocks. */
void sgt_early_dump(const struct sgt_early *e, struct sgt_dump *d);
/* Registers the statistics of a simulation that took `cycles` cycles of the unit's clock. The unit
 * must outlive the statistics.
 */
void sgt_early_register(struct sgt_early *e, uint64_t cycles, struct sgt_stats *stats);

#endif
