/* SPDX-License-Identifier: MIT */
/*
 * Which pixels framebuffers have: without attachments
 * (ARB_framebuffer_no_attachments), with some that nothing is drawn to, and with
 * attachments of different sizes (ARB_framebuffer_object).  Occlusion queries
 * count them.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16

/* Fragments of a rectangle over all that a viewport can show. */
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

/* The default size is the size: not the viewport's, nor an old framebuffer's. */
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

static GLuint
attach(GLenum attachment, GLenum format, int width, int height)
{
   GLuint buffer;
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
   return buffer;
}

/* An attachment that is not drawn to still has pixels to count. */
static void
test_no_draw_buffer(void)
{
   GLuint fbo, buffer;

   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   buffer = attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, 100, 40);
   glDrawBuffer(GL_NONE);
   glViewport(0, 0, 500, 500);
   check_count(100 * 40);
   glDrawBuffer(GL_COLOR_ATTACHMENT0);
   check_count(100 * 40);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(1, &buffer);
}

/* Draws and clears reach the area that all attachments have in common; the rest
 * of each attachment keeps its contents.
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
   /* All of the first, alone. */
   buffers[0] = attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, 160, 50);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   buffers[1] = attach(GL_COLOR_ATTACHMENT1, GL_RGBA8, 70, 96);
   buffers[2] = attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 90, 80);
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

int
main(void)
{
   if (!test_pbuffer(SIZE, SIZE))
      return 1;
   test_no_attachments();
   test_no_draw_buffer();
   test_mixed_sizes();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return fails != 0;
}
