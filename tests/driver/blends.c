/* SPDX-License-Identifier: MIT */
/*
 * Tests blending against double precision, with every equation and factor, including dual-source
 * and constant colours, in formats of every number of bits.  The stored value must be the value of
 * the format that is nearest to the exact result (OpenGL 3.3, 2.1.5 and 4.1.7).  The permitted
 * error is half a step plus the error of the interpolated source.  The test reads the destination
 * before each draw, so that errors do not add up.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16
#define DRAWS 150

static const GLenum factors[] = { GL_ZERO,
                                  GL_ONE,
                                  GL_SRC_COLOR,
                                  GL_ONE_MINUS_SRC_COLOR,
                                  GL_DST_COLOR,
                                  GL_ONE_MINUS_DST_COLOR,
                                  GL_SRC_ALPHA,
                                  GL_ONE_MINUS_SRC_ALPHA,
                                  GL_DST_ALPHA,
                                  GL_ONE_MINUS_DST_ALPHA,
                                  GL_CONSTANT_COLOR,
                                  GL_ONE_MINUS_CONSTANT_COLOR,
                                  GL_CONSTANT_ALPHA,
                                  GL_ONE_MINUS_CONSTANT_ALPHA,
                                  GL_SRC_ALPHA_SATURATE,
                                  GL_SRC1_COLOR,
                                  GL_ONE_MINUS_SRC1_COLOR,
                                  GL_SRC1_ALPHA,
                                  GL_ONE_MINUS_SRC1_ALPHA };
static const GLenum equations[] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                    GL_MAX };

/* Formats of targets, with the largest integer value of each component; 0 for a missing component.
 */
static const struct format {
   const char *name;
   GLenum format;
   int most[4];
} formats[] = {
   { "RGBA8", GL_RGBA8, { 255, 255, 255, 255 } },
   { "SRGB8_ALPHA8", GL_SRGB8_ALPHA8, { 255, 255, 255, 255 } },
   { "RGBA16", GL_RGBA16, { 65535, 65535, 65535, 65535 } },
   { "RGB10_A2", GL_RGB10_A2, { 1023, 1023, 1023, 3 } },
   { "RGB565", GL_RGB565, { 31, 63, 31, 0 } },
   { "RGBA4", GL_RGBA4, { 15, 15, 15, 15 } },
   { "RGB5_A1", GL_RGB5_A1, { 31, 31, 31, 1 } },
   { "R8", GL_R8, { 255, 0, 0, 0 } },
   { "RG16", GL_RG16, { 65535, 65535, 0, 0 } },
   { "ALPHA8", GL_ALPHA8, { 0, 0, 0, 255 } },
};

static double
part(void)
{
   static uint32_t state = 1;
   state = state * 1664525u + 1013904223u;
   return (state >> 8) / (double)(1 << 24);
}

static double
clamp(double x)
{
   return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double
linear(double c)
{
   return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
encoded(double c)
{
   return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

/* Returns the factor of component j for sources s and s1, destination d and constant colour k. */
static double
factor(GLenum name, int j, const double *s, const double *s1, const double *d, const double *k)
{
   switch (name) {
   case GL_ZERO:
      return 0;
   case GL_ONE:
      return 1;
   case GL_SRC_COLOR:
      return s[j];
   case GL_ONE_MINUS_SRC_COLOR:
      return 1 - s[j];
   case GL_DST_COLOR:
      return d[j];
   case GL_ONE_MINUS_DST_COLOR:
      return 1 - d[j];
   case GL_SRC_ALPHA:
      return s[3];
   case GL_ONE_MINUS_SRC_ALPHA:
      return 1 - s[3];
   case GL_DST_ALPHA:
      return d[3];
   case GL_ONE_MINUS_DST_ALPHA:
      return 1 - d[3];
   case GL_CONSTANT_COLOR:
      return k[j];
   case GL_ONE_MINUS_CONSTANT_COLOR:
      return 1 - k[j];
   case GL_CONSTANT_ALPHA:
      return k[3];
   case GL_ONE_MINUS_CONSTANT_ALPHA:
      return 1 - k[3];
   case GL_SRC_ALPHA_SATURATE:
      return j == 3 ? 1 : fmin(s[3], 1 - d[3]);
   case GL_SRC1_COLOR:
      return s1[j];
   case GL_ONE_MINUS_SRC1_COLOR:
      return 1 - s1[j];
   case GL_SRC1_ALPHA:
      return s1[3];
   default:
      return 1 - s1[3];
   }
}

static double
combine(GLenum equation, double s, double sf, double d, double df)
{
   switch (equation) {
   case GL_FUNC_ADD:
      return s * sf + d * df;
   case GL_FUNC_SUBTRACT:
      return s * sf - d * df;
   case GL_FUNC_REVERSE_SUBTRACT:
      return d * df - s * sf;
   case GL_MIN:
      return fmin(s, d);
   default:
      return fmax(s, d);
   }
}

/* Blends one triangle over the whole target.  Returns the largest error, in steps of the format. */
static double
draw(const struct format *f, bool srgb)
{
   static float before[SIZE][SIZE][4], after[SIZE][SIZE][4];
   const GLenum eq[2] = { equations[(int)(part() * 5)], equations[(int)(part() * 5)] };
   GLenum names[4];
   double colours[3][4], constant[4], worst = 0;

   for (int i = 0; i < 4; i++) {
      names[i] = factors[(int)(part() * 19)];
      constant[i] = part();
   }
   glDisable(GL_BLEND);
   glClearColor((float)part(), (float)part(), (float)part(), (float)part());
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, before);
   glEnable(GL_BLEND);
   glBlendColor((float)constant[0], (float)constant[1], (float)constant[2], (float)constant[3]);
   glBlendEquationSeparate(eq[0], eq[1]);
   glBlendFuncSeparate(names[0], names[1], names[2], names[3]);
   glBegin(GL_TRIANGLES);
   for (int v = 0; v < 3; v++) {
      for (int j = 0; j < 4; j++)
         colours[v][j] = part() * 1.4 - 0.2; /* some colours must be clamped */
      glColor4dv(colours[v]);
      glVertex2f(v == 1 ? 3 : -1, v == 2 ? 3 : -1);
   }
   glEnd();
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, after);

   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const double u = (x + 0.5) / (2 * SIZE), v = (y + 0.5) / (2 * SIZE);
         double c[4], s[4], s1[4], d[4];
         for (int j = 0; j < 4; j++) {
            c[j] = colours[0][j] + (colours[1][j] - colours[0][j]) * u +
                   (colours[2][j] - colours[0][j]) * v;
            s[j] = clamp(c[j]);
            d[j] = srgb && j < 3 ? linear(before[y][x][j]) : before[y][x][j];
         }
         for (int j = 0; j < 4; j++)
            s1[j] = clamp(c[3 - j] * 0.8 + 0.1);
         for (int j = 0; j < 4; j++) {
            const GLenum *of = &names[j == 3 ? 2 : 0];
            double exact = clamp(combine(eq[j == 3], s[j], factor(of[0], j, s, s1, d, constant),
                                         d[j], factor(of[1], j, s, s1, d, constant)));
            if (srgb && j < 3)
               exact = encoded(exact);
            const double off = fabs(after[y][x][j] - exact) * f->most[j];
            /* The interpolated colours have an error that shows in 16-bit formats.  Mesa's
             * conversion to sRGB has an error of up to 0.544 steps.
             */
            CHECK(off < (srgb ? 0.55 : 0.51),
                  "%s pixel %d %d component %d is %f, exactly %f: equation 0x%x, factors 0x%x 0x%x",
                  f->name, x, y, j, (double)after[y][x][j], exact, eq[j == 3], of[0], of[1]);
            worst = fmax(worst, off);
         }
      }
   }
   return worst;
}

