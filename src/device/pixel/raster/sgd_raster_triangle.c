/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: triangles. Divides the tile into 16x16 and 8x4 blocks.
 *
 * For small triangles, triangle setup has already computed the covered lanes.
 *
 * A narrow triangle is evaluated only once if its bounding box fits in an 8x4 rectangle of pixels
 * that starts at any quad, regardless of block boundaries. If the box has at most 16x16 pixels or
 * at most FEW blocks, it is evaluated block by block.
 *
 * For larger boxes, the edges are evaluated at the tile's first pixel in 64 bits, from the
 * unclipped primitive. Edges with no pixel of the box on their outer side are dropped. The values
 * of the other edges fit in 32 bits in the whole tile (struct sgd_prim) and don't depend on how the
 * triangle is divided into tiles. The edges first classify the blocks of each row of the tile. Then
 * bands of four rows are processed in 16x16 blocks.
 *
 * The covered blocks are collected in a list and drawn together.
 */
#include "pixel/raster/sgd_descent.h"

#include <assert.h>

#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_edges.h"
#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_raster_observe.h"
#include "pixel/raster/sgd_stencil_block.h"
#include "pixel/raster/sgd_whole.h"
#include "pixel/raster/sgd_window_rects.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_lanes.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Width and height of a zcull block, in pixels. */
#define COARSE 16
/* Mask of the 8x4 blocks in the first zcull block of a band (see struct sgd_edge_grid). */
#define COARSE_BLOCKS 0x03030303u
/* Maximum number of 8x4 blocks in a bounding box that is evaluated block by block. */
#define SMALL 9
#define FEW 4 /* the same limit for boxes that are wider or taller than COARSE pixels */

static_assert(SGD_ROW_BLOCKS * SGD_BLOCK_W == SGD_TILE, "");
static_assert(SGD_TILE_ROWS * SGD_BLOCK_H == SGD_TILE, "");
static_assert(COARSE == 4 * SGD_BLOCK_H && COARSE == 2 * SGD_BLOCK_W, "");

/* The part of a triangle that is inside the tile. Coordinates are unsigned, so that divisions
 * compile to shifts.
 */
struct part {
   struct sgd_raster *r;
   const struct sgd_prim *prim;
   unsigned x0, y0, x1, y1; /* bounding box in the tile, in pixels; x1 and y1 are inclusive */
   /* bounding box in the tile, in 8x4 blocks; bx1 and by1 are inclusive */
   unsigned bx0, by0, bx1, by1;
   bool masked; /* set if the polygon stipple or window rectangles drop pixels */
   /* mask of the zcull blocks in which pixels of the triangle might pass the depth test; bits of
    * blocks outside the bounding box are undefined
    */
   uint32_t alive;
   struct sgd_edges edges;
};

/* List of the covered 8x4 blocks of the tile, in drawing order. */
struct list {
   struct sgd_cover cover[SGD_ROW_BLOCKS * SGD_TILE_ROWS];
   unsigned n;
};

/* Lane masks of the triangle's bounding box, for each column and each row of 8x4 blocks. A lane is
 * inside the box if it is in both masks.
 */
struct box_lanes {
   _Alignas(32) uint32_t column[SGD_ROW_BLOCKS];
   _Alignas(32) uint32_t row[SGD_TILE_ROWS];
};

/* Moves the edges in the mask `cuts`, which cut the bounding box, to the front of the arrays. */
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

static ALWAYS_INLINE void
box_lanes(const struct part *t, struct box_lanes *b)
{
   for (unsigned i = 0; i < SGD_ROW_BLOCKS; i++)
      b->column[i] = ~0u;
   for (unsigned i = 0; i < SGD_TILE_ROWS; i++)
      b->row[i] = ~0u;
   b->column[t->bx0] = ~sgd_lanes_left(t->x0 % SGD_BLOCK_W);
   b->column[t->bx1] &= sgd_lanes_left(t->x1 % SGD_BLOCK_W + 1);
   b->row[t->by0] = ~sgd_lanes_above(t->y0 % SGD_BLOCK_H);
   b->row[t->by1] &= sgd_lanes_above(t->y1 % SGD_BLOCK_H + 1);
}

