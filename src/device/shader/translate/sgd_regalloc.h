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

/* number of vector registers, and of registers for wide vectors (sgd_x86.wide) */
#define SGD_NUM_REGS 16
#define SGD_NUM_WIDE_REGS 32
/* size of a chunk's lanes in a register component of the program, and of a vector that is not wide,
 * in bytes
 */
#define SGD_CHUNK_BYTES 32

/* Location of a value. */
struct sgd_place {
   /* range of indices in sgd_regalloc.uses that has the remaining uses of the value */
   uint32_t first, end;
   uint16_t slot; /* stack slot, or NO_SLOT */
   uint8_t reg;
   bool moved; /* set if the register file entry that this LOAD node reads has been overwritten */
   bool pinned;
};

struct sgd_regalloc {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   const struct sgd_schedule *schedule;
   bool masked;
   uint16_t keep[2];        /* KEEP nodes of both chunks, for masked code */
   struct sgd_place *place; /* location of each node, plus one element for scratch registers */
   uint32_t *uses;          /* steps that use each node, sorted by node */
   uint16_t *constants;     /* all SPLAT, SAME and CONST nodes */
   uint32_t num_constants;
   uint32_t all_regs; /* mask of the vector registers */
   uint16_t owner[SGD_NUM_WIDE_REGS];
   uint32_t used;   /* mask of the registers that have a value */
   uint32_t locked; /* mask of the registers that the current step needs */
   /* number of stack slots that are in use: in total, and before the loop */
   uint32_t slots, slots_before;
   uint32_t cost; /* number of loads and spills in the loop, not counting stores of results */
};

/* Initializes the allocator for the steps of a schedule. `masked` is set if stores are masked.
 * Returns false if an allocation fails. sgd_regalloc_finish() must be called in both cases.
 */
bool sgd_regalloc_init(struct sgd_regalloc *ra, struct sgd_x86 *x, const struct sgd_ir *ir,
                       const struct sgd_schedule *schedule, bool masked);
void sgd_regalloc_finish(struct sgd_regalloc *ra);

/* Returns the KEEP node for a store. */
uint16_t sgd_regalloc_keep(const struct sgd_regalloc *ra, const struct sgd_ir_store *s);

/* Starts a function, in which all registers are empty. */
void sgd_regalloc_start(struct sgd_regalloc *ra);

/* Keeps up to `count` constants in registers during the loop. Prefers words of the register file,
 * because each of their uses would need a separate load instruction. Returns the number of
 * constants that are kept.
 */
unsigned sgd_regalloc_pin(struct sgd_regalloc *ra, unsigned count);

/* Starts the loop. Spills all registers to the stack, except for those with pinned constants. */
void sgd_regalloc_start_loop(struct sgd_regalloc *ra);

/* Keeps the value of a node in a register, which the caller must load, until the end of the
 * function.
 */
unsigned sgd_regalloc_hold(struct sgd_regalloc *ra, uint16_t node);

/* Starts a second loop that uses the values computed before the first loop. to[n] is the node of
 * the first loop that corresponds to node n.
 */
void sgd_regalloc_start_second(struct sgd_regalloc *ra, const struct sgd_regalloc *first,
                               const uint16_t *to);

/* Starts a step. The registers that the functions below return keep their values until the end of
 * the step.
 */
void sgd_regalloc_start_step(struct sgd_regalloc *ra);

/* Returns true if a register has the value of the node. */
bool sgd_regalloc_has(const struct sgd_regalloc *ra, uint16_t node);

/* Returns the register of a source. Loads the source to a register if necessary. */
unsigned sgd_regalloc_source(struct sgd_regalloc *ra, uint16_t node);

/* Returns a source as an operand. The operand is in memory if that saves a register. */
struct sgd_x86_rm sgd_regalloc_operand(struct sgd_regalloc *ra, uint16_t node);

/* Allocates a register: for the result of a node, or as a scratch register, which is free again
 * after the step.
 */
unsigned sgd_regalloc_take(struct sgd_regalloc *ra, uint16_t node);
unsigned sgd_regalloc_scratch(struct sgd_regalloc *ra);

/* Must be called before the register file entry at `offset` is overwritten. If its value is still
 * needed, loads it to a register.
 */
void sgd_regalloc_save(struct sgd_regalloc *ra, uint32_t offset);

/* Returns true if no step after `step` uses the node. */
bool sgd_regalloc_used_until(const struct sgd_regalloc *ra, uint16_t node, uint32_t step);

/* Removes the uses of the step's sources, and frees the registers of values that are dead. */
void sgd_regalloc_end_uses(struct sgd_regalloc *ra, uint32_t step);

#endif
