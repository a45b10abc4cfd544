/* SPDX-License-Identifier: MIT */
/*
 * Shader cores: programs, the functions that run them for each stage, and the units that programs
 * access: vertices of other stages, interpolation and textures.
 */
#ifndef SGD_SHADER_H
#define SGD_SHADER_H

#include "common/sgd_observe.h"
#include "common/sgd_warp.h"
#include "util/list.h"

/* Reason why a worker did not complete a piece of work. */
enum sgd_stop {
   SGD_STOP_NONE,
   SGD_STOP_WATCHDOG,
   SGD_STOP_MEMORY,
};

/* The first stop in a piece of work, in worker->stop. */
struct sgd_stop_info {
   enum sgd_stop reason;
   /* Only valid for SGD_STOP_WATCHDOG: */
   enum sgpu_stage stage;
   uint64_t program; /* key of the program, sgd_shader.key */
   uint32_t pc;      /* index of the instruction at which the warp was stopped */
};

/* Returns the instruction limit for the remaining warps of a piece of work after the watchdog has
 * stopped one of its warps. The remaining warps are likely to run as long, and should not all use
 * the full limit.
 */
static inline uint64_t
sgd_watchdog_after_stop(uint64_t watchdog)
{
   const uint64_t few = watchdog >> 10, enough = 1 << 16;
   return few > enough ? few : watchdog < enough ? watchdog : enough;
}

/* The execution order that the invocations of a program require because of stores and atomic
 * operations on buffers and images.
 */
enum sgd_memory_order {
   SGD_MEMORY_NONE, /* the program has no stores or atomic operations */
   /* Invocations can run in any order, even in parallel, with the same final memory contents. Plain
    * stores are the program's own responsibility (OpenGL 4.6, section 7.13.1). All atomic
    * operations on a binding are the same commutative operation, their results are unused, and
    * nothing else accesses the binding.
    */
   SGD_MEMORY_FREE,
   /* Invocations run one at a time, in program order of the draws, so that all results of atomic
    * operations are the same in every run.
    */
   SGD_MEMORY_ORDERED,
};

/* Returns the memory order that a checked program requires. The result only depends on the
 * program's instructions.
 */
struct sgpu_program;
enum sgd_memory_order sgd_memory_order(const struct sgpu_program *program);
/* For each binding, the only atomic operation (enum sgpu_atomic) that the program performs on it,
 * plus 1. The value is 0 if the program also accesses the binding in other ways, if the operation
 * doesn't commute, or if its result is used.
 */
struct sgd_commutes {
   uint8_t buffer[SGD_MAX_BUFFERS], image[SGD_MAX_IMAGES];
};
void sgd_memory_commutes(const struct sgpu_program *program, struct sgd_commutes *commutes);

/* A checked program. There is one object per distinct code, in the device's cache. It is shared by
 * queues and reference counted.
 */
struct sgd_shader {
   /* atomic reference count, without the cache's reference */
   uint32_t refs;
   /* hash of the program, identical in every run; 0 if there is none */
   uint64_t key;
   /* link in the cache's list, which starts with the most recently used program */
   struct list_head link;
   bool vp1;
   enum sgpu_stage stage;
   uint32_t num_instrs;
   /* copy of the program: num_instrs * 4 words, followed by the literals */
   uint32_t *words;
   uint32_t num_literals, literal_base;
   /* bitmask of the inputs v[n] that the program reads */
   uint32_t inputs_read;
   /* mask of the components of v[n] that the program reads */
   uint8_t input_mask[32];
   /* bitmask of the outputs o[n] that the program writes */
   uint64_t outputs_written;
   /* bitmask of the system values (enum sgpu_sysval) that the program reads */
   uint32_t sysvals_read;
   /* mask of the components of each system value that the program reads */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   /* bitmask of the vertex streams that the program emits to (EMITV) */
   uint8_t streams;
   /* the program has a KIL or DMT instruction */
   bool uses_kill;
   /* the program needs helper lanes, since it has DDX, DDY or an implicit level of detail */
   bool uses_derivatives;
   /* the program has an IPAC, IPAO or IPAS instruction */
   bool interpolates;
   /* bitmask of the texture units that the program names */
   uint32_t textures[SGPU_MAX_TEXTURES / 32];
   /* the program indexes texture units, so it may also use bindless handles */
   bool relative_textures;
   /* the program has operations across the lanes of the warp, or reads CLK */
   bool reads_warp;
   /* the program has branches; without branches, a warp issues each instruction once */
   bool branches;
   bool writes_depth, writes_stencil, writes_sample_mask;
   /* the pixel program does nothing but copy v[copied] to o[COLR0] */
   bool copies;
   uint8_t copied;
   /* bitmask of the targets that the program reads with LDT */
   uint16_t targets_read;
   /* Bitmasks of buf[n] and img[n]. A relative binding sets all bits. Atomic operations count as
    * both reads and writes.
    */
   uint32_t buffers_read, buffers_written;
   uint32_t images_read, images_written;
   /* buffers_written or images_written is not 0 */
   bool writes_memory;
   /* at least one of the four masks above is not 0 */
   bool accesses_memory;
   /* the program has a BAR instruction */
   bool has_barrier;
   enum sgd_memory_order memory_order;
   struct sgd_commutes commutes;
   uint32_t num_temps;
   uint32_t stack_size;   /* maximum number of entries on the synchronization stack */
   uint32_t scratch_size; /* size of the scratch memory per lane, in bytes */
   /* decoded, executable form of the program */
   struct sgd_code *code;
};

