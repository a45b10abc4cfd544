/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: triangles, from the tile to blocks of 16x16 and of 8x4 pixels.
 *
 * Edges are evaluated at the tile's first pixel in 64 bits from the unsplit
 * primitive.  Those that leave no pixel of the box outside are dropped.  The values
 * of the others fit 32 bits all over the tile (struct sgd_prim) and are exact,
 * wherever the triangle is split.
 *
 * A box of up to SMALL blocks goes to coverage as it is.  In larger ones, rows of the
 * tile's blocks are first sorted out by the edges.
 */
#include "raster/sgd_descent.h"

#include <assert.h>

#include "raster/sgd_collect.h"
#include "raster/sgd_edges.h"
#include "raster/sgd_raster.h"
#include "raster/sgd_raster_observe.h"
#include "raster/sgd_zcull.h"
#include "sgd_lanes.h"
#include "sgd_observe.h"
#include "sgd_prim.h"
#include "sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define COARSE 16
/* Rows of blocks in a tile. */
#define TILE_ROWS (SGD_TILE / SGD_BLOCK_H)
/* Blocks. */
#define SMALL 4

static_assert(SGD_ROW_BLOCKS * SGD_BLOCK_W == SGD_TILE, "");

/* The triangle in the tile. */
struct part {
   struct sgd_raster *r;
   const struct sgd_prim *prim;
   struct sgd_edges edges;
   int x0, y0, x1, y1; /* box inside the tile, half open */
   bool stipple;
};

/* Blocks of the tile that are not outside, and that no edge cuts; bit k of row y / SGD_BLOCK_H
 * is the block at x = 8 k.
 */
struct rows {
   uint8_t some[TILE_ROWS], full[TILE_ROWS];
};

/* The n edges that cut the box first. */
static void
gather_edges(struct sgd_edges *ed, unsigned cuts)
{
   unsigned n = 0;

   for (unsigned i = 0; i < 3; i++) {
      ed->e[n] = ed->e[i];
      ed->a[n] = ed->a[i];
      ed->b[n] = ed->b[i];
      n += cuts >> i & 1;
   }
}

/* Lanes of the rows of a block at y that are inside the box. */
static inline uint32_t
box_rows(const struct part *t, int y)
{
   const int top = t->y0 - y, bottom = t->y1 - y;

   return sgd_lanes_above(MIN2(bottom, SGD_BLOCK_H)) & ~sgd_lanes_above(MAX2(top, 0));
}

static inline uint32_t
box_columns(const struct part *t, int x)
{
   const int left = t->x0 - x, right = t->x1 - x;

   return sgd_lanes_left(MIN2(right, SGD_BLOCK_W)) & ~sgd_lanes_left(MAX2(left, 0));
}

static ALWAYS_INLINE void
emit(const struct part *t, int x, int y, uint32_t mask)
{
   if (unlikely(t->stipple))
      mask &= t->r->stipple[y / SGD_BLOCK_H % 8][x / SGD_BLOCK_W % 4];
   if (mask)
      sgd_raster_block(t->r, t->prim, t->r->x + x, t->r->y + y, mask);
}

/* All blocks of the box. */
static void
raster_small(const struct part *t)
{
   struct sgd_edge_lanes lanes;

   sgd_edges_lanes(&lanes, &t->edges, 3);
   for (int y = t->y0 & ~(SGD_BLOCK_H - 1); y < t->y1; y += SGD_BLOCK_H) {
      const uint32_t inside = box_rows(t, y);
      struct sgd_edge_row row;

      sgd_edges_row(&row, &lanes, &t->edges, 3, y);
      for (int x = t->x0 & ~(SGD_BLOCK_W - 1); x < t->x1; x += SGD_BLOCK_W)
         emit(t, x, y, sgd_edges_block(&row, &lanes, &t->edges, 3, x) & inside & box_columns(t, x));
   }
}

/* Rows of blocks that meet the box, the first n edges alone. */
static ALWAYS_INLINE void
sort_rows(const struct part *t, struct rows *rows, unsigned n)
{
   const unsigned first = t->x0 / SGD_BLOCK_W, end = (t->x1 - 1) / SGD_BLOCK_W + 1;
   const uint32_t box = ((1u << end) - 1) & ~((1u << first) - 1);
   struct sgd_edge_columns columns;

   sgd_edges_columns(&columns, &t->edges, n);
   for (int k = t->y0 / SGD_BLOCK_H; k <= (t->y1 - 1) / SGD_BLOCK_H; k++) {
      uint32_t full;
      rows->some[k] = sgd_edges_sort(&columns, &t->edges, n, k * SGD_BLOCK_H, &full) & box;
      rows->full[k] = full;
   }
}

