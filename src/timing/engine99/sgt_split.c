/* SPDX-License-Identifier: MIT */
/*
 * Slices: splits items.
 */
#include "engine99/sgt_split.h"

#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"

void
sgt_splitter_init(struct sgt_splitter *s, const struct sgt_trace *trace,
                  const struct sgt_split_params *params)
{
   *s = (struct sgt_splitter){ .trace = trace, .params = *params };
}

void
sgt_splitter_finish(struct sgt_splitter *s)
{
   free(s->slices);
   free(s->rows);
}

/* Maximum width and height of a surface. Larger rectangles are placeholders for the whole memory.
 */
#define MAX_SIZE 65536

/* A grid of slices over a rectangle. */
struct grid {
   int64_t x, y;           /* position of the first cell in pixels */
   int64_t width, height;  /* size of a cell in pixels */
   uint64_t columns, rows; /* number of columns and rows of cells */
};

static int64_t
align_down(int64_t value, int64_t to)
{
   const int64_t rest = value % to;
   return value - (rest < 0 ? rest + to : rest);
}

static void
make_grid(const struct sgt_splitter *s, const struct sgt_item *item, struct grid *g)
{
   const struct sgt_split_params *p = &s->params;
   const struct sgt_rect *r = &item->destination.rect;
   const int64_t width = (int64_t)r->x1 - r->x0, height = (int64_t)r->y1 - r->y0;
   bool split = p->mode != SGT_SPLIT_NONE && item->pixels && width > 0 && height > 0 &&
                width <= MAX_SIZE && height <= MAX_SIZE;
   if (!sgt_item_is_primitive(item)) {
      /* Don't split the item if its rectangle is a placeholder for the whole memory, i.e. if the
       * rectangle doesn't contain exactly the pixels of the item.
       */
      const int64_t layers = item->destination.last_layer - item->destination.first_layer + 1;
      split = split && p->transfers && width * height * layers == item->pixels &&
              (item->kind == SGT_ITEM_CLEAR || item->kind == SGT_ITEM_FILL);
   }
   *g = (struct grid){ r->x0, r->y0, MAX2(width, 1), MAX2(height, 1), 1, 1 };
   if (!split)
      return;
   g->height = p->height;
   if (p->mode == SGT_SPLIT_GRID)
      g->width = p->width;
   if (p->aligned) {
      g->y = align_down(r->y0, g->height);
      if (p->mode == SGT_SPLIT_GRID)
         g->x = align_down(r->x0, g->width);
   }
   g->columns = (r->x1 - g->x + g->width - 1) / g->width;
   g->rows = (r->y1 - g->y + g->height - 1) / g->height;
}

/* Adds the pixels in one row of a block to the slices that contain them. */
static void
count_row(struct sgt_splitter *s, const struct grid *g, int64_t x, int64_t y, uint32_t bits,
          unsigned row)
{
   /* The coverage of a valid trace is always inside the item's rectangle. Clamp anyway to avoid
    * out-of-bounds accesses if the trace is invalid.
    */
   const uint64_t cell_row = CLAMP((y - g->y) / g->height, 0, (int64_t)g->rows - 1);
   while (bits) {
      const int64_t first = x + (ffs(bits) - 1);
      const uint64_t column = CLAMP((first - g->x) / g->width, 0, (int64_t)g->columns - 1);
      const int64_t end = column + 1 == g->columns ? x + 8
                                                   : g->x + (int64_t)(column + 1) * g->width;
      const uint32_t part = end - x >= 8 ? bits : bits & ((1u << (end - x)) - 1);
      struct sgt_slice *slice = &s->slices[cell_row * g->columns + column];
      slice->pixels += util_bitcount(part);
      s->rows[column] |= 1u << row;
      struct sgt_rect *box = &slice->rect;
      box->x0 = MIN2(box->x0, first);
      box->x1 = MAX2(box->x1, x + util_last_bit(part));
      box->y0 = MIN2(box->y0, y);
      box->y1 = MAX2(box->y1, y + 1);
      bits &= ~part;
   }
}

