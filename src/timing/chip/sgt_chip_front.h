/* SPDX-License-Identifier: MIT */
/*
 * The front of a chip as one part: host interface, input assembler, work distribution, setup,
 * coarse raster, zcull and fine raster, with the channels between them.  SMs, pixel outputs,
 * early tests, the transfer unit and memory are connected to it.
 */
#ifndef SGT_CHIP_FRONT_H
#define SGT_CHIP_FRONT_H

#include "params/sgt_chip_front_params.h"
#include "chip_front/sgt_dist.h"
#include "chip_front/sgt_ia.h"
#include "chip_raster/sgt_raster.h"
#include "chip_raster/sgt_setup.h"
#include "chip_raster/sgt_zcull.h"

struct sgt_dump;

struct sgt_chip_front {
   struct sgt_chip_front_params params;
   struct sgt_sched *sched;
   struct sgt_plan plan;
   struct sgt_ia ia;
   struct sgt_dist dist;
   struct sgt_setup setup;
   struct sgt_coarse coarse;
   struct sgt_zcull zcull;
   struct sgt_fine fine;
   /* Ends and contents: sgt_front_ports.h. */
   struct sgt_channel orders, ended, transfers, transfer_ended;
   struct sgt_channel setup_work, items, tiles, left, blocks, releases, late;
   struct sgt_channel *launch, *done;     /* of each SM */
   struct sgt_channel *outputs, *written; /* of each TPC */
};

/* Adds the units to the scheduler.  False, with a message: no memory, or the work does not fit
 * the trace or the SMs.
 */
bool sgt_chip_front_init(struct sgt_chip_front *f, struct sgt_sched *sched,
                         const struct sgt_clock *clock, const struct sgt_chip_front_params *params,
                         const struct sgt_trace *trace, const struct sgt_work *work, char *error,
                         size_t error_size);
void sgt_chip_front_finish(struct sgt_chip_front *f);

/* Connect what is not of the front, all of it before the first step; memory by f->ia.requests,
 * responses and client.  False: no memory.
 */
bool sgt_chip_front_connect_sm(struct sgt_chip_front *f, uint32_t sm, struct sgt_unit *unit);
bool sgt_chip_front_connect_output(struct sgt_chip_front *f, uint32_t tpc, struct sgt_unit *unit);
bool sgt_chip_front_connect_early(struct sgt_chip_front *f, struct sgt_unit *unit);
bool sgt_chip_front_connect_transfer(struct sgt_chip_front *f, struct sgt_unit *unit);

/* Counts the states of the units before `time`, in ticks, at which a cycle may begin. */
void sgt_chip_front_account(struct sgt_chip_front *f, uint64_t time);
/* Writes what the units have under way. */
void sgt_chip_front_dump(const struct sgt_chip_front *f, struct sgt_dump *d);
/* Whether all work has ended and nothing is under way; if not, false and a message. */
bool sgt_chip_front_check_end(const struct sgt_chip_front *f, char *error, size_t error_size);
/* After a run of `cycles` of the clock; the units must stay. */
void sgt_chip_front_register(struct sgt_chip_front *f, uint64_t cycles, struct sgt_stats *stats);

#endif
