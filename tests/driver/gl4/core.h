/* SPDX-License-Identifier: MIT */
/*
 * For tests of OpenGL 4.x: a core context without a surface, programs of any stages, buffers and
 * targets.  The tests compute all expected values on the CPU and use nothing specific to sgpu, so
 * they can run on other drivers of Mesa, too.
 */
#ifndef TEST_CORE_H
#define TEST_CORE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "../egl.h"

static inline EGLDisplay
core_display(void)
{
   EGLDisplay display = egl_display(EGL_OPENGL_API);

   if (!display) {
      fprintf(stderr, "no EGL display\n");
      exit(1);
   }
   return display;
}

/* Creates a context with the core profile of OpenGL 4.5.  If robust is set, the context has robust
 * access and is lost on a reset.
 */
static inline EGLContext
core_context(EGLDisplay display, bool robust)
{
   EGLContext context = egl_context(display, EGL_NO_CONTEXT, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    robust,
                                    robust ? EGL_LOSE_CONTEXT_ON_RESET : EGL_NO_RESET_NOTIFICATION);

   if (!context) {
      fprintf(stderr, "no context of OpenGL 4.5\n");
      exit(1);
   }
   return context;
}

static inline void
core_current(EGLDisplay display, EGLContext context)
{
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      fprintf(stderr, "the context cannot be made current\n");
      exit(1);
   }
}

static inline void
core_begin(void)
{
   EGLDisplay display = core_display();

   core_current(display, core_context(display, false));
   GLuint vao;
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

/* Prints the result of the test.  Returns its exit status. */
static inline int
core_end(const char *name)
{
   const int status = test_end();

   printf("%s: %u failures\n", name, fails);
   return status;
}

static inline bool
core_extension(const char *name)
{
   GLint count = 0;

   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (GLint i = 0; i < count; i++) {
      if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, i), name))
         return true;
   }
   printf("%s is not offered\n", name);
   return false;
}

/* Formats a text.  The buffer is valid until the 16th next call. */
__attribute__((format(printf, 1, 2))) static inline const char *
text(const char *format, ...)
{
   static char buffers[16][8192];
   static unsigned next;
   char *buffer = buffers[next++ % 16];
   va_list args;

   va_start(args, format);
   const int length = vsnprintf(buffer, sizeof buffers[0], format, args);
   va_end(args);
   if (length >= (int)sizeof buffers[0]) {
      fprintf(stderr, "text is too long\n");
      exit(1);
   }
   return buffer;
}

/* Sources of a program's stages, without "#version".  `head` is inserted before each source. */
struct core_stages {
   /* Text after "#version"; NULL: "450 core". */
   const char *version;
   const char *head;
   const char *vs, *tcs, *tes, *gs, *fs, *cs;
   /* names of the outputs that transform feedback records interleaved, with a NULL at the end; or
    * NULL
    */
   const char *const *varyings;
};

/* Links a program.  Prints a message and returns 0 on failure. */
static inline GLuint
core_program(const struct core_stages *s)
{
   const struct {
      GLenum stage;
      const char *source;
   } stages[] = {
      { GL_VERTEX_SHADER, s->vs },           { GL_TESS_CONTROL_SHADER, s->tcs },
      { GL_TESS_EVALUATION_SHADER, s->tes }, { GL_GEOMETRY_SHADER, s->gs },
      { GL_FRAGMENT_SHADER, s->fs },         { GL_COMPUTE_SHADER, s->cs },
   };
   GLuint program = glCreateProgram();
   GLsizei count = 0;
   GLint ok;
   char log[1000] = "";

   for (unsigned i = 0; i < sizeof stages / sizeof stages[0]; i++) {
      if (!stages[i].source)
         continue;
      const char *const strings[] = { "#version ", s->version ? s->version : "450 core",
                                      "\n",        s->head ? s->head : "",
                                      "#line 1\n", stages[i].source };
      GLuint shader = glCreateShader(stages[i].stage);
      glShaderSource(shader, sizeof strings / sizeof strings[0], strings, NULL);
      glCompileShader(shader);
      glGetShaderInfoLog(shader, sizeof log, NULL, log);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      CHECK(ok, "%s%s", log, stages[i].source);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   while (s->varyings && s->varyings[count])
      count++;
   if (count)
      glTransformFeedbackVaryings(program, count, s->varyings, GL_INTERLEAVED_ATTRIBS);
   if (!test_link(program)) {
      glDeleteProgram(program);
      return 0;
   }
   glUseProgram(program);
   return program;
}

/* Links a program and makes it current. */
#define PROGRAM(...) core_program(&(struct core_stages){ __VA_ARGS__ })

/* Creates a buffer.  It contains zeros if data is NULL. */
static inline GLuint
core_buffer(size_t size, const void *data)
{
   void *zeros = data ? NULL : calloc(1, size);
   GLuint buffer;

   glCreateBuffers(1, &buffer);
   glNamedBufferData(buffer, size, data ? data : zeros, GL_STATIC_DRAW);
   free(zeros);
   return buffer;
}

static inline GLuint
core_storage(unsigned binding, size_t size, const void *data)
{
   const GLuint buffer = core_buffer(size, data);

   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
   return buffer;
}

static inline void
core_read(GLuint buffer, size_t size, void *data)
{
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetNamedBufferSubData(buffer, 0, size, data);
}

/* Creates a framebuffer with one texture, binds it and clears it to zeros. */
static inline GLuint
core_target(GLenum format, unsigned width, unsigned height, GLuint *texture)
{
   GLuint fb;

   glCreateTextures(GL_TEXTURE_2D, 1, texture);
   glTextureStorage2D(*texture, 1, format, width, height);
   glTextureParameteri(*texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTextureParameteri(*texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glClearTexImage(*texture, 0, format == GL_R32UI ? GL_RED_INTEGER : GL_RGBA,
                   format == GL_R32UI ? GL_UNSIGNED_INT : GL_FLOAT, NULL);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, *texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%ux%u", width,
         height);
   glViewport(0, 0, width, height);
   return fb;
}

static inline uint32_t
core_random(void)
{
   static uint64_t state = 0x9e3779b97f4a7c15u;

   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)(state >> 16);
}

/* Vertex shader of a triangle that covers the whole target. */
#define FILL_VS                                                        \
   "void main() {\n"                                                   \
   "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"            \
   "                      gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n" \
   "}\n"

#endif
