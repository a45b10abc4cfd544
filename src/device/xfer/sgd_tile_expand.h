/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements a fast clear has left out.
 */
#ifndef SGD_TILE_EXPAND_H
#define SGD_TILE_EXPAND_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"

struct SGPU_RECT;
struct sgd_cleared_tile;
struct sgd_surface;
struct sgd_worker;

/* The blocks (sgd_meta_block) that the surface has of the tile of x, y. */
uint32_t sgd_tile_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y);

/* For storing the elements of the tile of x, y block by block: false where all are in memory.  Else the tile counts as
 * expanded, if it was not touched before.
 */
bool sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                            const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer);
/* Stores the elements of block `k` of 16x16 pixels, if they are not.  What lies outside of the
 * surface stays as it is.
 */
void sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k);

/* Stores the elements of the tile of x, y, if it is cleared without them. */
void sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                     uint32_t layer);
/* The same before others than draws, clears and copies write elements. */
void sgd_tile_resolve(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer);
/* Call before writing elements of the rectangle, which lies in one tile, other
 * than by draws and clears.  `whole`: all bits of all of its elements are written.
 */
void sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                        const struct SGPU_RECT *rect, uint32_t layer, bool whole);

#endif
