/* SPDX-License-Identifier: MIT */
/*
 * Decomposes an instruction into scalar operations, for sgt_program.c.
 *
 * The operations are correct code: no operation overwrites a component whose old value a later
 * operation needs. If no order of the components achieves this (MOV R0.xy, R0.yx), an additional
 * move saves the old value.
 */
#ifndef SGT_CRACK_H
#define SGT_CRACK_H

#include "sgpu_scalar.h"
#include "trace/sgt_program.h"

/* Maximum number of operations of an instruction, with the moves that save old values. */
#define SGT_CRACK_MOST (SGPU_SCALAR_MOST + 4)

/* An instruction and its operations. */
struct sgt_crack {
   const struct sgpu_instr *instr;
   const struct sgpu_opcode_info *op;
   const struct sgpu_scalar_info *scalar;
   struct sgt_uop uops[SGT_CRACK_MOST];
   /* Bit mask of sources of the operation that need values from before the instruction. */
   uint8_t old[SGT_CRACK_MOST];
   unsigned num;
};

/* Fills in `k`, which keeps a pointer to `instr`. The caller sets the members `instr` of the
 * operations and SGT_UOP_LAST.
 */
void sgt_crack(struct sgt_crack *k, const struct sgpu_instr *instr);

#endif
