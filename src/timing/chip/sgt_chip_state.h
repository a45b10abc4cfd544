/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip: its units, for the files that assemble, run and observe them.
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
   SGT_CHIP_CLOCKS, /* number of domains */
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
   /* channels between each SM and its texture unit */
   struct sgt_channel *tex_requests, *tex_responses;
   struct sgt_tex *texs;            /* texture unit of each TPC */
   struct sgt_output *outputs;      /* pixel output of each TPC */
   struct sgt_rop *rops;            /* ROP of each partition */
   struct sgt_rop_switch *switches; /* network in front of each ROP */
   /* Numbers of units, and parts, that are initialized and must be finished. */
   uint32_t made_texs, made_outputs, made_rops, made_switches;
   bool has_front, has_early, has_transfer, has_code, has_memory;

   uint64_t end;                     /* end of the run in ticks, rounded up to a core cycle */
   struct sgt_recorder *recorder;    /* recorder of the result, or NULL if not observed */
   uint64_t (*bus)[SGT_GDDR_STATES]; /* if `recorder` is set: ticks of each GDDR bus by state */
   /* Names of the units in statistics, by number of the SM, TPC or ROP. */
   struct {
      char sm[16], tex[16], rop[16], depth[24], color[24];
   } * names;
};

/* Runs all unit calls of the next time that has calls. Records first everything that is due before
 * that time. Returns false if no call is left, or if the next call is after `limit`, in ticks.
 * Defined in sgt_chip_observe.c, as the functions below.
 */
bool sgt_chip_step(struct sgt_chip *chip, uint64_t limit);
/* Completes the recorded result after the last step. Returns false if the recorder ran out of
 * memory.
 */
bool sgt_chip_end_recorder(struct sgt_chip *chip);
void sgt_chip_free_recorder(struct sgt_chip *chip);

#endif
