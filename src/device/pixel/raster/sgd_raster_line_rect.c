/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: smooth lines. A pixel gets a fragment if its square intersects the line rectangle.
 * For stippled lines, the square must intersect a part of the rectangle that the stipple pattern
 * enables.
 */
#include "pixel/raster/sgd_descent.h"

#include "pixel/shading/sgd_coverage.h"
#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_raster.h"
#include "common/sgd_lanes.h"
#include "common/sgd_line_rect.h"
#include "common/sgd_prim.h"
#include "util/macros.h"

static uint32_t
stippled(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask)
{
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      float coverage[4];

      if (!(mask >> 4 * q & 15))
         continue;
      sgd_coverage(&r->pixel, prim, x + (q & 3) * 2, y + (q >> 2) * 2, coverage);
      for (unsigned i = 0; i < 4; i++)
         mask &= ~((uint32_t)(coverage[i] == 0.0f) << (4 * q + i));
   }
   return mask;
}

void
sgd_raster_line_rect(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const struct sgd_line_rect rect = sgd_line_rect(prim);
   const int x0 = MAX2(prim->x0, r->x), x1 = MIN2(prim->x1, r->x + SGD_TILE);
   const int y0 = MAX2(prim->y0, r->y), y1 = MIN2(prim->y1, r->y + SGD_TILE);

   for (int y = y0 & ~(SGD_BLOCK_H - 1); y < y1; y += SGD_BLOCK_H) {
      for (int x = x0 & ~(SGD_BLOCK_W - 1); x < x1; x += SGD_BLOCK_W) {
         uint32_t mask = 0;

         if (!sgd_line_rect_meets(&rect, x, y, SGD_BLOCK_W, SGD_BLOCK_H, false))
            continue;
         for (unsigned i = 0; i < SGD_WARP; i++) {
            const bool meets = sgd_line_rect_meets(&rect, x + sgd_lane_x(i), y + sgd_lane_y(i), 1,
                                                   1, false);
            mask |= (uint32_t)meets << i;
         }
         mask &= sgd_lanes_box(x, y, x0, y0, x1, y1);
         if (r->pixel.state->rast.line_stipple)
            mask = stippled(r, prim, x, y, mask);
         if (mask)
            sgd_raster_block(r, prim, x, y, mask);
      }
   }
}
