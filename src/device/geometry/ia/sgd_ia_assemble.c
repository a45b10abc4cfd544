/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: assembles the vertices of a batch into primitives. Primitives for transform
 * feedback are assembled in a separate pass.
 *
 * Flat inputs get the values of the provoking vertex. RASTERIZER.Flatshade First selects the
 * convention, and the vertex is defined in table 2.12 of the OpenGL 3.2 specification
 * (compatibility profile): the first or the last vertex of a primitive, including quads
 * (QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION is true), and always the first vertex of a polygon. A
 * quad is split along the diagonal from its first vertex with the first-vertex convention, and from
 * its second vertex with the last-vertex convention, so that both halves contain the provoking
 * vertex. Quads of a strip, and quads whose edges are stippled lines, are always split from the
 * first vertex. The order of the vertices after the split gives the same facing as before.
 */
#include <assert.h>

#include "geometry/clip/sgd_clip.h"
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/front/sgd_xfb_record.h"
#include "geometry/ia/sgd_ia.h"
#include "geometry/ia/sgd_ia_strip.h"

enum {
   EDGE_01 = 1,
   EDGE_12 = 2,
   EDGE_20 = 4,
   EDGE_ALL = SGD_EDGES_ALL,
   CONTINUE = SGD_EDGES_CONTINUE
};

#define V(i) sgd_front_vertex(f, s->v[i])

/* Maximum number of triangles in one call of sgd_clip_triangles(). */
#define MOST 256
struct list {
   uint16_t corner[MOST][3];
   uint16_t primitive[MOST];
   uint8_t provoking[MOST];
   unsigned count;
   uint32_t first_id;
};

static ATTRIBUTE_NOINLINE void
draw_list(struct sgd_front *f, struct list *l)
{
   const uint32_t id = f->primitive_id;

   if (l->count)
      sgd_clip_triangles(f, &(struct sgd_triangles){
                               .corner = l->corner[0],
                               .count = l->count,
                               .first_id = l->first_id,
                               .primitive = l->primitive,
                               .provoking = l->provoking,
                            });
   l->count = 0;
   f->primitive_id = id;
}

static inline void
append(struct sgd_front *f, struct list *l, uint16_t v0, uint16_t v1, uint16_t v2, unsigned corner)
{
   if (l->count == MOST)
      draw_list(f, l);
   if (!l->count)
      l->first_id = f->primitive_id;
   const unsigned n = l->count++;
   l->corner[n][0] = v0;
   l->corner[n][1] = v1;
   l->corner[n][2] = v2;
   l->primitive[n] = f->primitive_id - l->first_id;
   l->provoking[n] = corner;
}

/* Passes a point to transform feedback if f->xfb_pass is set, or to the clipper if not. */
static inline void
point(struct sgd_front *f, const struct sgd_vertex *v)
{
   if (f->xfb_pass)
      sgd_xfb_point(f, 0, v);
   else
      sgd_clip_point(f, v);
}

static inline void
line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
     const struct sgd_vertex *prov)
{
   if (f->xfb_pass)
      sgd_xfb_line(f, 0, v0, v1);
   else
      sgd_clip_line(f, v0, v1, prov);
}

/* Passes a triangle to the list, to transform feedback or to the clipper. `list` is NULL if the
 * clipper needs the triangles one at a time. `corner` (0 to 2) is the index of the provoking vertex
 * for transform feedback and lists, and `prov` is the provoking vertex for the clipper.
 */
static inline void
triangle(struct sgd_front *f, struct list *list, uint16_t v0, uint16_t v1, uint16_t v2,
         uint16_t prov, unsigned corner, unsigned edges)
{
   if (list)
      append(f, list, v0, v1, v2, corner);
   else if (f->xfb_pass)
      sgd_xfb_triangle(f, 0, sgd_front_vertex(f, v0), sgd_front_vertex(f, v1),
                       sgd_front_vertex(f, v2), corner);
   else
      sgd_clip_triangle(f, sgd_front_vertex(f, v0), sgd_front_vertex(f, v1),
                        sgd_front_vertex(f, v2), sgd_front_vertex(f, prov), edges);
}

