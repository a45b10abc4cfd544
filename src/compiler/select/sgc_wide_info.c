/* SPDX-License-Identifier: MIT */
/*
 * Maps 64-bit NIR ALU opcodes to hardware opcodes.
 */

#include "select/sgc_select.h"

/* Hardware opcodes for NIR opcodes with a 64-bit source or destination. */
static const struct row {
   nir_op nir;
   uint8_t bits; /* bit size of the first source */
   struct sgc_alu_info info;
} rows[] = {
#define ROW(nir, bits, sgpu, ...)          \
   {                                       \
      nir_op_##nir, bits,                  \
      {                                    \
         .op = SGPU_OP_##sgpu, __VA_ARGS__ \
      }                                    \
   }
#define COMPARE(nir, sgpu, c) ROW(nir, 64, sgpu, .cond = SGPU_COND_##c)
   ROW(fneg, 64, DMOV, .neg = 1),
   ROW(fabs, 64, DMOV, .abs = 1),
   ROW(fadd, 64, DADD),
   ROW(fsub, 64, DADD, .neg = 2),
   ROW(fmul, 64, DMUL),
   ROW(ffma, 64, DFMA),
   ROW(fdiv, 64, DDIV),
   ROW(fsqrt, 64, DSQRT),
   ROW(fmin, 64, DMIN),
   ROW(fmax, 64, DMAX),
   ROW(ffloor, 64, DFLR),
   ROW(fceil, 64, DCEIL),
   ROW(ftrunc, 64, DTRUNC),
   ROW(fround_even, 64, DROUND),
   ROW(ffract, 64, DFRC),
   ROW(fsign, 64, DSSG),
   COMPARE(flt32, DSET, LT),
   COMPARE(fge32, DSET, GE),
   COMPARE(feq32, DSET, EQ),
   COMPARE(fneu32, DSET, NE),
   ROW(f2f64, 32, F2D),
   ROW(f2f32, 64, D2F),
   ROW(i2f64, 32, I2D),
   ROW(u2f64, 32, U2D),
   ROW(f2i32, 64, D2I),
   ROW(f2u32, 64, D2U),
   ROW(i2f64, 64, L2D),
   ROW(u2f64, 64, Q2D),
   ROW(f2i64, 64, D2L),
   ROW(f2u64, 64, D2Q),
   ROW(i2f32, 64, L2F),
   ROW(u2f32, 64, Q2F),
   ROW(f2i64, 32, F2L),
   ROW(f2u64, 32, F2Q),
   ROW(iadd, 64, LADD),
   ROW(isub, 64, LSUB),
   ROW(imul, 64, LMUL),
   ROW(ineg, 64, LNEG),
   ROW(iabs, 64, LABS),
   ROW(isign, 64, LSSG),
   ROW(idiv, 64, LDIV),
   ROW(udiv, 64, QDIV),
   ROW(irem, 64, LREM),
   ROW(imod, 64, LMOD),
   ROW(umod, 64, QMOD),
   ROW(ishl, 64, LSHL),
   ROW(ushr, 64, QSHR),
   ROW(ishr, 64, LASHR),
   ROW(imin, 64, LMIN),
   ROW(imax, 64, LMAX),
   ROW(umin, 64, QMIN),
   ROW(umax, 64, QMAX),
   COMPARE(ilt32, LSET, LT),
   COMPARE(ige32, LSET, GE),
   COMPARE(ieq32, QSET, EQ),
   COMPARE(ine32, QSET, NE),
   COMPARE(ult32, QSET, LT),
   COMPARE(uge32, QSET, GE),
   /* bitwise and per-word operations */
   ROW(mov, 64, MOV),
   ROW(iand, 64, AND),
   ROW(ior, 64, OR),
   ROW(ixor, 64, XOR),
   ROW(inot, 64, NOT),
   ROW(b32csel, 32, SEL),
#undef ROW
#undef COMPARE
};

bool
sgc_alu_is_wide(const nir_alu_instr *alu)
{
   bool wide = alu->def.bit_size == 64;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
      wide |= nir_src_bit_size(alu->src[i].src) == 64;
   return wide;
}

const struct sgc_alu_info *
sgc_wide_info(const nir_alu_instr *alu)
{
   static const struct sgc_alu_info none;
   const unsigned bits = nir_src_bit_size(alu->src[0].src);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].nir == alu->op && rows[i].bits == bits)
         return &rows[i].info;
   }
   return &none;
}
