/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: makes the lane masks of window rectangles for a tile.
 */
#include "pixel/raster/sgd_window_rects.h"

#include <string.h>

#include "util/macros.h"

/* Adds the pixels of a rectangle to the lane masks. Coordinates are relative to the tile. */
static void
add_rect(struct sgd_raster *r, int x0, int y0, int x1, int y1)
{
   for (int y = 0; y < SGD_TILE; y += SGD_BLOCK_H) {
      for (int x = 0; x < SGD_TILE; x += SGD_BLOCK_W)
         r->inside[y / SGD_BLOCK_H][x / SGD_BLOCK_W] |= sgd_lanes_box(x, y, x0, y0, x1, y1);
   }
}

static void
invert(struct sgd_raster *r)
{
   for (unsigned row = 0; row < ARRAY_SIZE(r->inside); row++) {
      for (unsigned column = 0; column < ARRAY_SIZE(r->inside[0]); column++)
         r->inside[row][column] = ~r->inside[row][column];
   }
}

bool
sgd_window_rects_begin(struct sgd_raster *r)
{
   const struct sgd_window_rects *rects = &r->pixel.state->window_rects;

   r->cut = false;
   for (unsigned i = 0; i < rects->count; i++) {
      const struct SGPU_WINDOW_RECTANGLE *w = &rects->rect[i];
      const int x0 = MAX2((int)w->x0 - r->x, 0), x1 = MIN2((int)w->x1 - r->x, SGD_TILE);
      const int y0 = MAX2((int)w->y0 - r->y, 0), y1 = MIN2((int)w->y1 - r->y, SGD_TILE);

      if (x0 >= x1 || y0 >= y1)
         continue;
      if (x1 - x0 == SGD_TILE && y1 - y0 == SGD_TILE) {
         r->cut = false;
         return rects->inclusive;
      }
      if (!r->cut)
         memset(r->inside, 0, sizeof(r->inside));
      r->cut = true;
      add_rect(r, x0, y0, x1, y1);
   }
   if (!r->cut)
      return !rects->inclusive;
   if (!rects->inclusive)
      invert(r);
   r->paths &= ~(1u << SGPU_PATH_WINDOW | 1u << SGPU_PATH_WHOLE);
   return true;
}
