/* SPDX-License-Identifier: MIT */
/*
 * Programs: machine code for the regions of a program, and for the control flow between them if
 * all lanes agree.  A region has no control flow except one branch that all lanes take.  The
 * interpreter calls the machine code and executes everything else.
 */
#ifndef SGD_TRANSLATION_H
#define SGD_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;
struct sgd_ins;
struct sgd_warp;

/* Executes a region for the lanes of the first `chunks` (1 to 4) chunks of eight, on the registers
 * in `file`.  In masked code, lanes l with keep[l] = ~0 keep their registers; all others have
 * keep[l] = 0.  The registers and predicates of lanes in later chunks may or may not change.
 */
typedef void sgd_native_fn(uint8_t *file, const uint32_t *keep, uint32_t chunks);

struct sgd_native {
   sgd_native_fn *full;
   sgd_native_fn *masked; /* NULL if no lane waits while others execute */
   uint16_t length;       /* number of instructions that it executes */
   uint16_t span;         /* instructions from the first one on, with `jump` up to the branch */
   bool jump;     /* the region continues at the target of that branch, which all lanes take */
   uint32_t next; /* the instruction after the region */
   bool quad;     /* reads other lanes of the quad, so only whole quads may execute it */
};

/* Functions that machine code of programs calls. */
struct sgd_native_calls {
   void (*texture)(struct sgd_warp *w, const struct sgd_ins *i);
   void (*other)(struct sgd_warp *w, const struct sgd_ins *i); /* neither TEX nor control flow */
   /* KIL, DMT.  Returns the number of chunks that continue; 0 if the interpreter must decide. */
   uint32_t (*kill)(struct sgd_warp *w, const struct sgd_ins *i);
};

/* Executes a warp from the machine code `entry` of an instruction on, for the first `chunks`
 * chunks.  No lane may be waiting.  Adds to w->issued.  Returns the next instruction, because lanes
 * diverge there or w->issued may soon reach `limit`, or SGD_PROGRAM_ENDED.  The caller keeps the
 * synchronization stack: its entries are those of the instruction's open points (sgd_way.point),
 * with all lanes that execute.
 */
typedef uint32_t sgd_program_fn(struct sgd_warp *w, const struct sgd_native_calls *calls,
                                uint64_t limit, const void *entry, uint32_t chunks);
#define SGD_PROGRAM_ENDED UINT32_MAX

/* Properties of an instruction in the program's machine code. */
struct sgd_way {
   uint32_t entry; /* byte offset of its code in the translation; 0 if it cannot be entered */
   int32_t point;  /* see sgpu_flow_check() */
};

/* A program's machine code.  The translator makes it, and the interpreter calls it. */
struct sgd_translation {
   void (*destroy)(struct sgd_translation *t);
   struct sgd_native *regions;
   uint32_t num_regions;
   bool whole; /* the first region is the whole program */
   bool quad;  /* at least one region is for whole quads only */
   /* code of the whole program, or NULL, for example if the program is one region */
   sgd_program_fn *program;
   struct sgd_way *ways; /* one for each instruction, and for the end */
   const void *code;     /* executable memory */
   size_t size;
   struct sgd_exec_block *block; /* block that the code is in */
};

#endif
