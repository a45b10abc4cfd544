/* SPDX-License-Identifier: MIT */
/*
 * Slices: items as the fetch unit hands them to the issue unit, whole or split (Wolfe and
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
   uint32_t width, height; /* pixels of a slice, from 1; taller and wider items are split */
   bool aligned;           /* cuts are at multiples of the size, not counted from the corner
                            * of the item */
   bool transfers;         /* clears and fills are split too; copies and direct accesses never */
   enum sgt_slice_box box;
};

/* A part of an item, as it enters the issue unit. */
struct sgt_slice {
   uint32_t item;        /* index in trace->items */
   uint32_t number;      /* of the slice in its item */
   uint32_t count;       /* of the item's slices */
   struct sgt_rect rect; /* of the destination region */
   struct sgt_rect cut;  /* the cuts of an item's slices share no pixel and hold all of it: the
                          * slice has the fragments in its cut */
   uint32_t pixels;      /* covered; transfers: of rectangle and layers */
   uint32_t spans;       /* rows with coverage */
};

static inline bool
sgt_item_is_primitive(const struct sgt_item *item)
{
   return item->kind <= SGT_ITEM_POINT;
}

/* Slices of one item after the other; memory is used again. */
struct sgt_splitter {
   const struct sgt_trace *trace;
   struct sgt_split_params params;
   struct sgt_slice *slices; /* of the latest item */
   uint32_t num;
   uint32_t room;
   uint8_t *rows; /* per column of slices: rows of a row of blocks with coverage */
   uint32_t row_room;
};

void sgt_splitter_init(struct sgt_splitter *s, const struct sgt_trace *trace,
                       const struct sgt_split_params *params);
void sgt_splitter_finish(struct sgt_splitter *s);

/* Finds the slices of an item, row by row from the top.  An item that is split has no slice
 * without pixels, unless it has no pixels at all: then it has one.  False: no memory.
 */
bool sgt_splitter_item(struct sgt_splitter *s, uint32_t item);

/* The lanes of row `row` (0 to 3) of a block's mask, bit i for pixel i from the left. */
static inline uint32_t
sgt_block_row(uint32_t mask, unsigned row)
{
   uint32_t m = mask >> ((row & 2) * 8 + (row & 1) * 2) & 0x3333;
   m = (m | m >> 2) & 0x0f0f;
   return (m | m >> 4) & 0xff;
}

/* The lanes of a mask, of the block whose first pixel is x, y, in a rectangle. */
uint32_t sgt_block_cut(uint32_t mask, int32_t x, int32_t y, const struct sgt_rect *rect);

#endif
