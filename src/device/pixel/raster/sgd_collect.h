/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: covered blocks on their way to the pixel programs.
 *
 *    descent --> [collector 0] --> depth and stencil --> [collector 1] --> program --> ROP
 *                                     (early)                          (late depth)
 *
 * A block of 8x4 pixels in which most quads have coverage is not split on this path, and its
 * lanes are contiguous in the memory of every surface. Other quads, of any primitives, are
 * collected into groups of eight in primitive order. A block may overtake the quads in a
 * collector only if it has no pixel in common with them, so the order of primitives is kept
 * for each pixel.
 */
#ifndef SGD_COLLECT_H
#define SGD_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_arch.h"
#include "common/sgd_observe.h"

struct sgd_prim;

/* Returns true if sgd_raster_quads() may be called (path `window`). */
static inline bool
sgd_collects_quads(const struct sgd_raster *r)
{
   if (SGD_OBSERVED_LEVEL)
      return false;
   return sgd_raster_has(r, SGPU_PATH_WINDOW);
}

/* Covered lanes of the aligned block at absolute coordinates x, y. */
struct sgd_cover {
   uint32_t mask;
   uint16_t x, y;
};

/* Draws blocks of a primitive in the order of the array. Masks must not be 0. */
void sgd_raster_blocks(struct sgd_raster *r, const struct sgd_prim *prim,
                       const struct sgd_cover *cover, unsigned n);
/* Draws covered lanes of the 8x4 pixels at absolute coordinates x, y. The coordinates
 * must be even, and the pixels must be in the tile. Returns false and draws nothing if
 * sgd_raster_blocks() may keep the quads together because of their number. Must not be
 * called if blocks are observed, if there are several samples, or if programs can detect
 * the order of quads or which quads share a warp (see sgd_collects_quads()).
 */
bool sgd_raster_quads(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x, unsigned y,
                      uint32_t mask);
/* Draws one block. */
void sgd_raster_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                      uint32_t mask);
/* Draws one block with separate lanes for each of the r->pixel.mode.samples samples. The lanes of
 * samples outside r->pixel.mode.sample_mask must be 0.
 */
void sgd_raster_samples(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        const uint32_t *cover);
/* Draws all pixels of the aligned block at absolute coordinates x, y. The caller has done
 * the early tests of the state, if any. Must not be called for several samples, for
 * smooth primitives or if blocks are observed.
 */
void sgd_raster_passed(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y);
/* Shades the lanes that the visibility buffer has left of a block, or of a quad, at
 * absolute coordinates x, y.
 */
void sgd_raster_visible(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        uint32_t lanes, bool block);
/* Passes on all quads that are in the collectors. */
void sgd_raster_flush(struct sgd_raster *r);

#endif