/* Tests that stored 16-bit floats are the values nearest to the 32-bit results. */
static void
half_floats(void)
{
   static const GLenum formats[2] = { GL_RGBA32F, GL_RGBA16F };
   static float pixels[2][SIZE * SIZE * 4];
   double worst = 0;

   glDisable(GL_BLEND);
   for (int i = 0; i < 2; i++) {
      const GLuint framebuffer = new_framebuffer();
      const GLuint target = attach_renderbuffer(GL_COLOR_ATTACHMENT0, formats[i], 0, SIZE, SIZE);
      glBegin(GL_TRIANGLES);
      for (int v = 0; v < 3; v++) {
         /* values from 0.5 to 1, where the step of a 16-bit float is 2^-11 */
         glColor4d(0.51 + 0.24 * v, 0.98 - 0.21 * v, 0.6 + 0.1 * v, 0.99 - 0.2 * v);
         glVertex2f(v == 1 ? 3 : -1, v == 2 ? 3 : -1);
      }
      glEnd();
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, pixels[i]);
      glDeleteFramebuffers(1, &framebuffer);
      glDeleteRenderbuffers(1, &target);
   }
   for (int i = 0; i < SIZE * SIZE * 4; i++) {
      const double off = fabs((double)pixels[1][i] - (double)pixels[0][i]) * 2048;
      CHECK(off <= 0.5, "%f is stored as %f", (double)pixels[0][i], (double)pixels[1][i]);
      worst = fmax(worst, off);
   }
   printf("RGBA16F: off by up to %.3f steps\n", worst);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   GLuint program = test_program("#version 130\n"
                                 "out vec4 c;\n"
                                 "void main() { gl_Position = gl_Vertex; c = gl_Color; }\n",
                                 "#version 130\n"
                                 "in vec4 c; out vec4 o, o1;\n"
                                 "void main() { o = c; o1 = c.wzyx * 0.8 + 0.1; }\n");
   glBindFragDataLocationIndexed(program, 0, 0, "o");
   glBindFragDataLocationIndexed(program, 0, 1, "o1");
   glLinkProgram(program);
   glUseProgram(program);
   glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);

   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      const GLuint framebuffer = new_framebuffer();
      const GLuint target = attach_renderbuffer(GL_COLOR_ATTACHMENT0, formats[i].format, 0, SIZE,
                                                SIZE);
      double worst[2] = { 0, 0 };

      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s",
            formats[i].name);
      for (int n = 0; n < DRAWS; n++) {
         const bool srgb = formats[i].format == GL_SRGB8_ALPHA8 && (n & 1);
         (srgb ? glEnable : glDisable)(GL_FRAMEBUFFER_SRGB);
         worst[srgb] = fmax(worst[srgb], draw(&formats[i], srgb));
      }
      printf("%s: off by up to %.3f steps", formats[i].name, worst[0]);
      printf(worst[1] > 0 ? ", with sRGB %.3f\n" : "\n", worst[1]);
      glDeleteFramebuffers(1, &framebuffer);
      glDeleteRenderbuffers(1, &target);
   }
   half_floats();
   return test_end();
}
