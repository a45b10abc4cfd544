/* SPDX-License-Identifier: MIT */
/*
 * Selection: NIR's arithmetic in terms of the machine's.
 */

#include "sgc_select.h"

/* Operations that have one of the machine's, with the same sources. */
static const struct sgc_alu_info alu_infos[nir_num_opcodes] = {
#define ROW(nir, sgpu) [nir_op_##nir] = { SGPU_OP_##sgpu, 0 }
#define COMPARE(nir, sgpu, c) [nir_op_##nir] = { SGPU_OP_##sgpu, SGPU_COND_##c }
   ROW(mov, MOV),
   ROW(fadd, ADD),
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
   ROW(fddx, DDXF),
   ROW(fddy, DDYF),
   ROW(fddx_fine, DDXF),
   ROW(fddy_fine, DDYF),
   ROW(fddx_coarse, DDX),
   ROW(fddy_coarse, DDY),
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
};

const struct sgc_alu_info *
sgc_alu_info(nir_op op)
{
   return &alu_infos[op];
}

bool
sgc_alu_can_write_anywhere(const nir_alu_instr *alu)
{
   return alu->op != nir_op_unpack_half_2x16 && !sgc_op_is_vec(alu->op);
}
