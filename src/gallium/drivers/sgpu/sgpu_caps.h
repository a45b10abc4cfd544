/* SPDX-License-Identifier: MIT */
/*
 * Capabilities that SGPU_DEBUG=gl46 adds: features of OpenGL 4.x that are not complete.
 */
#ifndef SGPU_CAPS_H
#define SGPU_CAPS_H

#include "pipe/p_defines.h"

struct pipe_screen;

/* The value, or -1: as without the flag. */
int sgpu_gl46_param(struct pipe_screen *pscreen, enum pipe_cap param);
/* Whether the flag adds the stage. */
bool sgpu_gl46_has_stage(struct pipe_screen *pscreen, enum pipe_shader_type stage);
int sgpu_gl46_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type stage,
                           enum pipe_shader_cap param);

#endif
