/* SPDX-License-Identifier: MIT */
/*
 * Records that a worker collects while it runs a batch or a tile list. The dispatch unit then
 * passes the records to the observer.
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

   uint32_t prims; /* number of primitives that the batch has produced so far */
   bool rejected;  /* set if zcull rejected the blocks that are currently rasterized */
   /* For each block of the tile, the index of the latest VALUES record plus 1, or 0 if the block
    * has no such record.
    */
   uint64_t values[SGD_TILE_BLOCKS];
};

/* Allocates the object in which a worker collects records. Returns NULL on allocation failure. */
struct sgd_observation *sgd_observation_create(enum sgpu_observe classes);
void sgd_observation_destroy(struct sgd_observation *o);
/* Discards all records. Must be called before each batch or tile list. */
void sgd_observation_reset(struct sgd_observation *o);

/* Records a primitive that setup has produced, and sets prim->number. */
void sgd_observation_primitive(struct sgd_observation *o, struct sgd_prim *prim, uint32_t layer);

/* Returns the index, inside the tile, of the 8x4 pixel block that contains pixel (x, y). */
static inline unsigned
sgd_observation_block(unsigned x, unsigned y)
{
   return y % SGD_TILE / 4 * (SGD_TILE / 8) + x % SGD_TILE / 8;
}

#endif
