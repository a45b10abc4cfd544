/* SPDX-License-Identifier: MIT */
/*
 * Tests that run compiled shaders: finalized NIR through sgpu_compile and on the
 * device's interpreter, a warp at a time.
 */
#ifndef RUN_SHADER_H
#define RUN_SHADER_H

#include "device/shader/machine.h"
#include "sgpu_compiler.h"

/* How a shader is compiled: SGPU_DEBUG's words and SGPU_COMPILER_*. */
struct way {
   const char *name;
   unsigned debug;
};

/* All ways; none changes the results of a shader.  The first is the default. */
extern const struct way ways[];
extern const unsigned num_ways;

/* A compiled shader that the device has loaded. */
struct loaded {
   struct sgpu_shader *shader;
   struct sgd_shader *device;
};

/* Fails the test if the compiler or the device refuses the shader. */
struct loaded load_shader(void *mem_ctx, const nir_shader *nir, const struct way *way);
void unload_shader(struct loaded *loaded);

/* The register of an input or an output, or -1 if the program has none. */
int input_register(const struct loaded *loaded, unsigned location);
int output_register(const struct loaded *loaded, unsigned location);

void print_listing(const struct loaded *loaded);

#endif
