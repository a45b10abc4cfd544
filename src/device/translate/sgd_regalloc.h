/* SPDX-License-Identifier: MIT */
/*
 * Translator: allocation of vector registers.
 */
#ifndef SGD_REGALLOC_H
#define SGD_REGALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_ir.h"
#include "sgd_schedule.h"
#include "sgd_x86.h"

#define SGD_NUM_REGS 16
#define SGD_CHUNK_BYTES 32 /* of a vector, and of a chunk's lanes in the register file */

/* Where a value is. */
struct sgd_place {
   uint32_t first, end; /* of its uses, in `uses`: those left */
   uint16_t slot;       /* on the stack */
   uint8_t reg;
   bool moved; /* a LOAD whose place in the file has another value now */
   bool pinned;
};

struct sgd_regalloc {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   const struct sgd_schedule *schedule;
   bool masked;
   uint16_t keep;           /* of masked code, the KEEP */
   struct sgd_place *place; /* of each node; one more, for scratch */
   uint32_t *uses;          /* steps */
   uint16_t *constants;     /* nodes that are SPLAT or CONST */
   uint32_t num_constants;
   uint16_t owner[SGD_NUM_REGS];
   uint32_t used;                /* registers with values */
   uint32_t locked;              /* those of the present step */
   uint32_t slots, slots_before; /* on the stack; those that the loop begins with */
   uint32_t cost;                /* loads and stores of the loop, but for those of results */
};

/* For the steps of a schedule, whose stores are `masked` or not.  False without memory;
 * sgd_regalloc_finish frees it then, too.
 */
bool sgd_regalloc_init(struct sgd_regalloc *ra, struct sgd_x86 *x, const struct sgd_ir *ir,
                       const struct sgd_schedule *schedule, bool masked);
void sgd_regalloc_finish(struct sgd_regalloc *ra);

/* Begins the function: no register has a value. */
void sgd_regalloc_start(struct sgd_regalloc *ra);

/* Puts up to `count` constants into registers for the whole loop: words of the file first,
 * since each of their loads is an instruction.  Returns how many there were.
 */
unsigned sgd_regalloc_pin(struct sgd_regalloc *ra, unsigned count);

/* Begins the loop, with pinned registers alone: what was computed before it goes to the stack. */
void sgd_regalloc_start_loop(struct sgd_regalloc *ra);

/* Begins another loop behind the first one, with what that began with; to[n] is the other's node
 * for node n.
 */
void sgd_regalloc_start_second(struct sgd_regalloc *ra, const struct sgd_regalloc *first,
                               const uint16_t *to);

/* Begins a step: the registers that these functions return stay as they are to its end. */
void sgd_regalloc_start_step(struct sgd_regalloc *ra);

/* Whether a value is in a register. */
bool sgd_regalloc_has(const struct sgd_regalloc *ra, uint16_t node);

/* The register of a source, which is loaded if it has none. */
unsigned sgd_regalloc_source(struct sgd_regalloc *ra, uint16_t node);

/* A source that may be memory: it is where that saves a register. */
struct sgd_x86_rm sgd_regalloc_operand(struct sgd_regalloc *ra, uint16_t node);

/* A register for the result; one that is free behind the present step. */
unsigned sgd_regalloc_take(struct sgd_regalloc *ra, uint16_t node);
unsigned sgd_regalloc_scratch(struct sgd_regalloc *ra);

/* A place in the file gets another value: what was there is needed in a register. */
void sgd_regalloc_save(struct sgd_regalloc *ra, uint32_t offset);

/* The step needs its sources no more. */
void sgd_regalloc_end_uses(struct sgd_regalloc *ra, uint32_t step);

#endif
