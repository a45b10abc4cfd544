/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: tiles whose elements a fast clear has left out.
 */
#ifndef SGD_TILE_EXPAND_H
#define SGD_TILE_EXPAND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sgd_arch.h"
#include "sgd_tile_meta.h"
#include "util/macros.h"

struct SGPU_RECT;
struct sgd_surface;
struct sgd_worker;

/* A tile that is cleared, for storing its elements micro tile by micro tile. */
struct sgd_cleared_tile {
   struct sgd_tile_meta *meta;
   uint8_t *base;         /* of its first micro tile */
   uint32_t pitch;        /* bytes from a row of micro tiles to the next */
   uint32_t bytes;        /* of a micro tile: a multiple of 32 */
   uint8_t columns, rows; /* of micro tiles that lie in the surface as a whole */
   const struct sgd_surface *surface;
   uint32_t layer;
   uint8_t pattern[32]; /* elements */
};

/* False where all elements of the tile of x, y are in memory.  Else the tile counts as
 * expanded, if it was not touched before.
 */
bool sgd_cleared_tile_begin(struct sgd_cleared_tile *t, struct sgd_worker *worker,
                            const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer);

/* sgd_cleared_tile_store of a micro tile at the right or lower side: what lies outside of the
 * surface stays as it is.
 */
void sgd_cleared_tile_store_part(const struct sgd_cleared_tile *t, uint32_t x, uint32_t y);

/* Stores the elements of the micro tile of pixel x, y of the surface, if they are not. */
static inline void
sgd_cleared_tile_store(const struct sgd_cleared_tile *t, uint32_t x, uint32_t y)
{
   const uint32_t row = y / SGPU_TILE_HEIGHT % SGD_META_ROWS, column = x / SGPU_TILE_WIDTH % 8;
   uint8_t *restrict p = t->base + (size_t)row * t->pitch + (size_t)column * t->bytes;
   uint8_t *stored = &t->meta->stored[row];
   struct {
      uint8_t b[32];
   } pattern;

   if (*stored >> column & 1)
      return;
   *stored |= 1u << column;
   if (unlikely(column >= t->columns || row >= t->rows)) {
      sgd_cleared_tile_store_part(t, x, y);
      return;
   }
   memcpy(&pattern, t->pattern, sizeof(pattern));
   for (uint32_t i = 0; i < t->bytes; i += sizeof(pattern))
      memcpy(p + i, &pattern, sizeof(pattern));
}

/* Stores the elements of the tile of x, y, if it is cleared without them. */
void sgd_tile_expand(struct sgd_worker *worker, const struct sgd_surface *s, uint32_t x, uint32_t y,
                     uint32_t layer);
/* Call before writing elements of the rectangle, which lies in one tile, other
 * than by draws and clears.  `whole`: all bits of all of its elements are written.
 */
void sgd_tile_overwrite(struct sgd_worker *worker, const struct sgd_surface *s,
                        const struct SGPU_RECT *rect, uint32_t layer, bool whole);

#endif
