/* SPDX-License-Identifier: MIT */
/*
 * Tests pixel transfer: scale, bias and maps of colours, scale and bias of depths, shift, offset
 * and maps of indices, and the layout of an image in memory.  Covers each path of an image into and
 * out of OpenGL except for glGetTexImage, which applies no transfer.  Expected values follow the
 * specification (OpenGL 4.6 compatibility profile, sections 8.4 and 18.2).  Tests both the pbuffer
 * and a framebuffer object, whose rows have opposite orders.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 256
#define ROWS 4

enum way {
   DRAW,
   COPY,
   READ,
   TEX_IMAGE,
   TEX_SUB_IMAGE,
   COPY_TEX_IMAGE,
   COPY_TEX_SUB_IMAGE,
   GET_TEX_IMAGE,
   WAYS
};

static const char *const way_names[] = { "DrawPixels",      "CopyPixels",  "ReadPixels",
                                         "TexImage",        "TexSubImage", "CopyTexImage",
                                         "CopyTexSubImage", "GetTexImage" };

static const GLenum map_names[4] = { GL_PIXEL_MAP_R_TO_R, GL_PIXEL_MAP_G_TO_G, GL_PIXEL_MAP_B_TO_B,
                                     GL_PIXEL_MAP_A_TO_A };

/* Transfer state while `transfer` is on. */
static struct {
   float scale[4], bias[4];
   int sizes[4]; /* number of entries of each map; 0: no map */
   float maps[4][256];
   float depth_scale, depth_bias;
   int shift, offset;
   int stencil_map; /* number of entries; 0: no map */
   float stencil_entries[256];
} t;

static const char *where;

static void
reset(void)
{
   memset(&t, 0, sizeof t);
   for (int c = 0; c < 4; c++)
      t.scale[c] = 1;
   t.depth_scale = 1;
}

static void
transfer(bool on)
{
   static const GLenum scales[4] = { GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE };
   static const GLenum biases[4] = { GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS };

   for (int c = 0; c < 4; c++) {
      glPixelTransferf(scales[c], on ? t.scale[c] : 1);
      glPixelTransferf(biases[c], on ? t.bias[c] : 0);
      if (t.sizes[c])
         glPixelMapfv(map_names[c], t.sizes[c], t.maps[c]);
   }
   glPixelTransferi(GL_MAP_COLOR, on && t.sizes[0]);
   glPixelTransferf(GL_DEPTH_SCALE, on ? t.depth_scale : 1);
   glPixelTransferf(GL_DEPTH_BIAS, on ? t.depth_bias : 0);
   glPixelTransferi(GL_INDEX_SHIFT, on ? t.shift : 0);
   glPixelTransferi(GL_INDEX_OFFSET, on ? t.offset : 0);
   if (t.stencil_map)
      glPixelMapfv(GL_PIXEL_MAP_S_TO_S, t.stencil_map, t.stencil_entries);
   glPixelTransferi(GL_MAP_STENCIL, on && t.stencil_map);
}

static float
clamp(float x)
{
   return x < 0 ? 0 : x > 1 ? 1 : x;
}

static float
color_after(int c, float value)
{
   value = value * t.scale[c] + t.bias[c];
   if (t.sizes[0])
      value = t.maps[c][(int)lrintf(clamp(value) * (t.sizes[c] - 1))];
   return clamp(value);
}

static unsigned
index_after(unsigned value)
{
   value = (t.shift > 31 || t.shift < -31 ? 0
            : t.shift >= 0                ? value << t.shift
                                          : value >> -t.shift) +
           t.offset;
   if (t.stencil_map)
      value = (unsigned)t.stencil_entries[value & (t.stencil_map - 1)];
   return value & 0xff;
}

/* Sends an image of `format` and `type`, SIZE pixels wide, through the framebuffer or a texture.
 * Returns the pixels of its first row in `back`.
 */
