/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: edge functions of a triangle in a tile, evaluated for 8x4 blocks.
 *
 * There are two implementations with identical results: plain loops for any host, and AVX2. All
 * values are exact in 32 bits, because edges that don't cut the tile are dropped (see struct
 * sgd_prim).
 */
#ifndef SGD_EDGES_H
#define SGD_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "util/macros.h"

/* Size of a tile in 8x4 blocks: number of blocks in a row, and number of rows. */
#define SGD_ROW_BLOCKS 8
#define SGD_TILE_ROWS 16

/* Values of a triangle's edge functions at the tile's first pixel, and their gradients. Edges with
 * no pixel on their outer side are set to 0, so that every pixel counts as inside.
 */
struct sgd_edges {
   _Alignas(16) int32_t e[4]; /* value of each edge; the fourth element is unused */
   _Alignas(16) int32_t a[4];
   _Alignas(16) int32_t b[4];
};

/* Edge values and coverage of the 8x4 blocks in rows `first` to `end` - 1 of a tile. Each element
 * of a mask array describes a band of four rows of blocks: bit 8 * k + i is block i in row k of the
 * band. Bits of rows outside the range are 0.
 */
struct sgd_edge_grid {
   /* edge values at the first pixel of each block */
   _Alignas(32) int32_t at[3][SGD_TILE_ROWS][SGD_ROW_BLOCKS];
   /* mask of the blocks that might have pixels inside the triangle */
   _Alignas(16) uint32_t some[SGD_TILE_ROWS / 4];
   /* mask of the blocks that are completely inside the triangle */
   _Alignas(16) uint32_t full[SGD_TILE_ROWS / 4];
};
/* Distance between two successive edges in sgd_edge_grid.at[], in array elements. */
#define SGD_GRID_STRIDE (SGD_TILE_ROWS * SGD_ROW_BLOCKS)

static inline int32_t
sgd_edge_low(int32_t a, int32_t b, int32_t w, int32_t h)
{
   return (a < 0 ? a * w : 0) + (b < 0 ? b * h : 0);
}

static inline int32_t
sgd_edge_high(int32_t a, int32_t b, int32_t w, int32_t h)
{
   return (a > 0 ? a * w : 0) + (b > 0 ? b * h : 0);
}

/*
 * sgd_edges_of(): computes the edges of a triangle in the tile whose first pixel is x, y. The
 * bounding box has w + 1 by h + 1 pixels and starts at pixel x0, y0 of the tile. Edges with no
 * pixel of the box on their outer side are set to 0. Returns a mask of the edges that cut the box
 * (bit i for edge i), plus SGD_EDGES_OUTSIDE if the whole box is outside of an edge.
 *
 * struct sgd_edge_lanes, sgd_edges_lanes(): change of the values of edges 0 to n - 1 from a block's
 * first pixel to each lane.
 *
 * sgd_edges_inside(): returns the lanes of a block that are inside edges 0 to n - 1. e[i * stride]
 * is the value of edge i at the block's first pixel.
 *
 * sgd_edges_grid(): computes the grid for edges 0 to n - 1.
 *
 * sgd_edges_blocks(): computes the coverage of a narrow triangle (SGD_NARROW) in `columns` by
 * `rows` blocks of 8x4 pixels. The first block starts at pixel x, y of the target, and the tile
 * must touch the triangle's bounding box. Writes one lane mask per block in row-major order.
 * Intermediate sums may wrap around, but the final values fit in 32 bits.
 */
#define SGD_EDGES_OUTSIDE 8u

#if defined(__AVX2__)
#include "pixel/raster/sgd_edges_avx2.h"
#else