/* Returns the lanes of a block that the polygon stipple and window rectangles keep. */
static __attribute__((noinline)) uint32_t
kept_lanes(const struct sgd_raster *r, unsigned column, unsigned row)
{
   return (r->pixel.state->rast.poly_stipple ? r->stipple[row % 8][column % 4] : ~0u) &
          (r->cut ? r->inside[row][column] : ~0u);
}

/* Appends the block in the given column and row of the tile to the list, unless `mask` is 0. */
static ALWAYS_INLINE void
add_block(const struct part *t, struct list *list, unsigned column, unsigned row, uint32_t mask)
{
   if (unlikely(t->masked))
      mask &= kept_lanes(t->r, column, row);
   list->cover[list->n] = (struct sgd_cover){
      .mask = mask,
      .x = t->r->x + column * SGD_BLOCK_W,
      .y = t->r->y + row * SGD_BLOCK_H,
   };
   list->n += mask != 0;
}

static ALWAYS_INLINE void
draw(const struct part *t, struct list *list)
{
   if (list->n)
      sgd_raster_blocks(t->r, t->prim, list->cover, list->n);
   list->n = 0;
}

/* Draws a triangle whose bounding box is inside the 8x4 rectangle of pixels at x, y of the tile.
 * Returns false without drawing anything if sgd_raster_quads() returns false.
 */
static ALWAYS_INLINE bool
raster_window(const struct part *t, unsigned x, unsigned y)
{
   const uint32_t columns = sgd_lanes_left(t->x1 - x + 1) & ~sgd_lanes_left(t->x0 - x);
   const uint32_t rows = sgd_lanes_above(t->y1 - y + 1) & ~sgd_lanes_above(t->y0 - y);
   uint32_t mask;

   sgd_edges_blocks(t->prim, t->r->x + x, t->r->y + y, 1, 1, &mask);
   mask &= columns & rows;
   return !mask || sgd_raster_quads(t->r, t->prim, t->r->x + x, t->r->y + y, mask);
}

/* Draws a triangle by evaluating every block of its bounding box. */
static __attribute__((noinline)) void
raster_small(const struct part *t)
{
   const unsigned columns = t->bx1 - t->bx0 + 1, rows = t->by1 - t->by0 + 1;
   uint32_t mask[SMALL], *m = mask;
   struct box_lanes box;
   struct list list;

   list.n = 0;
   box_lanes(t, &box);
   sgd_edges_blocks(t->prim, t->r->x + t->bx0 * SGD_BLOCK_W, t->r->y + t->by0 * SGD_BLOCK_H,
                    columns, rows, mask);
   for (unsigned y = t->by0; y <= t->by1; y++) {
      for (unsigned x = t->bx0; x <= t->bx1; x++)
         add_block(t, &list, x, y, *m++ & box.column[x] & box.row[y]);
   }
   draw(t, &list);
}

/* Computes the coverage of the blocks in the mask `blocks` of a band, and appends the covered
 * blocks to the list. n is the number of edges.
 */
static ALWAYS_INLINE void
cover(const struct part *t, struct list *list, const struct box_lanes *box,
      const struct sgd_edge_grid *grid, const struct sgd_edge_lanes *lanes, unsigned band,
      uint32_t blocks, unsigned n)
{
   const uint32_t full = grid->full[band];

   while (blocks) {
      const unsigned k = u_bit_scan(&blocks);
      const unsigned column = k % 8, row = band * 4 + k / 8;
      uint32_t mask = box->column[column] & box->row[row];

      if (!(full >> k & 1))
         mask &= sgd_edges_inside(lanes, n, &grid->at[0][row][column], SGD_GRID_STRIDE);
      add_block(t, list, column, row, mask);
   }
}

/* Returns true if the triangle covers the whole 16x16 zcull block. `full` is the mask of the band's
 * 8x4 blocks that are inside all edges.
 */
