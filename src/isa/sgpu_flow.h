/* SPDX-License-Identifier: MIT */

/*
 * The static check of control flow, as sgpu_program_gather uses it.
 */

#ifndef SGPU_FLOW_H
#define SGPU_FLOW_H

#include <stdbool.h>
#include <stdint.h>

/* The parts of an instruction that the check needs. */
struct sgpu_flow_instr {
   uint16_t opcode;
   bool guarded;
   uint32_t target;
};

/*
 * Follows all paths from instruction 0. Returns NULL and the deepest stack, or
 * a static error text and the instruction in *where (num: the end).
 */
const char *sgpu_flow_check(const struct sgpu_flow_instr *instrs, uint32_t num, uint32_t *max_depth,
                            uint32_t *where);

#endif /* SGPU_FLOW_H */
