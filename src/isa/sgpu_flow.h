/* SPDX-License-Identifier: MIT */

/*
 * Static check of control flow, for sgpu_program_gather().
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
 * Follows all paths from instruction 0. Returns NULL and the maximum stack depth, or a
 * static error message and the instruction in *where (`num` for the end).
 *
 * points[] is NULL or has num + 1 elements. They become the number of the instruction
 * that pushed the topmost point of the stack at each instruction and at the end, or
 * SGPU_FLOW_NO_POINT or SGPU_FLOW_UNREACHED.
 */
const char *sgpu_flow_check(const struct sgpu_flow_instr *instrs, uint32_t num, uint32_t *max_depth,
                            uint32_t *where, int32_t *points);

#endif /* SGPU_FLOW_H */
