/* SPDX-License-Identifier: MIT */

/*
 * Random valid instructions.  They are the same in every run.
 */

#ifndef ISA_RANDOM_H
#define ISA_RANDOM_H

#include "sgpu_isa.h"

struct isa_random {
   uint64_t state; /* must not be 0 */
};

/* Returns a number from 0 to end - 1. */
uint32_t isa_random_below(struct isa_random *r, uint32_t end);

/* Returns an instruction of the full profile, with random operands and fields that the opcode has.
 */
struct sgpu_instr isa_random_instr(struct isa_random *r, unsigned opcode);

/* Returns an instruction of the base profile, which must have the opcode. */
struct sgpu_instr isa_random_vp1(struct isa_random *r, unsigned opcode);

/* Returns a random valid opcode. */
unsigned isa_random_opcode(struct isa_random *r);

#endif /* ISA_RANDOM_H */
