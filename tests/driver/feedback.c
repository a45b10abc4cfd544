/* SPDX-License-Identifier: MIT */
/*
 * Tests transform feedback as programs use it: every kind of output, whether the fragment shader
 * reads it or not; ranges, gaps and several buffers; pauses; buffers that are recorded, drawn and
 * recorded again without waiting; queries.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define GUARD 0xa5

static GLuint
program(const char *vertex, unsigned count, const char *const *outputs, GLenum mode)
{
   /* Read texture coordinates and fog, because Mesa's linker drops them if no stage reads them. */
   static const char fragment[] =
      "varying vec4 color;\n"
      "void main() { gl_FragColor = color + gl_TexCoord[1] * gl_FogFragCoord; }\n";
   const GLuint name = glCreateProgram();

   test_shader(name, GL_VERTEX_SHADER, vertex);
   test_shader(name, GL_FRAGMENT_SHADER, fragment);
   glBindAttribLocation(name, 0, "position");
   glTransformFeedbackVaryings(name, count, outputs, mode);
   test_link(name);
   glUseProgram(name);
   return name;
}

/* Creates a buffer of `size` bytes.  It contains `data`, or GUARD in each byte if data is NULL. */
static GLuint
buffer(size_t size, const void *data)
{
   GLuint name;
   uint8_t *bytes = malloc(size);

   memset(bytes, GUARD, size);
   glGenBuffers(1, &name);
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glBufferData(GL_ARRAY_BUFFER, size, data ? data : bytes, GL_DYNAMIC_COPY);
   free(bytes);
   return name;
}

static void
contents(GLuint name, void *data, size_t size)
{
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glGetBufferSubData(GL_ARRAY_BUFFER, 0, size, data);
}

static void
positions(GLuint name)
{
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
   glEnableVertexAttribArray(0);
}

static void
same(const char *what, const void *got, const void *want, size_t size)
{
   const uint32_t *g = got, *w = want;

   for (size_t i = 0; i < size / 4; i++) {
      if (g[i] != w[i]) {
         CHECK(false, "%s: word %zu is %08x (%g), expected %08x (%g)", what, i, g[i],
               ((const float *)got)[i], w[i], ((const float *)want)[i]);
         return;
      }
   }
}

/* Vertex shader with every kind of output.  `point` is (i, 2 i, 3 i, 1). */
static const char every_output[] =
   "attribute vec4 position;\n"
   "varying float f; varying vec2 v2; varying vec3 v3; varying vec4 color;\n"
   "varying mat3 m; varying vec2 pair[2];\n"
   "void main() {\n"
   "   gl_Position = position; gl_PointSize = position.x + 100.0;\n"
   "   f = position.x * 2.0; v2 = position.yz; v3 = position.zyx;\n"
   "   color = position + vec4(8.0); m = mat3(position.xyz, position.yzx, position.zxy);\n"
   "   pair[0] = position.xx; pair[1] = position.yx;\n"
   "   gl_FrontColor = position * 0.125; gl_BackColor = position * 0.25;\n"
   "   gl_FrontSecondaryColor = position * 0.0625; gl_FogFragCoord = position.x * 16.0;\n"
   "   gl_TexCoord[1] = position * 4.0; gl_ClipVertex = position * 64.0;\n"
   "}\n";

static const char *const every_name[] = {
   "f",     "gl_Position",   "pair[1]", "gl_PointSize",    "m",       "v2", "gl_TexCoord[1]",
   "color", "gl_ClipVertex", "v3",      "gl_FogFragCoord", "pair[0]",
};
#define EVERY_FLOATS (1 + 4 + 2 + 1 + 9 + 2 + 4 + 4 + 4 + 3 + 1 + 2)
#define POINTS 7

