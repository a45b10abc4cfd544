/* SPDX-License-Identifier: MIT */
/*
 * Setup: edges and planes of triangles.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_planes.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_eight.h"
#include "geometry/setup/sgd_setup_head.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"

/* Sets up the edge from vertex p to q of a triangle whose area is positive with this vertex order.
 *
 * With coordinates in units of 1/256 pixel, E(x, y) = a * x + b * y + c0 is twice the area of (p,
 * q, (x, y)). At the centre of pixel (px, py), E is 256 * (a * px + b * py) + c'; u.tri.c is
 * floor(c' / 256), and tri_fraction is the remainder. Points on the edge are inside if it is a left
 * edge, or a horizontal edge at the top (or bottom) of the triangle. For all other edges, E must be
 * at least 1. With `touches`, E is evaluated at its maximum in the pixel's square, and points on
 * any edge are inside.
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

/* Vector of four words: x and y of a vertex, or two corners of a box. */
typedef int32_t words __attribute__((vector_size(16)));

static inline words
least(words a, words b)
{
   const words m = a < b;

   return (a & m) | (b & ~m);
}

static inline words
greatest(words a, words b)
{
   const words m = a > b;

   return (a & m) | (b & ~m);
}

static inline words
window_of(const struct sgd_vertex *v)
{
   words w;

   static_assert(offsetof(struct sgd_vertex, y) == offsetof(struct sgd_vertex, x) + 4 &&
                    sizeof(*v) >= offsetof(struct sgd_vertex, x) + sizeof(w),
                 "");
   memcpy(&w, &v->x, sizeof(w));
   return w;
}

/* Returns true if any pixel centre in the primitive's box is inside all edges. The box has at most
 * 2x2 pixels.
 */
static inline bool
covers_some(const struct sgd_prim *prim)
{
   const unsigned w = prim->x1 - prim->x0, h = prim->y1 - prim->y0;
   int64_t e[3], right = 0, below = 0, both = 0, first = 0;

   for (unsigned i = 0; i < 3; i++) {
      const int64_t a = prim->u.tri.a[i], b = prim->u.tri.b[i];
      e[i] = prim->u.tri.c[i] + a * prim->x0 + b * prim->y0;
      first |= e[i];
      right |= e[i] + a;
      below |= e[i] + b;
      both |= e[i] + a + b;
   }
   return first >= 0 || (w > 1 && right >= 0) || (h > 1 && below >= 0) ||
          (w > 1 && h > 1 && both >= 0);
}

static const double one[3] = { 1.0, 1.0, 1.0 };

/* Computes the planes of attributes `first` to `end` - 1. The attributes of vertex i are multiplied
 * by w[i].
 */
static ALWAYS_INLINE void
setup_planes(const struct sgd_varyings *varyings, struct sgd_prim *prim,
             const struct sgd_gradient *g, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
             const struct sgd_vertex *v2, const double w[3], unsigned first, unsigned end)
{
   float *v = sgd_prim_v0(varyings, prim);
   float *dx = sgd_prim_dx(varyings, prim);
   float *dy = sgd_prim_dy(varyings, prim);

   for (unsigned k = first; k < end; k += 4) {
      const float *const f[3] = { v0->attr + k, v1->attr + k, v2->attr + k };
      sgd_planes4(g, f, w, v + k, dx + k, dy + k);
   }
}

static ALWAYS_INLINE struct sgd_gradient
gradient(const struct sgd_vertex *v0, const struct sgd_vertex *v1, const struct sgd_vertex *v2,
         int64_t area)
{
   const double scale = (double)SGD_SUBPIXEL / (double)area;

   return (struct sgd_gradient){
      .x1 = (v2->y - v0->y) * scale,
      .x2 = (v0->y - v1->y) * scale,
      .y1 = (v0->x - v2->x) * scale,
      .y2 = (v1->x - v0->x) * scale,
   };
}

static ALWAYS_INLINE void
setup_attributes(const struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
                 const struct sgd_vertex *v1, const struct sgd_vertex *v2,
                 const struct sgd_gradient *g, const struct sgd_face *face)
{
   const struct sgd_varyings *varyings = f->varyings;
   const double w[3] = { sgd_wide(v0->rw), sgd_wide(v1->rw), sgd_wide(v2->rw) };

   setup_planes(varyings, prim, g, v0, v1, v2, w, 0, varyings->linear);
   setup_planes(varyings, prim, g, v0, v1, v2, one, varyings->linear, varyings->num_planes);
   sgd_setup_flat(varyings, prim, face->prov);
}

/* Computes the planes of depth, 1/w and attributes. The caller sets the gradient factors in `g`,
 * and this function sets the origin.
 */
static ALWAYS_INLINE void
setup_values(struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
             const struct sgd_vertex *v1, const struct sgd_vertex *v2, struct sgd_gradient g,
             const struct sgd_face *face)
{
   prim->ox = sgd_setup_origin(v0->x, f->state->fb_width);
   prim->oy = sgd_setup_origin(v0->y, f->state->fb_height);
   g.x = (double)prim->ox - v0->x * (1.0 / SGD_SUBPIXEL);
   g.y = (double)prim->oy - v0->y * (1.0 / SGD_SUBPIXEL);

   /* Depth and 1/w are adjacent in a vertex, so compute both planes with one call. */
   static_assert(offsetof(struct sgd_vertex, rw) == offsetof(struct sgd_vertex, z) + 4, "");
   const float *const zw[3] = { &v0->z, &v1->z, &v2->z };
   float v[4], dx[4], dy[4];

   sgd_planes4(&g, zw, one, v, dx, dy);
   const struct sgd_plane z = { v[0], dx[0], dy[0] }, rw = { v[1], dx[1], dy[1] };
   if (likely(face->offset == 0.0f && sgd_is_tame(z) & sgd_is_tame(rw))) {
      prim->z = z;
      prim->rw = rw;
      prim->depth_offset = 0.0f;
   } else {
      sgd_setup_depth(prim, z, face->offset);
      prim->rw = sgd_tame(rw);
   }

   setup_attributes(f, prim, v0, v1, v2, &g, face);
}

