/* SPDX-License-Identifier: MIT */
/* Prints the names that contexts of EGL have, and the UUIDs of device and driver:
 *
 *    names [API...]     API: core, compat, es
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

static void
fail(const char *what)
{
   fprintf(stderr, "names: %s (EGL error 0x%x)\n", what, eglGetError());
   exit(1);
}

static void *
function(const char *name)
{
   void *address = (void *)eglGetProcAddress(name);
   if (!address)
      fail(name);
   return address;
}

static void
print_uuid(const char *name, const GLubyte *uuid)
{
   printf("%s: ", name);
   for (unsigned i = 0; i < GL_UUID_SIZE_EXT; i++)
      printf("%02x", uuid[i]);
   printf("\n");
}

static void
print_names(EGLDisplay display, const char *api)
{
   const EGLint es[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
   const EGLint desktop[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              !strcmp(api, "core") ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
                                                   : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                              EGL_NONE };
   const bool is_es = !strcmp(api, "es");
   if (!eglBindAPI(is_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
      fail("eglBindAPI");
   EGLContext context = eglCreateContext(display, NULL, EGL_NO_CONTEXT, is_es ? es : desktop);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("no context");

   const GLubyte *(*get_string)(GLenum) = function("glGetString");
   PFNGLGETUNSIGNEDBYTEVEXTPROC get_bytes = function("glGetUnsignedBytevEXT");
   PFNGLGETUNSIGNEDBYTEI_VEXTPROC get_bytes_i = function("glGetUnsignedBytei_vEXT");
   printf("vendor: %s\n", get_string(GL_VENDOR));
   printf("renderer: %s\n", get_string(GL_RENDERER));
   printf("version: %s\n", get_string(GL_VERSION));
   GLubyte uuid[GL_UUID_SIZE_EXT] = { 0 };
   get_bytes(GL_DRIVER_UUID_EXT, uuid);
   print_uuid("driver UUID", uuid);
   get_bytes_i(GL_DEVICE_UUID_EXT, 0, uuid);
   print_uuid("device UUID", uuid);
   eglDestroyContext(display, context);
}

int
main(int argc, char **argv)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_display = function("eglGetPlatformDisplayEXT");
   EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
   if (!display || !eglInitialize(display, NULL, NULL))
      fail("cannot initialize EGL");
   for (int i = 1; i < argc; i++)
      print_names(display, argv[i]);
   return 0;
}
