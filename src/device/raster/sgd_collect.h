/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: covered blocks on their way to the pixel programs.
 *
 *    descent --> [collector 0] --> depth and stencil --> [collector 1] --> program --> ROP
 *                                     (early)                          (late depth)
 *
 * A block of 8x4 pixels in which most quads have coverage stays together on
 * this way, and its lanes are one run of memory in every surface.  Other quads,
 * of any primitives, are collected to groups of eight in primitive order.  A
 * block may overtake the quads in a collector only if it has no pixel in common
 * with them: per pixel, the order of primitives is kept.
 */
#ifndef SGD_COLLECT_H
#define SGD_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/sgd_raster.h"
#include "sgd_arch.h"
#include "sgd_observe.h"

struct sgd_prim;

static inline bool
sgd_collects_quads(const struct sgd_raster *r)
{
   SGD_OBSERVE(return false;)
   return r->windows;
}

/* Covered lanes of the aligned block at absolute x, y. */
struct sgd_cover {
   uint32_t mask;
   uint16_t x, y;
};

/* Blocks of a primitive, in the order in which they are drawn; masks are not 0. */
void sgd_raster_blocks(struct sgd_raster *r, const struct sgd_prim *prim,
                       const struct sgd_cover *cover, unsigned n);
/* Covered lanes of the 8x4 pixels at absolute x, y, which are those of a quad, in the tile.
 * False, and nothing is drawn, where they have so many quads that sgd_raster_blocks may keep
 * them together.  Not where blocks are observed, for several samples, or where programs can tell
 * the order of quads or which of them share a warp (sgd_collects_quads).
 */
bool sgd_raster_quads(struct sgd_raster *r, const struct sgd_prim *prim, unsigned x, unsigned y,
                      uint32_t mask);
/* One block. */
void sgd_raster_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                      uint32_t mask);
/* The same with the lanes of each of the r->samples samples; lanes of samples outside
 * of r->sample_mask are 0.
 */
void sgd_raster_samples(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        const uint32_t *cover);
/* All pixels of the aligned block at absolute x, y, which have passed the early tests if the
 * state has any.  One sample, not smooth, and not where blocks are observed.
 */
void sgd_raster_passed(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y);
/* Shades lanes that the visibility buffer has left of a block, or of a quad, at absolute
 * x, y.
 */
void sgd_raster_visible(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        uint32_t lanes, bool block);
/* Sends on the quads in the collectors. */
void sgd_raster_flush(struct sgd_raster *r);

#endif
