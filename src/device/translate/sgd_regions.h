/* SPDX-License-Identifier: MIT */
/*
 * Translator: from a program's instructions to the nodes of its regions.
 */
#ifndef SGD_REGIONS_H
#define SGD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgd_ir.h"
#include "sgd_liveness.h"
#include "sgd_shader.h"

/* A part of a program that has machine code of its own. */
struct sgd_region {
   uint32_t first, next, length, span; /* as of sgd_native */
   size_t full, masked;                /* in the code */
   bool jump, quad;
};

/* A place in the register file that has a value. */
struct sgd_touched {
   uint32_t offset;
   uint32_t live; /* the component, as sgd_is_live knows it */
};

#define SGD_FILE_PLACE 64 /* granularity of offsets in the register file */

/* A program, and the nodes of one region of it. */
struct sgd_regions {
   const struct sgd_shader *shader;
   uint32_t num_instrs;
   const struct sgd_interp *interp;
   uint32_t const_offset[SGPU_CONST_SIZE]; /* of c[n]; 0: none */
   struct sgd_live *live;                  /* before each instruction; NULL: everything is */
   bool *target; /* instructions to which control may come otherwise than from before */
   struct sgd_ir ir;
   uint16_t
      value[SGD_FILE_SIZE / SGD_FILE_PLACE]; /* of lanes by place; SGD_IR_NONE: as in memory */
   uint16_t pred[16];                        /* the same of predicates */
   struct sgd_touched touched[SGD_IR_MAX_STORES];
   uint32_t num_touched;
   bool quad;
};

/* False without memory; sgd_regions_finish frees it then, too. */
bool sgd_regions_init(struct sgd_regions *rs, const struct sgd_shader *shader);
void sgd_regions_finish(struct sgd_regions *rs);

/* The region from instruction `first` on, without its code; length 0: there is none.  Its nodes
 * are in rs->ir, optimized.
 */
struct sgd_region sgd_regions_gather(struct sgd_regions *rs, uint32_t first);

#endif
