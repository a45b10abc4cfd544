/* SPDX-License-Identifier: MIT */
/*
 * Splitting of items into slices. The fetch unit passes items to the issue unit either whole or
 * split into slices (Wolfe and Noonburg, MICRO-32, 1999, 4.5).
 */
#ifndef SGT_SPLIT_H
#define SGT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "params/sgt_engine_params.h"
#include "trace/sgt_trace.h"

struct sgt_split_params {
   enum sgt_split mode;
   /* Maximum size of a slice in pixels, at least 1. Larger items are split. */
   uint32_t width, height;
   /* true to split at multiples of the slice size, false to split relative to the item's top left
    * corner
    */
   bool aligned;
   /* True to also split clears and fills. Copies and CPU accesses are never split. */
   bool transfers;
   enum sgt_slice_box box;
};

/* Part of an item, or a whole item, as it enters the issue unit. */
struct sgt_slice {
   uint32_t item;        /* index in trace->items */
   uint32_t number;      /* index of the slice in its item */
   uint32_t count;       /* number of slices of the item */
   struct sgt_rect rect; /* rectangle of the destination region */
   /* Rectangle that selects the pixels of the slice. The `cut` rectangles of an item's slices don't
    * overlap, and cover the whole item.
    */
   struct sgt_rect cut;
   /* Number of covered pixels. For transfers, the size of the rectangle times the number of layers.
    */
   uint32_t pixels;
   uint32_t spans; /* number of pixel rows with coverage */
};

static inline bool
sgt_item_is_primitive(const struct sgt_item *item)
{
   return item->kind <= SGT_ITEM_POINT;
}

/* Splits items into slices, one item at a time. Memory is reused between items. */
struct sgt_splitter {
   const struct sgt_trace *trace;
   struct sgt_split_params params;
   struct sgt_slice *slices; /* slices of the last item */
   uint32_t num;             /* number of slices of the last item */
   uint32_t room;            /* number of allocated elements of `slices` */
   /* for each column of slices, a bitmask of the covered pixel rows in the current row of blocks */
   uint8_t *rows;
   uint32_t row_room; /* number of allocated elements of `rows` */
};

void sgt_splitter_init(struct sgt_splitter *s, const struct sgt_trace *trace,
                       const struct sgt_split_params *params);
void sgt_splitter_finish(struct sgt_splitter *s);

/* Splits an item into slices, row by row from the top. Slices without pixels are omitted, but an
 * item without pixels has one slice. Returns false if allocation fails.
 */
bool sgt_splitter_item(struct sgt_splitter *s, uint32_t item);

/* Returns the bits of pixel row `row` (0 to 3) in the lane mask of a block. Bit i is the i-th pixel
 * from the left.
 */
static inline uint32_t
sgt_block_row(uint32_t mask, unsigned row)
{
   uint32_t m = mask >> ((row & 2) * 8 + (row & 1) * 2) & 0x3333;
   m = (m | m >> 2) & 0x0f0f;
   return (m | m >> 4) & 0xff;
}

/* Clears the lanes that are outside a rectangle in the lane mask of a block, and returns the
 * result. (x, y) is the top left pixel of the block.
 */
uint32_t sgt_block_cut(uint32_t mask, int32_t x, int32_t y, const struct sgt_rect *rect);

#endif
