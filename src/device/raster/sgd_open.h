/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: what comes before the first access to the targets of a tile, and to a block
 * of 16x16 pixels, whose elements a fast clear may have left out.
 */
#ifndef SGD_OPEN_H
#define SGD_OPEN_H

#include <stdint.h>

#include "raster/sgd_raster.h"
#include "raster/sgd_zcull.h"
#include "sgd_tile_meta.h"
#include "util/macros.h"

/* Looks at the targets of the tile: r->open and what depends on it. */
void sgd_open_targets(struct sgd_raster *r);
/* The same if that is not done, and stores the elements of a fast clear in the block k
 * (sgd_meta_block).
 */
void sgd_open_store(struct sgd_raster *r, unsigned k);
/* The same where a primitive covers all of the block, but for targets whose elements it
 * replaces: those of colour, if its fragments are shaded now, and of depth if `depth`.
 * Returns the former, bits of r->cleared.
 */
uint32_t sgd_open_replace(struct sgd_raster *r, unsigned k, bool depth);
/* Stores the elements of a fast clear in `lanes` of the 8x4 block at absolute x, y of the targets
 * that sgd_open_replace has returned.
 */
void sgd_open_restore(const struct sgd_raster *r, uint32_t replaced, uint32_t x, uint32_t y,
                      uint32_t lanes);

/* Before the first access to elements of the 8x4 block of absolute x, y. */
static ALWAYS_INLINE void
sgd_open_block(struct sgd_raster *r, unsigned x, unsigned y)
{
   const unsigned k = sgd_meta_block(x, y);

   if (unlikely(r->unstored >> k & 1))
      sgd_open_store(r, k);
   if (r->zcull.update)
      sgd_zcull_note(r, k);
}

#endif
