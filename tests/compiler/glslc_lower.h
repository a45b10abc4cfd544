/* SPDX-License-Identifier: MIT */
/*
 * The part of glslc for which Mesa only has C++ interfaces.
 */
#ifndef GLSLC_LOWER_H
#define GLSLC_LOWER_H

#ifdef __cplusplus
extern "C" {
#endif

struct gl_linked_shader;

/* Runs the state tracker's lowering of the GLSL IR. */
void glslc_lower_ir(struct gl_linked_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
