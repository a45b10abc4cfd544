/* SPDX-License-Identifier: MIT */
/*
 * Metadata of a surface: a record for each 64x64 tile, whether it is cleared, which
 * of its blocks have been stored since, its depth bounds, and what a copy of the tile has
 * left in its destination.  Records lie in buffer memory (src/isa/layout) and belong to
 * the surface: the writer of a tile's elements also owns the tile's record.
 *
 * A record holds what the memory held before, and programs that reach the buffer in another way
 * can change it at any time.  So its numbers are values: they are compared, and bits of blocks
 * are asked for blocks of the surface.  They are no indices, sizes or cases of a switch.
 */
#ifndef SGD_TILE_META_H
#define SGD_TILE_META_H

#include <assert.h>
#include <stdint.h>

#include "sgd_state.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

/* Blocks of 16x16 pixels, row by row. */
#define SGD_META_BLOCK 16
#define SGD_META_BLOCKS 16

/* Values of sgd_tile_meta::cleared. */
enum sgd_tile_cleared {
   SGD_TILE_DRAWN,   /* elements are what memory has */
   SGD_TILE_CLEARED, /* every element is `value`, but for those of `stored` */
   SGD_TILE_KEPT,    /* the same, and memory has it, too: clears of depth textures */
};

struct sgd_tile_meta {
   uint32_t cleared;  /* enum sgd_tile_cleared */
   uint32_t ranges;   /* low and high are valid for depth of this enum sgpu_format */
   uint8_t value[16]; /* an element as stored */
   /* Depth: bounds of the keys (sgd_depth_key) of each block's elements. */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS];
   /* Where the tile is cleared: blocks that were stored since, a bit each.  What memory has for
    * the others is stale, but for SGD_TILE_KEPT.
    */
   uint32_t stored;
   /* Bit k: block k was drawn to, and its bounds are to be found again from its elements
    * before they are used.
    */
   uint32_t stale;
   /* What copies with this number (COPY SURFACE, Contents) have left in their destination:
    * every element of the blocks of `shown` is `shown_value`.  Read and written by them alone.
    */
   uint16_t contents;
   uint16_t shown; /* a bit for each block */
   uint8_t shown_value[16];
   /* The bits of every element that a clear of depth alone leaves, of this enum sgpu_format, are
    * those of `value`.
    */
   uint32_t constant;
   uint8_t reserved[SGPU_METADATA_BYTES - 184];
};
static_assert(sizeof(struct sgd_tile_meta) == SGPU_METADATA_BYTES, "");
static_assert(SGPU_METADATA_TILE == SGD_TILE, "");

/* The record of the tile that holds pixel x, y of a layer counted from the
 * surface's first; NULL without metadata.
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

/* The number of the block of pixel x, y in its tile. */
static inline unsigned
sgd_meta_block(uint32_t x, uint32_t y)
{
   return y / SGD_META_BLOCK % 4 * 4 + x / SGD_META_BLOCK % 4;
}

/* The value of element x, y where a fast clear has left it out; NULL: memory has it. */
static inline const uint8_t *
sgd_left_out(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   const struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || __atomic_load_n(&m->cleared, __ATOMIC_ACQUIRE) != SGD_TILE_CLEARED ||
       m->stored >> sgd_meta_block(x, y) & 1)
      return NULL;
   return m->value;
}

/* Call before writing elements: what the record says of depth is valid for one format alone. */
static inline void
sgd_tile_written(struct sgd_tile_meta *m, const struct sgd_surface *s)
{
   if (m->ranges != s->format)
      m->ranges = SGPU_FORMAT_NONE;
   if (m->constant != s->format)
      m->constant = SGPU_FORMAT_NONE;
}

/* The part of the surface in the tile of x, y. */
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
