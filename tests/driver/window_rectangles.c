/* SPDX-License-Identifier: MIT */
/*
 * Tests EXT_window_rectangles: draws, clears, blits and pixels in framebuffer objects change the
 * pixels that the rectangles keep, as they do without rectangles, and leave the others as they were.
 * Windows, textures and reads are not affected.
 */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"
#include "random.h"

#define SIZE 150
#define RECTANGLES 8

struct picture {
   uint8_t color[SIZE][SIZE][4];
   GLuint depth_stencil[SIZE][SIZE];
};

static PFNGLWINDOWRECTANGLESEXTPROC window_rectangles;
static struct picture before, without, with;
static GLuint target, source, sampled; /* framebuffers; `sampled` has 4 samples */
static uint8_t pixels[SIZE][SIZE][4];

static GLuint
framebuffer(int samples)
{
   const GLuint name = new_framebuffer();

   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples, SIZE, SIZE);
   attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, samples, SIZE, SIZE);
   return name;
}

static void
read_picture(struct picture *p)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, p->color);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, p->depth_stencil);
}

/* Fills the bound framebuffer with triangles of many colours and depths. */
static void
fill(unsigned count, float size)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < count; i++) {
      const float x = below(SIZE), y = below(SIZE);
      glColor4ub(below(256), below(256), below(256), below(256));
      for (unsigned v = 0; v < 3; v++)
         glVertex3f(x + (below(1024) / 512.0f - 1) * size, y + (below(1024) / 512.0f - 1) * size,
                    below(1024) / 1024.0f);
   }
   glEnd();
}

static void
draw_triangles(void)
{
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_STENCIL_TEST);
   glStencilOp(GL_KEEP, GL_INCR, GL_INVERT);
   fill(8, 200);
   fill(300, 6);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
}

static void
draw_lines(void)
{
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glLineWidth(3);
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(2, 0xf3a5);
   fill(20, 90);
   glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
   glPointSize(9);
   fill(20, 90);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glDisable(GL_LINE_STIPPLE);
   glDisable(GL_BLEND);
}

static void
clear(void)
{
   glClearColor(0.25f, 0.5f, 0.75f, 1);
   glClearDepth(0.375);
   glClearStencil(0x5a);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void
clear_part(void)
{
   static const GLfloat color[4] = { 0.5f, 0.125f, 1, 0 };

   glEnable(GL_SCISSOR_TEST);
   glScissor(11, 7, 101, 99);
   glColorMask(1, 0, 1, 1);
   glClearBufferfv(GL_COLOR, 0, color);
   glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.625f, 0x33);
   glColorMask(1, 1, 1, 1);
   glDisable(GL_SCISSOR_TEST);
}

static void
blit_of(GLuint from, GLbitfield mask, GLenum filter, int x0, int y0, int x1, int y1)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBlitFramebuffer(3, 5, SIZE - 9, SIZE - 2, x0, y0, x1, y1, mask, filter);
}

static void
blit(void)
{
   blit_of(source, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST, 3,
           5, SIZE - 9, SIZE - 2);
}

static void
blit_scaled(void)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(20, 9, 77, 120);
   blit_of(source, GL_COLOR_BUFFER_BIT, GL_LINEAR, 131, -20, 10, 170);
   glDisable(GL_SCISSOR_TEST);
   blit_of(source, GL_DEPTH_BUFFER_BIT, GL_NEAREST, 140, 130, -30, 20);
}

static void
resolve(void)
{
   blit_of(sampled, GL_COLOR_BUFFER_BIT, GL_NEAREST, 3, 5, SIZE - 9, SIZE - 2);
}

static void
draw_pixels(void)
{
   glWindowPos2i(5, 7);
   glPixelZoom(0.75f, 0.5f);
   glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glPixelZoom(1, 1);
   glWindowPos2i(40, 60);
   glBitmap(90, 70, 0, 0, 0, 0, (const GLubyte *)pixels);
}

static void
copy_pixels(void)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
   glWindowPos2i(9, 4);
   glCopyPixels(0, 0, 130, 140, GL_COLOR);
   glCopyPixels(20, 20, 100, 100, GL_DEPTH);
}

static const struct operation {
   const char *name;
   void (*run)(void);
} operations[] = {
   { "triangles", draw_triangles },
   { "lines and points", draw_lines },
   { "clear", clear },
   { "clear of a part", clear_part },
   { "blit", blit },
   { "scaled blit", blit_scaled },
   { "resolve", resolve },
   { "pixels", draw_pixels },
   { "copied pixels", copy_pixels },
};

static bool
is_inside(const GLint (*r)[4], unsigned count, int x, int y)
{
   bool inside = false;

   for (unsigned i = 0; i < count; i++)
      inside |= x >= r[i][0] && (int64_t)x < (int64_t)r[i][0] + r[i][2] && y >= r[i][1] &&
                (int64_t)y < (int64_t)r[i][1] + r[i][3];
   return inside;
}

static void
compare(const struct operation *op, bool inclusive, const GLint (*r)[4], unsigned count, bool flip)
{
   unsigned different = 0;

   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const int row = flip ? SIZE - 1 - y : y;
         const bool kept = is_inside(r, count, x, row) == inclusive;
         const struct picture *p = kept ? &without : &before;
         different += memcmp(p->color[y][x], with.color[y][x], 4) != 0 ||
                      p->depth_stencil[y][x] != with.depth_stencil[y][x];
      }
   }
   CHECK(!different, "%s, %u rectangles, %s: %u pixels", op->name, count,
         inclusive ? "inclusive" : "exclusive", different);
}

