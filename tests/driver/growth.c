/* SPDX-License-Identifier: MIT */
/*
 * Tests that the driver frees destroyed objects: textures, buffers, framebuffers, shaders,
 * queries, contexts and surfaces.  Each round destroys them while they are in use.  Afterwards, the
 * device must use as much memory as at the start, and the process must not have grown.
 *
 *    growth [ROUNDS]
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "check.h"
#include "egl.h"

#define SIZE 128
/* Number of rounds until pools and caches have reached their final size. */
#define WARM_UP 200
/* Maximum growth of the heap in bytes per round.  It is smaller than a texture, shader, context or
 * queue.
 */
#define SLACK 128
/* Maximum change of the device's memory in KiB.  The buffer cache and the slabs may hold more or
 * less memory at any time; changes of up to 6 MB were seen.
 */
#define DEVICE_SLACK 8192

static EGLDisplay display;
static EGLConfig config;

static EGLContext
context_for(EGLContext share)
{
   EGLContext context = eglCreateContext(display, config, share, NULL);
   REQUIRE(context != EGL_NO_CONTEXT);
   return context;
}

/* Draws with one object of each kind.  Deletes them if `tidy` is set; otherwise, the end of the
 * context deletes them.
 */
static void
round_of(int tidy)
{
   static const float corners[] = { -1, -1, 3, -1, -1, 3 };
   static unsigned char texels[SIZE * SIZE * 4];
   GLuint textures[2], buffers[2], query;

   GLuint program = test_program("void main() { gl_Position = gl_Vertex; }",
                                 "uniform sampler2D t; uniform float f;\n"
                                 "void main() { gl_FragColor = f + texture2D(t, vec2(0.5)); }");
   REQUIRE(!fails);
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "f"), 0.5f);

   glGenTextures(2, textures);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   const GLuint fbo = new_framebuffer();
   const GLuint depth = attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0,
                                            SIZE, SIZE);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
   REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);

   glBindTexture(GL_TEXTURE_2D, textures[1]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);

   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);

   glViewport(0, 0, SIZE, SIZE);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndQuery(GL_SAMPLES_PASSED);
   /* replace the storage while the first one is in use */
   glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_DYNAMIC_DRAW);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffers[1]);
   glBufferData(GL_PIXEL_PACK_BUFFER, sizeof texels, NULL, GL_STREAM_READ);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   glDrawArrays(GL_TRIANGLES, 0, 3);

   if (tidy) {
      glDeleteQueries(1, &query);
      glDeleteFramebuffers(1, &fbo);
      glDeleteRenderbuffers(1, &depth);
      glDeleteTextures(2, textures);
      glDeleteBuffers(2, buffers);
      glUseProgram(0);
      glDeleteProgram(program);
      glFlush();
   }
   REQUIRE(glGetError() == GL_NO_ERROR);
}

/* Creates a context with a surface and objects, and destroys it. */
static void
round_of_context(int number)
{
   static const EGLint size[] = { EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE };
   EGLContext context = context_for(EGL_NO_CONTEXT);
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   REQUIRE(surface != EGL_NO_SURFACE);
   REQUIRE(eglMakeCurrent(display, surface, surface, context));
   glClear(GL_COLOR_BUFFER_BIT);
   round_of(number & 1);
   REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
   REQUIRE(eglDestroySurface(display, surface));
   REQUIRE(eglDestroyContext(display, context));
}

struct memory {
   long device; /* free device memory, in KiB */
   long heap;   /* heap memory in use, in bytes */
   long resident;
};

/* Measures the memory after all work of the current context has finished. */
static struct memory
measure(void)
{
   struct memory memory = { 0 };
   GLint free_kib = 0;
   glFinish();
   glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &free_kib);
   REQUIRE(glGetError() == GL_NO_ERROR && free_kib > 0);
   memory.device = free_kib;
   memory.heap = (long)mallinfo2().uordblks;
   long pages = 0;
   FILE *f = fopen("/proc/self/statm", "r");
   REQUIRE(f && fscanf(f, "%*d %ld", &pages) == 1);
   fclose(f);
   memory.resident = pages * sysconf(_SC_PAGESIZE);
   return memory;
}

static int
compare(const char *what, struct memory before, struct memory after, int rounds)
{
   printf("%s: %d rounds: device %+ld KiB, heap %+ld, resident %+ld bytes\n", what, rounds,
          before.device - after.device, after.heap - before.heap, after.resident - before.resident);
   /* The resident size changes in steps of the allocator. */
   return before.device - after.device > DEVICE_SLACK ||
          after.heap - before.heap > (long)SLACK * rounds ||
          after.resident - before.resident > (long)SLACK * rounds + (2 << 20);
}

int
main(int argc, char **argv)
{
   /* Each worker has separate pools, which reach their final size only after enough work.  With
    * many workers, that would be long after WARM_UP.
    */
   setenv("SGPU_THREADS", "2", 1);
   /* The kernel may combine small pages into large ones at any time, which changes the resident
    * size.
    */
   prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
   const int rounds = argc > 1 ? atoi(argv[1]) : 2000;
   static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE };
   EGLint count;
   struct memory before;
   int failed = 0;

   display = egl_display(EGL_OPENGL_API);
   REQUIRE(display);
   REQUIRE(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
   EGLContext context = context_for(EGL_NO_CONTEXT);
   REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));

   for (int i = -WARM_UP; i < rounds; i++) {
      if (i == 0)
         before = measure();
      round_of(1);
   }
   failed |= compare("objects", before, measure(), rounds);

   for (int i = -WARM_UP; i < rounds; i++) {
      if (i == 0) {
         REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
         before = measure();
      }
      round_of_context(i);
   }
   REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
   failed |= compare("contexts", before, measure(), rounds);
   return failed;
}
