/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: 16x16 blocks whose pixels all have the same stencil value.
 */
#ifndef SGD_STENCIL_BLOCK_H
#define SGD_STENCIL_BLOCK_H

#include <stdbool.h>

#include "pixel/raster/sgd_raster.h"

struct sgd_prim;

void sgd_stencil_block_begin(struct sgd_raster *r);
/* Draws block k (see sgd_meta_block()), which the primitive covers completely. Returns false without
 * drawing anything if the stencil values of the block differ, or if depth decides what becomes of
 * them. Requires r->stencil.active.
 */
bool sgd_stencil_block(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