/* Runs an operation twice from the same picture.  Random numbers of both runs are the same. */
static void
test(const struct operation *op, bool inclusive, const GLint (*r)[4], unsigned count)
{
   static struct picture untouched;

   for (unsigned run = 0; run < 2; run++) {
      /* Restore the picture, and the state of below(), by drawing all that came before again. */
      glBindFramebuffer(GL_FRAMEBUFFER, target);
      window_rectangles(GL_EXCLUSIVE_EXT, 0, NULL);
      clear();
      glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      read_picture(run ? &untouched : &before);
      random_restart();
      if (run)
         window_rectangles(inclusive ? GL_INCLUSIVE_EXT : GL_EXCLUSIVE_EXT, count, r[0]);
      op->run();
      read_picture(run ? &with : &without);
      window_rectangles(GL_EXCLUSIVE_EXT, 0, NULL);
   }
   CHECK(!memcmp(&before, &untouched, sizeof(before)), "the pictures begin differently");
   CHECK(memcmp(&before, &without, sizeof(before)), "%s changes nothing", op->name);
   compare(op, inclusive, r, count, false);
}

static void
random_rectangles(GLint (*r)[4], unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      r[i][0] = (int)below(SIZE + 20) - 20;
      r[i][1] = (int)below(SIZE + 20) - 20;
      r[i][2] = below(8) ? (int)below(90) : INT32_MAX;
      r[i][3] = below(8) ? (int)below(90) : 100000;
   }
}

/* A framebuffer whose rows are from top to bottom (MESA_framebuffer_flip_y). */
static void
flipped(void)
{
   static const GLint r[2][4] = { { 10, 20, 50, 30 }, { 40, 90, 100, 1000 } };

   for (unsigned i = 0; i < 5; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, target);
      clear();
      read_picture(&before);
      glFramebufferParameteri(GL_DRAW_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
      for (unsigned run = 0; run < 2; run++) {
         random_restart();
         window_rectangles(GL_INCLUSIVE_EXT, run ? 2 : 0, r[0]);
         if (!run)
            window_rectangles(GL_EXCLUSIVE_EXT, 0, NULL);
         operations[i].run();
         window_rectangles(GL_EXCLUSIVE_EXT, 0, NULL);
         glFramebufferParameteri(GL_DRAW_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_FALSE);
         read_picture(run ? &with : &without);
         if (!run) {
            clear();
            glFramebufferParameteri(GL_DRAW_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
         }
      }
      compare(&operations[i], true, r, 2, true);
   }
}

/* Textures, their mipmaps, and reads to buffers are whole while rectangles keep nothing. */
static void
others(void)
{
   static uint8_t got[SIZE][SIZE][4];
   GLuint texture, buffer;

   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glClearColor(0.5f, 0.5f, 0.5f, 0.5f);
   glClear(GL_COLOR_BUFFER_BIT);
   window_rectangles(GL_INCLUSIVE_EXT, 0, NULL);
   glRectf(0, 0, SIZE, SIZE);

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
   glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof(pixels), pixels, GL_STATIC_DRAW);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGenerateMipmap(GL_TEXTURE_2D);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
   CHECK(!memcmp(got, pixels, sizeof(got)), "texture from a buffer");

   /* Mesa blits a compressed texture. */
   memset(got, 0xff, sizeof(got));
   glTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, SIZE, SIZE, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, got);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   memset(got, 0, sizeof(got));
   glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof(got), got);
   CHECK(got[77][50][0] == 0xff && got[9][140][2] == 0xff, "texture to a buffer: %x, %x",
         got[77][50][0], got[9][140][2]);
   glReadPixels(0, 0, SIZE, SIZE, GL_BGRA, GL_UNSIGNED_BYTE, NULL);
   glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof(got), got);
   CHECK(got[77][50][0] == 0x80 && got[149][149][3] == 0x80, "pixels to a buffer: %x, %x",
         got[77][50][0], got[149][149][3]);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);

   /* The draw of the framebuffer is still without a pixel; the window has all. */
   glRectf(0, 0, SIZE, SIZE);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
   CHECK(got[3][4][0] == 0x80, "framebuffer: %x", got[3][4][0]);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glColor4f(1, 1, 1, 1);
   glRectf(0, 0, SIZE, SIZE);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
   CHECK(got[3][4][0] == 255 && got[149][149][1] == 255, "window: %x", got[3][4][0]);
   window_rectangles(GL_EXCLUSIVE_EXT, 0, NULL);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
}

int
main(void)
{
   GLint most = 0;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   REQUIRE(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_window_rectangles"));
   window_rectangles = (PFNGLWINDOWRECTANGLESEXTPROC)eglGetProcAddress("glWindowRectanglesEXT");
   glGetIntegerv(GL_MAX_WINDOW_RECTANGLES_EXT, &most);
   CHECK(most == RECTANGLES, "%d rectangles", most);
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, SIZE, 0, SIZE, 0, -1);
   for (unsigned i = 0; i < sizeof(pixels); i++)
      (&pixels[0][0][0])[i] = below(256);

   target = framebuffer(0);
   source = framebuffer(0);
   clear();
   draw_triangles();
   sampled = framebuffer(4);
   clear();
   fill(200, 30);

   for (unsigned round = 0; round < 10; round++) {
      const unsigned count = round < 8 ? round + 1 : round == 8 ? 0 : 1;
      for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
         GLint r[RECTANGLES][4] = { { 64, 64, 64, 64 } };
         random_restart();
         for (unsigned skip = 0; skip < 10 * round; skip++)
            below(2);
         if (round < 9)
            random_rectangles(r, count);
         test(&operations[i], false, r, count);
         test(&operations[i], true, r, count);
      }
   }
   flipped();
   others();
   return test_end();
}