static ALWAYS_INLINE unsigned
sgd_edges_of(struct sgd_edges *ed, const struct sgd_prim *prim, int x, int y, int x0, int y0, int w,
             int h)
{
   unsigned cuts = 0;

   for (unsigned i = 0; i < 3; i++) {
      const int32_t a = prim->u.tri.a[i], b = prim->u.tri.b[i];
      const int64_t first = prim->u.tri.c[i] + (int64_t)a * x + (int64_t)b * y;
      const int64_t e = first + (int64_t)a * x0 + (int64_t)b * y0;
      const bool cut = e + sgd_edge_low(a, b, w, h) < 0;

      cuts |= (unsigned)cut << i;
      cuts |= e + sgd_edge_high(a, b, w, h) < 0 ? SGD_EDGES_OUTSIDE : 0;
      ed->a[i] = cut ? a : 0;
      ed->b[i] = cut ? b : 0;
      ed->e[i] = cut ? (int32_t)first : 0;
   }
   return cuts;
}

struct sgd_edge_lanes {
   int32_t v[3][SGD_WARP];
};

static ALWAYS_INLINE void
sgd_edges_lanes(struct sgd_edge_lanes *lanes, const struct sgd_edges *ed, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i];
      for (unsigned l = 0; l < SGD_WARP; l++)
         lanes->v[i][l] = a * (int32_t)sgd_lane_x(l) + b * (int32_t)sgd_lane_y(l);
   }
}

static ALWAYS_INLINE uint32_t
sgd_edges_inside(const struct sgd_edge_lanes *lanes, unsigned n, const int32_t *e, unsigned stride)
{
   int32_t v[SGD_WARP];

   for (unsigned l = 0; l < SGD_WARP; l++) {
      v[l] = e[0] + lanes->v[0][l];
      if (n > 1)
         v[l] |= e[stride] + lanes->v[1][l];
      if (n > 2)
         v[l] |= e[2 * stride] + lanes->v[2][l];
   }
   return ~sgd_negative32(v);
}

static ALWAYS_INLINE void
sgd_edges_grid(struct sgd_edge_grid *grid, const struct sgd_edges *ed, unsigned n, unsigned first,
               unsigned end)
{
   int32_t high[3], low[3];

   for (unsigned i = 0; i < n; i++) {
      high[i] = sgd_edge_high(ed->a[i], ed->b[i], SGD_BLOCK_W - 1, SGD_BLOCK_H - 1);
      low[i] = sgd_edge_low(ed->a[i], ed->b[i], SGD_BLOCK_W - 1, SGD_BLOCK_H - 1);
   }
   for (unsigned k = 0; k < SGD_TILE_ROWS / 4; k++)
      grid->some[k] = grid->full[k] = 0;
   for (unsigned k = first; k < end; k++) {
      int32_t v[16] = { 0 };

      for (unsigned i = 0; i < n; i++) {
         const int32_t e = ed->e[i] + ed->b[i] * SGD_BLOCK_H * (int32_t)k;
         for (unsigned c = 0; c < SGD_ROW_BLOCKS; c++) {
            const int32_t at = e + ed->a[i] * SGD_BLOCK_W * (int32_t)c;
            grid->at[i][k][c] = at;
            v[c] |= at + high[i];
            v[8 + c] |= at + low[i];
         }
      }
      const uint32_t inside = ~sgd_negative16(v);
      grid->some[k / 4] |= (inside & 0xff) << k % 4 * 8;
      grid->full[k / 4] |= (inside >> 8 & 0xff) << k % 4 * 8;
   }
}

static ALWAYS_INLINE void
sgd_edges_blocks(const struct sgd_prim *prim, unsigned x, unsigned y, unsigned columns,
                 unsigned rows, uint32_t *mask)
{
   for (unsigned n = 0; n < columns * rows; n++) {
      int32_t v[SGD_WARP] = { 0 };

      for (unsigned i = 0; i < 3; i++) {
         const uint32_t a = prim->u.tri.a[i], b = prim->u.tri.b[i];
         const uint32_t e = (uint32_t)prim->u.tri.c[i] + a * (x + n % columns * SGD_BLOCK_W) +
                            b * (y + n / columns * SGD_BLOCK_H);
         for (unsigned l = 0; l < SGD_WARP; l++)
            v[l] |= (int32_t)(e + a * sgd_lane_x(l) + b * sgd_lane_y(l));
      }
      mask[n] = ~sgd_negative32(v);
   }
}

#endif

#endif
