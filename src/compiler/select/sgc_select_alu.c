/* SPDX-License-Identifier: MIT */
/*
 * ALU and condition emission.
 */

#include "select/sgc_select.h"

struct sgc_src
sgc_spread(struct sgc_src src, const struct sgc_location *at, unsigned n)
{
   unsigned from[4] = { 0, 0, 0, 0 };

   for (unsigned i = 0; i < n; i++)
      from[at->comp[i]] = i;
   return sgc_swizzle(src, SGPU_SWIZZLE(from[0], from[1], from[2], from[3]));
}

/* Returns true if component c of the result only depends on position c of the sources. */
static bool
componentwise(enum sgpu_opcode op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   return info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD;
}

/* If the operands of an instruction need more components of A0 than the hardware has, sets
 * keep_relative, so that each operand is copied to a register first.
 */
void
sgc_prepare_relative(struct sgc_select *sel, const struct sgc_plan *plan)
{
   const nir_def *seen[8];
   unsigned num = 0, other = plan->index && plan->index->def;

   for (unsigned s = 0; s < plan->num_srcs; s++) {
      const struct sgc_operand *o = &plan->srcs[s];
      if (o->literal || o->def->parent_instr->type != nir_instr_type_intrinsic)
         continue;
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(o->def->parent_instr);
      if (!sgc_is_operand_load(sel, intr) || !nir_get_io_offset_src(intr) ||
          nir_src_is_const(*nir_get_io_offset_src(intr)))
         continue;
      const nir_def *offset = nir_get_io_offset_src(intr)->ssa;
      bool found = false;
      for (unsigned i = 0; i < num; i++)
         found |= seen[i] == offset;
      if (!found && num < ARRAY_SIZE(seen))
         seen[num++] = offset;
   }
   sel->keep_relative = num + other > (sel->p->vp1 ? 1 : 4);
}

static struct sgc_dst
alu_dst(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_location *at)
{
   nir_def *def = &alu->def;
   struct sgc_dst dst = sgc_value_dst(sel, def);
   *at = sel->locations[def->index];
   return dst;
}

/*
 * Vectors and groups
 */

static bool
same_register(const struct sgc_operand *a, const struct sgc_operand *b)
{
   return a->literal == b->literal && a->neg == b->neg && a->abs == b->abs &&
          (a->literal || a->def == b->def);
}

static void
emit_vector(struct sgc_select *sel, nir_alu_instr *vec, struct sgc_plan *plan)
{
   struct sgc_location at;
   struct sgc_dst dst = alu_dst(sel, vec, &at);
   unsigned done = plan->done_mask;

   for (unsigned i = 0; i < plan->num_srcs; i++) {
      if (done & (1u << i))
         continue;
      struct sgc_operand whole = plan->srcs[i];
      whole.num = 4;
      /* Use a single MOV for all components that come from the same register. */
      for (unsigned c = 0; c < 4; c++) {
         whole.swizzle[c] = plan->srcs[i].swizzle[0];
         whole.imm[c] = plan->srcs[i].imm[0];
      }
      dst.mask = 0;
      for (unsigned j = i; j < plan->num_srcs; j++) {
         const struct sgc_operand *other = &plan->srcs[j];
         if ((done & (1u << j)) || !same_register(other, &plan->srcs[i]))
            continue;
         done |= 1u << j;
         dst.mask |= 1u << at.comp[j];
         whole.swizzle[at.comp[j]] = other->swizzle[0];
         whole.imm[at.comp[j]] = other->imm[0];
      }
      sgc_mov_to(&sel->b, dst, sgc_operand_src(sel, &whole));
      sel->address_busy = 0;
   }
}

/* Returns source s of a composite operation. If its positions are in different registers, copies
 * them to a new register first.
 */
static struct sgc_src
group_source(struct sgc_select *sel, const struct sgc_group *group, unsigned s)
{
   const struct sgc_operand *bound = group->bound[s];
   const unsigned mask = group->bound_mask[s];
   const unsigned first = ffs(mask) - 1;
   const bool scalar = sgpu_opcode_info(group->op)->src_scalar & (1u << s);
   bool same = true;

   u_foreach_bit(pos, mask) {
      same &= bound[pos].literal == bound[first].literal &&
              (bound[first].literal ||
               (bound[pos].def == bound[first].def && bound[pos].neg == bound[first].neg &&
                bound[pos].abs == bound[first].abs));
   }
   if (same) {
      struct sgc_operand o = bound[first];
      o.num = 4;
      for (unsigned pos = 0; pos < 4; pos++) {
         const unsigned from = (mask & (1u << pos)) && !scalar ? pos : first;
         o.swizzle[pos] = bound[from].swizzle[0];
         o.imm[pos] = bound[from].imm[0];
      }
      return sgc_operand_src(sel, &o);
   }

   const unsigned reg = sgc_new_reg(sel->p);
   u_foreach_bit(pos, mask) {
      struct sgc_src src = sgc_operand_src(sel, &bound[pos]);
      sgc_mov_to(&sel->b, sgc_dst_reg(reg, 1u << pos), sgc_comp(src, 0));
      sel->address_busy = 0;
   }
   return sgc_reg(reg);
}

static void
emit_group(struct sgc_select *sel, const struct sgc_group *group, struct sgc_dst dst)
{
   struct sgc_src src[2] = { sgc_none(), sgc_none() };

   for (unsigned s = 0; s < 2; s++) {
      if (group->bound_mask[s])
         src[s] = group_source(sel, group, s);
   }
   dst.mask = group->mask;
   struct sgc_instr *instr = sgc_emit(&sel->b, group->op, dst);
   instr->src[0] = src[0];
   instr->src[1] = src[1];
   sel->address_busy = 0;
}

