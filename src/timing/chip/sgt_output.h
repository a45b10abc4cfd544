/* SPDX-License-Identifier: MIT */
/*
 * Pixel output of a TPC (Lindholm et al. 2008, "Rasterization", "Raster operations processor"):
 * sends the pixels of warps that have ended to the ROPs, in the order of their primitives. Depths
 * that were not tested early are tested first. The colours of a warp follow when all of its tests
 * are answered.
 */
#ifndef SGT_OUTPUT_H
#define SGT_OUTPUT_H

#include "chip_front/sgt_front_ports.h"
#include "stats/sgt_output_counters.h"
#include "params/sgt_output_params.h"
#include "chip_rop/sgt_rop_client.h"
#include "chip_rop/sgt_rop_split.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_output_state {
   SGT_OUTPUT_BUSY,   /* requests are sent */
   SGT_OUTPUT_ROP,    /* a ROP's queue is full */
   SGT_OUTPUT_TESTS,  /* colours wait for late tests of their warp */
   SGT_OUTPUT_WRITES, /* everything is sent, but not all of it is written */
   SGT_OUTPUT_EMPTY,  /* no warp is in the pixel output */
   SGT_OUTPUT_STATES,
};

/* A pixel warp in the pixel output. */
struct sgt_output_entry {
   uint32_t warp; /* index of the warp in the work */
   /* numbers of depth and colour requests without an answer, each plus 1 until the walk has sent
    * all of them
    */
   uint32_t tests, writes;
   uint64_t since; /* time at which the warp arrived, in ticks */
};

/* A walk over the requests of the warps in the ring, one warp after the other. */
struct sgt_output_walk {
   bool late;       /* the walk sends depth requests; otherwise, colour requests */
   uint32_t entry;  /* position of the present warp, counted from the oldest in the ring */
   bool begun;      /* the walk of the present warp has started */
   uint32_t target; /* index of the present target in its operation */
   uint32_t quad;   /* index in the warp of the next quad */
   /* Requests that are made: `num` of them, of which `next` are sent. */
   struct sgt_rop_request *requests;
   uint32_t num, next;
};

struct sgt_output {
   struct sgt_unit unit;
   struct sgt_output_params params;
   bool no_tests; /* for tests of --verify: colours do not wait for late tests */
   const struct sgt_plan *plan;
   struct sgt_channel *warps;   /* pixel warps from the distributor */
   struct sgt_channel *written; /* warps that are written, to the distributor */
   struct sgt_rop_client client;
   /* Warps, oldest first: `num` entries of the ring, starting at index `first`. */
   struct sgt_output_entry *ring;
   uint32_t first, num, room;             /* `room`: size of the ring, a power of 2 */
   struct sgt_output_walk depths, colors; /* walks that send depth and colour requests */
   struct sgt_unit_states states;
   struct sgt_output_counters counters;
   char name[16];
};

/* Adds the pixel output of TPC `tpc` to the scheduler. The caller sets the channels before the
 * unit's first call. Returns false if out of memory.
 */
bool sgt_output_init(struct sgt_output *o, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_output_params *params, const struct sgt_plan *plan,
                     uint32_t tpc);
void sgt_output_finish(struct sgt_output *o);
/* Returns true if no warp is in the unit and no request is under way. */
bool sgt_output_idle(const struct sgt_output *o);
/* Writes what the unit has under way. */
void sgt_output_dump(const struct sgt_output *o, uint32_t number, struct sgt_dump *d);
/* Adds the statistics after a run of `cycles` of the unit's clock. The unit must outlive the
 * statistics.
 */
void sgt_output_register(struct sgt_output *o, uint64_t cycles, struct sgt_stats *stats);

#endif