/* Checks and decodes a program. Checks opcodes, reserved bits, register limits, branch targets,
 * stack balance, and the limits of the base profile if vp1 is set. `desc` is the SHADER packet;
 * `code` has desc->instructions * 4 words, followed by the literals. `interpret` is the interpreter
 * of the workers' host level (sgd_arch_ops), which will execute the decoded program. If the program
 * is invalid, returns NULL and sets *error to a static or thread-local message that names the
 * instruction.
 */
struct sgd_shader *sgd_shader_create(const struct SGPU_SHADER *desc, const uint32_t *code,
                                     sgd_execute_fn *interpret, const char **error);
void sgd_shader_destroy(struct sgd_shader *shader);

/* Counts the instructions of an interpreted program until the program is hot. */
struct sgd_heat {
   /* atomic; number of instructions left to issue until the program is hot; negative once it is hot
    */
   int64_t left;
   /* called by the worker when the program becomes hot; only called again if `left` is reset */
   void (*hot)(struct sgd_heat *heat);
   struct sgd_translator *translator;
   struct sgd_shader *shader;
   struct list_head link; /* link in translator->waiting */
};

/* Counts `instructions` issued instructions of the program. */
void sgd_heat_add(struct sgd_heat *heat, uint64_t instructions);

/* Attaches the worker's warp (worker->core->warp) to a program and loads the current constants of
 * `env`. Sets warp->in, out and sys. The caller must fill in the values of `in` and `sys`, which
 * persist from one run to the next.
 */
void sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                      const struct sgd_env *env);

/* Runs the program that was passed to sgd_shader_begin() to its end, for the lanes in `active`. In
 * pixel programs, lanes 4q to 4q + 3 form a quad, and helper lanes are active. Results are in
 * warp->out. *live is the mask of lanes that own a pixel; on return, killed lanes have been removed
 * from the mask.
 *
 * A warp that issues more than worker->watchdog instructions is stopped: lanes that are still
 * running lose their pixels, and their outputs are reset to the initial values. worker->stop then
 * has the reason, and worker->watchdog is reduced to sgd_watchdog_after_stop(). The dispatch unit
 * resets both for each piece of work.
 *
 * Returns false on allocation failure.
 */
bool sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
                    const struct sgd_env *env, uint32_t active, uint32_t *live);

/* Runs the program's machine code for all lanes without updating counters. core->begun.whole must
 * not be NULL.
 */
void sgd_shader_run_all(struct sgd_worker *worker);

/* The per-patch outputs pa[] of a patch. */
struct sgd_patch {
   uint32_t output[SGPU_MAX_PATCH_OUTPUTS][4];
};

/* Data of the running warp for LDV, LDO, LDP, STP, EMITV and CUT, in worker->stage_io. In arrays
 * that are indexed by lane, only the elements of running lanes are valid.
 */
