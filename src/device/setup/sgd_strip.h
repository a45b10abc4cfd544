/* SPDX-License-Identifier: MIT */
/*
 * The rectangle of a smooth or multisampled line (OpenGL 2.1, 3.4.2), in pixels,
 * with what it meets.  Arithmetic is IEEE double precision without libm; numbers are far
 * from subnormals.
 */
#ifndef SGD_STRIP_H
#define SGD_STRIP_H

#include <stdbool.h>

#include "sgd_prim.h"

struct sgd_strip {
   double ax, ay;             /* first end */
   double dx, dy;             /* from there to the second */
   double length, half_width;
};

static inline struct sgd_strip
sgd_strip(const struct sgd_prim *prim)
{
   return (struct sgd_strip){
      .ax = prim->u.strip.x0 * (1.0 / 256),
      .ay = prim->u.strip.y0 * (1.0 / 256),
      .dx = (prim->u.strip.x1 - prim->u.strip.x0) * (1.0 / 256),
      .dy = (prim->u.strip.y1 - prim->u.strip.y0) * (1.0 / 256),
      .length = prim->u.strip.length,
      .half_width = prim->u.strip.half_width,
   };
}

static inline double
sgd_strip_abs(double x)
{
   return x < 0.0 ? -x : x;
}

/* Do the interiors of the rectangle and of the w x h pixels at x, y meet, or with
 * `border` the borders?  Each side of one of them would part them if they did
 * not; the sides of the pixels are left to the primitive's box.  In the line's
 * frame, multiplied by its length, the middle of the pixels is at (u, v), exact.
 */
static inline bool
sgd_strip_meets(const struct sgd_strip *s, int x, int y, int w, int h, bool border)
{
   const double cx = x + w * 0.5 - s->ax, cy = y + h * 0.5 - s->ay;
   const double u = cx * s->dx + cy * s->dy, v = cy * s->dx - cx * s->dy;
   const double ax = sgd_strip_abs(s->dx), ay = sgd_strip_abs(s->dy);
   const double hu = (ax * w + ay * h) * 0.5, hv = (ay * w + ax * h) * 0.5;
   const double length2 = s->dx * s->dx + s->dy * s->dy;

   const double reach = s->half_width * s->length + hv;

   if (border)
      return u >= -hu && u <= length2 + hu && sgd_strip_abs(v) <= reach;
   return u > -hu && u < length2 + hu && sgd_strip_abs(v) < reach;
}

#endif
