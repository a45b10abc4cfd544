/* SPDX-License-Identifier: MIT */
/*
 * The functions of EGL that `pictures` uses, on GLX: each context draws with a pbuffer.  The program
 * that is linked with this file in place of EGL runs on an X server.
 */
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <GL/glx.h>

static Display *x11;
static GLXFBConfig config;
static GLXPbuffer pbuffer;

/* eglGetPlatformDisplayEXT */
static EGLDisplay
get_display(void)
{
   x11 = XOpenDisplay(NULL);
   return x11;
}

__eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
   if (!strcmp(name, "eglGetPlatformDisplayEXT"))
      return (__eglMustCastToProperFunctionPointerType)get_display;
   return glXGetProcAddress((const GLubyte *)name);
}

EGLBoolean
eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
   /* With two buffers, nothing is presented. */
   static const int wanted[] = {
      GLX_DRAWABLE_TYPE,
      GLX_PBUFFER_BIT,
      GLX_DOUBLEBUFFER,
      True,
      GLX_RED_SIZE,
      8,
      GLX_ALPHA_SIZE,
      8,
      None,
   };
   static const int size[] = { GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 8, None };
   int count = 0;
   GLXFBConfig *configs = glXChooseFBConfig(x11, DefaultScreen(x11), wanted, &count);

   if (!count)
      return EGL_FALSE;
   config = configs[0];
   XFree(configs);
   pbuffer = glXCreatePbuffer(x11, config, size);
   return pbuffer != None;
}

EGLBoolean
eglTerminate(EGLDisplay display)
{
   glXDestroyPbuffer(x11, pbuffer);
   XCloseDisplay(x11);
   return EGL_TRUE;
}

EGLBoolean
eglBindAPI(EGLenum api)
{
   return api == EGL_OPENGL_API;
}

EGLContext
eglCreateContext(EGLDisplay display, EGLConfig none, EGLContext share, const EGLint *attributes)
{
   PFNGLXCREATECONTEXTATTRIBSARBPROC create = (PFNGLXCREATECONTEXTATTRIBSARBPROC)eglGetProcAddress(
      "glXCreateContextAttribsARB");
   int list[7] = { None };
   int n = 0;

   for (; *attributes != EGL_NONE; attributes += 2) {
      switch (attributes[0]) {
      case EGL_CONTEXT_MAJOR_VERSION:
         list[n++] = GLX_CONTEXT_MAJOR_VERSION_ARB;
         break;
      case EGL_CONTEXT_MINOR_VERSION:
         list[n++] = GLX_CONTEXT_MINOR_VERSION_ARB;
         break;
      case EGL_CONTEXT_OPENGL_PROFILE_MASK:
         list[n++] = GLX_CONTEXT_PROFILE_MASK_ARB; /* with the same bits */
         break;
      default:
         continue; /* no robustness is asked for */
      }
      list[n++] = attributes[1];
   }
   list[n] = None;
   return create(x11, config, share, True, list);
}

EGLBoolean
eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
   return glXMakeContextCurrent(x11, context ? pbuffer : None, context ? pbuffer : None, context);
}

EGLBoolean
eglDestroyContext(EGLDisplay display, EGLContext context)
{
   glXDestroyContext(x11, context);
   return EGL_TRUE;
}
