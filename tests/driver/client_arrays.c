/* SPDX-License-Identifier: MIT */
/*
 * Tests vertex arrays in the program's memory: gl_VertexID, gl_BaseVertex, gl_InstanceID and
 * gl_DrawID of every drawing command, a few indices that are far apart, empty draws among others,
 * parameters and indices beyond the ends of their buffers, and vertices more than 4 GB away.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "egl.h"

#define WIDTH 64
#define VERTICES 8192

/* Vertex i is a point in column i modulo WIDTH.  Its instance selects the row. */
static struct {
   float column, tag;
} vertices[VERTICES];

static GLint picture[4][WIDTH][4];

static void
begin(void)
{
   static const GLint nothing[4] = { -1, -1, -1, -1 };

   glClearBufferiv(GL_COLOR, 0, nothing);
}

static void
read(void)
{
   glReadPixels(0, 0, WIDTH, 4, GL_RGBA_INTEGER, GL_INT, picture);
}

/* Checks a pixel, which contains the numbers of the vertex, base vertex, instance and draw.  With
 * the other program, it contains only the tag of the vertex.
 */
static void
check_at(const char *what, unsigned row, unsigned vertex, int base, int draw)
{
   const GLint *p = picture[row][vertex % WIDTH];

   CHECK(p[0] == (int)vertex && p[1] == base && p[2] == (int)row && p[3] == draw,
         "%s: vertex %u, row %u: %d, base %d, instance %d, draw %d", what, vertex, row, p[0], p[1],
         p[2], p[3]);
}

static void
check_count(const char *what, unsigned expected)
{
   unsigned count = 0;

   for (unsigned i = 0; i < 4 * WIDTH; i++)
      count += picture[i / WIDTH][i % WIDTH][0] != -1;
   CHECK(count == expected, "%s: %u points, not %u", what, count, expected);
}

static void
test_direct(bool numbers)
{
   static const GLuint far[2] = { 3, 8000 };
   static const GLushort near[3] = { 5, 6, 4007 };
   const GLsizei counts[4] = { 0, 2, 0, 1 };
   const GLint firsts[4] = { 1, 10, 2, 4020 }, bases[4] = { 7, 8, 9, 10 };
   const void *const pointers[4] = { near, near, near, near + 2 };

#define CHECK_AT(row, vertex, base, draw) \
   check_at(what, row, vertex, numbers ? base : 0, numbers ? draw : 0)
   const char *what = "few indices";
   begin();
   glDrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, far);
   read();
   CHECK_AT(0, 3, 0, 0);
   CHECK_AT(0, 8000, 0, 0);
   check_count(what, 2);

   what = "few indices, base and instances";
   begin();
   glDrawElementsInstancedBaseVertex(GL_POINTS, 3, GL_UNSIGNED_SHORT, near, 2, 30);
   read();
   for (unsigned row = 0; row < 2; row++) {
      CHECK_AT(row, 35, 30, 0);
      CHECK_AT(row, 36, 30, 0);
      CHECK_AT(row, 4037, 30, 0);
   }
   check_count(what, 6);

   what = "a range";
   begin();
   glDrawRangeElementsBaseVertex(GL_POINTS, 5, 4007, 3, GL_UNSIGNED_SHORT, near, 1);
   read();
   CHECK_AT(0, 6, 1, 0);
   CHECK_AT(0, 4008, 1, 0);
   check_count(what, 3);

   what = "several draws of indices";
   begin();
   glMultiDrawElementsBaseVertex(GL_POINTS, counts, GL_UNSIGNED_SHORT, pointers, 4, bases);
   read();
   CHECK_AT(0, 13, 8, 1);
   CHECK_AT(0, 14, 8, 1);
   CHECK_AT(0, 4017, 10, 3);
   check_count(what, 3);

   what = "several draws";
   begin();
   glMultiDrawArrays(GL_POINTS, firsts, counts, 4);
   read();
   CHECK_AT(0, 10, 0, 1);
   CHECK_AT(0, 11, 0, 1);
   CHECK_AT(0, 4020, 0, 3);
   check_count(what, 3);
   CHECK(glGetError() == GL_NO_ERROR, "direct draws");
#undef CHECK_AT
}

