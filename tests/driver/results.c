/* SPDX-License-Identifier: MIT */
/*
 * Tests query results without a wait by the application: results that are stored to buffers
 * (ARB_query_buffer_object), from which later commands read them, and conditional rendering, also
 * inverted, of all operations that it applies to.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 32

static GLuint query, buffer;

static GLuint source, target; /* framebuffers; the source is red */

/* Creates a framebuffer object.  The tests do not use the context's framebuffer, because it is
 * single-buffered, and Mesa's glClearBuffer does not clear it.
 */
static GLuint
make_framebuffer(GLfloat red)
{
   const GLuint framebuffer = new_framebuffer();

   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   glClearColor(red, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glClearColor(0, 0, 0, 0);
   return framebuffer;
}

static void
make_points(void)
{
   static GLfloat places[SIZE * SIZE][2];
   GLuint vertices;

   for (int i = 0; i < SIZE * SIZE; i++) {
      places[i][0] = (i % SIZE + 0.5f) * 2 / SIZE - 1;
      places[i][1] = (i / SIZE + 0.5f) * 2 / SIZE - 1;
   }
   glGenBuffers(1, &vertices);
   glBindBuffer(GL_ARRAY_BUFFER, vertices);
   glBufferData(GL_ARRAY_BUFFER, sizeof places, places, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
}

/* Draws n points, each in a different pixel. */
static void
points(int n)
{
   glDrawArrays(GL_POINTS, 0, n);
}

/* Creates a new query.  A query keeps the target with which it was first begun. */
static void
new_query(void)
{
   glDeleteQueries(1, &query);
   glGenQueries(1, &query);
}

static void
count_points(GLenum what, int n)
{
   new_query();
   glBeginQuery(what, query);
   points(n);
   glEndQuery(what);
}

/* Fills all words of the buffer. */
static void
clear_words(uint32_t with)
{
   uint32_t words[64];

   for (int i = 0; i < 64; i++)
      words[i] = with;
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof words, words, GL_DYNAMIC_COPY);
}

static void
read_words(uint32_t words[64])
{
   glGetBufferSubData(GL_QUERY_BUFFER, 0, 256, words);
}

static void *
at(int word)
{
   return (void *)(intptr_t)(word * 4);
}

/* Tests all types of results.  The words next to the result must keep their values. */
static void
test_types(void)
{
   uint32_t w[64];
   uint64_t wide;

   glClear(GL_COLOR_BUFFER_BIT);
   clear_words(0xeeeeeeee);
   count_points(GL_SAMPLES_PASSED, 700);
   glGetQueryObjectiv(query, GL_QUERY_RESULT, at(1));
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, at(3));
   glGetQueryObjecti64v(query, GL_QUERY_RESULT, at(6));
   glGetQueryObjectui64v(query, GL_QUERY_RESULT_NO_WAIT, at(10));
   glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, at(13));
   glGetQueryObjecti64v(query, GL_QUERY_RESULT_AVAILABLE, at(16));
   glGetQueryObjectiv(query, GL_QUERY_TARGET, at(19));
   read_words(w);
   CHECK(w[1] == 700 && w[3] == 700 && w[6] == 700 && w[7] == 0, "%u %u %u %u", w[1], w[3], w[6],
         w[7]);
   CHECK(w[10] == 700 && w[11] == 0, "%u %u", w[10], w[11]);
   CHECK(w[13] == 1 && w[16] == 1 && w[17] == 0, "%u %u %u", w[13], w[16], w[17]);
   CHECK(w[19] == GL_SAMPLES_PASSED, "%x", w[19]);
   for (int i = 0; i < 20; i++) {
      const bool written = i == 1 || i == 3 || i == 6 || i == 7 || i == 10 || i == 11 || i == 13 ||
                           i == 16 || i == 17 || i == 19;
      CHECK(written || w[i] == 0xeeeeeeee, "word %d: %x", i, w[i]);
   }

   /* The number of nanoseconds since the machine has started takes more than 32 bits. */
   clear_words(0);
   GLuint stamp;
   glGenQueries(1, &stamp);
   glQueryCounter(stamp, GL_TIMESTAMP);
   glGetQueryObjectuiv(stamp, GL_QUERY_RESULT, at(0));
   glGetQueryObjectiv(stamp, GL_QUERY_RESULT, at(1));
   glGetQueryObjectui64v(stamp, GL_QUERY_RESULT, at(2));
   read_words(w);
   memcpy(&wide, w + 2, 8);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   GLuint64 direct;
   glGetQueryObjectui64v(stamp, GL_QUERY_RESULT, &direct);
   CHECK(wide == direct, "%llu %llu", (unsigned long long)wide, (unsigned long long)direct);
   CHECK(w[0] == (wide > 0xffffffff ? 0xffffffff : wide), "%x", w[0]);
   CHECK(w[1] == (wide > 0x7fffffff ? 0x7fffffff : wide), "%x", w[1]);
   glDeleteQueries(1, &stamp);
}

