/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: prepares a tile's render targets before their first access. If a fast clear is
 * recorded only in the tile's metadata, the clear values of a 16x16 block are written to memory
 * before the block is drawn.
 */
#ifndef SGD_OPEN_H
#define SGD_OPEN_H

#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"

/* Prepares the tile's render targets for drawing, and initializes r->targets. */
void sgd_open_targets(struct sgd_raster *r);
/* Writes the clear values of block k (see sgd_meta_block()) to memory. Prepares the tile's render
 * targets first if that hasn't been done yet.
 */
void sgd_open_store(struct sgd_raster *r, unsigned k);
/* Like sgd_open_store(), for a primitive that covers the whole block. Skips clear values that the
 * primitive overwrites anyway: colours if fragments are shaded immediately, and depths if `depth`
 * is set. Returns a mask of the skipped colour targets, as indices of r->targets.cleared[].
 */
uint32_t sgd_open_replace(struct sgd_raster *r, unsigned k, bool depth);
/* Writes the clear values that sgd_open_replace() skipped, for the lanes in `lanes` of the 8x4
 * block at absolute pixel coordinates x, y. `replaced` is the return value of sgd_open_replace().
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
   if (unlikely(r->stencil.active))
      r->stencil.uniform &= ~(1u << k);
}

#endif
