/* SPDX-License-Identifier: MIT */
/*
 * Tests that a fragment's depth is clamped to [0, 1] before the depth test, also with a
 * floating-point depth buffer (ARB_depth_buffer_float).  This applies to depths that the program
 * writes and to depths of primitives with an offset.  With GL_DEPTH_CLAMP, depths are clamped to
 * the depth range, too.
 */
#include <math.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64

static const char vertex[] = "#version 130\n"
                             "out float at;\n"
                             "void main() {\n"
                             "   gl_Position = gl_Vertex;\n"
                             "   at = gl_Vertex.x * 0.5 + 0.5;\n"
                             "}\n";
static const char fragment[] = "#version 130\n"
                               "in float at; uniform float from, to; out vec4 colour;\n"
                               "void main() {\n"
                               "   gl_FragDepth = mix(from, to, at);\n"
                               "   colour = vec4(1.0);\n"
                               "}\n";

static float depths[SIZE][SIZE];
static unsigned char pixels[SIZE][SIZE][4];

/* Returns the expected depth of column x. */
static double
clamped(double from, double to, int x, double low, double high)
{
   const double z = from + (to - from) * (x + 0.5) / SIZE;
   return fmin(fmax(z, low), high);
}

static void
expect(const char *what, double from, double to, double low, double high)
{
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const double want = clamped(from, to, x, low, high);
         CHECK(fabs(depths[y][x] - want) < 2e-5, "%s: %g instead of %g at %d,%d", what,
               depths[y][x], want, x, y);
      }
   }
}

static void
check_format(const char *name, GLenum format, GLenum attachment, GLuint program)
{
   const GLuint framebuffer = new_framebuffer();
   const GLuint buffer[2] = {
      attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE),
      attach_renderbuffer(attachment, format, 0, SIZE, SIZE),
   };
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s", name);

   glUseProgram(program);
   const GLint from = glGetUniformLocation(program, "from");
   const GLint to = glGetUniformLocation(program, "to");
   for (int ranged = 0; ranged < 2; ranged++) {
      const double low = ranged ? 0.25 : 0, high = ranged ? 0.75 : 1;
      glDepthRange(low, high);
      for (int clamp = 0; clamp < 2; clamp++) {
         (clamp ? glEnable : glDisable)(GL_DEPTH_CLAMP);
         glDepthFunc(GL_ALWAYS);
         glUniform1f(from, -1);
         glUniform1f(to, 2);
         glRectf(-1, -1, 1, 1);
         expect(name, -1, 2, clamp ? low : 0, clamp ? high : 1);

         /* The depth test uses clamped values: depths of both draws are equal only if their clamped
          * values are.
          */
         glClear(GL_COLOR_BUFFER_BIT);
         glDepthFunc(GL_EQUAL);
         glUniform1f(from, -0.5f);
         glUniform1f(to, 3);
         glRectf(-1, -1, 1, 1);
         glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
         for (int x = 0; x < SIZE; x++) {
            const double a = clamped(-1, 2, x, clamp ? low : 0, clamp ? high : 1);
            const double b = clamped(-0.5, 3, x, clamp ? low : 0, clamp ? high : 1);
            CHECK((pixels[5][x][0] == 255) == (a == b), "%s: column %d, %g and %g", name, x, a, b);
         }
      }
   }

   /* Draw with polygon offsets that move depths out of the range, at both ends. */
   glUseProgram(0);
   glDisable(GL_DEPTH_CLAMP);
   glDepthRange(0, 1);
   glDepthFunc(GL_ALWAYS);
   glEnable(GL_POLYGON_OFFSET_FILL);
   for (int sign = -1; sign <= 1; sign += 2) {
      /* The slope is 1 / SIZE per pixel. */
      glPolygonOffset(sign * SIZE / 2, 0);
      glBegin(GL_QUADS);
      glVertex3f(-1, -1, -1);
      glVertex3f(1, -1, 1);
      glVertex3f(1, 1, 1);
      glVertex3f(-1, 1, -1);
      glEnd();
      expect(name, sign * 0.5, 1 + sign * 0.5, 0, 1);
   }
   glDisable(GL_POLYGON_OFFSET_FILL);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteRenderbuffers(2, buffer);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   const GLuint program = test_program(vertex, fragment);
   glEnable(GL_DEPTH_TEST);
   check_format("16 bits", GL_DEPTH_COMPONENT16, GL_DEPTH_ATTACHMENT, program);
   check_format("24 bits", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT, program);
   check_format("24 bits alone", GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, program);
   check_format("float", GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT, program);
   check_format("float with stencil", GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT, program);
   CHECK(glGetError() == GL_NO_ERROR, "an error of GL");
   printf("%u depths are wrong\n", fails);
   return fails != 0;
}
