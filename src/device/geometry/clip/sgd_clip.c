/* SPDX-License-Identifier: MIT */
/*
 * Clipper: rejects, clips and culls primitives, and converts triangles to lines or points according
 * to the polygon mode.
 *
 * Filled polygons are clipped to the guard band instead of the sides of the view volume, since the
 * viewport's box discards pixels outside the viewport. Points and lines, including the edges and
 * corners of unfilled polygons, follow one of two rules:
 *
 * - OpenGL clips primitives, and their fragments can be outside the viewport (OpenGL 2.1, section
 *   2.12; 4.6, section 13.7). A point is drawn completely if its centre is inside the view volume,
 *   and not at all otherwise. A line is clipped to the sides of the view volume. A wide line ends
 *   there with whole columns (rows) of fragments, which the viewport's box would cut differently.
 *   The clipped part of a line still advances the stipple. A smooth or multisampled line is clipped
 *   to the viewport's box instead, since its stipple counts whole rectangles from the end of the
 *   line, and its coverage at the side of the view volume is that of the whole line.
 *
 * - OpenGL ES (3.2, section 13.8.1, and its conformance tests for lines) only clips points and
 *   lines to the near and far planes, and the viewport's box discards fragments outside the
 *   viewport. RASTERIZER.Viewport Scissor selects this rule.
 *
 * Polygons drawn as boxes (SGPU_FILL_RECTANGLE) follow the rule of filled polygons, but are dropped
 * where those are clipped.
 *
 * Polygons drawn as points are first clipped to the sides. For polygons drawn as lines, clipping
 * the edges is enough, since the sides of the view volume create no new edges.
 */
#include "geometry/clip/sgd_clip.h"

#include <string.h>

#include "geometry/clip/sgd_clip_plane.h"
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_eight.h"
#include "util/bitscan.h"
#include "util/macros.h"

static inline bool
is_front(const struct sgd_front *f, int64_t area)
{
   return (area < 0) == f->state->rast.front_ccw;
}

static inline bool
culled(const struct sgd_front *f, bool front)
{
   const enum sgpu_cull cull = f->state->rast.cull;

   return cull == SGPU_CULL_BOTH || cull == (front ? SGPU_CULL_FRONT : SGPU_CULL_BACK);
}

/* Returns the outcode bits for the sides of the view volume if points and lines are clipped to
 * them, and 0 otherwise.
 */
static inline uint32_t
side_bits(const struct sgd_front *f)
{
   return f->state->rast.viewport_scissor ? 0 : SGD_CLIP_VIEW_BITS;
}

/* Returns true if polygons are drawn as boxes around their vertices. Such polygons are dropped where
 * others are clipped, since the new vertices would make other boxes (NV_fill_rectangle). Both faces
 * have this mode, or none.
 */
static bool
draws_boxes(const struct sgd_front *f)
{
   return f->state->rast.fill_front == SGPU_FILL_RECTANGLE ||
          f->state->rast.fill_back == SGPU_FILL_RECTANGLE;
}

static bool
has_edge(const struct sgd_vertex *v)
{
   return !(v->clip & SGD_VERTEX_INNER);
}

/* Draws a line. The caller has clipped it to all planes except the sides of the view volume. */
static void
draw_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
          const struct sgd_face *face)
{
   const uint32_t cut = (v0->clip | v1->clip) & side_bits(f);
   const struct sgd_vertex *v[2] = { v0, v1 };
   const unsigned made = f->clip_made;

   if (cut && f->mode->line_rects) {
      struct sgd_face boxed = *face;
      boxed.in_viewport = true;
      sgd_setup_line(f, v0, v1, &boxed);
   } else if (cut && !sgd_clip_segment(f, v, cut)) {
      f->culled++;
      sgd_setup_line_skip(f, v0, v1);
   } else {
      if (v[0] != v0)
         sgd_setup_line_skip(f, v0, v[0]);
      sgd_setup_line(f, v[0], v[1], face);
      if (v[1] != v1)
         sgd_setup_line_skip(f, v[1], v1);
   }
   f->clip_made = made;
}

