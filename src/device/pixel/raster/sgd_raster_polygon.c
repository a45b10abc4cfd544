/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: smooth polygons. Each part of a polygon is bounded by its edges and by the
 * dividing lines in struct sgd_outline. Edges that don't cut the part's bounding box in the tile
 * are dropped. The values of all other edges fit in 32 bits in the whole tile, as for triangles.
 */
#include "pixel/raster/sgd_descent.h"

#include <assert.h>

#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_raster.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "util/macros.h"

#define MAX_EDGES 128

struct cuts {
   unsigned n;
   /* edge values at the tile's first pixel (e), and their gradients in x (a) and y (b) */
   int32_t e[MAX_EDGES], a[MAX_EDGES], b[MAX_EDGES];
};

/* Adds an edge if it cuts the bounding box of the polygon's part in the tile. Returns false if the
 * whole box is outside the edge.
 */
static bool
add_cut(struct cuts *cuts, const struct sgd_raster *r, int64_t c, int32_t a, int32_t b, int x0,
        int y0, int x1, int y1)
{
   const int64_t e = c + (int64_t)a * r->x + (int64_t)b * r->y;
   const int64_t low = e + (int64_t)a * (a < 0 ? x1 : x0) + (int64_t)b * (b < 0 ? y1 : y0);
   const int64_t high = e + (int64_t)a * (a > 0 ? x1 : x0) + (int64_t)b * (b > 0 ? y1 : y0);

   if (high < 0)
      return false;
   if (low < 0) {
      assert(cuts->n < MAX_EDGES);
      cuts->e[cuts->n] = (int32_t)e;
      cuts->a[cuts->n] = a;
      cuts->b[cuts->n] = b;
      cuts->n++;
   }
   return true;
}

void
sgd_raster_polygon(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const struct sgd_outline *o = prim->u.poly.outline;
   const int x0 = MAX2(prim->x0 - r->x, 0), x1 = MIN2(prim->x1 - r->x, SGD_TILE);
   const int y0 = MAX2(prim->y0 - r->y, 0), y1 = MIN2(prim->y1 - r->y, SGD_TILE);
   struct cuts cuts;

   cuts.n = 0;
   for (unsigned i = 0; i < o->num_corners; i++) {
      if (!add_cut(&cuts, r, o->edge[i].c, o->edge[i].a, o->edge[i].b, x0, y0, x1 - 1, y1 - 1))
         return;
   }
   for (unsigned i = 0; i <= prim->u.poly.part && i < o->num_lines; i++) {
      const struct sgd_edge *l = &o->line[i];
      const bool inside = i < prim->u.poly.part
                             ? add_cut(&cuts, r, l->c, l->a, l->b, x0, y0, x1 - 1, y1 - 1)
                             : add_cut(&cuts, r, -l->c - 1, -l->a, -l->b, x0, y0, x1 - 1, y1 - 1);
      if (!inside)
         return;
   }

   for (int y = y0 & ~(SGD_BLOCK_H - 1); y < y1; y += SGD_BLOCK_H) {
      for (int x = x0 & ~(SGD_BLOCK_W - 1); x < x1; x += SGD_BLOCK_W) {
         int32_t v[SGD_WARP] = { 0 };

         for (unsigned i = 0; i < cuts.n; i++) {
            const int32_t a = cuts.a[i], b = cuts.b[i], e = cuts.e[i] + a * x + b * y;
            for (unsigned l = 0; l < SGD_WARP; l++)
               v[l] |= e + a * (int32_t)sgd_lane_x(l) + b * (int32_t)sgd_lane_y(l);
         }
         uint32_t mask = ~sgd_negative32(v) & sgd_lanes_box(x, y, x0, y0, x1, y1);
         if (r->pixel.state->rast.poly_stipple)
            mask &= r->stipple[y / SGD_BLOCK_H % 8][x / SGD_BLOCK_W % 4];
         if (mask)
            sgd_raster_block(r, prim, r->x + x, r->y + y, mask);
      }
   }
}
