/* SPDX-License-Identifier: MIT */
/*
 * Zcull (Lindholm et al. 2008, "Rasterization"): culls blocks of tiles that are known to be hidden,
 * at one tile of 256 pixels per cycle. The unit culls the blocks that the trace records as culled
 * by the functional device. Delayed updates of the depth bounds are therefore not modeled.
 */
#ifndef SGT_ZCULL_H
#define SGT_ZCULL_H

#include "kernel/sgt_channel.h"
#include "chip_front/sgt_front_ports.h"
#include "params/sgt_raster_params.h"
#include "chip_front/sgt_unit_states.h"
#include "stats/sgt_zcull_counters.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_zcull_state {
   SGT_ZCULL_PASSED,  /* forwards a tile, or some blocks of a tile */
   SGT_ZCULL_DROPPED, /* culls all blocks of the tiles that it processes in this cycle */
   SGT_ZCULL_FULL,    /* the channel to fine raster has no room */
   SGT_ZCULL_EMPTY,   /* no tiles are available */
   SGT_ZCULL_STATES,
};

struct sgt_zcull {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of tiles per cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *tiles; /* channel from coarse raster, for struct sgt_raster_tile */
   struct sgt_channel *left;  /* channel to fine raster, for struct sgt_raster_tile */
   struct sgt_unit_states states;
   struct sgt_zcull_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The caller must set the channels before the
 * simulation starts. Returns false on allocation failure.
 */
bool sgt_zcull_init(struct sgt_zcull *z, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Dumps the state of zcull and the tiles in its channel. */
void sgt_zcull_dump(const struct sgt_zcull *z, struct sgt_dump *d);
/* Registers the statistics of a simulation that took `cycles` cycles of the unit's clock. The unit
 * must outlive the statistics.
 */
void sgt_zcull_register(struct sgt_zcull *z, uint64_t cycles, struct sgt_stats *stats);

#endif
