/* SPDX-License-Identifier: MIT */
/*
 * Shader cores: programs, the ways in which the stages run them, and the blocks
 * that programs reach: other stages' vertices, interpolation, textures.
 */
#ifndef SGD_SHADER_H
#define SGD_SHADER_H

#include "sgd_observe.h"
#include "sgd_warp.h"
#include "util/list.h"

/* Why a worker has not done all of its work. */
enum sgd_stop {
   SGD_STOP_NONE,
   SGD_STOP_WATCHDOG,
   SGD_STOP_MEMORY,
};

/* The first stop of a piece of work: worker->stop. */
struct sgd_stop_info {
   enum sgd_stop reason;
   /* of SGD_STOP_WATCHDOG */
   enum sgpu_stage stage;
   uint64_t program; /* sgd_shader.key */
   uint32_t pc;      /* instruction at which the warp was stopped */
};

/* After a warp was stopped, the limit for further warps of the same piece of
 * work: they are likely to run as long, and must not each cost the whole time.
 */
static inline uint64_t
sgd_watchdog_after_stop(uint64_t watchdog)
{
   const uint64_t few = watchdog >> 10, enough = 1 << 16;
   return few > enough ? few : watchdog < enough ? watchdog : enough;
}

/* What the order of a program's invocations can be, by its stores and atomic operations
 * to buffers and images.
 */
enum sgd_memory_order {
   SGD_MEMORY_NONE, /* there are none */
   /* Any order, also at the same time: the memory is the same afterwards.  Plain stores
    * are the program's own matter (OpenGL 4.6, 7.13.1); atomic operations on a binding
    * are of one kind that commutes, their results are not used, and nothing else
    * accesses the binding.
    */
   SGD_MEMORY_FREE,
   /* One after the other in the order of the program that draws, so that all results of
    * atomic operations are the same in every run.
    */
   SGD_MEMORY_ORDERED,
};

/* The order for a checked program: a function of its instructions alone. */
struct sgpu_program;
enum sgd_memory_order sgd_memory_order(const struct sgpu_program *program);
/* For each binding: 0, or 1 plus the one operation (enum sgpu_atomic) that the program does
 * on it, if that commutes and its results are not used.
 */
struct sgd_commutes {
   uint8_t buffer[SGD_MAX_BUFFERS], image[SGD_MAX_IMAGES];
};
void sgd_memory_commutes(const struct sgpu_program *program, struct sgd_commutes *commutes);

/* A checked program.  Made once per distinct code, kept in the device's cache,
 * shared by queues, refcounted.
 */
struct sgd_shader {
   uint32_t refs;         /* atomic; users besides the cache */
   uint64_t key;          /* hash of the program, the same in every run; 0: none */
   struct list_head link; /* of the cache, most recently used first */
   bool vp1;
   enum sgpu_stage stage;
   uint32_t num_instrs;
   uint32_t *words; /* own copy: num_instrs x 4 words, then literals */
   uint32_t num_literals, literal_base;
   uint32_t inputs_read;     /* bit n: v[n] */
   uint8_t input_mask[32];   /* components of v[n] */
   uint64_t outputs_written; /* bit n: o[n] */
   uint32_t sysvals_read;
   /* Components of them. */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   uint8_t streams;        /* bit n: EMITV to stream n */
   bool uses_kill;         /* KIL, DMT */
   bool uses_derivatives;  /* needs helper lanes: DDX.., implicit level of detail */
   bool interpolates;      /* IPAC, IPAO, IPAS */
   bool relative_textures; /* and so perhaps handles */
   bool reads_warp;        /* operations over the lanes of the warp, CLK */
   bool branches;          /* else a warp issues each instruction once */
   bool writes_depth, writes_stencil, writes_sample_mask;
   bool copies; /* all that the pixel program does is to copy v[copied] to o[COLR0] */
   uint8_t copied;
   uint16_t targets_read; /* bit n: LDT of target n */
   /* Bit n: buf[n], img[n]; all bits with a relative binding.  Atomic operations do both. */
   uint32_t buffers_read, buffers_written;
   uint32_t images_read, images_written;
   bool writes_memory;   /* buffers_written or images_written */
   bool accesses_memory; /* or buffers_read or images_read */
   bool has_barrier;     /* BAR */
   enum sgd_memory_order memory_order;
   struct sgd_commutes commutes;
   uint32_t num_temps;
   uint32_t stack_size; /* entries of the synchronization stack, at most */
   uint32_t scratch_size;
   struct sgd_code *code; /* executable form */
};

