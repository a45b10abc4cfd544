/* SPDX-License-Identifier: MIT */
/*
 * Selection of arithmetic.
 */

#include "sgc_select.h"

/* Source swizzles by position of the result when it is written to dst: NIR's
 * component i goes to component comp[i].
 */
static struct sgc_src
spread(struct sgc_src src, const struct sgc_value *v, unsigned n)
{
   unsigned at[4] = { 0, 0, 0, 0 };

   for (unsigned i = 0; i < n; i++)
      at[v->comp[i]] = i;
   return sgc_swizzle(src, SGPU_SWIZZLE(at[0], at[1], at[2], at[3]));
}

/* Whether the machine's operation works component by component. */
static bool
componentwise(enum sgpu_opcode op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   return info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD;
}

/* Before operands are made: those with A0 cannot all be held when they need
 * more components than there are, and are then moved one after the other.
 */
static void
prepare_relative(struct sgc_select *sel, const nir_alu_instr *const *alus, unsigned count)
{
   nir_ssa_def *seen[8];
   unsigned num = 0;

   for (unsigned a = 0; a < count; a++) {
      for (unsigned s = 0; s < nir_op_infos[alus[a]->op].num_inputs; s++) {
         struct sgc_operand o;
         sgc_chase_alu(&o, alus[a], s, nir_ssa_alu_instr_src_components(alus[a], s), true);
         if (o.literal || !o.def || o.def->parent_instr->type != nir_instr_type_intrinsic)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(o.def->parent_instr);
         if (!sgc_is_operand_load(intr) || !nir_get_io_offset_src(intr) ||
             nir_src_is_const(*nir_get_io_offset_src(intr)))
            continue;
         bool found = false;
         for (unsigned i = 0; i < num; i++)
            found |= seen[i] == nir_get_io_offset_src(intr)->ssa;
         if (!found && num < ARRAY_SIZE(seen))
            seen[num++] = nir_get_io_offset_src(intr)->ssa;
      }
   }
   sel->keep_relative = num > (sel->p->vp1 ? 1 : 4);
}

static struct sgc_dst
alu_dst(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_value *v)
{
   nir_ssa_def *def = &alu->dest.dest.ssa;
   struct sgc_dst dst = sgc_value_dst(sel, def);
   *v = sel->values[def->index];
   return dst;
}

static struct sgc_src
operand(struct sgc_select *sel, const nir_alu_instr *alu, unsigned s, unsigned n)
{
   return sgc_alu_operand(sel, alu, s, n, true);
}

static void
emit_vector(struct sgc_select *sel, nir_alu_instr *vec)
{
   const unsigned n = nir_op_infos[vec->op].num_inputs;
   struct sgc_value v;
   struct sgc_dst dst = alu_dst(sel, vec, &v);
   unsigned done = sgc_plan_of(sel, &vec->dest.dest.ssa)->done_mask;

   for (unsigned i = 0; i < n; i++) {
      if (done & (1u << i))
         continue;
      if (!vec->src[i].src.is_ssa) {
         dst.mask = 1u << v.comp[i];
         sgc_mov_to(&sel->b, dst, sgc_comp(operand(sel, vec, i, 1), 0));
         sel->address_busy = 0;
         continue;
      }
      struct sgc_operand o;
      sgc_chase_alu(&o, vec, i, 1, true);
      /* One move for all that comes from the same register. */
      uint8_t at[4] = { 0, 0, 0, 0 };
      uint32_t imm[4] = { o.imm[0], o.imm[0], o.imm[0], o.imm[0] };
      memset(at, o.swizzle[0], sizeof(at));
      dst.mask = 0;
      for (unsigned j = i; j < n; j++) {
         if ((done & (1u << j)) || !vec->src[j].src.is_ssa)
            continue;
         struct sgc_operand other;
         sgc_chase_alu(&other, vec, j, 1, true);
         if (other.literal != o.literal || other.neg != o.neg || other.abs != o.abs ||
             (!o.literal && other.def != o.def))
            continue;
         done |= 1u << j;
         dst.mask |= 1u << v.comp[j];
         at[v.comp[j]] = other.swizzle[0];
         imm[v.comp[j]] = other.imm[0];
      }
      struct sgc_operand whole = o;
      memcpy(whole.swizzle, at, sizeof(at));
      memcpy(whole.imm, imm, sizeof(imm));
      sgc_mov_to(&sel->b, dst, sgc_operand_src(sel, &whole, 4));
      sel->address_busy = 0;
   }
}

