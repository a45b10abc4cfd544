/* SPDX-License-Identifier: MIT */
/*
 * Planning phase of instruction selection: backward walk, conditions and phis.
 *
 * Invariant: by the time an instruction is planned, everything after it in program order has been
 * planned, so we know whether its value is needed. To make this work for loops, all phi sources are
 * marked as needed before the walk.
 */

#include "select/sgc_select.h"

/*
 * Conditions and phis
 */

void
sgc_plan_condition(struct sgc_select *sel, struct sgc_plan *plan, nir_src src)
{
   nir_scalar s = nir_scalar_resolved(src.ssa, 0);

   sgc_plan_begin(sel, plan, 2);
   while (nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == nir_op_inot) {
      plan->invert = !plan->invert;
      s = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 0));
   }

   struct sgc_operand o;
   if (nir_scalar_is_alu(s)) {
      const nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
      plan->op = sgc_compare_to_predicate(alu);
      if (plan->op != SGPU_OP_NOP) {
         plan->cond = sgc_alu_is_wide(alu) ? sgc_wide_info(alu)->cond : sgc_alu_info(alu->op)->cond;
         for (unsigned i = 0; i < 2; i++) {
            sgc_chase_alu(&o, alu, i, s.def->num_components);
            if (!sgc_alu_is_wide(alu))
               o.view = sgpu_swizzle_replicate(s.comp);
            sgc_plan_operand(sel, plan, &o);
         }
         return;
      }
   }
   plan->op = SGPU_OP_USETP;
   plan->cond = SGPU_COND_NE;
   sgc_chase(&o, s.def, &(uint8_t){ s.comp }, 1, false);
   o.view = sgpu_swizzle_replicate(0);
   sgc_plan_operand(sel, plan, &o);
   sgc_plan_immediate(sel, plan, 0);
}

static void
plan_phi(struct sgc_select *sel, nir_phi_instr *phi)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &phi->instr);

   sgc_plan_begin(sel, plan, exec_list_length(&phi->srcs));
   sgc_need_def(sel, &phi->def);
   nir_foreach_phi_src(src, phi)
      sgc_plan_src(sel, plan, src->src, phi->def.num_components, phi->def.bit_size == 32);
}

/*
 * The walk
 */

static void
plan_instr(struct sgc_select *sel, nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      if (sgc_is_needed(sel, nir_instr_def(instr)))
         sgc_plan_alu(sel, nir_instr_as_alu(instr));
      break;
   case nir_instr_type_tex:
      sgc_plan_tex(sel, nir_instr_as_tex(instr));
      break;
   case nir_instr_type_intrinsic:
      sgc_plan_intrinsic(sel, nir_instr_as_intrinsic(instr));
      break;
   case nir_instr_type_load_const:
   case nir_instr_type_undef:
   case nir_instr_type_phi:
   case nir_instr_type_jump:
      break;
   default:
      sgc_error(sel->p, "unhandled NIR instruction");
      break;
   }
}

/* For each instruction, builds the list of scalar groups that are emitted before it, in the order
 * in which the groups were created.
 */
static void
place_groups(struct sgc_select *sel)
{
   util_dynarray_foreach_reverse(&sel->groups, struct sgc_group *, g) {
      struct sgc_group *group = *g;
      struct sgc_plan *plan = sgc_plan_of(sel, &group->at->instr);
      if (!group->used || group->vector)
         continue;
      group->next = plan->first;
      plan->first = group;
   }
}

void
sgc_make_plan(struct sgc_select *sel)
{
   nir_foreach_block(block, sel->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->type != nir_instr_type_phi)
            break;
         plan_phi(sel, nir_instr_as_phi(instr));
      }
   }

   nir_foreach_block_reverse(block, sel->impl) {
      nir_if *nif = nir_block_get_following_if(block);
      if (nif)
         sgc_plan_condition(sel, sgc_plan_of_if_after(sel, block), nif->condition);
      nir_foreach_instr_reverse(instr, block)
         plan_instr(sel, instr);
   }
   place_groups(sel);
}
