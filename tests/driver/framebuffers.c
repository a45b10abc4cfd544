/* SPDX-License-Identifier: MIT */
/*
 * Tests which pixels framebuffers have: without attachments (ARB_framebuffer_no_attachments), with
 * attachments that are not draw buffers, and with attachments of different sizes
 * (ARB_framebuffer_object).  Occlusion queries count the pixels.  Also tests the number of bits of
 * depth formats, and blits from formats without alpha.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16

/* Returns the number of fragments of a rectangle that covers the largest viewport. */
static unsigned
count_fragments(void)
{
   GLuint query, passed = 0;

   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glRectf(-1, -1, 1, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
   glDeleteQueries(1, &query);
   return passed;
}

static void
check_count(unsigned wanted)
{
   const unsigned passed = count_fragments();
   CHECK(passed == wanted, "%u, not %u", passed, wanted);
}

/* Tests that a framebuffer without attachments has its default size, not the size of the viewport
 * or of the previous framebuffer.
 */
static void
test_no_attachments(void)
{
   static const GLint sizes[][2] = { { 200, 70 }, { 1, 1 }, { 64, 64 }, { 65, 333 } };
   GLuint fbo;

   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, sizes[i][0]);
      glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, sizes[i][1]);
      glViewport(0, 0, 500, 500);
      check_count(sizes[i][0] * sizes[i][1]);
      glEnable(GL_SCISSOR_TEST);
      glScissor(0, 0, 3, 500);
      check_count((sizes[i][0] < 3 ? sizes[i][0] : 3) * sizes[i][1]);
      glDisable(GL_SCISSOR_TEST);
      glViewport(0, 0, 10, 10);
      check_count((sizes[i][0] < 10 ? sizes[i][0] : 10) * (sizes[i][1] < 10 ? sizes[i][1] : 10));
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
}

/* Tests that attachments that are not draw buffers still define the pixels that queries count. */
static void
test_no_draw_buffer(void)
{
   GLuint fbo, buffer;

   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   buffer = attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, 100, 40);
   glDrawBuffer(GL_NONE);
   glViewport(0, 0, 500, 500);
   check_count(100 * 40);
   glDrawBuffer(GL_COLOR_ATTACHMENT0);
   check_count(100 * 40);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(1, &buffer);
}

/* Tests that draws and clears reach only the area that all attachments have in common.  The rest of
 * each attachment keeps its contents.
 */
static void
test_mixed_sizes(void)
{
   static GLubyte pixels[96][160][4];
   static const GLenum both[2] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
   GLuint fbo, buffers[3];

   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glViewport(0, 0, 500, 500);
   /* Clear all of the first attachment while it is the only one. */
   buffers[0] = attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, 160, 50);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   buffers[1] = attach_renderbuffer(GL_COLOR_ATTACHMENT1, GL_RGBA8, 0, 70, 96);
   buffers[2] = attach_renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0, 90, 80);
   glDrawBuffers(2, both);
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, 500, 30);
   glColor4f(0, 1, 0, 1);
   check_count(70 * 30);
   glDisable(GL_SCISSOR_TEST);
   glDisable(GL_DEPTH_TEST);

   glReadBuffer(GL_COLOR_ATTACHMENT0);
   memset(pixels, 77, sizeof pixels);
   glReadPixels(0, 0, 160, 50, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int y = 0; y < 50; y++) {
      for (int x = 0; x < 160; x++) {
         const GLubyte *p = ((GLubyte *)pixels) + (y * 160 + x) * 4;
         const int drawn = x < 70 && y < 30;
         CHECK(p[1] == (drawn ? 255 : 0), "%d, %d: %u %u %u", x, y, p[0], p[1], p[2]);
      }
   }
   glReadBuffer(GL_COLOR_ATTACHMENT1);
   glReadPixels(0, 0, 70, 50, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int y = 0; y < 50; y++) {
      for (int x = 0; x < 70; x++) {
         const GLubyte *p = ((GLubyte *)pixels) + (y * 70 + x) * 4;
         CHECK(p[1] == (y < 30 ? 255 : 0) && p[2] == (y < 30 ? 0 : 255), "%d, %d: %u %u %u", x, y,
               p[0], p[1], p[2]);
      }
   }
   glColor4f(1, 1, 1, 1);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(3, buffers);
}

/* Tests that requested depth formats have 24 bits as on GPUs, unless fewer bits or floats are
 * requested.  Programs request 32 bits and resolve to 24 bits, which requires equal formats.
 */
