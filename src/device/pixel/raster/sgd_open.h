/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: preparation for the first access to a tile's targets, and to a block of
 * 16x16 pixels whose elements a fast clear may not have stored.
 */
#ifndef SGD_OPEN_H
#define SGD_OPEN_H

#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"

/* Prepares the targets of the tile: sets r->targets.open and the members that depend on it. */
void sgd_open_targets(struct sgd_raster *r);
/* Prepares the targets of the tile if that has not been done, and stores the elements of
 * a fast clear in block k (see sgd_meta_block()).
 */
void sgd_open_store(struct sgd_raster *r, unsigned k);
/* Version of sgd_open_store() for a primitive that covers all of the block. It does not
 * store the elements that the primitive replaces: those of colour targets if fragments
 * are shaded now, and depths if `depth` is set. Returns the colour targets that it has
 * not stored, as a mask of r->targets.cleared[].
 */
uint32_t sgd_open_replace(struct sgd_raster *r, unsigned k, bool depth);
/* Stores the elements of a fast clear in `lanes` of the 8x4 block at absolute coordinates
 * x, y. `replaced` are the targets that sgd_open_replace() has returned.
 */
void sgd_open_restore(const struct sgd_raster *r, uint32_t replaced, uint32_t x, uint32_t y,
                      uint32_t lanes);

/* Must be called before the first access to elements of the 8x4 block at absolute x, y. */
static ALWAYS_INLINE void
sgd_open_block(struct sgd_raster *r, unsigned x, unsigned y)
{
   const unsigned k = sgd_meta_block(x, y);

   if (unlikely(r->targets.unstored >> k & 1))
      sgd_open_store(r, k);
   if (r->zcull.update)
      sgd_zcull_note(r, k);
}

#endif
