/* SPDX-License-Identifier: MIT */
/*
 * Tests the driver without memory.  The n-th allocation of the driver's code fails, or all
 * allocations from the n-th on fail, for each n.
 *
 * The first part lets allocations fail while a program works.  GL reports only GL_OUT_OF_MEMORY
 * and the errors that follow from a missing object.  The same context draws correctly when
 * memory is available again.  The second part covers the life of a display and a context: EGL
 * creates them or reports an error, and the driver holds no memory at the end.
 *
 *    allocations LIBRARY [--verbose]
 *
 * LIBRARY is a libgallium_sgpu.so that was linked with failing.c.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "failing/failing.h"
#include "pbuffer.h"

#define SIZE 32

struct failing sgpu_failing;

static bool verbose;
static unsigned runs;

static void
arm(int n, bool for_ever)
{
   sgpu_failing.for_ever = for_ever;
   atomic_store(&sgpu_failing.failures, 0);
   atomic_store(&sgpu_failing.countdown, n);
}

static int
disarm(void)
{
   atomic_store(&sgpu_failing.countdown, 0);
   runs++;
   return atomic_load(&sgpu_failing.failures);
}

static const char vertex[] =
   "#version 150 compatibility\n"
   "uniform block { vec4 tint; };\n"
   "out vec4 colour; out vec2 place;\n"
   "void main() {\n"
   "   gl_Position = gl_Vertex; colour = tint + gl_Color * %d.0; place = gl_Vertex.xy;\n"
   "}\n";
static const char geometry[] =
   "#version 150 compatibility\n"
   "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
   "in vec4 colour[]; in vec2 place[]; out vec4 shade; out vec2 at;\n"
   "void main() {\n"
   "   for (int i = 0; i < 3; i++) {\n"
   "      gl_Position = gl_in[i].gl_Position; shade = colour[i] * %d.0; at = place[i];\n"
   "      EmitVertex();\n"
   "   }\n"
   "}\n";
static const char fragment[] =
   "#version 150 compatibility\n"
   "uniform sampler2D t; uniform samplerBuffer b; uniform float scale;\n"
   "in vec4 shade; in vec2 at;\n"
   "void main() {\n"
   "   gl_FragColor = shade + scale * texture(t, at) + texelFetch(b, %d);\n"
   "}\n";

/* Returns a new program that is in no cache, because each n gives it other sources. */
static GLuint
new_program(int n)
{
   static const GLenum stages[] = { GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER };
   const char *const sources[] = { vertex, geometry, fragment };
   static const char *const written[] = { "shade" };
   const GLuint program = glCreateProgram();

   for (int i = 0; i < 3; i++) {
      char text[1000];
      const char *source = text;
      const GLuint shader = glCreateShader(stages[i]);

      snprintf(text, sizeof text, sources[i], n);
      glShaderSource(shader, 1, &source, NULL);
      glCompileShader(shader);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glTransformFeedbackVaryings(program, 1, written, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   return program;
}

static const float corners[] = { -1, -1, 3, -1, -1, 3 };

/* Sets state that Mesa has not seen before, so that new state objects are created. */
static void
new_state(int n)
{
   static const GLenum factors[] = { GL_ONE,           GL_ZERO,      GL_SRC_COLOR,
                                     GL_DST_COLOR,     GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA,
                                     GL_CONSTANT_COLOR };

   glEnable(GL_BLEND);
   glBlendFuncSeparate(factors[n % 7], factors[n / 7 % 7], factors[n / 49 % 7],
                       factors[n / 343 % 7]);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 1e-6f * n);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(0, n);
   glBlendColor(0.5f, 0.5f, 0.5f, 1);
}

static void
read_and_map(GLuint buffer)
{
   static GLubyte pixels[SIZE * SIZE][4];

   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   void *map = glMapBufferRange(GL_ARRAY_BUFFER, 0, 64,
                                GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
   if (map) {
      memset(map, 0, 64);
      glUnmapBuffer(GL_ARRAY_BUFFER);
   }
}

/* Creates an object of each kind, draws with them, and deletes them. */
static void
work(int n)
{
   static const GLushort indices[] = { 0, 1, 2 };
   static const GLubyte texels[16 * 16 * 4] = { 255 };
   GLuint textures[3], buffers[4], fbo, depth, query, sampler, vao, numbers[3];
   GLuint64 number = 0;

   const GLuint program = new_program(n);
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glGenBuffers(4, buffers);
   for (int i = 0; i < 4; i++) {
      glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
      glBufferData(GL_ARRAY_BUFFER, i == 3 ? 40000 : 256, NULL, GL_DYNAMIC_DRAW);
   }
   glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof corners, corners);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexAttribDivisor(5, n);
   glVertexAttribPointer(5, 4, GL_FLOAT, 0, 0, NULL);
   glEnableVertexAttribArray(5);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);

   glGenTextures(3, textures);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   glBindTexture(GL_TEXTURE_2D, textures[1]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glGenRenderbuffers(1, &depth);
   glBindRenderbuffer(GL_RENDERBUFFER, depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glGenSamplers(1, &sampler);
   glSamplerParameterf(sampler, GL_TEXTURE_LOD_BIAS, 1e-4f * n);
   glBindSampler(0, sampler);
   glActiveTexture(GL_TEXTURE1);
   glBindTexture(GL_TEXTURE_BUFFER, textures[2]);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffers[1]);
   glActiveTexture(GL_TEXTURE0);

   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "b"), 1);
   glUniform1f(glGetUniformLocation(program, "scale"), n);
   new_state(n);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[2]);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndTransformFeedback();
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &number);
   glFlush();
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 8, 8);
   GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   if (sync)
      glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000);
   glDeleteSync(sync);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 8, 8, 16, 16, GL_COLOR_BUFFER_BIT, GL_LINEAR);
   read_and_map(buffers[3]);

   glGenQueries(3, numbers);
   glBeginQuery(GL_TIME_ELAPSED, numbers[0]);
   glEndQuery(GL_TIME_ELAPSED);
   glQueryCounter(numbers[1], GL_TIMESTAMP);
   glBeginQuery(GL_PRIMITIVES_GENERATED, numbers[2]);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectui64v(numbers[1], GL_QUERY_RESULT, &number);
   glDeleteQueries(3, numbers);

   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(1, &depth);
   glBindSampler(0, 0);
   glDeleteSamplers(1, &sampler);
   glDeleteQueries(1, &query);
   glDeleteTextures(3, textures);
   glDeleteBuffers(4, buffers);
   glBindVertexArray(0);
   glDeleteVertexArrays(1, &vao);
   glUseProgram(0);
   glDeleteProgram(program);
   glDisable(GL_BLEND);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_ALPHA_TEST);
   glDisable(GL_POLYGON_OFFSET_FILL);
}

