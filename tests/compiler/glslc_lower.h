/* SPDX-License-Identifier: MIT */
/*
 * The part of glslc that Mesa has in C++ alone.
 */
#ifndef GLSLC_LOWER_H
#define GLSLC_LOWER_H

#ifdef __cplusplus
extern "C" {
#endif

struct gl_linked_shader;

/* What the state tracker does to GLSL's own representation. */
void glslc_lower_ir(struct gl_linked_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
