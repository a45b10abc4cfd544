/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: observation of coverage. Exists only in the observed level.
 */
#ifndef SGD_RASTER_OBSERVE_H
#define SGD_RASTER_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_arch.h"

struct sgd_prim;

/* Records a block of a primitive. Returns true if zcull has dropped the block, so that it
 * must not be drawn.
 */
bool sgd_observe_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                       uint32_t mask, const struct sgd_samples *samples);

/* Turns zcull off until sgd_observe_rejected_end(), to record blocks that zcull has
 * dropped: the caller then rasterizes again what zcull has rejected. Returns false if such
 * blocks are not recorded.
 */
bool sgd_observe_rejected_begin(struct sgd_raster *r);
void sgd_observe_rejected_end(struct sgd_raster *r);

/* Draws block k of 16x16 pixels of the tile as 8x4 blocks, with tests, all of which the
 * triangle passes. Does not change the depth bounds, which the caller has set. Returns true.
 */
bool sgd_observe_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