static void
run(enum way way, GLenum internal, GLenum format, GLenum type, const void *image, void *back)
{
   const bool depth = format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL;
   const bool stencil = format == GL_STENCIL_INDEX || format == GL_DEPTH_STENCIL;
   const GLenum what = depth     ? stencil ? GL_DEPTH_STENCIL : GL_DEPTH
                       : stencil ? GL_STENCIL
                                 : GL_COLOR;
   GLuint texture = 0;

   glClearDepth(0.125);
   glClearStencil(0x11);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   if (depth) {
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_ALWAYS);
   }
   if (way >= TEX_IMAGE) {
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      if (way == TEX_SUB_IMAGE || way == COPY_TEX_SUB_IMAGE)
         glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, 1, 0, format, type, NULL);
   }
   glWindowPos2i(0, 0);
   switch (way) {
   case DRAW:
      transfer(true);
      glDrawPixels(SIZE, 1, format, type, image);
      transfer(false);
      glReadPixels(0, 0, SIZE, 1, format, type, back);
      break;
   case COPY:
      glDrawPixels(SIZE, 1, format, type, image);
      transfer(true);
      glWindowPos2i(0, 2);
      glCopyPixels(0, 0, SIZE, 1, what);
      transfer(false);
      glReadPixels(0, 2, SIZE, 1, format, type, back);
      break;
   case READ:
      glDrawPixels(SIZE, 1, format, type, image);
      transfer(true);
      glReadPixels(0, 0, SIZE, 1, format, type, back);
      transfer(false);
      break;
   case TEX_IMAGE:
   case TEX_SUB_IMAGE:
      transfer(true);
      if (way == TEX_IMAGE)
         glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, 1, 0, format, type, image);
      else
         glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, 1, format, type, image);
      transfer(false);
      glGetTexImage(GL_TEXTURE_2D, 0, format, type, back);
      break;
   case COPY_TEX_IMAGE:
   case COPY_TEX_SUB_IMAGE:
      glDrawPixels(SIZE, 1, format, type, image);
      transfer(true);
      if (way == COPY_TEX_IMAGE)
         glCopyTexImage2D(GL_TEXTURE_2D, 0, internal, 0, 0, SIZE, 1, 0);
      else
         glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, 1);
      transfer(false);
      glGetTexImage(GL_TEXTURE_2D, 0, format, type, back);
      break;
   default:
      glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, 1, 0, format, type, image);
      transfer(true);
      glGetTexImage(GL_TEXTURE_2D, 0, format, type, back);
      transfer(false);
      break;
   }
   glDisable(GL_DEPTH_TEST);
   glBindTexture(GL_TEXTURE_2D, 0);
   glDeleteTextures(1, &texture);
}

static void
test_colors(const char *what)
{
   uint8_t image[SIZE][4], back[SIZE][4];

   for (int i = 0; i < SIZE; i++) {
      for (int c = 0; c < 4; c++)
         image[i][c] = c & 1 ? 255 - i : i;
   }
   for (enum way way = 0; way < WAYS; way++) {
      memset(back, 0x5a, sizeof back);
      run(way, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, image, back);
      for (int c = 0; c < 4; c++) {
         for (int i = 0; i < SIZE; i++) {
            const float exact = way == GET_TEX_IMAGE ? image[i][c]
                                                     : color_after(c, image[i][c] / 255.0f) * 255;
            CHECK(fabsf(back[i][c] - exact) < 1, "%s, %s, %s: component %d of %d: %u, not %f",
                  where, what, way_names[way], c, image[i][c], back[i][c], exact);
         }
      }
   }
}

/* Tests floats, whose map indices are rounded. */
static void
test_float_colors(void)
{
   float image[SIZE][4], back[SIZE][4];
   GLuint texture, fbo;
   GLint old;

   glGetIntegerv(GL_FRAMEBUFFER_BINDING, &old);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SIZE, ROWS, 0, GL_RGBA, GL_FLOAT, NULL);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   for (int i = 0; i < SIZE; i++) {
      for (int c = 0; c < 4; c++)
         image[i][c] = (i + 0.37f + 0.1f * c) / 250 - 0.01f;
   }
   for (enum way way = DRAW; way <= READ; way++) {
      run(way, GL_RGBA32F, GL_RGBA, GL_FLOAT, image, back);
      for (int c = 0; c < 4; c++) {
         for (int i = 0; i < SIZE; i++) {
            const float exact = color_after(c, image[i][c]);
            CHECK(fabsf(back[i][c] - exact) < 1e-6f,
                  "floats, %s, maps of %d %d %d %d: component %d of %f: %f, not %f", way_names[way],
                  t.sizes[0], t.sizes[1], t.sizes[2], t.sizes[3], c, image[i][c], back[i][c],
                  exact);
         }
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, old);
   glDeleteFramebuffers(1, &fbo);
   glDeleteTextures(1, &texture);
}

