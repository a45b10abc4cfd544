/* SPDX-License-Identifier: MIT */
/*
 * Interface of the compiler, which compiles NIR to programs of the sgpu instruction set.
 */
#ifndef SGPU_COMPILER_H
#define SGPU_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir.h"
#include "sgpu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of SGPU_DEBUG that affect the compiler. */
enum sgpu_compiler_debug {
   SGPU_COMPILER_ASM = 1 << 0,        /* print statistics and assembly (see sgpu_compile()) */
   SGPU_COMPILER_SHADERDB = 1 << 1,   /* print statistics only, on one line per program */
   SGPU_COMPILER_NIR = 1 << 2,        /* print the lowered NIR before instruction selection */
   SGPU_COMPILER_PASSES = 1 << 3,     /* print the program after each pass */
   SGPU_COMPILER_NOOPT = 1 << 4,      /* skip optimizations */
   SGPU_COMPILER_NOVP1 = 1 << 5,      /* don't use the base profile */
   SGPU_COMPILER_SPILLALL = 1 << 6,   /* spill all registers that can be spilled */
   SGPU_COMPILER_NOVALIDATE = 1 << 7, /* debug builds: don't validate the program after each pass */
   SGPU_COMPILER_VALIDATE = 1 << 8,   /* release builds: validate the program after each pass */
   SGPU_COMPILER_TIMES = 1 << 9,      /* print the run time of each pass */
};

/* Key of a shader variant: state that the compiled program depends on, in addition to its NIR. */
struct sgpu_shader_key {
   bool legacy_mul; /* set if 0 * x must be 0 for all x, as in fixed-function and ARB programs */
};

#define SGPU_MAX_VARYINGS 32
/* Maximum number of inputs of a tessellation or geometry program, including system-defined ones. */
#define SGPU_MAX_INPUTS 64

/* An input of a program, or an output of a program that runs before the pixel stage. */
struct sgpu_varying_info {
   uint8_t location;      /* gl_varying_slot; for inputs of vertex programs, a vertex element */
   uint8_t reg;           /* index of the register in v[], va[] or o[] */
   uint8_t mask;          /* unused, always 0 */
   uint8_t interpolation; /* enum glsl_interp_mode; only set for inputs of pixel programs */
   bool centroid, sample;
};

/* A compiled shader: the program, and all information that the driver needs to bind it. The shader
 * is a ralloc context, so ralloc_free() frees everything.
 */
struct sgpu_shader {
   gl_shader_stage stage;
   struct sgpu_program program;
   unsigned num_inputs, num_outputs;
   struct sgpu_varying_info inputs[SGPU_MAX_INPUTS];
   struct sgpu_varying_info outputs[SGPU_MAX_VARYINGS + 24];
   bool fs_early_tests; /* set if depth and stencil tests run before the program */
   /* set if gl_SampleMaskIn only contains samples that passed the early tests */
   bool fs_post_depth_coverage;
   /* set if gl_SampleMaskIn only contains samples of pixels that the primitive covers completely */
   bool fs_inner_coverage;
   /* set if the program writes gl_FragColor, which is broadcast to all render targets */
   bool fs_broadcast_color;
   /* set if invocations for overlapping primitives must run in primitive order */
   bool fs_interlock;
   /* 1 + index of the highest color output that is written, or 0 if there is none */
   uint8_t fs_color_outputs;
   enum sgpu_primitive gs_input, gs_output;
   uint16_t gs_max_vertices;
   uint8_t gs_invocations; /* number of invocations per primitive, at least 1 */
   uint32_t shared_size;   /* shared memory per workgroup, in bytes */
   uint8_t tcs_vertices;   /* control shaders: number of vertices per output patch, at least 1 */
   enum sgpu_tess_domain tes_domain;
   enum sgpu_tess_spacing tes_spacing;
   bool tes_cw, tes_points;
   uint8_t cull_distances; /* bitmask of the distances in CLIP0 and CLIP1 that are cull distances */
   bool viewport_mask;     /* set if the program writes gl_ViewportMask */
   /* set if the number of the viewport is added to gl_Layer for each viewport of the mask */
   bool relative_layer;
   /* Number of steps that the compiler has taken. This is a deterministic measure of compile time.
    */
   uint64_t work;
   /* vertex shaders: why the program doesn't use the base profile, or NULL if it does */
   const char *not_vp1;
};

/* Compiler options for all stages, and the lowering for pipe_screen::finalize_nir. */
extern const nir_shader_compiler_options sgpu_nir_options;
void sgpu_finalize_nir(nir_shader *nir);

/* Compiles a clone of a finalized shader. Returns NULL if the shader exceeds the limits of the
 * hardware or memory runs out, and sets *error to a message that is allocated from mem_ctx. With
 * SGPU_COMPILER_ASM, prints the following to stderr: the line
 *    STAGE PROFILE instructions=N temps=N constants=N loops=N
 * (STAGE: vertex, fragment, compute...; PROFILE: vp1 or full), the assembly, and END.
 */
struct sgpu_shader *sgpu_compile(void *mem_ctx, const nir_shader *nir,
                                 const struct sgpu_shader_key *key, unsigned debug,
                                 const char **error);

/* Computes a hash of a shader. Shaders with the same hash compile to the same program if the other
 * arguments of sgpu_compile() are the same. Returns false on allocation failure.
 */
bool sgpu_nir_sha1(const nir_shader *nir, unsigned char sha1[20]);

struct blob;

/* Serializes a shader to a blob. Returns false on allocation failure. */
bool sgpu_shader_write(struct blob *blob, const struct sgpu_shader *shader);

/* Deserializes a shader that sgpu_shader_write() has written. Returns NULL if the data isn't a
 * valid shader of this stage, or on allocation failure. The data may be untrusted.
 */
struct sgpu_shader *sgpu_shader_read(const void *data, size_t size, gl_shader_stage stage);

#ifdef __cplusplus
}
#endif
#endif
