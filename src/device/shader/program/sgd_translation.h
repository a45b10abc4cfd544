/* SPDX-License-Identifier: MIT */
/*
 * Programs: machine code for the regions of a program, and for the control flow between regions.
 *
 * A region has no control flow, except for at most one branch that all lanes take. Machine code
 * calls the interpreter's functions for textures and most accesses to memory. The interpreter
 * continues at BAR and CLK, and near the watchdog's limit.
 */
#ifndef SGD_TRANSLATION_H
#define SGD_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sgd_shader.h"

struct sgd_exec_block;
struct sgd_ins;
struct sgd_warp;

/* Executes a region for the first `chunks` (1 to 4) chunks of eight lanes, on the registers in
 * `file`. In masked code, all lanes that are not in *exec keep their registers. Registers and
 * predicates of lanes in later chunks may be clobbered. `lane` is `file` plus 4 times the number of
 * an executing lane.
 */
typedef void sgd_native_fn(uint8_t *file, const uint32_t *exec, uint32_t chunks,
                           const uint8_t *lane);

/* Executes rounds of a loop for the lanes in *exec, and removes those that leave the loop. Returns
 * the number of rounds that were executed for at least one lane, at most `rounds`.
 */
typedef uint32_t sgd_loop_fn(uint8_t *file, uint32_t *exec, uint32_t chunks, const uint8_t *lane,
                             uint32_t rounds);

struct sgd_native {
   sgd_native_fn *full;
   /* version that uses `exec`, or NULL if all lanes of the program always execute together */
   sgd_native_fn *masked;
   uint16_t length; /* number of instructions that the region executes */
   /* number of instructions from the first to the last one, or to the branch if `jump` is set */
   uint16_t span;
   bool jump;     /* set if the region continues at the target of a branch, which all lanes take */
   uint32_t next; /* index of the instruction that follows the region */
   /* set if the region reads other lanes of the quad, so that it can only be executed for whole
    * quads
    */
   bool quad;
   /* set if the operands of the first instruction must be loaded to their slots before */
   bool operands;
   bool loop;         /* set if the region also has a sgd_loop_fn */
   bool uniform;      /* set if the functions use the argument `lane` */
   uint16_t textures; /* number of texture operations, which have machine code here */
};

/* Functions of the interpreter that a program's machine code calls. */
struct sgd_native_calls {
   void (*texture)(struct sgd_warp *w, const struct sgd_ins *i);
   /* loads the operands that are not just registers to their slots */
   void (*operands)(struct sgd_warp *w, const struct sgd_ins *i);
   /* executes any instruction except for TEX and control flow */
   void (*other)(struct sgd_warp *w, const struct sgd_ins *i);
   /* Implements KIL and DMT. Returns the number of chunks that still have lanes, or 0 if the
    * machine code must return to the interpreter.
    */
   uint32_t (*kill)(struct sgd_warp *w, const struct sgd_ins *i);
   /* Fills the synchronization stack for instruction n, while all lanes agree. */
   void (*part)(struct sgd_warp *w, uint32_t n);
   /* Implements BRK, CONT, EXIT, KIL, DMT and the end of the program, while the stack is filled.
    * Returns the mask of the lanes that still execute.
    */
   uint32_t (*leave)(struct sgd_warp *w, const struct sgd_ins *i);
};

/* Executes the first `chunks` chunks of a warp, starting with the instruction whose machine code is
 * at `entry`. Adds the number of issued instructions to w->issued. Returns SGD_PROGRAM_ENDED, or the
 * index of the next instruction, where the interpreter must continue. If SGD_PROGRAM_DIVERGENT is set
 * in the result, the synchronization stack is up to date. Otherwise, it must get an entry with all
 * executing lanes for each point that is open at the instruction (sgd_code_entry.point).
 */
typedef uint32_t sgd_program_fn(struct sgd_warp *w, const struct sgd_native_calls *calls,
                                uint64_t limit, const void *entry, uint32_t chunks);
#define SGD_PROGRAM_ENDED UINT32_MAX
#define SGD_PROGRAM_DIVERGENT (1u << 30)

/* Describes an instruction in the machine code of a whole program. */
struct sgd_code_entry {
   /* Byte offset of the instruction's machine code, or 0 if machine code can't be entered there.
    * `offset` is for lanes that agree; it needs no stack. `divergent` is for any lanes, with the
    * interpreter's stack.
    */
   uint32_t offset, divergent;
   /* index of the SSY, PBK or PCNT that opened the innermost open point (see sgpu_flow_check()) */
   int32_t point;
};

/* Place in the code where the code of another instruction of the program begins. */
struct sgd_code_place {
   uint32_t offset, instr;
};

/* Machine code of a program. The translator generates it, and the interpreter calls it. */
struct sgd_translation {
   void (*destroy)(struct sgd_translation *t);
   struct sgd_native *regions;
   uint32_t num_regions;
   bool whole;  /* set if the first region is the whole program */
   bool quad;   /* set if at least one region requires whole quads */
   bool avx512; /* set if the machine code may have instructions of AVX-512 */
   /* machine code of the whole program, or NULL, e.g. if the program is a single region */
   sgd_program_fn *program;
   struct sgd_code_entry
      *entries;      /* one element per instruction, plus one for the end of the program */
   const void *code; /* machine code in executable memory */
   size_t size;
   /* for the profiler: places in the code where code of another instruction begins, or NULL */
   struct sgd_code_place *places;
   uint32_t num_places;
   struct sgd_exec_block *block; /* block of executable memory that has the code */
   /* List of code of the same program in which lookups of texels are machine code too (struct
    * sgd_lookup). Only its first instruction can be entered. The list grows at its front while warps
    * run, atomically.
    */
   struct sgd_translation *with_lookups;
   struct sgd_lookup_forms lookups; /* forms of the lookups in this code */
   unsigned num_lookups;
};

#endif
