/* SPDX-License-Identifier: MIT */
/*
 * Pixel output of a TPC (Lindholm et al. 2008, "Rasterization", "Raster operations processor"):
 * pixel warps that have ended, in the order of their primitives, to the ROPs.  Depths that were
 * not tested early are tested first; colours follow when the warp's tests are answered.
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
   SGT_OUTPUT_BUSY,   /* requests go */
   SGT_OUTPUT_ROP,    /* a ROP has no place */
   SGT_OUTPUT_TESTS,  /* colours wait for late tests of their warp */
   SGT_OUTPUT_WRITES, /* everything is sent and not all of it written */
   SGT_OUTPUT_EMPTY,
   SGT_OUTPUT_STATES,
};

struct sgt_output_entry {
   uint32_t warp;
   uint32_t tests, writes; /* requests without an answer, and those not sent */
   uint64_t since;         /* ticks */
};

/* A walk over the requests of warps, one after the other. */
struct sgt_output_walk {
   bool late;       /* depths; else colours */
   uint32_t entry;  /* in the ring, counted from the first */
   bool begun;      /* the requests of the entry */
   uint32_t target; /* of the operation */
   uint32_t quad;   /* of the warp, the next one */
   struct sgt_rop_request *requests;
   uint32_t num, next;
};

struct sgt_output {
   struct sgt_unit unit;
   struct sgt_output_params params;
   bool no_tests; /* of tests: colours do not wait for late tests */
   const struct sgt_plan *plan;
   struct sgt_channel *warps;   /* from the distributor */
   struct sgt_channel *written; /* to it */
   struct sgt_rop_client client;
   struct sgt_output_entry *ring;
   uint32_t first, num, room; /* a power of 2 */
   struct sgt_output_walk depths, colors;
   struct sgt_unit_states states;
   struct sgt_output_counters counters;
   char name[16];
};

/* Adds the unit of TPC `tpc` to the scheduler; the channels are set before its first call.
 * False: no memory.
 */
bool sgt_output_init(struct sgt_output *o, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_output_params *params, const struct sgt_plan *plan,
                     uint32_t tpc);
void sgt_output_finish(struct sgt_output *o);
bool sgt_output_idle(const struct sgt_output *o);
/* Writes what the unit has under way. */
void sgt_output_dump(const struct sgt_output *o, uint32_t number, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_output_register(struct sgt_output *o, uint64_t cycles, struct sgt_stats *stats);

#endif