static void
polygon_part(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s, unsigned i)
{
   unsigned edges = EDGE_12;

   edges |= i == 1 && s->begins ? EDGE_01 : CONTINUE;
   if (i + 2 == s->n && s->ends)
      edges |= EDGE_20;
   triangle(f, list, s->hub, s->v[i], s->v[i + 1], s->hub, 0, edges);
}

/* Splits a smooth polygon into pieces of at most SGD_FACE_CORNERS corners, and passes them to the
 * clipper.
 */
static void
smooth_polygon(struct sgd_front *f, const struct sgd_ia_strip *s)
{
   const struct sgd_vertex *v[SGD_FACE_CORNERS], *hub = sgd_front_vertex(f, s->hub);

   for (unsigned i = 1; i + 1 < s->n;) {
      const unsigned n = MIN2(s->n - i, SGD_FACE_CORNERS - 1);
      unsigned edges = ((1u << (n - 1)) - 1) << 1;

      v[0] = hub;
      for (unsigned k = 0; k < n; k++)
         v[k + 1] = V(i + k);
      if (i == 1 && s->begins)
         edges |= 1;
      if (i + n == s->n && s->ends)
         edges |= 1u << n;
      sgd_clip_face(f, v, n + 1, hub, edges, i > 1 || !s->begins);
      i += n - 1;
   }
}

/* Passes a smooth quad to the clipper. The diagonal of the quad starts at corner `start`. */
static void
smooth_quad(struct sgd_front *f, const struct sgd_vertex *const *corner, unsigned start,
            const struct sgd_vertex *prov)
{
   const struct sgd_vertex *v[4];

   for (unsigned i = 0; i < 4; i++)
      v[i] = corner[(start + i) % 4];
   sgd_clip_face(f, v, 4, prov, 15, false);
}

/* Returns true if cull distances discard the whole quad. Clears f->cull_bits so that the cull
 * distances are not tested again for the two triangles of the quad.
 */
static bool
quad_culled(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
            const struct sgd_vertex *v2, const struct sgd_vertex *v3)
{
   if (likely(!f->mode->cull_distances) || f->xfb_pass)
      return false;
   f->cull_bits = 0;
   if (!(v0->clip & v1->clip & v2->clip & v3->clip & SGD_CLIP_CULL_BITS))
      return false;
   f->primitives += 2;
   f->culled += 2;
   return true;
}

/* -- one function per topology; f->primitive_id is the ID of the next primitive --------- */

/* Passes on the lines of a list. There are `size` elements per line, and the two vertices of the
 * line start at element `from` of these.
 */
static void
assemble_line_list(struct sgd_front *f, const struct sgd_ia_strip *s, unsigned size, unsigned from)
{
   const bool first = f->state->rast.flatshade_first;

   for (unsigned i = 0; i + size <= s->n; i += size, f->primitive_id++) {
      const unsigned at = i + from;
      sgd_front_reset_stipple(f);
      line(f, V(at), V(at + 1), V(first ? at : at + 1));
   }
}

static void
assemble_line_strip(struct sgd_front *f, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const unsigned n = s->n;

   if (s->begins)
      sgd_front_reset_stipple(f);
   for (unsigned i = 0; i + 2 <= n; i++, f->primitive_id++)
      line(f, V(i), V(i + 1), V(first ? i : i + 1));
   /* A loop with a single vertex has no lines. */
   if (f->draw->packet.primitive == SGPU_PRIMITIVE_LINE_LOOP && s->ends &&
       (n >= 2 || (n == 1 && !s->begins))) {
      const struct sgd_vertex *last = V(n - 1), *hub = sgd_front_vertex(f, s->hub);
      line(f, last, hub, first ? last : hub);
      f->primitive_id++;
   }
}

static void
assemble_line_strip_adjacency(struct sgd_front *f, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;

   if (s->begins)
      sgd_front_reset_stipple(f);
   for (unsigned i = 0; i + 4 <= s->n; i++, f->primitive_id++)
      line(f, V(i + 1), V(i + 2), V(first ? i + 1 : i + 2));
}

