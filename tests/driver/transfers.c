/* SPDX-License-Identifier: MIT */
/*
 * Tests operations other than draws: clears, uploads and readbacks in many formats, copies, blits,
 * mipmaps, buffers, queries, fences.  All results are exact.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define WIDTH 150
#define HEIGHT 70
#define BYTES (64 * 64 * 16)

static uint8_t image[BYTES], back[BYTES];

static void
fill_random(unsigned bytes)
{
   for (unsigned i = 0; i < bytes; i++)
      image[i] = rand() >> 7;
}

static void
read_pixel(int x, int y, uint8_t rgba[4])
{
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

static void
clear(float r, float g, float b)
{
   glClearColor(r, g, b, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
}

static void
clear_inside(int x, int y, int width, int height, float r, float g, float b)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(x, y, width, height);
   clear(r, g, b);
   glDisable(GL_SCISSOR_TEST);
}

static void
test_clear(void)
{
   uint8_t pixel[4], stencil;
   float depth;

   clear(1, 0, 0.2f);
   clear_inside(10, 20, 33, 11, 0, 1, 0);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      int x = i % WIDTH, y = i / WIDTH;
      bool inside = x >= 10 && x < 43 && y >= 20 && y < 31;
      CHECK((back[i * 4] == 0) == inside && (back[i * 4 + 1] == 255) == inside, "pixel %d, %d", x,
            y);
   }
   read_pixel(0, 0, pixel);
   CHECK(pixel[0] == 255 && pixel[2] == 51, "%u %u", pixel[0], pixel[2]);

   glClearDepth(0.25);
   glClear(GL_DEPTH_BUFFER_BIT);
   glClearStencil(0x5a);
   glClear(GL_STENCIL_BUFFER_BIT);
   glReadPixels(7, 9, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
   CHECK(stencil == 0x5a, "%x", stencil);
   glReadPixels(5, 5, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
   CHECK(depth > 0.2499f && depth < 0.2501f, "%f", depth);
}

static const struct {
   GLenum internal, format, type;
   unsigned bytes;
} formats[] = {
   { GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
   { GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3 },
   { GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1 },
   { GL_ALPHA8, GL_ALPHA, GL_UNSIGNED_BYTE, 1 },
   { GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2 },
   { GL_INTENSITY8, GL_RED, GL_UNSIGNED_BYTE, 1 },
   { GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8 },
   { GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2 },
   { GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4 },
};

static void
test_formats(void)
{
   for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
      unsigned size = 37 * 19 * formats[i].bytes;

      fill_random(size);
      memset(back, 0, size);
      glTexImage2D(GL_TEXTURE_2D, 0, formats[i].internal, 37, 19, 0, formats[i].format,
                   formats[i].type, image);
      glGetTexImage(GL_TEXTURE_2D, 0, formats[i].format, formats[i].type, back);
      CHECK(!memcmp(image, back, size), "format %x", formats[i].internal);
   }
}

static void
test_sub_image(void)
{
   static uint8_t sub[9 * 5 * 4];

   fill_random(64 * 32 * 4);
   memset(sub, 77, sizeof sub);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 13, 7, 9, 5, GL_RGBA, GL_UNSIGNED_BYTE, sub);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int i = 0; i < 64 * 32 * 4; i++) {
      int x = i / 4 % 64, y = i / 4 / 64;
      bool inside = x >= 13 && x < 22 && y >= 7 && y < 12;
      CHECK(back[i] == (inside ? 77 : image[i]), "byte %d of %d, %d", i % 4, x, y);
   }

   clear(1, 0, 0);
   clear_inside(10, 20, 20, 20, 0, 1, 0);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 18, 20, 12);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   CHECK(back[0] == 255 && back[(5 * 64 + 5) * 4 + 1] == 255, "%u %u", back[0],
         back[(5 * 64 + 5) * 4 + 1]);
}

/* Tests uploads that the device may copy from the program's memory: any size, pitch and alignment,
 * also while the device is busy.  The program changes the texels immediately after the call.
 */
