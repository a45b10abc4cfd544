/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: triangles, from the tile to blocks of 16x16 and of 8x4 pixels.
 *
 * Edges are evaluated at the tile's first pixel in 64 bits from the unsplit
 * primitive.  Those that leave no pixel of the box outside are dropped.  The values
 * of the others fit 32 bits all over the tile (struct sgd_prim) and are exact,
 * wherever the triangle is split.
 */
#include "raster/sgd_descent.h"

#include "raster/sgd_collect.h"
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

struct edges {
   unsigned n;
   int32_t e[3], a[3], b[3];  /* at the tile's first pixel */
   int32_t lane[3][SGD_WARP]; /* added by the lanes of an 8x4 block */
   int x0, y0, x1, y1;        /* box inside the tile, half open */
};

static inline int32_t
low_corner(int32_t a, int32_t b, int32_t w, int32_t h)
{
   return (a < 0 ? a * w : 0) + (b < 0 ? b * h : 0);
}

static inline int32_t
high_corner(int32_t a, int32_t b, int32_t w, int32_t h)
{
   return (a > 0 ? a * w : 0) + (b > 0 ? b * h : 0);
}

/* Keeps the edges that cut the box.  False if one leaves it outside. */
static bool
setup_edges(struct edges *ed, const struct sgd_raster *r, const struct sgd_prim *prim)
{
   const int w = ed->x1 - ed->x0 - 1, h = ed->y1 - ed->y0 - 1;

   ed->n = 0;
   for (unsigned i = 0; i < 3; i++) {
      const int32_t a = prim->u.tri.a[i], b = prim->u.tri.b[i];
      const int64_t e = prim->u.tri.c[i] + (int64_t)a * (r->x + ed->x0) +
                        (int64_t)b * (r->y + ed->y0);

      if (e + low_corner(a, b, w, h) >= 0)
         continue;
      if (e + high_corner(a, b, w, h) < 0)
         return false;
      ed->a[ed->n] = a;
      ed->b[ed->n] = b;
      ed->e[ed->n] = (int32_t)(e - (int64_t)a * ed->x0 - (int64_t)b * ed->y0);
      ed->n++;
   }
   return true;
}

static void
setup_lanes(struct edges *ed)
{
   for (unsigned i = 0; i < ed->n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i];
      for (unsigned l = 0; l < SGD_WARP; l++)
         ed->lane[i][l] = a * (int32_t)sgd_lane_x(l) + b * (int32_t)sgd_lane_y(l);
   }
}

/* Lanes inside the edges of the block at x, y in the tile. */
static inline uint32_t
coverage(const struct edges *ed, int x, int y)
{
   int32_t v[SGD_WARP];

   switch (ed->n) {
   case 1: {
      const int32_t e0 = ed->e[0] + ed->a[0] * x + ed->b[0] * y;
      for (unsigned l = 0; l < SGD_WARP; l++)
         v[l] = e0 + ed->lane[0][l];
      break;
   }
   case 2: {
      const int32_t e0 = ed->e[0] + ed->a[0] * x + ed->b[0] * y;
      const int32_t e1 = ed->e[1] + ed->a[1] * x + ed->b[1] * y;
      for (unsigned l = 0; l < SGD_WARP; l++)
         v[l] = (e0 + ed->lane[0][l]) | (e1 + ed->lane[1][l]);
      break;
   }
   case 3: {
      const int32_t e0 = ed->e[0] + ed->a[0] * x + ed->b[0] * y;
      const int32_t e1 = ed->e[1] + ed->a[1] * x + ed->b[1] * y;
      const int32_t e2 = ed->e[2] + ed->a[2] * x + ed->b[2] * y;
      for (unsigned l = 0; l < SGD_WARP; l++)
         v[l] = (e0 + ed->lane[0][l]) | (e1 + ed->lane[1][l]) | (e2 + ed->lane[2][l]);
      break;
   }
   default:
      return ~0u;
   }
   return ~sgd_negative32(v);
}

