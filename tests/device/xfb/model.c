/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <string.h>

static bool
recorded(const struct model *m, const struct model_element *e)
{
   return e->stream == m->stream && m->buffer[e->buffer].bound;
}

static bool
records(const struct model *m)
{
   for (unsigned i = 0; i < m->num_elements; i++) {
      if (recorded(m, &m->element[i]))
         return true;
   }
   return false;
}

static bool
takes_part(const struct model *m, unsigned buffer)
{
   bool named = false;
   for (unsigned i = 0; i < m->num_elements; i++)
      named |= m->element[i].buffer == buffer && recorded(m, &m->element[i]);
   return named;
}

static void
primitive(struct model *m, const struct model_vertex *const *v, unsigned n)
{
   m->generated++;
   if (!records(m))
      return;
   m->needed++;
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      const struct model_buffer *buffer = &m->buffer[b];
      if (takes_part(m, b) && *buffer->counter + n * buffer->stride * 4 > buffer->size)
         return;
   }
   m->written++;
   for (unsigned k = 0; k < n; k++) {
      for (unsigned i = 0; i < m->num_elements; i++) {
         const struct model_element *e = &m->element[i];
         const struct model_buffer *buffer = &m->buffer[e->buffer];
         if (!recorded(m, e))
            continue;
         memcpy(buffer->data + *buffer->counter + k * buffer->stride * 4 + e->offset * 4,
                &v[k]->o[e->output][e->first], e->components * 4);
      }
   }
   for (unsigned b = 0; b < MODEL_BUFFERS; b++) {
      if (takes_part(m, b))
         *m->buffer[b].counter += n * m->buffer[b].stride * 4;
   }
}

static void
point(struct model *m, const struct model_vertex *a)
{
   primitive(m, &a, 1);
}

static void
line(struct model *m, const struct model_vertex *a, const struct model_vertex *b)
{
   primitive(m, (const struct model_vertex *[]){ a, b }, 2);
}

/* Appends a triangle. The caller passes its vertices in the order that has the provoking vertex at
 * the place of the convention.
 */
static void
triangle(struct model *m, const struct model_vertex *a, const struct model_vertex *b,
         const struct model_vertex *c)
{
   primitive(m, (const struct model_vertex *[]){ a, b, c }, 3);
}

void
model_strip(struct model *m, enum sgpu_primitive type, const struct model_vertex *v, unsigned n)
{
   const bool first = m->flatshade_first;
   const bool recorded = records(m);
   const uint64_t before = m->generated;

   switch (type) {
   case SGPU_PRIMITIVE_POINTS:
      for (unsigned i = 0; i < n; i++)
         point(m, &v[i]);
      break;
   case SGPU_PRIMITIVE_LINES:
      for (unsigned i = 0; i + 1 < n; i += 2)
         line(m, &v[i], &v[i + 1]);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
   case SGPU_PRIMITIVE_LINE_LOOP:
      for (unsigned i = 0; i + 1 < n; i++)
         line(m, &v[i], &v[i + 1]);
      if (type == SGPU_PRIMITIVE_LINE_LOOP && n >= 2)
         line(m, &v[n - 1], &v[0]);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
      for (unsigned i = 0; i + 2 < n; i += 3)
         triangle(m, &v[i], &v[i + 1], &v[i + 2]);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
      /* Every other triangle has the opposite order of vertices. */
      for (unsigned i = 0; i + 2 < n; i++) {
         if (!(i & 1))
            triangle(m, &v[i], &v[i + 1], &v[i + 2]);
         else if (first)
            triangle(m, &v[i], &v[i + 2], &v[i + 1]);
         else
            triangle(m, &v[i + 1], &v[i], &v[i + 2]);
      }
      break;
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      for (unsigned i = 1; i + 1 < n; i++) {
         if (first)
            triangle(m, &v[i], &v[i + 1], &v[0]);
         else
            triangle(m, &v[0], &v[i], &v[i + 1]);
      }
      break;
   case SGPU_PRIMITIVE_QUADS:
      for (unsigned i = 0; i + 3 < n; i += 4) {
         if (first) {
            triangle(m, &v[i], &v[i + 1], &v[i + 2]);
            triangle(m, &v[i], &v[i + 2], &v[i + 3]);
         } else {
            triangle(m, &v[i], &v[i + 1], &v[i + 3]);
            triangle(m, &v[i + 1], &v[i + 2], &v[i + 3]);
         }
      }
      break;
   case SGPU_PRIMITIVE_QUAD_STRIP:
      for (unsigned i = 0; i + 3 < n; i += 2) {
         triangle(m, &v[i], &v[i + 1], &v[i + 3]);
         if (first)
            triangle(m, &v[i], &v[i + 3], &v[i + 2]);
         else
            triangle(m, &v[i + 2], &v[i], &v[i + 3]);
      }
      break;
   case SGPU_PRIMITIVE_POLYGON:
      for (unsigned i = 1; i + 1 < n; i++) {
         if (first)
            triangle(m, &v[0], &v[i], &v[i + 1]);
         else
            triangle(m, &v[i], &v[i + 1], &v[0]);
      }
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
      for (unsigned i = 0; i + 3 < n; i += 4)
         line(m, &v[i + 1], &v[i + 2]);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 3 < n; i++)
         line(m, &v[i + 1], &v[i + 2]);
      break;
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      for (unsigned i = 0; i + 5 < n; i += 6)
         triangle(m, &v[i], &v[i + 2], &v[i + 4]);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 5 < n; i += 2) {
         if (!(i & 2))
            triangle(m, &v[i], &v[i + 2], &v[i + 4]);
         else if (first)
            triangle(m, &v[i], &v[i + 4], &v[i + 2]);
         else
            triangle(m, &v[i + 2], &v[i], &v[i + 4]);
      }
      break;
   case SGPU_PRIMITIVE_PATCHES:
      break;
   }

   /* Quads and polygons become triangles only for transform feedback. */
   if (!recorded) {
      if (type == SGPU_PRIMITIVE_QUADS || type == SGPU_PRIMITIVE_QUAD_STRIP)
         m->generated = before + (m->generated - before) / 2;
      if (type == SGPU_PRIMITIVE_POLYGON)
         m->generated = before + (n >= 3);
   }
}