/* Draws the edges of a polygon in polygon mode LINE, or its corners in polygon mode POINT. */
static void
draw_unfilled(struct sgd_front *f, struct sgd_polygon *poly, enum sgpu_fill fill,
              const struct sgd_face *face)
{
   if (fill == SGPU_FILL_POINT) {
      uint32_t cut = 0;
      for (unsigned i = 0; i < poly->n; i++)
         cut |= poly->v[i]->clip & SGD_CLIP_VIEW_BITS;
      if (cut)
         sgd_clip_polygon(f, poly, cut);
   }

   for (unsigned i = 0; i < poly->n; i++) {
      if (!poly->edge[i])
         continue;
      if (fill == SGPU_FILL_LINE)
         draw_line(f, poly->v[i], poly->v[i + 1 < poly->n ? i + 1 : 0], face);
      else
         sgd_setup_point(f, poly->v[i], face);
   }
}

/* Draws what is left of a triangle or smooth polygon after clipping. */
static void
draw_polygon(struct sgd_front *f, struct sgd_polygon *poly, const struct sgd_vertex *prov)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   int64_t area = 0;

   for (unsigned i = 1; i + 1 < poly->n; i++)
      area += sgd_triangle_area(poly->v[0], poly->v[i], poly->v[i + 1]);

   struct sgd_face face = { .prov = prov, .front = is_front(f, area) };
   const enum sgpu_fill fill = face.front ? rast->fill_front : rast->fill_back;
   if (culled(f, face.front) || (area == 0 && sgd_fills_area(fill))) {
      f->culled++;
      return;
   }

   const bool offset = sgd_offset_enabled(rast, fill);
   f->batch->stats.c_primitives += poly->n - 2;
   if (fill == SGPU_FILL_RECTANGLE) {
      sgd_setup_box(f, poly->v, poly->n, &face);
      return;
   }
   if (fill != SGPU_FILL_SOLID) {
      /* Compute the depth offset from the first triangle of the polygon that has a nonzero area. */
      for (unsigned i = 1; offset && area && i + 1 < poly->n; i++) {
         const int64_t part = sgd_triangle_area(poly->v[0], poly->v[i], poly->v[i + 1]);
         if (part) {
            face.offset = sgd_setup_offset(f, poly->v[0], poly->v[i], poly->v[i + 1], part);
            break;
         }
      }
      draw_unfilled(f, poly, fill, &face);
      return;
   }

   if (f->mode->smooth_fill) {
      sgd_setup_polygon(f, poly->v, poly->n, area, &face);
      return;
   }
   for (unsigned i = 1; i + 1 < poly->n; i++) {
      const int64_t part = sgd_triangle_area(poly->v[0], poly->v[i], poly->v[i + 1]);
      /* Snapping vertices to multiples of 1/256 pixel can flip a very thin triangle. Skip such a
       * triangle, since its neighbours then cover its pixels.
       */
      if (part == 0 || (part < 0) != (area < 0))
         continue;
      if (offset)
         face.offset = sgd_setup_offset(f, poly->v[0], poly->v[i], poly->v[i + 1], part);
      sgd_setup_triangle(f, poly->v[0], poly->v[i], poly->v[i + 1], part, &face);
   }
}

