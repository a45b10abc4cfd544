/* SPDX-License-Identifier: MIT */
/*
 * The scenes of gl_scenes.c use features of OpenGL 3.3 that are rare in games, and of 4.6.
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
   int version;             /* of OpenGL: 46; 0: 3.3 */
};

extern const struct scene scene_samples, scene_samples8, scene_window, scene_feedback,
   scene_geometry, scene_queries, scene_carried, scene_indirect, scene_grids, scene_stores,
   scene_patches, scene_handles;

/* A linked program. Stages may be NULL but for the first; the varyings are
 * captured, interleaved or (mode) each to a buffer of its own.
 */
GLuint scene_program(const char *vertex, const char *geometry, const char *fragment,
                     unsigned num_varyings, const char *const *varyings, GLenum mode);
/* The same of these stages. */
GLuint scene_program_of(const GLenum *stages, const char *const *sources, unsigned count);
GLuint scene_buffer(GLenum target, GLsizeiptr size, const void *data);
/* The value of a query, when it has one: printed, for tests of the program. */
void scene_value(const char *name, GLuint query);

#endif
