/* SPDX-License-Identifier: MIT */
/*
 * The front end of a chip as one part: host interface, input assembler, work distribution, setup,
 * coarse raster, zcull and fine raster, with the channels between them. SMs, pixel outputs, early
 * tests, the transfer unit and memory are connected to it.
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
   /* Channels of the host interface: starts of operations and vertex warps for the distributor,
    * ended operations, transfers, and ended transfers. sgt_front_ports.h defines the messages of
    * all channels.
    */
   struct sgt_channel orders, ended, transfers, transfer_ended;
   /* Channels of raster: outputs for setup, primitives for coarse raster, tiles for zcull, tiles
    * for fine raster, blocks for early tests, pixel warps that can start, and ended draws with late
    * tests.
    */
   struct sgt_channel setup_work, items, tiles, left, blocks, releases, late;
   struct sgt_channel *launch, *done;     /* channels for started and ended warps of each SM */
   struct sgt_channel *outputs, *written; /* channels to and from the pixel output of each TPC */
};

/* Adds the units to the scheduler. Returns false and writes a message if memory runs out, or if the
 * work does not fit the trace or the SMs.
 */
bool sgt_chip_front_init(struct sgt_chip_front *f, struct sgt_sched *sched,
                         const struct sgt_clock *clock, const struct sgt_chip_front_params *params,
                         const struct sgt_trace *trace, const struct sgt_work *work, char *error,
                         size_t error_size);
void sgt_chip_front_finish(struct sgt_chip_front *f);

/* Connect units outside of the front end. All of them are connected before the first step. Memory
 * is connected by f->ia.requests, f->ia.responses and f->ia.client. Return false if out of memory.
 */
bool sgt_chip_front_connect_sm(struct sgt_chip_front *f, uint32_t sm, struct sgt_unit *unit);
bool sgt_chip_front_connect_output(struct sgt_chip_front *f, uint32_t tpc, struct sgt_unit *unit);
bool sgt_chip_front_connect_early(struct sgt_chip_front *f, struct sgt_unit *unit);
bool sgt_chip_front_connect_transfer(struct sgt_chip_front *f, struct sgt_unit *unit);

/* Counts the states of the units up to `time`, which is in ticks and at the start of a possible
 * cycle.
 */
void sgt_chip_front_account(struct sgt_chip_front *f, uint64_t time);
/* Writes what the units have under way. */
void sgt_chip_front_dump(const struct sgt_chip_front *f, struct sgt_dump *d);
/* Returns true if all work has ended and no channel has a message. Otherwise, returns false and
 * writes a message.
 */
bool sgt_chip_front_check_end(const struct sgt_chip_front *f, char *error, size_t error_size);
/* Adds the statistics after a run of `cycles` of the clock. The units must outlive the statistics.
 */
void sgt_chip_front_register(struct sgt_chip_front *f, uint64_t cycles, struct sgt_stats *stats);

#endif
