/* SPDX-License-Identifier: MIT */
/*
 * Benchmarks of compute programs on any OpenGL 4.3 driver.
 *
 *    sgpu-compute [-w SECONDS] [-s SECONDS] NAME
 *
 * Checks the results of NAME's first frames, goes on for a warm-up (default 0.5 s), then
 * counts frames for a while (default 2 s).  Prints their number and the seconds that they
 * took, like sgpu-shot.  Each frame is waited for.  Without a name, the list of benchmarks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "bench_compute.h"

static const struct bench *const benches[] = { &bench_particles, &bench_blur, &bench_reduction,
                                               &bench_matrix, &bench_scan };
#define BENCHES (sizeof(benches) / sizeof(benches[0]))

static _Noreturn void
fail(const char *what)
{
   fprintf(stderr, "sgpu-compute: %s\n", what);
   exit(1);
}

static GLuint
link_program(const GLenum stages[2], const char *const sources[2])
{
   GLuint program = glCreateProgram();
   GLint ok;
   char log[1000] = "";

   for (unsigned i = 0; i < 2 && sources[i]; i++) {
      const char *const strings[2] = { "#version 430 core\n", sources[i] };
      GLuint shader = glCreateShader(stages[i]);
      glShaderSource(shader, 2, strings, NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      if (!ok)
         fail(log);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   if (!ok)
      fail(log);
   return program;
}

GLuint
bench_program(const char *compute)
{
   return link_program((const GLenum[2]){ GL_COMPUTE_SHADER }, (const char *const[2]){ compute });
}

GLuint
bench_draw_program(const char *vertex, const char *fragment)
{
   return link_program((const GLenum[2]){ GL_VERTEX_SHADER, GL_FRAGMENT_SHADER },
                       (const char *const[2]){ vertex, fragment });
}

GLuint
bench_buffer(unsigned binding, size_t size, const void *data)
{
   void *zeros = data ? NULL : bench_alloc(size);
   GLuint buffer;

   glCreateBuffers(1, &buffer);
   glNamedBufferData(buffer, (GLsizeiptr)size, data ? data : zeros, GL_STATIC_DRAW);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
   free(zeros);
   return buffer;
}

void
bench_read(GLuint buffer, size_t size, void *data)
{
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetNamedBufferSubData(buffer, 0, (GLsizeiptr)size, data);
}

uint32_t
bench_random(void)
{
   static uint32_t state = 12345;

   state ^= state << 13;
   state ^= state >> 17;
   state ^= state << 5;
   return state;
}

void *
bench_alloc(size_t size)
{
   void *memory = calloc(1, size);

   if (!memory)
      fail("out of memory");
   return memory;
}

static void
make_context(void)
{
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE };
   PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
      "eglGetPlatformDisplayEXT");
   EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
   EGLContext context;
   GLuint vao;

   if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no EGL display");
   context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("no context of OpenGL 4.3");
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
}

static double
now(void)
{
   struct timespec ts;

   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Frames until `seconds` have passed; *elapsed is what they took. */
static unsigned
run(const struct bench *bench, double seconds, double *elapsed)
{
   const double begin = now();
   unsigned frames = 0;

   do {
      bench->frame();
      glFinish();
      frames++;
      *elapsed = now() - begin;
   } while (*elapsed < seconds);
   return frames;
}

int
main(int argc, char **argv)
{
   double warm_up = 0.5, seconds = 2.0, elapsed;
   int option;

   while ((option = getopt(argc, argv, "w:s:")) != -1) {
      if (option == 'w')
         warm_up = atof(optarg);
      else if (option == 's')
         seconds = atof(optarg);
      else
         return 2;
   }
   if (optind == argc) {
      for (unsigned i = 0; i < BENCHES; i++)
         printf("%-10s %s\n", benches[i]->name, benches[i]->text);
      return 0;
   }
   for (unsigned i = 0; i < BENCHES; i++) {
      const struct bench *bench = benches[i];
      if (strcmp(bench->name, argv[optind]))
         continue;
      make_context();
      bench->prepare();
      if (!bench->check())
         fail("the results are wrong");
      run(bench, warm_up, &elapsed);
      const unsigned frames = run(bench, seconds, &elapsed);
      if (glGetError() != GL_NO_ERROR)
         fail("an OpenGL error");
      printf("%u %.6f\n", frames, elapsed);
      return 0;
   }
   fail("there is no such benchmark; without a name, sgpu-compute lists them");
}