/* One source of a composite operation, its positions in place. */
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
      for (unsigned pos = 0; pos < 4; pos++) {
         const unsigned from = (mask & (1u << pos)) && !scalar ? pos : first;
         o.swizzle[pos] = bound[from].swizzle[0];
         o.imm[pos] = bound[from].imm[0];
      }
      return sgc_operand_src(sel, &o, 4);
   }

   const unsigned reg = sgc_new_reg(sel->p);
   u_foreach_bit(pos, mask) {
      struct sgc_src src = sgc_operand_src(sel, &bound[pos], 1);
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

static void
emit_scalar_group(struct sgc_select *sel, const struct sgc_group *group)
{
   emit_group(sel, group, sgc_dst_reg(group->reg, 0));
   for (unsigned c = 0; c < 4; c++) {
      nir_ssa_def *def = group->member[c];
      if (!def)
         continue;
      const struct sgc_value *v = &sel->values[def->index];
      if (v->file != SGPU_FILE_TEMP || v->index != group->reg)
         sgc_mov_to(&sel->b, sgc_dst_make(v->file, v->index, 1u << v->comp[0]),
                    sgc_comp(sgc_reg(group->reg), c));
   }
}

/* A bool or a number 0.0/1.0 from a compare of floats; NULL if that is not it. */
static const nir_alu_instr *
float_compare(const nir_alu_instr *b2f, uint8_t swizzle[4])
{
   struct sgc_operand o;
   sgc_chase_alu(&o, b2f, 0, b2f->dest.dest.ssa.num_components, false);
   if (o.literal || !o.def || o.def->parent_instr->type != nir_instr_type_alu)
      return NULL;
   const nir_alu_instr *alu = nir_instr_as_alu(o.def->parent_instr);
   memcpy(swizzle, o.swizzle, 4);
   if (sgc_alu_info(alu->op)->op != SGPU_OP_FSET || !alu->src[0].src.is_ssa ||
       !alu->src[1].src.is_ssa)
      return NULL;
   return alu;
}

static struct sgc_instr *
emit_b2f(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_dst dst,
         const struct sgc_value *v, unsigned n)
{
   uint8_t swizzle[4];
   const nir_alu_instr *compare = float_compare(alu, swizzle);
   if (!compare) {
      return sgc_and_to(&sel->b, dst, spread(operand(sel, alu, 0, n), v, n), sgc_immf(1.0f));
   }

   static const enum sgpu_opcode ops[8] = {
      [SGPU_COND_LT] = SGPU_OP_SLT,
      [SGPU_COND_GE] = SGPU_OP_SGE,
      [SGPU_COND_EQ] = SGPU_OP_SEQ,
      [SGPU_COND_NE] = SGPU_OP_SNE,
   };
   struct sgc_src src[2];
   for (unsigned s = 0; s < 2; s++) {
      src[s] = operand(sel, compare, s, compare->dest.dest.ssa.num_components);
      src[s] = sgc_swizzle(src[s], SGPU_SWIZZLE(swizzle[0], swizzle[1], swizzle[2],
                                                swizzle[3]));
   }
   struct sgc_instr *instr = sgc_emit(&sel->b, ops[sgc_alu_info(compare->op)->cond], dst);
   for (unsigned s = 0; s < 2; s++)
      instr->src[s] = spread(src[s], v, n);
   return instr;
}

static struct sgc_instr *
emit_mad(struct sgc_select *sel, nir_alu_instr *sum, struct sgc_dst dst,
         const struct sgc_value *v, unsigned n)
{
   const bool f = sum->op == nir_op_fadd;
   const unsigned s = sgc_plan_of(sel, &sum->dest.dest.ssa)->factor;
   struct sgc_operand o;
   sgc_chase_alu(&o, sum, s, n, f);
   const nir_alu_instr *product = nir_instr_as_alu(o.def->parent_instr);
   const unsigned pn = product->dest.dest.ssa.num_components;
   const nir_alu_instr *both[] = { sum, product };
   prepare_relative(sel, both, 2);

   const unsigned swizzle =
      SGPU_SWIZZLE(o.swizzle[0], o.swizzle[1], o.swizzle[2], o.swizzle[3]);
   struct sgc_src a = sgc_swizzle(operand(sel, product, 0, pn), swizzle);
   struct sgc_src b = sgc_swizzle(operand(sel, product, 1, pn), swizzle);
   struct sgc_src c = operand(sel, sum, !s, n);
   if (o.neg) {
      if (a.file == SGC_FILE_IMM) {
         for (unsigned i = 0; i < 4; i++)
            a.imm[i] ^= 0x80000000;
      } else {
         a.neg = !a.neg;
      }
   }
   a = spread(a, v, n);
   b = spread(b, v, n);
   c = spread(c, v, n);
   return f ? sgc_mad_to(&sel->b, dst, a, b, c) : sgc_imad_to(&sel->b, dst, a, b, c);
}

/* The operation of `alu`, its result written to dst instead of its own place. */
static struct sgc_instr *
emit_to(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_dst dst,
        const struct sgc_value *v, unsigned n)
{
   if (alu->dest.dest.is_ssa &&
       sgc_plan_of(sel, &alu->dest.dest.ssa)->kind == SGC_PLAN_MAD)
      return emit_mad(sel, alu, dst, v, n);

   const nir_alu_instr *one[] = { alu };
   prepare_relative(sel, one, 1);

   switch (alu->op) {
   case nir_op_fneg:
   case nir_op_fabs: {
      struct sgc_src src = operand(sel, alu, 0, n);
      src = alu->op == nir_op_fneg ? sgc_neg(src) : sgc_abs(src);
      return sgc_mov_to(&sel->b, dst, spread(src, v, n));
   }
   case nir_op_fsat: {
      struct sgc_src src = spread(operand(sel, alu, 0, n), v, n);
      if (sel->p->vp1) {
         src = sgc_max(&sel->b, dst.mask, src, sgc_immf(0.0f));
         return sgc_min_to(&sel->b, dst, src, sgc_immf(1.0f));
      }
      struct sgc_instr *instr = sgc_mov_to(&sel->b, dst, src);
      instr->sat = true;
      return instr;
   }
   case nir_op_fsub: {
      struct sgc_src a = operand(sel, alu, 0, n), b = operand(sel, alu, 1, n);
      return sgc_add_to(&sel->b, dst, spread(a, v, n), sgc_neg(spread(b, v, n)));
   }
   case nir_op_b2f32:
      return emit_b2f(sel, alu, dst, v, n);
   case nir_op_b2i32:
      return sgc_and_to(&sel->b, dst, spread(operand(sel, alu, 0, n), v, n), sgc_imm(1));
   case nir_op_i2b32:
      return sgc_uset_to(&sel->b, dst, spread(operand(sel, alu, 0, n), v, n), sgc_imm(0),
                         SGPU_COND_NE);
   case nir_op_f2b32:
      return sgc_fset_to(&sel->b, dst, spread(operand(sel, alu, 0, n), v, n), sgc_imm(0),
                         SGPU_COND_NE);
   default:
      break;
   }

   const struct sgc_alu_info *info = sgc_alu_info(alu->op);
   if (info->op == SGPU_OP_NOP) {
      sgc_error(sel->p, ralloc_asprintf(sel->p, "no operation for %s",
                                        nir_op_infos[alu->op].name));
      return NULL;
   }

   const struct sgpu_opcode_info *isa = sgpu_opcode_info(info->op);
   struct sgc_src src[3];
   for (unsigned s = 0; s < isa->num_srcs; s++) {
      const unsigned count = alu->dest.dest.is_ssa ?
                             nir_ssa_alu_instr_src_components(alu, s) : n;
      src[s] = operand(sel, alu, s, count);
      if (componentwise(info->op))
         src[s] = spread(src[s], v, n);
      else if (isa->src_scalar & (1u << s))
         src[s] = sgc_comp(src[s], 0);
   }
   struct sgc_instr *instr = sgc_emit(&sel->b, info->op, dst);
   instr->cond = info->cond;
   for (unsigned s = 0; s < isa->num_srcs; s++)
      instr->src[s] = src[s];
   return instr;
}

/* A store to an array: a move under NIR's write mask. */
static void
emit_array_store(struct sgc_select *sel, nir_alu_instr *alu)
{
   const nir_reg_dest *reg = &alu->dest.dest.reg;
   const unsigned n = reg->reg->num_components;
   static const struct sgc_value identity = { .comp = { 0, 1, 2, 3 } };

   assert(alu->op == nir_op_mov);
   struct sgc_dst dst = sgc_dst_make(SGC_FILE_ARRAY, reg->base_offset, alu->dest.write_mask);
   dst.array = sel->arrays[reg->reg->index] - 1;

   struct sgc_src src = spread(operand(sel, alu, 0, n), &identity, n);
   if (reg->indirect) {
      struct sgc_index index = sgc_chase_index(reg->indirect->ssa, 0);
      /* A destination's index is unsigned. */
      if (index.def && index.offset + (int)reg->base_offset < 0) {
         index.bias += index.offset;
         index.offset = 0;
      }
      dst.index += index.offset;
      if (index.def) {
         dst.relcomp = sgc_load_address(sel, &index);
         dst.rel = true;
      }
   }
   sgc_mov_to(&sel->b, dst, src);
   sel->address_busy = 0;
}

void
sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu)
{
   if (!alu->dest.dest.is_ssa) {
      emit_array_store(sel, alu);
      return;
   }

   nir_ssa_def *def = &alu->dest.dest.ssa;
   struct sgc_plan *plan = sgc_plan_of(sel, def);

   util_dynarray_foreach(&sel->groups, struct sgc_group *, group) {
      if ((*group)->real && !(*group)->vector && (*group)->at == alu)
         emit_scalar_group(sel, *group);
   }
   if (!BITSET_TEST(sel->needed, def->index) || plan->kind == SGC_PLAN_MEMBER)
      return;
   if (def->bit_size != 32) {
      sgc_error(sel->p, "values of other than 32 bits");
      return;
   }

   if (sgc_op_is_vec(alu->op)) {
      if (plan->group) {
         struct sgc_value v;
         emit_group(sel, plan->group, alu_dst(sel, alu, &v));
      }
      emit_vector(sel, alu);
      return;
   }

   struct sgc_value v;
   struct sgc_dst dst = alu_dst(sel, alu, &v);
   struct sgc_instr *instr;
   if (plan->kind == SGC_PLAN_SAT) {
      struct sgc_operand o;
      sgc_chase_alu(&o, alu, 0, def->num_components, false);
      if (sgc_plan_of(sel, o.def)->kind == SGC_PLAN_MEMBER) {
         instr = sgc_mov_to(&sel->b, dst, spread(sgc_value_src(sel, o.def), &v,
                                                 def->num_components));
      } else {
         instr = emit_to(sel, nir_instr_as_alu(o.def->parent_instr), dst, &v,
                         def->num_components);
      }
      if (instr)
         instr->sat = true;
   } else {
      emit_to(sel, alu, dst, &v, def->num_components);
   }
   sel->address_busy = 0;
   sel->keep_relative = false;
}