static void
test_large_sub_images(void)
{
   enum { SIDE = 512, SPARE = 64 };
   const size_t bytes = SIDE * SIDE * 4;
   uint8_t *source = malloc(bytes + SPARE), *expected = calloc(1, bytes), *found = malloc(bytes);

   for (unsigned i = 0; i < 24; i++) {
      const int width = rand() % 3 ? SIDE - rand() % 20 : SIDE, height = SIDE - rand() % 40;
      const int pitch = rand() % 2 ? width : width + rand() % (SIDE - width + 1);
      const int x = rand() % (SIDE - width + 1), y = rand() % (SIDE - height + 1);
      const unsigned at = rand() % 2 ? rand() % (SPARE / 16) * 16 : rand() % SPARE;

      if (!i)
         glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      expected);
      for (size_t k = 0; k < bytes + SPARE; k++)
         source[k] = rand() >> 7;
      if (i & 1)
         clear(1, 0, 0);
      else
         glFinish();
      glPixelStorei(GL_UNPACK_ROW_LENGTH, pitch);
      glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                      source + at);
      for (int row = 0; row < height; row++)
         memcpy(expected + ((y + row) * SIDE + x) * 4, source + at + row * pitch * 4, width * 4);
      memset(source, 0xaa, bytes + SPARE);
      glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, found);
      CHECK(!memcmp(found, expected, bytes), "%dx%d at %d, %d, pitch %d, %u", width, height, x, y,
            pitch, at);
   }
   glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
   free(source);
   free(expected);
   free(found);
}

static void
test_mipmaps(void)
{
   for (int i = 0; i < 64 * 32; i++) {
      const uint8_t texel[4] = { 100, 200, i / 64 * 8, 255 };
      memcpy(image + i * 4, texel, 4);
   }
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glGenerateMipmap(GL_TEXTURE_2D);
   for (int level = 1; level <= 6; level++) {
      glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, back);
      CHECK(back[0] == 100 && back[1] == 200, "level %d: %u %u", level, back[0], back[1]);
   }
   CHECK(abs(back[2] - 124) < 3, "mean of all rows: %u", back[2]);

   for (int i = 0; i < 16 * 8 * 8; i++)
      image[i * 4] = i / 128 * 32;
   glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 16, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glGenerateMipmap(GL_TEXTURE_3D);
   glGetTexImage(GL_TEXTURE_3D, 1, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int z = 0; z < 4; z++)
      CHECK(abs(back[z * 8 * 4 * 4] - (64 * z + 16)) <= 1, "slice %d: %u", z, back[z * 8 * 4 * 4]);

   for (int face = 0; face < 6; face++) {
      memset(image, face * 40, 16 * 16 * 4);
      glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 16, 16, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, image);
   }
   glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
   for (int face = 0; face < 6; face++) {
      glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 2, GL_RGBA, GL_UNSIGNED_BYTE, back);
      CHECK(back[0] == face * 40, "face %d: %u", face, back[0]);
   }
}

/* Tests mipmaps of a depth ramp.  Each texel of a level is a mean of texels of the previous level.
 */
static void
test_depth_mipmaps(GLenum format)
{
   float *ramp = (float *)image;
   const float *level = (const float *)back;

   for (int i = 0; i < 32 * 32; i++)
      ramp[i] = (i % 32 + 0.5f) / 32;
   glTexImage2D(GL_TEXTURE_2D, 0, format, 32, 32, 0, GL_DEPTH_COMPONENT, GL_FLOAT, ramp);
   glGenerateMipmap(GL_TEXTURE_2D);
   for (int l = 1, size = 16; size; l++, size /= 2) {
      glGetTexImage(GL_TEXTURE_2D, l, GL_DEPTH_COMPONENT, GL_FLOAT, back);
      for (int x = 0; x < size; x++) {
         const float mean = (x + 0.5f) / size;
         CHECK(level[x] > mean - 1e-4f && level[x] < mean + 1e-4f, "0x%x level %d x %d: %f", format,
               l, x, level[x]);
      }
   }
}

