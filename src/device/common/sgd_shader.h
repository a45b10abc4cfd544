/* SPDX-License-Identifier: MIT */
/*
 * Interface of the shader cores: programs, the functions that run them for each stage, and the data
 * and units that programs access (vertices of other stages, interpolation, textures and images).
 */
#ifndef SGD_SHADER_H
#define SGD_SHADER_H

#include "common/sgd_lookup.h"
#include "common/sgd_observe.h"
#include "common/sgd_warp.h"
#include "util/list.h"

/* Reason why a worker did not complete a piece of work. */
enum sgd_stop {
   SGD_STOP_NONE,
   SGD_STOP_WATCHDOG,
   SGD_STOP_MEMORY,
};

/* Why a piece of work was stopped, in worker->stop. Only the first stop is recorded. */
struct sgd_stop_info {
   enum sgd_stop reason;
   /* Only valid for SGD_STOP_WATCHDOG: */
   enum sgpu_stage stage;
   uint64_t program; /* key of the program, sgd_shader.key */
   uint32_t pc;      /* index of the instruction at which the watchdog stopped the warp */
};

/* Returns the instruction limit for the remaining warps of a piece of work after the watchdog has
 * stopped one of its warps. The limit is lower, since the remaining warps are likely to run as
 * long, and should not all use up the full limit.
 */
static inline uint64_t
sgd_watchdog_after_stop(uint64_t watchdog)
{
   const uint64_t few = watchdog >> 10, enough = 1 << 16;
   return few > enough ? few : watchdog < enough ? watchdog : enough;
}

/* Order in which the invocations of a program must execute, because of its stores and atomic
 * operations on buffers and images.
 */
enum sgd_memory_order {
   SGD_MEMORY_NONE, /* the program has no stores or atomic operations */
   /* Invocations can run in any order, even in parallel, with the same final memory contents. It is
    * up to the program to order its plain stores (OpenGL 4.6, section 7.13.1). All atomic
    * operations on a binding are the same commutative operation, their results are unused, and
    * nothing else accesses the binding.
    */
   SGD_MEMORY_FREE,
   /* Invocations run one at a time, in the program order of the draws. This makes the results of
    * atomic operations the same in every run.
    */
   SGD_MEMORY_ORDERED,
};

/* Returns the memory order that a checked program requires. The result depends only on the
 * instructions of the program.
 */
struct sgpu_program;
enum sgd_memory_order sgd_memory_order(const struct sgpu_program *program);
/* For each binding, the only atomic operation (enum sgpu_atomic) that the program executes on it,
 * plus 1. The value is 0 if the program also accesses the binding in other ways, if the operation
 * doesn't commute, or if the program uses its result.
 */
struct sgd_commutes {
   uint8_t buffer[SGD_MAX_BUFFERS], image[SGD_MAX_IMAGES];
};
void sgd_memory_commutes(const struct sgpu_program *program, struct sgd_commutes *commutes);

/* A checked program. The device's cache has one object per distinct program, which all queues
 * share. Objects are reference counted.
 */