static void
test_depth_sizes(void)
{
   static const struct {
      GLenum format;
      int depth, stencil;
   } sizes[] = {
      { GL_DEPTH_COMPONENT16, 16, 0 },  { GL_DEPTH_COMPONENT24, 24, 0 },
      { GL_DEPTH_COMPONENT32, 24, 0 },  { GL_DEPTH_COMPONENT, 24, 0 },
      { GL_DEPTH_STENCIL, 24, 8 },      { GL_DEPTH24_STENCIL8, 24, 8 },
      { GL_DEPTH_COMPONENT32F, 32, 0 }, { GL_DEPTH32F_STENCIL8, 32, 8 },
   };
   GLuint fbo[2], texture, buffer;
   GLint bits[2], most[2];

   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const GLenum format = sizes[i].stencil ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT;
      const GLenum type = !sizes[i].stencil      ? GL_UNSIGNED_INT
                          : sizes[i].depth == 32 ? GL_FLOAT_32_UNSIGNED_INT_24_8_REV
                                                 : GL_UNSIGNED_INT_24_8;
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexImage2D(GL_TEXTURE_2D, 0, sizes[i].format, 8, 8, 0, format, type, NULL);
      glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_DEPTH_SIZE, &bits[0]);
      glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_STENCIL_SIZE, &bits[1]);
      CHECK(bits[0] == sizes[i].depth && bits[1] == sizes[i].stencil, "texture 0x%x: %d, %d bits",
            sizes[i].format, bits[0], bits[1]);
      glDeleteTextures(1, &texture);
      for (int samples = 0; samples < 8; samples += 4) {
         glGenRenderbuffers(1, &buffer);
         glBindRenderbuffer(GL_RENDERBUFFER, buffer);
         glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, sizes[i].format, 8, 8);
         glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_DEPTH_SIZE, &bits[0]);
         glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_STENCIL_SIZE, &bits[1]);
         CHECK(bits[0] == sizes[i].depth && bits[1] == sizes[i].stencil,
               "renderbuffer 0x%x, %d samples: %d, %d bits", sizes[i].format, samples, bits[0],
               bits[1]);
         glDeleteRenderbuffers(1, &buffer);
      }
      glGetInternalformativ(GL_TEXTURE_2D, sizes[i].format, GL_INTERNALFORMAT_DEPTH_SIZE, 1,
                            &most[0]);
      glGetInternalformativ(GL_TEXTURE_2D, sizes[i].format, GL_INTERNALFORMAT_STENCIL_SIZE, 1,
                            &most[1]);
      CHECK(most[0] == sizes[i].depth && most[1] == sizes[i].stencil,
            "GetInternalformativ of 0x%x: %d, %d bits", sizes[i].format, most[0], most[1]);
   }

   glGenFramebuffers(2, fbo);
   glGenTextures(1, &texture);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]);
   buffer = attach_renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32, 4, 8, 8);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glClearDepth(0.25);
   glClear(GL_DEPTH_BUFFER_BIT);
   glClearDepth(1);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 8, 8, 0, GL_DEPTH_COMPONENT,
                GL_UNSIGNED_INT, NULL);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo[1]);
   glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
   glDrawBuffer(GL_NONE);
   glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
   CHECK(glGetError() == GL_NO_ERROR, "a resolve of 32 to 24 bits");
   glBindFramebuffer(GL_FRAMEBUFFER, fbo[1]);
   glReadBuffer(GL_NONE);
   float depth = -1;
   glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
   CHECK(depth > 0.2499f && depth < 0.2501f, "a depth of %f", depth);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(2, fbo);
   glDeleteTextures(1, &texture);
   glDeleteRenderbuffers(1, &buffer);
}

/* Returns a framebuffer with a SIZE x SIZE renderbuffer, whose pixels have the values 1, 2, 3, 4
 * times `step`.
 */
static GLuint
filled_framebuffer(GLenum format, bool integer, float step, GLuint *buffer)
{
   const GLuint numbers[4] = { step, 2 * step, 3 * step, 4 * step };
   const float values[4] = { step, 2 * step, 3 * step, 4 * step };
   const GLuint fbo = new_framebuffer();

   *buffer = attach_renderbuffer(GL_COLOR_ATTACHMENT0, format, 0, SIZE, SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "format 0x%x",
         format);
   if (integer)
      glClearBufferuiv(GL_COLOR, 0, numbers);
   else
      glClearBufferfv(GL_COLOR, 0, values);
   return fbo;
}

/* Tests that a blit from a buffer without alpha sets alpha to 1, but only where it writes. */
static void
test_missing_alpha(void)
{
   static const struct {
      GLenum from, to;
      bool integer;
   } formats[] = {
      { GL_RGB8, GL_RGBA8, false },     { GL_SRGB8, GL_RGBA8, false },
      { GL_RGB16F, GL_RGBA16F, false }, { GL_RGB32F, GL_RGBA16F, false },
      { GL_RGB8UI, GL_RGBA8UI, true },  { GL_RGB32UI, GL_RGBA32UI, true },
      { GL_RGBA8, GL_RGBA16F, false },
   };

   for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
      const bool integer = formats[i].integer, has_alpha = formats[i].from == GL_RGBA8;
      GLuint fbo[2], buffers[2];

      fbo[0] = filled_framebuffer(formats[i].from, integer, integer ? 1 : 0.125f, &buffers[0]);
      fbo[1] = filled_framebuffer(formats[i].to, integer, 0, &buffers[1]);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo[0]);
      glEnable(GL_SCISSOR_TEST);
      glScissor(0, 4, SIZE, SIZE);
      glBlitFramebuffer(0, 0, SIZE, SIZE, SIZE - 2, 0, 1, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glDisable(GL_SCISSOR_TEST);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[1]);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const bool written = x >= 1 && x < SIZE - 2 && y >= 4;
            const float alpha = !written ? 0 : has_alpha ? 0.5f : 1;
            float p[4];
            GLuint n[4];

            if (integer) {
               glReadPixels(x, y, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, n);
               for (unsigned c = 0; c < 4; c++)
                  p[c] = n[c];
            } else {
               glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, p);
            }
            CHECK((p[2] > 0.2f) == written && p[3] > alpha - 0.01f && p[3] < alpha + 0.01f,
                  "0x%x to 0x%x at %d, %d: %f %f %f %f", formats[i].from, formats[i].to, x, y, p[0],
                  p[1], p[2], p[3]);
         }
      }
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glDeleteFramebuffers(2, fbo);
      glDeleteRenderbuffers(2, buffers);
   }
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   test_no_attachments();
   test_no_draw_buffer();
   test_mixed_sizes();
   test_depth_sizes();
   test_missing_alpha();
   return test_end();
}
