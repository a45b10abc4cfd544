/* SPDX-License-Identifier: MIT */
/*
 * Setup unit: triangles.
 */
#include <stdlib.h>
#include <string.h>

#include "front/sgd_front.h"
#include "front/sgd_front_vertex.h"
#include "setup/sgd_bin.h"
#include "setup/sgd_setup.h"
#include "setup/sgd_setup_prim.h"
#include "sgd_prim.h"

/* Edge from vertex p to q of a triangle whose area is positive in this order.
 * E(x, y) = a x + b y + c0 in 1/256 pixels is the area of (p, q, (x, y)); at
 * the centre of pixel (px, py) that is 256 (a px + b py) + c', of which c is
 * floor(c' / 256) and tri_fraction the rest.  Points on the edge belong to the
 * triangle if it is a left edge, or a horizontal one at its top (or bottom): else
 * E must be at least 1.  `touches`: that holds for E at the corner of the pixel where it
 * is greatest, and for all points of edges.
 */
static ALWAYS_INLINE void
setup_edge(struct sgd_prim *prim, unsigned i, int32_t px, int32_t py, int32_t qx, int32_t qy,
           bool bottom_edge_rule, bool touches)
{
   const int32_t a = py - qy, b = qx - px;
   const bool horizontal = a == 0 && (bottom_edge_rule ? b < 0 : b > 0);
   const int64_t c = (int64_t)a * (SGD_SUBPIXEL / 2 - px) + (int64_t)b * (SGD_SUBPIXEL / 2 - py);

   prim->u.tri.a[i] = a;
   prim->u.tri.b[i] = b;
   const int64_t reach = ((int64_t)abs(a) + abs(b)) * (SGD_SUBPIXEL / 2);
   const int64_t inside = touches ? c + reach : c - !(a > 0 || horizontal);
   prim->u.tri.c[i] = inside >> SGD_SUBPIXEL_BITS;
   prim->tri_fraction[i] = inside & (SGD_SUBPIXEL - 1);
}

static ALWAYS_INLINE void
setup_edges(struct sgd_prim *prim, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
            const struct sgd_vertex *v2, bool bottom_edge_rule, bool touches)
{
   setup_edge(prim, 0, v0->x, v0->y, v1->x, v1->y, bottom_edge_rule, touches);
   setup_edge(prim, 1, v1->x, v1->y, v2->x, v2->y, bottom_edge_rule, touches);
   setup_edge(prim, 2, v2->x, v2->y, v0->x, v0->y, bottom_edge_rule, touches);
}

/* Gradients from the differences of a value to that of vertex 0. */
struct gradient {
   double x1, x2, y1, y2; /* d/dx = f1 * x1 + f2 * x2 */
   double x, y;           /* from vertex 0 to the origin of the planes */
};

static inline struct sgd_plane
plane(const struct gradient *g, double f0, double f1, double f2)
{
   const double d1 = f1 - f0, d2 = f2 - f0;
   const double dx = d1 * g->x1 + d2 * g->x2;
   const double dy = d1 * g->y1 + d2 * g->y2;

   return (struct sgd_plane){
      .v0 = sgd_narrow(f0 + (dx * g->x + dy * g->y)),
      .dx = sgd_narrow(dx),
      .dy = sgd_narrow(dy),
   };
}

/* The planes from `first` on; `w` are factors of the values. */
static void
setup_planes(const struct sgd_varyings *varyings, struct sgd_prim *prim, const struct gradient *g,
             const struct sgd_vertex *v0, const struct sgd_vertex *v1, const struct sgd_vertex *v2,
             const double w[3], unsigned first, unsigned end)
{
   float *restrict v = sgd_prim_v0(varyings, prim);
   float *restrict dx = sgd_prim_dx(varyings, prim);
   float *restrict dy = sgd_prim_dy(varyings, prim);
   const struct gradient gr = *g;
   const double w0 = w[0], w1 = w[1], w2 = w[2];

   for (unsigned k = first; k < end; k += 4) {
      float r[3][4];
      for (unsigned i = 0; i < 4; i++) {
         const struct sgd_plane p = plane(&gr, sgd_wide(v0->attr[k + i]) * w0,
                                          sgd_wide(v1->attr[k + i]) * w1,
                                          sgd_wide(v2->attr[k + i]) * w2);
         r[0][i] = p.v0;
         r[1][i] = p.dx;
         r[2][i] = p.dy;
      }
      memcpy(v + k, r[0], sizeof(r[0]));
      memcpy(dx + k, r[1], sizeof(r[1]));
      memcpy(dy + k, r[2], sizeof(r[2]));
   }
}