/* Tests the result of each kind of query, read by the program. */
static void
test_kinds(void)
{
   static const GLenum targets[] = {
      GL_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
      GL_PRIMITIVES_GENERATED,
      GL_TIME_ELAPSED,
      GL_VERTICES_SUBMITTED,
      GL_PRIMITIVES_SUBMITTED,
      GL_VERTEX_SHADER_INVOCATIONS,
      GL_FRAGMENT_SHADER_INVOCATIONS,
      GL_CLIPPING_INPUT_PRIMITIVES,
      GL_CLIPPING_OUTPUT_PRIMITIVES,
      GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
   };
   uint32_t w[64];

   for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; i++) {
      for (int n = 0; n < 130; n += 43) {
         GLuint direct = 0xdeadbeef;

         clear_words(0xeeeeeeee);
         count_points(targets[i], n);
         glGetQueryObjectuiv(query, GL_QUERY_RESULT, at(5));
         read_words(w);
         glBindBuffer(GL_QUERY_BUFFER, 0);
         glGetQueryObjectuiv(query, GL_QUERY_RESULT, &direct);
         CHECK(w[5] == direct, "target %x: %u, not %u", targets[i], w[5], direct);
         CHECK(w[4] == 0xeeeeeeee && w[6] == 0xeeeeeeee, "target %x: next to it", targets[i]);
         if (targets[i] == GL_SAMPLES_PASSED || targets[i] == GL_PRIMITIVES_GENERATED)
            CHECK(direct == (GLuint)n, "target %x: %u", targets[i], direct);
      }
   }
}

/* Tests that the result of a query of one draw can be the count of the next draw, many times in the
 * same buffer.
 */
static void
test_order(void)
{
   struct {
      GLuint count, instances, first, base;
   } draw = { 0, 1, 0, 0 };
   GLuint sum, results;
   GLuint counts[40];

   glGenQueries(1, &sum);
   glGenBuffers(1, &results);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof draw, &draw, GL_DYNAMIC_COPY);
   for (int i = 0; i < 40; i++) {
      glBindBuffer(GL_QUERY_BUFFER, buffer);
      count_points(GL_SAMPLES_PASSED, 7 * i + 1);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, at(0));

      /* Draw the same number of points in the same pixels again. */
      glDeleteQueries(1, &sum);
      glGenQueries(1, &sum);
      glBeginQuery(GL_SAMPLES_PASSED, sum);
      glDrawArraysIndirect(GL_POINTS, NULL);
      glEndQuery(GL_SAMPLES_PASSED);
      glBindBuffer(GL_QUERY_BUFFER, results);
      if (i == 0)
         glBufferData(GL_QUERY_BUFFER, sizeof counts, NULL, GL_DYNAMIC_COPY);
      glGetQueryObjectuiv(sum, GL_QUERY_RESULT, at(i));
   }
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof counts, counts);
   for (int i = 0; i < 40; i++)
      CHECK(counts[i] == (GLuint)(7 * i + 1), "%d: %u", i, counts[i]);
   glDeleteQueries(1, &sum);
   glDeleteBuffers(1, &results);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