static void
set_maps(int r, int g, int b, int a)
{
   const int sizes[4] = { r, g, b, a };

   reset();
   for (int c = 0; c < 4; c++) {
      t.sizes[c] = sizes[c];
      for (int i = 0; i < sizes[c]; i++)
         t.maps[c][i] = c == 0   ? 1 - i / 255.0f
                        : c == 1 ? (i * 37 % 256) / 255.0f
                        : c == 2 ? (i / 255.0f) * (i / 255.0f)
                                 : i % 3 / 2.0f;
   }
}

static void
test_color_transfer(void)
{
   reset();
   test_colors("as is");
   for (int c = 0; c < 4; c++) {
      t.scale[c] = 0.5f + c * 0.5f;
      t.bias[c] = c * 0.125f - 0.25f;
   }
   test_colors("scale and bias");
   set_maps(256, 256, 256, 256);
   test_colors("maps");
   t.scale[0] = 2;
   t.bias[2] = -0.25f;
   test_colors("maps after scale and bias");
   set_maps(2, 4, 16, 256);
   test_colors("small maps");
   test_float_colors();
   set_maps(256, 1, 100, 3);
   test_float_colors();
}

static void
test_depth(const char *what, GLenum type)
{
   static const enum way ways[] = {
      DRAW, COPY, READ, TEX_IMAGE, TEX_SUB_IMAGE, COPY_TEX_IMAGE, COPY_TEX_SUB_IMAGE, GET_TEX_IMAGE
   };
   float image[SIZE], back[SIZE];
   uint32_t words[SIZE], words_back[SIZE];
   const bool is_float = type == GL_FLOAT;

   for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++) {
      for (int i = 0; i < SIZE; i++) {
         image[i] = i / 255.0f;
         words[i] = i * 0x01010101u;
      }
      run(ways[w], GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, type, is_float ? (void *)image : words,
          is_float ? (void *)back : words_back);
      for (int i = 0; i < SIZE; i++) {
         const double exact = ways[w] == GET_TEX_IMAGE
                                 ? image[i]
                                 : clamp(image[i] * t.depth_scale + t.depth_bias);
         const double found = is_float ? back[i] : words_back[i] / 4294967295.0;
         CHECK(fabs(found - exact) < 3e-7, "%s, %s, %s: depth of %f: %f, not %f", where, what,
               way_names[ways[w]], image[i], found, exact);
      }
   }
}

static void
test_depth_transfer(void)
{
   reset();
   test_depth("as is", GL_FLOAT);
   t.depth_scale = 0.5f;
   t.depth_bias = 0.25f;
   test_depth("scale and bias", GL_FLOAT);
   test_depth("scale and bias of integers", GL_UNSIGNED_INT);
   t.depth_scale = -2;
   t.depth_bias = 1.5f;
   /* the same image again */
   test_depth("clamped", GL_FLOAT);
   test_depth("clamped integers", GL_UNSIGNED_INT);
}

