/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: blocks of 16x16 pixels that a triangle covers.
 */
#ifndef SGD_WHOLE_H
#define SGD_WHOLE_H

#include <stdbool.h>

#include "raster/sgd_raster.h"

struct sgd_prim;

/* Sets r->wholes, after sgd_zcull_begin. */
void sgd_whole_begin(struct sgd_raster *r);
/* Where r->wholes: draws the block k (sgd_meta_block) of the tile, all of whose pixels the
 * triangle covers.  False, and nothing is drawn, where its 8x4 blocks have to be tested, or are
 * drawn as fast one by one.
 */
bool sgd_raster_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