/* Checks and decodes a program: opcodes, reserved bits, register limits, branch
 * targets, stack balance, and for vp1 the base profile's limits.  `desc` is the
 * SHADER packet; code has desc->instructions * 4 words, literals follow.
 * `interpret` executes the decoded form: the interpreter of the workers' host
 * level (sgd_arch_ops).  Returns NULL for a program that is refused, with a text
 * in *error (static or thread-local) that names the instruction.
 */
struct sgd_shader *sgd_shader_create(const struct SGPU_SHADER *desc, const uint32_t *code,
                                     sgd_execute_fn *interpret, const char **error);
void sgd_shader_destroy(struct sgd_shader *shader);

/* Makes machine code of what can be, and has `execute` run it from the next warp on, which is
 * sgd_run_translated of the workers' host level.  The host must be able to (sgd_can_translate).
 * False where there is nothing to translate: nothing has changed.
 */
bool sgd_shader_translate(struct sgd_shader *shader, sgd_execute_fn *execute);

/* Of a translated program: prints its instructions with their machine code, and the time
 * that its translation took, to stderr; adds its regions to /tmp/perf-PID.map.
 */
void sgd_shader_print_translation(const struct sgd_shader *shader, uint64_t ns);
void sgd_shader_map_translation(const struct sgd_shader *shader);

/* A program that the interpreter runs until it is hot. */
struct sgd_heat {
   int64_t left; /* atomic: instructions that it issues until then; below 0: it is hot */
   void (*hot)(struct sgd_heat *heat); /* called then, by the worker, once if `left` stays */
   struct sgd_translator *translator;
   struct sgd_shader *shader;
   struct list_head link; /* translator->waiting */
};

/* The program has issued so many instructions. */
void sgd_heat_add(struct sgd_heat *heat, uint64_t instructions);

/* Attaches the worker's warp (worker->core->warp) to a program and fetches the
 * constants of `env` as they are now.  Sets warp->in, out and sys; the caller
 * fills in and sys, which keep their values from one run to the next.
 */
void sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                      const struct sgd_env *env);

/* Runs the program of sgd_shader_begin to its end, for the lanes of `active`.
 * For pixel programs, lanes 4q..4q+3 are a quad, and helpers are active.
 * Results are in warp->out.  *live: in, the lanes that own a pixel; out, those
 * that were not killed.
 *
 * A warp that issues more than worker->watchdog instructions ends: lanes that
 * were still running lose their pixels, and have the outputs that they started
 * with.  worker->stop then tells why, and worker->watchdog becomes
 * sgd_watchdog_after_stop(); the dispatch unit resets both for each piece of work.
 *
 * Returns false without memory.
 */
bool sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
                    const struct sgd_env *env, uint32_t active, uint32_t *live);

/* Runs machine code of the program for all lanes, and counts nothing: core->begun.whole is not
 * NULL.
 */
void sgd_shader_run_all(struct sgd_worker *worker);

/* The outputs of a patch as a whole, pa[...]. */
struct sgd_patch {
   uint32_t output[SGPU_MAX_PATCH_OUTPUTS][4];
};

/* For LDV, LDO, LDP, STP, EMITV and CUT of the warp in execution: worker->stage_io.  Arrays by
 * lane have values where the lane runs.
 */
