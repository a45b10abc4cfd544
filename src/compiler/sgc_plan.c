/* SPDX-License-Identifier: MIT */
/*
 * The backward walk of selection: what is needed and what is folded into what.
 * See sgc_select.h.
 *
 * Invariant: when an instruction is visited, all that comes after it in the
 * program has been, so that its need is settled.  Values that come round a
 * loop through a phi count as needed from the start.
 */

#include "sgc_select.h"

static void need_def(struct sgc_select *sel, nir_ssa_def *def);

/* Loads that are operands are never computed; their addresses are. */
static void
need_load(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   nir_src *offset = nir_get_io_offset_src(intr);
   if (!offset)
      return;
   struct sgc_index index = sgc_chase_index(offset->ssa, 0);
   if (index.def) {
      struct sgc_operand o;
      sgc_chase(&o, index.def, &index.comp, 1, index.floor);
      sgc_need(sel, &o);
   }
}

static void
need_def(struct sgc_select *sel, nir_ssa_def *def)
{
   if (sgc_is_needed(sel, def))
      return;
   if (def->parent_instr->type == nir_instr_type_intrinsic) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(def->parent_instr);
      if (sgc_is_operand_load(intr))
         need_load(sel, intr);
   }
   BITSET_SET(sel->needed, def->index);
}

void
sgc_need(struct sgc_select *sel, const struct sgc_operand *o)
{
   if (!o->literal && o->def)
      need_def(sel, o->def);
}

static void
need_index(struct sgc_select *sel, nir_src src)
{
   struct sgc_index index = sgc_chase_index(src.ssa, 0);
   if (index.def) {
      struct sgc_operand o;
      sgc_chase(&o, index.def, &index.comp, 1, index.floor);
      sgc_need(sel, &o);
   }
}

static void
need_alu_src(struct sgc_select *sel, nir_alu_instr *alu, unsigned s, bool mods)
{
   if (!alu->src[s].src.is_ssa) {
      if (alu->src[s].src.reg.indirect)
         need_index(sel, *alu->src[s].src.reg.indirect);
      return;
   }
   struct sgc_operand o;
   sgc_chase_alu(&o, alu, s, nir_ssa_alu_instr_src_components(alu, s), mods);
   sgc_need(sel, &o);
}

/* A plain source, read as a move or an operand with modifiers. */
static void
need_src(struct sgc_select *sel, nir_src src, bool mods)
{
   if (!src.is_ssa) {
      if (src.reg.indirect)
         need_index(sel, *src.reg.indirect);
      return;
   }
   struct sgc_operand o;
   sgc_chase(&o, src.ssa, NULL, src.ssa->num_components, mods);
   sgc_need(sel, &o);
}

static void
need_condition(struct sgc_select *sel, nir_src src)
{
   nir_ssa_scalar s = sgc_chase_movs((nir_ssa_scalar){ src.ssa, 0 });

   while (nir_ssa_scalar_is_alu(s) && nir_ssa_scalar_alu_op(s) == nir_op_inot)
      s = sgc_chase_movs(nir_ssa_scalar_chase_alu_src(s, 0));

   if (nir_ssa_scalar_is_alu(s)) {
      switch (nir_ssa_scalar_alu_op(s)) {
      case nir_op_flt32:
      case nir_op_fge32:
      case nir_op_feq32:
      case nir_op_fneu32:
      case nir_op_ilt32:
      case nir_op_ige32:
      case nir_op_ieq32:
      case nir_op_ine32:
      case nir_op_ult32:
      case nir_op_uge32: {
         nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
         if (alu->src[0].src.is_ssa && alu->src[1].src.is_ssa) {
            need_alu_src(sel, alu, 0, true);
            need_alu_src(sel, alu, 1, true);
            return;
         }
         break;
      }
      default:
         break;
      }
   }
   struct sgc_operand o;
   sgc_chase(&o, s.def, &(uint8_t){ s.comp }, 1, false);
   sgc_need(sel, &o);
}

/*
 * Arithmetic
 */

/* The product behind source s of a sum, if that is what it is for. */
static nir_alu_instr *
product_behind(struct sgc_select *sel, nir_alu_instr *sum, unsigned s, nir_op op, bool mods)
{
   if (!sum->src[s].src.is_ssa)
      return NULL;
   struct sgc_operand o;
   sgc_chase_alu(&o, sum, s, nir_ssa_alu_instr_src_components(sum, s), mods);
   if (o.literal || o.abs || o.def->parent_instr->type != nir_instr_type_alu ||
       sgc_is_needed(sel, o.def) || sgc_has_home(sel, o.def))
      return NULL;
   nir_alu_instr *product = nir_instr_as_alu(o.def->parent_instr);
   if (product->op != op || !product->src[0].src.is_ssa || !product->src[1].src.is_ssa)
      return NULL;
   return product;
}