/* The blocks of rows first to end - 1, and of `columns` of them. */
static ALWAYS_INLINE void
raster_rows(const struct part *t, const struct rows *rows, const struct sgd_edge_lanes *lanes,
            int first, int end, uint32_t columns, unsigned n)
{
   for (int k = first; k < end; k++) {
      const int y = k * SGD_BLOCK_H;
      const uint32_t inside = box_rows(t, y);
      uint32_t left = rows->some[k] & columns;
      struct sgd_edge_row row;

      sgd_edges_row(&row, lanes, &t->edges, n, y);
      while (left) {
         const unsigned c = u_bit_scan(&left);
         const int x = c * SGD_BLOCK_W;
         uint32_t mask = inside & box_columns(t, x);
         if (!(rows->full[k] >> c & 1))
            mask &= sgd_edges_block(&row, lanes, &t->edges, n, x);
         emit(t, x, y, mask);
      }
   }
}

/* The part in the cell at x, y, a square of `size` pixels. */
static ALWAYS_INLINE void
raster_cell(const struct part *t, const struct rows *rows, const struct sgd_edge_lanes *lanes,
            int x, int y, int size, unsigned n)
{
   const int first = MAX2(y, t->y0) / SGD_BLOCK_H;
   const int end = (MIN2(y + size, t->y1) - 1) / SGD_BLOCK_H + 1;
   const uint32_t columns = ((1u << size / SGD_BLOCK_W) - 1) << x / SGD_BLOCK_W;

   raster_rows(t, rows, lanes, first, end, columns, n);
}

static bool
cell_rejected(const struct part *t, int x, int y)
{
   return sgd_zcull_rejects(t->r, t->prim, MAX2(x, t->x0), MAX2(y, t->y0),
                            MIN2(x + COARSE, t->x1) - 1, MIN2(y + COARSE, t->y1) - 1);
}

/* Boxes of up to 16x16 pixels have no further tests by zcull. */
static ALWAYS_INLINE void
raster_part(const struct part *t, unsigned n)
{
   const bool whole = t->x1 - t->x0 <= COARSE && t->y1 - t->y0 <= COARSE;
   const int size = whole ? SGD_TILE : COARSE;
   const bool tests = t->r->zcull.active && !whole;
   struct sgd_edge_lanes lanes;
   struct rows rows;

   sgd_edges_lanes(&lanes, &t->edges, n);
   sort_rows(t, &rows, n);
   for (int y = t->y0 & ~(size - 1); y < t->y1; y += size) {
      uint32_t columns = 0;

      for (int k = MAX2(y, t->y0) / SGD_BLOCK_H; k <= (MIN2(y + size, t->y1) - 1) / SGD_BLOCK_H;
           k++)
         columns |= rows.some[k];
      for (int x = t->x0 & ~(size - 1); x < t->x1; x += size) {
         if (!(columns >> x / SGD_BLOCK_W & ((1u << size / SGD_BLOCK_W) - 1)))
            continue;
         if (tests && cell_rejected(t, x, y)) {
            t->r->worker->counters[SGPU_COUNTER_ZCULL_BLOCKS]++;
            SGD_OBSERVE(SGD_OBSERVE_REJECTED(t->r, raster_cell(t, &rows, &lanes, x, y, size, n));)
            continue;
         }
         raster_cell(t, &rows, &lanes, x, y, size, n);
      }
   }
}

void
sgd_raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim)
{
   struct part t = {
      .r = r,
      .prim = prim,
      .x0 = MAX2(prim->x0 - r->x, 0),
      .y0 = MAX2(prim->y0 - r->y, 0),
      .x1 = MIN2(prim->x1 - r->x, SGD_TILE),
      .y1 = MIN2(prim->y1 - r->y, SGD_TILE),
      .stipple = r->state->rast.poly_stipple,
   };

   if (r->zcull.active && sgd_zcull_rejects(r, prim, t.x0, t.y0, t.x1 - 1, t.y1 - 1)) {
      r->worker->counters[SGPU_COUNTER_ZCULL_SLICES]++;
      SGD_OBSERVE(SGD_OBSERVE_REJECTED(r, sgd_raster_triangle(r, prim));)
      return;
   }
   const unsigned cuts = sgd_edges_of(&t.edges, prim, r->x, r->y, t.x0, t.y0, t.x1 - t.x0 - 1,
                                      t.y1 - t.y0 - 1);
   if (cuts & SGD_EDGES_OUTSIDE)
      return;

   const int across = ((t.x1 - 1) / SGD_BLOCK_W) - t.x0 / SGD_BLOCK_W + 1;
   const int down = ((t.y1 - 1) / SGD_BLOCK_H) - t.y0 / SGD_BLOCK_H + 1;
   if (across * down <= SMALL) {
      raster_small(&t);
      return;
   }
   switch (util_bitcount(cuts)) {
   case 3:
      raster_part(&t, 3);
      break;
   case 2:
      gather_edges(&t.edges, cuts);
      raster_part(&t, 2);
      break;
   default: /* none: the first is 0 then */
      gather_edges(&t.edges, cuts);
      raster_part(&t, 1);
      break;
   }
}