struct sgd_stage_io {
   const uint8_t *vertices; /* outputs of the stage before, 16 bytes each */
   size_t stride;           /* bytes a vertex */
   unsigned num_inputs;     /* va[0..] of a vertex */
   unsigned num_vertices;   /* of a primitive, at most SGD_PRIMITIVE_VERTICES */
   uint16_t vertex[SGD_PRIMITIVE_VERTICES][SGD_WARP]; /* of the lanes' primitives */
   /* Of tessellation programs, else NULL: patches[patch[l]] is the patch of lane l. */
   struct sgd_patch *patches;
   uint8_t patch[SGD_WARP];
   /* The lanes first_lane[l] to first_lane[l] + output_vertices - 1 make the vertices of
    * the patch of lane l.  0 vertices: not a control program.
    */
   unsigned output_vertices;
   uint8_t first_lane[SGD_WARP];
   /* Geometry programs: adds the outputs of `lanes` as a vertex; ends the strip. */
   void (*emit)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
   void (*cut)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
};

/* For IPAC, IPAO, IPAS and LDT of the pixel warp in execution: worker->pixel_io. */
struct sgd_pixel_io {
   /* Stores components `comps` of v[input] of all lanes in `out`: the value at the lane's
    * place, or the input itself where it has no plane.  x and y are the place as `op`
    * defines it.
    */
   void (*interpolate)(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input,
                       unsigned comps, const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP],
                       struct sgd_vec *out);
   /* LDT: what the target stores at all lanes of quads with pixels. */
   void (*fetch)(const struct sgd_pixel_io *io, unsigned target, struct sgd_vec *out);
};

/* Texture unit (src/device/texture), called by the interpreter for TEX, TXB,
 * TXL, TXD, TXF, TG4, TXQ, LODQ, TXQS of one warp.  `unit` and `sampler` are
 * uniform over the lanes of `active` (the interpreter splits divergent
 * indices).  Sources are lanes after swizzle and modifiers; all 32 lanes of src0
 * hold defined values, so that implicit derivatives see the whole quad.  Writes
 * dst components of `mask` for the lanes of `active`; dst may hold lanes of the
 * sources.
 */
struct sgd_tex_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   bool shadow;
   bool reg_offset; /* offsets are src1.zw */
   uint8_t gather_comp;
   int8_t offset[3];
   uint8_t mask;
   /* By sgd_tex_op_prepare; false is right, but slower: it filters a 2D texture without offsets, */
   bool flat;
   bool plain; /* and without comparison */
   /* Of the interpreter: numbers that the instruction names, or that indices are added to. */
   uint8_t unit, sampler;
   bool relative;
   bool direct; /* both are in the environment's arrays */
   bool src1;   /* there is a second source */
};
void sgd_tex_op_prepare(struct sgd_tex_op *op);
void sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);
/* The same for all lanes of an operation that is plain, if it is one filter of bytes; else false,
 * and nothing is done.
 */
bool sgd_texture_plain(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                       const struct sgd_tex_op *op, const uint32_t x[SGD_WARP],
                       const uint32_t y[SGD_WARP], struct sgd_vec *dst);

/* Image unit (src/device/image), called by the interpreter for LDI, STI, ATI, SZI of one
 * warp.  The image is uniform over the lanes of `active`; NULL: none is bound.  `coord` and
 * `data` are the sources.  Only lanes of `live` store and do atomic operations.  Writes dst
 * components of `mask` for the lanes of `active`.
 */
struct sgd_image_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   enum sgpu_atomic aop;
   uint8_t mask; /* 0: there is no result */
   bool alone;   /* no other worker reaches the image */
   SGD_OBSERVE(const struct sgd_worker *worker;)
};
void sgd_image_access(const struct sgd_texture *texture, const struct sgd_image_op *op,
                      const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active,
                      uint32_t live, struct sgd_vec *dst);

/* Called by the command processor when it resolves a TEXTURE descriptor: checks
 * and decodes what is per texture.  Returns an error text or NULL.
 */
const char *sgd_texture_prepare(struct sgd_texture *texture);
/* The same for the descriptor of an image binding, in place of sgd_texture_prepare: one
 * level, and a format that images can have.
 */
const char *sgd_image_prepare(struct sgd_texture *texture);
/* Decodes what is per sampler; called whenever its descriptor is set. */
void sgd_sampler_prepare(struct sgd_sampler *sampler);
/* Frees what either has made. */
void sgd_texture_finish(struct sgd_texture *texture);

#endif
