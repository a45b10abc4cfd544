/* SPDX-License-Identifier: MIT */
/*
 * Programs: machine code for the regions of a program, and for the control flow between regions as
 * long as it is uniform.
 *
 * A region has no control flow, except for at most one branch that all lanes take. The interpreter
 * calls the machine code and executes everything else.
 */
#ifndef SGD_TRANSLATION_H
#define SGD_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;
struct sgd_ins;
struct sgd_warp;

/* Executes a region for the first `chunks` (1 to 4) chunks of eight lanes, on the registers in
 * `file`. In masked code, keep[l] is ~0 for lanes that must keep their registers, and 0 for all
 * others. Registers and predicates of lanes in later chunks may be clobbered.
 */
typedef void sgd_native_fn(uint8_t *file, const uint32_t *keep, uint32_t chunks);

struct sgd_native {
   sgd_native_fn *full;
   /* version that uses `keep`, or NULL if all lanes of the program always execute together */
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
};

/* Functions of the interpreter that a program's machine code calls. */
struct sgd_native_calls {
   void (*texture)(struct sgd_warp *w, const struct sgd_ins *i);
   /* executes any instruction except for TEX and control flow */
   void (*other)(struct sgd_warp *w, const struct sgd_ins *i);
   /* Implements KIL and DMT. Returns the number of chunks that still have lanes, or 0 if the
    * machine code must return to the interpreter.
    */
   uint32_t (*kill)(struct sgd_warp *w, const struct sgd_ins *i);
};

/* Executes the first `chunks` chunks of a warp, starting with the instruction whose machine code is
 * at `entry`. No lane may be waiting. Adds the number of issued instructions to w->issued. Returns
 * SGD_PROGRAM_ENDED, or the index of the next instruction if lanes diverge there or if w->issued is
 * about to reach `limit`. The caller maintains the synchronization stack. It must have an entry
 * with all executing lanes for each point that is open at the instruction (sgd_code_entry.point).
 */
typedef uint32_t sgd_program_fn(struct sgd_warp *w, const struct sgd_native_calls *calls,
                                uint64_t limit, const void *entry, uint32_t chunks);
#define SGD_PROGRAM_ENDED UINT32_MAX

/* Describes an instruction in the machine code of a whole program. */
struct sgd_code_entry {
   /* byte offset of the instruction's machine code, or 0 if machine code can't be entered there */
   uint32_t offset;
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
   bool whole; /* set if the first region is the whole program */
   bool quad;  /* set if at least one region requires whole quads */
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
};

#endif