static void
all_outputs(bool planes)
{
   float in[POINTS][4], want[POINTS * EVERY_FLOATS], got[POINTS * EVERY_FLOATS];
   unsigned n = 0;

   for (unsigned i = 0; i < POINTS; i++) {
      const float x = i, y = 2 * i, z = 3 * i;
      const float row[] = {
         2 * x, x,      y,      z,      1,  y, x,     x + 100, x,      y, z,     y,     z,
         x,     z,      x,      y,      y,  z, 4 * x, 4 * y,   4 * z,  4, x + 8, y + 8, z + 8,
         9,     64 * x, 64 * y, 64 * z, 64, z, y,     x,       16 * x, x, x,
      };
      memcpy(in[i], (float[]){ x, y, z, 1 }, 16);
      memcpy(want + n, row, sizeof(row));
      n += EVERY_FLOATS;
   }

   for (unsigned i = 0; i < 6 && planes; i++) {
      glClipPlane(GL_CLIP_PLANE0 + i, (GLdouble[]){ 1, 0, 0, i });
      glEnable(GL_CLIP_PLANE0 + i);
   }
   const GLuint vertices = buffer(sizeof(in), in), out = buffer(sizeof(got), NULL);
   program(every_output, sizeof(every_name) / sizeof(every_name[0]), every_name,
           GL_INTERLEAVED_ATTRIBS);
   positions(vertices);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, POINTS);
   glEndTransformFeedback();
   contents(out, got, sizeof(got));
   same(planes ? "all outputs, with planes" : "all outputs", got, want, sizeof(got));
   for (unsigned i = 0; i < 6; i++)
      glDisable(GL_CLIP_PLANE0 + i);
}

static const char pass[] = "attribute vec4 position; varying vec4 color; varying vec4 other;\n"
                           "void main() { gl_Position = position; color = position * 2.0;\n"
                           "   other = position * 3.0; }\n";

/* Tests ranges, gaps and several buffers.  Bytes outside of the outputs keep their values. */
static void
layouts(void)
{
   static const char *const outputs[] = {
      "gl_SkipComponents1", "color", "gl_SkipComponents2", "gl_NextBuffer", "other",
   };
   static const float in[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
   uint32_t want[32], got[32];
   const GLuint vertices = buffer(sizeof(in), in);
   const GLuint a = buffer(128, NULL), b = buffer(128, NULL);

   program(pass, 5, outputs, GL_INTERLEAVED_ATTRIBS);
   positions(vertices);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, a, 8, 3 * 28);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, b, 16, 3 * 16 + 8);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   /* The buffers have no space for a second triangle. */
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);

   memset(want, GUARD, sizeof(want));
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 4; c++)
         ((float *)want)[2 + 7 * i + 1 + c] = in[i][c] * 2;
   }
   contents(a, got, sizeof(got));
   same("first buffer", got, want, sizeof(got));
   memset(want, GUARD, sizeof(want));
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 4; c++)
         ((float *)want)[4 + 4 * i + c] = in[i][c] * 3;
   }
   contents(b, got, sizeof(got));
   same("second buffer", got, want, sizeof(got));
}

#define PARTICLES 700
#define ROUNDS 60

/* Tests passes that draw the primitives that the previous pass recorded, both into the other buffer
 * and to the screen.  The CPU does not wait between passes.
 */
static void
rounds(void)
{
   static const char step[] = "attribute vec4 position; varying vec4 color;\n"
                              "void main() { gl_Position = position * 0.001;\n"
                              "   color = position + vec4(1.0, 2.0, 0.0, -1.0); }\n";
   static const char *const outputs[] = { "color" };
   static float want[PARTICLES][4], got[PARTICLES][4];
   GLuint buffers[2], objects[2];

   for (unsigned i = 0; i < PARTICLES; i++)
      memcpy(want[i], (float[]){ i, 2.0f * i, 3.0f, 0.0f }, 16);
   buffers[0] = buffer(sizeof(want), want);
   buffers[1] = buffer(sizeof(want), NULL);
   glGenTransformFeedbacks(2, objects);
   program(step, 1, outputs, GL_INTERLEAVED_ATTRIBS);
   for (unsigned i = 0; i < 2; i++) {
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[i]);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[i]);
   }
   for (unsigned round = 0; round < ROUNDS; round++) {
      const unsigned from = round & 1, to = !from;
      positions(buffers[from]);
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[to]);
      glBeginTransformFeedback(GL_POINTS);
      if (round % 3 == 0 && round)
         glDrawTransformFeedback(GL_POINTS, objects[from]);
      else
         glDrawArrays(GL_POINTS, 0, PARTICLES);
      glEndTransformFeedback();
      if (round % 7 == 0)
         glFlush();
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
      positions(buffers[to]);
      glDrawTransformFeedback(GL_POINTS, objects[to]);
   }
   for (unsigned i = 0; i < PARTICLES; i++) {
      want[i][0] += ROUNDS;
      want[i][1] += 2 * ROUNDS;
      want[i][3] -= ROUNDS;
   }
   contents(buffers[ROUNDS & 1], got, sizeof(got));
   same("rounds", got, want, sizeof(got));
   glDeleteTransformFeedbacks(2, objects);
}