static void
test_compressed(void)
{
   fill_random(8 * 7 * 8);
   glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 30, 26, 0, 8 * 7 * 8,
                          image);
   glGetCompressedTexImage(GL_TEXTURE_2D, 0, back);
   CHECK(!memcmp(image, back, 8 * 7 * 8), "whole");

   glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 4, 8, 8, 8, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 32,
                             image);
   glGetCompressedTexImage(GL_TEXTURE_2D, 0, back);
   CHECK(!memcmp(image, back + (2 * 8 + 1) * 8, 16), "part");

   /* Test the decoding of blocks with red, with green, and with both alternately. */
   static const uint8_t blocks[3][8] = {
      { 0x00, 0xf8, 0xe0, 0x07, 0x00, 0x00, 0x00, 0x00 },
      { 0x00, 0xf8, 0xe0, 0x07, 0x55, 0x55, 0x55, 0x55 },
      { 0x00, 0xf8, 0xe0, 0x07, 0x44, 0x44, 0x44, 0x44 },
   };
   glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 12, 3, 0,
                          sizeof blocks, blocks);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int i = 0; i < 12 * 3; i++) {
      const int x = i % 12;
      const bool green = x < 4 ? false : x < 8 ? true : x % 2;
      CHECK(back[i * 4] == (green ? 0 : 255) && back[i * 4 + 1] == (green ? 255 : 0) &&
               back[i * 4 + 3] == 255,
            "texel %d: %u %u", i, back[i * 4], back[i * 4 + 1]);
   }
}

/* Tests blits that are mirrored, scaled, or convert to another format. */
static void
test_blit(void)
{
   GLuint fbo[2], buffer[2];
   uint8_t pixel[4];

   for (int i = 0; i < 2; i++) {
      fbo[i] = new_framebuffer();
      buffer[i] = attach_renderbuffer(GL_COLOR_ATTACHMENT0, i ? GL_RGB5_A1 : GL_RGBA8, 0, 40, 40);
      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%d", i);
      clear(0, 0, 0);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]);
   clear(1, 0, 0);
   clear_inside(0, 0, 20, 40, 0, 0, 1);

   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo[1]);
   glBlitFramebuffer(0, 0, 40, 40, 40, 0, 0, 20, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo[1]);
   read_pixel(5, 5, pixel);
   CHECK(pixel[0] == 255 && pixel[2] == 0, "left: %u %u", pixel[0], pixel[2]);
   read_pixel(30, 5, pixel);
   CHECK(pixel[0] == 0 && pixel[2] == 255, "right: %u %u", pixel[0], pixel[2]);
   read_pixel(30, 25, pixel);
   CHECK(pixel[0] == 0 && pixel[2] == 0, "above: %u %u", pixel[0], pixel[2]);

   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(2, fbo);
   glDeleteRenderbuffers(2, buffer);
}

/* Tests writes to a buffer that alternate with copies from it.  Each copy sees the contents at its
 * position in the order of commands.
 */
static void
test_buffers(void)
{
   GLuint buffer[2];

   glGenBuffers(2, buffer);
   fill_random(4096);
   glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
   glBufferData(GL_ARRAY_BUFFER, 4096, image, GL_STATIC_DRAW);
   glBindBuffer(GL_COPY_WRITE_BUFFER, buffer[1]);
   glBufferData(GL_COPY_WRITE_BUFFER, 4096, NULL, GL_DYNAMIC_DRAW);
   glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 4096, back);
   for (int i = 0; i < 4096; i++)
      CHECK(back[i] == 0, "new storage, byte %d: %u", i, back[i]);

   glCopyBufferSubData(GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, 100, 200, 3000);
   glGetBufferSubData(GL_COPY_WRITE_BUFFER, 200, 3000, back);
   CHECK(!memcmp(back, image + 100, 3000), "copy");

   for (int i = 0; i < 50; i++) {
      memset(image, i, 4096);
      glBufferSubData(GL_ARRAY_BUFFER, 0, i & 1 ? 4096 : 64, image);
      glCopyBufferSubData(GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, 0, i * 64, 64);
   }
   glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 3200, back);
   for (int i = 0; i < 50; i++)
      CHECK(back[i * 64] == i && back[i * 64 + 63] == i, "turn %d: %u", i, back[i * 64]);
   glDeleteBuffers(2, buffer);
}

/* Tests more vertices than fit in Mesa's vertex buffer, drawn faster than the device can process
 * them.  Each pixel has a different colour.
 */