static void
count_blocks(struct sgt_splitter *s, const struct sgt_item *item, const struct grid *g)
{
   const struct sgt_block *block = s->trace->blocks + item->first_block;
   const struct sgt_block *const end = block + item->num_blocks;
   while (block < end) {
      /* Process one row of blocks. */
      const int32_t y = block->y;
      memset(s->rows, 0, g->columns);
      for (; block < end && block->y == y; block++) {
         if (g->columns == 1 && (y - g->y) / g->height == (y + 3 - g->y) / g->height &&
             s->params.box == SGT_SLICE_BOX_ITEM) {
            const uint64_t cell = CLAMP((y - g->y) / g->height, 0, (int64_t)g->rows - 1);
            s->slices[cell].pixels += util_bitcount(block->mask);
            for (unsigned row = 0; row < 4; row++)
               s->rows[0] |= !!(block->mask & 0x3333u << ((row & 2) * 8 + (row & 1) * 2)) << row;
            continue;
         }
         for (unsigned row = 0; row < 4; row++)
            count_row(s, g, block->x, y + row, sgt_block_row(block->mask, row), row);
      }
      for (uint64_t column = 0; column < g->columns; column++) {
         u_foreach_bit(row, s->rows[column]) {
            const uint64_t cell = CLAMP((y + (int64_t)row - g->y) / g->height, 0,
                                        (int64_t)g->rows - 1);
            s->slices[cell * g->columns + column].spans++;
         }
      }
   }
}

static bool
split_reserve(struct sgt_splitter *s, uint64_t slices, uint64_t columns)
{
   if (slices > UINT32_MAX)
      return false;
   if (slices > s->room) {
      struct sgt_slice *grown = realloc(s->slices, slices * sizeof(*grown));
      if (!grown)
         return false;
      s->slices = grown;
      s->room = slices;
   }
   if (columns > s->row_room) {
      uint8_t *grown = realloc(s->rows, columns);
      if (!grown)
         return false;
      s->rows = grown;
      s->row_room = columns;
   }
   return true;
}

/* Creates a single slice for an item that is not split. */
static void
split_whole(struct sgt_splitter *s, uint32_t index)
{
   const struct sgt_item *item = &s->trace->items[index];
   s->slices[0] = (struct sgt_slice){
      .item = index,
      .count = 1,
      .rect = item->destination.rect,
      .cut = item->destination.rect,
      .pixels = item->pixels,
      .spans = item->spans,
   };
   s->num = 1;
}

bool
sgt_splitter_item(struct sgt_splitter *s, uint32_t index)
{
   const struct sgt_item *item = &s->trace->items[index];
   const struct sgt_rect *r = &item->destination.rect;
   struct grid g;
   make_grid(s, item, &g);
   const uint64_t cells = g.columns * g.rows;
   if (!split_reserve(s, cells, g.columns))
      return false;
   if (cells == 1) {
      split_whole(s, index);
      return true;
   }

   for (uint64_t i = 0; i < cells; i++) {
      const int64_t x = g.x + (int64_t)(i % g.columns) * g.width;
      const int64_t y = g.y + (int64_t)(i / g.columns) * g.height;
      s->slices[i] = (struct sgt_slice){
         .item = index,
         .cut = { MAX2(x, r->x0), MAX2(y, r->y0), MIN2(x + g.width, r->x1),
                  MIN2(y + g.height, r->y1) },
         .rect = { INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN },
      };
   }
   if (sgt_item_is_primitive(item)) {
      count_blocks(s, item, &g);
   } else {
      const uint32_t layers = item->destination.last_layer - item->destination.first_layer + 1;
      for (uint64_t i = 0; i < cells; i++) {
         struct sgt_slice *slice = &s->slices[i];
         slice->rect = slice->cut;
         slice->spans = slice->cut.y1 - slice->cut.y0;
         slice->pixels = slice->spans * (slice->cut.x1 - slice->cut.x0) * layers;
      }
   }
   s->num = 0;
   for (uint64_t i = 0; i < cells; i++) {
      struct sgt_slice *slice = &s->slices[i];
      if (!slice->pixels)
         continue;
      if (s->params.box == SGT_SLICE_BOX_ITEM)
         slice->rect = slice->cut;
      slice->number = s->num;
      s->slices[s->num++] = *slice;
   }
   if (!s->num)
      split_whole(s, index);
   for (uint32_t i = 0; i < s->num; i++)
      s->slices[i].count = s->num;
   return true;
}

uint32_t
sgt_block_cut(uint32_t mask, int32_t x, int32_t y, const struct sgt_rect *rect)
{
   if (x >= rect->x0 && y >= rect->y0 && x + 8 <= rect->x1 && y + 4 <= rect->y1)
      return mask;
   for (unsigned lane = 0; lane < 32; lane++) {
      const int32_t px = x + (lane / 4 % 4) * 2 + lane % 2;
      const int32_t py = y + lane / 16 * 2 + lane / 2 % 2;
      if (px < rect->x0 || px >= rect->x1 || py < rect->y0 || py >= rect->y1)
         mask &= ~(1u << lane);
   }
   return mask;
}
