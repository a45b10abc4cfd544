/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: blocks of 16x16 pixels that a triangle covers completely.
 */
#ifndef SGD_WHOLE_H
#define SGD_WHOLE_H

#include <stdbool.h>

#include "pixel/raster/sgd_raster.h"

struct sgd_prim;

/* Leaves the path `whole` if the tile does not allow it. Must be called after sgd_zcull_begin(). */
void sgd_whole_begin(struct sgd_raster *r);
/* Draws block k (see sgd_meta_block()) of the tile, all of whose pixels the triangle
 * covers. The path `whole` must be in r->paths. Returns false and draws nothing if the 8x4 blocks must
 * be tested, or are drawn as fast one by one.
 */
bool sgd_raster_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
