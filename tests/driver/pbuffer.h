/* SPDX-License-Identifier: MIT */
/*
 * For tests of desktop OpenGL: creates a surfaceless display, a pbuffer with 8 bits per component,
 * depth and stencil, and a current context.
 */
#ifndef TEST_PBUFFER_H
#define TEST_PBUFFER_H

#include <stdbool.h>
#include <stdio.h>

#include "egl.h"

/* Creates the pbuffer and the context.  Prints a message and returns false on failure. */
static inline bool
test_pbuffer_samples(int width, int height, int samples)
{
   /* clang-format off */
   const EGLint wanted[] = {
      EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
      EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8,
      EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8,
      EGL_SAMPLE_BUFFERS, samples > 1, EGL_SAMPLES, samples,
      EGL_NONE,
   };
   /* clang-format on */
   const EGLint size[] = { EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE };
   EGLDisplay display = egl_display(EGL_OPENGL_API);
   EGLConfig config;
   EGLint count;

   if (!display || !eglChooseConfig(display, wanted, &config, 1, &count) || count != 1) {
      fprintf(stderr, "no EGL configuration\n");
      return false;
   }
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   EGLContext context = eglCreateContext(display, config, NULL, NULL);
   if (!eglMakeCurrent(display, surface, surface, context)) {
      fprintf(stderr, "no context\n");
      return false;
   }
   return true;
}

static inline bool
test_pbuffer(int width, int height)
{
   return test_pbuffer_samples(width, height, 0);
}

#endif
