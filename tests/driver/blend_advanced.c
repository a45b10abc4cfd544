/* SPDX-License-Identifier: MIT */
/*
 * Tests the 15 equations of KHR_blend_equation_advanced against double precision, in targets with
 * one and with four samples.  Primitives of one draw overlap.  With coherent blending, each
 * primitive is blended with the result of the previous ones.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16
#define DRAWS 40
#define LAYERS 3 /* number of overlapping squares in a draw */

static const struct equation {
   const char *name;
   GLenum code;
} equations[] = {
   { "multiply", GL_MULTIPLY_KHR },         { "screen", GL_SCREEN_KHR },
   { "overlay", GL_OVERLAY_KHR },           { "darken", GL_DARKEN_KHR },
   { "lighten", GL_LIGHTEN_KHR },           { "colordodge", GL_COLORDODGE_KHR },
   { "colorburn", GL_COLORBURN_KHR },       { "hardlight", GL_HARDLIGHT_KHR },
   { "softlight", GL_SOFTLIGHT_KHR },       { "difference", GL_DIFFERENCE_KHR },
   { "exclusion", GL_EXCLUSION_KHR },       { "hue", GL_HSL_HUE_KHR },
   { "saturation", GL_HSL_SATURATION_KHR }, { "color", GL_HSL_COLOR_KHR },
   { "luminosity", GL_HSL_LUMINOSITY_KHR },
};

static double
part(void)
{
   static uint32_t state = 1;
   state = state * 1664525u + 1013904223u;
   return (state >> 8) / (double)(1 << 24);
}

/* Returns f(Cs, Cd) of one component (KHR_blend_equation_advanced, table X.1). */
static double
separable(GLenum code, double s, double d)
{
   switch (code) {
   case GL_MULTIPLY_KHR:
      return s * d;
   case GL_SCREEN_KHR:
      return s + d - s * d;
   case GL_OVERLAY_KHR:
      return d <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
   case GL_DARKEN_KHR:
      return fmin(s, d);
   case GL_LIGHTEN_KHR:
      return fmax(s, d);
   case GL_COLORDODGE_KHR:
      return d <= 0 ? 0 : s < 1 ? fmin(1, d / (1 - s)) : 1;
   case GL_COLORBURN_KHR:
      return d >= 1 ? 1 : s > 0 ? 1 - fmin(1, (1 - d) / s) : 0;
   case GL_HARDLIGHT_KHR:
      return s <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
   case GL_SOFTLIGHT_KHR:
      return s <= 0.5    ? d - (1 - 2 * s) * d * (1 - d)
             : d <= 0.25 ? d + (2 * s - 1) * d * ((16 * d - 12) * d + 3)
                         : d + (2 * s - 1) * (sqrt(d) - d);
   case GL_DIFFERENCE_KHR:
      return fabs(d - s);
   default:
      return s + d - 2 * s * d;
   }
}

static double
least(const double *c)
{
   return fmin(fmin(c[0], c[1]), c[2]);
}

static double
greatest(const double *c)
{
   return fmax(fmax(c[0], c[1]), c[2]);
}

static double
luminosity(const double *c)
{
   return c[0] * 0.30 + c[1] * 0.59 + c[2] * 0.11;
}

/* SetLum of the extension: returns in out the colour base with the luminosity of lum. */
static void
set_luminosity(const double *base, const double *lum, double *out)
{
   const double add = luminosity(lum) - luminosity(base);

   for (int j = 0; j < 3; j++)
      out[j] = base[j] + add;
   const double l = luminosity(out), low = least(out), high = greatest(out);
   for (int j = 0; j < 3 && low < 0; j++)
      out[j] = l + (out[j] - l) * l / (l - low);
   for (int j = 0; j < 3 && high > 1; j++)
      out[j] = l + (out[j] - l) * (1 - l) / (high - l);
}

/* SetLumSat of the extension: returns in out a colour with the hue of base, the saturation of sat
 * and the luminosity of lum.
 */
static void
set_saturation(const double *base, const double *sat, const double *lum, double *out)
{
   const double low = least(base), range = greatest(base) - low;
   double c[3] = { 0, 0, 0 };

   for (int j = 0; j < 3 && range > 0; j++)
      c[j] = (base[j] - low) * (greatest(sat) - least(sat)) / range;
   set_luminosity(c, lum, out);
}

