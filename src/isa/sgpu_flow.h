/* SPDX-License-Identifier: MIT */

/*
 * Static check of control flow, for sgpu_program_gather().
 */

#ifndef SGPU_FLOW_H
#define SGPU_FLOW_H

#include <stdbool.h>
#include <stdint.h>

/* The properties of an instruction that the check needs. */
struct sgpu_flow_instr {
   uint16_t opcode;
   bool guarded;
   uint32_t target;
};

#define SGPU_FLOW_NO_POINT (-1)
#define SGPU_FLOW_UNREACHED (-2)

/* Follows all paths from instruction 0. On success, returns NULL and sets *max_depth to the maximum
 * stack depth. Otherwise, returns a static error message and sets *where to the index of the
 * instruction, or to `num` for the end of the program.
 *
 * `points` is NULL or an array of num + 1 elements. Sets each element to the index of the
 * instruction that pushed the topmost point on the stack before the instruction, or at the end of
 * the program. The special values are SGPU_FLOW_NO_POINT and SGPU_FLOW_UNREACHED.
 */
const char *sgpu_flow_check(const struct sgpu_flow_instr *instrs, uint32_t num, uint32_t *max_depth,
                            uint32_t *where, int32_t *points);

#endif /* SGPU_FLOW_H */
