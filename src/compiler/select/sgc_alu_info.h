/* SPDX-License-Identifier: MIT */
/*
 * Tables that map NIR ALU opcodes to hardware opcodes.
 */
#ifndef SGC_ALU_INFO_H
#define SGC_ALU_INFO_H

#include "compiler/nir/nir.h"
#include "sgpu_isa.h"

/*
 * sgc_alu_info.c
 */

/* The hardware opcode for a NIR ALU opcode. The hardware instruction has the same sources as in
 * NIR, optionally followed by a literal.
 */
struct sgc_alu_info {
   uint16_t op;      /* enum sgpu_opcode, SGPU_OP_NOP if unsupported */
   uint8_t cond;     /* enum sgpu_cond, for comparisons */
   uint8_t neg, abs; /* bitmasks of the sources that need the neg or abs modifier */
   bool sat;         /* set to clamp the result to [0, 1] */
   bool has_imm;     /* set if the last source is the literal `imm` */
   uint32_t imm;
};
const struct sgc_alu_info *sgc_alu_info(nir_op op);
/* Return the opcode of a comparison that returns 1.0 or 0.0, or of one that writes a predicate.
 * Return SGPU_OP_NOP if the hardware doesn't have this comparison.
 */
enum sgpu_opcode sgc_compare_to_float(nir_op op);
enum sgpu_opcode sgc_compare_to_predicate(const nir_alu_instr *alu);
/* Returns true if the result can be written to arbitrary components of a register. */
bool sgc_alu_can_write_anywhere(const nir_alu_instr *alu);

/*
 * sgc_wide_info.c
 */

/* Returns true if the instruction has a 64-bit source or destination. */
bool sgc_alu_is_wide(const nir_alu_instr *alu);
/* Returns the hardware opcode for an instruction with a 64-bit source or destination. `op` is
 * SGPU_OP_NOP if the hardware doesn't support the instruction.
 */
const struct sgc_alu_info *sgc_wide_info(const nir_alu_instr *alu);

#endif
