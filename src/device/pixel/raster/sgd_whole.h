/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: draws 16x16 blocks that a triangle covers completely.
 */
#ifndef SGD_WHOLE_H
#define SGD_WHOLE_H

#include <stdbool.h>

#include "pixel/raster/sgd_raster.h"

struct sgd_prim;

/* Clears SGPU_PATH_WHOLE in r->paths if zcull can't show that all depths in a block pass the depth
 * test. Must be called after sgd_zcull_begin().
 */
void sgd_whole_begin(struct sgd_raster *r);
/* Draws block k (see sgd_meta_block()) of the tile, which the triangle covers completely. r->paths
 * must include SGPU_PATH_WHOLE. Returns false without drawing anything if the 8x4 blocks must be
 * tested one by one, or if drawing them one by one is just as fast.
 */
bool sgd_raster_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
