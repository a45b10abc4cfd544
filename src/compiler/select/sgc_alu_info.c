/* SPDX-License-Identifier: MIT */
/*
 * Maps 32-bit NIR ALU opcodes to hardware opcodes. If the hardware has a matching opcode, adding a
 * row is all it takes to support another NIR opcode.
 */

#include "select/sgc_select.h"

static const struct sgc_alu_info alu_infos[nir_num_opcodes] = {
#define ROW(nir, sgpu, ...) [nir_op_##nir] = { .op = SGPU_OP_##sgpu, __VA_ARGS__ }
#define COMPARE(nir, sgpu, c, ...) ROW(nir, sgpu, .cond = SGPU_COND_##c, __VA_ARGS__)
#define IMM(value) .has_imm = true, .imm = value
   ROW(mov, MOV),
   ROW(fneg, MOV, .neg = 1),
   ROW(fabs, MOV, .abs = 1),
   ROW(fsat, MOV, .sat = true),
   ROW(fadd, ADD),
   ROW(fsub, ADD, .neg = 2),
   ROW(fmul, MUL),
   ROW(fmin, MIN),
   ROW(fmax, MAX),
   ROW(slt, SLT),
   ROW(sge, SGE),
   ROW(seq, SEQ),
   ROW(sne, SNE),
   ROW(frcp, RCP),
   ROW(frsq, RSQ),
   ROW(fsqrt, SQRT),
   ROW(fexp2, EX2),
   ROW(flog2, LG2),
   ROW(fsin, SIN),
   ROW(fcos, COS),
   ROW(ffloor, FLR),
   ROW(fceil, CEIL),
   ROW(ftrunc, TRUNC),
   ROW(fround_even, ROUND),
   ROW(ffract, FRC),
   ROW(fsign, SSG),
   ROW(fdot2, DP2),
   ROW(fdot3, DP3),
   ROW(fdot4, DP4),
   ROW(fdph, DPH),
   ROW(fdot2_replicated, DP2),
   ROW(fdot3_replicated, DP3),
   ROW(fdot4_replicated, DP4),
   ROW(fdph_replicated, DPH),
   COMPARE(flt32, FSET, LT),
   COMPARE(fge32, FSET, GE),
   COMPARE(feq32, FSET, EQ),
   COMPARE(fneu32, FSET, NE),
   COMPARE(ilt32, ISET, LT),
   COMPARE(ige32, ISET, GE),
   COMPARE(ieq32, USET, EQ),
   COMPARE(ine32, USET, NE),
   COMPARE(ult32, USET, LT),
   COMPARE(uge32, USET, GE),
   COMPARE(fisfinite32, FSET, LT, .abs = 1, IMM(0x7f800000)), /* infinity */
   ROW(b2i32, AND, IMM(1)),
   ROW(b2f32, AND, IMM(0x3f800000)), /* 1.0 */
   ROW(b32csel, SEL),
   ROW(iadd, IADD),
   ROW(isub, ISUB),
   ROW(imul, IMUL),
   ROW(amul, IMUL),
   ROW(imul_high, IMULH),
   ROW(umul_high, UMULH),
   ROW(idiv, IDIV),
   ROW(udiv, UDIV),
   ROW(irem, IREM),
   ROW(imod, IMOD),
   ROW(umod, UMOD),
   ROW(iand, AND),
   ROW(ior, OR),
   ROW(ixor, XOR),
   ROW(inot, NOT),
   ROW(ishl, SHL),
   ROW(ushr, SHR),
   ROW(ishr, ASHR),
   ROW(imin, IMIN),
   ROW(imax, IMAX),
   ROW(umin, UMIN),
   ROW(umax, UMAX),
   ROW(ineg, INEG),
   ROW(iabs, IABS),
   ROW(isign, ISSG),
   ROW(ubfe, UBFE),
   ROW(ibfe, IBFE),
   ROW(bfm, BFM),
   ROW(bfi, BFI),
   ROW(bitfield_reverse, BREV),
   ROW(bit_count, BCNT),
   ROW(find_lsb, FBL),
   ROW(ufind_msb, FBHU),
   ROW(ifind_msb, FBHI),
   ROW(f2i32, F2I),
   ROW(f2u32, F2U),
   ROW(i2f32, I2F),
   ROW(u2f32, U2F),
   ROW(pack_half_2x16, PK2H),
   ROW(unpack_half_2x16, UP2H),
   ROW(u2u32, MOV),
   ROW(i2i32, MOV),
   ROW(f2f32, MOV),
#undef ROW
#undef COMPARE
#undef IMM
};

const struct sgc_alu_info *
sgc_alu_info(nir_op op)
{
   return &alu_infos[op];
}

enum sgpu_opcode
sgc_compare_to_float(nir_op op)
{
   static const enum sgpu_opcode ops[8] = {
      [SGPU_COND_LT] = SGPU_OP_SLT,
      [SGPU_COND_GE] = SGPU_OP_SGE,
      [SGPU_COND_EQ] = SGPU_OP_SEQ,
      [SGPU_COND_NE] = SGPU_OP_SNE,
   };
   const struct sgc_alu_info *info = sgc_alu_info(op);
   return info->op == SGPU_OP_FSET && !info->has_imm ? ops[info->cond] : SGPU_OP_NOP;
}

enum sgpu_opcode
sgc_compare_to_predicate(const nir_alu_instr *alu)
{
   const struct sgc_alu_info *info = sgc_alu_is_wide(alu) ? sgc_wide_info(alu)
                                                          : sgc_alu_info(alu->op);

   if (info->has_imm)
      return SGPU_OP_NOP;
   switch (info->op) {
   case SGPU_OP_FSET:
      return SGPU_OP_FSETP;
   case SGPU_OP_ISET:
      return SGPU_OP_ISETP;
   case SGPU_OP_USET:
      return SGPU_OP_USETP;
   case SGPU_OP_DSET:
      return SGPU_OP_DSETP;
   case SGPU_OP_LSET:
      return SGPU_OP_LSETP;
   case SGPU_OP_QSET:
      return SGPU_OP_QSETP;
   default:
      return SGPU_OP_NOP;
   }
}

bool
sgc_alu_can_write_anywhere(const nir_alu_instr *alu)
{
   return alu->op != nir_op_unpack_half_2x16 && !sgc_op_is_vec(alu->op) && !sgc_alu_is_wide(alu);
}
