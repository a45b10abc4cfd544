/* SPDX-License-Identifier: MIT */

/*
 * Random legal instructions, the same in every run.
 */

#ifndef ISA_RANDOM_H
#define ISA_RANDOM_H

#include "sgpu_isa.h"

struct isa_random {
   uint64_t state; /* not 0 */
};

/* 0 to below end. */
uint32_t isa_random_below(struct isa_random *r, uint32_t end);

/* An instruction of the full profile, with any operands and fields of the opcode. */
struct sgpu_instr isa_random_instr(struct isa_random *r, unsigned opcode);

/* An instruction of the base profile, which must have the opcode. */
struct sgpu_instr isa_random_vp1(struct isa_random *r, unsigned opcode);

/* A random valid opcode. */
unsigned isa_random_opcode(struct isa_random *r);

#endif /* ISA_RANDOM_H */
