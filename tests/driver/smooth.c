/* SPDX-License-Identifier: MIT */
/*
 * Tests smooth and stippled primitives: coverage is multiplied into alpha before the alpha test (GL
 * 2.1, 3.12, 4.1.4), the stipple pattern continues through a strip, and the limits.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <GL/gl.h>

#include "pbuffer.h"

#define SIZE 64

static uint8_t pixels[SIZE * SIZE * 4];
static bool good = true;

static void
begin(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   glColor4f(1.0f, 1.0f, 1.0f, 1.0f);
}

static void
read_back(void)
{
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static void
expect(const char *what, int x, int y, int alpha)
{
   const int got = pixels[(y * SIZE + x) * 4 + 3];

   if (abs(got - alpha) > 1) {
      fprintf(stderr, "%s: alpha of pixel %d %d is %d, expected %d\n", what, x, y, got, alpha);
      good = false;
   }
}

static void
line(float x0, float y0, float x1, float y1)
{
   glBegin(GL_LINES);
   glVertex2f(x0, y0);
   glVertex2f(x1, y1);
   glEnd();
}

static void
lines(void)
{
   glEnable(GL_LINE_SMOOTH);
   begin();
   line(10, 20.25f, 50, 20.25f);
   read_back();
   expect("line", 30, 18, 0);
   expect("line", 30, 19, 64);
   expect("line", 30, 20, 191);
   expect("line", 30, 21, 0);

   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 0.5f);
   begin();
   line(10, 20.25f, 50, 20.25f);
   read_back();
   expect("line, alpha test", 30, 19, 0);
   expect("line, alpha test", 30, 20, 191);
   glDisable(GL_ALPHA_TEST);
   glDisable(GL_LINE_SMOOTH);
}

static void
points(void)
{
   glEnable(GL_POINT_SMOOTH);
   glPointSize(1.0f);
   begin();
   glBegin(GL_POINTS);
   glVertex2f(20, 30);
   glEnd();
   read_back();
   for (int i = 0; i < 4; i++)
      expect("point", 19 + (i & 1), 29 + (i >> 1), 50); /* coverage of pi / 16 */
   glDisable(GL_POINT_SMOOTH);
}

static void
polygons(void)
{
   glEnable(GL_POLYGON_SMOOTH);
   begin();
   glBegin(GL_QUADS);
   glVertex2f(10.5f, 10.5f);
   glVertex2f(40.5f, 10.5f);
   glVertex2f(40.5f, 40.5f);
   glVertex2f(10.5f, 40.5f);
   glEnd();
   read_back();
   expect("quad", 10, 25, 128);
   expect("quad", 40, 25, 128);
   expect("quad", 10, 10, 64);
   for (int i = 11; i < 40; i++) {
      expect("quad", i, i, 255);
      expect("quad", i, 50 - i, 255);
   }
   glDisable(GL_POLYGON_SMOOTH);
}

static void
stipple(void)
{
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(2, 0x000f);
   begin();
   /* The line strip has 20 fragments to the right, and then continues upwards. */
   glBegin(GL_LINE_STRIP);
   glVertex2f(10.5f, 10.5f);
   glVertex2f(30.5f, 10.5f);
   glVertex2f(30.5f, 60.5f);
   glEnd();
   read_back();
   for (int s = 0; s < 70; s++) {
      const int x = s < 20 ? 10 + s : 30, y = s < 20 ? 10 : 10 + s - 20;
      expect("stipple", x, y, s / 2 % 16 < 4 ? 255 : 0);
   }
   glDisable(GL_LINE_STIPPLE);
}

static void
limits(void)
{
   static const GLenum ranges[] = { GL_SMOOTH_POINT_SIZE_RANGE, GL_SMOOTH_LINE_WIDTH_RANGE };

   for (int i = 0; i < 2; i++) {
      GLfloat range[2] = { 0 };
      glGetFloatv(ranges[i], range);
      if (!(range[0] <= 1.0f && range[0] > 0.0f && range[1] >= 10.0f)) {
         fprintf(stderr, "limits %f to %f\n", range[0], range[1]);
         good = false;
      }
   }
}

int
main(void)
{
   if (!test_pbuffer(SIZE, SIZE))
      return 1;
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, SIZE, 0, SIZE, -1, 1);

   lines();
   points();
   polygons();
   stipple();
   limits();
   return glGetError() != GL_NO_ERROR || !good;
}
