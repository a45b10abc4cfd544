/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: records the coverage of primitives for the observer. Compiled only for the
 * observed level (see sgd_observe.h).
 */
#ifndef SGD_RASTER_OBSERVE_H
#define SGD_RASTER_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_arch.h"

struct sgd_prim;

/* Records the coverage of a block. Returns true if zcull has rejected the block, in which case the
 * caller must not draw it.
 */
bool sgd_observe_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                       uint32_t mask, const struct sgd_samples *samples);

/* Disables zcull until sgd_observe_rejected_end(), so that the caller can rasterize a rejected
 * primitive or block again in order to record its blocks. Returns false if rejected blocks aren't
 * recorded.
 */
bool sgd_observe_rejected_begin(struct sgd_raster *r);
void sgd_observe_rejected_end(struct sgd_raster *r);

/* Draws the 16x16 block k of the tile as 8x4 blocks with depth tests, which all fragments pass.
 * Doesn't change the depth bounds that the caller has set. Always returns true.
 */
bool sgd_observe_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