/* Emits the operation of a scalar group. If a member has its location in a different register,
 * copies the result there.
 */
static void
emit_scalar_group(struct sgc_select *sel, const struct sgc_group *group)
{
   emit_group(sel, group, sgc_dst_reg(group->reg, 0));
   for (unsigned c = 0; c < 4; c++) {
      nir_def *def = group->member[c];
      if (!def)
         continue;
      const struct sgc_location *at = &sel->locations[def->index];
      if (at->file != SGPU_FILE_TEMP || at->index != group->reg)
         sgc_mov_to(&sel->b, sgc_dst_make(at->file, at->index, 1u << at->comp[0]),
                    sgc_comp(sgc_reg(group->reg), c));
   }
}

/*
 * Operations
 */

/* Emits the planned operation, which writes n components to dst, and returns the instruction. */
static struct sgc_instr *
emit_operation(struct sgc_select *sel, struct sgc_plan *plan, struct sgc_dst dst,
               const struct sgc_location *at, unsigned n)
{
   const enum sgpu_opcode op = plan->op;
   const struct sgpu_opcode_info *isa = sgpu_opcode_info(op);
   struct sgc_src src[3];

   sgc_prepare_relative(sel, plan);
   for (unsigned s = 0; s < plan->num_srcs; s++) {
      src[s] = sgc_planned_src(sel, plan, s);
      if (plan->abs & (1u << s))
         src[s] = sgc_abs(src[s]);
      if (plan->neg & (1u << s))
         src[s] = sgc_neg(src[s]);
      if (isa->kind == SGPU_KIND_PAIR)
         src[s] = sgc_pair_source(op, s, src[s]);
      else if (componentwise(op))
         src[s] = sgc_spread(src[s], at, n);
      else if (isa->src_scalar & (1u << s))
         src[s] = sgc_comp(src[s], 0);
   }
   if (plan->sat && sel->p->vp1) {
      src[0] = sgc_max(&sel->b, dst.mask, src[0], sgc_immf(0.0f));
      return sgc_min_to(&sel->b, dst, src[0], sgc_immf(1.0f));
   }
   struct sgc_instr *instr = sgc_emit(&sel->b, op, dst);
   instr->cond = plan->cond;
   instr->sat = plan->sat;
   for (unsigned s = 0; s < plan->num_srcs; s++)
      instr->src[s] = src[s];
   return instr;
}

/* Emits an fsat as the inner operation with saturation. If a group has already computed the inner
 * value, emits a saturating MOV instead.
 */
static void
emit_saturated(struct sgc_select *sel, struct sgc_plan *plan, struct sgc_dst dst,
               const struct sgc_location *at, unsigned n)
{
   struct sgc_instr *instr;

   if (plan->inner->kind == SGC_PLAN_MEMBER) {
      const struct sgc_location *from = &sel->locations[plan->inner_def->index];
      struct sgc_src src = sgc_reg(from->index);
      src.swizzle = SGPU_SWIZZLE(from->comp[0], from->comp[1], from->comp[2], from->comp[3]);
      instr = sgc_mov_to(&sel->b, dst, sgc_spread(src, at, n));
   } else {
      instr = emit_operation(sel, plan->inner, dst, at, n);
   }
   instr->sat = true;
}

void
sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &alu->instr);
   for (struct sgc_group *group = plan->first; group; group = group->next)
      emit_scalar_group(sel, group);
   if (plan->kind != SGC_PLAN_EMIT && plan->kind != SGC_PLAN_SAT)
      return;

   struct sgc_location at;
   if (sgc_op_is_vec(alu->op)) {
      if (plan->group)
         emit_group(sel, plan->group, alu_dst(sel, alu, &at));
      emit_vector(sel, alu, plan);
      return;
   }

   const unsigned n = sgc_num_words(&alu->def);
   struct sgc_dst dst = alu_dst(sel, alu, &at);
   if (alu->op == nir_op_pack_64_2x32_split)
      sgc_emit_pack(sel, plan, dst, &at);
   else if (plan->kind == SGC_PLAN_SAT)
      emit_saturated(sel, plan, dst, &at, n);
   else
      emit_operation(sel, plan, dst, &at, n);
   sel->address_busy = 0;
   sel->keep_relative = false;
}

struct sgpu_guard
sgc_select_condition(struct sgc_select *sel, struct sgc_plan *plan)
{
   struct sgpu_guard guard = {
      .en = true,
      .not = plan->invert,
      .reg = sel->next_pred % 4,
      .comp = sel->next_pred / 4 % 4,
   };
   struct sgc_dst dst = sgc_dst_make(SGPU_FILE_PRED, guard.reg, 1u << guard.comp);
   struct sgc_src src[2];

   sel->next_pred++;
   sgc_prepare_relative(sel, plan);
   for (unsigned s = 0; s < 2; s++) {
      src[s] = sgc_planned_src(sel, plan, s);
      if (sgpu_opcode_info(plan->op)->kind == SGPU_KIND_PAIR)
         src[s] = sgc_pair_source(plan->op, s, src[s]);
   }
   struct sgc_instr *instr = sgc_emit(&sel->b, plan->op, dst);
   instr->cond = plan->cond;
   for (unsigned s = 0; s < 2; s++)
      instr->src[s] = src[s];
   sel->address_busy = 0;
   sel->keep_relative = false;
   return guard;
}
