/* SPDX-License-Identifier: MIT */
/*
 * Tests that textures that were never written read as zero, whatever their memory held before, and
 * that the driver does not wait for the device for that.  Bitmaps and pixel rectangles use such
 * textures.  With SGPU_DEBUG=perf, the driver reports reads of textures, which the test counts.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define WIDTH 640
#define HEIGHT 64
#define MAX_BYTES (WIDTH * HEIGHT * 16)

static uint8_t image[MAX_BYTES], back[MAX_BYTES];
static int reads;

static void APIENTRY
note(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
     const void *data)
{
   reads += strstr(text, "a texture is read") != NULL;
}

static const struct {
   GLenum internal, format, type;
   unsigned bytes;
} formats[] = {
   { GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
   { GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1 },
   { GL_RGBA32F, GL_RGBA, GL_FLOAT, 16 },
   { GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4 },
};
static const struct {
   int width, height;
} sizes[] = { { 1, 1 }, { 7, 5 }, { 33, 64 }, { 600, 40 } };

static GLuint
create(unsigned f, unsigned s, const void *texels)
{
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, formats[f].internal, sizes[s].width, sizes[s].height, 0,
                formats[f].format, formats[f].type, texels);
   return texture;
}

static void
read_back(unsigned f)
{
   memset(back, 0xa5, sizeof back);
   glGetTexImage(GL_TEXTURE_2D, 0, formats[f].format, formats[f].type, back);
}

/* Tests textures in memory that has held other texels, and that was mapped or not. */
static void
test_zero(void)
{
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned f = 0; f < sizeof formats / sizeof formats[0]; f++) {
         for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const unsigned bytes = sizes[s].width * sizes[s].height * formats[f].bytes;

            GLuint texture = create(f, s, image);
            read_back(f);
            CHECK(!memcmp(back, image, bytes), "format %x", formats[f].internal);
            glDeleteTextures(1, &texture);
            glFinish();

            texture = create(f, s, NULL);
            read_back(f);
            unsigned i = 0;
            while (i < bytes && !back[i])
               i++;
            CHECK(i == bytes, "format %x, %d x %d: byte %u", formats[f].internal, sizes[s].width,
                  sizes[s].height, i);
            glDeleteTextures(1, &texture);
         }
      }
   }
}

enum way { UPLOAD, COPY, CLEAR, DRAW, BLIT, WAYS };

/* Writes a part of a new texture in the given way, and tests that the rest is zero. */
static void
test_written(enum way way)
{
   const unsigned s = 3;
   const int x0 = 37, y0 = 9, width = 50, height = 20;
   GLuint texture = create(0, s, NULL), fb;

   glClearColor(1, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glGenFramebuffers(1, &fb);
   memset(back, 255, sizeof back);
   if (way == UPLOAD) {
      glTexSubImage2D(GL_TEXTURE_2D, 0, x0, y0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, back);
   } else if (way == COPY) {
      glCopyTexSubImage2D(GL_TEXTURE_2D, 0, x0, y0, 0, 0, width, height);
   } else {
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb);
      glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
      glEnable(GL_SCISSOR_TEST);
      glScissor(x0, y0, width, height);
      glViewport(0, 0, sizes[s].width, sizes[s].height);
      if (way == CLEAR)
         glClear(GL_COLOR_BUFFER_BIT);
      else if (way == DRAW)
         glRectf(-1, -1, 1, 1);
      else
         glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
      glDisable(GL_SCISSOR_TEST);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
      glViewport(0, 0, WIDTH, HEIGHT);
   }
   read_back(0);
   for (int i = 0; i < sizes[s].width * sizes[s].height; i++) {
      const int x = i % sizes[s].width, y = i / sizes[s].width;
      const bool inside = x >= x0 && x < x0 + width && y >= y0 && y < y0 + height;
      CHECK(back[i * 4] == (inside ? 255 : 0), "way %d, texel %d, %d: %u", way, x, y, back[i * 4]);
   }
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
}

/* Draws several bitmaps in a frame between other draws.  They are too large for Mesa's bitmap
 * cache.
 */
static void
test_bitmaps(void)
{
   enum { W = 600, H = 40, BYTES = W / 8 * H };

   glBindTexture(GL_TEXTURE_2D, 0);
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   reads = 0;
   for (int i = 0; i < 3; i++) {
      const uint8_t *bits = image + i * BYTES;

      glColor3ub(0, 0, 40);
      glRecti(0, 0, 10 * (i + 1), 10);
      glColor3ub(100 + i, 0, 0);
      glRasterPos2i(8 * i, 5 * i);
      glBitmap(W, H, 0, 0, 0, 0, bits);
   }
   glRasterPos2i(0, 50);
   glDrawPixels(W, 10, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glFinish();
   CHECK(reads == 0, "%d reads", reads);

   glReadPixels(0, 0, WIDTH, 50, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int i = 0; i < WIDTH * 50; i++) {
      const int x = i % WIDTH, y = i / WIDTH;
      int red = 0;
      for (int b = 0; b < 3; b++) {
         const int u = x - 8 * b, v = y - 5 * b;
         if (u >= 0 && u < W && v >= 0 && v < H &&
             (image[b * BYTES + v * (W / 8) + u / 8] >> (7 - u % 8) & 1))
            red = 100 + b;
         if (b < 2 && x < 10 * (b + 2) && y < 10)
            red = 0; /* part of the next rectangle */
      }
      CHECK(back[i * 4] == red, "pixel %d, %d: %u for %d", x, y, back[i * 4], red);
   }
}

int
main(void)
{
   REQUIRE(test_pbuffer(WIDTH, HEIGHT));

   glEnable(GL_DEBUG_OUTPUT);
   glDebugMessageCallback(note, NULL);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (unsigned i = 0; i < sizeof image; i++)
      image[i] = 1 + rand() % 255;

   /* Floats with these bit patterns must be read back unchanged, even if they are NaN. */
   test_zero();
   for (enum way way = 0; way < WAYS; way++) {
      reads = 0;
      test_written(way);
      glFinish();
      CHECK(reads > 0, "way %d: no read", way);
   }
   test_bitmaps();
   CHECK(glGetError() == GL_NO_ERROR, "GL error");

   eglTerminate(eglGetCurrentDisplay());
   return fails != 0;
}
