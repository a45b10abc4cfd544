/* SPDX-License-Identifier: MIT */
/*
 * A tile that is still cleared by a fast clear. Draws store its elements block by block:
 * the raster engine before the first access to a block, the copy engine for the remaining
 * blocks.
 */
#ifndef SGD_CLEARED_TILE_H
#define SGD_CLEARED_TILE_H

#include <stdint.h>

struct sgd_surface;
struct sgd_tile_meta;

/* sgd_cleared_tile_begin() fills this in (xfer/sgd_tile_expand.h). */
struct sgd_cleared_tile {
   const struct sgd_surface *surface;
   struct sgd_tile_meta *meta;
   uint32_t x, y, layer; /* first pixel and layer of the tile */
   uint8_t pattern[32];  /* copies of the clear value, as elements */
};

#endif
