/* SPDX-License-Identifier: MIT */
/*
 * Warps: 32 invocations (lanes) of a program that execute together.
 *
 * A warp is an object.  It has a register file of the size that its program
 * needs, and control state: program counter, lane masks, synchronization stack,
 * count of issued instructions.  sgd_warp_run executes it until it ends or a limit
 * on instructions suspends it; a later call, by any worker, continues it.  Between
 * two instructions, the warp and its memory hold the whole state of the program;
 * the core holds none.
 *
 * Each worker has a core, and each core a warp whose register file fits any
 * program.  Vertex, geometry and pixel programs run to their end on that warp, one
 * after the other (sgd_shader_begin, sgd_shader_run in sgd_shader.h): without
 * allocation, and without clearing registers that the program writes first.
 *
 * A workgroup of compute invocations has up to 32 warps alive at once.  Each
 * has a register file of code->layout.size bytes; one allocation holds the files
 * and the shared memory of the group.  A barrier suspends a warp with `pc` behind
 * the barrier; all its lanes arrive together, because GL allows barriers only in
 * uniform control flow.  One worker runs the warps of a group in turn, each up to
 * the barrier or its end, and begins the next round when all have arrived.
 */
#ifndef SGD_WARP_H
#define SGD_WARP_H

#include "sgd_state.h"
#include "sgpu_isa.h"

struct sgd_native;
struct sgd_native_calls;
struct sgd_shader;
struct sgd_worker;

/* A vec4 register of a warp: [component][lane], so that a swizzle is an
 * address and a write mask a choice of loops.
 */
struct sgd_vec {
   _Alignas(64) uint32_t c[4][SGD_WARP];
};

/* A source of an operation: the lanes of its components, anywhere, each aligned to 64 bytes.
 * Components that the operation does not read point at some lanes too.
 */
struct sgd_source {
   const uint32_t *c[4];
};

/* Where a program's registers are in the register file: byte offsets, multiples
 * of 64.  Instructions address registers by offsets that the decoder computes.
 */
struct sgd_file_layout {
   /* The first register of each file, by enum sgpu_file:
    *    TEMP, INPUT, OUTPUT, SYS: struct sgd_vec
    *    ADDR: as struct sgd_vec, of int32_t
    *    PRED: 4 lane masks each; always at SGD_FILE_PRED
    *    CONST: those that instructions name, 16 bytes each for all lanes
    */
   uint32_t base[SGPU_FILE_NONE + 1];
   /* Operand slots: struct sgd_vec for each source, after relative addressing
    * and modifiers; used within one instruction.
    */
   uint32_t operand;
   uint32_t num_in, num_out, num_sys;
   uint32_t size; /* of the file */
};

#define SGD_FILE_PRED 0
#define SGD_FILE_PRED_SIZE 64

/* A file of this size fits any program. */
#define SGD_FILE_SIZE                           \
   (SGD_FILE_PRED_SIZE + 16 * SGPU_CONST_SIZE + \
    sizeof(struct sgd_vec) *                    \
       (1 + SGPU_TEMP_SIZE + SGPU_INPUT_SIZE + SGPU_OUTPUT_SIZE + SGPU_NUM_SYSVALS + 3))

/* A component of a register that holds a value before the first instruction. */
struct sgd_preset {
   uint32_t offset;
   uint32_t value;
};

enum sgd_warp_result {
   SGD_WARP_ENDED,
   SGD_WARP_SUSPENDED, /* at the limit; sgd_warp_run continues it */
   SGD_WARP_BARRIER,   /* at a barrier; sgd_warp_run continues it behind the barrier */
   SGD_WARP_STOPPED,   /* issued more than worker->watchdog instructions */
};

struct sgd_warp;

/* Executes `warp` from warp->pc.  Issues at most `limit` instructions, then
 * suspends the warp.  Adds to the counters of warp->worker.
 */
typedef enum sgd_warp_result sgd_execute_fn(struct sgd_warp *warp, uint64_t limit);

#define SGD_NO_LIMIT UINT64_MAX

/* A program in executable form, shared by workers and immutable but for `execute`.  Fields of its
 * creator, the interpreter's decoder, follow it in memory.
 */
struct sgd_code {
   sgd_execute_fn *execute; /* atomic: of the next warps */
   void (*destroy)(struct sgd_code *code);
   struct sgd_file_layout layout;

   struct sgd_preset *presets;
   uint32_t num_presets;

   uint16_t *consts; /* slot n of SGPU_FILE_CONST is c[consts[n]] */
   uint32_t num_consts;
   uint32_t num_bank_consts; /* the first so many are from bank 0, the rest literals */
   uint32_t bank_bytes;      /* of bank 0 that those need */
};

/* Entries of the synchronization stack. */
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

/* Entries that a warp has room for; deeper programs need memory of their own. */
#define SGD_OWN_STACK 288