void
sgd_setup_triangle_values(struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
                          const struct sgd_vertex *v1, const struct sgd_vertex *v2, int64_t area,
                          const struct sgd_face *face)
{
   setup_values(f, prim, v0, v1, v2, gradient(v0, v1, v2, area), face);
}

void
sgd_setup_triangle(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                   const struct sgd_vertex *v2, int64_t area, const struct sgd_face *face)
{
   const bool rule = f->state->rast.bottom_edge_rule;

   /* The edges use the vertex order that makes the inside positive, while the planes use the order
    * of the caller.
    */
   const struct sgd_vertex *e1 = area > 0 ? v1 : v2, *e2 = area > 0 ? v2 : v1;
   const words w0 = window_of(v0), w1 = window_of(v1), w2 = window_of(v2);
   const words low = least(least(w0, w1), w2), high = greatest(greatest(w0, w1), w2);

   /* Find the pixels whose centres are in [low, high]. With multisampling, find the pixels that
    * overlap [low, high]. With conservative rasterization, include pixels that only touch its
    * border.
    */
   const int32_t half = SGD_SUBPIXEL / 2;
   const bool touches = f->mode->conservative;
   const int32_t first = touches ? -1 : f->mode->multisamples ? 0 : half - 1;
   const int32_t end = touches || f->mode->multisamples ? SGD_SUBPIXEL : half;
   const unsigned viewport = sgd_vertex_viewport(face->prov);
   struct sgd_box box;
   words cut;
   memcpy(&cut, &f->box[viewport], sizeof(cut));
   const words pixels = (__builtin_shufflevector(low, high, 0, 1, 4, 5) +
                         (words){ first, first, end, end }) >>
                        SGD_SUBPIXEL_BITS;
   const words inside = __builtin_shufflevector(greatest(pixels, cut), least(pixels, cut), 0, 1, 6,
                                                7);
   memcpy(&box, &inside, sizeof(box));
   if (box.x0 >= box.x1 || box.y0 >= box.y1) {
      f->culled++;
      return;
   }
   struct sgd_prim *prim = sgd_setup_head_in(f, SGD_PRIM_TRIANGLE, face, viewport, box);
   if (!prim)
      return;

   if (likely(!touches))
      setup_edges(prim, v0, e1, e2, rule, false);
   else
      setup_edges(prim, v0, e1, e2, rule, true);
   const int32_t size = MAX2(high[0] - low[0], high[1] - low[1]);
   prim->narrow = size <= SGD_NARROW;
   if (size < 2 * SGD_SUBPIXEL && !touches && !f->mode->multisamples && !covers_some(prim)) {
      f->culled++;
      sgd_front_give_back(f, prim);
      return;
   }

   setup_values(f, prim, v0, v1, v2, gradient(v0, v1, v2, area), face);
   sgd_bin_prim(f, prim);
}

void
sgd_setup_eighth(struct sgd_front *f, const struct sgd_eight *e, unsigned k,
                 const uint16_t corner[3], unsigned provoking)
{
   const struct sgd_eight_row *row = &e->row[k];
   const struct sgd_vertex *v0 = sgd_front_vertex(f, corner[0]);
   const struct sgd_vertex *v1 = sgd_front_vertex(f, corner[1]);
   const struct sgd_vertex *v2 = sgd_front_vertex(f, corner[2]);
   struct sgd_face face = {
      .prov = sgd_front_vertex(f, corner[provoking]),
      .front = e->front >> k & 1,
   };
   const struct sgd_gradient g = { e->gx1[k], e->gx2[k], e->gy1[k], e->gy2[k], e->gx[k], e->gy[k] };
   const struct sgd_box box = { row->x0, row->y0, row->x1, row->y1 };
   struct sgd_prim *prim = sgd_setup_head_in(f, SGD_PRIM_TRIANGLE, &face, 0, box);

   if (!prim)
      return;
   prim->cover = row->cover;
   prim->narrow = true;
   memcpy(prim->u.tri.a, row->a, sizeof(row->a));
   memcpy(prim->u.tri.b, row->b, sizeof(row->b));
   for (unsigned i = 0; i < 3; i++)
      prim->u.tri.c[i] = row->c[i];
   if (likely((e->tame >> k & 1) && !f->state->rast.offset_tri)) {
      prim->ox = row->ox;
      prim->oy = row->oy;
      prim->z = row->z;
      prim->rw = row->rw;
      prim->depth_offset = 0.0f;
      setup_attributes(f, prim, v0, v1, v2, &g, &face);
   } else {
      if (f->state->rast.offset_tri)
         face.offset = sgd_setup_offset(f, v0, v1, v2, sgd_triangle_area(v0, v1, v2));
      setup_values(f, prim, v0, v1, v2, g, &face);
   }
   sgd_bin_prim(f, prim);
}
