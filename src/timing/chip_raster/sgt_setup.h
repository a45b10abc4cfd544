/* SPDX-License-Identifier: MIT */
/*
 * Viewport, clip and setup (Lindholm et al. 2008, "Rasterization"). The unit passes the primitives
 * of vertex outputs (struct sgt_plan_output) to coarse raster in order. The trace only contains
 * primitives that are left after clipping and culling, which means that culled primitives take no
 * time.
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
   SGT_SETUP_BUSY,  /* sends a primitive or the end of an operation */
   SGT_SETUP_FULL,  /* the channel to coarse raster has no room */
   SGT_SETUP_EMPTY, /* no primitives are available */
   SGT_SETUP_STATES,
};

struct sgt_setup {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of primitives per cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *work;  /* channel from the distributor, for struct sgt_setup_work */
   struct sgt_channel *items; /* channel to coarse raster, for struct sgt_raster_item */
   uint32_t done;             /* number of primitives of the current output that have been sent */
   struct sgt_unit_states states;
   struct sgt_setup_counters counters;
};

/* Initializes the unit and adds it to the scheduler. The caller must set the channels before the
 * simulation starts. Returns false on allocation failure.
 */
bool sgt_setup_init(struct sgt_setup *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                    const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Dumps the state of setup and the number of primitives that it has sent for the current output. */
void sgt_setup_dump(const struct sgt_setup *s, struct sgt_dump *d);
/* Registers the statistics of a simulation that took `cycles` cycles of the unit's clock. The unit
 * must outlive the statistics.
 */
void sgt_setup_register(struct sgt_setup *s, uint64_t cycles, struct sgt_stats *stats);

#endif
