/* SPDX-License-Identifier: MIT */
/*
 * Translator: converts a program's instructions to the nodes of its regions.
 */
#ifndef SGD_REGIONS_H
#define SGD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_liveness.h"
#include "common/sgd_shader.h"

/* A part of a program that has its own machine code. */
struct sgd_region {
   uint32_t first, next, length, span; /* see struct sgd_native */
   size_t full, masked;                /* offsets of both functions in the code */
   bool jump, quad;
};

/* A part of the register file whose value is in a node. */
struct sgd_touched {
   uint32_t offset;
   uint32_t live; /* component, for sgd_is_live() */
};

#define SGD_FILE_PLACE 64 /* granularity of offsets in the register file, in bytes */

/* A program, and the nodes of one of its regions. */
struct sgd_regions {
   const struct sgd_shader *shader;
   uint32_t num_instrs;
   const struct sgd_interp *interp;
   uint32_t const_offset[SGPU_CONST_SIZE]; /* offset of c[n] in the register file, or 0 */
   struct sgd_live *live; /* components live before each instruction; NULL if all are */
   bool *target; /* instructions that control can reach from others than the previous one */
   struct sgd_ir ir;
   /* node of the lanes at each offset, or SGD_IR_NONE if the register file has them */
   uint16_t value[SGD_FILE_SIZE / SGD_FILE_PLACE];
   /* node of each predicate, or SGD_IR_NONE */
   uint16_t pred[16];
   struct sgd_touched touched[SGD_IR_MAX_STORES];
   uint32_t num_touched;
   bool quad;
};

/* Returns false if out of memory.  sgd_regions_finish() must be called in any case. */
bool sgd_regions_init(struct sgd_regions *rs, const struct sgd_shader *shader);
void sgd_regions_finish(struct sgd_regions *rs);

/* Builds the region that starts at instruction `first`; its length is 0 if there is none.  Its
 * optimized nodes are in rs->ir, and it has no code yet.
 */
struct sgd_region sgd_regions_gather(struct sgd_regions *rs, uint32_t first);

#endif
