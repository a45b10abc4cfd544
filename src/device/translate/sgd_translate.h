/* SPDX-License-Identifier: MIT */
/*
 * Translator: machine code for the regions of a program, pieces of it without control flow.
 * The interpreter calls it, and executes what it leaves.
 */
#ifndef SGD_TRANSLATE_H
#define SGD_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;
struct sgd_shader;

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

struct sgd_translation {
   struct sgd_native *regions;
   uint32_t num_regions;
   bool whole;       /* the first region is the program, which ends behind it */
   const void *code; /* executable memory */
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
