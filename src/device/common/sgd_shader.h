/* SPDX-License-Identifier: MIT */
/*
 * Shader cores: programs, the functions by which the stages run them, and the units that
 * programs use: vertices of other stages, interpolation, textures.
 */
#ifndef SGD_SHADER_H
#define SGD_SHADER_H

#include "common/sgd_observe.h"
#include "common/sgd_warp.h"
#include "util/list.h"

/* Reason why a worker has not completed its work. */
enum sgd_stop {
   SGD_STOP_NONE,
   SGD_STOP_WATCHDOG,
   SGD_STOP_MEMORY,
};

/* The first stop of a piece of work, in worker->stop. */
struct sgd_stop_info {
   enum sgd_stop reason;
   /* Members for SGD_STOP_WATCHDOG only. */
   enum sgpu_stage stage;
   uint64_t program; /* key of the program, sgd_shader.key */
   uint32_t pc;      /* number of the instruction at which the warp was stopped */
};

/* Returns the limit for further warps of a piece of work after one of its warps was
 * stopped. They are likely to run as long, and should not all take the full time.
 */
static inline uint64_t
sgd_watchdog_after_stop(uint64_t watchdog)
{
   const uint64_t few = watchdog >> 10, enough = 1 << 16;
   return few > enough ? few : watchdog < enough ? watchdog : enough;
}

/* The order that the invocations of a program need, because of the program's stores and
 * atomic operations to buffers and images.
 */
enum sgd_memory_order {
   SGD_MEMORY_NONE, /* the program has none of these */
   /* Any order, even in parallel: memory is the same afterwards. Plain stores are the
    * program's own responsibility (OpenGL 4.6, section 7.13.1). The atomic operations on
    * a binding are of one kind that commutes, their results are not used, and nothing
    * else accesses the binding.
    */
   SGD_MEMORY_FREE,
   /* One after the other in program order of the draws, so that all results of atomic
    * operations are the same in every run.
    */
   SGD_MEMORY_ORDERED,
};

/* Returns the order for a checked program. It depends only on the program's instructions. */
struct sgpu_program;
enum sgd_memory_order sgd_memory_order(const struct sgpu_program *program);
/* For each binding, 1 plus the atomic operation (enum sgpu_atomic) that the program performs
 * on it. 0 if the program accesses the binding in another way too, or if the operation does not
 * commute, or if its result is used.
 */
struct sgd_commutes {
   uint8_t buffer[SGD_MAX_BUFFERS], image[SGD_MAX_IMAGES];
};
void sgd_memory_commutes(const struct sgpu_program *program, struct sgd_commutes *commutes);

/* A checked program. There is one for each distinct code. It is kept in the device's
 * cache, shared by queues, and reference counted.
 */
struct sgd_shader {
   /* atomic; number of users besides the cache */
   uint32_t refs;
   /* hash of the program, the same in every run; 0 if there is none */
   uint64_t key;
   /* link in the cache's list, most recently used first */
   struct list_head link;
   bool vp1;
   enum sgpu_stage stage;
   uint32_t num_instrs;
   /* copy of the program: num_instrs x 4 words, then literals */
   uint32_t *words;
   uint32_t num_literals, literal_base;
   /* bit n: the program reads v[n] */
   uint32_t inputs_read;
   /* components of v[n] that are read */
   uint8_t input_mask[32];
   /* bit n: the program writes o[n] */
   uint64_t outputs_written;
   /* bit n: the program reads system value n, enum sgpu_sysval */
   uint32_t sysvals_read;
   /* components of each system value that are read */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   /* bit n: the program has EMITV to vertex stream n */
   uint8_t streams;
   /* the program has KIL or DMT */
   bool uses_kill;
   /* the program needs helper lanes: it has DDX, DDY, or an implicit level of detail */
   bool uses_derivatives;
   /* the program has IPAC, IPAO or IPAS */
   bool interpolates;
   /* bit n % 32 of element n / 32: the program names texture n */
   uint32_t textures[SGPU_MAX_TEXTURES / 32];
   /* indexes texture units, so it may also use handles */
   bool relative_textures;
   /* the program has operations across the lanes of the warp, or CLK */
   bool reads_warp;
   /* the program has branches; if not, a warp issues each instruction once */
   bool branches;
   bool writes_depth, writes_stencil, writes_sample_mask;
   /* the pixel program only copies v[copied] to o[COLR0] */
   bool copies;
   uint8_t copied;
   /* bit n: the program reads target n with LDT */
   uint16_t targets_read;
   /* Bit n is buf[n] or img[n]. A relative binding sets all bits. Atomic operations both
    * read and write.
    */
   uint32_t buffers_read, buffers_written;
   uint32_t images_read, images_written;
   /* buffers_written or images_written is not 0 */
   bool writes_memory;
   /* any of these four masks is not 0 */
   bool accesses_memory;
   /* the program has BAR */
   bool has_barrier;
   enum sgd_memory_order memory_order;
   struct sgd_commutes commutes;
   uint32_t num_temps;
   uint32_t stack_size;   /* maximum number of entries of the synchronization stack */
   uint32_t scratch_size; /* scratch memory per lane, in bytes */
   /* executable form of the program */
   struct sgd_code *code;
};

