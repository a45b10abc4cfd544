/* SPDX-License-Identifier: MIT */
/*
 * Translator: machine code for the regions of a program, pieces of it without control flow but
 * for one branch that all lanes take, and for the way from one to the next where lanes agree.
 * The interpreter calls it, and executes what it leaves.
 */
#ifndef SGD_TRANSLATE_H
#define SGD_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;
struct sgd_ins;
struct sgd_shader;
struct sgd_warp;

/* Executes a region for the lanes of the first `chunks` (1 to 4) chunks of eight, in the register
 * file `file`; of masked code, lanes l with keep[l] = ~0 keep their registers, the others have
 * keep[l] = 0.  Registers and predicates of further lanes may change or not.
 */
typedef void sgd_native_fn(uint8_t *file, const uint32_t *keep, uint32_t chunks);

struct sgd_native {
   sgd_native_fn *full;
   sgd_native_fn *masked; /* NULL: no lane waits while others execute */
   uint16_t length;       /* instructions that it executes */
   uint16_t span;         /* those from its first one on; with a jump, the branch is the last */
   bool jump;             /* others follow, at the target of that branch, which all lanes take */
   uint32_t next;         /* the instruction behind */
   bool quad;             /* reads other lanes of the quad: it is for whole quads alone */
};

/* What machine code of programs calls. */
struct sgd_native_calls {
   void (*texture)(struct sgd_warp *w, const struct sgd_ins *i);
   void (*other)(struct sgd_warp *w, const struct sgd_ins *i); /* no control instruction */
   /* KIL, DMT.  Returns how many chunks of lanes go on; 0: the interpreter knows. */
   uint32_t (*lose)(struct sgd_warp *w, const struct sgd_ins *i);
};

/* Executes a warp all of whose lanes execute, from an instruction's machine code on, for the first
 * `chunks` chunks.  Adds to w->issued.  Returns the next instruction, which may be one for which
 * lanes part, or after which w->issued might reach `limit` before long; or SGD_PROGRAM_ENDED.  The
 * synchronization stack is the caller's: its entries are those of the open points of the
 * instruction (sgd_way.point), with all lanes that execute.
 */
typedef uint32_t sgd_program_fn(struct sgd_warp *w, const struct sgd_native_calls *calls,
                                uint64_t limit, const void *entry, uint32_t chunks);
#define SGD_PROGRAM_ENDED UINT32_MAX

/* An instruction as machine code of the program comes to it. */
struct sgd_way {
   uint32_t entry; /* of its code, from the translation's first byte on; 0: it has no entry */
   int32_t point;  /* as of sgpu_flow_check */
};

struct sgd_translation {
   struct sgd_native *regions;
   uint32_t num_regions;
   bool whole; /* the first region is the program, which ends behind it */
   bool quad;  /* some region is for whole quads alone */
   /* NULL: there is none, as of programs that are one region. */
   sgd_program_fn *program;
   struct sgd_way *ways; /* of each instruction, and the end */
   const void *code;     /* executable memory */
   size_t size;
   struct sgd_exec_block *block; /* that the code is in */
};

/* Whether this host executes translated code: AVX2, and memory that may be executed. */
bool sgd_can_translate(void);

/* Machine code for a program; sets `native` of its decoded instructions.  NULL: there is
 * nothing to translate, or no memory.
 */
struct sgd_translation *sgd_translate(const struct sgd_shader *shader);
void sgd_translation_destroy(struct sgd_translation *t);

#endif
