/* SPDX-License-Identifier: MIT */
/*
 * For tests of desktop OpenGL: functions that link programs, and checks that print and count
 * failures but do not end the test.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#define GL_GLEXT_PROTOTYPES
#include <stdio.h>

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

/* Returns a linked program.  A stage whose source is NULL uses fixed function. */
static inline GLuint
test_program(const char *vertex, const char *fragment)
{
   const char *const sources[2] = { vertex, fragment };
   const GLenum stages[2] = { GL_VERTEX_SHADER, GL_FRAGMENT_SHADER };
   GLuint program = glCreateProgram();
   GLint ok;
   char log[1000] = "";

   for (int i = 0; i < 2; i++) {
      if (!sources[i])
         continue;
      GLuint shader = glCreateShader(stages[i]);
      glShaderSource(shader, 1, &sources[i], NULL);
      glCompileShader(shader);
      glGetShaderInfoLog(shader, sizeof log, NULL, log);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      CHECK(ok, "%s", log);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glLinkProgram(program);
   glGetProgramInfoLog(program, sizeof log, NULL, log);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "%s", log);
   return program;
}

#endif
