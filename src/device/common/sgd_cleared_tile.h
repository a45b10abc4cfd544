/* SPDX-License-Identifier: MIT */
/*
 * A tile whose clear value has not been stored to memory yet after a fast clear. When a draw
 * touches such a tile, the raster engine stores the clear value to each block before its first
 * access to the block. The copy engine then stores it to the remaining blocks.
 */
#ifndef SGD_CLEARED_TILE_H
#define SGD_CLEARED_TILE_H

#include <stdint.h>

struct sgd_surface;
struct sgd_tile_meta;

/* Filled in by sgd_cleared_tile_begin() (xfer/sgd_tile_expand.h). */
struct sgd_cleared_tile {
   const struct sgd_surface *surface;
   struct sgd_tile_meta *meta;
   /* x, y: coordinates of the tile's first pixel; layer: layer in the surface */
   uint32_t x, y, layer;
   uint8_t pattern[32]; /* clear value of an element, repeated to fill the array */
};

#endif
