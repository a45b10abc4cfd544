/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements are not in memory because of a fast clear.
 */
#ifndef SGD_TILE_EXPAND_H
#define SGD_TILE_EXPAND_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_arch.h"

struct SGPU_RECT;
struct sgd_cleared_tile;
struct sgd_surface;
struct sgd_worker;

/* Returns the mask of blocks (see sgd_meta_block()) that the surface has of the tile of (x, y). */
uint32_t sgd_tile_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y);

/* Prepares to store elements of the tile of (x, y) by blocks.  Returns false if all are in memory.
 * Otherwise counts the tile as expanded, if none of its blocks was stored before.
 */
bool sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                            const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer);
/* Stores block k of 16x16 pixels, as far as it is in the surface, if it is not in memory. */
void sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k);

/* Stores all elements of the tile of (x, y) that are not in memory because of a fast clear. */
void sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                     uint32_t layer);
/* Version of sgd_tile_expand() for writers of elements other than draws, clears and copies. */
void sgd_tile_resolve(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer);
/* Must be called before elements of the rectangle, which is in one tile, are written, except by
 * draws and clears.  `whole` means that all bits of all elements will be written.
 */
void sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                        const struct SGPU_RECT *rect, uint32_t layer, bool whole);

#endif
