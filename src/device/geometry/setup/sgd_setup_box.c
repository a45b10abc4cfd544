/* SPDX-License-Identifier: MIT */
/*
 * Setup: polygons that are drawn as window-aligned boxes around their vertices (NV_fill_rectangle).
 * Values are extrapolated from the planes of a triangle.
 */
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"
#include "util/macros.h"

/* Returns the box of the samples that are inside, in units of 1/256 pixel and half-open. Samples on
 * the left border are inside, and those on the upper or the lower border (bottom edge rule). So a
 * sample on a border that two boxes share belongs to one of them.
 */
static struct sgd_prim_box
box_of(const struct sgd_vertex *const *v, unsigned n, bool bottom_edge_rule)
{
   struct sgd_prim_box box = { INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN };

   for (unsigned i = 0; i < n; i++) {
      box.x0 = MIN2(box.x0, v[i]->x);
      box.y0 = MIN2(box.y0, v[i]->y);
      box.x1 = MAX2(box.x1, v[i]->x);
      box.y1 = MAX2(box.y1, v[i]->y);
   }
   box.y0 += bottom_edge_rule;
   box.y1 += bottom_edge_rule;
   return box;
}

/* Allocates the primitive. Without multisampling, it is a triangle that has the pixels of its
 * bounding box on the inner side of all edges, which takes the paths of filled triangles.
 */
static struct sgd_prim *
make_prim(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
          const struct sgd_face *face)
{
   const bool conservative = f->mode->conservative, samples = f->mode->multisamples;
   struct sgd_prim_box box = box_of(v, n, f->state->rast.bottom_edge_rule && !conservative);
   /* Pixels whose centres are in the box, that overlap the box, or that touch it. */
   const int32_t half = SGD_SUBPIXEL / 2 - 1;
   const int32_t first = conservative ? -1 : samples ? 0 : half;
   const int32_t end = conservative || samples ? SGD_SUBPIXEL : half;
   struct sgd_prim *prim =
      sgd_setup_prim(f, samples || conservative ? SGD_PRIM_BOX : SGD_PRIM_TRIANGLE, face,
                     (box.x0 + first) >> SGD_SUBPIXEL_BITS, (box.y0 + first) >> SGD_SUBPIXEL_BITS,
                     (box.x1 + end) >> SGD_SUBPIXEL_BITS, (box.y1 + end) >> SGD_SUBPIXEL_BITS);

   if (!prim)
      return NULL;
   if (samples || conservative) {
      prim->u.box = box;
      return prim;
   }
   for (unsigned i = 0; i < 3; i++)
      prim->u.tri.a[i] = prim->u.tri.b[i] = prim->u.tri.c[i] = 0;
   prim->narrow = true;
   return prim;
}

void
sgd_setup_box(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
              struct sgd_face *face)
{
   for (unsigned i = 1; i + 1 < n; i++) {
      const int64_t area = sgd_triangle_area(v[0], v[i], v[i + 1]);

      if (!area)
         continue;
      struct sgd_prim *prim = make_prim(f, v, n, face);
      if (!prim)
         return;
      if (f->state->rast.offset_tri)
         face->offset = sgd_setup_offset(f, v[0], v[i], v[i + 1], area);
      sgd_setup_triangle_values(f, prim, v[0], v[i], v[i + 1], area, face);
      sgd_bin_prim(f, prim);
      return;
   }
   f->culled++;
}
