/* SPDX-License-Identifier: MIT */
/*
 * The part of glslc for which Mesa only has C++ interfaces.
 */
#ifndef GLSLC_LINK_H
#define GLSLC_LINK_H

#ifdef __cplusplus
extern "C" {
#endif

struct gl_context;
struct gl_shader_program;
struct nir_shader_compiler_options;

/* Compiles and links shaders, one per file; the extension of a file's name determines the stage.
 * Prints messages to stdout.  Returns NULL if the shaders do not compile or link.
 */
struct gl_shader_program *glslc_link(struct gl_context *ctx, int version,
                                     const struct nir_shader_compiler_options *options,
                                     unsigned num_files, char **files);

#ifdef __cplusplus
}
#endif

#endif
