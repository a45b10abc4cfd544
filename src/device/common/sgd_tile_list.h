/* SPDX-License-Identifier: MIT */
/*
 * Tile lists pass the primitives of a batch from the front end to the raster engines. A batch has
 * one list for each tile that it touches, with the primitives in program order.
 */
#ifndef SGD_TILE_LIST_H
#define SGD_TILE_LIST_H

#include <stdint.h>

struct sgd_prim;

struct sgd_prim_chunk {
   struct sgd_prim_chunk *next;
   uint16_t count, capacity; /* count: number of primitives; capacity: size of prim[] */
   const struct sgd_prim *prim[];
};

struct sgd_tile_list {
   /* next list of the batch; lists are sorted by their first primitives */
   struct sgd_tile_list *next;
   /* list of the same tile in another layer, or NULL; only used during binning */
   struct sgd_tile_list *next_layer;
   uint16_t tx, ty; /* coordinates of the tile in units of tiles */
   uint16_t layer;
   uint32_t count; /* number of primitives in the list */
   struct sgd_prim_chunk *first, *last;
};

#endif
