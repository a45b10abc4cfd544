/* SPDX-License-Identifier: MIT */
/*
 * Splits an instruction into scalar operations, for sgt_program.c.
 *
 * The order of the operations preserves the semantics of the instruction: no operation overwrites a
 * component if a later operation needs the old value. If no order of the components achieves this,
 * e.g. for MOV R0.xy, R0.yx, an additional move saves the old value.
 */
#ifndef SGT_CRACK_H
#define SGT_CRACK_H

#include "sgpu_scalar.h"
#include "trace/sgt_program.h"

/* Maximum number of operations per instruction, including the moves that save old values. */
#define SGT_CRACK_MOST (SGPU_SCALAR_MOST + 4)

/* An instruction and its operations. */
struct sgt_crack {
   const struct sgpu_instr *instr;
   const struct sgpu_opcode_info *op;
   const struct sgpu_scalar_info *scalar;
   struct sgt_uop uops[SGT_CRACK_MOST];
   /* for each operation, a bitmask of the sources that must read the value from before the
    * instruction
    */
   uint8_t old[SGT_CRACK_MOST];
   unsigned num;
};

/* Splits an instruction into operations. `k` keeps a pointer to `instr`. The caller must set
 * sgt_uop::instr and the flag SGT_UOP_LAST of the operations.
 */
void sgt_crack(struct sgt_crack *k, const struct sgpu_instr *instr);

#endif