static void
test_stencil(const char *what)
{
   uint8_t image[SIZE], back[SIZE];
   uint32_t packed[SIZE], packed_back[SIZE];
   static const enum way ways[] = { DRAW, COPY, READ, TEX_IMAGE, TEX_SUB_IMAGE, GET_TEX_IMAGE };

   for (int i = 0; i < SIZE; i++) {
      image[i] = i;
      packed[i] = (uint32_t)i << 16 | (SIZE - 1 - i);
   }
   for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++) {
      run(ways[w], GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, image, back);
      const bool same = ways[w] == GET_TEX_IMAGE;
      for (int i = 0; i < SIZE; i++) {
         const unsigned index = same ? i : index_after(i);
         CHECK(back[i] == index, "%s, %s, %s: stencil of %d: %u, not %u", where, what,
               way_names[ways[w]], i, back[i], index);
      }
      run(ways[w], GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed,
          packed_back);
      for (int i = 0; i < SIZE; i++) {
         const unsigned index = same ? SIZE - 1 - i : index_after(SIZE - 1 - i);
         const double z = (i << 8) / 16777215.0;
         const double depth = same ? z : clamp(z * t.depth_scale + t.depth_bias);
         CHECK((packed_back[i] & 0xff) == index, "%s, %s, %s: packed stencil %d: %u, not %u", where,
               what, way_names[ways[w]], i, packed_back[i] & 0xff, index);
         CHECK(fabs((packed_back[i] >> 8) / 16777215.0 - depth) < 3e-7,
               "%s, %s, %s: packed depth %d: %f, not %f", where, what, way_names[ways[w]], i,
               (packed_back[i] >> 8) / 16777215.0, depth);
      }
   }
}

static void
test_stencil_transfer(void)
{
   reset();
   test_stencil("as is");
   t.shift = 2;
   t.offset = 7;
   test_stencil("shift and offset");
   t.shift = -3;
   t.offset = -1;
   test_stencil("shift down");
   t.shift = 0;
   t.offset = 0;
   t.depth_scale = 0.5f;
   t.depth_bias = 0.125f;
   test_stencil("depth alone");
   t.offset = 3;
   t.stencil_map = 64;
   for (int i = 0; i < 64; i++)
      t.stencil_entries[i] = i * 5 % 256;
   test_stencil("a map");
   reset();
   t.shift = 40;
   t.offset = 9;
   test_stencil("all bits out");
}

/* Tests colour indices, which separate maps convert to colours.  The maps may change. */
static void
test_color_index(void)
{
   static const GLenum names[4] = { GL_PIXEL_MAP_I_TO_R, GL_PIXEL_MAP_I_TO_G, GL_PIXEL_MAP_I_TO_B,
                                    GL_PIXEL_MAP_I_TO_A };
   uint8_t image[3][20], back[3 * 16 * 4];
   float map[4][16];

   reset();
   for (int turn = 0; turn < 3; turn++) {
      t.shift = turn;
      t.offset = 3 * turn;
      for (int c = 0; c < 4; c++) {
         for (int i = 0; i < 16; i++)
            map[c][i] = (i * (c + 1) + turn) % 16 / 15.0f;
         glPixelMapfv(names[c], 16, map[c]);
      }
      /* rows with other bytes between them */
      for (int i = 0; i < 60; i++)
         image[i / 20][i % 20] = i * 7;
      glPixelStorei(GL_UNPACK_ROW_LENGTH, 20);
      glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2);
      glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
      for (int tex = 0; tex < 2; tex++) {
         transfer(true);
         if (tex) {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 2, 0, GL_COLOR_INDEX, GL_UNSIGNED_BYTE,
                         image);
         } else {
            glWindowPos2i(0, 0);
            glDrawPixels(16, 2, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, image);
         }
         transfer(false);
         if (tex)
            glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
         else
            glReadPixels(0, 0, 16, 2, GL_RGBA, GL_UNSIGNED_BYTE, back);
         for (int i = 0; i < 32; i++) {
            const unsigned index = index_after(image[1 + i / 16][2 + i % 16]) & 15;
            for (int c = 0; c < 4; c++)
               CHECK(fabsf(back[i * 4 + c] - map[c][index] * 255) < 1,
                     "%s: index %u, component %d, turn %d, texture %d: %u", where, index, c, turn,
                     tex, back[i * 4 + c]);
         }
      }
      glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
      glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
      glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
   }
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, ROWS));
   for (int object = 0; object < 2; object++) {
      where = object ? "framebuffer object" : "pbuffer";
      if (object) {
         new_framebuffer();
         attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, ROWS);
         attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0, SIZE, ROWS);
      }
      test_color_transfer();
      test_depth_transfer();
      test_stencil_transfer();
      test_color_index();
   }
   CHECK(glGetError() == GL_NO_ERROR, "error");
   if (fails)
      fprintf(stderr, "%u failures\n", fails);
   return fails != 0;
}
