/* SPDX-License-Identifier: MIT */
/* Micro-benchmarks of triangles with 1, 4, 16 and 64 pixels, and of a mesh with a million
 * triangles.  The mesh covers the target with squares of two triangles each.  To check the result,
 * the mesh is drawn with additive blending: each pixel that it covers must be drawn exactly once.
 */
#include <math.h>
#include <stdlib.h>

#include "bench_micro.h"

#define MESH 708 /* number of squares per row of the large mesh, which has 1,002,528 triangles */

static GLsizei indices;

/* Returns the number of squares per row.  `variant` is the number of pixels per triangle, or 0 for
 * the large mesh.
 */
static unsigned
squares(const struct micro *micro)
{
   return micro->variant ? (unsigned)(MICRO_SIDE / sqrt(2.0 * micro->variant)) : MESH;
}

static void
prepare_mesh(const struct micro *micro)
{
   const unsigned n = squares(micro), row = n + 1;
   const float side = micro->variant ? (float)(sqrt(2.0 * micro->variant) / MICRO_SIDE * 2.0)
                                     : 2.0f / MESH;
   float *vertices = bench_alloc(row * row * 2 * sizeof(*vertices));
   uint32_t *order = bench_alloc(n * n * 6 * sizeof(*order)), *next = order;
   GLuint buffers[2], program;

   for (unsigned i = 0; i < row * row; i++) {
      vertices[2 * i] = -1.0f + (float)(i % row) * side;
      vertices[2 * i + 1] = -1.0f + (float)(i / row) * side;
   }
   for (unsigned i = 0; i < n * n; i++) {
      const uint32_t at = i / n * row + i % n;
      const uint32_t corners[6] = { at, at + 1, at + row, at + row, at + 1, at + row + 1 };
      for (unsigned k = 0; k < 6; k++)
         *next++ = corners[k];
   }
   indices = (GLsizei)(n * n * 6);
   micro_target(false);
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, row * row * 8, vertices, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, indices * 4, order, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
   glEnableVertexAttribArray(0);
   free(vertices);
   free(order);
   program = bench_draw_program(
      "layout(location = 0) in vec2 corner; uniform mat4 m; void main() { gl_Position = m * vec4(corner, 0.0, 1.0); }\n",
      "out vec4 result; void main() { result = vec4(0.2, 0.4, 0.6, 1.0); }\n");
   glUseProgram(program);
   const float unit[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
   glUniformMatrix4fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, unit);
}

static void
frame_mesh(const struct micro *micro)
{
   (void)micro;
   glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, NULL);
}

static bool
check_mesh(const struct micro *micro)
{
   const double covered = micro->variant ? squares(micro) * sqrt(2.0 * micro->variant) : MICRO_SIDE;
   unsigned bad = 0;

   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   frame_mesh(micro);
   glDisable(GL_BLEND);
   const uint8_t *pixels = micro_read();
   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE; i++) {
      const double x = i % MICRO_SIDE + 0.5, y = i / MICRO_SIDE + 0.5, far = x > y ? x : y;
      /* Skip pixels on the edge of the mesh, since their coverage depends on rounding. */
      if (fabs(far - covered) < 0.01)
         continue;
      bad += pixels[4 * i] != (far < covered ? 51 : 0);
   }
   return bad == 0;
}

#define SQUARES(side) ((double)(unsigned)(MICRO_SIDE / (side)))
#define TRIANGLES(title, pixels, side)                                                     \
   {                                                                                       \
      .name = title, .text = "triangles of " #pixels " pixels that tile the target",       \
      .unit = "triangles", .work = 2 * SQUARES(side) * SQUARES(side),                      \
      .bytes = SQUARES(side) * SQUARES(side) * (24 + 8) + 4.0 * MICRO_SIDE * MICRO_SIDE,   \
      .prepare = prepare_mesh, .frame = frame_mesh, .check = check_mesh, .variant = pixels \
   }

/* A frame reads the indices and vertices once, and writes each pixel once. */
const struct micro micro_meshes[] = {
   TRIANGLES("triangles-1", 1, 1.41421356),
   TRIANGLES("triangles-4", 4, 2.82842712),
   TRIANGLES("triangles-16", 16, 5.65685425),
   TRIANGLES("triangles-64", 64, 11.3137085),
   { .name = "mesh",
     .text = "an indexed mesh of 1,002,528 triangles",
     .unit = "triangles",
     .work = 2.0 * MESH * MESH,
     .bytes = (double)MESH * MESH * 32 + 4.0 * MICRO_SIDE * MICRO_SIDE,
     .prepare = prepare_mesh,
     .frame = frame_mesh,
     .check = check_mesh },
};
const unsigned micro_mesh_count = sizeof(micro_meshes) / sizeof(micro_meshes[0]);
