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

#define SGPU_FLOW_NO_POINT (-1)
#define SGPU_FLOW_UNREACHED (-2)

/*
 * Follows all paths from instruction 0. Returns NULL and the deepest stack, or
 * a static error text and the instruction in *where (num: the end).
 *
 * points, NULL or of num + 1 elements: the instruction that pushed the topmost
 * point of the stack at each instruction and at the end, or one of the above.
 */
const char *sgpu_flow_check(const struct sgpu_flow_instr *instrs, uint32_t num, uint32_t *max_depth,
                            uint32_t *where, int32_t *points);

#endif /* SGPU_FLOW_H */
