/* SPDX-License-Identifier: MIT */
/*
 * Metadata of a surface: one record per 64x64 tile. A record stores whether the tile is cleared,
 * which of its blocks have been stored since the clear, the depth bounds, and what the last copy of
 * the tile left in the destination of the copy.
 *
 * Records are in buffer memory (src/isa/layout) and belong to the surface: the writer of a tile's
 * elements also owns the tile's record. The memory is not initialized, and programs that access the
 * buffer in other ways can change it at any time. Therefore, records are untrusted: values may only
 * be compared, and bits may only be tested for blocks of the surface. Never use a value as an
 * index, a size or the operand of a switch.
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
   SGD_TILE_DRAWN,   /* the elements are in memory */
   SGD_TILE_CLEARED, /* all elements equal `value`, except in the blocks that `stored` contains */
   /* like SGD_TILE_CLEARED, but the clear value is in memory, too; used for clears of depth
    * textures
    */
   SGD_TILE_KEPT,
};

struct sgd_tile_meta {
   uint32_t cleared; /* state of the tile, enum sgd_tile_cleared */
   /* format (enum sgpu_format) of the depths that low[] and high[] bound */
   uint32_t ranges;
   uint8_t value[16]; /* clear value of an element, in the memory format */
   /* Depth bounds of each block, as depth keys (see sgd_depth_key()). */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS];
   /* Mask of the blocks that have been stored since the tile was cleared. The memory of all other
    * blocks is stale, unless `cleared` is SGD_TILE_KEPT.
    */
   uint32_t stored;
   /* Mask of the blocks that draws have written, which makes the depth bounds of these blocks
    * stale. The bounds must be computed from the elements before they are used.
    */
   uint32_t stale;
   /* ID of a copy's destination (COPY SURFACE, Contents) for which `shown` is valid. In this
    * destination, all elements of the blocks in `shown` equal `shown_value`.
    */
   uint16_t contents;
   /* mask of the blocks whose elements equal shown_value in the copy's destination */
   uint16_t shown;
   uint8_t shown_value[16];
   /* Format (enum sgpu_format), or SGPU_FORMAT_NONE. In every element of this format in the tile,
    * the bits that a depth-only clear preserves equal those of `value`.
    */
   uint32_t constant;
   uint8_t reserved[SGPU_METADATA_BYTES - 184];
};
static_assert(sizeof(struct sgd_tile_meta) == SGPU_METADATA_BYTES, "");
static_assert(SGPU_METADATA_TILE == SGD_TILE, "");

/* Returns the record of the tile that contains pixel (x, y), or NULL if the surface has no
 * metadata. `layer` is relative to the surface's first layer.
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

/* Returns the index of the block that contains pixel (x, y) in its tile. */
static inline unsigned
sgd_meta_block(uint32_t x, uint32_t y)
{
   return y / SGD_META_BLOCK % 4 * 4 + x / SGD_META_BLOCK % 4;
}

/* Returns the clear value if element (x, y) has not been stored to memory since a fast clear, or
 * NULL if the element is in memory.
 */
static inline const uint8_t *
sgd_left_out(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   const struct sgd_tile_meta *m = sgd_tile_meta(s, x, y, layer);

   if (!m || __atomic_load_n(&m->cleared, __ATOMIC_ACQUIRE) != SGD_TILE_CLEARED ||
       m->stored >> sgd_meta_block(x, y) & 1)
      return NULL;
   return m->value;
}

/* Invalidates depth information that was recorded for another format. Must be called before
 * elements of the tile are written.
 */
static inline void
sgd_tile_written(struct sgd_tile_meta *m, const struct sgd_surface *s)
{
   if (m->ranges != s->format)
      m->ranges = SGPU_FORMAT_NONE;
   if (m->constant != s->format)
      m->constant = SGPU_FORMAT_NONE;
}

/* Returns the rectangle of the tile that contains pixel (x, y), clipped to the surface. */
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
