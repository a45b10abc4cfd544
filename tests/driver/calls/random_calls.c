/* SPDX-License-Identifier: MIT */
/*
 * Fuzzer of the OpenGL API: calls all functions of the core profile with random arguments, on
 * objects that exist and on names that do not.  It uses three contexts: a robust one that is lost
 * after a reset, one with robust access, and one with neither.  No call may crash.  Sizes are
 * small, so that the memory that a call reads or writes exists in the program.
 *
 *    random_calls FIRST-SEED SEEDS CALLS [v]     v: prints each call before it is made
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glcorearb.h>

#include "../egl.h"

#define MAX_SIZE 48
#define MAX_BYTES 65536
/* Number of 32-bit words of `memory`.  The largest picture has MAX_SIZE^3 texels of 32 bytes. */
#define WORDS (4u << 20)
#define OBJECTS 8

static uint64_t state;
static uint32_t *memory;
/* Place of the current call (seed and number of the call), for messages. */
static char place[128];

static uint32_t
below(uint32_t end)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)((state >> 32) * end >> 32);
}

static int64_t
number(void)
{
   static const int64_t odd[] = { -1, INT32_MAX, INT32_MIN, 65535, 65536, 255, 256, 1 << 24 };

   switch (below(8)) {
   case 0:
      return odd[below(sizeof odd / sizeof *odd)];
   case 1:
      return (int64_t)below(UINT32_MAX);
   default:
      return below(12);
   }
}

static uint64_t
name(void)
{
   return below(8) ? below(OBJECTS + 2) : (uint64_t)number();
}

/* Returns a random number of elements or size of a picture.  It is at most MAX_SIZE, which the
 * program's memory can hold.
 */
static int32_t
size(void)
{
   return below(16) ? (int32_t)below(MAX_SIZE) : -(int32_t)below(3);
}

static uint8_t
flag(void)
{
   return (uint8_t)below(2);
}

static uint32_t
bits(void)
{
   return below(2) ? 1u << below(32) : below(UINT32_MAX);
}

static int64_t
offset(void)
{
   return below(8) ? (int64_t)(4 * below(1024)) : number();
}

static int64_t
bytes(void)
{
   return below(16) ? (int64_t)below(MAX_BYTES) : -(int64_t)below(3);
}

static float
real(void)
{
   static const float odd[] = {
      0, 1, -1, 0.5f, 1e30f, -1e30f, 1e-40f, 255, __builtin_inff(), __builtin_nanf("")
   };
   return odd[below(sizeof odd / sizeof *odd)];
}

static uint32_t
choose(const GLenum *values, unsigned count)
{
   return values[below(count)];
}

/* Fills the memory with small random words and a few large ones. */
static void *
words(void)
{
   for (unsigned i = 0; i < 256; i++)
      memory[i] = (uint32_t)(below(32) ? below(64) : (uint32_t)number());
   return memory;
}

static const char *const all_texts[] = {
   "a",
   "b",
   "u",
   "block",
   "store",
   "gl_Position",
   "color",
   "main",
   "",
   "#version 450\nvoid main() { gl_Position = vec4(0); }",
   "#version 450\nlayout(location = 0) out vec4 c; void main() { c = vec4(1); }",
};
#define NUM_TEXTS (sizeof all_texts / sizeof *all_texts)

static const char *
text(void)
{
   return all_texts[below(NUM_TEXTS)];
}

/* Returns a list of as many strings as size() can return. */
static const char *const *
texts(void)
{
   static const char *list[MAX_SIZE];

   for (unsigned i = 0; i < MAX_SIZE; i++)
      list[i] = text();
   return list;
}

static uint32_t any_enum(void);

#include "calls.h"

static uint32_t
any_enum(void)
{
   return choose(all_enums, sizeof all_enums / sizeof *all_enums);
}

static GLuint
shader(GLenum type, const char *source)
{
   const GLuint s = glCreateShader(type);
   glShaderSource(s, 1, &source, NULL);
   glCompileShader(s);
   return s;
}