static GLuint
result(GLuint query)
{
   GLuint value = ~0u;
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
   return value;
}

/* Tests pauses with other draws and buffer contents in between, and the results of queries. */
static void
pauses(void)
{
   static const char *const outputs[] = { "color" };
   static const float in[6][4] = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } };
   float got[12][4];
   GLuint query[4], object;
   const GLuint vertices = buffer(sizeof(in), in), out = buffer(sizeof(got), NULL);
   const GLuint recorded = program(pass, 1, outputs, GL_INTERLEAVED_ATTRIBS);
   const GLuint other = program(pass, 0, NULL, GL_INTERLEAVED_ATTRIBS);

   glGenQueries(4, query);
   glGenTransformFeedbacks(1, &object);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
   glUseProgram(recorded);
   positions(vertices);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW_ARB, query[2]);
   glBeginTransformFeedback(GL_LINES);
   glDrawArrays(GL_LINES, 0, 2); /* 1 line */
   glPauseTransformFeedback();
   glUseProgram(other);
   glDrawArrays(GL_TRIANGLES, 0, 3); /* 1 triangle, not recorded */
   glFlush();
   glUseProgram(recorded);
   glResumeTransformFeedback();
   glDrawArrays(GL_LINE_STRIP, 2, 3); /* 2 lines */
   glEndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW_ARB);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW_ARB, query[3]);
   glDrawArrays(GL_LINE_LOOP, 0, 6); /* 6 lines, space for 3 */
   glEndTransformFeedback();
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glEndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW_ARB);

   static const float x[12] = { 1, 2, 3, 4, 4, 5, 1, 2, 2, 3, 3, 4 };
   contents(out, got, sizeof(got));
   for (unsigned i = 0; i < 12; i++)
      CHECK(got[i][0] == 2 * x[i], "pauses: vertex %u is %g, expected %g", i, got[i][0], 2 * x[i]);
   CHECK(result(query[0]) == 10, "%u primitives generated", result(query[0]));
   CHECK(result(query[1]) == 6, "%u primitives written", result(query[1]));
   CHECK(result(query[2]) == 0, "an overflow too early");
   CHECK(result(query[3]) == 1, "no overflow");

   /* Each instance draws the recorded vertices: 12 vertices, which are 6 lines. */
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
   glDrawTransformFeedbackInstanced(GL_LINES, object, 3);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   CHECK(result(query[0]) == 18, "%u lines of recorded vertices", result(query[0]));

   /* Give the buffer new storage, and bind another target with less space. */
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
   glBindBuffer(GL_ARRAY_BUFFER, out);
   glBufferData(GL_ARRAY_BUFFER, 40, NULL, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
   positions(vertices);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 1, 5);
   glEndTransformFeedback();
   contents(out, got, 40);
   CHECK(got[0][0] == 4 && got[1][0] == 6 && got[2][0] == 0, "new storage: %g %g %g", got[0][0],
         got[1][0], got[2][0]);
   glDeleteTransformFeedbacks(1, &object);
}

/* Tests a buffer that gets new storage while it is recorded.  Later primitives go to the new
 * storage, behind the place of the earlier ones.
 */
static void
new_storage(void)
{
   static const char *const outputs[] = { "color" };
   static const float in[2][4] = { { 1 }, { 2 } };
   float got[4][4];
   const GLuint vertices = buffer(sizeof(in), in), out = buffer(sizeof(got), NULL);

   program(pass, 1, outputs, GL_INTERLEAVED_ATTRIBS);
   positions(vertices);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 2);
   glInvalidateBufferData(out);
   glDrawArrays(GL_POINTS, 0, 2);
   glEndTransformFeedback();
   contents(out, got, sizeof(got));
   CHECK(got[2][0] == 2 && got[3][0] == 4, "recorded in new storage: %g %g", got[2][0], got[3][0]);
}

int
main(void)
{
   REQUIRE(test_pbuffer(16, 16));
   all_outputs(false);
   all_outputs(true);
   layouts();
   rounds();
   pauses();
   new_storage();
   return test_end();
}
