/* SPDX-License-Identifier: MIT */
/*
 * Setup: smooth and multisampled lines (OpenGL 2.1, sections 3.4.2 and 3.4.4). The primitive is a
 * rectangle around the line, with the width of the line. A fragment gets its values from the point
 * of the line that is nearest to the pixel centre (equations 3.5 and 3.6).
 */
#include <stdlib.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_line.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"

#define MAX_WIDTH 4096.0f

/* Returns the number of rectangles in a stippled line. Each rectangle is one pixel long, except
 * that the last one may be shorter.
 */
static unsigned
count_rectangles(const struct sgd_vertex *v0, const struct sgd_vertex *v1, double length)
{
   const int64_t dx = v1->x - v0->x, dy = v1->y - v0->y;
   const int64_t length2 = dx * dx + dy * dy;
   int64_t n = (int64_t)length;

   /* Correct the rounding error of the square root with integer arithmetic. */
   while (n * n * SGD_SUBPIXEL * SGD_SUBPIXEL < length2)
      n++;
   while (n > 0 && (n - 1) * (n - 1) * SGD_SUBPIXEL * SGD_SUBPIXEL >= length2)
      n--;
   return n;
}

static double
length_of(const struct sgd_vertex *v0, const struct sgd_vertex *v1)
{
   const double dx = (v1->x - v0->x) * (1.0 / SGD_SUBPIXEL);
   const double dy = (v1->y - v0->y) * (1.0 / SGD_SUBPIXEL);

   return __builtin_sqrt(dx * dx + dy * dy);
}

void
sgd_setup_line_rect_skip(struct sgd_front *f, const struct sgd_vertex *v0,
                         const struct sgd_vertex *v1)
{
   sgd_setup_count_stipple(f, count_rectangles(v0, v1, length_of(v0, v1)));
}

static int32_t
floor_of(double x)
{
   const int32_t i = (int32_t)x;
   return i - (i > x);
}

void
sgd_setup_line_rect(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                    const struct sgd_face *face)
{
   const float width = f->state->rast.line_width;
   const double length = length_of(v0, v1);

   if (length == 0.0) {
      f->culled++;
      return;
   }
   const unsigned stipple = f->state->rast.line_stipple
                               ? sgd_setup_count_stipple(f, count_rectangles(v0, v1, length))
                               : 0;

   /* Use a width of 1 if the width is NaN or not positive. */
   const float half_width = (width > 0.0f ? (width < MAX_WIDTH ? width : MAX_WIDTH) : 1.0f) * 0.5f;
   /* Half of the bounding box size in pixels. */
   const int32_t dx = abs(v1->x - v0->x), dy = abs(v1->y - v0->y);
   const double across = half_width / length;
   const double hx = (dx * 0.5 + dy * across) * (1.0 / SGD_SUBPIXEL);
   const double hy = (dy * 0.5 + dx * across) * (1.0 / SGD_SUBPIXEL);
   const double mx = (v0->x + v1->x) * (0.5 / SGD_SUBPIXEL);
   const double my = (v0->y + v1->y) * (0.5 / SGD_SUBPIXEL);

   /* Samples can be on the upper and left borders of pixels, so the box needs one more row and
    * column.
    */
   struct sgd_prim *prim = sgd_setup_prim(f, SGD_PRIM_LINE_RECT, face, floor_of(mx - hx),
                                          floor_of(my - hy),
                                          f->mode->multisamples - floor_of(-(mx + hx)),
                                          f->mode->multisamples - floor_of(-(my + hy)));
   if (!prim)
      return;
   prim->smooth = f->mode->smooth_lines;
   prim->u.line_rect.x0 = v0->x;
   prim->u.line_rect.y0 = v0->y;
   prim->u.line_rect.x1 = v1->x;
   prim->u.line_rect.y1 = v1->y;
   prim->u.line_rect.length = length;
   prim->u.line_rect.half_width = half_width;
   prim->u.line_rect.stipple = stipple;
   prim->u.line_rect.carried = f->stipple_carried;

   sgd_setup_line_values(f, prim, v0, v1, face, false, false);
   sgd_bin_prim(f, prim);
}
