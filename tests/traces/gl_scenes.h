/* SPDX-License-Identifier: MIT */
/*
 * The scenes of gl_scenes.c use features of OpenGL 3.3 that are rare in games, and features of
 * OpenGL 4.6.  They do not depend on the time or the machine, and draw nothing that the CPU has
 * read back.  Therefore, a trace has the same pictures as the program.
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
   int samples; /* number of samples of the window */
   void (*make)(void);
   /* Draws a frame, which covers the whole window. */
   void (*draw)(int frame);
   /* Required version of OpenGL: 46, or 0 for 3.3. */
   int version;
};

extern const struct scene scene_samples, scene_samples8, scene_window, scene_feedback,
   scene_geometry, scene_queries, scene_carried, scene_indirect, scene_grids, scene_stores,
   scene_patches, scene_handles;

/* Links a program.  All stages except for the first may be NULL.  Transform feedback records the
 * varyings, interleaved or each in a separate buffer (mode).
 */
GLuint scene_program(const char *vertex, const char *geometry, const char *fragment,
                     unsigned num_varyings, const char *const *varyings, GLenum mode);
/* Links a program of these stages. */
GLuint scene_program_of(const GLenum *stages, const char *const *sources, unsigned count);
GLuint scene_buffer(GLenum target, GLsizeiptr size, const void *data);
/* Prints the value of a query when it is available, for tests of the program. */
void scene_value(const char *name, GLuint query);

#endif