static void
test_immediate(void)
{
   clear(0, 0, 0);
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
   glColor3f(0.5f, 0.5f, 0.5f);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_SRC_COLOR);
   for (int i = 0; i < 3000; i++)
      glRecti(0, 0, WIDTH, HEIGHT);
   glDisable(GL_BLEND);
   glBegin(GL_QUADS);
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      int x = i % WIDTH, y = i / WIDTH;
      glColor3ub(x, y, 1 + i % 255);
      glVertex2i(x, y);
      glVertex2i(x + 1, y);
      glVertex2i(x + 1, y + 1);
      glVertex2i(x, y + 1);
   }
   glEnd();
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, back);
   unsigned wrong = 0;
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      const uint8_t *p = &back[i * 4];
      wrong += p[0] != i % WIDTH || p[1] != i / WIDTH || p[2] != 1 + i % 255;
   }
   CHECK(wrong == 0, "%u pixels", wrong);
   glLoadIdentity();
}

static void
test_queries(void)
{
   GLuint query[2];
   GLuint64 elapsed = 0, stamp = 0;
   GLint64 before, now;

   glGenQueries(2, query);
   glGetInteger64v(GL_TIMESTAMP, &before);
   glBeginQuery(GL_TIME_ELAPSED, query[0]);
   clear(0, 0, 0);
   glEndQuery(GL_TIME_ELAPSED);
   glQueryCounter(query[1], GL_TIMESTAMP);
   glGetQueryObjectui64v(query[0], GL_QUERY_RESULT, &elapsed);
   glGetQueryObjectui64v(query[1], GL_QUERY_RESULT, &stamp);
   glGetInteger64v(GL_TIMESTAMP, &now);
   CHECK(elapsed > 0 && elapsed <= stamp - before, "%llu ns", (unsigned long long)elapsed);
   CHECK(stamp > (GLuint64)before && stamp <= (GLuint64)now, "%llu, before %lld, now %lld",
         (unsigned long long)stamp, (long long)before, (long long)now);
   glDeleteQueries(2, query);

   GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   GLenum waited = glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_MAX);
   CHECK(waited == GL_CONDITION_SATISFIED || waited == GL_ALREADY_SIGNALED, "sync");
   glDeleteSync(sync);
}

/* Tests clears and draws that depend on a query with no samples or with some. */
static void
test_conditions(void)
{
   PFNGLBEGINCONDITIONALRENDERNVPROC begin = (PFNGLBEGINCONDITIONALRENDERNVPROC)eglGetProcAddress(
      "glBeginConditionalRenderNV");
   PFNGLENDCONDITIONALRENDERNVPROC end = (PFNGLENDCONDITIONALRENDERNVPROC)eglGetProcAddress(
      "glEndConditionalRenderNV");
   GLuint query;

   glGenQueries(1, &query);
   for (int seen = 0; seen < 2; seen++) {
      uint8_t corner[4], middle[4];

      clear(0, 0, 0);
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(seen ? GL_ALWAYS : GL_NEVER);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      glColor3f(0, 0, 1);
      glRectf(-0.1f, -0.1f, 0.1f, 0.1f);
      glEndQuery(GL_SAMPLES_PASSED);
      glDisable(GL_DEPTH_TEST);

      begin(query, GL_QUERY_WAIT);
      clear(1, 0, 0);
      glColor3f(0, 1, 0);
      glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
      end();
      read_pixel(0, 0, corner);
      read_pixel(WIDTH / 2, HEIGHT / 2, middle);
      CHECK(corner[0] == (seen ? 255 : 0), "clear: %u", corner[0]);
      CHECK(middle[1] == (seen ? 255 : 0) && middle[2] == 0, "draw: %u %u", middle[1], middle[2]);
   }
   glDeleteQueries(1, &query);
}

int
main(void)
{
   REQUIRE(test_pbuffer(WIDTH, HEIGHT));

   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);

   test_clear();
   test_formats();
   test_sub_image();
   test_large_sub_images();
   test_mipmaps();
   test_depth_mipmaps(GL_DEPTH_COMPONENT16);
   test_depth_mipmaps(GL_DEPTH_COMPONENT24);
   test_depth_mipmaps(GL_DEPTH_COMPONENT32F);
   test_compressed();
   test_blit();
   test_buffers();
   test_immediate();
   test_queries();
   test_conditions();
   CHECK(glGetError() == GL_NO_ERROR, "GL error");

   eglTerminate(eglGetCurrentDisplay());
   return fails != 0;
}