struct sgd_shader {
   /* atomic reference count; the reference of the cache is not counted */
   uint32_t refs;
   /* hash of the program, which is the same in every run; 0 if the program has no hash */
   uint64_t key;
   /* link in the cache's list, in which the most recently used program is first */
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
   /* set if the program needs helper lanes, because it has DDX, DDY or an implicit level of detail
    */
   bool uses_derivatives;
   /* the program has an IPAC, IPAO or IPAS instruction */
   bool interpolates;
   /* bitmask of the texture units that instructions name directly */
   uint32_t textures[SGPU_MAX_TEXTURES / 32];
   /* set if the program computes texture unit indices, which can also select bindless handles */
   bool relative_textures;
   /* set if the program has operations across the lanes of a warp, or reads CLK */
   bool reads_warp;
   /* set if the program has branches; otherwise, a warp issues each instruction exactly once */
   bool branches;
   bool writes_depth, writes_stencil, writes_sample_mask;
   /* set if the pixel program does nothing but copy v[copied] to o[COLR0] */
   bool copies;
   uint8_t copied;
   /* bitmask of the colour targets that the program reads with LDT */
   uint16_t targets_read;
   /* Bitmasks of the buffers buf[n] and images img[n] that the program accesses. A relative binding
    * sets all bits. Atomic operations count as both reads and writes.
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
   uint32_t file_size;    /* size of a warp's register file and scratch memory in bytes */
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

/* maximum number of sets of lookups for which a program has machine code */
#define SGD_HEAT_ASKS 8

/* Counts the instructions that a program executes in the interpreter, until it is hot, i.e. worth a
 * translation to machine code.
 */
struct sgd_heat {
   /* Number of instructions that can still be issued before the program is hot. Negative once it is
    * hot. Accessed atomically.
    */
   int64_t left;
   /* called by the worker when the program becomes hot, and again only after `left` is reset */
   void (*hot)(struct sgd_heat *heat);
   struct sgd_translator *translator;
   struct sgd_shader *shader;
   struct list_head link; /* link in translator->waiting */
   bool waiting; /* set while it is in this list; changed with the translator's lock held */
   /* Sets of lookups for which workers have asked for machine code. asked[n] is the hash of lookups[n],
    * or 0 if there is none. It is accessed atomically, set after lookups[n], and with the translator's
    * lock held.
    */
   uint32_t asked[SGD_HEAT_ASKS];
   struct sgd_lookup_forms *lookups[SGD_HEAT_ASKS];
   void (*ask)(struct sgd_heat *heat, const struct sgd_lookup_forms *forms, uint32_t hash);
   uint8_t refused; /* mask of the elements of `lookups` for which there is no code */
};

/* Counts further instructions of the program that have been issued. */
void sgd_heat_add(struct sgd_heat *heat, uint64_t instructions);

/* Asks for machine code of a translated program with these lookups, unless a worker has already. */
void sgd_heat_ask(struct sgd_heat *heat, const struct sgd_lookup_forms *forms);

/* Attaches the worker's warp (worker->core->warp) to a program and loads the current constants of
 * `env`. Sets warp->in, warp->out and warp->sys. The caller must fill in the values of `in` and
 * `sys`, which are kept from one run to the next.
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

/* Runs the program's machine code for all lanes, without updating any counters. core->begun.whole
 * must not be NULL.
 */
void sgd_shader_run_all(struct sgd_worker *worker);

/* The per-patch outputs pa[] of a patch. */
struct sgd_patch {
   uint32_t output[SGPU_MAX_PATCH_OUTPUTS][4];
};

/* Data of the running warp that the instructions LDV, LDO, LDP, STP, EMITV and CUT access, in
 * worker->stage_io. In arrays that are indexed by lane, only the elements of running lanes are
 * valid.
 */
struct sgd_stage_io {
   const uint8_t *vertices; /* vertices that the previous stage has written, as 16-byte vectors */
   size_t stride;           /* bytes per vertex */
   unsigned num_inputs;     /* number of inputs va[] per vertex */
   unsigned num_vertices;   /* number of vertices per primitive, at most SGD_PRIMITIVE_VERTICES */
   /* vertex[v][l] is the index of vertex v in the primitive of lane l */
   uint16_t vertex[SGD_PRIMITIVE_VERTICES][SGD_WARP];
   /* In tessellation programs, lane l works on patches[patch[l]]. NULL for other programs. */
   struct sgd_patch *patches;
   uint8_t patch[SGD_WARP];
   /* In tessellation control programs, lanes first_lane[l] to first_lane[l] + output_vertices - 1
    * produce the vertices of lane l's patch. output_vertices is 0 for other programs.
    */
   unsigned output_vertices;
   uint8_t first_lane[SGD_WARP];
   /* For geometry programs. `emit` appends the current outputs of each lane in `lanes` as a vertex,
    * and `cut` ends the current strip of each lane in `lanes`.
    */
   void (*emit)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
   void (*cut)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
};

/* Functions that the instructions IPAC, IPAO, IPAS and LDT call for the running pixel warp, in
 * worker->pixel_io.
 */
struct sgd_pixel_io {
   /* Interpolates the components `comps` of v[input] for all lanes and stores them in `out`. x and
    * y give the sampling position of each lane; `op` defines their meaning. If the input has no
    * plane, stores the value of the input.
    */
   void (*interpolate)(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input,
                       unsigned comps, const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP],
                       struct sgd_vec *out);
   /* Executes LDT: loads the stored pixels of a colour target into `out`, for all lanes of quads
    * that have pixels.
    */
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
   /* Flags that enable faster code, set by sgd_tex_op_prepare(). false is always correct. `flat` is
    * set if the operation filters a 2D texture without offsets, and `plain` if it also has no depth
    * comparison. `spatial` is set if it filters a 3D texture without offsets and comparison.
    */
   bool flat;
   bool plain;
   bool spatial;
   /* Indices of the texture unit and the sampler in the instruction. If `relative` is set, the
    * interpreter adds the relative indices.
    */
   uint8_t unit, sampler;
   bool relative;
   bool direct; /* both indices are in the range of the arrays in struct sgd_env */
   bool src1;   /* the operation uses src1 */
   /* The operation is `plain` and `direct`, its instruction has no guard, and its source and its
    * destination are registers that are not relative.
    */
   bool quick;
   /* index of the operation's struct sgd_lookup, or SGD_NO_LOOKUP */
   uint8_t lookup;
};
void sgd_tex_op_prepare(struct sgd_tex_op *op);
void sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);
/* Executes an operation for which sgd_texture_is_direct() is true (sgd_tex_unit.h), for all lanes. */
void sgd_texture_direct(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
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
   bool alone;   /* no other worker accesses the image at the same time */
   /* worker that executes the operation; only set in engines that record events (sgd_observe.h) */
   const struct sgd_worker *worker;
};
void sgd_image_access(const struct sgd_texture *texture, const struct sgd_image_op *op,
                      const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active,
                      uint32_t live, struct sgd_vec *dst);

/* Checks the descriptor of a texture, and decodes everything that depends only on the descriptor.
 * The command processor calls this when it resolves a TEXTURE descriptor. Returns an error message,
 * or NULL on success.
 */
const char *sgd_texture_prepare(struct sgd_texture *texture);
/* Like sgd_texture_prepare(), but for the descriptor of an image binding, which must have a single
 * level and a format that images support.
 */
const char *sgd_image_prepare(struct sgd_texture *texture);
/* Decodes everything that depends only on the sampler. The command processor calls this whenever it
 * sets the sampler's descriptor.
 */
void sgd_sampler_prepare(struct sgd_sampler *sampler);
/* Frees the data that sgd_texture_prepare() or sgd_image_prepare() allocated. */
void sgd_texture_finish(struct sgd_texture *texture);

#endif
