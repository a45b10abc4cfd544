/* SPDX-License-Identifier: MIT */
/*
 * Tests that glPolygonOffset by one unit separates polygons with the same corners, in each depth
 * format: at every 16-bit depth, halfway between them, and on many planes.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 256
#define DEPTHS (SIZE * SIZE)
#define PLANES 300

static float
random_float(float from, float to)
{
   static uint32_t state = 1;

   state = state * 1664525 + 1013904223;
   return from + (to - from) * (float)(state >> 8) / (float)(1 << 24);
}

/* Draws the polygons with an offset against the depths that the same polygons have written.
 * Returns the number of fragments that pass.
 */
static unsigned
count(GLenum func, float units, GLsizei first, GLsizei vertices)
{
   GLuint query, passed;

   glDepthFunc(GL_ALWAYS);
   glDepthMask(GL_TRUE);
   glDisable(GL_POLYGON_OFFSET_FILL);
   glDrawArrays(GL_TRIANGLES, first, vertices);

   glGenQueries(1, &query);
   glDepthFunc(func);
   glDepthMask(GL_FALSE);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(0, units);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_TRIANGLES, first, vertices);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
   glDeleteQueries(1, &query);
   return passed;
}

static unsigned
expect(const char *name, const char *what, GLsizei first, GLsizei vertices)
{
   const unsigned all = count(GL_ALWAYS, 0, first, vertices);
   static const struct {
      GLenum func;
      float units;
      bool pass;
   } cases[] = {
      { GL_EQUAL, 0, true }, { GL_EQUAL, 1, false },  { GL_EQUAL, -1, false },
      { GL_LESS, -1, true }, { GL_GREATER, 1, true }, { GL_LEQUAL, 1, false },
   };

   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const unsigned passed = count(cases[i].func, cases[i].units, first, vertices);
      CHECK(passed == (cases[i].pass ? all : 0), "%s, %s, function %x, %g units: %u of %u pass",
            name, what, cases[i].func, cases[i].units, passed, all);
   }
   return all;
}

static void
check_format(const char *name, GLenum format, GLenum attachment)
{
   const GLuint framebuffer = new_framebuffer();
   const GLuint buffer = attach_renderbuffer(attachment, format, 0, SIZE, SIZE);

   glDrawBuffer(GL_NONE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s", name);

   /* Make one triangle for each pixel, each at a different depth. */
   static float corners[DEPTHS][3][3];
   glVertexPointer(3, GL_FLOAT, 0, corners);
   for (int half = 0; half < 2; half++) {
      for (int i = 0; i < DEPTHS; i++) {
         /* Depths are 1 to 65534 of 65535, or half a step more, since both ends of the range are
          * clamped.
          */
         const double k = i < 1 ? 1 : i > 65533 ? 65533 : i;
         const float z = (float)((k + 0.5 * half) / 65535 * 2 - 1);
         for (int c = 0; c < 3; c++) {
            corners[i][c][0] = ((i % SIZE) + (c == 1 ? 1 : 0)) * 2.0f / SIZE - 1;
            corners[i][c][1] = ((i / SIZE) + (c == 2 ? 1 : 0)) * 2.0f / SIZE - 1;
            corners[i][c][2] = z;
         }
         /* The centre of the pixel is on the longest side, so make the triangle slightly larger. */
         corners[i][1][0] += 0.5f / SIZE;
         corners[i][2][1] += 0.5f / SIZE;
      }
      const unsigned all = expect(name, half ? "all halves" : "all depths", 0, 3 * DEPTHS);
      CHECK(all >= DEPTHS, "%u fragments", all);
   }

   unsigned all = 0;
   for (int i = 0; i < PLANES; i++) {
      const float reach = i % 3 == 0 ? 50 : 1.2f;
      for (int c = 0; c < 3; c++) {
         corners[0][c][0] = random_float(-reach, reach);
         corners[0][c][1] = random_float(-reach, reach);
         corners[0][c][2] = random_float(-0.99f, 0.99f);
      }
      all += expect(name, "a plane", 0, 3);
   }
   CHECK(all > 100000, "%u fragments", all);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteRenderbuffers(1, &buffer);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   glEnable(GL_DEPTH_TEST);
   glEnableClientState(GL_VERTEX_ARRAY);
   check_format("16 bits", GL_DEPTH_COMPONENT16, GL_DEPTH_ATTACHMENT);
   check_format("24 bits", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT);
   check_format("24 bits alone", GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
   check_format("float", GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT);
   CHECK(glGetError() == GL_NO_ERROR, "an error of GL");
   printf("%u counts are wrong\n", fails);
   return fails != 0;
}
