/* SPDX-License-Identifier: MIT */
/*
 * Tests points and wide lines at the sides of a viewport that is smaller than the target.  OpenGL
 * ES (3.0, 2.17, and its conformance tests for lines) draws all of their fragments that lie in the
 * viewport, even if the centre is outside.  OpenGL (3.3, 2.19) draws a point completely if its
 * centre is in the view volume, and not at all otherwise.  Sizes are clamped to the announced
 * range.
 */
#include <stdbool.h>

#include "gles.h"

#define SIZE 64
/* The viewport covers the pixels LOW to HIGH - 1 in x and y. */
#define LOW 16
#define HIGH 48

#define GL_PROGRAM_POINT_SIZE 0x8642
#define GL_POINT_SPRITE 0x8861

static const char vertex[] = "attribute vec4 position; uniform float size;\n"
                             "void main() { gl_Position = position; gl_PointSize = size; }";
static const char fragment[] = "void main() { gl_FragColor = vec4(1.0); }";

static unsigned char pixels[SIZE][SIZE][4];
static unsigned fails;

static EGLContext
desktop_context(EGLDisplay display)
{
   static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE };
   EGLConfig config;
   EGLint count;
   CHECK(eglBindAPI(EGL_OPENGL_API));
   CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
   CHECK(context);
   return context;
}

/* Converts a window coordinate to a clip coordinate of the viewport. */
static float
clip(float window)
{
   return (window - (LOW + HIGH) / 2) / ((HIGH - LOW) / 2);
}

static void
draw(GLenum mode, const float window[][2], int count)
{
   float position[4][2];

   for (int i = 0; i < count; i++) {
      position[i][0] = clip(window[i][0]);
      position[i][1] = clip(window[i][1]);
   }
   glClear(GL_COLOR_BUFFER_BIT);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, position);
   glEnableVertexAttribArray(0);
   glDrawArrays(mode, 0, count);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static bool
in_viewport(float x, float y)
{
   return x >= LOW && x <= HIGH && y >= LOW && y <= HIGH;
}

static void
points(const char *api, bool es, GLint size_at)
{
   static const float sizes[] = { 1, 6, 9 };

   for (int i = 0; i < 3 * 36; i++) {
      /* No pixel centre lies on a side of a square. */
      const float size = sizes[i % 3];
      const float window[1][2] = { { 4.75f + i / 3 % 6 * 10.5f, 4.75f + i / 18 * 10.5f } };
      const float wx = window[0][0], wy = window[0][1];

      glUniform1f(size_at, size);
      draw(GL_POINTS, window, 1);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const float dx = x + 0.5f - wx, dy = y + 0.5f - wy;
            const bool square = dx > -size / 2 && dx < size / 2 && dy > -size / 2 && dy < size / 2;
            const bool drawn = square &&
                               (es ? in_viewport(x + 0.5f, y + 0.5f) : in_viewport(wx, wy));
            if (drawn != (pixels[y][x][0] == 255) && fails++ < 20)
               fprintf(stderr, "%s: point of size %g at %g,%g: pixel %d,%d is%s drawn\n", api, size,
                       wx, wy, x, y, drawn ? " not" : "");
         }
      }
   }
}

/* Tests horizontal and vertical lines, whose fragments are easy to compute. */
static void
lines(void)
{
   const float width = 5;

   glLineWidth(width);
   for (int i = 0; i < 2 * SIZE; i++) {
      const bool along_y = i & 1;
      const float at = i / 2 + 0.5f;
      const float window[2][2] = { { along_y ? at : 4.5f, along_y ? 4.5f : at },
                                   { along_y ? at : 58.5f, along_y ? 58.5f : at } };

      draw(GL_LINES, window, 2);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const float across = (along_y ? x : y) + 0.5f - at;
            const bool drawn = in_viewport(x + 0.5f, y + 0.5f) && across > -width / 2 &&
                               across < width / 2;
            if (drawn != (pixels[y][x][0] == 255) && fails++ < 20)
               fprintf(stderr, "line from %g,%g to %g,%g: pixel %d,%d is%s drawn\n", window[0][0],
                       window[0][1], window[1][0], window[1][1], x, y, drawn ? " not" : "");
         }
      }
   }
}

/* Tests point sizes beyond the announced range.  The target has four rows and is slightly wider
 * than half of the largest point.  A point at its right side must not reach the left side.
 */
static void
sizes(GLint size_at)
{
   GLfloat range[2];
   GLuint texture, framebuffer;

   glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
   const int left = 8, width = (int)range[1] / 2 + left, height = 4;
   unsigned char *row = malloc(4 * (size_t)width * height);
   const float at[2] = { 1, 0 };
   CHECK(row);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glViewport(0, 0, width, height);

   for (int more = 0; more < 3; more++) {
      static const float beyond[] = { 0, 16, 1e6f };
      glUniform1f(size_at, range[1] + beyond[more]);
      glClear(GL_COLOR_BUFFER_BIT);
      glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, at);
      glEnableVertexAttribArray(0);
      glDrawArrays(GL_POINTS, 0, 1);
      glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, row);
      for (int i = 0; i < width * height; i++) {
         const int x = i % width;
         /* Allow an error of one pixel by rounding. */
         if (x >= left - 1 && x <= left)
            continue;
         if ((x > left) != (row[4 * i] == 255) && fails++ < 20)
            fprintf(stderr, "point of size %g + %g: pixel %d,%d is%s drawn\n", range[1],
                    beyond[more], x, i / width, x > left ? " not" : "");
      }
   }
   free(row);
}

static GLint
begin(void)
{
   GLuint texture;
   test_target(SIZE, &texture);
   glViewport(LOW, LOW, HIGH - LOW, HIGH - LOW);
   const GLuint program = test_program(vertex, fragment);
   glUseProgram(program);
   return glGetUniformLocation(program, "size");
}

int
main(void)
{
   EGLDisplay display = test_display();

   test_current(display, test_context(display, EGL_NO_CONTEXT));
   GLint size = begin();
   points("OpenGL ES", true, size);
   lines();
   sizes(size);

   test_current(display, desktop_context(display));
   size = begin();
   glEnable(GL_PROGRAM_POINT_SIZE);
   glEnable(GL_POINT_SPRITE);
   points("OpenGL", false, size);
   printf("%u pixels are wrong\n", fails);
   return fails != 0;
}
