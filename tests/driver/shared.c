/* SPDX-License-Identifier: MIT */
/*
 * Tests fast clears of a texture that two contexts share.  After one context clears and finishes,
 * the other samples the clear value, even if either has unsubmitted work.
 */
#include <pthread.h>

#include "gles.h"

#define SIZE 128

static EGLDisplay display;
static EGLContext contexts[2];

static const char fragment[] = "precision mediump float; uniform sampler2D image;\n"
                               "void main() { gl_FragColor = texture2D(image, vec2(0.5)); }";

/* Draws with the texture in the current context, without a flush. */
static void
sample(GLuint texture)
{
   GLuint own;

   test_target(SIZE, &own);
   glUseProgram(test_program(POSITION_VS, fragment));
   glBindTexture(GL_TEXTURE_2D, texture);
   test_fill();
}

struct look {
   GLuint texture;
   unsigned char pixel[4];
};

static void *
other_context(void *data)
{
   struct look *look = data;

   test_current(display, contexts[1]);
   sample(look->texture);
   test_pixel(3, 3, look->pixel);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

static void
expect(GLuint texture, int red, int green)
{
   struct look look = { .texture = texture };
   pthread_t thread;

   CHECK(pthread_create(&thread, NULL, other_context, &look) == 0);
   pthread_join(thread, NULL);
   if (look.pixel[0] != red || look.pixel[1] != green) {
      fprintf(stderr, "the other context sees %d %d, expected %d %d\n", look.pixel[0],
              look.pixel[1], red, green);
      exit(1);
   }
}

static GLuint
cleared(float red, float green)
{
   GLuint texture;

   test_target(SIZE, &texture);
   glClearColor(red, green, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   return texture;
}

int
main(void)
{
   /* Each call writes to the context's stream immediately. */
   setenv("GALLIUM_THREAD", "0", 1);
   display = test_display();
   contexts[0] = test_context(display, EGL_NO_CONTEXT);
   contexts[1] = test_context(display, contexts[0]);
   test_current(display, contexts[0]);

   /* This context has sampled the texture in a stream that is not submitted. */
   GLuint texture = cleared(1, 0);
   sample(texture);
   expect(texture, 255, 0);
   glFinish();

   /* This context has cleared the texture again in a stream that is not submitted.  The other
    * context samples it before and after the submission.
    */
   texture = cleared(1, 0);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   expect(texture, 255, 0);
   glFinish();
   expect(texture, 0, 255);

   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, contexts[1]);
   eglDestroyContext(display, contexts[0]);
   eglTerminate(display);
   puts("a shared texture: each context sees what was cleared");
   return 0;
}
