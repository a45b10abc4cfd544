/* SPDX-License-Identifier: MIT */
/* sgpu-demo draws gears into a PNG file by EGL without a window, so that a picture comes out in a
 * system that has nothing but a C library.  It opens libEGL itself, since that may be missing.
 *
 * usage: sgpu-demo FILE.png
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include <png.h>

#include "gears.h"

#define WIDTH 640
#define HEIGHT 480
#define SAMPLES 4

#define EGL_FUNCTIONS(X)                                        \
   X(PFNEGLGETPLATFORMDISPLAYEXTPROC, eglGetPlatformDisplayEXT) \
   X(PFNEGLINITIALIZEPROC, eglInitialize)                       \
   X(PFNEGLBINDAPIPROC, eglBindAPI)                             \
   X(PFNEGLCHOOSECONFIGPROC, eglChooseConfig)                   \
   X(PFNEGLCREATECONTEXTPROC, eglCreateContext)                 \
   X(PFNEGLMAKECURRENTPROC, eglMakeCurrent)                     \
   X(PFNEGLDESTROYCONTEXTPROC, eglDestroyContext)               \
   X(PFNEGLTERMINATEPROC, eglTerminate)
#define GL_FUNCTIONS(X)                                                         \
   X(PFNGLGETSTRINGPROC, glGetString)                                           \
   X(PFNGLGETERRORPROC, glGetError)                                             \
   X(PFNGLCREATESHADERPROC, glCreateShader)                                     \
   X(PFNGLSHADERSOURCEPROC, glShaderSource)                                     \
   X(PFNGLCOMPILESHADERPROC, glCompileShader)                                   \
   X(PFNGLCREATEPROGRAMPROC, glCreateProgram)                                   \
   X(PFNGLATTACHSHADERPROC, glAttachShader)                                     \
   X(PFNGLLINKPROGRAMPROC, glLinkProgram)                                       \
   X(PFNGLGETPROGRAMIVPROC, glGetProgramiv)                                     \
   X(PFNGLGETPROGRAMINFOLOGPROC, glGetProgramInfoLog)                           \
   X(PFNGLUSEPROGRAMPROC, glUseProgram)                                         \
   X(PFNGLGENVERTEXARRAYSPROC, glGenVertexArrays)                               \
   X(PFNGLBINDVERTEXARRAYPROC, glBindVertexArray)                               \
   X(PFNGLGENFRAMEBUFFERSPROC, glGenFramebuffers)                               \
   X(PFNGLBINDFRAMEBUFFERPROC, glBindFramebuffer)                               \
   X(PFNGLGENRENDERBUFFERSPROC, glGenRenderbuffers)                             \
   X(PFNGLBINDRENDERBUFFERPROC, glBindRenderbuffer)                             \
   X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, glRenderbufferStorageMultisample) \
   X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, glFramebufferRenderbuffer)               \
   X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, glCheckFramebufferStatus)                 \
   X(PFNGLVIEWPORTPROC, glViewport)                                             \
   X(PFNGLENABLEPROC, glEnable)                                                 \
   X(PFNGLCLEARCOLORPROC, glClearColor)                                         \
   X(PFNGLCLEARPROC, glClear)                                                   \
   X(PFNGLDRAWARRAYSINSTANCEDPROC, glDrawArraysInstanced)                       \
   X(PFNGLBLITFRAMEBUFFERPROC, glBlitFramebuffer)                               \
   X(PFNGLPIXELSTOREIPROC, glPixelStorei)                                       \
   X(PFNGLREADPIXELSPROC, glReadPixels)

#define DECLARE(type, name) static type name;
EGL_FUNCTIONS(DECLARE)
GL_FUNCTIONS(DECLARE)

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   fputs("sgpu-demo: ", stderr);
   vfprintf(stderr, format, arguments);
   fputc('\n', stderr);
   va_end(arguments);
   exit(1);
}

static void
find_functions(void)
{
   void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
   if (!library)
      die("%s: run it by `sgpu-run --demo FILE.png`", dlerror());
   PFNEGLGETPROCADDRESSPROC get = (PFNEGLGETPROCADDRESSPROC)dlsym(library, "eglGetProcAddress");
   if (!get)
      die("libEGL.so.1 has no eglGetProcAddress");
#define FIND(type, name)           \
   if (!(name = (type)get(#name))) \
      die("libEGL.so.1 does not find %s", #name);
   EGL_FUNCTIONS(FIND)
   GL_FUNCTIONS(FIND)
}

static EGLDisplay
open_display(EGLContext *context)
{
   static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                    EGL_NONE };
   static const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      3,
      EGL_CONTEXT_MINOR_VERSION,
      3,
      EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
      EGL_NONE,
   };
   EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
                                                 NULL);
   EGLConfig config;
   EGLint count = 0;

   if (!display || !eglInitialize(display, NULL, NULL))
      die("EGL has no display without a window system: sgpu-doctor says why");
   if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
       !count)
      die("EGL has no configuration for OpenGL");
   *context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
   if (!*context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, *context))
      die("EGL makes no context for OpenGL 3.3");
   return display;
}

static void
use_program(void)
{
   static const struct {
      GLenum kind;
      const char *source;
   } shaders[] = { { GL_VERTEX_SHADER, gears_vertex }, { GL_FRAGMENT_SHADER, gears_fragment } };
   const GLuint program = glCreateProgram();
   GLint linked = 0;
   char log[1024] = "";

   for (unsigned i = 0; i < 2; i++) {
      const GLuint shader = glCreateShader(shaders[i].kind);
      glShaderSource(shader, 1, &shaders[i].source, NULL);
      glCompileShader(shader);
      glAttachShader(program, shader);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked) {
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      die("the shaders cannot be linked: %s", log);
   }
   glUseProgram(program);
}

/* Binds a new framebuffer. */
static GLuint
make_framebuffer(int samples, bool depth)
{
   GLuint framebuffer, buffers[2];

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(2, buffers);
   for (unsigned i = 0; i < 1u + depth; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples,
                                       i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, WIDTH, HEIGHT);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                GL_RENDERBUFFER, buffers[i]);
   }
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      die("the framebuffer is not complete");
   return framebuffer;
}