static void
program(const char *vertex, const char *other, GLenum type)
{
   const GLuint p = glCreateProgram();

   if (vertex)
      glAttachShader(p, shader(GL_VERTEX_SHADER, vertex));
   glAttachShader(p, shader(type, other));
   glLinkProgram(p);
}

/* Creates objects of each kind with the names 1 to OBJECTS. */
static void
make_objects(void)
{
   static const char vertex[] = "#version 450\n"
                                "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b;\n"
                                "uniform vec4 u[20]; out vec4 v;\n"
                                "void main() { gl_Position = a + u[int(b.x) & 31]; v = b; }";
   static const char pixel[] = "#version 450\n"
                               "in vec4 v; layout(location = 0) out vec4 c; uniform sampler2D s;\n"
                               "uniform block { vec4 m[16]; } n;\n"
                               "void main() { c = texture(s, v.xy) + n.m[int(v.z)]; }";
   static const char grid[] = "#version 450\n"
                              "layout(local_size_x = 8) in; layout(r32ui) uniform uimage2D i;\n"
                              "layout(std430) buffer store { uint w[]; } o;\n"
                              "shared uint t[64];\n"
                              "void main() { uint k = gl_GlobalInvocationID.x; t[k] = k;\n"
                              "   barrier(); o.w[k * 77u] = t[k * 5u];\n"
                              "   imageAtomicAdd(i, ivec2(k), 1u); }";
   GLuint names[OBJECTS];

   /* Programs 1 and 4 link.  Shaders and programs share names. */
   program(vertex, pixel, GL_FRAGMENT_SHADER);
   program(NULL, grid, GL_COMPUTE_SHADER);
   glCreateBuffers(OBJECTS, names);
   for (unsigned i = 0; i < OBJECTS; i++) {
      if (i % 2)
         glNamedBufferData(names[i], 4096 << i % 4, words(), GL_DYNAMIC_DRAW);
      else
         glNamedBufferStorage(names[i], 4096 << i % 4, words(),
                              GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT |
                                 GL_MAP_PERSISTENT_BIT);
   }
   static const GLenum targets[OBJECTS] = {
      GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
      GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_BUFFER,   GL_TEXTURE_2D_MULTISAMPLE,
   };
   for (unsigned i = 0; i < OBJECTS; i++)
      glCreateTextures(targets[i], 1, &names[i]);
   glTextureStorage2D(names[0], 4, GL_RGBA8, 32, 32);
   glTextureStorage3D(names[1], 3, GL_R32F, 16, 16, 16);
   glTextureStorage3D(names[2], 2, GL_RGBA16F, 16, 16, 5);
   glTextureStorage2D(names[3], 3, GL_RGBA8, 16, 16);
   glTextureStorage1D(names[4], 2, GL_RG8, 64);
   glTextureStorage2D(names[5], 1, GL_DEPTH24_STENCIL8, 32, 32);
   glTextureBuffer(names[6], GL_R32UI, 1);
   glTextureStorage2DMultisample(names[7], 4, GL_RGBA8, 32, 32, GL_TRUE);
   const GLuint color = names[0], depth = names[5];
   glCreateFramebuffers(OBJECTS, names);
   glNamedFramebufferTexture(names[0], GL_COLOR_ATTACHMENT0, color, 0);
   glNamedFramebufferTexture(names[0], GL_DEPTH_STENCIL_ATTACHMENT, depth, 0);
   glCreateRenderbuffers(OBJECTS, names);
   glCreateSamplers(OBJECTS, names);
   glCreateVertexArrays(OBJECTS, names);
   glVertexArrayElementBuffer(names[0], 2);
   for (unsigned i = 0; i < 2; i++) {
      glEnableVertexArrayAttrib(names[0], i);
      glVertexArrayVertexBuffer(names[0], i, 1 + i, 0, 16);
   }
   glCreateQueries(GL_SAMPLES_PASSED, OBJECTS, names);
   glCreateTransformFeedbacks(OBJECTS, names);
   glGenProgramPipelines(OBJECTS, names);
   glBindVertexArray(1);
   glBindFramebuffer(GL_FRAMEBUFFER, 1);
   glUseProgram(1);
}

