/* SPDX-License-Identifier: MIT */
/*
 * Tests depths of many small triangles that are far away while the near plane is close, as in Qt's
 * hellogles3.  There, a hundredth of an object's size is less than a unit of a 24-bit depth buffer.
 * Visibility depends on the last bits of positions and depths, which GL leaves open (OpenGL 3.3,
 * section 2.1.1: about 1 part in 10^5, here 168 units). sgpu's depths must be within UNITS of the
 * exact ones, and no triangle may be visible where another one is nearer by more than that.  This
 * is the only reason why hellogles3's pictures differ from those of other drivers.
 */
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 256
#define TRIANGLES 40000
#define UNITS 4.0
/* If the distance of a pixel's centre from an edge is at most this, in pixels, the pixel may be
 * covered or not, because positions are rounded to 1/256.
 */
#define EDGE (1.0 / 64.0)

static const char vertex[] = "#version 120\n"
                             "attribute vec3 position;\n"
                             "attribute vec3 number;\n"
                             "uniform mat4 projection, camera, world;\n"
                             "varying vec3 colour;\n"
                             "void main() {\n"
                             "   colour = number;\n"
                             "   gl_Position = projection * camera * world * vec4(position, 1.0);\n"
                             "}\n";
static const char fragment[] = "#version 120\n"
                               "varying vec3 colour;\n"
                               "void main() { gl_FragColor = vec4(colour, 1.0); }\n";

/* Matrices of hellogles3, in column-major order. */
static const float projection[16] = { 2.414213f, 0, 0,        0,  0, 2.414213f, 0,          0,
                                      0,         0, -1.0002f, -1, 0, 0,         -0.020002f, 0 };
static const float camera[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -49.92836f, 1 };
static const float world[16] = {
   0.4217827f,  -0.5782172f, -0.6984011f, 0, 0.5782172f, -0.4217827f, 0.6984011f, 0,
   -0.6984011f, -0.6984011f, 0.1564345f,  0, 0,          0,           -1,         1,
};

static float positions[TRIANGLES][3][3];
static unsigned char numbers[TRIANGLES][3][4], colours[SIZE][SIZE][4];
static GLuint depths[SIZE][SIZE];
static double windows[TRIANGLES][3][3], seen[SIZE][SIZE];

static float
random_float(float from, float to)
{
   static uint32_t state = 1;

   state = state * 1664525 + 1013904223;
   return from + (to - from) * (float)(state >> 8) / (float)(1 << 24);
}

static void
transform(const float matrix[16], const double from[4], double to[4])
{
   for (int i = 0; i < 4; i++) {
      to[i] = 0.0;
      for (int k = 0; k < 4; k++)
         to[i] += matrix[k * 4 + i] * from[k];
   }
}

/* Makes triangles of a few pixels that cover the whole picture at nearly the same depth. */
static void
make_triangles(void)
{
   for (int t = 0; t < TRIANGLES; t++) {
      const float middle[3] = { random_float(-20, 20), random_float(-20, 20), random_float(-1, 1) };
      for (int v = 0; v < 3; v++) {
         double a[4] = { 0, 0, 0, 1 }, b[4];
         for (int i = 0; i < 3; i++)
            a[i] = positions[t][v][i] = middle[i] + random_float(-0.5f, 0.5f);
         numbers[t][v][0] = t & 255;
         numbers[t][v][1] = t >> 8;
         transform(world, a, b);
         transform(camera, b, a);
         transform(projection, a, b);
         windows[t][v][0] = (b[0] / b[3] + 1) / 2 * SIZE;
         windows[t][v][1] = (b[1] / b[3] + 1) / 2 * SIZE;
         windows[t][v][2] = (b[2] / b[3] + 1) / 2 * 0xffffff;
      }
   }
}

/* Returns the smallest signed distance, in pixels, of the centre of pixel (x, y) from the edges of
 * triangle t; positive inside.  Also returns the triangle's depth there, in units.
 */
static double
inside(int t, int x, int y, double *depth)
{
   const double(*w)[3] = windows[t];
   const double px = x + 0.5, py = y + 0.5;
   const double area = (w[1][0] - w[0][0]) * (w[2][1] - w[0][1]) -
                       (w[2][0] - w[0][0]) * (w[1][1] - w[0][1]);
   double least = HUGE_VAL;

   *depth = 0.0;
   for (int i = 0; i < 3; i++) {
      const double *a = w[(i + 1) % 3], *b = w[(i + 2) % 3];
      const double edge = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
      *depth += edge / area * w[i][2];
      least = fmin(least, copysign(1.0, area) * edge / hypot(b[0] - a[0], b[1] - a[1]));
   }
   return least;
}

/* Returns the number of the triangle that is visible in the pixel; larger than any number if there
 * is none.
 */
static int
number_at(int x, int y)
{
   return colours[y][x][0] | colours[y][x][1] << 8;
}

static void
attribute(GLuint program, const char *name, GLenum type, GLboolean normalized, GLsizei stride,
          const void *data)
{
   const GLint location = glGetAttribLocation(program, name);
   glEnableVertexAttribArray(location);
   glVertexAttribPointer(location, 3, type, normalized, stride, data);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   make_triangles();
   const GLuint program = test_program(vertex, fragment);
   glUseProgram(program);
   glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection);
   glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 1, GL_FALSE, camera);
   glUniformMatrix4fv(glGetUniformLocation(program, "world"), 1, GL_FALSE, world);
   attribute(program, "position", GL_FLOAT, GL_FALSE, 0, positions);
   attribute(program, "number", GL_UNSIGNED_BYTE, GL_TRUE, 4, numbers);
   glEnable(GL_DEPTH_TEST);
   glClearColor(1, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, TRIANGLES * 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, colours);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depths);
   CHECK(glGetError() == GL_NO_ERROR, "an error of GL");

   unsigned drawn = 0, near = 0;
   double worst = 0.0, behind = 0.0;
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const int t = number_at(x, y);
         seen[y][x] = 0xffffff;
         if (t >= TRIANGLES)
            continue;
         CHECK(inside(t, x, y, &seen[y][x]) > -EDGE, "triangle %d at %d,%d", t, x, y);
         const double off = fabs((depths[y][x] >> 8) - seen[y][x]);
         CHECK(off <= UNITS, "%g units at %d,%d", off, x, y);
         worst = fmax(worst, off);
         drawn++;
      }
   }
   for (int t = 0; t < TRIANGLES; t++) {
      int low[2], high[2];
      for (int i = 0; i < 2; i++) {
         const double a = windows[t][0][i], b = windows[t][1][i], c = windows[t][2][i];
         low[i] = fmax(fmin(fmin(a, b), c), 0);
         high[i] = fmin(fmax(fmax(a, b), c) + 1, SIZE);
      }
      for (int y = low[1]; y < high[1]; y++) {
         for (int x = low[0]; x < high[0]; x++) {
            double depth;
            if (t == number_at(x, y) || inside(t, x, y, &depth) < EDGE)
               continue;
            CHECK(depth > seen[y][x] - UNITS, "triangle %d is nearer by %g units at %d,%d", t,
                  seen[y][x] - depth, x, y);
            behind = fmax(behind, seen[y][x] - depth);
            near += fabs(depth - seen[y][x]) < UNITS;
         }
      }
   }
   printf("%u pixels, other triangles within %g units %u times; depths are off by up to %.2f "
          "units, what is seen is behind by up to %.2f\n",
          drawn, UNITS, near, worst, behind);
   CHECK(drawn > 10000 && near > 200, "%u, %u", drawn, near);
   return fails != 0;
}
