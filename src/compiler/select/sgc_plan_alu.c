/* SPDX-License-Identifier: MIT */
/*
 * ALU planning: picks the opcode for each NIR instruction, and decides which operations are folded
 * into their users.
 */

#include "select/sgc_select.h"

/* If source s of a sum is a product that can be folded into the sum, returns the product and sets
 * *o to the operand that reads it. Otherwise, returns NULL.
 */
static nir_alu_instr *
product_behind(struct sgc_select *sel, nir_alu_instr *sum, unsigned s, nir_op op,
               struct sgc_operand *o)
{
   sgc_chase_alu(o, sum, s, nir_ssa_alu_instr_src_components(sum, s));
   if (o->literal || o->abs || o->def->bit_size != 32 ||
       o->def->parent_instr->type != nir_instr_type_alu || sgc_is_needed(sel, o->def) ||
       sgc_has_location(sel, o->def))
      return NULL;
   nir_alu_instr *product = nir_instr_as_alu(o->def->parent_instr);
   return product->op == op ? product : NULL;
}

/* Returns true if all users of a product are `sum` operations. Looks through fneg and mov. */
static bool
only_summed(const nir_def *def, nir_op sum, unsigned depth)
{
   if (depth > 3)
      return false;
   nir_foreach_use_including_if(src, def)
   {
      if (nir_src_is_if(src) || nir_src_parent_instr(src)->type != nir_instr_type_alu)
         return false;
      nir_alu_instr *user = nir_instr_as_alu(nir_src_parent_instr(src));
      if (user->op == nir_op_fneg || user->op == nir_op_mov) {
         if (!only_summed(&user->def, sum, depth + 1))
            return false;
      } else if (user->op != sum) {
         return false;
      }
   }
   return true;
}

