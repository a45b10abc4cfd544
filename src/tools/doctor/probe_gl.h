/* SPDX-License-Identifier: MIT */
/* Functions of OpenGL that each probe needs, and what the probes share. */
#ifndef PROBE_GL_H
#define PROBE_GL_H

#include <GL/gl.h>

struct probe_gl {
   const GLubyte *(*GetString)(GLenum);
   void (*ClearColor)(GLfloat, GLfloat, GLfloat, GLfloat);
   void (*Clear)(GLbitfield);
   void (*ReadPixels)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
};

/* Names the renderer, clears the framebuffer and reads a pixel. */
int probe_draw(struct probe_gl *gl);
/* Connects to the X server.  Returns the Display, or NULL. */
void *probe_display(void);

#endif
