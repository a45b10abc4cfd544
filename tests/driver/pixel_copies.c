/* SPDX-License-Identifier: MIT */
/*
 * Tests images that become fragments by glDrawPixels and glCopyPixels.  Masks, tests, textures and
 * the zoom apply to them.  State that is stored with the raster position does not change with the
 * current colour.  Also tests images in memory with row lengths, skips, alignment and byte order,
 * and images that are larger than a texture can be.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64
#define RED 0xff0000ffu
#define GREEN 0xff00ff00u
#define BLUE 0xffff0000u

static const char *where;

static uint32_t
pixel_at(int x, int y)
{
   uint32_t rgba;
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &rgba);
   return rgba;
}

static float
depth_at(int x, int y)
{
   float z;
   glReadPixels(x, y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
   return z;
}

static unsigned
stencil_at(int x, int y)
{
   uint8_t s;
   glReadPixels(x, y, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s);
   return s;
}

/* Fills the framebuffer.  The lower left quarter is the source: green, depth 0.25, stencil 0x5a.
 * The rest is blue, depth 0.75, stencil 0x11.  The raster position is in the upper right quarter.
 */
static void
prepare(void)
{
   glPushAttrib(GL_ALL_ATTRIB_BITS);
   glClearColor(0, 0, 1, 1);
   glClearDepth(0.75);
   glClearStencil(0x11);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, SIZE / 2, SIZE / 2);
   glClearColor(0, 1, 0, 1);
   glClearDepth(0.25);
   glClearStencil(0x5a);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glDepthFunc(GL_ALWAYS);
   glColor4f(1, 0, 0, 1);
   glWindowPos3f(SIZE / 2, SIZE / 2, 0.5f);
   glColor4f(1, 1, 1, 1);
}

static void
expect(const char *what, GLenum type, uint32_t color, float depth, unsigned stencil)
{
   const int x = SIZE * 3 / 4, y = SIZE * 3 / 4;

   glCopyPixels(0, 0, SIZE / 2, SIZE / 2, type);
   CHECK(pixel_at(x, y) == color, "%s, %s: colour %08x, not %08x", where, what, pixel_at(x, y),
         color);
   CHECK(fabsf(depth_at(x, y) - depth) < 1e-6f, "%s, %s: depth %f, not %f", where, what,
         depth_at(x, y), depth);
   CHECK(stencil_at(x, y) == stencil, "%s, %s: stencil %x, not %x", where, what, stencil_at(x, y),
         stencil);
   glPopAttrib();
}

static void
test_copied_colors(void)
{
   prepare();
   expect("colours", GL_COLOR, GREEN, 0.75f, 0x11);
   prepare();
   glColorMask(1, 0, 1, 1);
   expect("colour mask", GL_COLOR, 0xff000000u, 0.75f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   expect("colours with depth", GL_COLOR, GREEN, 0.5f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_GREATER);
   expect("colours behind", GL_COLOR, BLUE, 0.75f, 0x11);
   prepare();
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_EQUAL, 0x10, 0xff);
   expect("stencil test", GL_COLOR, BLUE, 0.75f, 0x11);
   prepare();
   glEnable(GL_STENCIL_TEST);
   glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
   expect("stencil operation", GL_COLOR, GREEN, 0.75f, 0x12);
   prepare();
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   expect("blending", GL_COLOR, 0xffffff00u, 0.75f, 0x11);
   prepare();
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, SIZE / 2, SIZE);
   expect("scissor", GL_COLOR, BLUE, 0.75f, 0x11);

   /* black for any texture coordinates of the raster position */
   static const uint32_t black = 0xff000000u;
   GLuint texture;
   prepare();
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &black);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glEnable(GL_TEXTURE_2D);
   expect("texture", GL_COLOR, black, 0.75f, 0x11);
   glDeleteTextures(1, &texture);
}

