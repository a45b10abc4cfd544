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
/* Returns true if the primitive, which covers block k (see sgd_meta_block()) completely, can be drawn
 * there by sgd_stencil_block(): if the stencil values of the block are the same, and depth does not
 * decide what becomes of them. Requires r->stencil.active.
 */
bool sgd_stencil_is_one(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);
/* Draws block k. No quad of the block may have been drawn since sgd_stencil_is_one(). */
void sgd_stencil_block(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
