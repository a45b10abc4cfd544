/* SPDX-License-Identifier: MIT */
/*
 * For tests of desktop OpenGL: functions that link programs, and checks that print and count
 * failures but do not end the test.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#define GL_GLEXT_PROTOTYPES
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <GL/gl.h>
#include <GL/glext.h>

static unsigned fails;

/* Checks a condition.  The other arguments are a printf format and its values, which usually
 * describe the value that was found.
 */
#define CHECK(condition, ...)                                            \
   do {                                                                  \
      if (!(condition) && fails++ < 50) {                                \
         fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
         fprintf(stderr, __VA_ARGS__);                                   \
         fprintf(stderr, "\n");                                          \
      }                                                                  \
   } while (0)

/* Ends the test if the condition is false. */
#define REQUIRE(condition)                                               \
   do {                                                                  \
      if (!(condition)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
         exit(1);                                                        \
      }                                                                  \
   } while (0)

/* Checks that no GL error is left.  Returns the exit status of the test. */
static inline int
test_end(void)
{
   const GLenum error = glGetError();

   CHECK(error == GL_NO_ERROR, "GL error 0x%x", error);
   return fails != 0;
}

/* Compiles a shader and attaches it to a program, which owns it then. */
static inline void
test_shader(GLuint program, GLenum stage, const char *source)
{
   GLuint shader = glCreateShader(stage);
   GLint ok;
   char log[1000] = "";

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderInfoLog(shader, sizeof log, NULL, log);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok, "%s\n%s", log, source);
   glAttachShader(program, shader);
   glDeleteShader(shader);
}

/* Returns whether the program links. */
static inline bool
test_link(GLuint program)
{
   GLint ok;
   char log[1000] = "";

   glLinkProgram(program);
   glGetProgramInfoLog(program, sizeof log, NULL, log);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "%s", log);
   return ok;
}

/* Returns a linked program.  A stage whose source is NULL uses fixed function. */
static inline GLuint
test_program(const char *vertex, const char *fragment)
{
   GLuint program = glCreateProgram();

   if (vertex)
      test_shader(program, GL_VERTEX_SHADER, vertex);
   if (fragment)
      test_shader(program, GL_FRAGMENT_SHADER, fragment);
   test_link(program);
   return program;
}

/* Creates a framebuffer object and binds it. */
static inline GLuint
new_framebuffer(void)
{
   GLuint framebuffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   return framebuffer;
}

/* Creates a renderbuffer, single-sampled if `samples` is 0, and attaches it to the bound
 * framebuffer.
 */
static inline GLuint
attach_renderbuffer(GLenum attachment, GLenum format, int samples, int width, int height)
{
   GLuint renderbuffer;

   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
   return renderbuffer;
}

#endif
