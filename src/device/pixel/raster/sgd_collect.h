/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: path of the covered blocks to the pixel program.
 *
 *    descent --> [collector 0] --> depth and stencil --> [collector 1] --> program --> ROP
 *                                     (early)                          (late depth)
 *
 * An 8x4 block with mostly covered quads stays whole on this path. Its lanes are contiguous in the
 * memory of every surface. The quads of all other blocks are collected into groups of eight, across
 * primitives and in primitive order. A block may overtake the quads in a collector only if it has
 * no pixel in common with them, which keeps the primitive order of each pixel.
 */
#ifndef SGD_COLLECT_H
#define SGD_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_arch.h"
#include "common/sgd_observe.h"

struct sgd_prim;

/* Returns true if sgd_raster_quads() may be called for the tile list, i.e. if the list uses
 * SGPU_PATH_WINDOW and the observer doesn't record blocks.
 */
static inline bool
sgd_collects_quads(const struct sgd_raster *r)
{
   if (SGD_OBSERVED_LEVEL)
      return false;
   return sgd_raster_has(r, SGPU_PATH_WINDOW);
}

/* Lane mask of the aligned 8x4 block at absolute pixel coordinates x, y. */
struct sgd_cover {
   uint32_t mask;
   uint16_t x, y;
};

/* Draws n blocks of a primitive, in the order of the array. Each lane mask must be nonzero. */
void sgd_raster_blocks(struct sgd_raster *r, const struct sgd_prim *prim,
                       const struct sgd_cover *cover, unsigned n);
/* Draws the lanes in `mask` of an 8x4 rectangle of pixels at absolute pixel coordinates x, y. The
 * coordinates must be even, and the rectangle must be inside the tile. Returns false without
 * drawing anything if enough quads are covered that sgd_raster_blocks() might process a block as a
 * whole. Must not be called if the observer records blocks, for multisampled targets, or if
 * programs can detect the order of quads or which quads share a warp (see sgd_collects_quads()).
 */
bool sgd_raster_quads(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x, unsigned y,
                      uint32_t mask);
/* Draws a single block. */
void sgd_raster_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                      uint32_t mask);
/* Draws a single block with one lane mask in `cover` for each of the r->pixel.mode.samples samples.
 * The masks of samples that aren't in r->pixel.mode.sample_mask must be 0.
 */
void sgd_raster_samples(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        const uint32_t *cover);
/* Draws all pixels of the aligned 8x4 block at absolute pixel coordinates x, y. The caller has
 * already done the early tests. Must not be called for multisampled targets, for smooth primitives,
 * or if the observer records blocks.
 */
void sgd_raster_passed(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y);
/* Shades the pixels of a record in the visibility buffer that are still visible. The record is an
 * 8x4 block if `block` is set, and otherwise a quad. x, y are absolute pixel coordinates.
 */
void sgd_raster_visible(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        uint32_t lanes, bool block);
/* Processes all quads that are left in the collectors. */
void sgd_raster_flush(struct sgd_raster *r);

#endif