/* Tests indirect draws with a count from a buffer.  Draw i draws vertex (or index) 10 i + 1; with
 * elements, its base vertex is 100 i.
 */
static void
test_indirect(bool elements, unsigned stride, GLuint parameter, unsigned limit)
{
   enum { DRAWS = 3 };
   const unsigned size = elements ? 5 : 4;
   static const GLushort indices[] = { [1] = 40, [11] = 50, [21] = 20 };
   GLuint words[64] = { 0 }, buffers[3];
   char what[100];

   snprintf(what, sizeof what, "%s, stride %u, %u of at most %u draws",
            elements ? "elements" : "arrays", stride, parameter, limit);
   for (unsigned i = 0; i < DRAWS; i++) {
      GLuint *w = words + i * stride / 4;
      w[0] = w[1] = 1;
      w[2] = 10 * i + 1;
      w[3] = elements ? 100 * i : 0;
      w[size - 1] = 0;
   }
   glGenBuffers(3, buffers);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[0]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, (DRAWS - 1) * stride + 4 * size, words, GL_STATIC_DRAW);
   glBindBuffer(GL_PARAMETER_BUFFER, buffers[1]);
   glBufferData(GL_PARAMETER_BUFFER, 4, &parameter, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[2]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);

   begin();
   if (elements)
      glMultiDrawElementsIndirectCount(GL_POINTS, GL_UNSIGNED_SHORT, NULL, 0, limit, stride);
   else
      glMultiDrawArraysIndirectCount(GL_POINTS, NULL, 0, limit, stride);
   read();
   const unsigned count = parameter < limit ? parameter : limit;
   for (unsigned i = 0; i < count; i++) {
      check_at(what, 0, elements ? indices[10 * i + 1] + 100 * i : 10 * i + 1,
               elements ? 100 * i : 0, i);
   }
   check_count(what, count);
   CHECK(glGetError() == GL_NO_ERROR, "%s", what);

   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDeleteBuffers(3, buffers);
}

/* Tests draw parameters outside of the buffers, and a draw count outside of its buffer. */
static void
test_outside(void)
{
   const GLuint words[8] = { 1, 1, 3, 0, 0, 0, 0, 0 }, all = ~0u;
   GLuint buffers[2];

   glGenBuffers(2, buffers);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[0]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof words, words, GL_STATIC_DRAW);
   glBindBuffer(GL_PARAMETER_BUFFER, buffers[1]);
   glBufferData(GL_PARAMETER_BUFFER, 4, &all, GL_STATIC_DRAW);
   begin();
   glDrawArraysIndirect(GL_POINTS, (const void *)20);
   glMultiDrawArraysIndirect(GL_POINTS, (const void *)0x7ffffffffffffff0, 1000, 0);
   glMultiDrawArraysIndirectCount(GL_POINTS, NULL, 4, 1000, 16);
   glMultiDrawArraysIndirectCount(GL_POINTS, NULL, 0x7ffffffffffffff0, 1000, 16);
   while (glGetError())
      ;
   read();
   check_count("outside", 0);
   glDeleteBuffers(2, buffers);
}

/* Tests that indices beyond the end of their buffer read as 0. */
static void
test_indices(void)
{
   const GLushort indices[4] = { 5, 4000, 7, 8 };
   const GLuint words[5] = { 0x10000, 1, 2, 0, 0 };
   GLuint buffers[2];

   glGenBuffers(2, buffers);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof words, words, GL_STATIC_DRAW);

   begin();
   glDrawElements(GL_POINTS, 1 << 16, GL_UNSIGNED_SHORT, (const void *)4);
   read();
   check_at("a count", 0, 7, 0, 0);
   check_at("a count", 0, 8, 0, 0);
   check_at("a count", 0, 0, 0, 0);
   check_count("a count", 3);
   begin();
   glDrawElements(GL_POINTS, 40, GL_UNSIGNED_SHORT, (const void *)0x10000000);
   read();
   check_count("an offset", 0);
   begin();
   glDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_SHORT, NULL);
   read();
   check_at("an indirect count", 0, 7, 0, 0);
   check_count("an indirect count", 3);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDeleteBuffers(2, buffers);
   CHECK(glGetError() == GL_NO_ERROR, "indices");
}

/* Tests vertices that are too far away to be copied.  Such draws are dropped, and other draws work.
 */
