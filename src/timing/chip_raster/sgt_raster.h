/* SPDX-License-Identifier: MIT */
/*
 * Coarse and fine raster (Lindholm et al. 2008, "Rasterization").
 *
 * Coarse raster walks the 16x16-pixel tiles of a primitive, row by row. Tiles without covered
 * pixels take no time. A primitive without covered pixels takes as long as one tile. Fine raster
 * generates the 8x4-pixel blocks of a tile that zcull has not culled.
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
   SGT_RASTER_BUSY,  /* generates at least one tile or block */
   SGT_RASTER_FULL,  /* the channel to the next unit has no room */
   SGT_RASTER_EMPTY, /* no input is available */
   SGT_RASTER_STATES,
};

#define SGT_TILE_ROWS 4 /* number of rows of blocks in a tile */

/* The coarse raster unit. */
struct sgt_coarse {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of tiles per cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *items; /* channel from setup, for struct sgt_raster_item */
   struct sgt_channel *tiles; /* channel to zcull, for struct sgt_raster_tile */
   /* true if the unit has started to walk the first primitive in `items` */
   bool walking;
   /* The blocks of a primitive are stored row by row. For each row of blocks in the current row of
    * tiles, the blocks from at[] to end[] - 1 have not been added to a tile yet.
    */
   uint32_t at[SGT_TILE_ROWS], end[SGT_TILE_ROWS];
   uint32_t next_row;      /* index of the first block after the current row of tiles */
   uint32_t tiles_of_item; /* number of tiles that have been generated for the primitive so far */
   struct sgt_unit_states states;
   struct sgt_coarse_counters counters;
};

/* The fine raster unit. */
struct sgt_fine {
   struct sgt_unit unit;
   uint32_t rate; /* maximum number of blocks per cycle */
   const struct sgt_plan *plan;
   struct sgt_channel *tiles;  /* channel from zcull, for struct sgt_raster_tile */
   struct sgt_channel *blocks; /* channel to the early tests, for struct sgt_raster_block */
   uint32_t done;              /* number of blocks of the current tile that have been sent */
   struct sgt_unit_states states;
   struct sgt_fine_counters counters;
};

/* The following functions initialize a unit and add it to the scheduler. The caller must set the
 * channels before the simulation starts. Both functions return false on allocation failure.
 */
bool sgt_coarse_init(struct sgt_coarse *c, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Dumps the state of coarse raster and its progress in the current primitive. */
void sgt_coarse_dump(const struct sgt_coarse *c, struct sgt_dump *d);
bool sgt_fine_init(struct sgt_fine *f, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_raster_params *params, const struct sgt_plan *plan);
/* Dumps the state of fine raster and its progress in the current tile. */
void sgt_fine_dump(const struct sgt_fine *f, struct sgt_dump *d);
/* The following functions register the statistics of a simulation that took `cycles` cycles of the
 * unit's clock. The unit must outlive the statistics.
 */
void sgt_coarse_register(struct sgt_coarse *c, uint64_t cycles, struct sgt_stats *stats);
void sgt_fine_register(struct sgt_fine *f, uint64_t cycles, struct sgt_stats *stats);

extern const char *const sgt_raster_states[SGT_RASTER_STATES];

#endif