/* Draws a rectangle that makes the pixel (20, 20) red. */
static void
draw(void)
{
   glColor3f(1, 0, 0);
   glRectf(-1, -1, 1, 1);
}

static void
draw_pixels(void)
{
   static GLubyte red[SIZE * SIZE][3];

   for (int i = 0; i < SIZE * SIZE; i++)
      red[i][0] = 255;
   glWindowPos2i(0, 0);
   glDrawPixels(SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE, red);
}

static void
clear(void)
{
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glClearColor(0, 0, 0, 0);
}

static void
clear_part(void)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(19, 17, 3, 9);
   clear();
   glDisable(GL_SCISSOR_TEST);
}

static void
clear_buffer(void)
{
   static const GLfloat red[4] = { 1, 0, 0, 1 };

   glClearBufferfv(GL_COLOR, 0, red);
}

static void
blit(void)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
}

static void
scaled_blit(void)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
   glBlitFramebuffer(0, 0, 10, 10, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_LINEAR);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
}

/* Copies to a texture that a draw then samples.  Conditions do not apply to the copy. */
static void
copy_texture(void)
{
   static GLuint texture;
   GLubyte texel[SIZE * SIZE][4];

   if (!texture)
      glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, SIZE);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   CHECK(texel[99][0] == 255 && texel[99][1] == 0, "%u %u", texel[99][0], texel[99][1]);
   glBindTexture(GL_TEXTURE_2D, 0);
}

/* Tests conditions.  On sgpu, all modes are exact; on other drivers, the NO_WAIT modes need not
 * draw exactly before the result is available.
 */