static void
assemble_triangles(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   if (!f->xfb_pass) {
      const uint32_t first_id = f->primitive_id;
      sgd_clip_triangles(f, &(struct sgd_triangles){ .corner = v,
                                                     .count = s->n / 3,
                                                     .first_id = first_id,
                                                     .same_provoking = first ? 0 : 2 });
      f->primitive_id = first_id + s->n / 3;
      return;
   }
   for (unsigned i = 0; i + 3 <= s->n; i += 3, f->primitive_id++)
      triangle(f, list, v[i], v[i + 1], v[i + 2], v[first ? i : i + 2], first ? 0 : 2, EDGE_ALL);
}

static void
assemble_triangle_strip(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   /* A batch always starts with an even triangle of the strip, so i has the right parity. */
   for (unsigned i = 0; i + 3 <= s->n; i++, f->primitive_id++) {
      const unsigned odd = i & 1;
      triangle(f, list, v[i + odd], v[i + 1 - odd], v[i + 2], v[first ? i : i + 2], first ? odd : 2,
               EDGE_ALL);
   }
}

static void
assemble_triangle_fan(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   for (unsigned i = 1; i + 2 <= s->n; i++, f->primitive_id++)
      triangle(f, list, s->hub, v[i], v[i + 1], v[first ? i : i + 1], first ? 1 : 2, EDGE_ALL);
}

static void
assemble_triangles_adjacency(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   for (unsigned i = 0; i + 6 <= s->n; i += 6, f->primitive_id++)
      triangle(f, list, v[i], v[i + 2], v[i + 4], v[first ? i : i + 4], first ? 0 : 2, EDGE_ALL);
}

static void
assemble_triangle_strip_adjacency(struct sgd_front *f, struct list *list,
                                  const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   /* Every second element is an adjacent vertex. Triangle i / 2 has vertices i, i + 2 and i + 4. In
    * odd triangles, the two vertices other than the provoking one are swapped, so that the provoking
    * vertex is also the first or the last one in transform feedback (piglit: gl-3.2-adj-prims).
    */
   for (unsigned i = 0; i + 6 <= s->n; i += 2, f->primitive_id++) {
      const unsigned odd = i & 2;
      if (first)
         triangle(f, list, v[i], v[i + 2 + odd], v[i + 4 - odd], v[i], 0, EDGE_ALL);
      else
         triangle(f, list, v[i + odd], v[i + 2 - odd], v[i + 4], v[i + 4], 2, EDGE_ALL);
   }
}

/* Returns true if quads and polygons are passed to the clipper as whole faces instead of triangles.
 */
static inline bool
passes_faces(const struct sgd_front *f)
{
   return f->mode->smooth_fill && !f->xfb_pass;
}

static void
assemble_quads(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first, faces = passes_faces(f);
   /* Splitting a quad at its first vertex draws the stippled edges in the correct order. */
   const bool in_order = f->mode->fill_unfilled && f->state->rast.line_stipple && !f->xfb_pass;

   for (unsigned i = 0; i + 4 <= s->n; i += 4, f->primitive_id++) {
      const uint16_t *q = s->v + i, prov = q[first ? 0 : 3];
      if (quad_culled(f, V(i), V(i + 1), V(i + 2), V(i + 3)))
         continue;
      if (faces) {
         const struct sgd_vertex *corner[4] = { V(i), V(i + 1), V(i + 2), V(i + 3) };
         smooth_quad(f, corner, first || in_order ? 0 : 1, sgd_front_vertex(f, prov));
      } else if (first || in_order) {
         triangle(f, list, q[0], q[1], q[2], prov, 0, EDGE_01 | EDGE_12);
         triangle(f, list, q[0], q[2], q[3], prov, 0, EDGE_12 | EDGE_20 | CONTINUE);
      } else {
         triangle(f, list, q[0], q[1], q[3], prov, 2, EDGE_01 | EDGE_20);
         triangle(f, list, q[1], q[2], q[3], prov, 2, EDGE_01 | EDGE_12 | CONTINUE);
      }
   }
}

