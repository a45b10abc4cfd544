/* SPDX-License-Identifier: MIT */
/*
 * Warps: 32 invocations (lanes) of a program that execute together.
 *
 * A warp is an object with a register file of the size that its program needs, and with control
 * state: program counter, lane masks, synchronization stack and number of issued instructions.
 * sgd_warp_run() executes a warp until it ends, or until an instruction limit suspends it. A later
 * call on any worker resumes the warp. Between two instructions, all state of the program is in the
 * warp and its memory, and none in the core.
 *
 * Each worker has a core, and each core has a warp whose register file fits any program. Vertex,
 * tessellation, geometry and pixel programs run to their end on this warp, one at a time
 * (sgd_shader_begin() and sgd_shader_run() in sgd_shader.h). This needs an allocation only for much
 * scratch memory, and doesn't clear registers that the program writes before it reads them.
 *
 * A compute workgroup has up to 32 warps alive at once, each with a register file and scratch memory
 * of shader->file_size bytes. The register files and the shared memory of the workgroup are a single
 * allocation. A barrier suspends a warp with `pc` after the barrier. All lanes of a warp arrive
 * together, since GL only allows barriers in uniform control flow. One worker runs the warps of a
 * workgroup in turn, each up to the barrier or its end, and starts the next round once all warps
 * have arrived.
 */
#ifndef SGD_WARP_H
#define SGD_WARP_H

#include "common/sgd_state.h"
#include "sgpu_isa.h"

struct sgd_code;
struct sgd_native;
struct sgd_native_calls;
struct sgd_shader;
struct sgd_worker;

/* A vec4 register of a warp, stored as [component][lane]. A swizzle then only changes the addresses
 * that are read, and a write mask only selects which components are computed.
 */
struct sgd_vec {
   _Alignas(64) uint32_t c[4][SGD_WARP];
};

/* A source operand. c[i] points to the 32 lanes of component i, and is aligned to 64 bytes.
 * Components that the operation doesn't read must also point to valid memory.
 */
struct sgd_source {
   const uint32_t *c[4];
};

#define SGD_FILE_PRED_SIZE 64 /* size in bytes of the predicate registers in a register file */

#define SGD_LOOKUPS_SIZE 4096 /* size in bytes of all lookups (struct sgd_lookup) of a program */

/* Size in bytes of a register file that fits any program. */
#define SGD_FILE_SIZE                                              \
   (SGD_FILE_PRED_SIZE + 16 * SGPU_CONST_SIZE + SGD_LOOKUPS_SIZE + \
    sizeof(struct sgd_vec) *                                       \
       (1 + SGPU_TEMP_SIZE + SGPU_INPUT_SIZE + SGPU_OUTPUT_SIZE + SGPU_NUM_SYSVALS + 3))

enum sgd_warp_result {
   SGD_WARP_ENDED,
   SGD_WARP_SUSPENDED, /* the warp reached the instruction limit; sgd_warp_run() resumes it */
   SGD_WARP_BARRIER, /* the warp waits at a barrier; sgd_warp_run() resumes it after the barrier */
   SGD_WARP_STOPPED, /* exceeded worker->watchdog instructions */
};

struct sgd_warp;

/* Executes `warp` from warp->pc, and suspends it after at most `limit` instructions. Adds to the
 * counters of warp->worker.
 */
typedef enum sgd_warp_result sgd_execute_fn(struct sgd_warp *warp, uint64_t limit);

#define SGD_NO_LIMIT UINT64_MAX

/* Kinds of entries on the synchronization stack. */
enum sgd_entry_kind {
   SGD_ENTRY_PENDING,
   SGD_ENTRY_MEET,
   SGD_ENTRY_BREAK,
   SGD_ENTRY_CONTINUE,
};

struct sgd_entry {
   uint32_t lanes;
   uint32_t target : 24;
   uint32_t kind : 8;
};

/* Number of stack entries that are embedded in a warp. Programs that need more entries use a
 * separate stack.
 */
#define SGD_OWN_STACK 288

struct sgd_warp {
   const struct sgd_shader *shader;
   const struct sgd_code *code;
   const struct sgd_env *env;
   struct sgd_worker *worker; /* worker that currently executes the warp */

   uint8_t *file; /* register file, laid out as in code->layout; aligned to 64 bytes */
   struct sgd_vec *in, *out, *sys; /* register arrays inside the file */
   /* scratch memory, which follows the register file. Word k of lane l is element SGD_WARP * k + l.
    * So a word of all lanes is stored like a register component.
    */
   uint32_t *scratch;

   /* Shared memory of the workgroup for LDS, STS and ATS, or NULL. Address and size are multiples
    * of 4. Both members must be set after sgd_warp_init(), which clears them.
    */
   uint8_t *shared;
   uint32_t shared_size;

