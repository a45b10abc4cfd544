/* SPDX-License-Identifier: MIT */
/*
 * Translator: what the code of regions (sgd_emit.c) and of loops (sgd_emit_loop.c) share.
 */
#ifndef SGD_EMIT_CODE_H
#define SGD_EMIT_CODE_H

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_regalloc.h"
#include "shader/translate/sgd_schedule.h"
#include "shader/translate/sgd_x86.h"

#define SGD_LOOP_CARRIED 6

/* The BRK of a loop that is a region. */
struct sgd_code_loop {
   bool invert;   /* set if lanes leave where the predicate is false */
   unsigned ones; /* number of a constant with all bits set */
   /* LOAD nodes whose registers have the current values of what the loop changes */
   uint16_t carried[SGD_LOOP_CARRIED];
   unsigned num_carried;
};

struct sgd_code {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   bool masked;
   const struct sgd_code_loop *loop; /* NULL unless the region is a loop */
   struct sgd_schedule schedule;
   struct sgd_regalloc ra;
   bool preds, uniform; /* set if there are predicates, or UNIFORM nodes */
   uint32_t held[2];    /* register file offsets of the predicates that r10 and r11 collect */
   unsigned num_held;
};

/* Returns false if an allocation fails. sgd_code_finish() must be called in both cases. */
bool sgd_code_start(struct sgd_code *e, struct sgd_x86 *x, const struct sgd_ir *ir, bool masked);
void sgd_code_finish(struct sgd_code *e);

/* Emits the given steps of the schedule. */
void sgd_code_steps(struct sgd_code *e, uint32_t first, uint32_t end);

#endif