/* Blends s over d and stores the result in d.  Both have premultiplied colours. */
static void
blend(GLenum code, const double *s, double *d)
{
   double cs[3], cd[3], f[3];

   for (int j = 0; j < 3; j++) {
      cs[j] = s[3] > 0 ? s[j] / s[3] : 0;
      cd[j] = d[3] > 0 ? d[j] / d[3] : 0;
   }
   if (code == GL_HSL_HUE_KHR)
      set_saturation(cs, cd, cd, f);
   else if (code == GL_HSL_SATURATION_KHR)
      set_saturation(cd, cs, cd, f);
   else if (code == GL_HSL_COLOR_KHR)
      set_luminosity(cs, cd, f);
   else if (code == GL_HSL_LUMINOSITY_KHR)
      set_luminosity(cd, cs, f);
   for (int j = 0; j < 3 && code != GL_HSL_HUE_KHR && code != GL_HSL_SATURATION_KHR &&
                   code != GL_HSL_COLOR_KHR && code != GL_HSL_LUMINOSITY_KHR;
        j++)
      f[j] = separable(code, cs[j], cd[j]);

   const double both = s[3] * d[3], only_s = s[3] * (1 - d[3]), only_d = d[3] * (1 - s[3]);
   for (int j = 0; j < 3; j++)
      d[j] = f[j] * both + cs[j] * only_s + cd[j] * only_d;
   d[3] = both + only_s + only_d;
}

static void
random_color(double *c)
{
   c[3] = part() < 0.2 ? 1 : 0.1 + 0.9 * part();
   for (int j = 0; j < 3; j++)
      c[j] = c[3] * part();
}

/* Blends random squares over each other and compares a pixel of the target.  Returns the largest
 * error.
 */
static double
draw(const struct equation *e, GLuint resolved, GLuint target, GLint color)
{
   double d[4], s[LAYERS][4], worst = 0;
   float found[4];

   random_color(d);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glClearColor((float)d[0], (float)d[1], (float)d[2], (float)d[3]);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_BLEND);
   glBlendEquation(e->code);
   for (int i = 0; i < LAYERS; i++)
      random_color(s[i]);
   glBegin(GL_QUADS);
   for (int i = 0; i < LAYERS; i++) {
      for (int v = 0; v < 4; v++) {
         glVertexAttrib4dv((GLuint)color, s[i]);
         glVertex2f(v == 1 || v == 2 ? 1 : -1, v >= 2 ? 1 : -1);
      }
      blend(e->code, s[i], d);
   }
   glEnd();
   if (resolved) {
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved);
   }
   for (int y = 0; y < SIZE; y += 5) {
      glReadPixels(7, y, 1, 1, GL_RGBA, GL_FLOAT, found);
      for (int j = 0; j < 4; j++) {
         const double off = fabs(found[j] - d[j]);
         /* The slope of colordodge and colorburn is up to 10 for each square. */
         CHECK(off < 1e-3, "%s: component %d is %f, not %f", e->name, j, (double)found[j], d[j]);
         worst = fmax(worst, off);
      }
   }
   return worst;
}

static GLuint
framebuffer(int samples)
{
   const GLuint fb = new_framebuffer();

   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA32F, samples, SIZE, SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%d samples",
         samples);
   return fb;
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   const char *all = (const char *)glGetString(GL_EXTENSIONS);
   if (!strstr(all, "GL_KHR_blend_equation_advanced_coherent")) {
      fprintf(stderr, "no GL_KHR_blend_equation_advanced_coherent\n");
      return 1;
   }
   const GLuint program = test_program("#version 150 compatibility\n"
                                       "in vec4 color; out vec4 c;\n"
                                       "void main() { gl_Position = gl_Vertex; c = color; }\n",
                                       "#version 150 compatibility\n"
                                       "#extension GL_KHR_blend_equation_advanced : require\n"
                                       "#extension GL_ARB_explicit_attrib_location : require\n"
                                       "layout(blend_support_all_equations) out;\n"
                                       "in vec4 c; layout(location = 0) out vec4 o;\n"
                                       "void main() { o = c; }\n");
   glUseProgram(program);
   glEnable(GL_BLEND_ADVANCED_COHERENT_KHR);
   const GLint color = glGetAttribLocation(program, "color");
   const GLuint single = framebuffer(0), several = framebuffer(4);

   for (size_t i = 0; i < sizeof(equations) / sizeof(equations[0]); i++) {
      double worst[2] = { 0, 0 };
      for (int n = 0; n < DRAWS; n++) {
         worst[0] = fmax(worst[0], draw(&equations[i], 0, single, color));
         worst[1] = fmax(worst[1], draw(&equations[i], single, several, color));
      }
      printf("%s: off by up to %g, with samples %g\n", equations[i].name, worst[0], worst[1]);
   }
   return test_end();
}
