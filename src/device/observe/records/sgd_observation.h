/* SPDX-License-Identifier: MIT */
/*
 * Observation: the records that a worker makes in a batch or a tile list, until dispatch hands them
 * to the observer.
 */
#ifndef SGD_OBSERVATION_H
#define SGD_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/records/sgd_records.h"
#include "common/sgd_state.h"

struct sgd_prim;

#define SGD_TILE_BLOCKS (SGD_TILE / 8 * SGD_TILE / 4) /* blocks of 8x4 pixels in a tile */

struct sgd_observation {
   enum sgpu_observe classes;
   struct sgd_records records;

   uint32_t prims; /* number of primitives of the batch */
   bool rejected;  /* zcull has dropped the blocks that are being rasterized */
   /* index of the latest VALUES record of each block in the tile, plus 1, or 0 */
   uint64_t values[SGD_TILE_BLOCKS];
};

/* Returns NULL if out of memory. */
struct sgd_observation *sgd_observation_create(enum sgpu_observe classes);
void sgd_observation_destroy(struct sgd_observation *o);
/* Must be called before a batch or a tile list. */
void sgd_observation_reset(struct sgd_observation *o);

/* Records a primitive after setup, and numbers it in its batch. */
void sgd_observation_primitive(struct sgd_observation *o, struct sgd_prim *prim, uint32_t layer);

/* Returns the number of the block of 8x4 pixels that contains pixel (x, y), in its tile. */
static inline unsigned
sgd_observation_block(unsigned x, unsigned y)
{
   return y % SGD_TILE / 4 * (SGD_TILE / 8) + x % SGD_TILE / 8;
}

#endif
