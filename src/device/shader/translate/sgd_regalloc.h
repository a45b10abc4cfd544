/* SPDX-License-Identifier: MIT */
/*
 * Translator: allocation of vector registers.
 */
#ifndef SGD_REGALLOC_H
#define SGD_REGALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_schedule.h"
#include "shader/translate/sgd_x86.h"

#define SGD_NUM_REGS 16
#define SGD_CHUNK_BYTES 32 /* size of a vector, and of a chunk's lanes of a register */

/* Location of a value. */
struct sgd_place {
   uint32_t first, end; /* remaining uses of the value: range in `uses` */
   uint16_t slot;       /* stack slot */
   uint8_t reg;
   bool moved; /* a LOAD whose origin has another value now */
   bool pinned;
};

struct sgd_regalloc {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   const struct sgd_schedule *schedule;
   bool masked;
   uint16_t keep;           /* the KEEP node of masked code */
   struct sgd_place *place; /* location of each node, and of one more, for scratch */
   uint32_t *uses;          /* steps that use each node, in groups by node */
   uint16_t *constants;     /* SPLAT and CONST nodes */
   uint32_t num_constants;
   uint16_t owner[SGD_NUM_REGS];
   uint32_t used;                /* mask of registers that have a value */
   uint32_t locked;              /* mask of registers that the present step needs */
   uint32_t slots, slots_before; /* stack slots in use, and those in use before the loop */
   uint32_t cost; /* number of loads and stores in the loop, without those of results */
};

/* Prepares for the steps of a schedule.  `masked` is true if stores are masked.  Returns false if
 * out of memory; sgd_regalloc_finish() must be called in any case.
 */
bool sgd_regalloc_init(struct sgd_regalloc *ra, struct sgd_x86 *x, const struct sgd_ir *ir,
                       const struct sgd_schedule *schedule, bool masked);
void sgd_regalloc_finish(struct sgd_regalloc *ra);

/* Starts the function, with no value in a register. */
void sgd_regalloc_start(struct sgd_regalloc *ra);

/* Keeps up to `count` constants in registers during the loop, preferring words of the register
 * file, since each load of these is an instruction.  Returns their number.
 */
unsigned sgd_regalloc_pin(struct sgd_regalloc *ra, unsigned count);

/* Starts the loop: all registers but the pinned ones are spilled to the stack. */
void sgd_regalloc_start_loop(struct sgd_regalloc *ra);

/* Starts a second loop with the initial values of the first, whose node for node n is to[n]. */
void sgd_regalloc_start_second(struct sgd_regalloc *ra, const struct sgd_regalloc *first,
                               const uint16_t *to);

/* Starts a step.  Registers that the functions below return keep their values until its end. */
void sgd_regalloc_start_step(struct sgd_regalloc *ra);

/* Returns true if a value is in a register. */
bool sgd_regalloc_has(const struct sgd_regalloc *ra, uint16_t node);

/* Returns the register of a source, and loads it if necessary. */
unsigned sgd_regalloc_source(struct sgd_regalloc *ra, uint16_t node);

/* Returns a source as an operand, which is memory if that saves a register. */
struct sgd_x86_rm sgd_regalloc_operand(struct sgd_regalloc *ra, uint16_t node);

/* Returns a register for the result.  The scratch register is free again after the step. */
unsigned sgd_regalloc_take(struct sgd_regalloc *ra, uint16_t node);
unsigned sgd_regalloc_scratch(struct sgd_regalloc *ra);

/* Keeps a value that is still needed, before its offset in the register file is overwritten. */
void sgd_regalloc_save(struct sgd_regalloc *ra, uint32_t offset);

/* Ends the uses of values by a step. */
void sgd_regalloc_end_uses(struct sgd_regalloc *ra, uint32_t step);

#endif
