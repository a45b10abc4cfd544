/* SPDX-License-Identifier: MIT */
/*
 * Viewport, clip and setup (Lindholm et al. 2008, "Rasterization"): primitives of outputs, in
 * order, to coarse raster.  The trace has those that are left after clipping and culling; those
 * that were dropped take no time.
 */
#ifndef SGT_SETUP_H
#define SGT_SETUP_H

#include "kernel/sgt_channel.h"
#include "chip_front/sgt_front_ports.h"
#include "params/sgt_raster_params.h"
#include "stats/sgt_setup_counters.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_setup_state {
   SGT_SETUP_BUSY, /* at least one primitive, or the end of an operation, goes on */
   SGT_SETUP_FULL, /* coarse raster has no place */
   SGT_SETUP_EMPTY,
   SGT_SETUP_STATES,
};

struct sgt_setup {
   struct sgt_unit unit;
   uint32_t rate;
   const struct sgt_plan *plan;
   struct sgt_channel *work;  /* from the distributor */
   struct sgt_channel *items; /* to coarse raster */
   uint32_t done;             /* primitives of the present output that have gone on */
   struct sgt_unit_states states;
   struct sgt_setup_counters counters;
};

/* Adds the unit to the scheduler; the channels are set before its first call.  False: no
 * memory.
 */
bool sgt_setup_init(struct sgt_setup *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_setup_dump(const struct sgt_setup *s, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_setup_register(struct sgt_setup *s, uint64_t cycles, struct sgt_stats *stats);

#endif