/* Whether all readers of a product are sums that can take it in. */
static bool
only_summed(const nir_ssa_def *def, nir_op sum, unsigned depth)
{
   if (!list_is_empty(&def->if_uses) || depth > 3)
      return false;
   nir_foreach_use(src, def) {
      if (src->parent_instr->type != nir_instr_type_alu)
         return false;
      nir_alu_instr *user = nir_instr_as_alu(src->parent_instr);
      if (user->op == nir_op_fneg || user->op == nir_op_mov) {
         if (!user->dest.dest.is_ssa || !only_summed(&user->dest.dest.ssa, sum, depth + 1))
            return false;
      } else if (user->op != sum) {
         return false;
      }
   }
   return true;
}

static bool
plan_mad(struct sgc_select *sel, nir_alu_instr *sum)
{
   const bool f = sum->op == nir_op_fadd;
   const nir_op op = f ? nir_op_fmul : nir_op_imul;

   for (unsigned s = 0; s < 2; s++) {
      nir_alu_instr *product = product_behind(sel, sum, s, op, f);
      if (!product || !only_summed(&product->dest.dest.ssa, sum->op, 0))
         continue;
      struct sgc_plan *plan = sgc_plan_of(sel, &sum->dest.dest.ssa);
      plan->kind = SGC_PLAN_MAD;
      plan->factor = s;
      need_alu_src(sel, product, 0, f);
      need_alu_src(sel, product, 1, f);
      need_alu_src(sel, sum, !s, f);
      return true;
   }
   return false;
}

static void
plan_vector(struct sgc_select *sel, nir_alu_instr *vec)
{
   struct sgc_value *v = &sel->values[vec->dest.dest.ssa.index];
   if (!v->valid)
      sgc_value_dst(sel, &vec->dest.dest.ssa);

   unsigned done = 0;
   if (sel->opt && sgc_match_vector(sel, vec))
      done = sgc_plan_of(sel, &vec->dest.dest.ssa)->done_mask;
   if (sel->opt)
      sgc_give_homes(sel, vec, done);
   for (unsigned i = 0; i < nir_op_infos[vec->op].num_inputs; i++) {
      if (done & (1u << i))
         continue;
      need_alu_src(sel, vec, i, true);
   }
}

/* Compares that b2f makes numbers of: one SLT, SGE, SEQ or SNE. */
static nir_alu_instr *
compare_behind(nir_alu_instr *b2f)
{
   struct sgc_operand o;
   sgc_chase_alu(&o, b2f, 0, b2f->dest.dest.ssa.num_components, false);
   if (o.literal || !o.def || o.def->parent_instr->type != nir_instr_type_alu)
      return NULL;
   nir_alu_instr *alu = nir_instr_as_alu(o.def->parent_instr);
   switch (alu->op) {
   case nir_op_flt32:
   case nir_op_fge32:
   case nir_op_feq32:
   case nir_op_fneu32:
      return alu->src[0].src.is_ssa && alu->src[1].src.is_ssa ? alu : NULL;
   default:
      return NULL;
   }
}

static void
plan_alu(struct sgc_select *sel, nir_alu_instr *alu)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &alu->dest.dest.ssa);

   if (plan->kind == SGC_PLAN_MEMBER)
      return;
   plan->kind = SGC_PLAN_PLAIN;

   if (sgc_op_is_vec(alu->op)) {
      plan_vector(sel, alu);
      return;
   }
   if (sel->opt && sgc_match_scalar(sel, alu))
      return;

   switch (alu->op) {
   case nir_op_fsat: {
      /* The operation behind it, when it is for this alone. */
      struct sgc_operand o;
      const unsigned n = alu->dest.dest.ssa.num_components;
      if (!alu->src[0].src.is_ssa || !sel->opt || sel->p->vp1)
         break;
      sgc_chase_alu(&o, alu, 0, n, false);
      if (o.literal || o.def->parent_instr->type != nir_instr_type_alu ||
          sgc_single_user(o.def) != &alu->instr || sgc_is_needed(sel, o.def) ||
          o.def->num_components != n)
         break;
      nir_alu_instr *inner = nir_instr_as_alu(o.def->parent_instr);
      bool same = !sgc_op_is_vec(inner->op) && inner->op != nir_op_fsat &&
                  nir_alu_type_get_base_type(nir_op_infos[inner->op].output_type) ==
                     nir_type_float;
      for (unsigned i = 0; i < n; i++)
         same &= o.swizzle[i] == i;
      if (!same)
         break;
      plan->kind = SGC_PLAN_SAT;
      /* Its own plan is made as if it were visited here. */
      plan_alu(sel, inner);
      return;
   }
   case nir_op_fadd:
   case nir_op_iadd:
      if (sel->opt && plan_mad(sel, alu))
         return;
      break;
   case nir_op_b2f32: {
      nir_alu_instr *compare = compare_behind(alu);
      if (compare) {
         need_alu_src(sel, compare, 0, true);
         need_alu_src(sel, compare, 1, true);
         return;
      }
      break;
   }
   default:
      break;
   }
   for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
      need_alu_src(sel, alu, s, true);
}

