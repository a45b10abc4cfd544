/* SPDX-License-Identifier: MIT */
/*
 * The scalar operations of an instruction, for sgt_program.c.
 *
 * They are correct code: none writes a component before the last one that needs its old value.
 * Where the components' order alone does not do (MOV R0.xy, R0.yx), a move saves the old value.
 */
#ifndef SGT_CRACK_H
#define SGT_CRACK_H

#include "sgpu_scalar.h"
#include "trace/sgt_program.h"

#define SGT_CRACK_MOST (SGPU_SCALAR_MOST + 4)

/* The operations of an instruction. */
struct sgt_crack {
   const struct sgpu_instr *instr;
   const struct sgpu_opcode_info *op;
   const struct sgpu_scalar_info *scalar;
   struct sgt_uop uops[SGT_CRACK_MOST];
   uint8_t old[SGT_CRACK_MOST]; /* sources that are the instruction's: values from before it */
   unsigned num;
};

/* Fills `k`.  The instruction must live as long.  The operations lack their number and
 * SGT_UOP_LAST.
 */
void sgt_crack(struct sgt_crack *k, const struct sgpu_instr *instr);

#endif
