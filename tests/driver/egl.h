/* SPDX-License-Identifier: MIT */
/*
 * EGL's surfaceless platform, for tests of all APIs.
 */
#ifndef TEST_EGL_H
#define TEST_EGL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

static inline EGLDisplay
egl_surfaceless(void)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
      "eglGetPlatformDisplayEXT");

   return get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

/* Initializes the surfaceless display and binds the API.  Returns NULL on failure. */
static inline EGLDisplay
egl_display(EGLenum api)
{
   EGLDisplay display = egl_surfaceless();

   return display && eglInitialize(display, NULL, NULL) && eglBindAPI(api) ? display : NULL;
}

/* Creates a context of OpenGL 4.5 that shares objects with context `share`, unless that is
 * EGL_NO_CONTEXT.  `robust` is for robust access, and `reset` is the strategy
 * of reset notification.  Returns NULL on failure.
 */
static inline EGLContext
egl_context(EGLDisplay display, EGLContext share, EGLint profile, EGLint robust, EGLint reset)
{
   /* clang-format off */
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION, 4,
      EGL_CONTEXT_MINOR_VERSION, 5,
      EGL_CONTEXT_OPENGL_PROFILE_MASK, profile,
      EGL_CONTEXT_OPENGL_ROBUST_ACCESS, robust,
      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, reset,
      EGL_NONE,
   };
   /* clang-format on */

   return eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attributes);
}

/* Creates a context of the compatibility profile of OpenGL 4.5.  Returns NULL on failure. */
static inline EGLContext
egl_compatibility(EGLDisplay display)
{
   return egl_context(display, EGL_NO_CONTEXT, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                      EGL_FALSE, EGL_NO_RESET_NOTIFICATION);
}

#endif