static ALWAYS_INLINE bool
is_covered(const struct part *t, uint32_t full, unsigned column, unsigned band)
{
   const uint32_t all = COARSE_BLOCKS << column;
   const unsigned x = column * SGD_BLOCK_W, y = band * COARSE;

   return (full & all) == all && x >= t->x0 && x + COARSE - 1 <= t->x1 && y >= t->y0 &&
          y + COARSE - 1 <= t->y1 && !t->masked;
}

/* Returns true if the block qualifies for sgd_raster_whole(). */
static ALWAYS_INLINE bool
is_whole(const struct part *t, uint32_t full, unsigned column, unsigned band)
{
   const struct sgd_raster *r = t->r;

   return sgd_raster_has(r, SGPU_PATH_WHOLE) && is_covered(t, full, column, band) &&
          (r->early ||
           (r->targets.unstored >> sgd_meta_block(column * SGD_BLOCK_W, band * COARSE) & 1));
}

/* Draws a block that the triangle covers, if its pixels have one stencil value. */
static __attribute__((noinline)) bool
draw_stencil(const struct part *t, struct list *list, unsigned column, unsigned band)
{
   const unsigned k = sgd_meta_block(column * SGD_BLOCK_W, band * COARSE);

   if (!sgd_stencil_is_one(t->r, t->prim, k))
      return false;
   draw(t, list);
   sgd_stencil_block(t->r, t->prim, k);
   return true;
}

/* Draws the part of a triangle that is in the tile. n edges cut its bounding box. If the box has at
 * most 16x16 pixels, zcull doesn't test its 16x16 blocks one by one.
 */
static ALWAYS_INLINE void
raster_part(const struct part *t, unsigned n)
{
   const bool whole = t->x1 - t->x0 < COARSE && t->y1 - t->y0 < COARSE;
   const uint32_t columns = (2u << t->bx1) - (1u << t->bx0);
   struct sgd_edge_lanes lanes;
   struct sgd_edge_grid grid;
   struct box_lanes box;
   struct list list;

   list.n = 0;
   box_lanes(t, &box);
   sgd_edges_lanes(&lanes, &t->edges, n);
   sgd_edges_grid(&grid, &t->edges, n, t->by0, t->by1 + 1);
   for (unsigned band = t->by0 / 4; band <= t->by1 / 4; band++) {
      const uint32_t some = grid.some[band] & columns * 0x01010101;

      if (whole) {
         cover(t, &list, &box, &grid, &lanes, band, some, n);
         continue;
      }
      for (unsigned x = t->bx0 & ~1u; x <= t->bx1; x += 2) {
         const uint32_t blocks = some & COARSE_BLOCKS << x;

         if (!blocks)
            continue;
         if (unlikely(!(t->alive >> (band * 4 + x / 2) & 1))) {
            t->r->pixel.worker->counters[SGPU_COUNTER_ZCULL_BLOCKS]++;
            if (SGD_OBSERVED_LEVEL)
               draw(t, &list);
            if (SGD_OBSERVED_LEVEL && sgd_observe_rejected_begin(t->r)) {
               cover(t, &list, &box, &grid, &lanes, band, blocks, n);
               draw(t, &list);
               sgd_observe_rejected_end(t->r);
            }
            continue;
         }
         if (is_whole(t, grid.full[band], x, band)) {
            draw(t, &list);
            if (sgd_raster_whole(t->r, t->prim, sgd_meta_block(x * SGD_BLOCK_W, band * COARSE)))
               continue;
         }
         if (unlikely(t->r->stencil.active) && is_covered(t, grid.full[band], x, band) &&
             draw_stencil(t, &list, x, band))
            continue;
         cover(t, &list, &box, &grid, &lanes, band, blocks, n);
      }
   }
   draw(t, &list);
}

static __attribute__((noinline)) void
raster_large(struct part *t)
{
   const struct sgd_raster *r = t->r;
   const unsigned cuts = sgd_edges_of(&t->edges, t->prim, r->x, r->y, t->x0, t->y0, t->x1 - t->x0,
                                      t->y1 - t->y0);

   if (cuts & SGD_EDGES_OUTSIDE)
      return;
   switch (util_bitcount(cuts)) {
   case 3:
      raster_part(t, 3);
      break;
   case 2:
      gather_edges(&t->edges, cuts);
      raster_part(t, 2);
      break;
   default: /* If no edge cuts the bounding box, edge 0 is 0, so that every pixel is inside. */
      gather_edges(&t->edges, cuts);
      raster_part(t, 1);
      break;
   }
}