void
sgd_setup_triangle_values(struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
                          const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area,
                          const struct sgd_face *face)
{
   const struct sgd_varyings *varyings = f->varyings;

   prim->ox = sgd_setup_origin(v0->x, f->state->fb_width);
   prim->oy = sgd_setup_origin(v0->y, f->state->fb_height);

   const double scale = (double)SGD_SUBPIXEL / (double)area;
   const struct gradient g = {
      .x1 = (v2->y - v0->y) * scale,
      .x2 = (v0->y - v1->y) * scale,
      .y1 = (v0->x - v2->x) * scale,
      .y2 = (v1->x - v0->x) * scale,
      .x = (double)prim->ox - v0->x * (1.0 / SGD_SUBPIXEL),
      .y = (double)prim->oy - v0->y * (1.0 / SGD_SUBPIXEL),
   };

   sgd_setup_depth(prim, plane(&g, sgd_wide(v0->z), sgd_wide(v1->z), sgd_wide(v2->z)),
                   face->offset);
   const double w[3] = { sgd_wide(v0->rw), sgd_wide(v1->rw), sgd_wide(v2->rw) };
   prim->rw = sgd_tame(plane(&g, w[0], w[1], w[2]));

   static const double one[3] = { 1.0, 1.0, 1.0 };
   setup_planes(varyings, prim, &g, v0, v1, v2, w, 0, varyings->linear);
   setup_planes(varyings, prim, &g, v0, v1, v2, one, varyings->linear, varyings->num_planes);
   sgd_setup_flat(varyings, prim, face->prov);
}

void
sgd_setup_triangle(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                   const struct sgd_vertex *v2, int64_t area, const struct sgd_face *face)
{
   const bool rule = f->state->rast.bottom_edge_rule;

   /* The order of the edges makes the inside positive; that of the planes is
    * the caller's.
    */
   const struct sgd_vertex *e1 = area > 0 ? v1 : v2, *e2 = area > 0 ? v2 : v1;
   const int32_t min_x = MIN3(v0->x, v1->x, v2->x), max_x = MAX3(v0->x, v1->x, v2->x);
   const int32_t min_y = MIN3(v0->y, v1->y, v2->y), max_y = MAX3(v0->y, v1->y, v2->y);

   /* Pixels with a centre in [min, max], or with any part there, or that touch it. */
   const int32_t half = SGD_SUBPIXEL / 2;
   const bool touches = f->conservative;
   const int32_t first = touches ? -1 : f->multisamples ? 0 : half - 1;
   const int32_t end = touches || f->multisamples ? SGD_SUBPIXEL : half;
   struct sgd_prim *prim = sgd_setup_prim(f, SGD_PRIM_TRIANGLE, face,
                                          (min_x + first) >> SGD_SUBPIXEL_BITS,
                                          (min_y + first) >> SGD_SUBPIXEL_BITS,
                                          (max_x + end) >> SGD_SUBPIXEL_BITS,
                                          (max_y + end) >> SGD_SUBPIXEL_BITS);
   if (!prim)
      return;

   if (likely(!touches))
      setup_edges(prim, v0, e1, e2, rule, false);
   else
      setup_edges(prim, v0, e1, e2, rule, true);

   sgd_setup_triangle_values(f, prim, v0, v1, v2, area, face);
   sgd_bin_prim(f, prim);
}