   /* Control state: */
   uint64_t issued;         /* number of instructions issued since sgd_warp_start() */
   uint32_t pc;             /* index of the next instruction */
   uint32_t exec;           /* mask of the lanes that execute the next instruction */
   uint32_t running;        /* mask of the lanes that have not ended */
   uint32_t keep;           /* mask of the live and helper lanes that have not been killed */
   uint32_t live;           /* mask of the lanes that own a pixel */
   uint32_t depth;          /* number of entries on the stack */
   struct sgd_entry *stack; /* array with room for at least shader->stack_size entries, or NULL */
   struct sgd_entry own[SGD_OWN_STACK];
};

/* Attaches a warp to a program, an environment, and shader->file_size bytes for the register file
 * and the scratch memory, aligned to 64 bytes. Sets `in`, `out` and `sys`, and loads the current
 * constants of `env`. The warp can then be started any number of times. If the program needs a
 * stack larger than SGD_OWN_STACK, sets warp->stack to NULL, and the caller must set it.
 */
void sgd_warp_init(struct sgd_warp *warp, const struct sgd_shader *shader,
                   const struct sgd_env *env, uint8_t *file);

/* Resets the warp to the first instruction. `active` is the mask of lanes that execute, `live` the
 * mask of lanes that own a pixel. Outputs are initialized to (0, 0, 0, 1), temporaries and scratch
 * memory to 0. The caller must set `in` and `sys`, but only the registers that the program reads.
 */
void sgd_warp_start(struct sgd_warp *warp, uint32_t active, uint32_t live);

/* Starts or resumes a warp on this worker, for at most `limit` instructions. Does nothing if the
 * warp has ended.
 */
enum sgd_warp_result sgd_warp_run(struct sgd_warp *warp, struct sgd_worker *worker, uint64_t limit);

/* Ends a stopped warp. Lanes that are still running lose their pixels, and their outputs are reset
 * to the initial values.
 */
void sgd_warp_abandon(struct sgd_warp *warp);

/* Ends a warp that exceeded the watchdog's limit, like sgd_warp_abandon(). Also stores the reason
 * in worker->stop, and lowers the limit for the remaining warps of the same piece of work.
 */
void sgd_warp_stop(struct sgd_warp *warp);

/* The addresses that the lanes of a warp access, and their pattern. Lanes are classified in groups
 * of eight, which start at multiples of eight.
 */
struct sgd_pattern {
   _Alignas(64) uint32_t at[SGD_WARP]; /* address of each lane, a multiple of 4 */
   /* Lane masks of the groups with a regular pattern. In a group in `next`, addresses increase by
    * one word per lane. In a group in `same`, all lanes have the same address. In any other group,
    * at most the first lane is set.
    */
   uint32_t next, same; /* `next` is 0 if the pattern is unknown */
   /* row: all groups are in `next`, and the 32 addresses are consecutive; one: all 32 lanes have
    * the same address
    */
   bool row, one;
   uint32_t last; /* highest address */
};
#define SGD_PATTERNS 4 /* number of patterns that are cached, indexed by register */

/* Machine code that runs a program from its first instruction. At most one of `whole` and
 * `program` is not NULL.
 */
struct sgd_begun {
   const struct sgd_native *whole; /* code that runs the program to its end */
   /* Runs the program (sgd_program_fn). `entry` is the argument of the function. `limit` must be at
    * least `margin` instructions below the watchdog's limit.
    */
   uint32_t (*program)(struct sgd_warp *, const struct sgd_native_calls *, uint64_t limit,
                       const void *entry, uint32_t chunks);
   const void *entry;
   uint64_t margin;
   uint32_t length; /* number of instructions in `whole` */
   bool quad;       /* set if `whole` and `program` only support complete quads */
   bool clears;     /* set if registers must be initialized first */
   /* set if the results of `whole` depend only on constants, so that all warps have the same
    * outputs
    */
   bool same;
};

/* The part of a worker that executes warps. */
struct sgd_core {
   /* access patterns of recently used addresses; initially zero */
   struct sgd_pattern pattern[SGD_PATTERNS];
   struct sgd_vec result;  /* result of an instruction before the write mask is applied */
   struct sgd_warp warp;   /* warp for programs that are never suspended before their end */
   struct sgd_begun begun; /* machine code of the program that `warp` runs */
   /* register file and scratch memory of `warp` if they don't fit in `file`, allocated with
    * aligned_alloc() and grown by sgd_shader_begin()
    */
   uint8_t *large_file;
   size_t large_file_size;
   /* stack of `warp` for programs that need a large stack, allocated with malloc() and grown by
    * sgd_shader_begin()
    */
   struct sgd_entry *stack;
   uint32_t stack_size; /* number of entries in `stack` */
   /* register file of `warp`, followed by its scratch memory if both fit */
   _Alignas(64) uint8_t file[SGD_FILE_SIZE];
};

#endif