static void
clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
              const struct sgd_vertex *v2, const struct sgd_vertex *prov, unsigned edges)
{
   f->primitives++;
   f->clip_made = 0;
   if (f->mode->fill_unfilled && !(edges & SGD_EDGES_CONTINUE))
      sgd_front_reset_stipple(f);
   if (f->multi_viewport) {
      v0 = sgd_clip_move(f, v0, prov);
      v1 = sgd_clip_move(f, v1, prov);
      v2 = sgd_clip_move(f, v2, prov);
   }
   if (v0->clip & v1->clip & v2->clip & (f->mode->clip_cut | SGD_CLIP_VIEW_BITS | f->cull_bits)) {
      f->culled++;
      return;
   }

   const uint32_t cut = (v0->clip | v1->clip | v2->clip) & f->mode->clip_cut;
   if (likely(!cut && !f->mode->fill_unfilled && !f->mode->smooth_fill)) {
      const int64_t area = sgd_triangle_area(v0, v1, v2);
      struct sgd_face face = { .prov = prov, .front = is_front(f, area) };

      if (area == 0 || culled(f, face.front)) {
         f->culled++;
         return;
      }
      if (f->state->rast.offset_tri)
         face.offset = sgd_setup_offset(f, v0, v1, v2, area);
      f->batch->stats.c_primitives++;
      sgd_setup_triangle(f, v0, v1, v2, area, &face);
      return;
   }

   struct sgd_polygon poly = {
      .v = { v0, v1, v2 },
      .edge = { (edges & 1) && has_edge(v0), (edges & 2) && has_edge(v1),
                (edges & 4) && has_edge(v2) },
      .n = 3,
   };
   if (cut) {
      f->clipped++;
      sgd_clip_polygon(f, &poly, cut);
   }
   if (poly.n >= 3 && !(cut && draws_boxes(f)))
      draw_polygon(f, &poly, prov);
   else
      f->culled++;
}

/* Line stipple counter of a primitive that is drawn in several viewports. It begins with the same
 * value in each of them, and continues behind the last one.
 */
struct stipple {
   uint32_t count;
   bool carried;
};

static struct stipple
keep_stipple(const struct sgd_front *f)
{
   return (struct stipple){ f->stipple, f->stipple_carried };
}

static void
restore_stipple(struct sgd_front *f, struct stipple stipple)
{
   f->stipple = stipple.count;
   f->stipple_carried = stipple.carried;
}

void
sgd_clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                  const struct sgd_vertex *v2, const struct sgd_vertex *prov, unsigned edges)
{
   if (likely(!f->mode->viewport_mask)) {
      clip_triangle(f, v0, v1, v2, prov, edges);
      return;
   }
   const struct stipple stipple = keep_stipple(f);
   for (uint32_t left = prov->viewport >> SGD_VIEWPORT_MASK_SHIFT; left;) {
      const unsigned n = u_bit_scan(&left);
      const struct sgd_vertex *own = sgd_clip_copy(f, prov, 3, n);

      restore_stipple(f, stipple);
      clip_triangle(f, sgd_clip_copy(f, v0, 0, n), sgd_clip_copy(f, v1, 1, n),
                    sgd_clip_copy(f, v2, 2, n), own, edges);
   }
}

static inline unsigned
provoking_of(const struct sgd_triangles *t, unsigned n)
{
   return t->provoking ? t->provoking[n] : t->same_provoking;
}

static inline void
set_id(struct sgd_front *f, const struct sgd_triangles *t, unsigned n)
{
   f->primitive_id = t->first_id + (t->primitive ? t->primitive[n] : n);
}

/* Draws triangle n of a list with sgd_clip_triangle(), which handles all cases. */
static void
draw_alone(struct sgd_front *f, const struct sgd_triangles *t, unsigned n)
{
   const uint16_t *corner = t->corner + 3 * n;

   set_id(f, t, n);
   sgd_clip_triangle(f, sgd_front_vertex(f, corner[0]), sgd_front_vertex(f, corner[1]),
                     sgd_front_vertex(f, corner[2]),
                     sgd_front_vertex(f, corner[provoking_of(t, n)]), SGD_EDGES_ALL);
}

/* Returns the union of the outcodes of all vertices in the batch. */
static uint32_t
batch_outcodes(const struct sgd_front *f)
{
   uint32_t any = 0;

   for (unsigned i = 0; i < f->num_vertices; i++)
      any |= sgd_front_vertex(f, i)->clip;
   return any;
}

/* Checks eight triangles against the clip planes. Returns a mask of the triangles that need
 * clipping, and sets *dropped to a mask of the triangles that are completely outside a plane.
 */
