/* SPDX-License-Identifier: MIT */
/*
 * The whole front end of a chip: host interface, input assembler, work distributor, setup, coarse
 * raster, zcull and fine raster, and the channels between them. The chip connects the SMs, the
 * pixel outputs, the early tests, the transfer unit and the memory to the front end.
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
   /* Channels of the host interface and the input assembler. sgt_front_ports.h defines their
    * messages.
    * orders: carries operations and vertex warps to the work distributor;
    * ended: carries finished operations back from the work distributor;
    * transfers: carries transfers and write-backs to the transfer unit;
    * transfer_ended: carries finished transfers back from the transfer unit
    */
   struct sgt_channel orders, ended, transfers, transfer_ended;
   /* Channels of the raster units.
    * setup_work: carries vertex outputs (struct sgt_plan_output) from the distributor to setup;
    * items: carries primitives from setup to coarse raster;
    * tiles: carries tiles from coarse raster to zcull;
    * left: carries the tiles that zcull has not culled to fine raster;
    * blocks: carries blocks from fine raster to the early tests;
    * releases: carries pixel warps from the early tests to the distributor;
    * late: carries draws with late tests that have ended from the distributor to the early tests
    */
   struct sgt_channel setup_work, items, tiles, left, blocks, releases, late;
   /* launch: for each SM, the channel that carries the warps to start;
    * done: for each SM, the channel that reports the warps that have ended
    */
   struct sgt_channel *launch, *done;
   /* outputs: for each TPC, the channel to its pixel output;
    * written: for each TPC, the channel back from its pixel output
    */
   struct sgt_channel *outputs, *written;
};

/* Adds the units to the scheduler. If memory runs out, or if `work` doesn't match the trace or its
 * warps don't fit in the SMs, writes a message to `error` and returns false.
 */
bool sgt_chip_front_init(struct sgt_chip_front *f, struct sgt_sched *sched,
                         const struct sgt_clock *clock, const struct sgt_chip_front_params *params,
                         const struct sgt_trace *trace, const struct sgt_work *work, char *error,
                         size_t error_size);
void sgt_chip_front_finish(struct sgt_chip_front *f);

/* The following functions connect the front end to the other units of the chip. All units must be
 * connected before the simulation starts. Memory is connected through f->ia.requests,
 * f->ia.responses and f->ia.client. The functions return false on allocation failure.
 */
bool sgt_chip_front_connect_sm(struct sgt_chip_front *f, uint32_t sm, struct sgt_unit *unit);
bool sgt_chip_front_connect_output(struct sgt_chip_front *f, uint32_t tpc, struct sgt_unit *unit);
bool sgt_chip_front_connect_early(struct sgt_chip_front *f, struct sgt_unit *unit);
bool sgt_chip_front_connect_transfer(struct sgt_chip_front *f, struct sgt_unit *unit);

/* Updates the state counters of all units to include the cycles before `time`, in ticks. A core
 * cycle must be able to start at `time`.
 */
void sgt_chip_front_account(struct sgt_chip_front *f, uint64_t time);
/* Dumps the state of each front-end unit and its pending requests. */
void sgt_chip_front_dump(const struct sgt_chip_front *f, struct sgt_dump *d);
/* Returns true if all operations have ended and all channels are empty. Otherwise, writes a message
 * and returns false.
 */
bool sgt_chip_front_check_end(const struct sgt_chip_front *f, char *error, size_t error_size);
/* Registers the statistics of all units with `stats`, for a run of `cycles` cycles of the unit
 * clock. The front end must outlive `stats`.
 */
void sgt_chip_front_register(struct sgt_chip_front *f, uint64_t cycles, struct sgt_stats *stats);

#endif
