/* SPDX-License-Identifier: MIT */
/*
 * A tile that a fast clear has left, as draws store its elements block by block: the raster
 * engine before a block's first access, the copy engine for what is left.
 */
#ifndef SGD_CLEARED_TILE_H
#define SGD_CLEARED_TILE_H

#include <stdint.h>

struct sgd_surface;
struct sgd_tile_meta;

/* Filled by sgd_cleared_tile_begin (xfer/sgd_tile_expand.h). */
struct sgd_cleared_tile {
   const struct sgd_surface *surface;
   struct sgd_tile_meta *meta;
   uint32_t x, y, layer; /* the tile's first pixel */
   uint8_t pattern[32];  /* elements */
};

#endif