static uint32_t
outcodes(const struct sgd_front *f, const uint16_t *corner, uint32_t *dropped)
{
   const uint32_t outside = f->mode->clip_cut | SGD_CLIP_VIEW_BITS | f->cull_bits;
   uint32_t cut = 0, out = 0;

   for (unsigned k = 0; k < SGD_EIGHT; k++, corner += 3) {
      const uint32_t c0 = sgd_front_vertex(f, corner[0])->clip;
      const uint32_t c1 = sgd_front_vertex(f, corner[1])->clip;
      const uint32_t c2 = sgd_front_vertex(f, corner[2])->clip;

      out |= (uint32_t)((c0 & c1 & c2 & outside) != 0) << k;
      cut |= (uint32_t)(((c0 | c1 | c2) & f->mode->clip_cut) != 0) << k;
   }
   *dropped = out;
   return cut & ~out;
}

/* Triangles of a list that are collected for sgd_setup_eight(). There can be seven from earlier
 * iterations when the next eight are added.
 */
struct waiting {
   uint16_t number[2 * SGD_EIGHT];
   uint32_t alone; /* bit k is set if triangle number[k] needs draw_alone() */
   unsigned count;
};

/* Draws up to eight of the waiting triangles, in the order of the list. */
static void
draw_eight(struct sgd_front *f, const struct sgd_triangles *t, struct waiting *w)
{
   const unsigned count = MIN2(w->count, SGD_EIGHT);
   const uint32_t all = (1u << count) - 1, alone = w->alone & all;
   struct sgd_eight e;

   for (unsigned k = count; k < SGD_EIGHT; k++)
      w->number[k] = w->number[0];
   e.drawn = 0;
   if (alone != all)
      sgd_setup_eight(f, t->corner, w->number, &e);

   const uint32_t drawn = e.drawn & all & ~alone;
   f->culled += count - util_bitcount(alone | drawn);
   for (uint32_t left = alone | drawn; left;) {
      const unsigned k = u_bit_scan(&left), n = w->number[k];

      if (drawn >> k & 1) {
         set_id(f, t, n);
         sgd_setup_eighth(f, &e, k, t->corner + 3 * n, provoking_of(t, n));
      } else {
         draw_alone(f, t, n);
      }
   }
   w->count -= count;
   w->alone >>= SGD_EIGHT;
   memcpy(w->number, w->number + SGD_EIGHT, SGD_EIGHT * sizeof(w->number[0]));
}

bool
sgd_clip_takes_lists(const struct sgd_front *f)
{
   return sgd_setup_takes_eight(f);
}

void
sgd_clip_triangles(struct sgd_front *f, const struct sgd_triangles *t)
{
   const uint32_t all = (1u << SGD_EIGHT) - 1;
   unsigned n = 0;

   if (t->count >= SGD_EIGHT && sgd_setup_takes_eight(f)) {
      const bool inside = !(batch_outcodes(f) &
                            (f->mode->clip_cut | SGD_CLIP_VIEW_BITS | f->cull_bits));
      struct waiting w = { .count = 0 };

      for (; n + SGD_EIGHT <= t->count; n += SGD_EIGHT) {
         struct sgd_eight_boxes e = { 0 };
         uint32_t dropped = 0;
         uint32_t alone = inside ? 0 : outcodes(f, t->corner + 3 * n, &dropped);

         if (dropped != all)
            sgd_setup_eight_boxes(f, t->corner + 3 * n, &e);
         alone |= e.wide & ~dropped;

         const uint32_t own = all & ~(alone | dropped), stays = alone | (e.drawn & own);
         f->primitives += util_bitcount(all & ~alone);
         f->culled += util_bitcount(all & ~stays);
         f->batch->stats.c_primitives += util_bitcount(e.faces & own);
         for (unsigned k = 0; k < SGD_EIGHT; k++) {
            w.number[w.count] = n + k;
            w.alone |= (alone >> k & 1) << w.count;
            w.count += stays >> k & 1;
         }
         if (w.count >= SGD_EIGHT)
            draw_eight(f, t, &w);
      }
      if (w.count)
         draw_eight(f, t, &w);
   }
   for (; n < t->count; n++)
      draw_alone(f, t, n);
}

