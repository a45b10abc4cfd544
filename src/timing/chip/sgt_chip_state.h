/* SPDX-License-Identifier: MIT */
/*
 * Private state of the Tesla chip, shared by the files that assemble, run and observe its units.
 */
#ifndef SGT_CHIP_STATE_H
#define SGT_CHIP_STATE_H

#include "chip/sgt_chip.h"
#include "chip_raster/sgt_early.h"
#include "chip/sgt_recorder.h"
#include "chip/sgt_rop_switch.h"

/* Clock domains. */
enum sgt_chip_domain {
   SGT_CHIP_CORE,
   SGT_CHIP_SM,
   SGT_CHIP_XBAR,
   SGT_CHIP_L2,
   SGT_CHIP_GDDR,
   SGT_CHIP_CLOCKS, /* number of clock domains */
};

struct sgt_chip {
   struct sgt_chip_params params;
   struct sgt_clock clocks[SGT_CHIP_CLOCKS];
   struct sgt_sched sched;
   struct sgt_chip_front front;
   struct sgt_early early;
   struct sgt_transfer transfer;
   struct sgt_core_code code;
   struct sgt_memory memory;
   uint32_t num_sms, num_tpcs, num_rops;

   struct sgt_core *sms;
   /* channels between each SM and its texture unit, indexed by SM */
   struct sgt_channel *tex_requests, *tex_responses;
   struct sgt_tex *texs;       /* for each TPC: texture unit */
   struct sgt_output *outputs; /* for each TPC: pixel output */
   struct sgt_rop *rops;       /* for each partition: ROP */
   /* networks between the ROPs and their clients, indexed by ROP */
   struct sgt_rop_switch *switches;
   /* Counts and flags of the members that have been initialized, so that sgt_chip_destroy() only
    * cleans up those members.
    */
   uint32_t made_texs, made_outputs, made_rops, made_switches;
   bool has_front, has_early, has_transfer, has_code, has_memory;

   /* time when the run ended, in ticks, rounded up to a core cycle */
   uint64_t end;
   /* records the result of the run, or NULL if the run is not observed */
   struct sgt_recorder *recorder;
   /* For each GDDR bus, the number of ticks in each state. Only used if `recorder` is set. */
   uint64_t (*bus)[SGT_GDDR_STATES];
   /* Names of the units in the statistics, indexed by SM, TPC or ROP. */
   struct {
      char sm[16], tex[16], rop[16], depth[24], color[24];
   } * names;
};

/* Advances the simulation to the next time at which units are scheduled, and calls these units.
 * Before that, the recorder records all rows that are due. Returns false if no calls are scheduled,
 * or if the next call is later than `limit`, in ticks.
 *
 * This function and the following functions are defined in sgt_chip_observe.c.
 */
bool sgt_chip_step(struct sgt_chip *chip, uint64_t limit);
/* Completes the recorded result after the last call of sgt_chip_step(). Returns false if the
 * recorder has run out of memory.
 */
bool sgt_chip_end_recorder(struct sgt_chip *chip);
void sgt_chip_free_recorder(struct sgt_chip *chip);

#endif
