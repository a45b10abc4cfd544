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

/* Returns the mask of the blocks (see sgd_meta_block()) of the tile at (x, y) that are inside the
 * surface.
 */
uint32_t sgd_tile_blocks(const struct sgd_surface *s, uint32_t x, uint32_t y);

/* Prepares to store elements of the tile at (x, y) block by block. Returns false if all elements
 * are in memory already. Otherwise, counts the tile as expanded if none of its blocks has been
 * stored before.
 */
bool sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                            const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer);
/* Stores the elements of block k (16x16 pixels) that are inside the surface, if they are not in
 * memory.
 */
void sgd_cleared_tile_store(const struct sgd_cleared_tile *t, unsigned k);

/* Stores all elements of the tile at (x, y) that are not in memory because of a fast clear. */
void sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                     uint32_t layer);
/* Like sgd_tile_expand(), for writers of elements other than draws, clears and copies. */
void sgd_tile_resolve(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer);
/* Must be called before any operation other than a draw or clear writes elements of the rectangle,
 * which must be inside one tile. `whole` means that all bits of all elements will be written.
 */
void sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                        const struct SGPU_RECT *rect, uint32_t layer, bool whole);

#endif
