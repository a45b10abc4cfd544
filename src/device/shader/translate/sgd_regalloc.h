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
/* size in bytes of a vector, and of a chunk's lanes in a register of the program */
#define SGD_CHUNK_BYTES 32

/* Location of a value. */
struct sgd_place {
   /* remaining uses of the value, as a range of indices into sgd_regalloc.uses */
   uint32_t first, end;
   uint16_t slot; /* stack slot, or NO_SLOT */
   uint8_t reg;
   bool moved; /* whether the register file entry that this LOAD node reads has been overwritten */
   bool pinned;
};

struct sgd_regalloc {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   const struct sgd_schedule *schedule;
   bool masked;
   uint16_t keep;           /* KEEP node, for masked code */
   struct sgd_place *place; /* location of each node, plus one element for scratch registers */
   uint32_t *uses;          /* steps that use each node, grouped by node */
   uint16_t *constants;     /* all SPLAT and CONST nodes */
   uint32_t num_constants;
   uint16_t owner[SGD_NUM_REGS];
   uint32_t used;                /* bitmask of the registers that hold a value */
   uint32_t locked;              /* bitmask of the registers that the current step needs */
   uint32_t slots, slots_before; /* number of stack slots in use, in total and before the loop */
   uint32_t cost; /* number of loads and spills in the loop, excluding stores of results */
};

/* Initializes the allocator for the steps of a schedule. `masked` means that stores are masked.
 * Returns false on allocation failure. sgd_regalloc_finish() must be called in either case.
 */
bool sgd_regalloc_init(struct sgd_regalloc *ra, struct sgd_x86 *x, const struct sgd_ir *ir,
                       const struct sgd_schedule *schedule, bool masked);
void sgd_regalloc_finish(struct sgd_regalloc *ra);

/* Starts a function with all registers empty. */
void sgd_regalloc_start(struct sgd_regalloc *ra);

/* Keeps up to `count` constants in registers during the loop. Prefers words of the register file,
 * because each load of one is a separate instruction. Returns the number of constants that were
 * pinned.
 */
unsigned sgd_regalloc_pin(struct sgd_regalloc *ra, unsigned count);

/* Starts the loop: spills all registers to the stack, except for the pinned ones. */
void sgd_regalloc_start_loop(struct sgd_regalloc *ra);

/* Starts a second loop with the values from before the first loop. to[n] is the first loop's node
 * for node n.
 */
void sgd_regalloc_start_second(struct sgd_regalloc *ra, const struct sgd_regalloc *first,
                               const uint16_t *to);

/* Starts a step. Registers returned by the functions below keep their values until the end of the
 * step.
 */
void sgd_regalloc_start_step(struct sgd_regalloc *ra);

/* Returns true if the value is in a register. */
bool sgd_regalloc_has(const struct sgd_regalloc *ra, uint16_t node);

/* Returns the register of a source, which is loaded if necessary. */
unsigned sgd_regalloc_source(struct sgd_regalloc *ra, uint16_t node);

/* Returns a source as an operand, which is in memory if that saves a register. */
struct sgd_x86_rm sgd_regalloc_operand(struct sgd_regalloc *ra, uint16_t node);

/* Allocates a register for the result of a node, or a scratch register, which is free again after
 * the step.
 */
unsigned sgd_regalloc_take(struct sgd_regalloc *ra, uint16_t node);
unsigned sgd_regalloc_scratch(struct sgd_regalloc *ra);

/* Loads a value that is still needed to a register, before its register file entry is overwritten.
 * `offset` is the offset of the entry.
 */
void sgd_regalloc_save(struct sgd_regalloc *ra, uint32_t offset);

/* Ends the step's uses of its sources, and frees the registers of dead values. */
void sgd_regalloc_end_uses(struct sgd_regalloc *ra, uint32_t step);

#endif
