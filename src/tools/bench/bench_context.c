/* SPDX-License-Identifier: MIT */
/* Functions shared by all benchmarks: surfaceless contexts, programs, buffers, random numbers and
 * time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "bench_compute.h"

_Noreturn void
bench_fail(const char *what)
{
   fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
   exit(1);
}

static GLuint
link_program(const char *version, const GLenum stages[2], const char *const sources[2])
{
   GLuint program = glCreateProgram();
   GLint ok;
   char log[1000] = "";

   for (unsigned i = 0; i < 2 && sources[i]; i++) {
      const char *const strings[2] = { version, sources[i] };
      GLuint shader = glCreateShader(stages[i]);
      glShaderSource(shader, 2, strings, NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      if (!ok)
         bench_fail(log);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   if (!ok)
      bench_fail(log);
   return program;
}

GLuint
bench_program(const char *compute)
{
   return link_program("#version 430 core\n", (const GLenum[2]){ GL_COMPUTE_SHADER },
                       (const char *const[2]){ compute });
}

GLuint
bench_draw_program(const char *vertex, const char *fragment)
{
   return link_program("#version 330 core\n",
                       (const GLenum[2]){ GL_VERTEX_SHADER, GL_FRAGMENT_SHADER },
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
      bench_fail("out of memory");
   return memory;
}

void
bench_make_context(int major, int minor)
{
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                 major,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 minor,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE };
   PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
      "eglGetPlatformDisplayEXT");
   EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
   EGLContext context;
   GLuint vao;

   if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      bench_fail("no EGL display");
   context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      bench_fail("the driver has no context of the OpenGL version that is needed");
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
}

double
bench_now(void)
{
   struct timespec ts;

   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

unsigned
bench_run(void (*frame)(void), double seconds, double *elapsed)
{
   const double begin = bench_now();
   unsigned frames = 0;

   do {
      frame();
      glFinish();
      frames++;
      *elapsed = bench_now() - begin;
   } while (*elapsed < seconds);
   return frames;
}