/*
 * Conditions
 */

struct sgpu_guard
sgc_select_condition(struct sgc_select *sel, nir_src nir)
{
   nir_ssa_scalar s = sgc_chase_movs((nir_ssa_scalar){ nir.ssa, 0 });
   struct sgpu_guard guard = { .en = true };

   guard.reg = sel->next_pred % 4;
   guard.comp = sel->next_pred / 4 % 4;
   sel->next_pred++;
   struct sgc_dst dst = sgc_dst_make(SGPU_FILE_PRED, guard.reg, 1u << guard.comp);

   while (nir_ssa_scalar_is_alu(s) && nir_ssa_scalar_alu_op(s) == nir_op_inot) {
      guard.not = !guard.not;
      s = sgc_chase_movs(nir_ssa_scalar_chase_alu_src(s, 0));
   }

   if (nir_ssa_scalar_is_alu(s)) {
      const nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
      const struct sgc_alu_info *info = sgc_alu_info(alu->op);
      enum sgpu_opcode op = SGPU_OP_NOP;
      if (info->op == SGPU_OP_FSET)
         op = SGPU_OP_FSETP;
      else if (info->op == SGPU_OP_ISET)
         op = SGPU_OP_ISETP;
      else if (info->op == SGPU_OP_USET)
         op = SGPU_OP_USETP;
      if (op != SGPU_OP_NOP && alu->src[0].src.is_ssa && alu->src[1].src.is_ssa) {
         const nir_alu_instr *one[] = { alu };
         prepare_relative(sel, one, 1);
         const unsigned n = s.def->num_components;
         struct sgc_src a = sgc_comp(operand(sel, alu, 0, n), s.comp);
         struct sgc_src b = sgc_comp(operand(sel, alu, 1, n), s.comp);
         struct sgc_instr *instr = sgc_emit(&sel->b, op, dst);
         instr->cond = info->cond;
         instr->src[0] = a;
         instr->src[1] = b;
         sel->address_busy = 0;
         sel->keep_relative = false;
         return guard;
      }
   }

   struct sgc_operand o;
   sgc_chase(&o, s.def, &(uint8_t){ s.comp }, 1, false);
   sgc_usetp_to(&sel->b, dst, sgc_comp(sgc_operand_src(sel, &o, 1), 0), sgc_imm(0),
                SGPU_COND_NE);
   sel->address_busy = 0;
   return guard;
}
