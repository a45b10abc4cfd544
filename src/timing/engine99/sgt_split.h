/* SPDX-License-Identifier: MIT */
/*
 * Slices: the fetch unit passes items to the issue unit as slices, whole or split (Wolfe and
 * Noonburg, MICRO-32, 1999, 4.5).
 */
#ifndef SGT_SPLIT_H
#define SGT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "params/sgt_engine_params.h"
#include "trace/sgt_trace.h"

struct sgt_split_params {
   enum sgt_split mode;
   uint32_t width, height; /* maximum size of a slice in pixels, from 1; larger items are split */
   /* cuts are at multiples of the size; otherwise, they are counted from the item's corner */
   bool aligned;
   /* clears and fills are split too; copies and direct accesses never are */
   bool transfers;
   enum sgt_slice_box box;
};

/* A part of an item that enters the issue unit. */
struct sgt_slice {
   uint32_t item;        /* index in trace->items */
   uint32_t number;      /* number of the slice in its item, from 0 */
   uint32_t count;       /* number of slices of the item */
   struct sgt_rect rect; /* rectangle of the destination region */
   /* Rectangle of the item that this slice draws. The cuts of an item's slices do not overlap and
    * cover the whole item.
    */
   struct sgt_rect cut;
   /* number of covered pixels; for transfers, of the rectangle times layers */
   uint32_t pixels;
   uint32_t spans; /* number of rows with coverage */
};

static inline bool
sgt_item_is_primitive(const struct sgt_item *item)
{
   return item->kind <= SGT_ITEM_POINT;
}

/* Finds the slices of one item after another, and reuses its memory. */
struct sgt_splitter {
   const struct sgt_trace *trace;
   struct sgt_split_params params;
   struct sgt_slice *slices; /* slices of the latest item */
   uint32_t num;             /* number of slices */
   uint32_t room;            /* allocated elements of `slices` */
   /* for each column of slices: bit mask of the rows with coverage in a row of blocks */
   uint8_t *rows;
   uint32_t row_room; /* allocated elements of `rows` */
};

void sgt_splitter_init(struct sgt_splitter *s, const struct sgt_trace *trace,
                       const struct sgt_split_params *params);
void sgt_splitter_finish(struct sgt_splitter *s);

/* Finds the slices of an item, row by row from the top. An item that is split has no slice without
 * pixels. If the item has no pixels at all, it has one slice. Returns false if out of memory.
 */
bool sgt_splitter_item(struct sgt_splitter *s, uint32_t item);

/* Returns the lanes of row `row` (0 to 3) of a block's mask. Bit i is pixel i from the left. */
static inline uint32_t
sgt_block_row(uint32_t mask, unsigned row)
{
   uint32_t m = mask >> ((row & 2) * 8 + (row & 1) * 2) & 0x3333;
   m = (m | m >> 2) & 0x0f0f;
   return (m | m >> 4) & 0xff;
}

/* Returns the lanes of a block's mask that are in a rectangle. x, y is the block's first pixel. */
uint32_t sgt_block_cut(uint32_t mask, int32_t x, int32_t y, const struct sgt_rect *rect);

#endif
