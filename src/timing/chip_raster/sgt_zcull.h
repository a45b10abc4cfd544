/* SPDX-License-Identifier: MIT */
/*
 * Zcull (Lindholm et al. 2008, "Rasterization"): drops blocks of tiles that are known to be
 * hidden, a tile of 256 pixels a cycle.  Which ones the trace says: those that the functional
 * device dropped.  So a late update of the depths that zcull keeps is not modelled.
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
   SGT_ZCULL_PASSED,  /* at least one tile goes on, whole or in part */
   SGT_ZCULL_DROPPED, /* tiles, all of which are dropped */
   SGT_ZCULL_FULL,    /* fine raster has no place */
   SGT_ZCULL_EMPTY,
   SGT_ZCULL_STATES,
};

struct sgt_zcull {
   struct sgt_unit unit;
   uint32_t rate;
   const struct sgt_plan *plan;
   struct sgt_channel *tiles; /* from coarse raster */
   struct sgt_channel *left;  /* to fine raster */
   struct sgt_unit_states states;
   struct sgt_zcull_counters counters;
};

/* Adds the unit to the scheduler; the channels are set before its first call.  False: no
 * memory.
 */
bool sgt_zcull_init(struct sgt_zcull *z, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_zcull_dump(const struct sgt_zcull *z, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_zcull_register(struct sgt_zcull *z, uint64_t cycles, struct sgt_stats *stats);

#endif
