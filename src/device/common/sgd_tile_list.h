/* SPDX-License-Identifier: MIT */
/*
 * Tile lists pass the primitives of a batch from the front end to the raster engines. There is one
 * list per tile that the batch touches. Each list has its primitives in program order.
 */
#ifndef SGD_TILE_LIST_H
#define SGD_TILE_LIST_H

#include <stdint.h>

struct sgd_prim;

struct sgd_prim_chunk {
   struct sgd_prim_chunk *next;
   uint16_t count, capacity; /* number of primitives; maximum number of primitives */
   const struct sgd_prim *prim[];
};

struct sgd_tile_list {
   struct sgd_tile_list *next; /* next list of the batch, ordered by first primitive */
   /* list of the same tile in another layer; only used for binning */
   struct sgd_tile_list *next_layer;
   uint16_t tx, ty; /* coordinates of the tile in units of tiles */
   uint16_t layer;
   uint32_t count; /* number of primitives in the list */
   struct sgd_prim_chunk *first, *last;
};

#endif