/* Draws a red triangle over the whole target and checks the picture.  The first call creates the
 * objects and states that it needs.
 */
static void
check_picture(int n, const char *when)
{
   static GLubyte pixels[SIZE * SIZE][4];

   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glColor3f(1, 0, 0);
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 3; i++)
      glVertex2fv(corners + i * 2);
   glEnd();
   memset(pixels, 0, sizeof pixels);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int i = 0; i < SIZE * SIZE; i++) {
      CHECK(pixels[i][0] == 255 && !pixels[i][1] && !pixels[i][2],
            "allocation %d, %s: pixel %d: %u %u %u", n, when, i, pixels[i][0], pixels[i][1],
            pixels[i][2]);
      if (fails)
         exit(1);
   }
   const GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "allocation %d, %s: %#x", n, when, error);
}

/* Runs work() with failing allocations.  Returns false if there is no n-th allocation. */
static bool
work_without(int n, bool for_ever)
{
   static int number = 1;
   bool told = false;

   if (verbose)
      fprintf(stderr, "work, allocation %d%s\n", n, for_ever ? " and all after it" : "");
   arm(n, for_ever);
   work(number++);
   const int failed = disarm();
   /* A submission that runs out of memory drops the rest of its draws. */
   glFinish();
   for (GLenum error; (error = glGetError()) != GL_NO_ERROR; told = true) {
      /* An object that could not be created cannot be used. */
      CHECK(failed && (error == GL_OUT_OF_MEMORY || error == GL_INVALID_OPERATION ||
                       error == GL_INVALID_VALUE || error == GL_INVALID_FRAMEBUFFER_OPERATION),
            "allocation %d: error %#x", n, error);
   }
   if (verbose && failed)
      fprintf(stderr, "   %s\n", told ? "GL reports an error" : "GL reports no error");
   check_picture(n, "afterwards");
   return failed != 0;
}

