/* SPDX-License-Identifier: MIT */
/*
 * Output stores, and input loads that need an instruction.
 */

#include "select/sgc_select.h"

/*
 * Outputs
 */

void
sgc_plan_store_output(struct sgc_select *sel, nir_intrinsic_instr *store, struct sgc_plan *plan)
{
   const bool read_later = sel->p->stage == MESA_SHADER_GEOMETRY ||
                           sel->p->stage == MESA_SHADER_TESS_CTRL;
   unsigned shift;

   if (sgc_is_patch_access(sel, store)) {
      sgc_plan_store_patch(sel, store, plan);
      return;
   }
   if (sgc_output_index(sel, store, &shift) < 0)
      return;
   /* A value that is computed directly in the output may be computed long before the store. It must
    * not overwrite the old output value before a geometry shader emits a vertex, or before another
    * invocation of a tessellation control shader loads the old value.
    */
   if (sel->opt && !read_later && sgc_locate_in_output(sel, store)) {
      sgc_need_def(sel, store->src[0].ssa);
      plan->kind = SGC_PLAN_IN_PLACE;
      return;
   }
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, store->src[0], store->num_components, true);
   plan->index = sgc_plan_index(sel, *nir_get_io_offset_src(store));
}

void
sgc_emit_store_output(struct sgc_select *sel, nir_intrinsic_instr *store, struct sgc_plan *plan)
{
   const unsigned n = store->num_components;
   unsigned shift;

   if (sgc_is_patch_access(sel, store)) {
      sgc_emit_store_patch(sel, store, plan);
      return;
   }
   const int o = sgc_output_index(sel, store, &shift);

   struct sgc_src src = sgc_planned_src(sel, plan, 0);
   struct sgc_dst dst = sgc_dst_make(SGPU_FILE_OUTPUT, o, nir_intrinsic_write_mask(store) << shift);
   unsigned at[4];
   for (unsigned c = 0; c < 4; c++)
      at[c] = c >= shift && c - shift < n ? c - shift : 0;
   src = sgc_swizzle(src, SGPU_SWIZZLE(at[0], at[1], at[2], at[3]));

   if (!nir_src_is_const(*nir_get_io_offset_src(store))) {
      struct sgc_index index = *plan->index;
      if (src.rel) {
         src = sgc_mov(&sel->b, dst.mask, src);
         sel->address_busy = 0;
      }
      dst.index = sgc_fit_index(&index, o, o, o + nir_intrinsic_io_semantics(store).num_slots - 1);
      if (sgc_is_relative(&index)) {
         dst.relcomp = sgc_load_address(sel, &index);
         dst.rel = true;
      }
   }
   sgc_mov_to(&sel->b, dst, src);
}

/*
 * Inputs that need an instruction
 */

/* Plans a per-vertex input load. */
void
sgc_plan_load_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[0], 1, false);
   plan->index = sgc_plan_index(sel, intr->src[1]);
}

void
sgc_emit_load_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned first = nir_intrinsic_component(intr);
   const unsigned n = intr->def.num_components;
   uint32_t vertex;
   struct sgc_src address = sgc_planned_address(sel, plan, 0, &vertex);
   unsigned location = io.location, urelcomp = 0;
   bool urel = false;

   if (nir_src_is_const(intr->src[1])) {
      location += nir_src_as_uint(intr->src[1]);
   } else {
      struct sgc_index index = *plan->index;
      location = sgc_fit_index(&index, location, location, location + io.num_slots - 1);
      if (sgc_is_relative(&index)) {
         urelcomp = sgc_load_address(sel, &index);
         urel = true;
      }
   }
   if (location >= ARRAY_SIZE(sel->input_reg[0]) || !sel->input_reg[0][location]) {
      sgc_error(sel->p, "an input location beyond the slots");
      return;
   }

   struct sgc_dst dst = sgc_value_dst(sel, &intr->def);
   struct sgc_dst load = dst;
   if (first)
      load = sgc_dst_reg(sgc_new_reg(sel->p), sgc_mask(n) << first);
   struct sgc_instr *instr = sgc_ldv_to(&sel->b, load, address);
   instr->unit = sel->input_reg[0][location] - 1;
   instr->urel = urel;
   instr->urelcomp = urelcomp;
   instr->offset = vertex;
   if (first)
      sgc_mov_to(&sel->b, dst,
                 sgc_swizzle(sgc_reg(load.index),
                             SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3), 3)));
}

/* Plans interpolation of an input at a place other than that of its slot. */
void
sgc_plan_interpolate(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const nir_intrinsic_instr *at = sgc_barycentric_of(intr);

   sgc_plan_begin(sel, plan, 1);
   switch (at->intrinsic) {
   case nir_intrinsic_load_barycentric_centroid:
      plan->op = SGPU_OP_IPAC;
      break;
   case nir_intrinsic_load_barycentric_at_offset:
      plan->op = SGPU_OP_IPAO;
      sgc_plan_src(sel, plan, at->src[0], 2, true);
      break;
   case nir_intrinsic_load_barycentric_at_sample:
      plan->op = SGPU_OP_IPAS;
      sgc_plan_src(sel, plan, at->src[0], 1, false);
      break;
   case nir_intrinsic_load_barycentric_sample:
      plan->op = SGPU_OP_IPAS;
      break;
   default:
      sgc_error(sel->p, "unhandled interpolation location");
      return;
   }
   plan->index = sgc_plan_index(sel, intr->src[1]);
}

void
sgc_emit_interpolate(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   struct sgc_src at = sgc_none();

   if (plan->num_srcs)
      at = sgc_planned_src(sel, plan, 0);
   else if (plan->op == SGPU_OP_IPAS)
      at = sgc_src_make(SGPU_FILE_SYS, SGPU_SYS_SAMPLE_ID);
   if (plan->op == SGPU_OP_IPAS)
      at = sgc_comp(at, 0);
   struct sgc_src input = sgc_input_operand(sel, intr);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->def);
   struct sgc_instr *instr = sgc_emit(&sel->b, plan->op, dst);
   instr->src[0] = input;
   instr->src[1] = at;
}