/* Returns true if indices come from a buffer.  Otherwise, a draw can read any amount of the
 * program's memory.
 */
static bool
has_indices(void)
{
   GLint buffer = 0;

   glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &buffer);
   return buffer != 0;
}

/* Makes a draw or dispatch that has an effect.  Among random calls, such ones are rare. */
static void
work(void)
{
   glBindVertexArray(1);
   glUseProgram(1);
   switch (below(4)) {
   case 0:
      glDrawArrays(below(15), (GLint)below(1000), (GLsizei)below(1000));
      break;
   case 1:
      if (!has_indices())
         break;
      glDrawElements(below(15), (GLsizei)below(1000), GL_UNSIGNED_INT - 2 * below(3),
                     (const void *)(uintptr_t)below(9000));
      break;
   case 2:
      glUseProgram(4);
      glDispatchCompute(below(20), below(3), 1);
      break;
   default:
      glBindBuffer(GL_DRAW_INDIRECT_BUFFER, (GLuint)name());
      if (!has_indices())
         break;
      glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                                  (const void *)(uintptr_t)(4 * below(900)), size(), 0);
   }
   if (below(4) == 0)
      glReadPixels(0, 0, size(), size(), GL_RGBA, GL_UNSIGNED_BYTE, memory);
}

static bool
run(EGLDisplay display, uint64_t seed, unsigned count, bool verbose)
{
   EGLContext context = egl_context(display, EGL_NO_CONTEXT, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    seed % 3 > 0,
                                    seed % 3 > 1 ? EGL_LOSE_CONTEXT_ON_RESET
                                                 : EGL_NO_RESET_NOTIFICATION);

   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      fprintf(stderr, "no context: 0x%x\n", eglGetError());
      return false;
   }
   state = seed * 0x9e3779b97f4a7c15ull + 1;
   make_objects();
   for (unsigned i = 0; i < count; i++) {
      const unsigned n = below(sizeof calls / sizeof *calls);
      snprintf(place, sizeof place, "seed %llu, call %u: %s\n", (unsigned long long)seed, i,
               calls[n].name);
      if (verbose)
         fputs(place, stderr);
      if (!strstr(calls[n].name, "Elements") || has_indices())
         calls[n].run();
      if (below(16) == 0)
         work();
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   return true;
}

static void
on_fault(int number)
{
   const ssize_t written = write(2, place, strlen(place));
   (void)written;
   signal(number, SIG_DFL);
   raise(number);
}

int
main(int argc, char **argv)
{
   static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
   EGLDisplay display;

   if (argc < 4) {
      fprintf(stderr, "usage: %s FIRST-SEED SEEDS CALLS [v]\n", argv[0]);
      return 2;
   }
   display = egl_display(EGL_OPENGL_API);
   if (!display) {
      fprintf(stderr, "no EGL display\n");
      return 1;
   }
   for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
      calls[i].function = eglGetProcAddress(calls[i].name);
      if (!calls[i].function) {
         fprintf(stderr, "there is no %s\n", calls[i].name);
         return 1;
      }
   }
   for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
      signal(faults[i], on_fault);
   memory = calloc(WORDS, sizeof *memory);
   const uint64_t first = strtoull(argv[1], NULL, 0), seeds = strtoull(argv[2], NULL, 0);
   for (uint64_t seed = first; memory && seed < first + seeds; seed++) {
      if (!run(display, seed, (unsigned)strtoul(argv[3], NULL, 0), argc > 4))
         return 1;
   }
   free(memory);
   eglTerminate(display);
   return 0;
}
