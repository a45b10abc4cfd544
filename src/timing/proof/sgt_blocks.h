/* SPDX-License-Identifier: MIT */
/*
 * Iterates over the 8x4 pixel blocks of an item that intersect a rectangle.
 */
#ifndef SGT_BLOCKS_H
#define SGT_BLOCKS_H

#include "trace/sgt_trace.h"

struct sgt_block_walk {
   const struct sgt_block *blocks;
   struct sgt_rect rect;
   uint32_t next, end; /* range of elements of `blocks` that have not been visited yet */
};

/* Returns a mask of the lanes whose x position in their block is less than n. */
static inline uint32_t
sgt_lanes_left(int32_t n)
{
   static const uint32_t lanes[9] = {
      0,          0x00050005, 0x000f000f, 0x005f005f, 0x00ff00ff,
      0x05ff05ff, 0x0fff0fff, 0x5fff5fff, 0xffffffff,
   };
   return lanes[n < 0 ? 0 : n > 8 ? 8 : n];
}

/* Returns a mask of the lanes whose y position in their block is less than n. */
static inline uint32_t
sgt_lanes_above(int32_t n)
{
   static const uint32_t lanes[5] = { 0, 0x00003333, 0x0000ffff, 0x3333ffff, 0xffffffff };
   return lanes[n < 0 ? 0 : n > 4 ? 4 : n];
}

/* Returns a mask of those lanes of the block at pixel (x, y) that are inside the rectangle. */
static inline uint32_t
sgt_lanes_in(const struct sgt_rect *r, int32_t x, int32_t y)
{
   return sgt_lanes_left(r->x1 - x) & ~sgt_lanes_left(r->x0 - x) & sgt_lanes_above(r->y1 - y) &
          ~sgt_lanes_above(r->y0 - y);
}

/* Returns the index of the first block, in the range [first, end), whose position is (x, y) or
 * later. Blocks must be in order of y, then x. Returns `end` if there is no such block.
 */
static inline uint32_t
sgt_find_block(const struct sgt_block *b, uint32_t first, uint32_t end, int32_t x, int32_t y)
{
   while (first < end) {
      const uint32_t mid = first + (end - first) / 2;
      if (b[mid].y < y || (b[mid].y == y && b[mid].x < x))
         first = mid + 1;
      else
         end = mid;
   }
   return first;
}

/* Starts an iteration over the blocks of a primitive in a rectangle. */
static inline void
sgt_block_walk_begin(struct sgt_block_walk *w, const struct sgt_trace *t,
                     const struct sgt_item *item, const struct sgt_rect *rect)
{
   w->blocks = t->blocks;
   w->rect = *rect;
   w->end = item->first_block + item->num_blocks;
   w->next = sgt_find_block(t->blocks, item->first_block, w->end, 0, rect->y0 - 3);
}

/* Returns the next block with covered lanes in the rectangle, or NULL at the end. Blocks are
 * visited in order of y, then x. Sets *lanes to the mask of the covered lanes.
 */
static inline const struct sgt_block *
sgt_block_walk_next(struct sgt_block_walk *w, uint32_t *lanes)
{
   while (w->next < w->end) {
      const struct sgt_block *b = &w->blocks[w->next];
      if (b->y >= w->rect.y1)
         break;
      if (b->x >= w->rect.x1) {
         w->next = sgt_find_block(w->blocks, w->next + 1, w->end, w->rect.x0 - 7, b->y + 1);
         continue;
      }
      if (b->x + 8 <= w->rect.x0) {
         w->next = sgt_find_block(w->blocks, w->next + 1, w->end, w->rect.x0 - 7, b->y);
         continue;
      }
      w->next++;
      *lanes = b->mask & sgt_lanes_in(&w->rect, b->x, b->y);
      if (*lanes)
         return b;
   }
   w->next = w->end;
   return NULL;
}

/* Returns the intersection of two rectangles. An empty intersection has x1 <= x0 or y1 <= y0. */
static inline struct sgt_rect
sgt_rect_common(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return (struct sgt_rect){
      .x0 = a->x0 > b->x0 ? a->x0 : b->x0,
      .y0 = a->y0 > b->y0 ? a->y0 : b->y0,
      .x1 = a->x1 < b->x1 ? a->x1 : b->x1,
      .y1 = a->y1 < b->y1 ? a->y1 : b->y1,
   };
}

#endif