static void
test_far(void)
{
   static const GLuint indices[2] = { 0, 0x20000003 };
   static const GLubyte first[1] = { 0 };

   begin();
   glDrawArrays(GL_POINTS, 0x20000003, 1);
   CHECK(glGetError() == GL_OUT_OF_MEMORY, "a far vertex");
   glDrawArrays(GL_POINTS, 3, 0x60000000);
   CHECK(glGetError() == GL_OUT_OF_MEMORY, "many vertices");
   glDrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, indices);
   CHECK(glGetError() == GL_OUT_OF_MEMORY, "a far index");
   /* The result is undefined, but must not crash. */
   glDrawElementsBaseVertex(GL_POINTS, 1, GL_UNSIGNED_BYTE, first, -1);
   while (glGetError())
      ;
   read();
   check_count("far", 0);
   glDrawArrays(GL_POINTS, 9, 1);
   read();
   check_at("behind", 0, 9, 0, 0);
   check_count("behind", 1);
}

/* Tests a draw of as many vertices as transform feedback has recorded in a draw without arrays. */
static void
test_feedback(GLuint program)
{
   static const char *const varying = "gl_Position";
   GLuint record = test_program("#version 330\nvoid main() { gl_Position = vec4(0); }\n",
                                "#version 330\nout ivec4 color;\n"
                                "void main() { color = ivec4(0); }\n");
   GLuint feedback, buffer;

   glTransformFeedbackVaryings(record, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(record);
   glGenTransformFeedbacks(1, &feedback);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 64 * 16, NULL, GL_STATIC_DRAW);
   glUseProgram(record);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 5);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glUseProgram(program);
   begin();
   glDrawTransformFeedbackInstanced(GL_POINTS, feedback, 2);
   read();
   check_at("transform feedback", 1, 4, 0, 0);
   check_count("transform feedback", 10);
   glDeleteTransformFeedbacks(1, &feedback);
   glDeleteBuffers(1, &buffer);
   CHECK(glGetError() == GL_NO_ERROR, "transform feedback");
}

int
main(void)
{
   EGLDisplay display = egl_display(EGL_OPENGL_API);

   REQUIRE(display);
   REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl_compatibility(display)));
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA32I, 0, WIDTH, 4);
   glViewport(0, 0, WIDTH, 4);

   for (unsigned i = 0; i < VERTICES; i++) {
      vertices[i].column = i % WIDTH;
      vertices[i].tag = i;
   }
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, sizeof vertices[0], &vertices[0].column);
   glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, sizeof vertices[0], &vertices[0].tag);

#define VERTEX(value)                                                                        \
   "#version 460 compatibility\n"                                                            \
   "layout(location = 0) in float column; layout(location = 1) in float tag;\n"              \
   "flat out ivec4 v;\n"                                                                     \
   "void main() {\n"                                                                         \
   "   gl_Position = vec4((column + 0.5) / 32.0 - 1.0, (gl_InstanceID + 0.5) / 2.0 - 1.0,\n" \
   "                      0.0, 1.0);\n"                                                      \
   "   v = " value ";\n"                                                                     \
   "}\n"
   static const char fragment[] = "#version 460\n"
                                  "flat in ivec4 v; out ivec4 color;\n"
                                  "void main() { color = v; }\n";
   const GLuint numbers = test_program(
      VERTEX("ivec4(gl_VertexID == int(tag) ? gl_VertexID : -2, gl_BaseVertex, gl_InstanceID, "
             "gl_DrawID)"),
      fragment);
   const GLuint tags = test_program(VERTEX("ivec4(int(tag), 0, gl_InstanceID, 0)"), fragment);

   glUseProgram(tags);
   test_direct(false);
   glUseProgram(numbers);
   test_direct(true);

   for (unsigned elements = 0; elements < 2; elements++) {
      static const GLuint counts[] = { 0, 1, 3, 5, 0x10000001, 0xffffffff };
      for (unsigned i = 0; i < sizeof counts / 4; i++) {
         test_indirect(elements, 20, counts[i], 3);
         test_indirect(elements, 36, counts[i], 2);
         test_indirect(elements, 40, counts[i], 3);
      }
   }
   test_outside();
   test_indices();
   test_far();
   test_feedback(numbers);
   return fails != 0;
}
