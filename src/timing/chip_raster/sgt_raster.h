/* SPDX-License-Identifier: MIT */
/*
 * Coarse and fine raster (Lindholm et al. 2008, "Rasterization").
 *
 * Coarse raster cuts a primitive into tiles of 16x16 pixels, row by row; a tile that it covers
 * nothing of takes no time.  A primitive without coverage takes the place of a tile.  Fine
 * raster makes the blocks of 8x4 pixels that zcull left of a tile.
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
   SGT_RASTER_BUSY,
   SGT_RASTER_FULL, /* the next unit has no place */
   SGT_RASTER_EMPTY,
   SGT_RASTER_STATES,
};

#define SGT_TILE_ROWS 4 /* rows of blocks of a tile */

/* Coarse raster. */
struct sgt_coarse {
   struct sgt_unit unit;
   uint32_t rate;
   const struct sgt_plan *plan;
   struct sgt_channel *items; /* from setup */
   struct sgt_channel *tiles; /* to zcull */
   /* The blocks of a primitive lie row by row: the present row of tiles has the rows of
    * blocks from `at` to `end`.
    */
   bool walking;
   uint32_t at[SGT_TILE_ROWS], end[SGT_TILE_ROWS];
   uint32_t next_row; /* the first block behind the present row of tiles */
   uint32_t tiles_of_item;
   struct sgt_unit_states states;
   struct sgt_coarse_counters counters;
};

/* Fine raster. */
struct sgt_fine {
   struct sgt_unit unit;
   uint32_t rate;
   const struct sgt_plan *plan;
   struct sgt_channel *tiles;  /* from zcull */
   struct sgt_channel *blocks; /* to the early tests */
   uint32_t done;              /* blocks of the present tile that have gone on */
   struct sgt_unit_states states;
   struct sgt_fine_counters counters;
};

/* Add a unit to the scheduler; the channels are set before its first call.  False: no memory. */
bool sgt_coarse_init(struct sgt_coarse *c, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_coarse_dump(const struct sgt_coarse *c, struct sgt_dump *d);
bool sgt_fine_init(struct sgt_fine *f, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Writes what the unit has under way. */
void sgt_fine_dump(const struct sgt_fine *f, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_coarse_register(struct sgt_coarse *c, uint64_t cycles, struct sgt_stats *stats);
void sgt_fine_register(struct sgt_fine *f, uint64_t cycles, struct sgt_stats *stats);

extern const char *const sgt_raster_states[SGT_RASTER_STATES];

#endif