static void
test_copied_depths(void)
{
   /* Copies of depths produce fragments with the colour of the raster position. */
   prepare();
   expect("depths without a test", GL_DEPTH, RED, 0.75f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   expect("depths", GL_DEPTH, RED, 0.25f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   glColorMask(0, 0, 0, 0);
   expect("depths alone", GL_DEPTH, BLUE, 0.25f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_GREATER);
   glColorMask(0, 0, 0, 0);
   expect("depths that fail", GL_DEPTH, BLUE, 0.75f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   glDepthMask(0);
   glColorMask(0, 0, 0, 0);
   expect("depth mask", GL_DEPTH, BLUE, 0.75f, 0x11);
   prepare();
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_STENCIL_TEST);
   glStencilOp(GL_KEEP, GL_KEEP, GL_ZERO);
   glColorMask(0, 0, 0, 0);
   expect("depths with stencil", GL_DEPTH, BLUE, 0.25f, 0);
}

static void
test_copied_stencil(void)
{
   prepare();
   expect("stencil", GL_STENCIL, BLUE, 0.75f, 0x5a);
   prepare();
   glStencilMask(0x0f);
   expect("stencil mask", GL_STENCIL, BLUE, 0.75f, 0x1a);
   prepare();
   expect("depth and stencil", GL_DEPTH_STENCIL, BLUE, 0.25f, 0x5a);
   prepare();
   glStencilMask(0x0f);
   expect("depth and stencil, stencil mask", GL_DEPTH_STENCIL, BLUE, 0.25f, 0x1a);
   prepare();
   glDepthMask(0);
   expect("depth and stencil, depth mask", GL_DEPTH_STENCIL, BLUE, 0.75f, 0x5a);
}

/* Tests the zoom: a fragment gets the pixel of the image in whose rectangle its centre lies (OpenGL
 * 4.6 compatibility profile, section 18.1.1).
 */
static void
test_zoom(void)
{
   static const float zooms[][2] = { { 2, 2 },  { 1.5f, 2.5f }, { 1, 1.3f },    { -1, 1 },
                                     { 1, -1 }, { -2, -1.5f },  { 0.5f, 0.75f } };
   uint32_t image[5][7], back[SIZE][SIZE];

   for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 7; x++)
         image[y][x] = 0xff000080u | x << 8 | y << 16;
   }
   for (unsigned i = 0; i < sizeof zooms / sizeof zooms[0]; i++) {
      for (int copy = 0; copy < 2; copy++) {
         glClearColor(0, 0, 1, 1);
         glClear(GL_COLOR_BUFFER_BIT);
         if (copy) {
            glWindowPos2i(0, 0);
            glDrawPixels(7, 5, GL_RGBA, GL_UNSIGNED_BYTE, image);
         }
         glWindowPos2i(30, 31);
         glPixelZoom(zooms[i][0], zooms[i][1]);
         if (copy)
            glCopyPixels(0, 0, 7, 5, GL_COLOR);
         else
            glDrawPixels(7, 5, GL_RGBA, GL_UNSIGNED_BYTE, image);
         glPixelZoom(1, 1);
         glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
         for (int y = 8; y < SIZE; y++) {
            for (int x = 8; x < SIZE; x++) {
               const float n = (x + 0.5f - 30) / zooms[i][0], m = (y + 0.5f - 31) / zooms[i][1];
               const bool inside = n > 0 && n < 7 && m > 0 && m < 5;
               const uint32_t expected = inside ? image[(int)m][(int)n] : BLUE;
               /* the centre lies on the edge between two pixels */
               if (fabsf(n - roundf(n)) < 1e-3f || fabsf(m - roundf(m)) < 1e-3f)
                  continue;
               CHECK(back[y][x] == expected, "%s, zoom %f %f, copy %d: %d %d: %08x, not %08x",
                     where, zooms[i][0], zooms[i][1], copy, x, y, back[y][x], expected);
            }
         }
      }
   }
}