static void
test_conditions(bool all_modes)
{
   static const struct {
      GLenum mode;
      bool inverted, waits;
   } modes[] = {
      { GL_QUERY_WAIT, false, true },
      { GL_QUERY_BY_REGION_WAIT, false, true },
      { GL_QUERY_WAIT_INVERTED, true, true },
      { GL_QUERY_BY_REGION_WAIT_INVERTED, true, true },
      { GL_QUERY_NO_WAIT, false, false },
      { GL_QUERY_BY_REGION_NO_WAIT, false, false },
      { GL_QUERY_NO_WAIT_INVERTED, true, false },
      { GL_QUERY_BY_REGION_NO_WAIT_INVERTED, true, false },
   };
   static void (*const works[])(void) = {
      draw, draw_pixels, clear, clear_part, clear_buffer, blit, scaled_blit,
   };
   static const GLenum targets[] = { GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED };
   GLubyte rgba[4];

   for (unsigned m = 0; m < sizeof modes / sizeof modes[0]; m++) {
      for (unsigned i = 0; i < 14 && (modes[m].waits || all_modes); i++) {
         for (int passes = 0; passes < 2; passes++) {
            glClear(GL_COLOR_BUFFER_BIT);
            glColor3f(0, 0, 1);
            count_points(targets[i % 2], passes);
            glBeginConditionalRender(query, modes[m].mode);
            works[i / 2]();
            if (i == 0)
               copy_texture();
            glEndConditionalRender();
            glReadPixels(20, 20, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
            CHECK((rgba[0] == 255) == (passes != modes[m].inverted), "mode %x, work %u, %d",
                  modes[m].mode, i / 2, passes);
         }
      }
   }
}

/* Tests two conditions in a row that only differ in their sense. */
static void
test_opposite(void)
{
   GLubyte rgba[2][4];

   glClear(GL_COLOR_BUFFER_BIT);
   glColor3f(0, 0, 1);
   count_points(GL_SAMPLES_PASSED, 1);
   glColor3f(1, 0, 0);
   for (int inverted = 0; inverted < 2; inverted++) {
      const GLfloat x = inverted ? 0 : -1;

      glBeginConditionalRender(query, inverted ? GL_QUERY_WAIT_INVERTED : GL_QUERY_WAIT);
      glRectf(x, -1, x + 1, 1);
      glEndConditionalRender();
   }
   for (int i = 0; i < 2; i++)
      glReadPixels(5 + SIZE / 2 * i, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba[i]);
   CHECK(rgba[0][0] == 255 && rgba[1][0] == 0, "%u, inverted %u", rgba[0][0], rgba[1][0]);
}

/* Tests a condition across submissions and with work between that it does not apply to. */
static void
test_long_condition(void)
{
   static GLubyte image[SIZE * SIZE][4];

   for (int passes = 0; passes < 2; passes++) {
      glClear(GL_COLOR_BUFFER_BIT);
      glColor3f(0, 0, 1);
      count_points(GL_SAMPLES_PASSED, passes);
      glBeginConditionalRender(query, GL_QUERY_WAIT);
      glColor3f(1, 0, 0);
      for (int i = 0; i < SIZE; i++) {
         glEnable(GL_SCISSOR_TEST);
         glScissor(0, i, SIZE, 1);
         points(SIZE * SIZE);
         glDisable(GL_SCISSOR_TEST);
         if (i % 10 == 0)
            glFlush();
         if (i % 7 == 0)
            copy_texture();
      }
      glEndConditionalRender();
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
      for (int i = 1; i < SIZE * SIZE; i++)
         CHECK(image[i][0] == (passes ? 255 : 0), "pixel %d: %u", i, image[i][0]);
   }
}

/* Tests queries of captured primitives that did not fit (ARB_transform_feedback_overflow_query). */
static void
test_overflow(void)
{
   static const char *const varying = "gl_Position";
   GLubyte rgba[4];
   GLuint recorded;
   uint32_t w[64];

   GLuint program = glCreateProgram();
   test_shader(program, GL_VERTEX_SHADER,
               "#version 120\nvoid main() { gl_Position = gl_Vertex; }\n");
   glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   test_link(program);
   glGenBuffers(1, &recorded);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, recorded);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 10 * 16, NULL, GL_DYNAMIC_COPY);

   for (int n = 9; n < 13; n++) {
      for (unsigned any = 0; any < 2; any++) {
         const GLenum what = any ? GL_TRANSFORM_FEEDBACK_OVERFLOW
                                 : GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW;
         new_query();
         clear_words(0xeeeeeeee);
         glClear(GL_COLOR_BUFFER_BIT);
         glUseProgram(program);
         glEnable(GL_RASTERIZER_DISCARD);
         glBeginQuery(what, query);
         glBeginTransformFeedback(GL_POINTS);
         points(n);
         glEndTransformFeedback();
         glEndQuery(what);
         glDisable(GL_RASTERIZER_DISCARD);
         glUseProgram(0);
         glGetQueryObjectuiv(query, GL_QUERY_RESULT, at(2));
         glBeginConditionalRender(query, GL_QUERY_WAIT);
         draw();
         glEndConditionalRender();
         read_words(w);
         CHECK(w[2] == (n > 10), "%d: %u", n, w[2]);
         glReadPixels(20, 20, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
         CHECK((rgba[0] == 255) == (n > 10), "%d: %u", n, rgba[0]);
      }
   }
   glDeleteBuffers(1, &recorded);
   glDeleteProgram(program);
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   CHECK(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_query_buffer_object"),
         "not offered");
   const bool sgpu = strstr((const char *)glGetString(GL_RENDERER), "sgpu");
   glGenBuffers(1, &buffer);
   make_points();
   source = make_framebuffer(1);
   target = make_framebuffer(0);
   test_types();
   test_kinds();
   test_order();
   test_conditions(sgpu);
   test_opposite();
   test_long_condition();
   test_overflow();
   return test_end();
}
