/* SPDX-License-Identifier: MIT */
/*
 * Coarse and fine raster (Lindholm et al. 2008, "Rasterization").
 *
 * Coarse raster divides a primitive into tiles of 16x16 pixels, row by row. Tiles without covered
 * pixels take no time. A primitive without covered pixels takes as much time as one tile. Fine
 * raster makes those blocks of 8x4 pixels of a tile that zcull has not dropped.
 */
#ifndef SGT_RASTER_H
#define SGT_RASTER_H

#include "kernel/sgt_channel.h"
#include "stats/sgt_coarse_counters.h"
#include "stats/sgt_fine_counters.h"
#include "chip_front/sgt_front_ports.h"
#include "params/sgt_raster_params.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_raster_state {
   SGT_RASTER_BUSY,  /* makes at least one tile or block */
   SGT_RASTER_FULL,  /* the channel to the next unit has no place */
   SGT_RASTER_EMPTY, /* there is no work */
   SGT_RASTER_STATES,
};

#define SGT_TILE_ROWS 4 /* number of rows of blocks in a tile */

/* The unit of coarse raster. */
struct sgt_coarse {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of tiles a cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *items; /* channel from setup: struct sgt_raster_item */
   struct sgt_channel *tiles; /* channel to zcull: struct sgt_raster_tile */
   bool walking;              /* the first primitive in `items` has begun */
   /* The blocks of a primitive are stored row by row. For each row of blocks of the current row of
    * tiles, the range of blocks that have no tile yet.
    */
   uint32_t at[SGT_TILE_ROWS], end[SGT_TILE_ROWS];
   uint32_t next_row;      /* first block after the current row of tiles */
   uint32_t tiles_of_item; /* number of tiles of the primitive so far */
   struct sgt_unit_states states;
   struct sgt_coarse_counters counters;
};

/* The unit of fine raster. */
struct sgt_fine {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of blocks a cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *tiles;  /* channel from zcull: struct sgt_raster_tile */
   struct sgt_channel *blocks; /* channel to the early tests: struct sgt_raster_block */
   uint32_t done;              /* number of blocks of the current tile that were sent */
   struct sgt_unit_states states;
   struct sgt_fine_counters counters;
};

/* Initialize a unit and add it to the scheduler. The channels must be set before its first call.
 * Returns false if out of memory.
 */
bool sgt_coarse_init(struct sgt_coarse *c, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_coarse_dump(const struct sgt_coarse *c, struct sgt_dump *d);
bool sgt_fine_init(struct sgt_fine *f, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_fine_dump(const struct sgt_fine *f, struct sgt_dump *d);
/* Register the statistics after a run of `cycles` of the unit's clock. The unit must stay valid as
 * long as the statistics are used.
 */
void sgt_coarse_register(struct sgt_coarse *c, uint64_t cycles, struct sgt_stats *stats);
void sgt_fine_register(struct sgt_fine *f, uint64_t cycles, struct sgt_stats *stats);

extern const char *const sgt_raster_states[SGT_RASTER_STATES];

#endif
