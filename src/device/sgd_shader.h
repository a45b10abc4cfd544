/* SPDX-License-Identifier: MIT */
/*
 * Shader cores: programs decoded for execution, and the machine that a warp of
 * 32 threads runs on.
 */
#ifndef SGD_SHADER_H
#define SGD_SHADER_H

#include "sgd_state.h"
#include "sgpu_isa.h"
#include "util/list.h"

struct sgd_worker;

/* A vec4 register of a warp: [component][lane], so that a swizzle is an
 * address and a write mask a choice of loops.
 */
struct sgd_vec {
   _Alignas(64) uint32_t c[4][SGD_WARP];
};

/* The registers of the warp in execution; one per worker, reused. */
struct sgd_machine {
   struct sgd_vec temp[256];
   struct sgd_vec in[32];
   struct sgd_vec out[64];
   struct sgd_vec sys[32];          /* by SGPU_SYS_*; only those in sysvals_read need to be set */
   _Alignas(64) int32_t addr[4][SGD_WARP];
   uint32_t pred[4][4];             /* lane masks */
   uint8_t *scratch;                /* SGD_WARP * scratch_size bytes, lane-major; grown by the
                                     * interpreter, from malloc */
   uint32_t scratch_size;

   /* The interpreter's: operands after relative addressing and modifiers, a
    * result before it is merged, and the constants that the program names.
    */
   struct sgd_vec operand[3];
   struct sgd_vec result;
   _Alignas(64) uint32_t consts[SGPU_CONST_SIZE][4];
   const struct sgd_shader *constants_of;     /* whose they are: sgd_shader_begin */
};

/* A decoded program.  Made once per distinct code, kept in the device's cache,
 * shared by queues, refcounted.
 */
struct sgd_shader {
   uint32_t refs;                   /* atomic; users besides the cache */
   uint64_t key;
   struct list_head link;           /* of the cache, most recently used first */
   bool vp1;
   enum sgpu_stage stage;
   uint32_t num_instrs;
   uint32_t *code;                  /* own copy: num_instrs x 4 words, then literals */
   uint32_t num_literals, literal_base;
   uint32_t inputs_read;            /* bit n: v[n] */
   uint8_t input_mask[32];          /* components of v[n] */
   uint64_t outputs_written;        /* bit n: o[n] */
   uint32_t sysvals_read;
   uint8_t streams;                 /* bit n: EMITV to stream n */
   bool uses_kill;                  /* KIL, DMT */
   bool uses_derivatives;           /* needs helper lanes: DDX.., implicit level of detail */
   bool interpolates;               /* IPAC, IPAO, IPAS */
   bool writes_depth, writes_stencil, writes_sample_mask;
   uint32_t num_temps;
   uint32_t scratch_size;
   void *decoded;                   /* the interpreter's own form */
};

/* Decodes and checks a program: opcodes, reserved bits, register limits, branch
 * targets, stack balance, and for vp1 the base profile's limits.  `desc` is the
 * SHADER packet; code has desc->instructions * 4 words, literals follow.
 * Returns NULL and sets *error (static or thread-local text naming the
 * instruction) if refused.
 */
struct sgd_shader *sgd_shader_create(const struct SGPU_SHADER *desc, const uint32_t *code,
                                     const char **error);
void sgd_shader_destroy(struct sgd_shader *shader);

/* Before a number of runs of one program in one environment: they find the constants
 * as they are now.  A machine that has never seen it looks for them in each run.
 */
void sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                      const struct sgd_env *env);

/* Runs the program for the lanes of `active`.  m->in, m->sys (and for pixel
 * programs the quad structure: lanes 4q..4q+3 are one quad, helpers active)
 * are set by the caller; outputs that the program writes are in m->out.
 * Outputs start as (0,0,0,1), temporaries as zeros.  *live: in, the lanes that
 * own a pixel; out, those that were not killed.  Returns false when the
 * watchdog stopped it.
 */
bool sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
                    const struct sgd_env *env, uint32_t active, uint32_t *live);

/* What LDV, EMITV and CUT of the warp in execution work on: worker->stage_io. */
struct sgd_stage_io {
   const uint8_t *vertices;      /* outputs of the stage before, 16 bytes each */
   size_t stride;                /* bytes a vertex */
   unsigned num_inputs;          /* va[0..] of a vertex */
   unsigned num_vertices;        /* of a primitive, at most SGD_GEOMETRY_VERTICES */
   uint16_t vertex[SGD_GEOMETRY_VERTICES][SGD_WARP];     /* of the lanes' primitives */
   /* The outputs of `lanes` in the machine are a vertex; the strip ends. */
   void (*emit)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
   void (*cut)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
};

/* What IPAC, IPAO and IPAS of the pixel warp in execution work on: worker->pixel_io. */
struct sgd_pixel_io {
   /* Components `comps` of v[input] of all lanes to `out`: the inputs where they are no
    * planes.  x and y are the place by lane, as the operation has it.
    */
   void (*interpolate)(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input,
                       unsigned comps, const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP],
                       struct sgd_vec *out);
};

/* Texture unit (src/device/texture), called by the interpreter for TEX, TXB,
 * TXL, TXD, TXF, TG4, TXQ, LODQ, TXQS of one warp.  `unit` and `sampler` are
 * uniform over the lanes of `active` (the interpreter splits divergent
 * indices).  Sources are [component][lane] after swizzle and modifiers; all
 * 32 lanes of src0 hold defined values, so that implicit derivatives see the
 * whole quad.  Writes dst components of `mask` for the lanes of `active`.
 */
struct sgd_tex_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   bool shadow;
   bool reg_offset;                 /* offsets are src1.zw */
   uint8_t gather_comp;
   int8_t offset[3];
   uint8_t mask;
};
void sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_vec *src0, const struct sgd_vec *src1,
                    uint32_t active, struct sgd_vec *dst);

/* Called by the command processor when it resolves a TEXTURE descriptor: checks
 * and decodes what is per texture.  Returns an error text or NULL.
 */
const char *sgd_texture_prepare(struct sgd_texture *texture);
void sgd_texture_finish(struct sgd_texture *texture);

#endif
