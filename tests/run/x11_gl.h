/* SPDX-License-Identifier: MIT */
/*
 * For tests of X11 windows: drawing with GL.  GL counts rows from the bottom, and the X server
 * counts them from the top.
 */
#ifndef TEST_X11_GL_H
#define TEST_X11_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "x11.h"

/* Fills a rectangle, counted from the bottom left, with a clear. */
static inline void
fill(int x, int y, int width, int height, uint32_t rgb)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(x, y, width, height);
   glClearColor((rgb >> 16) / 255.0f, (rgb >> 8 & 255) / 255.0f, (rgb & 255) / 255.0f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
}

/* Fills a rectangle with a quad, which also depends on the viewport. */
static inline void
quad(int x, int y, int width, int height, uint32_t rgb)
{
   GLint v[4];
   glGetIntegerv(GL_VIEWPORT, v);
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glOrtho(0, v[2], 0, v[3], -1, 1);
   glColor3ub(rgb >> 16, rgb >> 8, rgb);
   glRecti(x, y, x + width, y + height);
}

/* Checks that a rectangle of the current read buffer has this colour, by glReadPixels. */
static inline void
expect_read(int x, int y, int width, int height, uint32_t rgb, const char *file, int line)
{
   uint8_t *pixels = malloc((size_t)width * height * 4);
   glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
         const uint8_t *p = pixels + (row * width + column) * 4;
         const uint32_t found = (uint32_t)p[0] << 16 | p[1] << 8 | p[2];
         if (found != rgb) {
            fprintf(stderr, "%s:%d: GL reads %06x, not %06x, at %d,%d\n", file, line, found, rgb,
                    x + column, y + row);
            exit(1);
         }
      }
   }
   free(pixels);
}
#define EXPECT_READ(x, y, width, height, rgb) \
   expect_read(x, y, width, height, rgb, __FILE__, __LINE__)

/* Tests the front buffer: draws to it, reads it, and lets the X server draw to it.  The drawable
 * must be red, and GL must have its initial state.
 */
static inline void
draw_front(Drawable x, int width, int height, void (*wait_x)(void), void (*wait_gl)(void))
{
   const int w = width / 2, h = height / 2;

   /* Pixels that GL does not draw keep the X server's values.  The read buffer must be set first;
    * otherwise, Mesa's glReadPixels does not know the size of the front buffer before something is
    * drawn.
    */
   glReadBuffer(GL_FRONT);
   glDrawBuffer(GL_FRONT);
   EXPECT_READ(0, 0, width, height, RED);
   fill(0, 0, w, h, GREEN);
   EXPECT_READ(0, 0, w, h, GREEN);
   EXPECT_READ(w, 0, width - w, height, RED);
   glFlush();
   EXPECT(x, 0, height - h, w, h, GREEN);
   EXPECT(x, 0, 0, width, height - h, RED);
   EXPECT(x, w, 0, width - w, height, RED);

   /* Read what the X server has drawn without a flush in between. */
   x11_fill(x, 0, 0, 5, 7, BLUE);
   wait_x();
   EXPECT_READ(0, height - 7, 5, 7, BLUE);
   x11_fill(x, 0, 0, 5, 7, YELLOW);
   wait_x();
   EXPECT_READ(0, height - 7, 5, 7, YELLOW);
   EXPECT_READ(0, 0, w, h, GREEN);

   /* Read it, and then draw over a part of it. */
   x11_fill(x, 0, 0, 5, 7, WHITE);
   wait_x();
   quad(2, height - 3, 10, 3, BLACK);
   wait_gl();
   EXPECT(x, 0, 0, 2, 7, WHITE);
   EXPECT(x, 2, 0, 10, 3, BLACK);
   EXPECT(x, 2, 3, 3, 4, WHITE);
   EXPECT(x, 0, height - h, w, h, GREEN);

   /* Blend with it. */
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   x11_fill(x, 0, 0, width, height, BLUE);
   wait_x();
   quad(0, 0, w, height, RED);
   glDisable(GL_BLEND);
   glFinish();
   EXPECT(x, 0, 0, w, height, 0xff00ff);
   EXPECT(x, w, 0, width - w, height, BLUE);
   EXPECT_READ(w, 0, width - w, height, BLUE);

   /* Copies read the X server's pixels, too. */
   x11_fill(x, w, 0, width - w, height, YELLOW);
   wait_x();
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, width, height, 0);
   uint8_t *pixels = malloc((size_t)width * height * 4);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int i = 0; i < width * height; i++) {
      const uint32_t found = pixels[i * 4] << 16 | pixels[i * 4 + 1] << 8 | pixels[i * 4 + 2];
      SAME(found, i % width < w ? 0xff00ffu : YELLOW, i % width, i / width);
   }
   free(pixels);
   glDeleteTextures(1, &texture);
   CHECK(glGetError() == GL_NO_ERROR);
}

/* Draws a frame that covers the window: a border of one pixel, and quarters. */
static inline void
draw_frame(int width, int height)
{
   glViewport(0, 0, width, height);
   fill(0, 0, width, height, WHITE);
   quad(1, 1, width - 2, height - 2, GREEN);
   quad(width / 2, height / 2, width - width / 2 - 1, height - height / 2 - 1, BLUE);
}

static inline void
expect_frame(Window window, int width, int height)
{
   struct x11_picture shot = x11_shot(window);
   CHECK(shot.width == width && shot.height == height);
   for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
         const int up = height - 1 - y;
         const bool edge = !x || !y || x == width - 1 || y == height - 1;
         SAME(shot.rgb[y * width + x],
              (uint32_t)(edge                                 ? WHITE
                         : x >= width / 2 && up >= height / 2 ? BLUE
                                                              : GREEN),
              x, y);
      }
   }
   free(shot.rgb);
}

#endif
