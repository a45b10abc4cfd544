/* SPDX-License-Identifier: MIT */
/*
 * The records about a batch or a tile list that a worker collects for the observer, until the
 * dispatch unit passes them to the observer.
 */
#ifndef SGD_OBSERVATION_H
#define SGD_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/records/sgd_records.h"
#include "common/sgd_state.h"

struct sgd_prim;

#define SGD_TILE_BLOCKS (SGD_TILE / 8 * SGD_TILE / 4) /* number of 8x4 pixel blocks per tile */

struct sgd_observation {
   enum sgpu_observe classes;
   struct sgd_records records;

   uint32_t prims; /* number of primitives in the batch so far */
   bool rejected;  /* zcull has rejected the blocks that are being rasterized */
   /* index of the latest VALUES record of each block of the tile, plus 1; 0 if there is none */
   uint64_t values[SGD_TILE_BLOCKS];
};

/* Allocates the records of a worker. Returns NULL on allocation failure. */
struct sgd_observation *sgd_observation_create(enum sgpu_observe classes);
void sgd_observation_destroy(struct sgd_observation *o);
/* Discards all records. Must be called before each batch or tile list. */
void sgd_observation_reset(struct sgd_observation *o);

/* Records a primitive after setup, and assigns its index in the batch. */
void sgd_observation_primitive(struct sgd_observation *o, struct sgd_prim *prim, uint32_t layer);

/* Returns the index of the 8x4 pixel block that contains pixel (x, y), in its tile. */
static inline unsigned
sgd_observation_block(unsigned x, unsigned y)
{
   return y % SGD_TILE / 4 * (SGD_TILE / 8) + x % SGD_TILE / 8;
}

#endif
