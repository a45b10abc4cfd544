/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: stores the clear value of tiles that were fast cleared, so that their elements are
 * in memory.
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

/* Returns a mask of the blocks of a tile that are inside the surface, with the bits of
 * sgd_meta_block(). (x, y) is a pixel in the tile.
 */
uint32_t sgd_tile_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y);

/* Must be called before the blocks of a tile are stored one by one. (x, y) is a pixel in the tile.
 * Returns false if all elements of the tile are in memory already. The first time, counts the tile
 * as expanded.
 */
bool sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                            const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer);
/* Stores the clear value in block k (16x16 pixels), unless its elements are in memory. */
void sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k);

/* Stores the clear value in all elements of a tile that are not in memory after a fast clear. (x,
 * y) is a pixel in the tile.
 */
void sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                     uint32_t layer);
/* Like sgd_tile_expand(), but for writes by anything except draws, clears and copies. */
void sgd_tile_resolve(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer);
/* Must be called before anything except a draw or a clear writes a rectangle. The rectangle must be
 * inside one tile. If `whole` is true, all bits of its elements will be overwritten.
 */
void sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                        const struct SGPU_RECT *rect, uint32_t layer, bool whole);

#endif
