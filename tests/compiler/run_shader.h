/* SPDX-License-Identifier: MIT */
/*
 * For tests that run compiled shaders: compiles finalized NIR with sgpu_compile and runs it on the
 * device's interpreter, one warp at a time.
 */
#ifndef RUN_SHADER_H
#define RUN_SHADER_H

#include "device/shader/machine.h"
#include "sgpu_compiler.h"

/* A way to compile a shader: flags of SGPU_DEBUG and SGPU_COMPILER_*. */
struct way {
   const char *name;
   unsigned debug;
};

/* All ways.  They must not affect the results of a shader.  The first way is the default. */
extern const struct way ways[];
extern const unsigned num_ways;

/* A compiled shader that the device has loaded. */
struct loaded {
   struct sgpu_shader *shader;
   struct sgd_shader *device;
};

/* Compiles and loads a shader.  The test fails if the compiler or the device refuses it. */
struct loaded load_shader(void *mem_ctx, const nir_shader *nir, const struct way *way);
void unload_shader(struct loaded *loaded);

/* Return the register of an input or an output, or -1 if the program has none.  `location` is that of
 * struct sgpu_varying_info.
 */
int input_register(const struct loaded *loaded, unsigned location);
int output_register(const struct loaded *loaded, unsigned location);

void print_listing(const struct loaded *loaded);

#endif
