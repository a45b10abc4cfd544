/* SPDX-License-Identifier: MIT */
/*
 * Selection of 64-bit arithmetic.  A 64-bit value is a scalar in two components of a register, the
 * low word first.  An operand gives the component of each word, so the words may be in any
 * components.
 */

#include "sgc_select.h"

/* Machine operations for NIR operations with a 64-bit source or result. */
static const struct row {
   nir_op nir;
   uint8_t bits; /* size of the first source, in bits */
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
   /* operations on separate words */
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
   bool wide = nir_dest_bit_size(alu->dest.dest) == 64;
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

/* Plans unpack_64_2x32_split_x or _y as a MOV.  Most users read the word as an operand instead, and
 * do not need it.
 */
static void
plan_word(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan)
{
   struct sgc_operand o;
   sgc_plan_begin(sel, plan, 1);
   plan->op = SGPU_OP_MOV;
   sgc_chase(&o, &alu->dest.dest.ssa, NULL, 1, false);
   sgc_plan_operand(sel, plan, &o);
}

void
sgc_plan_wide_alu(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan)
{
   const unsigned n = nir_op_infos[alu->op].num_inputs;

   if (alu->dest.dest.ssa.num_components != 1) {
      sgc_error(sel->p, "a vector of 64-bit values");
      return;
   }
   switch (alu->op) {
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y:
      plan_word(sel, alu, plan);
      return;
   case nir_op_pack_64_2x32_split:
      break;
   default: {
      const struct sgc_alu_info *info = sgc_wide_info(alu);
      if (info->op == SGPU_OP_NOP) {
         sgc_errorf(sel->p, "unhandled NIR operation %s of 64 bits", nir_op_infos[alu->op].name);
         return;
      }
      assert(n == sgpu_opcode_info(info->op)->num_srcs);
      plan->op = info->op;
      plan->cond = info->cond;
      plan->neg = info->neg;
      plan->abs = info->abs;
      break;
   }
   }
   sgc_plan_begin(sel, plan, n);
   for (unsigned s = 0; s < n; s++)
      sgc_plan_alu_src(sel, plan, alu, s);
}

/* Emits pack_64_2x32_split as one MOV for each word. */
void
sgc_emit_pack(struct sgc_select *sel, struct sgc_plan *plan, struct sgc_dst dst,
              const struct sgc_location *at)
{
   for (unsigned word = 0; word < 2; word++) {
      dst.mask = 1u << at->comp[word];
      sgc_mov_to(&sel->b, dst, sgc_comp(sgc_planned_src(sel, plan, word), 0));
      sel->address_busy = 0;
   }
}

struct sgc_src
sgc_pair_source(enum sgpu_opcode op, unsigned s, struct sgc_src src)
{
   /* Replicates the value to both pairs, so that the result can be written to either pair. */
   if (sgpu_type_is_wide(sgpu_opcode_info(op)->src_type[s]))
      return sgc_swizzle(src, SGPU_SWIZZLE(0, 1, 0, 1));
   return sgc_comp(src, 0);
}
