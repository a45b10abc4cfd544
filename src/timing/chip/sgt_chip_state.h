/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip: its units, for the files that put them together, run and observe them.
 */
#ifndef SGT_CHIP_STATE_H
#define SGT_CHIP_STATE_H

#include "chip/sgt_chip.h"
#include "chip_raster/sgt_early.h"
#include "chip/sgt_recorder.h"
#include "chip/sgt_rop_switch.h"

enum sgt_chip_domain {
   SGT_CHIP_CORE,
   SGT_CHIP_SM,
   SGT_CHIP_XBAR,
   SGT_CHIP_L2,
   SGT_CHIP_GDDR,
   SGT_CHIP_CLOCKS,
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
   struct sgt_channel *tex_requests, *tex_responses; /* of each SM */
   struct sgt_tex *texs;                             /* of each TPC */
   struct sgt_output *outputs;
   struct sgt_rop *rops; /* of each partition */
   struct sgt_rop_switch *switches;
   uint32_t made_texs, made_outputs, made_rops, made_switches;
   bool has_front, has_early, has_transfer, has_code, has_memory;

   uint64_t end;                     /* ticks */
   struct sgt_recorder *recorder;    /* or NULL */
   uint64_t (*bus)[SGT_GDDR_STATES]; /* with it: what gddr buses have done */
   struct {
      char sm[16], tex[16], rop[16], depth[24], color[24];
   } * names;
};

/* sgt_chip_observe.c: runs the calls of the next time, and tells the recorder of what is due before
 * it.  False: none is left, or the next is after `limit`.
 */
bool sgt_chip_step(struct sgt_chip *chip, uint64_t limit);
/* After the last step.  False: memory ran out. */
bool sgt_chip_end_recorder(struct sgt_chip *chip);
void sgt_chip_free_recorder(struct sgt_chip *chip);

#endif
