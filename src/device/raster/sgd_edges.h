/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: edge functions of a triangle in a tile, for blocks of 8x4 pixels.
 *
 * There are two implementations with the same results: loops for any host, and AVX2.
 * All values are exact in 32 bits: the edges cut the tile (struct sgd_prim).
 */
#ifndef SGD_EDGES_H
#define SGD_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_lanes.h"
#include "sgd_prim.h"
#include "util/macros.h"

/* Blocks in a row of the tile. */
#define SGD_ROW_BLOCKS 8

/* Values at the tile's first pixel and their gradients.  Edges that do not count are 0: all
 * pixels are inside of them.
 */
struct sgd_edges {
   int32_t e[4], a[4], b[4]; /* of three; the fourth is not used */
};

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
 * sgd_edges_of(): the edges of a triangle in the tile whose first pixel is x, y.  Those that
 * leave no pixel of the box outside are 0.  Returns those that cut the box, bit i for edge i,
 * and SGD_EDGES_OUTSIDE if one leaves all of it outside.  The box has w + 1 by h + 1 pixels from
 * x0, y0 in the tile.
 *
 * struct sgd_edge_lanes, sgd_edges_lanes(): values in the tile's first block.
 *
 * struct sgd_edge_row, sgd_edges_row(): the same in the first block of the row at y in the tile.
 *
 * sgd_edges_block(): the lanes inside of edges 0 to n - 1 of the block at x of that row.
 *
 * struct sgd_edge_columns, sgd_edges_columns(): greatest and least values in the blocks of a row.
 *
 * sgd_edges_sort(): of the row of blocks at y, those that no edge leaves outside, bit k for the
 * block at x = 8 k.  *full: those that no edge cuts.
 */
#define SGD_EDGES_OUTSIDE 8u

#if defined(__AVX2__)
#include "raster/sgd_edges_avx2.h"
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

struct sgd_edge_row {
   int32_t e[3];
};

static ALWAYS_INLINE void
sgd_edges_row(struct sgd_edge_row *row, const struct sgd_edge_lanes *lanes,
              const struct sgd_edges *ed, unsigned n, int y)
{
   for (unsigned i = 0; i < n; i++)
      row->e[i] = ed->e[i] + ed->b[i] * y;
}

static ALWAYS_INLINE uint32_t
sgd_edges_block(const struct sgd_edge_row *row, const struct sgd_edge_lanes *lanes,
                const struct sgd_edges *ed, unsigned n, int x)
{
   int32_t e[3] = { 0 }, v[SGD_WARP];

   for (unsigned i = 0; i < n; i++)
      e[i] = row->e[i] + ed->a[i] * x;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      v[l] = e[0] + lanes->v[0][l];
      if (n > 1)
         v[l] |= e[1] + lanes->v[1][l];
      if (n > 2)
         v[l] |= e[2] + lanes->v[2][l];
   }
   return ~sgd_negative32(v);
}

struct sgd_edge_columns {
   int32_t high[3][SGD_ROW_BLOCKS]; /* at the corner of each block where the edge is greatest */
   int32_t to_low[3];               /* from there to the corner where it is least */
};

static ALWAYS_INLINE void
sgd_edges_columns(struct sgd_edge_columns *c, const struct sgd_edges *ed, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i];
      const int32_t high = sgd_edge_high(a, b, SGD_BLOCK_W - 1, SGD_BLOCK_H - 1);
      for (unsigned k = 0; k < SGD_ROW_BLOCKS; k++)
         c->high[i][k] = ed->e[i] + high + a * SGD_BLOCK_W * (int32_t)k;
      c->to_low[i] = sgd_edge_low(a, b, SGD_BLOCK_W - 1, SGD_BLOCK_H - 1) - high;
   }
}

static ALWAYS_INLINE uint32_t
sgd_edges_sort(const struct sgd_edge_columns *c, const struct sgd_edges *ed, unsigned n, int y,
               uint32_t *full)
{
   int32_t v[16] = { 0 };

   for (unsigned i = 0; i < n; i++) {
      const int32_t e = ed->b[i] * y, to_low = c->to_low[i];
      for (unsigned k = 0; k < SGD_ROW_BLOCKS; k++) {
         v[k] |= e + c->high[i][k];
         v[8 + k] |= e + c->high[i][k] + to_low;
      }
   }
   const uint32_t negative = sgd_negative16(v);
   *full = ~negative >> 8 & 0xff;
   return ~negative & 0xff;
}

#endif

#endif
