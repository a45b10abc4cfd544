/* SPDX-License-Identifier: MIT */
/*
 * 64-bit ALU. A 64-bit value is a scalar in two components of a register. The low word comes first,
 * but operands specify the component of each word, so the words can be in any two components.
 */

#include "select/sgc_select.h"

/* Plans unpack_64_2x32_split_x or _y as a MOV. This is usually not necessary, since most users read
 * the word directly as an operand.
 */
static void
plan_word(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan)
{
   struct sgc_operand o;
   sgc_plan_begin(sel, plan, 1);
   plan->op = SGPU_OP_MOV;
   sgc_chase(&o, &alu->def, NULL, 1, false);
   sgc_plan_operand(sel, plan, &o);
}

void
sgc_plan_wide_alu(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan)
{
   const unsigned n = nir_op_infos[alu->op].num_inputs;

   if (alu->def.num_components != 1) {
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

/* Emits pack_64_2x32_split as one MOV per word. */
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
   /* Replicate the value to both pairs of positions, so that the result can be written to either
    * pair.
    */
   if (sgpu_type_is_wide(sgpu_opcode_info(op)->src_type[s]))
      return sgc_swizzle(src, SGPU_SWIZZLE(0, 1, 0, 1));
   return sgc_comp(src, 0);
}
