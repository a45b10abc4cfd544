/* SPDX-License-Identifier: MIT */
/*
 * The compiler's interface.  It compiles NIR to programs of the sgpu instruction set.
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

/* Bits of SGPU_DEBUG that the compiler uses. */
enum sgpu_compiler_debug {
   SGPU_COMPILER_ASM = 1 << 0,        /* print statistics and assembly, see sgpu_compile() */
   SGPU_COMPILER_SHADERDB = 1 << 1,   /* print only the line of statistics */
   SGPU_COMPILER_NIR = 1 << 2,        /* print the lowered NIR, before instruction selection */
   SGPU_COMPILER_PASSES = 1 << 3,     /* print the program after each pass */
   SGPU_COMPILER_NOOPT = 1 << 4,      /* skip optimizations */
   SGPU_COMPILER_NOVP1 = 1 << 5,      /* do not use the base profile */
   SGPU_COMPILER_SPILLALL = 1 << 6,   /* spill all registers that can be spilled */
   SGPU_COMPILER_NOVALIDATE = 1 << 7, /* do not validate after each pass in debug builds */
   SGPU_COMPILER_VALIDATE = 1 << 8,   /* validate after each pass in release builds, too */
   SGPU_COMPILER_TIMES = 1 << 9,      /* print the time of each pass */
};

/* Shader variants: the state that the program depends on, in addition to its NIR. */
struct sgpu_shader_key {
   bool legacy_mul; /* 0 times any value is 0, for fixed function and ARB programs */
};

#define SGPU_MAX_VARYINGS 32
/* Maximum number of inputs, generic or not, of a tessellation or geometry program. */
#define SGPU_MAX_INPUTS 64

/* An input of a program, or an output of a program before the pixel stage. */
struct sgpu_varying_info {
   uint8_t location;      /* gl_varying_slot, or gl_vert_attrib for inputs of vertex programs */
   uint8_t reg;           /* index of the register v[], va[] or o[] */
   uint8_t mask;          /* not used, 0 */
   uint8_t interpolation; /* enum glsl_interp_mode, for inputs of pixel programs */
   bool centroid, sample;
};

/* A compiled shader: the program, and the information that the driver needs to bind it.  It is
 * allocated with ralloc, and ralloc_free() frees all of it.
 */
struct sgpu_shader {
   gl_shader_stage stage;
   struct sgpu_program program;
   unsigned num_inputs, num_outputs;
   struct sgpu_varying_info inputs[SGPU_MAX_INPUTS];
   struct sgpu_varying_info outputs[SGPU_MAX_VARYINGS + 24];
   bool fs_early_tests;         /* depth and stencil tests run before the program */
   bool fs_post_depth_coverage; /* gl_SampleMaskIn has the samples that passed the early tests */
   bool fs_inner_coverage;      /* gl_SampleMaskIn has samples of fully covered pixels only */
   bool fs_broadcast_color;     /* writes gl_FragColor, which goes to all targets */
   bool fs_interlock;           /* invocations of overlapping primitives run in primitive order */
   uint8_t fs_color_outputs;    /* highest colour output that is written, plus 1 */
   enum sgpu_primitive gs_input, gs_output;
   uint16_t gs_max_vertices;
   uint8_t gs_invocations; /* invocations per primitive, at least 1 */
   uint32_t shared_size;   /* shared memory of a workgroup, in bytes */
   uint8_t tcs_vertices;   /* vertices of a patch that the control shader outputs, at least 1 */
   enum sgpu_tess_domain tes_domain;
   enum sgpu_tess_spacing tes_spacing;
   bool tes_cw, tes_points;
   uint8_t cull_distances; /* bit mask of the distances in CLIP0 and CLIP1 that cull */
   uint64_t work;          /* number of steps that the compiler made, a measure of its time */
   const char *not_vp1;    /* vertex shaders: why the program needs the full profile, or NULL */
};

/* The compiler options for all stages, and the lowering for pipe_screen::finalize_nir. */
extern const nir_shader_compiler_options sgpu_nir_options;
void sgpu_finalize_nir(nir_shader *nir);

/* Compiles a finalized shader.  It is cloned and not changed.  If the shader exceeds the limits of
 * the machine or memory runs out, returns NULL, and sets *error to a message that is allocated
 * from mem_ctx.  With SGPU_COMPILER_ASM, prints to stderr the line
 *    STAGE PROFILE instructions=N temps=N constants=N loops=N
 * (STAGE: vertex, fragment, compute...; PROFILE: vp1 or full), the assembly, and END.
 */
struct sgpu_shader *sgpu_compile(void *mem_ctx, const nir_shader *nir,
                                 const struct sgpu_shader_key *key, unsigned debug,
                                 const char **error);

/* Computes a hash of a shader.  Shaders with equal hashes compile to the same program if the other
 * arguments of sgpu_compile() are equal.  Returns false if out of memory.
 */
bool sgpu_nir_sha1(const nir_shader *nir, unsigned char sha1[20]);

struct blob;

/* Serializes the shader to a blob.  Returns false if out of memory. */
bool sgpu_shader_write(struct blob *blob, const struct sgpu_shader *shader);

/* Creates a shader from the bytes that sgpu_shader_write() wrote.  Returns NULL if the bytes are
 * not a valid shader of this stage, or if out of memory.  The bytes need not be trusted.
 */
struct sgpu_shader *sgpu_shader_read(const void *data, size_t size, gl_shader_stage stage);

#ifdef __cplusplus
}
#endif
#endif