/* Creates and destroys a display and a context with failing allocations.  Returns false if there is
 * no n-th allocation.
 */
static bool
life_without(int n, bool for_ever)
{
   if (verbose)
      fprintf(stderr, "life, allocation %d%s\n", n, for_ever ? " and all after it" : "");
   arm(n, for_ever);
   const bool made = test_pbuffer(SIZE, SIZE);
   if (made) {
      glClear(GL_COLOR_BUFFER_BIT);
      /* Do not draw here.  Mesa writes constants and the vertices of glBegin even if the first
       * buffer for them could not be allocated (st_update_vs_constants, vbo_exec_vtx_map).
       */
      glFinish();
   }
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();
   EGLSurface surface = eglGetCurrentSurface(EGL_DRAW);
   if (made) {
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroySurface(display, surface);
      eglDestroyContext(display, context);
   }
   const int failed = disarm();
   eglTerminate(egl_surfaceless());
   eglReleaseThread();
   CHECK(made || failed, "no context with memory enough");
   CHECK(!atomic_load(&sgpu_failing.blocks), "allocation %d: %d blocks are left", n,
         atomic_load(&sgpu_failing.blocks));
   return failed != 0;
}

/* Starts the program again with the library, which the loaders then use instead of the product's,
 * since both have the same name.  Vendor libraries of libglvnd can load the driver before main().
 */
static void
preload(const char *library, char **argv)
{
   const char *others = getenv("LD_PRELOAD");
   char *path = realpath(library, NULL), *list;

   REQUIRE(path && asprintf(&list, "%s%s%s", path, others ? ":" : "", others ? others : "") > 0);
   if (others && strstr(others, path)) {
      free(path);
      free(list);
      return;
   }
   setenv("LD_PRELOAD", list, 1);
   execv("/proc/self/exe", argv);
   REQUIRE(!"the program cannot start again");
}

int
main(int argc, char **argv)
{
   if (argc < 2)
      return 2;
   preload(argv[1], argv);
   verbose = argc > 2;
   setenv("SGPU_DEBUG", "nocache", 0);
   setenv("EGL_LOG_LEVEL", "fatal", 1);

   REQUIRE(test_pbuffer(SIZE, SIZE));
   check_picture(0, "at first");
   work(0);
   check_picture(0, "before");
   CHECK(glGetError() == GL_NO_ERROR, "work");
   for (int n = 1; work_without(n, false); n += 1 + n / 64)
      ;
   for (int n = 1; work_without(n, true); n += 1 + n / 16)
      ;
   printf("%u runs of work, %u failures\n", runs, fails);

   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();
   EGLSurface surface = eglGetCurrentSurface(EGL_DRAW);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroySurface(display, surface);
   eglDestroyContext(display, context);
   eglTerminate(display);
   eglReleaseThread();
   CHECK(!atomic_load(&sgpu_failing.blocks), "%d blocks are left",
         atomic_load(&sgpu_failing.blocks));
   CHECK(runs > 10, "the driver is not the one with failing allocations");

   runs = 0;
   for (int n = 1; life_without(n, false); n += 1 + n / 64)
      ;
   for (int n = 1; life_without(n, true); n += 1 + n / 16)
      ;
   printf("%u lives, %u failures\n", runs, fails);
   return fails != 0;
}
