/* SPDX-License-Identifier: MIT */
/*
 * The rectangle around a smooth or multisampled line (OpenGL 2.1, section 3.4.2), in pixels, and a
 * test whether it intersects a box of pixels. All arithmetic is IEEE double precision without libm,
 * and no value gets near the subnormal range.
 */
#ifndef SGD_LINE_RECT_H
#define SGD_LINE_RECT_H

#include <stdbool.h>

#include "common/sgd_prim.h"

struct sgd_line_rect {
   double ax, ay; /* position of the first end point */
   double dx, dy; /* vector from the first end point to the second */
   double length, half_width;
};

static inline struct sgd_line_rect
sgd_line_rect(const struct sgd_prim *prim)
{
   return (struct sgd_line_rect){
      .ax = prim->u.line_rect.x0 * (1.0 / 256),
      .ay = prim->u.line_rect.y0 * (1.0 / 256),
      .dx = (prim->u.line_rect.x1 - prim->u.line_rect.x0) * (1.0 / 256),
      .dy = (prim->u.line_rect.y1 - prim->u.line_rect.y0) * (1.0 / 256),
      .length = prim->u.line_rect.length,
      .half_width = prim->u.line_rect.half_width,
   };
}

static inline double
sgd_line_rect_abs(double x)
{
   return x < 0.0 ? -x : x;
}

/* Returns true if the interior of the rectangle intersects the interior of the box of w x h pixels
 * at (x, y). With `border`, touching borders count as an intersection.
 *
 * This is a separating axis test. The caller has already tested the x and y axes, since the box
 * intersects the primitive's bounding box, so only the two axes of the rectangle are tested here.
 * (u, v) is the centre of the box relative to the line. It is scaled by the length of the line,
 * because a division by the length would not be exact.
 */
static inline bool
sgd_line_rect_meets(const struct sgd_line_rect *r, int x, int y, int w, int h, bool border)
{
   const double cx = x + w * 0.5 - r->ax, cy = y + h * 0.5 - r->ay;
   const double u = cx * r->dx + cy * r->dy, v = cy * r->dx - cx * r->dy;
   const double ax = sgd_line_rect_abs(r->dx), ay = sgd_line_rect_abs(r->dy);
   const double hu = (ax * w + ay * h) * 0.5, hv = (ay * w + ax * h) * 0.5;
   const double length2 = r->dx * r->dx + r->dy * r->dy;

   const double reach = r->half_width * r->length + hv;

   if (border)
      return u >= -hu && u <= length2 + hu && sgd_line_rect_abs(v) <= reach;
   return u > -hu && u < length2 + hu && sgd_line_rect_abs(v) < reach;
}

#endif
