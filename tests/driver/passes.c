/* SPDX-License-Identifier: MIT */
/*
 * Tests a surface that is drawn in several passes, each of which may double the colour, as for
 * OpenArena's weapons: trilinear textures times a colour, then blended.  The test computes the
 * result of each pass in double precision from the previous contents, with the device's weights.
 * The error may be half a step of the framebuffer plus the error of single precision.  GL 2.1
 * allows more (sections 2.1.1, 2.14.9 and 4.1.8: as many bits as the framebuffer has are enough),
 * but the next pass doubles the error.
 *
 * Prints the errors, also with exact weights, so that drivers can be compared.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <GL/gl.h>

#include "pbuffer.h"

#define SIZE 256
#define TEXELS 64
#define LEVELS 7
#define PASSES 4

/* Maximum error, in steps of an 8-bit framebuffer. */
#define TOLERANCE 0.502

static uint8_t texels[PASSES][LEVELS][TEXELS * TEXELS * 4];
static bool exact_weights;
static uint8_t before[SIZE * SIZE * 4], after[SIZE * SIZE * 4];

/* Number of texels of the base level per pixel, texture coordinates at the corner of the first
 * pixel, and the colour of each pass.
 */
static const struct {
   double dx, dy, x, y;
   uint8_t colour[3];
   GLenum src, dst;
} passes[PASSES] = {
   { 1.5, 1.25, 3.4, 7.8, { 250, 200, 230 }, GL_ONE, GL_ZERO },
   { 0.6, 0.3, 1.7, 9.2, { 255, 240, 222 }, GL_DST_COLOR, GL_SRC_COLOR },
   { 2.75, 3.1, 5.9, 0.3, { 180, 255, 150 }, GL_DST_COLOR, GL_ONE },
   { 1.1, 0.9, 8.6, 2.1, { 201, 199, 240 }, GL_DST_COLOR, GL_ONE },
};

/* Rounds a weight as the device does, to 8 fractional bits.  No coordinate of these passes is
 * within a tenth of a step of the middle between two steps.
 */
static double
fixed_point(double x)
{
   return exact_weights ? x : nearbyint(x * 256) / 256;
}

static double
bilinear(const uint8_t *level, int size, double u, double v, int c)
{
   const double s = fixed_point(u - 0.5), t = fixed_point(v - 0.5);
   const double x = floor(s), y = floor(t), fx = s - x, fy = t - y;
   double sum = 0;
   for (int k = 0; k < 4; k++) {
      const int i = ((int)x + (k & 1) + size) % size, j = ((int)y + (k >> 1) + size) % size;
      sum += level[(j * size + i) * 4 + c] * (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy);
   }
   return sum / 255;
}

static double
source(int pass, int px, int py, int c)
{
   const double s = (passes[pass].x + passes[pass].dx * (px + 0.5)) / TEXELS;
   const double t = (passes[pass].y + passes[pass].dy * (py + 0.5)) / TEXELS;
   const double rho = fmax(passes[pass].dx, passes[pass].dy);
   const double lod = fixed_point(fmax(log2(rho), 0));
   const int d = (int)lod, n = TEXELS >> d;
   const double fs = s - floor(s), ft = t - floor(t);
   const double lower = bilinear(texels[pass][d], n, fs * n, ft * n, c);
   const double upper = bilinear(texels[pass][d + 1], n / 2, fs * n / 2, ft * n / 2, c);
   return (lower + (lod - d) * (upper - lower)) * passes[pass].colour[c] / 255;
}

static void
draw(int pass)
{
   const double s0 = passes[pass].x / TEXELS, s1 = s0 + passes[pass].dx * SIZE / TEXELS;
   const double t0 = passes[pass].y / TEXELS, t1 = t0 + passes[pass].dy * SIZE / TEXELS;
   for (int d = 0, n = TEXELS; d < LEVELS; d++, n /= 2)
      glTexImage2D(GL_TEXTURE_2D, d, GL_RGBA, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels[pass][d]);
   glBlendFunc(passes[pass].src, passes[pass].dst);
   glColor3ubv(passes[pass].colour);
   glBegin(GL_QUADS);
   glTexCoord2d(s0, t0);
   glVertex2f(-1, -1);
   glTexCoord2d(s1, t0);
   glVertex2f(1, -1);
   glTexCoord2d(s1, t1);
   glVertex2f(1, 1);
   glTexCoord2d(s0, t1);
   glVertex2f(-1, 1);
   glEnd();
}

static double
check(int pass)
{
   double worst = 0;
   for (int i = 0; i < SIZE * SIZE; i++) {
      for (int c = 0; c < 3; c++) {
         const double s = source(pass, i % SIZE, i / SIZE, c), d = before[i * 4 + c] / 255.0;
         const double factor = passes[pass].dst == GL_SRC_COLOR ? s
                               : passes[pass].dst == GL_ONE     ? 1.0
                                                                : 0.0;
         const double value = pass ? s * d + d * factor : s;
         worst = fmax(worst, fabs(after[i * 4 + c] - 255 * fmin(value, 1)));
      }
   }
   printf("pass %d: at most %.3f steps from the exact result%s\n", pass, worst,
          exact_weights ? ", with exact weights" : "");
   return worst;
}

int
main(void)
{
   if (!test_pbuffer(SIZE, SIZE))
      return 1;
   for (unsigned i = 0; i < sizeof(texels); i++)
      ((uint8_t *)texels)[i] = 40 + (rand() >> 7) % 160;

   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   glEnable(GL_TEXTURE_2D);
   glEnable(GL_BLEND);

   bool good = true;
   for (int pass = 0; pass < PASSES; pass++) {
      draw(pass);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, after);
      exact_weights = false;
      good &= check(pass) <= TOLERANCE;
      exact_weights = true;
      check(pass);
      for (unsigned i = 0; i < sizeof(after); i++)
         before[i] = after[i];
   }
   if (glGetError() != GL_NO_ERROR || !good) {
      fprintf(stderr, "more than %.3f steps\n", TOLERANCE);
      return 1;
   }
   return 0;
}