/* Tests that the same bytes with another row length, or other words at the same address, are drawn
 * as a different image.
 */
static void
test_drawn_again(void)
{
   static uint8_t bytes[64];
   static uint16_t words[4][4];
   uint8_t back[4 * 5 * 4];

   for (int i = 0; i < 64; i++)
      bytes[i] = i * 3;
   for (int turn = 0; turn < 4; turn++) {
      const int alignment = turn & 1 ? 1 : 4, stride = turn & 1 ? 15 : 16;
      glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
      glWindowPos2i(0, 0);
      glDrawPixels(5, 4, GL_RGB, GL_UNSIGNED_BYTE, bytes);
      glReadPixels(0, 0, 5, 4, GL_RGBA, GL_UNSIGNED_BYTE, back);
      for (int i = 0; i < 20 * 3; i++) {
         const int y = i / 15, x = i % 15;
         CHECK(back[(y * 5 + x / 3) * 4 + x % 3] == bytes[y * stride + x],
               "%s, alignment %d: byte %d", where, alignment, i);
      }
   }
   glPixelStorei(GL_UNPACK_ALIGNMENT, 4);

   for (int i = 0; i < 16; i++)
      words[i / 4][i % 4] = i << 8 | (0xff - i * 8);
   for (int turn = 0; turn < 4; turn++) {
      glPixelStorei(GL_UNPACK_SWAP_BYTES, turn & 1);
      glWindowPos2i(0, 0);
      glDrawPixels(4, 1, GL_RGBA, GL_UNSIGNED_SHORT, words);
      glReadPixels(0, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, back);
      for (int i = 0; i < 16; i++) {
         const uint16_t word = words[i / 4][i % 4];
         const float exact = (uint16_t)(turn & 1 ? word << 8 | word >> 8 : word) / 257.0f;
         CHECK(fabsf(back[i] - exact) < 1, "%s, swapped %d: %u, not %f", where, turn & 1, back[i],
               exact);
      }
   }
   glPixelStorei(GL_UNPACK_SWAP_BYTES, 0);
}

/* Tests a part of an image of 16-bit words that is converted, with each combination of a pixel
 * transfer and swapped bytes.
 */
static void
test_parts(void)
{
   enum { W = 5, H = 4, D = 3, ROW = 9, IMAGE = 7 };
   static uint16_t image[5][IMAGE][ROW][4];
   static uint8_t back[D][H][W][4];

   for (unsigned i = 0; i < sizeof image / 2; i++)
      ((uint16_t *)image)[i] = (i * 7919) & 0xffff;
   glPixelStorei(GL_UNPACK_ROW_LENGTH, ROW);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, IMAGE);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
   glPixelStorei(GL_UNPACK_SKIP_ROWS, 2);
   glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
   for (int how = 0; how < 4; how++) {
      const bool swap = how & 1, bias = how & 2;
      glPixelStorei(GL_UNPACK_SWAP_BYTES, swap);
      glPixelTransferf(GL_RED_BIAS, bias ? 0.25f : 0);
      glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, W, H, D, 0, GL_RGBA, GL_UNSIGNED_SHORT, image);
      glPixelTransferf(GL_RED_BIAS, 0);
      glGetTexImage(GL_TEXTURE_3D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
      for (int i = 0; i < W * H * D * 4; i++) {
         const int c = i & 3, x = i / 4 % W, y = i / 4 / W % H, z = i / 4 / W / H;
         const uint16_t word = image[z + 1][y + 2][x + 3][c];
         float exact = (uint16_t)(swap ? word << 8 | word >> 8 : word) / 257.0f;
         if (bias && c == 0)
            exact = fminf(exact + 63.75f, 255);
         CHECK(fabsf(back[z][y][x][c] - exact) < 1, "swapped %d, bias %d: %d %d %d: %u, not %f",
               swap, bias, x, y, z, back[z][y][x][c], exact);
      }
   }
   glPixelStorei(GL_UNPACK_SWAP_BYTES, 0);
   glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
   glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
   glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
}

