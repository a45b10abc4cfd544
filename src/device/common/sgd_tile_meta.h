/* SPDX-License-Identifier: MIT */
/*
 * Metadata of a surface: a record for each 64x64 tile. A record describes whether the tile
 * is cleared, which of its blocks have been stored since, the depth bounds, and what a copy
 * of the tile has left in its destination. Records are in buffer memory (src/isa/layout)
 * and belong to the surface: the writer of a tile's elements also owns the tile's record.
 *
 * A record first contains whatever the memory contained, and programs that access the
 * buffer in another way can change it at any time. So its numbers are used only as
 * values: they are compared, and their bits are tested for blocks of the surface. They
 * must not be used as indices, sizes or cases of a switch.
 */
#ifndef SGD_TILE_META_H
#define SGD_TILE_META_H

#include <assert.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

/* A tile has 16 blocks of 16x16 pixels, numbered row by row. */
#define SGD_META_BLOCK 16
#define SGD_META_BLOCKS 16

/* Values of sgd_tile_meta.cleared. */
enum sgd_tile_cleared {
   SGD_TILE_DRAWN,   /* elements are those in memory */
   SGD_TILE_CLEARED, /* every element is `value`, except in the blocks of `stored` */
   SGD_TILE_KEPT, /* as CLEARED, but memory also has these values; for clears of depth textures */
};

struct sgd_tile_meta {
   uint32_t cleared;  /* state of the tile, enum sgd_tile_cleared */
   uint32_t ranges;   /* low[] and high[] are valid for depths of this enum sgpu_format */
   uint8_t value[16]; /* clear value, an element as it is stored */
   /* Depth: bounds of the keys (see sgd_depth_key()) of each block's elements. */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS];
   /* If the tile is cleared, a mask of the blocks that were stored since. Memory of the
    * other blocks is stale, except with SGD_TILE_KEPT.
    */
   uint32_t stored;
   /* Bit k is set if block k was drawn to; its bounds must be computed from its elements
    * before they are used.
    */
   uint32_t stale;
   /* State of the destination of copies with the number `contents` (COPY SURFACE,
    * Contents): every element of the blocks in `shown` is `shown_value` there. Only such
    * copies read and write these members.
    */
   uint16_t contents;
   uint16_t shown; /* mask of blocks whose elements are shown_value there */
   uint8_t shown_value[16];
   /* If not SGPU_FORMAT_NONE: bits that a clear of depth only does not change, in
    * elements of this enum sgpu_format, are those of `value` in the whole tile.
    */
   uint32_t constant;
   uint8_t reserved[SGPU_METADATA_BYTES - 184];
};
static_assert(sizeof(struct sgd_tile_meta) == SGPU_METADATA_BYTES, "");
static_assert(SGPU_METADATA_TILE == SGD_TILE, "");

/* Returns the record of the tile that contains pixel x, y of a layer, counted from the
 * surface's first layer, or NULL if there is no metadata.
 */
static inline struct sgd_tile_meta *
sgd_tile_meta(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   if (!s->meta)
      return NULL;
   const uint32_t across = (s->width + SGD_TILE - 1u) / SGD_TILE;
   const uint32_t tile = (y / SGD_TILE) * across + x / SGD_TILE;
   return (struct sgd_tile_meta *)(s->meta + (uint64_t)layer * s->meta_layer) + tile;
}

/* Returns the number of the block that contains pixel x, y in its tile. */
static inline unsigned
sgd_meta_block(uint32_t x, uint32_t y)
{
   return y / SGD_META_BLOCK % 4 * 4 + x / SGD_META_BLOCK % 4;
}

/* Returns the value of element x, y if a fast clear has not stored it, or NULL if memory has it. */
static inline const uint8_t *
sgd_left_out(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   const struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || __atomic_load_n(&m->cleared, __ATOMIC_ACQUIRE) != SGD_TILE_CLEARED ||
       m->stored >> sgd_meta_block(x, y) & 1)
      return NULL;
   return m->value;
}

/* Must be called before elements are written, because the information about depth in a
 * record is valid for one format only.
 */
static inline void
sgd_tile_written(struct sgd_tile_meta *m, const struct sgd_surface *s)
{
   if (m->ranges != s->format)
      m->ranges = SGPU_FORMAT_NONE;
   if (m->constant != s->format)
      m->constant = SGPU_FORMAT_NONE;
}

/* Returns the part of the surface that is in the tile of pixel x, y. */
static inline struct SGPU_RECT
sgd_tile_rect(const struct sgd_surface *s, int32_t x, int32_t y)
{
   const int32_t x0 = x & ~(SGD_TILE - 1), y0 = y & ~(SGD_TILE - 1);
   return (struct SGPU_RECT){
      .x0 = x0,
      .y0 = y0,
      .x1 = x0 + SGD_TILE < s->width ? x0 + SGD_TILE : s->width,
      .y1 = y0 + SGD_TILE < s->height ? y0 + SGD_TILE : s->height,
   };
}

#endif
