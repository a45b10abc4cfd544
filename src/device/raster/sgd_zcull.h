/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: zcull.  Drops primitives whose depths all fail against the bounds
 * of the stored depths.
 */
#ifndef SGD_ZCULL_H
#define SGD_ZCULL_H

#include <stdbool.h>

#include "raster/sgd_raster.h"
#include "sgd_arch.h"
#include "sgd_tile_meta.h"

struct sgd_prim;

void sgd_zcull_begin(struct sgd_raster *r);
/* Whether the primitive fails everywhere in a box of pixels of the tile, bounds
 * included.
 */
bool sgd_zcull_rejects(struct sgd_raster *r, const struct sgd_prim *prim, int x0, int y0, int x1,
                       int y1);
/* Stores bounds, and which blocks the list wrote to. */
void sgd_zcull_end(struct sgd_raster *r);

/* An 8x4 block in block k (sgd_meta_block) is drawn. */
static inline void
sgd_zcull_note(struct sgd_raster *r, unsigned k)
{
   r->zcull.dirty |= 1u << k;
   r->zcull.writes[k]++;
}

#endif
