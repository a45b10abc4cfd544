/* SPDX-License-Identifier: MIT */
/*
 * Tile lists carry the primitives of a batch from the front end to the raster engines.
 * There is one for each tile that the batch touches, in primitive order.
 */
#ifndef SGD_TILE_LIST_H
#define SGD_TILE_LIST_H

#include <stdint.h>

struct sgd_prim;

struct sgd_prim_chunk {
   struct sgd_prim_chunk *next;
   uint16_t count, capacity; /* number of primitives, and maximum number */
   const struct sgd_prim *prim[];
};

struct sgd_tile_list {
   struct sgd_tile_list *next; /* next list of the batch, in the order of the first primitive */
   struct sgd_tile_list *next_layer; /* list of the same tile in another layer; for binning only */
   uint16_t tx, ty;                  /* coordinates of the tile, in tiles */
   uint16_t layer;
   uint32_t count; /* number of primitives */
   struct sgd_prim_chunk *first, *last;
};

#endif
