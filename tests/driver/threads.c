/* SPDX-License-Identifier: MIT */
/*
 * Tests two threads with separate contexts that share textures.  One draws to a texture and the
 * other samples it, alternately.  At the same time, each thread uploads and draws unshared
 * textures.  All expected results are known.
 */
#include <pthread.h>

#include "gles.h"

#define ROUNDS 200
#define SIZE 64

static EGLDisplay display;
static EGLContext contexts[2];
static GLuint shared[2];
static pthread_barrier_t barrier;

static const char vertex[] =
   "attribute vec4 position;\n"
   "varying vec2 at;\n"
   "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5; }";

static void *
run(void *data)
{
   const int self = (int)(size_t)data;
   GLuint own, scratch, texture;

   test_current(display, contexts[self]);
   GLuint paint = test_program(vertex, "precision mediump float; uniform vec4 colour;\n"
                                       "void main() { gl_FragColor = colour; }");
   GLuint copy = test_program(vertex, "precision mediump float; uniform sampler2D image;\n"
                                      "varying vec2 at;\n"
                                      "void main() { gl_FragColor = texture2D(image, at).bgra; }");
   const GLuint fbo = test_target(SIZE, &own);
   GLuint mine;
   glGenFramebuffers(1, &mine);
   glGenTextures(1, &scratch);

   for (int i = 0; i < ROUNDS; i++) {
      /* paint this thread's shared texture */
      glBindFramebuffer(GL_FRAMEBUFFER, mine);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, shared[self], 0);
      glUseProgram(paint);
      glUniform4f(glGetUniformLocation(paint, "colour"), i / 255.0f, (self + 1) / 255.0f,
                  (255 - i) / 255.0f, 1);
      test_fill();
      glFinish();
      pthread_barrier_wait(&barrier);

      /* sample the other thread's texture */
      texture = shared[!self];
      glBindFramebuffer(GL_FRAMEBUFFER, fbo);
      glBindTexture(GL_TEXTURE_2D, texture);
      glUseProgram(copy);
      test_fill();
      unsigned char pixel[4];
      test_pixel(i % SIZE, (i * 7) % SIZE, pixel);
      CHECK(pixel[0] == 255 - i && pixel[1] == !self + 1 && pixel[2] == i && pixel[3] == 255);

      /* upload an unshared texture, which is replaced each time */
      unsigned char image[SIZE * SIZE * 4];
      memset(image, i, sizeof(image));
      glBindTexture(GL_TEXTURE_2D, scratch);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      test_fill();
      test_pixel(1, 2, pixel);
      CHECK(pixel[0] == i && pixel[3] == i);
      pthread_barrier_wait(&barrier);
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

int
main(void)
{
   pthread_t threads[2];

   display = test_display();
   contexts[0] = test_context(display, EGL_NO_CONTEXT);
   contexts[1] = test_context(display, contexts[0]);
   test_current(display, contexts[0]);
   for (int i = 0; i < 2; i++)
      test_target(SIZE, &shared[i]);
   glFinish();
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);

   pthread_barrier_init(&barrier, NULL, 2);
   for (size_t i = 0; i < 2; i++)
      CHECK(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
   for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   for (int i = 0; i < 2; i++)
      eglDestroyContext(display, contexts[i]);
   eglTerminate(display);
   puts("two threads, shared textures: every pixel as it should be");
   return 0;
}
