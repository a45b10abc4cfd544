/* SPDX-License-Identifier: MIT */
/*
 * Contexts and pbuffers that are made, drawn with and destroyed: memory, files and threads of the
 * process must not grow.
 *
 *    many_contexts ROUNDS
 */
#include <dirent.h>
#include <unistd.h>

#include "gles.h"

#define SIZE 64

/* Returns the resident memory of the process, in KiB. */
static long
resident(void)
{
   FILE *file = fopen("/proc/self/statm", "r");
   long pages = 0;

   CHECK(file && fscanf(file, "%*d %ld", &pages) == 1);
   fclose(file);
   return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int
entries(const char *name)
{
   DIR *folder = opendir(name);
   int count = 0;

   CHECK(folder);
   while (readdir(folder))
      count++;
   closedir(folder);
   return count;
}

/* Draws a triangle over everything, by a program of its own or by a clear. */
static void
draw(unsigned round)
{
   const unsigned value = round & 255;
   unsigned char pixel[4] = { 0 };

   if (round % 4 == 0) {
      GLuint program = test_program(POSITION_VS, "precision mediump float; uniform vec4 colour;\n"
                                                 "void main() { gl_FragColor = colour; }");
      glUseProgram(program);
      glUniform4f(glGetUniformLocation(program, "colour"), value / 255.0f, 0, 1, 1);
      test_fill();
   } else {
      glClearColor(value / 255.0f, 0, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
   }
   /* Other contexts are destroyed with work under way. */
   if (round % 3 == 0)
      return;
   test_pixel(0, 0, pixel);
   CHECK(pixel[0] == value && pixel[1] == 0 && pixel[2] == 255);
}

/* One of 5 contexts draws to a texture, the others to a pbuffer; one of 8 shares its objects with
 * another context.
 */
static void
use_context(EGLDisplay display, EGLConfig config, unsigned round)
{
   const EGLint size[] = { EGL_WIDTH, 1 + round % SIZE, EGL_HEIGHT, SIZE, EGL_NONE };
   static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
   EGLContext other = EGL_NO_CONTEXT;
   EGLSurface surface = EGL_NO_SURFACE;

   if (round % 8 == 7) {
      other = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
      CHECK(other != EGL_NO_CONTEXT);
   }
   EGLContext context = eglCreateContext(display, config, other, version);
   CHECK(context != EGL_NO_CONTEXT);
   if (round % 5) {
      surface = eglCreatePbufferSurface(display, config, size);
      CHECK(surface != EGL_NO_SURFACE);
   }
   CHECK(eglMakeCurrent(display, surface, surface, context));
   if (!surface) {
      GLuint texture;
      test_target(SIZE, &texture);
   }
   draw(round);
   if (round % 7)
      CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
   CHECK(eglDestroyContext(display, context));
   if (other != EGL_NO_CONTEXT)
      CHECK(eglDestroyContext(display, other));
   if (surface)
      CHECK(eglDestroySurface(display, surface));
}

int
main(int argc, char **argv)
{
   /* clang-format off */
   static const EGLint wanted[] = {
      EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
      EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
      EGL_RED_SIZE, 8,
      EGL_GREEN_SIZE, 8,
      EGL_BLUE_SIZE, 8,
      EGL_NONE,
   };
   /* clang-format on */
   const unsigned rounds = argc > 1 ? atoi(argv[1]) : 100;
   EGLDisplay display = test_display();
   EGLConfig config;
   EGLint count;
   long start = 0;
   int files = 0, threads = 0;

   CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
   for (unsigned round = 0; round <= rounds; round++) {
      if (round == rounds / 5) {
         start = resident();
         files = entries("/proc/self/fd");
         threads = entries("/proc/self/task");
      }
      use_context(display, config, round);
      /* Some programs terminate the display, too. */
      if (round % 100 == 50) {
         CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
         CHECK(eglTerminate(display) && eglReleaseThread());
         display = test_display();
         CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
      }
   }
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
   const long grown = resident() - start;
   printf("%u contexts: %ld KiB more of %ld, files %d, before %d, threads %d, before %d\n", rounds,
          grown, start, entries("/proc/self/fd"), files, entries("/proc/self/task"), threads);
   CHECK(grown < 4096);
   CHECK(entries("/proc/self/fd") <= files);
   CHECK(entries("/proc/self/task") <= threads + 1);
   return 0;
}