static inline void
emit(struct sgd_raster *r, const struct sgd_prim *prim, const struct edges *ed, int x, int y,
     uint32_t mask)
{
   mask &= sgd_lanes_box(x, y, ed->x0, ed->y0, ed->x1, ed->y1);
   if (r->state->rast.poly_stipple)
      mask &= r->stipple[y / SGD_BLOCK_H % 8][x / SGD_BLOCK_W % 4];
   if (mask)
      sgd_raster_block(r, prim, r->x + x, r->y + y, mask);
}

/* The 16x16 blocks of the tile that no edge leaves outside: bit 4 * row +
 * column.  *full: those that no edge cuts.
 */
static uint32_t
descend(const struct edges *ed, uint32_t *full)
{
   int32_t high[16] = { 0 }, low[16] = { 0 };

   for (unsigned i = 0; i < ed->n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i], e = ed->e[i];
      const int32_t to_high = high_corner(a, b, COARSE - 1, COARSE - 1);
      const int32_t to_low = low_corner(a, b, COARSE - 1, COARSE - 1);

      for (unsigned k = 0; k < 16; k++) {
         const int32_t v = e + a * COARSE * (int32_t)(k & 3) + b * COARSE * (int32_t)(k >> 2);
         high[k] |= v + to_high;
         low[k] |= v + to_low;
      }
   }
   *full = ~sgd_negative16(low) & 0xffff;
   return ~sgd_negative16(high) & 0xffff;
}

/* The 8x4 blocks of a 16x16 one at x, y. */
static void
raster_coarse(struct sgd_raster *r, const struct sgd_prim *prim, const struct edges *ed, int x,
              int y, bool full)
{
   if (r->zcull.active &&
       sgd_zcull_rejects(r, prim, MAX2(x, ed->x0), MAX2(y, ed->y0), MIN2(x + COARSE, ed->x1) - 1,
                         MIN2(y + COARSE, ed->y1) - 1)) {
      r->worker->counters[SGPU_COUNTER_ZCULL_BLOCKS]++;
      SGD_OBSERVE(SGD_OBSERVE_REJECTED(r, raster_coarse(r, prim, ed, x, y, full));)
      return;
   }
   for (int by = y; by < y + COARSE; by += SGD_BLOCK_H) {
      if (by + SGD_BLOCK_H <= ed->y0 || by >= ed->y1)
         continue;
      for (int bx = x; bx < x + COARSE; bx += SGD_BLOCK_W)
         emit(r, prim, ed, bx, by, full ? ~0u : coverage(ed, bx, by));
   }
}

void
sgd_raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim)
{
   struct edges ed; /* only the first ed.n edges are set */
   ed.x0 = MAX2(prim->x0 - r->x, 0);
   ed.y0 = MAX2(prim->y0 - r->y, 0);
   ed.x1 = MIN2(prim->x1 - r->x, SGD_TILE);
   ed.y1 = MIN2(prim->y1 - r->y, SGD_TILE);

   if (r->zcull.active && sgd_zcull_rejects(r, prim, ed.x0, ed.y0, ed.x1 - 1, ed.y1 - 1)) {
      r->worker->counters[SGPU_COUNTER_ZCULL_SLICES]++;
      SGD_OBSERVE(SGD_OBSERVE_REJECTED(r, sgd_raster_triangle(r, prim));)
      return;
   }
   if (!setup_edges(&ed, r, prim))
      return;
   setup_lanes(&ed);

   if (ed.x1 - ed.x0 <= COARSE && ed.y1 - ed.y0 <= COARSE) {
      for (int y = ed.y0 & ~(SGD_BLOCK_H - 1); y < ed.y1; y += SGD_BLOCK_H) {
         for (int x = ed.x0 & ~(SGD_BLOCK_W - 1); x < ed.x1; x += SGD_BLOCK_W)
            emit(r, prim, &ed, x, y, coverage(&ed, x, y));
      }
      return;
   }

   uint32_t full;
   uint32_t some = descend(&ed, &full);
   while (some) {
      const unsigned k = u_bit_scan(&some);
      const int x = (k & 3) * COARSE, y = (k >> 2) * COARSE;
      if (x + COARSE > ed.x0 && x < ed.x1 && y + COARSE > ed.y0 && y < ed.y1)
         raster_coarse(r, prim, &ed, x, y, full >> k & 1);
   }
}
