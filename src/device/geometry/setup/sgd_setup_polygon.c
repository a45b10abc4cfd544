/* SPDX-License-Identifier: MIT */
/*
 * Setup: smooth polygons (OpenGL 2.1, section 3.5.1). A pixel is a fragment if its square
 * intersects the interior of the polygon. Coverage is computed for the whole polygon, e.g. it is 1
 * in the middle of a quad, where the quad's triangles meet. Each pixel is drawn by exactly one of
 * the triangles.
 */
#include <stdlib.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"

#define MAX_CORNERS SGD_CLIP_CORNERS

/* Returns the edge equation from p to q for pixel centres, in the units of struct sgd_prim. Its
 * value is >= 0 if p, q and the centre are clockwise or collinear. If `reach` is set, the value is
 * already >= 0 if this is true for any interior point of the pixel's square.
 */
static struct sgd_edge
edge_of(const struct sgd_vertex *p, const struct sgd_vertex *q, bool reach)
{
   const int32_t a = p->y - q->y, b = q->x - p->x;
   int64_t c = (int64_t)a * (SGD_SUBPIXEL / 2 - p->x) + (int64_t)b * (SGD_SUBPIXEL / 2 - p->y);

   if (reach)
      c += ((int64_t)abs(a) + abs(b)) * (SGD_SUBPIXEL / 2) - 1;
   return (struct sgd_edge){ .c = c >> SGD_SUBPIXEL_BITS, .a = a, .b = b };
}

static struct sgd_outline *
make_outline(struct sgd_front *f, unsigned corners, unsigned lines)
{
   const size_t edges = sizeof(struct sgd_outline) + corners * 8;
   uint8_t *memory = sgd_front_alloc(f, edges + (corners + lines) * sizeof(struct sgd_edge));

   if (!memory)
      return NULL;
   struct sgd_outline *o = (struct sgd_outline *)memory;
   o->num_corners = corners;
   o->num_lines = lines;
   o->corner = (int32_t(*)[2])(memory + sizeof(*o));
   o->edge = (struct sgd_edge *)(memory + edges);
   o->line = o->edge + corners;
   return o;
}

/* Sets up a convex polygon. The outline stores the corners in clockwise order. Planes are computed
 * with v[0] as the first vertex, as for polygons without smoothing.
 */
static void
setup_convex(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n, bool clockwise,
             struct sgd_face *face)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const bool offset = sgd_offset_enabled(rast, SGPU_FILL_SOLID);
   uint8_t part[MAX_CORNERS]; /* index of the first corner of each triangle with a non-zero area */
   unsigned parts = 0;
   int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;

   for (unsigned i = 1; i + 1 < n; i++) {
      if (sgd_triangle_area(v[0], v[i], v[i + 1]))
         part[parts++] = i;
   }
   struct sgd_outline *o = parts ? make_outline(f, n, parts - 1) : NULL;
   if (!o) {
      f->culled++;
      return;
   }
   for (unsigned i = 0; i < n; i++) {
      const struct sgd_vertex *p = v[clockwise ? i : n - 1 - i];
      const struct sgd_vertex *q = v[clockwise ? (i + 1) % n : (2 * n - 2 - i) % n];

      o->corner[i][0] = p->x;
      o->corner[i][1] = p->y;
      o->edge[i] = edge_of(p, q, true);
      x0 = MIN2(x0, p->x);
      y0 = MIN2(y0, p->y);
      x1 = MAX2(x1, p->x);
      y1 = MAX2(y1, p->y);
   }
   /* Line k is the diagonal that separates triangle k from all later triangles, which are inside of
    * it.
    */
   for (unsigned k = 0; k + 1 < parts; k++) {
      const struct sgd_vertex *w = v[part[k + 1]];
      o->line[k] = clockwise ? edge_of(v[0], w, false) : edge_of(w, v[0], false);
   }

   for (unsigned k = 0; k < parts; k++) {
      const struct sgd_vertex *a = v[part[k]], *b = v[part[k] + 1];
      const int64_t area = sgd_triangle_area(v[0], a, b);
      struct sgd_prim *prim = sgd_setup_prim(f, SGD_PRIM_POLYGON, face, x0 >> SGD_SUBPIXEL_BITS,
                                             y0 >> SGD_SUBPIXEL_BITS,
                                             (x1 + SGD_SUBPIXEL - 1) >> SGD_SUBPIXEL_BITS,
                                             (y1 + SGD_SUBPIXEL - 1) >> SGD_SUBPIXEL_BITS);

      if (!prim)
         return;
      prim->smooth = true;
      prim->u.poly.outline = o;
      prim->u.poly.part = k;
      if (offset)
         face->offset = sgd_setup_offset(f, v[0], a, b, area);
      sgd_setup_triangle_values(f, prim, v[0], a, b, area, face);
      sgd_bin_prim(f, prim);
   }
}

void
sgd_setup_polygon(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n, int64_t area,
                  struct sgd_face *face)
{
   if (sgd_polygon_convex(v, n)) {
      setup_convex(f, v, n, area > 0, face);
      return;
   }
   /* Snapping vertices to multiples of 1/256 pixel can flip a very thin triangle. Skip such a
    * triangle, since its neighbours then cover its pixels.
    */
   for (unsigned i = 1; i + 1 < n; i++) {
      const struct sgd_vertex *t[3] = { v[0], v[i], v[i + 1] };
      const int64_t part = sgd_triangle_area(t[0], t[1], t[2]);

      if (part && (part < 0) == (area < 0))
         setup_convex(f, t, 3, part > 0, face);
   }
}
