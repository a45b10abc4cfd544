/* SPDX-License-Identifier: MIT */
/*
 * For tests of OpenGL ES 2: EGL without a window system, programs and targets.
 */
#ifndef TEST_GLES_H
#define TEST_GLES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLES2/gl2.h>

#include "egl.h"

#define CHECK(condition)                                                                 \
   do {                                                                                  \
      if (!(condition)) {                                                                \
         fprintf(stderr, "%s:%d: %s (EGL error 0x%x)\n", __FILE__, __LINE__, #condition, \
                 eglGetError());                                                         \
         exit(1);                                                                        \
      }                                                                                  \
   } while (0)

#define POSITION_VS             \
   "attribute vec4 position;\n" \
   "void main() { gl_Position = position; }\n"
/* Slow enough for work to be under way, and hot enough to be translated. */
#define SLOW_FS                                                             \
   "precision highp float; uniform vec4 colour;\n"                          \
   "void main() {\n"                                                        \
   "   float s = 0.0;\n"                                                    \
   "   for (int i = 0; i < 64; i++) s += sin(gl_FragCoord.x * float(i));\n" \
   "   gl_FragColor = colour + vec4(0.0, 0.0, 0.0, clamp(s, 0.0, 0.0));\n"  \
   "}\n"

static inline EGLDisplay
test_display(void)
{
   EGLDisplay display = egl_display(EGL_OPENGL_ES_API);
   CHECK(display);
   return display;
}

static inline EGLContext
test_context(EGLDisplay display, EGLContext share)
{
   static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE };
   static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
   EGLConfig config;
   EGLint count;
   CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
   EGLContext context = eglCreateContext(display, config, share, version);
   CHECK(context);
   return context;
}

static inline void
test_current(EGLDisplay display, EGLContext context)
{
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}

static inline GLuint
test_shader(GLenum stage, const char *source)
{
   GLuint shader = glCreateShader(stage);
   GLint ok;
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok);
   return shader;
}

static inline GLuint
test_program(const char *vertex, const char *fragment)
{
   GLuint program = glCreateProgram();
   GLint ok;
   glAttachShader(program, test_shader(GL_VERTEX_SHADER, vertex));
   glAttachShader(program, test_shader(GL_FRAGMENT_SHADER, fragment));
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok);
   return program;
}

/* Creates a framebuffer object with a texture of size x size texels, binds it, and clears it to
 * opaque black.
 */
static inline GLuint
test_target(int size, GLuint *texture)
{
   GLuint fbo;
   glGenTextures(1, texture);
   glBindTexture(GL_TEXTURE_2D, *texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glViewport(0, 0, size, size);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   return fbo;
}

/* Draws a triangle that covers the whole target with the current program. */
static inline void
test_fill(void)
{
   static const float corners[] = { -1, -1, 3, -1, -1, 3 };
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static inline void
test_pixel(int x, int y, unsigned char rgba[4])
{
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

#endif