/* Checks and decodes a program: opcodes, reserved bits, register limits, branch targets,
 * stack balance, and the limits of the base profile for vp1. `desc` is the SHADER packet;
 * `code` has desc->instructions * 4 words, followed by the literals. `interpret` executes
 * the decoded form: it is the interpreter of the workers' host level (sgd_arch_ops).
 * Returns NULL if the program is refused, and sets *error to a message (static or
 * thread-local) that names the instruction.
 */
struct sgd_shader *sgd_shader_create(const struct SGPU_SHADER *desc, const uint32_t *code,
                                     sgd_execute_fn *interpret, const char **error);
void sgd_shader_destroy(struct sgd_shader *shader);

/* A program that the interpreter runs until the program is hot. */
struct sgd_heat {
   int64_t left; /* atomic; number of instructions to issue until the program is hot; negative if it
                  * is hot */
   void (*hot)(struct sgd_heat *heat); /* called by the worker when the program gets hot; only once
                                        * unless `left` is reset */
   struct sgd_translator *translator;
   struct sgd_shader *shader;
   struct list_head link; /* link of translator->waiting */
};

/* Records that the program has issued `instructions` instructions. */
void sgd_heat_add(struct sgd_heat *heat, uint64_t instructions);

/* Attaches the worker's warp (worker->core->warp) to a program and fetches the current
 * constants of `env`. Sets warp->in, out and sys. The caller fills in the values of in
 * and sys, which stay from one run to the next.
 */
void sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                      const struct sgd_env *env);

/* Runs the program given to sgd_shader_begin() to its end, for the lanes in `active`. In
 * pixel programs, lanes 4q to 4q + 3 are a quad, and helper lanes are active. Results are
 * in warp->out. *live are the lanes that own a pixel; on return, those of them that were
 * not killed.
 *
 * A warp that issues more than worker->watchdog instructions is stopped: lanes that were
 * still running lose their pixels, and have the outputs that they started with. Then
 * worker->stop has the reason, and worker->watchdog becomes sgd_watchdog_after_stop().
 * The dispatch unit resets both for each piece of work.
 *
 * Returns false if out of memory.
 */
bool sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
                    const struct sgd_env *env, uint32_t active, uint32_t *live);

/* Runs machine code of the program for all lanes without counting anything.
 * core->begun.whole must not be NULL.
 */
void sgd_shader_run_all(struct sgd_worker *worker);

/* The per-patch outputs pa[...] of a patch. */
struct sgd_patch {
   uint32_t output[SGPU_MAX_PATCH_OUTPUTS][4];
};

/* Data of the running warp for LDV, LDO, LDP, STP, EMITV and CUT, in worker->stage_io.
 * Arrays indexed by lane have values only for lanes that run.
 */
struct sgd_stage_io {
   const uint8_t *vertices; /* outputs of the previous stage, 16 bytes each */
   size_t stride;           /* bytes per vertex */
   unsigned num_inputs;     /* number of inputs va[0..] per vertex */
   unsigned num_vertices;   /* vertices per primitive, at most SGD_PRIMITIVE_VERTICES */
   uint16_t vertex[SGD_PRIMITIVE_VERTICES][SGD_WARP]; /* vertices of each lane's primitive */
   /* For tessellation programs: patches[patch[l]] is the patch of lane l. NULL for others. */
   struct sgd_patch *patches;
   uint8_t patch[SGD_WARP];
   /* For control programs: lanes first_lane[l] to first_lane[l] + output_vertices - 1
    * make the vertices of lane l's patch. output_vertices is 0 for other programs.
    */
   unsigned output_vertices;
   uint8_t first_lane[SGD_WARP];
   /* For geometry programs: `emit` adds the outputs of `lanes` as a vertex, `cut` ends
    * the strip.
    */
   void (*emit)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
   void (*cut)(struct sgd_worker *worker, unsigned stream, uint32_t lanes);
};

