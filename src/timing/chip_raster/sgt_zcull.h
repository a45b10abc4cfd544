/* SPDX-License-Identifier: MIT */
/*
 * Zcull (Lindholm et al. 2008, "Rasterization"): drops blocks of tiles that are known to be hidden,
 * for one tile of 256 pixels a cycle. The unit drops the blocks that the functional device has
 * dropped, as recorded in the trace. So delayed updates of zcull's depth bounds are not modelled.
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
   SGT_ZCULL_PASSED,  /* passes on at least one tile, complete or in part */
   SGT_ZCULL_DROPPED, /* drops all tiles of this cycle */
   SGT_ZCULL_FULL,    /* the channel to fine raster has no place */
   SGT_ZCULL_EMPTY,   /* there are no tiles */
   SGT_ZCULL_STATES,
};

struct sgt_zcull {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of tiles a cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *tiles; /* channel from coarse raster: struct sgt_raster_tile */
   struct sgt_channel *left;  /* channel to fine raster: struct sgt_raster_tile */
   struct sgt_unit_states states;
   struct sgt_zcull_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The channels must be set before its first
 * call. Returns false if out of memory.
 */
bool sgt_zcull_init(struct sgt_zcull *z, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_zcull_dump(const struct sgt_zcull *z, struct sgt_dump *d);
/* Registers the statistics after a run of `cycles` of the unit's clock. The unit must stay valid as
 * long as the statistics are used.
 */
void sgt_zcull_register(struct sgt_zcull *z, uint64_t cycles, struct sgt_stats *stats);

#endif