/* Tests large images.  Pixel i of the framebuffer shows the middle one of MANY / SIZE pixels of the
 * image.
 */
static void
test_large(void)
{
   enum { MANY = 40000, STEP = MANY / SIZE, BITS = 33000 };
   uint8_t(*image)[4] = malloc(4 * (MANY + 2)), back[SIZE][4], stencil[SIZE];
   uint8_t *bits = calloc(1, BITS / 8 + 1);

   for (int i = 0; i < MANY + 2; i++) {
      const int n = i - 1;
      memcpy(image[i], (uint8_t[]){ n, n >> 8, n >> 16, 255 }, 4);
   }
   for (int tall = 0; tall < 2; tall++) {
      const int width = tall ? 1 : MANY, height = tall ? MANY : 1;
      glPushAttrib(GL_ALL_ATTRIB_BITS);
      glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
      glWindowPos2i(0, 0);
      glPixelZoom(tall ? 1 : 1.0f / STEP, tall ? 1.0f / STEP : 1);
      glPixelStorei(tall ? GL_UNPACK_SKIP_ROWS : GL_UNPACK_SKIP_PIXELS, 1);
      glDrawPixels(width, height, GL_RGBA, GL_UNSIGNED_BYTE, image);
      glReadPixels(0, 0, tall ? 1 : SIZE, tall ? SIZE : 1, GL_RGBA, GL_UNSIGNED_BYTE, back);
      glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
      glDrawPixels(width, height, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, image);
      glPixelStorei(GL_PACK_ALIGNMENT, 1);
      glReadPixels(0, 0, tall ? 1 : SIZE, tall ? SIZE : 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
                   stencil);
      for (int i = 0; i < SIZE; i++) {
         const int n = STEP * i + STEP / 2;
         const int found = back[i][0] | back[i][1] << 8 | back[i][2] << 16;
         /* For an even number, the middle lies between two pixels. */
         CHECK(abs(found - n) <= 1, "tall %d, %d: %d, not %d", tall, i, found, n);
         const uint8_t *byte = (const uint8_t *)image + n + 1;
         CHECK(stencil[i] == byte[0] || stencil[i] == byte[-1], "tall %d, %d: stencil %u", tall, i,
               stencil[i]);
      }
      glPopAttrib();
      glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
      glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
      glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
      glPixelStorei(GL_PACK_ALIGNMENT, 4);
   }

   for (int i = 0; i < BITS; i += 3)
      bits[i / 8] |= 0x80 >> i % 8;
   glClear(GL_COLOR_BUFFER_BIT);
   glColor4f(1, 1, 1, 1);
   glWindowPos2i(0, 0);
   glBitmap(0, 0, 0, 0, SIZE - BITS, 0, NULL);
   glBitmap(BITS, 1, 0, 0, 0, 0, bits);
   glReadPixels(0, 0, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int i = 0; i < SIZE; i++) {
      const int n = BITS - SIZE + i;
      CHECK(back[i][0] == (n % 3 ? 0 : 255), "bit %d: %u", n, back[i][0]);
   }
   free(image);
   free(bits);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   glDisable(GL_DITHER);
   for (int object = 0; object < 2; object++) {
      where = object ? "framebuffer object" : "pbuffer";
      if (object) {
         new_framebuffer();
         attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
         attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0, SIZE, SIZE);
      }
      test_copied_colors();
      test_copied_depths();
      test_copied_stencil();
      test_zoom();
      test_drawn_again();
   }
   test_parts();
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glClearColor(0, 0, 0, 0);
   test_large();
   CHECK(glGetError() == GL_NO_ERROR, "error");
   if (fails)
      fprintf(stderr, "%u failures\n", fails);
   return fails != 0;
}