/* Draws a triangle with the lane mask that triangle setup has already computed. Returns false
 * without drawing anything if sgd_raster_quads() returns false.
 */
static ALWAYS_INLINE bool
raster_covered(struct sgd_raster *r, const struct sgd_prim *prim)
{
   if (r->zcull.active && sgd_zcull_rejects_small(r, prim, prim->x0 - r->x, prim->y0 - r->y,
                                                  prim->x1 - 1 - r->x, prim->y1 - 1 - r->y)) {
      r->pixel.worker->counters[SGPU_COUNTER_ZCULL_SLICES]++;
      return true;
   }
   return sgd_raster_quads(r, prim, sgd_cover_x(prim->x0), sgd_cover_y(prim->y0), prim->cover);
}

/* Returns true if zcull rejects the triangle in this tile. `tiny` is set if the bounding box has at
 * most 8x4 pixels.
 */
static ALWAYS_INLINE bool
is_rejected(struct part *t, bool tiny)
{
   if (tiny)
      return sgd_zcull_rejects_small(t->r, t->prim, t->x0, t->y0, t->x1, t->y1);
   if (sgd_meta_block(t->x0, t->y0) == sgd_meta_block(t->x1, t->y1))
      return sgd_zcull_rejects(t->r, t->prim, t->x0, t->y0, t->x1, t->y1);
   t->alive = sgd_zcull_alive(t->r, t->prim, t->x0, t->y0, t->x1, t->y1);
   return !t->alive;
}

void
sgd_raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim)
{
   struct part t;

   if (prim->cover && sgd_collects_quads(r) && !r->masked && raster_covered(r, prim))
      return;

   t.r = r;
   t.prim = prim;
   t.x0 = MAX2(prim->x0 - r->x, 0);
   t.y0 = MAX2(prim->y0 - r->y, 0);
   t.x1 = MIN2(prim->x1 - r->x, SGD_TILE) - 1;
   t.y1 = MIN2(prim->y1 - r->y, SGD_TILE) - 1;
   t.masked = r->masked;
   t.bx0 = t.x0 / SGD_BLOCK_W;
   t.bx1 = t.x1 / SGD_BLOCK_W;
   t.by0 = t.y0 / SGD_BLOCK_H;
   t.by1 = t.y1 / SGD_BLOCK_H;

   /* Draw boxes of few blocks block by block. The limits are such that raster_part() would draw the
    * blocks in the same order.
    */
   const unsigned blocks = (t.bx1 - t.bx0 + 1) * (t.by1 - t.by0 + 1);
   const bool near = t.x1 - t.x0 < COARSE && t.y1 - t.y0 < COARSE;
   const bool small = prim->narrow && blocks <= (near ? SMALL : FEW);
   const bool tiny = t.x1 - t.x0 < SGD_BLOCK_W && t.y1 - t.y0 < SGD_BLOCK_H;
   t.alive = ~0u;
   if (r->zcull.active && is_rejected(&t, tiny)) {
      r->pixel.worker->counters[SGPU_COUNTER_ZCULL_SLICES]++;
      if (SGD_OBSERVED_LEVEL && sgd_observe_rejected_begin(r)) {
         sgd_raster_triangle(r, prim);
         sgd_observe_rejected_end(r);
      }
      return;
   }
   if (!small) {
      raster_large(&t);
      return;
   }

   /* First pixel of the 8x4 rectangle, which starts at a quad and must be inside the tile. */
   const unsigned x = MIN2(t.x0 & ~1u, SGD_TILE - SGD_BLOCK_W);
   const unsigned y = MIN2(t.y0 & ~1u, SGD_TILE - SGD_BLOCK_H);

   if (!sgd_collects_quads(r) || t.x1 - x >= SGD_BLOCK_W || t.y1 - y >= SGD_BLOCK_H || t.masked ||
       !raster_window(&t, x, y))
      raster_small(&t);
}
