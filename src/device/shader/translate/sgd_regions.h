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

/* Part of a program that has its own machine code. */
struct sgd_region {
   /* see struct sgd_native; `first` is the index of the region's first instruction */
   uint32_t first, next, length, span;
   size_t full, masked; /* code offsets of the normal and of the masked function */
   bool jump, quad;
};

/* Register component whose current value is a node rather than in the register file. */
struct sgd_touched {
   uint32_t offset;
   uint32_t live; /* bit that sgd_is_live() tests for the component */
};

#define SGD_FILE_PLACE 64 /* granularity of register file offsets, in bytes */

/* A program, and the nodes of one of its regions. */
struct sgd_regions {
   const struct sgd_shader *shader;
   uint32_t num_instrs;
   const struct sgd_interp *interp;
   uint32_t const_offset[SGPU_CONST_SIZE]; /* register file offset of constant c[n], or 0 */
   /* components that are live before each instruction, or NULL if all are live */
   struct sgd_live *live;
   /* whether each instruction can be reached other than from the previous instruction */
   bool *target;
   struct sgd_ir ir;
   /* node with the current value at each register file offset, or SGD_IR_NONE if it is unchanged */
   uint16_t value[SGD_FILE_SIZE / SGD_FILE_PLACE];
   /* node with the current value of each predicate, or SGD_IR_NONE if it is unchanged */
   uint16_t pred[16];
   struct sgd_touched touched[SGD_IR_MAX_STORES];
   uint32_t num_touched;
   bool quad;
};

/* Returns false on allocation failure. sgd_regions_finish() must be called in either case. */
bool sgd_regions_init(struct sgd_regions *rs, const struct sgd_shader *shader);
void sgd_regions_finish(struct sgd_regions *rs);

/* Builds the region that starts at instruction `first`. Its length is 0 if no region can start
 * there. The optimized nodes are in rs->ir. No code is emitted.
 */
struct sgd_region sgd_regions_gather(struct sgd_regions *rs, uint32_t first);

#endif
