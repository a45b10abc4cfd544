/* SPDX-License-Identifier: MIT */
/*
 * Pixel output of a TPC (Lindholm et al. 2008, "Rasterization", "Raster operations processor"):
 * sends the pixels of finished warps to the ROPs, in primitive order. If depth has not been tested
 * early, the unit first sends the requests for late tests. The colors of a warp are sent after all
 * of its tests have been answered.
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
   SGT_OUTPUT_BUSY,   /* sends requests */
   SGT_OUTPUT_ROP,    /* the queue of a ROP is full */
   SGT_OUTPUT_TESTS,  /* colors are waiting for the late tests of their warp */
   SGT_OUTPUT_WRITES, /* all requests have been sent, but some have not been answered yet */
   SGT_OUTPUT_EMPTY,  /* no warps are in the pixel output */
   SGT_OUTPUT_STATES,
};

/* A pixel warp in the pixel output. */
struct sgt_output_entry {
   uint32_t warp; /* index into work->warps */
   /* Numbers of depth requests (tests) and color requests (writes) that have not been answered yet.
    * Each number is 1 too high until the iterator has sent all of its requests for the warp.
    */
   uint32_t tests, writes;
   uint64_t since; /* time when the warp arrived, in ticks */
};

/* Iterator over the requests of the warps in the ring, warp by warp. */
struct sgt_output_walk {
   /* true if the iterator generates depth requests, false if it generates color requests */
   bool late;
   uint32_t entry;  /* index of the current warp in the ring, relative to the oldest warp */
   bool begun;      /* true if the iterator has already started on the current warp */
   uint32_t target; /* index of the current render target among those of the operation */
   uint32_t quad;   /* index of the next quad in the warp */
   /* Requests that have been generated. `num` is the number of requests, and `next` is the index of
    * the next request to send.
    */
   struct sgt_rop_request *requests;
   uint32_t num, next;
};

struct sgt_output {
   struct sgt_unit unit;
   struct sgt_output_params params;
   /* fault injection for tests of --verify: don't wait for late tests before sending colors */
   bool no_tests;
   const struct sgt_plan *plan;
   /* channel from the distributor with the pixel warps that have ended */
   struct sgt_channel *warps;
   /* channel that tells the distributor which pixel warps have been written to the ROPs */
   struct sgt_channel *written;
   struct sgt_rop_client client;
   /* Ring buffer of warps. `first` is the index of the oldest warp, and `num` is the number of
    * warps.
    */
   struct sgt_output_entry *ring;
   uint32_t first, num, room; /* room: capacity of the ring buffer, a power of 2 */
   /* `depths` generates the depth requests, and `colors` generates the color requests */
   struct sgt_output_walk depths, colors;
   struct sgt_unit_states states;
   struct sgt_output_counters counters;
   char name[16];
};

/* Adds the pixel output of TPC `tpc` to the scheduler. The caller must set the channels before the
 * scheduler first calls the unit. Returns false on allocation failure.
 */
bool sgt_output_init(struct sgt_output *o, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_output_params *params, const struct sgt_plan *plan,
                     uint32_t tpc);
void sgt_output_finish(struct sgt_output *o);
/* Returns true if the unit has no warps and no pending requests. */
bool sgt_output_idle(const struct sgt_output *o);
/* Dumps the state, the warps and the pending requests of the unit. */
void sgt_output_dump(const struct sgt_output *o, uint32_t number, struct sgt_dump *d);
/* Registers the statistics of the unit with `stats`, for a run of `cycles` cycles of the unit's
 * clock. The unit must outlive `stats`.
 */
void sgt_output_register(struct sgt_output *o, uint64_t cycles, struct sgt_stats *stats);

#endif
