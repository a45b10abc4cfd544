/* SPDX-License-Identifier: MIT */
/*
 * The scenes of gl_scenes.c use features of OpenGL 3.3 that are rare in games.
 * They do not depend on the time or the machine, and they draw nothing that the
 * CPU has read back. A trace therefore has the same pictures as the program.
 */
#ifndef TEST_GL_SCENES_H
#define TEST_GL_SCENES_H

#define GL_GLEXT_PROTOTYPES
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#define WIDTH 200
#define HEIGHT 160

struct scene {
   const char *name;
   int samples; /* of the window */
   void (*make)(void);
   void (*draw)(int frame); /* to the window, all of it */
};

extern const struct scene scene_samples, scene_samples8, scene_window, scene_feedback,
   scene_geometry, scene_queries, scene_carried, scene_indirect;

/* A linked program. Stages may be NULL but for the first; the varyings are
 * captured, interleaved or (mode) each to a buffer of its own.
 */
GLuint scene_program(const char *vertex, const char *geometry, const char *fragment,
                     unsigned num_varyings, const char *const *varyings, GLenum mode);
GLuint scene_buffer(GLenum target, GLsizeiptr size, const void *data);
/* The value of a query, when it has one: printed, for tests of the program. */
void scene_value(const char *name, GLuint query);

#endif
