/* SPDX-License-Identifier: MIT */
/*
 * Viewport, clip and setup (Lindholm et al. 2008, "Rasterization"). The unit passes the primitives
 * of outputs (sgt_plan.h) to coarse raster in order. The trace has only the primitives that remain
 * after clipping and culling, so the others take no time.
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
   SGT_SETUP_BUSY,  /* passes on a primitive or the end of an operation */
   SGT_SETUP_FULL,  /* the channel to coarse raster has no place */
   SGT_SETUP_EMPTY, /* there is no work */
   SGT_SETUP_STATES,
};

struct sgt_setup {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of primitives a cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *work;  /* channel from the distributor: struct sgt_setup_work */
   struct sgt_channel *items; /* channel to coarse raster: struct sgt_raster_item */
   uint32_t done;             /* number of primitives of the current output that were sent */
   struct sgt_unit_states states;
   struct sgt_setup_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The channels must be set before its first
 * call. Returns false if out of memory.
 */
bool sgt_setup_init(struct sgt_setup *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_setup_dump(const struct sgt_setup *s, struct sgt_dump *d);
/* Registers the statistics after a run of `cycles` of the unit's clock. The unit must stay valid as
 * long as the statistics are used.
 */
void sgt_setup_register(struct sgt_setup *s, uint64_t cycles, struct sgt_stats *stats);

#endif
