/* SPDX-License-Identifier: MIT */
/*
 * The compiler's interface: NIR in, a program of sgpu's instruction set out.
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

/* SGPU_DEBUG bits that the compiler heeds. */
enum sgpu_compiler_debug {
   SGPU_COMPILER_ASM = 1 << 0,        /* print each program, see sgpu_compile */
   SGPU_COMPILER_SHADERDB = 1 << 1,   /* print its statistics line alone */
   SGPU_COMPILER_NIR = 1 << 2,        /* print the NIR that selection sees */
   SGPU_COMPILER_PASSES = 1 << 3,     /* print the program after each pass */
   SGPU_COMPILER_NOOPT = 1 << 4,      /* skip the optional passes */
   SGPU_COMPILER_NOVP1 = 1 << 5,      /* never the base profile */
   SGPU_COMPILER_SPILLALL = 1 << 6,   /* spill whatever can be spilled */
   SGPU_COMPILER_NOVALIDATE = 1 << 7, /* debug builds: no check after each pass */
   SGPU_COMPILER_VALIDATE = 1 << 8,   /* release builds: check after each pass */
   SGPU_COMPILER_TIMES = 1 << 9,      /* print the time of each pass */
};

/* The state that the program depends on, besides its NIR. */
struct sgpu_shader_key {
   bool legacy_mul; /* 0 times anything is 0: fixed function and ARB programs */
};

#define SGPU_MAX_VARYINGS 32
/* Generic and other inputs of a tessellation or geometry program. */
#define SGPU_MAX_INPUTS 64

/* An input of a program, or an output of one before the pixel program. */
struct sgpu_varying_info {
   uint8_t location;      /* gl_varying_slot, or gl_vert_attrib for vertex inputs */
   uint8_t reg;           /* v[reg], va[reg] or o[reg] */
   uint8_t mask;          /* components */
   uint8_t interpolation; /* enum glsl_interp_mode, pixel inputs */
   bool centroid, sample;
};

/* A compiled shader: the program and the information for the driver to bind it.
 * ralloc'ed; freeing it frees everything.
 */
struct sgpu_shader {
   gl_shader_stage stage;
   struct sgpu_program program;
   unsigned num_inputs, num_outputs;
   struct sgpu_varying_info inputs[SGPU_MAX_INPUTS];
   struct sgpu_varying_info outputs[SGPU_MAX_VARYINGS + 24];
   bool fs_early_tests;
   bool fs_post_depth_coverage; /* gl_SampleMaskIn is what early tests have left */
   bool fs_inner_coverage;      /* gl_SampleMaskIn is that of whole pixels */
   bool fs_broadcast_color;     /* gl_FragColor */
   bool fs_interlock;           /* runs in primitive order where primitives overlap */
   uint8_t fs_color_outputs;    /* highest colour written, plus 1 */
   enum sgpu_primitive gs_input, gs_output;
   uint16_t gs_max_vertices;
   uint8_t gs_invocations; /* 1 at least */
   uint32_t shared_size;   /* compute: bytes that a workgroup shares */
   uint8_t tcs_vertices;   /* of a patch that the control shader makes, 1 at least */
   enum sgpu_tess_domain tes_domain;
   enum sgpu_tess_spacing tes_spacing;
   bool tes_cw, tes_points;
   uint8_t cull_distances; /* which of the distances in CLIP0 and CLIP1 cull */
   uint64_t work;          /* steps of the compiler's passes, a measure of its time */
   const char *not_vp1;    /* vertex: first reason for the full profile, or NULL */
};

/* The options for every stage, and the lowering that finalize_nir may do. */
extern const nir_shader_compiler_options sgpu_nir_options;
void sgpu_finalize_nir(nir_shader *nir);

/* Compiles a finalized shader, which is cloned and not changed.  Returns NULL
 * and sets *error (ralloc'ed on mem_ctx) when the shader is beyond the
 * machine's limits.  With SGPU_COMPILER_ASM prints
 *    STAGE PROFILE instructions=N temps=N constants=N loops=N
 * (STAGE: vertex, fragment, compute...; PROFILE: vp1 or full), the assembly
 * and END to stderr.
 */
struct sgpu_shader *sgpu_compile(void *mem_ctx, const nir_shader *nir,
                                 const struct sgpu_shader_key *key, unsigned debug,
                                 const char **error);

/* Computes the key of a shader: equal for shaders that sgpu_compile cannot tell apart, apart
 * from its other arguments. Returns false if out of memory.
 */
bool sgpu_nir_sha1(const nir_shader *nir, unsigned char sha1[20]);

struct blob;

/* Appends the shader to a blob.  False if memory is out. */
bool sgpu_shader_write(struct blob *blob, const struct sgpu_shader *shader);

/* A shader of this stage that such bytes have, ralloc'ed; NULL if they are others, whatever
 * they are, or memory is out.
 */
struct sgpu_shader *sgpu_shader_read(const void *data, size_t size, gl_shader_stage stage);

#ifdef __cplusplus
}
#endif
#endif