void
sgd_clip_face(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
              const struct sgd_vertex *prov, unsigned edges, bool continues)
{
   struct sgd_polygon poly = { .n = n };
   uint32_t any = 0, all = f->mode->clip_cut | SGD_CLIP_VIEW_BITS | f->cull_bits;

   for (unsigned i = 0; i < n; i++) {
      poly.v[i] = v[i];
      poly.edge[i] = (edges >> i & 1) && has_edge(v[i]);
      any |= v[i]->clip & f->mode->clip_cut;
      all &= v[i]->clip;
   }
   if (f->mode->fill_unfilled && !continues)
      sgd_front_reset_stipple(f);
   f->clip_made = 0;
   if (!f->multi_viewport && !all && !(any && draws_boxes(f))) {
      if (any)
         sgd_clip_polygon(f, &poly, any);
      if (poly.n >= 3 && sgd_polygon_convex(poly.v, poly.n)) {
         f->primitives += n - 2;
         f->clipped += any != 0;
         draw_polygon(f, &poly, prov);
         return;
      }
   }

   /* Draw separate triangles if the polygon is not convex (which OpenGL leaves undefined), if its
    * vertices may have different viewports, or if it is completely outside a plane.
    */
   for (unsigned i = 1; i + 1 < n; i++) {
      const unsigned own = (i == 1 ? edges & 1 : 0) | (edges >> i & 1) << 1 |
                           (i + 2 == n ? edges >> (n - 1) & 1 : 0) << 2;
      sgd_clip_triangle(f, v[0], v[i], v[i + 1], prov, own | SGD_EDGES_CONTINUE);
   }
}

static void
clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
          const struct sgd_vertex *prov)
{
   const struct sgd_face face = { .prov = prov, .front = true };
   const struct sgd_vertex *v[2] = { v0, v1 };

   f->primitives++;
   f->clip_made = 0;
   if (f->multi_viewport) {
      v[0] = sgd_clip_move(f, v0, prov);
      v[1] = sgd_clip_move(f, v1, prov);
   }
   const uint32_t cut = (v[0]->clip | v[1]->clip) & f->mode->clip_cut;
   const uint32_t outside = v[0]->clip & v[1]->clip;
   if (outside & (f->mode->clip_cut | side_bits(f) | f->cull_bits)) {
      f->culled++;
      /* A line outside the view still advances the stipple of its strip, unless a cull distance
       * discards the line.
       */
      if (!cut && !(outside & f->cull_bits))
         sgd_setup_line_skip(f, v[0], v[1]);
      return;
   }

   if (cut) {
      f->clipped++;
      if (!sgd_clip_segment(f, v, cut)) {
         f->culled++;
         return;
      }
   }
   f->batch->stats.c_primitives++;
   draw_line(f, v[0], v[1], &face);
}

void
sgd_clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
              const struct sgd_vertex *prov)
{
   if (likely(!f->mode->viewport_mask)) {
      clip_line(f, v0, v1, prov);
      return;
   }
   const struct stipple stipple = keep_stipple(f);
   for (uint32_t left = prov->viewport >> SGD_VIEWPORT_MASK_SHIFT; left;) {
      const unsigned n = u_bit_scan(&left);
      const struct sgd_vertex *own = sgd_clip_copy(f, prov, 3, n);

      restore_stipple(f, stipple);
      clip_line(f, sgd_clip_copy(f, v0, 0, n), sgd_clip_copy(f, v1, 1, n), own);
   }
}

static void
clip_point(struct sgd_front *f, const struct sgd_vertex *v)
{
   const struct sgd_face face = { .prov = v, .front = true };

   f->primitives++;
   const uint32_t sides = f->state->rast.point_no_side_clip ? 0 : side_bits(f);
   if (v->clip & (f->mode->clip_cut | sides | f->cull_bits)) {
      f->culled++;
      return;
   }
   f->batch->stats.c_primitives++;
   sgd_setup_point(f, v, &face);
}

void
sgd_clip_point(struct sgd_front *f, const struct sgd_vertex *v)
{
   if (likely(!f->mode->viewport_mask)) {
      clip_point(f, v);
      return;
   }
   for (uint32_t left = v->viewport >> SGD_VIEWPORT_MASK_SHIFT; left;)
      clip_point(f, sgd_clip_copy(f, v, 0, u_bit_scan(&left)));
}