static void
assemble_quad_strip(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first, faces = passes_faces(f);

   /* The corners of a quad are elements i, i + 1, i + 3 and i + 2, in this order. */
   for (unsigned i = 0; i + 4 <= s->n; i += 2, f->primitive_id++) {
      const uint16_t *q = s->v + i, prov = q[first ? 0 : 3];
      if (quad_culled(f, V(i), V(i + 1), V(i + 3), V(i + 2)))
         continue;
      if (faces) {
         const struct sgd_vertex *corner[4] = { V(i), V(i + 1), V(i + 3), V(i + 2) };
         smooth_quad(f, corner, 0, sgd_front_vertex(f, prov));
         continue;
      }
      triangle(f, list, q[0], q[1], q[3], prov, first ? 0 : 2, EDGE_01 | EDGE_12);
      triangle(f, list, q[0], q[3], q[2], prov, first ? 0 : 1, EDGE_12 | EDGE_20 | CONTINUE);
   }
}

static void
assemble_polygon(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   if (passes_faces(f)) {
      smooth_polygon(f, s);
   } else {
      for (unsigned i = 1; i + 2 <= s->n; i++)
         polygon_part(f, list, s, i);
   }
   if (s->ends && (s->n >= 3 || !s->begins))
      f->primitive_id++;
}

static void
assemble_strip(struct sgd_front *f, struct list *list, const struct sgd_ia_strip *s)
{
   switch (f->draw->packet.primitive) {
   case SGPU_PRIMITIVE_POINTS:
      for (unsigned i = 0; i < s->n; i++, f->primitive_id++)
         point(f, V(i));
      break;
   case SGPU_PRIMITIVE_LINES:
      assemble_line_list(f, s, 2, 0);
      break;
   case SGPU_PRIMITIVE_LINE_LOOP:
   case SGPU_PRIMITIVE_LINE_STRIP:
      assemble_line_strip(f, s);
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
      assemble_line_list(f, s, 4, 1);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      assemble_line_strip_adjacency(f, s);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
      assemble_triangles(f, list, s);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
      assemble_triangle_strip(f, list, s);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      assemble_triangle_fan(f, list, s);
      break;
   case SGPU_PRIMITIVE_QUADS:
      assemble_quads(f, list, s);
      break;
   case SGPU_PRIMITIVE_QUAD_STRIP:
      assemble_quad_strip(f, list, s);
      break;
   case SGPU_PRIMITIVE_POLYGON:
      assemble_polygon(f, list, s);
      break;
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      assemble_triangles_adjacency(f, list, s);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      assemble_triangle_strip_adjacency(f, list, s);
      break;
   case SGPU_PRIMITIVE_PATCHES:
      /* Patches are only used by the tessellation stages. */
      break;
   }
   f->cull_bits = f->mode->cull_distances << SGD_CLIP_CULL;
}

void
sgd_ia_assemble(struct sgd_front *f)
{
   const struct sgd_batch *batch = f->batch;
   const unsigned n = batch->num_elements;
   const bool restart = f->draw->num_parts || (f->draw->packet.restart &&
                                               f->draw->packet.index_size != SGPU_INDEX_SIZE_NONE);

   /* quad_culled() changes f->cull_bits for each quad, so the triangles of quads with cull
    * distances can't be collected in a list.
    */
   const bool in_lists = !f->second && !f->xfb_pass && !f->mode->cull_distances &&
                         sgd_clip_takes_lists(f);
   struct list storage, *list = in_lists ? &storage : NULL;

   storage.count = 0;
   f->primitive_id = batch->first_prim;
   for (unsigned begin = 0; begin < n;) {
      unsigned end = n;
      if (restart) {
         for (end = begin; end < n && f->slot[end] != SGD_SLOT_RESTART; end++)
            ;
      }

      const bool begins = begin > 0 || batch->first_of_strip;
      const struct sgd_ia_strip s = {
         .v = f->slot + begin,
         .n = end - begin,
         .begins = begins,
         .ends = end < n || batch->last_of_strip,
         .hub = begins ? f->slot[begin] : f->hub,
      };
      if (f->second)
         sgd_ia_assemble_stage(f, &s);
      else
         assemble_strip(f, list, &s);
      begin = end + 1;
      if (f->batch->failed || f->stopped)
         return;
   }
   if (list)
      draw_list(f, list);
   assert(f->batch->failed || f->primitive_id - batch->first_prim == batch->num_primitives ||
          f->draw->packet.primitive == SGPU_PRIMITIVE_PATCHES);
}