/*
 * The walk
 */

static void
plan_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];

   if (intr->intrinsic == nir_intrinsic_store_output) {
      /* What the next vertex is to have must not come before this one. */
      if (sel->opt && sel->p->stage != MESA_SHADER_GEOMETRY)
         sgc_give_output(sel, intr);
      need_src(sel, intr->src[0], true);
      need_index(sel, *nir_get_io_offset_src(intr));
      return;
   }
   if (intr->intrinsic == nir_intrinsic_discard_if ||
       intr->intrinsic == nir_intrinsic_demote_if ||
       intr->intrinsic == nir_intrinsic_terminate_if) {
      need_condition(sel, intr->src[0]);
      return;
   }
   if (info->has_dest && sgc_is_operand_load(intr))
      return;
   if (info->has_dest && (info->flags & NIR_INTRINSIC_CAN_ELIMINATE) &&
       intr->dest.is_ssa && !sgc_is_needed(sel, &intr->dest.ssa))
      return;
   if (intr->intrinsic == nir_intrinsic_load_per_vertex_input) {
      need_src(sel, intr->src[0], false);
      need_index(sel, intr->src[1]);
      return;
   }
   if (intr->intrinsic == nir_intrinsic_load_interpolated_input) {
      const nir_intrinsic_instr *place = sgc_place_of(intr);
      if (place->intrinsic == nir_intrinsic_load_barycentric_at_offset)
         need_src(sel, place->src[0], true);
      else if (place->intrinsic == nir_intrinsic_load_barycentric_at_sample)
         need_src(sel, place->src[0], false);
      need_index(sel, intr->src[1]);
      return;
   }
   for (unsigned i = 0; i < info->num_srcs; i++)
      need_src(sel, intr->src[i], false);
}

static void
plan_instr(struct sgc_select *sel, nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu: {
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      if (!alu->dest.dest.is_ssa) {
         if (alu->dest.dest.reg.indirect)
            need_index(sel, *alu->dest.dest.reg.indirect);
         /* A store to an array is a move. */
         if (!alu->src[0].src.is_ssa) {
            need_alu_src(sel, alu, 0, true);
         } else {
            struct sgc_operand o;
            sgc_chase(&o, alu->src[0].src.ssa, alu->src[0].swizzle,
                      alu->dest.dest.reg.reg->num_components, true);
            sgc_need(sel, &o);
         }
      } else if (sgc_is_needed(sel, &alu->dest.dest.ssa)) {
         plan_alu(sel, alu);
      }
      break;
   }
   case nir_instr_type_tex: {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      if (tex->dest.is_ssa && !sgc_is_needed(sel, &tex->dest.ssa))
         break;
      for (unsigned s = 0; s < tex->num_srcs; s++)
         need_src(sel, tex->src[s].src, true);
      break;
   }
   case nir_instr_type_intrinsic:
      plan_intrinsic(sel, nir_instr_as_intrinsic(instr));
      break;
   default:
      break;
   }
}

void
sgc_make_plan(struct sgc_select *sel)
{
   nir_foreach_block(block, sel->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->type != nir_instr_type_phi)
            break;
         nir_phi_instr *phi = nir_instr_as_phi(instr);
         BITSET_SET(sel->needed, phi->dest.ssa.index);
         nir_foreach_phi_src(src, phi)
            need_src(sel, src->src, true);
      }
   }

   nir_foreach_block_reverse(block, sel->impl) {
      nir_if *nif = nir_block_get_following_if(block);
      if (nif)
         need_condition(sel, nif->condition);
      nir_foreach_instr_reverse(instr, block)
         plan_instr(sel, instr);
   }
}
