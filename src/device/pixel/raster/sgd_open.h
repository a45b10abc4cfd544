/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: prepares a tile's render targets before their first access. Also writes the clear
 * values of 16x16 blocks to memory if a fast clear hasn't done so yet.
 */
#ifndef SGD_OPEN_H
#define SGD_OPEN_H

#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"

/* Prepares the tile's render targets: sets r->targets.open and the members that depend on it. */
void sgd_open_targets(struct sgd_raster *r);
/* Prepares the tile's render targets if necessary, and writes the clear values of block k (see
 * sgd_meta_block()) to memory.
 */
void sgd_open_store(struct sgd_raster *r, unsigned k);
/* Version of sgd_open_store() for a primitive that covers the whole block. Skips elements that the
 * primitive overwrites anyway: colours if fragments are shaded immediately, and depths if `depth`
 * is set. Returns a mask of the elements of r->targets.cleared[] that were skipped as colour
 * targets.
 */
uint32_t sgd_open_replace(struct sgd_raster *r, unsigned k, bool depth);
/* Writes the clear values for `lanes` of the 8x4 block at absolute pixel coordinates x, y.
 * `replaced` is the mask that sgd_open_replace() has returned.
 */
void sgd_open_restore(const struct sgd_raster *r, uint32_t replaced, uint32_t x, uint32_t y,
                      uint32_t lanes);

/* Must be called before the first access to the 8x4 block at absolute pixel coordinates x, y. */
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