struct sgd_stage_io {
   const uint8_t *vertices; /* outputs of the previous stage, as 16-byte vectors */
   size_t stride;           /* bytes per vertex */
   unsigned num_inputs;     /* number of inputs va[] per vertex */
   unsigned num_vertices;   /* vertices per primitive, at most SGD_PRIMITIVE_VERTICES */
   /* indices of the vertices of each lane's primitive */
   uint16_t vertex[SGD_PRIMITIVE_VERTICES][SGD_WARP];
   /* For tessellation programs, lane l works on patches[patch[l]]. NULL for other programs. */
   struct sgd_patch *patches;
   uint8_t patch[SGD_WARP];
   /* For tessellation control programs, lanes first_lane[l] to first_lane[l] + output_vertices - 1
    * produce the vertices of lane l's patch. output_vertices is 0 for other programs.
    */
   unsigned output_vertices;
   uint8_t first_lane[SGD_WARP];
   /* For geometry programs: `emit` appends the current outputs of `lanes` as vertices; `cut` ends
    * the strips of `lanes`.
    */
   void (*emit)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
   void (*cut)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
};

/* Functions that IPAC, IPAO, IPAS and LDT call for the running pixel warp, in worker->pixel_io. */
struct sgd_pixel_io {
   /* Interpolates the components `comps` of v[input] for all lanes and stores them in `out`. x and
    * y are the sampling position of each lane, as defined by `op`. If the input has no plane,
    * stores the input itself.
    */
   void (*interpolate)(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input,
                       unsigned comps, const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP],
                       struct sgd_vec *out);
   /* LDT: loads the elements of a target into `out`, for all lanes of quads that have pixels. */
   void (*fetch)(const struct sgd_pixel_io *io, unsigned target, struct sgd_vec *out);
};

/* Texture unit (src/device/texture/unit). The interpreter calls it when a warp executes TEX, TXB,
 * TXL, TXD, TXF, TG4, TXQ, LODQ or TXQS. All lanes of `active` use the same texture and sampler,
 * since the interpreter splits divergent indices. Sources are lanes with swizzle and modifiers
 * applied. All 32 lanes of src0 must be defined, because implicit derivatives read whole quads.
 * Writes the components in `mask` of dst for the lanes in `active`. dst may alias the sources.
 */
struct sgd_tex_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   bool shadow;
   bool reg_offset; /* offsets come from src1.zw */
   uint8_t gather_comp;
   int8_t offset[3];
   uint8_t mask;
   /* Set by sgd_tex_op_prepare(). These flags enable faster code, so false is always a correct
    * value. `flat`: filters a 2D texture without offsets. `plain`: also without a comparison.
    */
   bool flat;
   bool plain;
   /* Indices from the instruction, to which the interpreter may add relative indices. */
   uint8_t unit, sampler;
   bool relative;
   bool direct; /* both indices are inside the environment's arrays */
   bool src1;   /* the operation uses src1 */
};
void sgd_tex_op_prepare(struct sgd_tex_op *op);
void sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);
/* Executes a plain operation for all lanes if it needs a single filter of 8-bit texels. Otherwise
 * returns false without any effect.
 */
bool sgd_texture_plain(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                       const struct sgd_tex_op *op, const uint32_t x[SGD_WARP],
                       const uint32_t y[SGD_WARP], struct sgd_vec *dst);

/* Image unit (src/device/texture/image). The interpreter calls it when a warp executes LDI, STI,
 * ATI or SZI. All lanes of `active` use the same image, which is NULL if none is bound. `coord` and
 * `data` are the sources. Only lanes in `live` execute stores and atomic operations. Writes the
 * components in `mask` of dst for the lanes in `active`.
 */
struct sgd_image_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   enum sgpu_atomic aop;
   uint8_t mask; /* mask of the components to write; 0 if the operation has no result */
   bool alone;   /* no other worker accesses the image concurrently */
   /* worker that executes the operation; only set at the observed level (sgd_observe.h) */
   const struct sgd_worker *worker;
};
void sgd_image_access(const struct sgd_texture *texture, const struct sgd_image_op *op,
                      const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active,
                      uint32_t live, struct sgd_vec *dst);

/* Checks and decodes everything that only depends on the texture. The command processor calls this
 * when it resolves a TEXTURE descriptor. Returns an error message, or NULL on success.
 */
const char *sgd_texture_prepare(struct sgd_texture *texture);
/* Like sgd_texture_prepare(), but for the descriptor of an image binding, which must have a single
 * level and a format that images support.
 */
const char *sgd_image_prepare(struct sgd_texture *texture);
/* Decodes everything that only depends on the sampler. Called whenever the sampler's descriptor is
 * set.
 */
void sgd_sampler_prepare(struct sgd_sampler *sampler);
/* Frees the data that sgd_texture_prepare() or sgd_image_prepare() allocated. */
void sgd_texture_finish(struct sgd_texture *texture);

#endif
