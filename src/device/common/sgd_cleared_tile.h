/* SPDX-License-Identifier: MIT */
/*
 * A tile whose clear value has not been stored to memory yet after a fast clear. Draws store the
 * elements block by block: the raster engine before its first access to a block, and the copy
 * engine for the remaining blocks.
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
   uint32_t x, y, layer; /* coordinates of the tile's first pixel, and layer */
   uint8_t pattern[32];  /* clear value, repeated for consecutive elements */
};

#endif