/* Draws the picture.  Its first row is the lowest one. */
static void
draw(uint8_t pixels[HEIGHT][WIDTH][3])
{
   GLuint array;

   use_program();
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   const GLuint resolved = make_framebuffer(0, false);
   const GLuint drawn = make_framebuffer(SAMPLES, true);
   glViewport(0, 0, WIDTH, HEIGHT);
   glEnable(GL_DEPTH_TEST);
   glClearColor(0.08f, 0.09f, 0.12f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArraysInstanced(GL_TRIANGLES, 0, GEARS_VERTICES, GEARS);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, pixels);
   const GLenum error = glGetError();
   if (error)
      die("OpenGL has the error 0x%x", error);
}

/* Returns the 64-bit FNV-1a hash of the pixels. */
static uint64_t
hash(const uint8_t *bytes, size_t size)
{
   uint64_t value = 0xcbf29ce484222325;

   for (size_t i = 0; i < size; i++)
      value = (value ^ bytes[i]) * 0x100000001b3;
   return value;
}

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return time.tv_sec + time.tv_nsec * 1e-9;
}

int
main(int argc, char **argv)
{
   static uint8_t pixels[HEIGHT][WIDTH][3];
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = WIDTH,
      .height = HEIGHT,
      .format = PNG_FORMAT_RGB,
   };
   EGLContext context;

   if (argc != 2 || argv[1][0] == '-') {
      fputs("usage: sgpu-demo FILE.png\n", stderr);
      return 2;
   }
   const double start = now();
   find_functions();
   EGLDisplay display = open_display(&context);
   draw(pixels);
   printf("%s (%dx%d) was drawn in %.1f s by %s, OpenGL %s\n", argv[1], WIDTH, HEIGHT,
          now() - start, glGetString(GL_RENDERER), glGetString(GL_VERSION));
   printf("hash of the pixels: %016llx\n", (unsigned long long)hash(pixels[0][0], sizeof pixels));
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglTerminate(display);

   if (!png_image_write_to_file(&image, argv[1], 0, pixels, -WIDTH * 3, NULL))
      die("cannot write %s: %s", argv[1], image.message);
   return 0;
}
