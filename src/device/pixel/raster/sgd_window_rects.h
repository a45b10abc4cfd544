/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: window rectangles, which drop the fragments of draws inside or outside of a set of
 * rectangles (EXT_window_rectangles).
 *
 * For each tile list, the rectangles become lane masks of the tile's 8x4 blocks. Most tiles are
 * completely inside or outside, and don't need the masks.
 */
#ifndef SGD_WINDOW_RECTS_H
#define SGD_WINDOW_RECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_arch.h"
#include "common/sgd_lanes.h"

/* Sets r->cut and r->inside for the tile. If masks are needed, removes the paths that draw blocks
 * without their masks. Returns false if all pixels of the tile are dropped.
 */
bool sgd_window_rects_begin(struct sgd_raster *r);

/* Returns the lanes of an 8x4 block that the window rectangles keep. x, y are absolute pixel
 * coordinates. Must only be called if r->cut is set.
 */
static inline uint32_t
sgd_window_rects_lanes(const struct sgd_raster *r, int x, int y)
{
   return r->inside[(unsigned)(y - r->y) / SGD_BLOCK_H][(unsigned)(x - r->x) / SGD_BLOCK_W];
}

#endif
