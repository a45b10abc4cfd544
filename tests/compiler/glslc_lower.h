/* SPDX-License-Identifier: MIT */
/*
 * The part of glslc for which Mesa has C++ interfaces only.
 */
#ifndef GLSLC_LOWER_H
#define GLSLC_LOWER_H

#ifdef __cplusplus
extern "C" {
#endif

struct gl_linked_shader;

/* The state tracker's lowering of GLSL's own representation. */
void glslc_lower_ir(struct gl_linked_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