static void
negate(struct sgc_operand *o)
{
   if (!o->literal) {
      o->neg = !o->neg;
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      o->imm[i] ^= 0x80000000;
}

/* Plans an fadd or iadd as MAD or IMAD if one of its sources is a product. Otherwise, returns
 * false.
 */
static bool
plan_mad(struct sgc_select *sel, nir_alu_instr *sum, struct sgc_plan *plan)
{
   const bool f = sum->op == nir_op_fadd;

   if (!f && sum->op != nir_op_iadd)
      return false;
   for (unsigned s = 0; s < 2; s++) {
      struct sgc_operand whole;
      nir_alu_instr *product = product_behind(sel, sum, s, f ? nir_op_fmul : nir_op_imul, &whole);
      if (!product || !only_summed(&product->def, sum->op, 0))
         continue;
      sgc_plan_begin(sel, plan, 3);
      plan->op = f ? SGPU_OP_MAD : SGPU_OP_IMAD;
      for (unsigned i = 0; i < 2; i++) {
         struct sgc_operand o;
         sgc_chase_alu(&o, product, i, nir_ssa_alu_instr_src_components(product, i));
         o.view = SGPU_SWIZZLE(whole.swizzle[0], whole.swizzle[1], whole.swizzle[2],
                               whole.swizzle[3]);
         if (i == 0 && whole.neg)
            negate(&o);
         sgc_plan_operand(sel, plan, &o);
      }
      sgc_plan_alu_src(sel, plan, sum, !s);
      return true;
   }
   return false;
}

/* Plans b2f32 of a comparison as a comparison that returns 1.0 or 0.0. */
static bool
plan_float_compare(struct sgc_select *sel, nir_alu_instr *b2f, struct sgc_plan *plan)
{
   struct sgc_operand whole;

   if (b2f->op != nir_op_b2f32)
      return false;
   sgc_chase_alu(&whole, b2f, 0, b2f->def.num_components);
   if (whole.literal || whole.def->bit_size != 32 ||
       whole.def->parent_instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *compare = nir_instr_as_alu(whole.def->parent_instr);
   const enum sgpu_opcode op = sgc_compare_to_float(compare->op);
   if (op == SGPU_OP_NOP || sgc_alu_is_wide(compare))
      return false;

   sgc_plan_begin(sel, plan, 2);
   plan->op = op;
   for (unsigned s = 0; s < 2; s++) {
      struct sgc_operand o;
      sgc_chase_alu(&o, compare, s, nir_ssa_alu_instr_src_components(compare, s));
      o.view = SGPU_SWIZZLE(whole.swizzle[0], whole.swizzle[1], whole.swizzle[2], whole.swizzle[3]);
      sgc_plan_operand(sel, plan, &o);
   }
   return true;
}

/* Plans an fsat by saturating the result of the instruction that computes its source. Returns false
 * if that isn't possible, e.g. because the result has other users.
 */
static bool
plan_saturation(struct sgc_select *sel, nir_alu_instr *sat, struct sgc_plan *plan)
{
   const unsigned n = sat->def.num_components;
   struct sgc_operand o;

   if (sat->op != nir_op_fsat || sel->p->vp1)
      return false;
   sgc_chase(&o, sat->src[0].src.ssa, sat->src[0].swizzle, n, false);
   if (o.literal || o.def->bit_size != 32 || o.def->parent_instr->type != nir_instr_type_alu ||
       sgc_single_user(o.def) != &sat->instr || sgc_is_needed(sel, o.def) ||
       o.def->num_components != n)
      return false;
   nir_alu_instr *inner = nir_instr_as_alu(o.def->parent_instr);
   if (sgc_op_is_vec(inner->op) || inner->op == nir_op_fsat ||
       nir_alu_type_get_base_type(nir_op_infos[inner->op].output_type) != nir_type_float)
      return false;
   for (unsigned i = 0; i < n; i++) {
      if (o.swizzle[i] != i)
         return false;
   }
   plan->kind = SGC_PLAN_SAT;
   plan->inner = sgc_plan_of(sel, &inner->instr);
   plan->inner_def = o.def;
   /* The backward walk skips the inner instruction, since its value isn't marked as needed. Plan it
    * here instead.
    */
   sgc_plan_alu(sel, inner);
   if (plan->inner->kind == SGC_PLAN_EMIT)
      plan->inner->kind = SGC_PLAN_FOLDED;
   return true;
}

static void
plan_vector(struct sgc_select *sel, nir_alu_instr *vec, struct sgc_plan *plan)
{
   const unsigned n = nir_op_infos[vec->op].num_inputs;

   sgc_plan_begin(sel, plan, n);
   if (!sgc_has_location(sel, &vec->def))
      sgc_value_dst(sel, &vec->def);

   unsigned done = 0;
   if (sel->opt && sgc_match_vector(sel, vec))
      done = plan->done_mask;
   if (sel->opt)
      sgc_locate_parts(sel, vec, done);
   for (unsigned i = 0; i < n; i++) {
      if (done & (1u << i)) {
         /* The group's operation computes this component from its own operands. */
         plan->num_srcs++;
         continue;
      }
      sgc_plan_alu_src(sel, plan, vec, i);
   }
}

static void
plan_operation(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan)
{
   const struct sgc_alu_info *info = sgc_alu_info(alu->op);
   const unsigned n = nir_op_infos[alu->op].num_inputs;

   if (info->op == SGPU_OP_NOP) {
      sgc_errorf(sel->p, "unhandled NIR operation %s", nir_op_infos[alu->op].name);
      return;
   }
   assert(n + info->has_imm == sgpu_opcode_info(info->op)->num_srcs);
   sgc_plan_begin(sel, plan, n + info->has_imm);
   plan->op = info->op;
   plan->cond = info->cond;
   plan->neg = info->neg;
   plan->abs = info->abs;
   plan->sat = info->sat;
   for (unsigned s = 0; s < n; s++)
      sgc_plan_alu_src(sel, plan, alu, s);
   if (info->has_imm)
      sgc_plan_immediate(sel, plan, info->imm);
}

void
sgc_plan_alu(struct sgc_select *sel, nir_alu_instr *alu)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &alu->instr);

   if (plan->kind == SGC_PLAN_MEMBER)
      return;
   if (alu->def.bit_size != 32 && alu->def.bit_size != 64) {
      sgc_error(sel->p, "values that have neither 32 nor 64 bits");
      return;
   }
   if (sgc_alu_is_wide(alu)) {
      sgc_plan_wide_alu(sel, alu, plan);
      return;
   }
   if (sgc_op_is_vec(alu->op)) {
      plan_vector(sel, alu, plan);
      return;
   }
   if (sel->opt &&
       (sgc_match_scalar(sel, alu) || plan_saturation(sel, alu, plan) || plan_mad(sel, alu, plan)))
      return;
   if (!plan_float_compare(sel, alu, plan))
      plan_operation(sel, alu, plan);
}
