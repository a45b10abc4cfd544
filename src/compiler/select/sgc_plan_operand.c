/* SPDX-License-Identifier: MIT */
/*
 * Operand planning: records operands in the plan and marks the values they read as needed.
 */

#include "select/sgc_select.h"

void
sgc_plan_begin(struct sgc_select *sel, struct sgc_plan *plan, unsigned count)
{
   assert(plan->kind == SGC_PLAN_NONE);
   plan->kind = SGC_PLAN_EMIT;
   plan->num_srcs = 0;
   plan->srcs = count ? sgc_zalloc_array(sel->p, sel, struct sgc_operand, count) : NULL;
}

/* If the value is a load that becomes an operand, this also plans the index of the load. */
void
sgc_need_def(struct sgc_select *sel, nir_def *def)
{
   if (sgc_is_needed(sel, def))
      return;
   BITSET_SET(sel->needed, def->index);
   if (def->parent_instr->type != nir_instr_type_intrinsic)
      return;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(def->parent_instr);
   if (sgc_is_operand_load(sel, intr) && nir_get_io_offset_src(intr))
      sgc_plan_of(sel, &intr->instr)->index = sgc_plan_index(sel, *nir_get_io_offset_src(intr));
}

void
sgc_need(struct sgc_select *sel, const struct sgc_operand *o)
{
   if (!o->literal)
      sgc_need_def(sel, o->def);
}

struct sgc_index *
sgc_plan_index(struct sgc_select *sel, nir_src src)
{
   struct sgc_index *index = sgc_zalloc(sel->p, sel, struct sgc_index);
   *index = sgc_chase_index(src.ssa);
   if (index->def)
      sgc_need(sel, &index->value);
   return index;
}

void
sgc_plan_operand(struct sgc_select *sel, struct sgc_plan *plan, const struct sgc_operand *o)
{
   plan->srcs[plan->num_srcs++] = *o;
   sgc_need(sel, o);
}

void
sgc_plan_src(struct sgc_select *sel, struct sgc_plan *plan, nir_src src, unsigned n, bool mods)
{
   struct sgc_operand o;

   sgc_chase(&o, src.ssa, NULL, n, mods);
   sgc_plan_operand(sel, plan, &o);
}

void
sgc_plan_alu_src(struct sgc_select *sel, struct sgc_plan *plan, const nir_alu_instr *alu,
                 unsigned s)
{
   struct sgc_operand o;
   sgc_chase_alu(&o, alu, s, nir_ssa_alu_instr_src_components(alu, s));
   sgc_plan_operand(sel, plan, &o);
}

void
sgc_plan_immediate(struct sgc_select *sel, struct sgc_plan *plan, uint32_t value)
{
   struct sgc_operand o = { .literal = true, .num = 4, .view = SGPU_SWIZZLE_XYZW };
   for (unsigned c = 0; c < 4; c++)
      o.imm[c] = value;
   sgc_plan_operand(sel, plan, &o);
}