struct sgd_warp {
   const struct sgd_shader *shader;
   const struct sgd_code *code;
   const struct sgd_env *env;
   struct sgd_worker *worker; /* that executes the warp now */

   uint8_t *file;                  /* registers: code->layout; aligned to 64 bytes */
   struct sgd_vec *in, *out, *sys; /* in the file */
   uint8_t *scratch;               /* SGD_WARP * shader->scratch_size bytes, lane-major */

   /* Of the workgroup, for LDS, STS, ATS: multiples of 4; NULL and 0 where there is none.
    * Set after sgd_warp_init, which clears them.
    */
   uint8_t *shared;
   uint32_t shared_size;

   /* control state */
   uint64_t issued;         /* instructions, since sgd_warp_start */
   uint32_t pc;             /* of the next instruction */
   uint32_t exec;           /* lanes that execute it */
   uint32_t running;        /* lanes that have not ended */
   uint32_t keep;           /* lanes that are live or helpers, not killed */
   uint32_t live;           /* lanes that own a pixel */
   uint32_t depth;          /* of the stack */
   struct sgd_entry *stack; /* shader->stack_size entries at least, or NULL */
   struct sgd_entry own[SGD_OWN_STACK];
};

/* Attaches a warp to a program, an environment, and memory for its registers
 * and its lanes' scratch memory.  Sets in, out and sys, and fetches the constants of
 * `env` as they are now.  The warp can then be started any number of times.  If the program's
 * stack is larger than SGD_OWN_STACK, the caller then sets warp->stack, which is NULL.
 */
void sgd_warp_init(struct sgd_warp *warp, const struct sgd_shader *shader,
                   const struct sgd_env *env, uint8_t *file, uint8_t *scratch);

/* Puts the warp before its first instruction.  The lanes of `active` execute;
 * those of `live` own a pixel.  Outputs start as (0,0,0,1), temporaries and
 * scratch memory as zeros.  in and sys are the caller's: only registers that the
 * program reads need to be set.
 */
void sgd_warp_start(struct sgd_warp *warp, uint32_t active, uint32_t live);

/* Begins or continues a started warp on this worker: at most `limit` instructions.
 * Without effect on a warp that has ended.
 */
enum sgd_warp_result sgd_warp_run(struct sgd_warp *warp, struct sgd_worker *worker, uint64_t limit);

/* Ends a warp that was stopped.  Lanes that were still running get the outputs
 * that they started with and lose their pixels.
 */
void sgd_warp_abandon(struct sgd_warp *warp);

/* The same for one that the watchdog has stopped: worker->stop tells why, and further
 * warps of the piece of work get less time.
 */
void sgd_warp_stop(struct sgd_warp *warp);

/* How addresses of lanes follow each other.  A group is eight lanes from a multiple of
 * eight on.
 */
struct sgd_pattern {
   _Alignas(64) uint32_t at[SGD_WARP]; /* multiples of 4 */
   /* Lanes of groups: one word each behind the first lane; at its address.  Where a group
    * has other lanes too, perhaps the first one alone.
    */
   uint32_t next, same; /* next: 0 where there is no pattern yet */
   bool row, one;       /* likewise for all 32 lanes */
   uint32_t last;       /* the greatest address */
};
#define SGD_PATTERNS 4 /* kept, by register */

/* Machine code that runs a program from its first instruction on, if its warps need no more before
 * it than predicates and control state.  One of the two, or both NULL.
 */
struct sgd_begun {
   const struct sgd_native *whole; /* to the end */
   /* As long as lanes agree: sgd_program_fn, its argument, and how far below the watchdog's count
    * it may issue instructions.
    */
   uint32_t (*program)(struct sgd_warp *, const struct sgd_native_calls *, uint64_t limit,
                       const void *entry, uint32_t chunks);
   const void *entry;
   uint64_t margin;
   uint32_t length; /* instructions of `whole` */
   bool quad;       /* both are for whole quads alone */
   bool same;       /* `whole` depends on constants alone: its outputs are the same in all warps */
};

/* The part of a worker that executes warps. */
struct sgd_core {
   struct sgd_pattern pattern[SGD_PATTERNS]; /* of the latest addresses; zeros at first */
   struct sgd_vec result;                    /* of an instruction, before it is merged */
   struct sgd_warp warp;                     /* of programs that run to their end */
   struct sgd_begun begun;                   /* that warp's program */
   uint8_t *scratch;                         /* that warp's, from malloc; grown by sgd_shader_run */
   uint32_t scratch_size;                    /* bytes per lane */
   struct sgd_entry *stack;                  /* that warp's, from malloc; grown for deep programs */
   uint32_t stack_size;                      /* entries */
   _Alignas(64) uint8_t file[SGD_FILE_SIZE]; /* that warp's */
};

#endif
