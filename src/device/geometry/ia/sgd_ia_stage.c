/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: passes primitives to the stage after the vertex stage, with vertices in the
 * order of gl_in. To preserve the winding of triangle strips, with and without adjacency, odd
 * triangles swap their first two vertices with the last-vertex convention (OpenGL 4.6, table 10.1),
 * and their last two vertices with the first-vertex convention.
 */
#include "geometry/front/sgd_front.h"
#include "geometry/ia/sgd_ia_strip.h"

#define GIVE(...)                                                         \
   do {                                                                   \
      const uint16_t vertex[] = { __VA_ARGS__ };                          \
      f->second->ops->primitive(f, f->second, vertex, f->primitive_id++); \
   } while (0)

/* Passes on the triangles of a strip with adjacency. Triangle t uses elements 2 * t to 2 * t + 5.
 * It also uses the element before them, unless it is the first triangle, and the element after
 * them, unless it is the last one.
 */
static void
strip_with_adjacency(struct sgd_front *f, const struct sgd_ia_strip *s)
{
   const bool first = f->state->rast.flatshade_first;
   const uint16_t *v = s->v;

   for (unsigned i = 0; i + 6 <= s->n; i += 2) {
      uint16_t before = v[i + 1], after = v[i + 5];

      if (i > 0)
         before = v[i - 2];
      else if (!s->begins)
         before = f->adjacent_before;
      if (i + 8 <= s->n)
         after = v[i + 6];
      else if (!s->ends && f->adjacent_after != SGD_SLOT_RESTART)
         after = f->adjacent_after;

      /* A batch always starts with an even triangle of the strip, so i has the right parity. */
      if (i & 2 && first)
         GIVE(v[i], v[i + 3], v[i + 4], after, v[i + 2], before);
      else if (i & 2)
         GIVE(v[i + 2], before, v[i], v[i + 3], v[i + 4], after);
      else
         GIVE(v[i], before, v[i + 2], after, v[i + 4], v[i + 3]);
   }
}

void
sgd_ia_assemble_stage(struct sgd_front *f, const struct sgd_ia_strip *s)
{
   const uint16_t *v = s->v;
   const unsigned n = s->n;

   switch (f->draw->packet.primitive) {
   case SGPU_PRIMITIVE_POINTS:
      for (unsigned i = 0; i < n; i++)
         GIVE(v[i]);
      break;
   case SGPU_PRIMITIVE_LINES:
      for (unsigned i = 0; i + 2 <= n; i += 2)
         GIVE(v[i], v[i + 1]);
      break;
   case SGPU_PRIMITIVE_LINE_LOOP:
   case SGPU_PRIMITIVE_LINE_STRIP:
      for (unsigned i = 0; i + 2 <= n; i++)
         GIVE(v[i], v[i + 1]);
      if (f->draw->packet.primitive == SGPU_PRIMITIVE_LINE_LOOP && s->ends &&
          (n >= 2 || (n == 1 && !s->begins)))
         GIVE(v[n - 1], s->hub);
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
      for (unsigned i = 0; i + 4 <= n; i += 4)
         GIVE(v[i], v[i + 1], v[i + 2], v[i + 3]);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 4 <= n; i++)
         GIVE(v[i], v[i + 1], v[i + 2], v[i + 3]);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
      for (unsigned i = 0; i + 3 <= n; i += 3)
         GIVE(v[i], v[i + 1], v[i + 2]);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
      for (unsigned i = 0; i + 3 <= n; i++) {
         const unsigned odd = i & 1;
         if (f->state->rast.flatshade_first)
            GIVE(v[i], v[i + 1 + odd], v[i + 2 - odd]);
         else
            GIVE(v[i + odd], v[i + 1 - odd], v[i + 2]);
      }
      break;
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      for (unsigned i = 1; i + 2 <= n; i++)
         GIVE(s->hub, v[i], v[i + 1]);
      break;
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      for (unsigned i = 0; i + 6 <= n; i += 6)
         GIVE(v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5]);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      strip_with_adjacency(f, s);
      break;
   case SGPU_PRIMITIVE_PATCHES:
      for (unsigned i = 0, step = f->draw->packet.patch_vertices; i + step <= n; i += step)
         f->second->ops->primitive(f, f->second, v + i, f->primitive_id++);
      break;
   default:
      unreachable("primitive type of no stage");
   }
}
