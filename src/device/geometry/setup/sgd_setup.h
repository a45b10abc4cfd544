/* SPDX-License-Identifier: MIT */
/*
 * Setup: converts primitives that are inside all planes to struct sgd_prim and bins them.
 */
#ifndef SGD_SETUP_H
#define SGD_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_arch.h"
#include "sgpu_packets.h"

struct sgd_front;

/* Data shared by all primitives that are drawn for one unfilled or clipped polygon. */
struct sgd_face {
   const struct sgd_vertex *prov;
   bool front;
   bool in_viewport; /* true if points and lines lose their fragments outside the viewport */
   float offset;     /* depth offset */
};

/* Returns twice the area of a triangle, in units of 1/256 x 1/256 pixel. The area is positive if
 * the vertices are clockwise on the screen.
 */
static inline int64_t
sgd_triangle_area(const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                  const struct sgd_vertex *v2)
{
   return (int64_t)(v1->x - v0->x) * (v2->y - v0->y) - (int64_t)(v2->x - v0->x) * (v1->y - v0->y);
}

/* Returns true if the polygon is convex. This means that it turns in the same direction at all
 * corners, and goes around only once.
 */
static inline bool
sgd_polygon_convex(const struct sgd_vertex *const *v, unsigned n)
{
   bool left = false, right = false;

   for (unsigned i = 0; i < n; i++) {
      const int64_t turn = sgd_triangle_area(v[i], v[(i + 1) % n], v[(i + 2) % n]);
      const int64_t part = sgd_triangle_area(v[0], v[i], v[(i + 1) % n]);
      left |= turn < 0 || part < 0;
      right |= turn > 0 || part > 0;
   }
   return !left || !right;
}

/* Returns true if polygon mode `fill` draws areas. */
static inline bool
sgd_fills_area(enum sgpu_fill fill)
{
   return fill == SGPU_FILL_SOLID || fill == SGPU_FILL_RECTANGLE;
}

/* Returns true if depth offset is enabled for polygon mode `fill`. */
static inline bool
sgd_offset_enabled(const struct SGPU_RASTERIZER *rast, enum sgpu_fill fill)
{
   return sgd_fills_area(fill)     ? rast->offset_tri
          : fill == SGPU_FILL_LINE ? rast->offset_line
                                   : rast->offset_point;
}

void sgd_setup_begin(struct sgd_front *f);
void sgd_setup_triangle(struct sgd_front *f, const struct sgd_vertex *v0,
                        const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area,
                        const struct sgd_face *face);
/* Draws a smooth polygon, which must be convex except for snapping errors. `area` is the area of
 * the whole polygon.
 */
void sgd_setup_polygon(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                       int64_t area, struct sgd_face *face);
/* Draws the window-aligned box around the n vertices of a polygon, with the planes of its first
 * triangle that has an area.
 */
void sgd_setup_box(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                   struct sgd_face *face);
void sgd_setup_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                    const struct sgd_face *face);
/* Advances the line stipple counter as if the line were drawn. */
void sgd_setup_line_skip(struct sgd_front *f, const struct sgd_vertex *v0,
                         const struct sgd_vertex *v1);
void sgd_setup_point(struct sgd_front *f, const struct sgd_vertex *v, const struct sgd_face *face);
/* Returns the depth offset of a triangle (RASTERIZER.Offset *). `area` must not be zero. */
float sgd_setup_offset(const struct sgd_front *f, const struct sgd_vertex *v0,
                       const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area);

#endif