/* Functions for IPAC, IPAO, IPAS and LDT of the running pixel warp, in worker->pixel_io. */
struct sgd_pixel_io {
   /* Stores the components `comps` of v[input] at all lanes to `out`: the value at each
    * lane's place, or the input itself if it has no plane. x and y are the place as `op`
    * defines it.
    */
   void (*interpolate)(const struct sgd_pixel_io *io, enum sgpu_opcode op, unsigned input,
                       unsigned comps, const uint32_t x[SGD_WARP], const uint32_t y[SGD_WARP],
                       struct sgd_vec *out);
   /* LDT: stores the target's elements, at all lanes of quads with pixels, to `out`. */
   void (*fetch)(const struct sgd_pixel_io *io, unsigned target, struct sgd_vec *out);
};

/* Texture unit (src/device/texture/unit). The interpreter calls it for TEX, TXB, TXL, TXD,
 * TXF, TG4, TXQ, LODQ and TXQS of a warp. `unit` and `sampler` are the same in all lanes
 * of `active`; the interpreter splits divergent indices. Sources are lanes after swizzle
 * and modifiers. All 32 lanes of src0 must be defined, so that implicit derivatives see
 * the whole quad. Writes the components `mask` of dst for the lanes of `active`. dst may
 * overlap the sources.
 */
struct sgd_tex_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   bool shadow;
   bool reg_offset; /* offsets are src1.zw */
   uint8_t gather_comp;
   int8_t offset[3];
   uint8_t mask;
   /* sgd_tex_op_prepare() sets these. They enable faster paths, and false is always
    * correct. `flat`: the operation filters a 2D texture without offsets. `plain`: also
    * without comparison.
    */
   bool flat;
   bool plain;
   /* For the interpreter: numbers in the instruction, to which indices may be added. */
   uint8_t unit, sampler;
   bool relative;
   bool direct; /* both numbers are in the environment's arrays */
   bool src1;   /* the operation has a second source */
};
void sgd_tex_op_prepare(struct sgd_tex_op *op);
void sgd_texture_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);
/* Executes a plain operation for all lanes if it is one filter of bytes. Returns false
 * and does nothing otherwise.
 */
bool sgd_texture_plain(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                       const struct sgd_tex_op *op, const uint32_t x[SGD_WARP],
                       const uint32_t y[SGD_WARP], struct sgd_vec *dst);

/* Image unit (src/device/texture/image). The interpreter calls it for LDI, STI, ATI and SZI of a
 * warp. The image is the same in all lanes of `active`, or NULL if none is bound. `coord`
 * and `data` are the sources. Only lanes of `live` store and perform atomic operations.
 * Writes the components `mask` of dst for the lanes of `active`.
 */
struct sgd_image_op {
   enum sgpu_opcode op;
   enum sgpu_tex_target target;
   enum sgpu_atomic aop;
   uint8_t mask;                    /* components to write; 0 if there is no result */
   bool alone;                      /* no other worker accesses the image */
   const struct sgd_worker *worker; /* set in the observed level only */
};
void sgd_image_access(const struct sgd_texture *texture, const struct sgd_image_op *op,
                      const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active,
                      uint32_t live, struct sgd_vec *dst);

/* Checks and decodes what depends only on the texture. The command processor calls this
 * when it resolves a TEXTURE descriptor. Returns an error message, or NULL on success.
 */
const char *sgd_texture_prepare(struct sgd_texture *texture);
/* Version of sgd_texture_prepare() for the descriptor of an image binding, which must
 * have one level and a format that images support.
 */
const char *sgd_image_prepare(struct sgd_texture *texture);
/* Decodes what depends only on the sampler. Called whenever its descriptor is set. */
void sgd_sampler_prepare(struct sgd_sampler *sampler);
/* Frees the data that sgd_texture_prepare() or sgd_image_prepare() has made. */
void sgd_texture_finish(struct sgd_texture *texture);

#endif
