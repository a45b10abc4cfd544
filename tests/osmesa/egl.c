/* SPDX-License-Identifier: MIT */
/*
 * The functions of EGL that the driver's tests use, on OSMesa: each context draws to memory of its
 * own.  A test that is linked with this file in place of EGL runs on libOSMesa.
 */
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/osmesa.h>

/* The size of the latest pbuffer, in pixels. */
static EGLint width = 1, height = 1;
static void *memory;

static EGLDisplay
get_display(EGLenum platform, void *native, const EGLint *attributes)
{
   return (EGLDisplay)1;
}

__eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
   if (!strcmp(name, "eglGetPlatformDisplayEXT"))
      return (__eglMustCastToProperFunctionPointerType)get_display;
   return OSMesaGetProcAddress(name);
}

EGLBoolean
eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
   return EGL_TRUE;
}

EGLBoolean
eglTerminate(EGLDisplay display)
{
   return EGL_TRUE;
}

EGLBoolean
eglBindAPI(EGLenum api)
{
   return api == EGL_OPENGL_API;
}

EGLBoolean
eglChooseConfig(EGLDisplay display, const EGLint *attributes, EGLConfig *configs, EGLint size,
                EGLint *count)
{
   configs[0] = (EGLConfig)1;
   *count = 1;
   return EGL_TRUE;
}

EGLSurface
eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const EGLint *attributes)
{
   for (; *attributes != EGL_NONE; attributes += 2) {
      if (attributes[0] == EGL_WIDTH)
         width = attributes[1];
      else if (attributes[0] == EGL_HEIGHT)
         height = attributes[1];
   }
   return (EGLSurface)1;
}

EGLContext
eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
   int list[20] = {
      OSMESA_FORMAT,       OSMESA_RGBA, OSMESA_DEPTH_BITS, 24,
      OSMESA_STENCIL_BITS, 8,           OSMESA_ACCUM_BITS, 16,
   };
   int n = 8;

   for (; attributes && *attributes != EGL_NONE; attributes += 2) {
      int value = attributes[1];

      switch (attributes[0]) {
      case EGL_CONTEXT_MAJOR_VERSION:
         list[n++] = OSMESA_CONTEXT_MAJOR_VERSION;
         break;
      case EGL_CONTEXT_MINOR_VERSION:
         list[n++] = OSMESA_CONTEXT_MINOR_VERSION;
         break;
      case EGL_CONTEXT_OPENGL_PROFILE_MASK:
         list[n++] = OSMESA_PROFILE;
         value = value == EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT ? OSMESA_CORE_PROFILE
                                                              : OSMESA_COMPAT_PROFILE;
         break;
      default:
         continue; /* robustness, which OSMesa lacks */
      }
      list[n++] = value;
   }
   return OSMesaCreateContextAttribs(list, share);
}

EGLBoolean
eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
   if (!context) {
      return OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
   }
   if (!memory)
      memory = calloc((size_t)width * height, 4);
   return OSMesaMakeCurrent(context, memory, GL_UNSIGNED_BYTE, width, height);
}

EGLBoolean
eglDestroyContext(EGLDisplay display, EGLContext context)
{
   OSMesaDestroyContext(context);
   return EGL_TRUE;
}

EGLContext
eglGetCurrentContext(void)
{
   return OSMesaGetCurrentContext();
}

EGLDisplay
eglGetCurrentDisplay(void)
{
   return (EGLDisplay)1;
}

EGLint
eglGetError(void)
{
   return EGL_SUCCESS;
}
