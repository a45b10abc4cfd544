/* SPDX-License-Identifier: MIT */
/*
 * Tessellation: accesses to per-patch outputs, and to outputs of other vertices in the patch.
 *
 * Per-patch outputs are in memory. Control shaders store and load them (store_output, load_output),
 * evaluation shaders only load them. Barriers in control shaders don't need an instruction: all
 * invocations of a patch are lanes of the same warp, and GLSL only allows barriers outside of
 * control flow, where all lanes are active. The scheduler keeps these accesses in order.
 */

#include "select/sgc_select.h"

/* Returns the index into pa[] for a per-patch output, or -1 if the hardware doesn't have it. */
static int
patch_output(unsigned location)
{
   switch (location) {
   case VARYING_SLOT_TESS_LEVEL_OUTER:
      return SGPU_PATCH_TESS_OUTER;
   case VARYING_SLOT_TESS_LEVEL_INNER:
      return SGPU_PATCH_TESS_INNER;
   default:
      if (location < VARYING_SLOT_PATCH0 ||
          location - VARYING_SLOT_PATCH0 >= SGPU_MAX_PATCH_OUTPUTS - SGPU_NUM_PATCH_NAMES)
         return -1;
      return SGPU_NUM_PATCH_NAMES + location - VARYING_SLOT_PATCH0;
   }
}

/*
 * Per-patch outputs
 */

void
sgc_plan_load_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (patch_output(nir_intrinsic_io_semantics(intr).location) < 0) {
      sgc_error(sel->p, "an output of the patch beyond the slots");
      return;
   }
   if (intr->def.bit_size != 32) {
      sgc_error(sel->p, "loads of values without 32 bits");
      return;
   }
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[0], 1, false);
}

/* Emits a load of the intrinsic's result from an output, starting at component `first` of the
 * output. The caller must set the remaining fields of the returned instruction.
 */
static struct sgc_instr *
load(struct sgc_select *sel, enum sgpu_opcode op, nir_intrinsic_instr *intr, struct sgc_src address,
     unsigned first)
{
   const unsigned n = intr->def.num_components;
   struct sgc_dst dst = sgc_value_dst(sel, &intr->def), to = dst;

   if (first)
      to = sgc_dst_reg(sgc_new_reg(sel->p), sgc_mask(n) << first);
   struct sgc_instr *instr = sgc_emit(&sel->b, op, to);
   instr->src[0] = address;
   if (first)
      sgc_mov_to(&sel->b, dst,
                 sgc_swizzle(sgc_reg(to.index),
                             SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3), 3)));
   return instr;
}

void
sgc_emit_load_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   uint32_t offset;
   struct sgc_src address = sgc_planned_address(sel, plan, 0, &offset);

   load(sel, SGPU_OP_LDP, intr, address, nir_intrinsic_component(intr))->offset =
      offset + patch_output(nir_intrinsic_io_semantics(intr).location);
}

void
sgc_plan_store_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;

   /* gl_BoundingBox is just a hint, which we don't use. */
   if (location == VARYING_SLOT_BOUNDING_BOX0 || location == VARYING_SLOT_BOUNDING_BOX1)
      return;
   if (patch_output(location) < 0) {
      sgc_error(sel->p, "an output of the patch beyond the slots");
      return;
   }
   sgc_plan_begin(sel, plan, 2);
   sgc_plan_src(sel, plan, intr->src[0], intr->num_components, false);
   sgc_plan_src(sel, plan, intr->src[1], 1, false);
}

void
sgc_emit_store_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const unsigned n = intr->num_components, first = nir_intrinsic_component(intr);
   struct sgc_src value = sgc_planned_src(sel, plan, 0);
   struct sgc_dst mask = sgc_dst_none();
   uint32_t offset;
   unsigned at[4];

   for (unsigned c = 0; c < 4; c++)
      at[c] = c >= first && c - first < n ? c - first : 0;
   value = sgc_swizzle(value, SGPU_SWIZZLE(at[0], at[1], at[2], at[3]));
   struct sgc_src address = sgc_planned_address(sel, plan, 1, &offset);
   mask.mask = nir_intrinsic_write_mask(intr) << first;
   sgc_stp_to(&sel->b, mask, address, value)->offset =
      offset + patch_output(nir_intrinsic_io_semantics(intr).location);
}

/*
 * Per-vertex outputs
 */

void
sgc_plan_load_vertex_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                            struct sgc_plan *plan)
{
   unsigned shift;

   if (sgc_output_index(sel, intr, &shift) < 0 || intr->def.bit_size != 32) {
      sgc_error(sel->p, "an output of a vertex that cannot be loaded");
      return;
   }
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[0], 1, false);
   plan->index = sgc_plan_index(sel, intr->src[1]);
}

void
sgc_emit_load_vertex_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                            struct sgc_plan *plan)
{
   unsigned shift, urelcomp = 0, unit = sgc_output_index(sel, intr, &shift);
   uint32_t vertex;
   struct sgc_src address = sgc_planned_address(sel, plan, 0, &vertex);
   bool urel = false;

   if (!nir_src_is_const(intr->src[1])) {
      struct sgc_index index = *plan->index;
      index.bias += index.offset;
      index.offset = 0;
      urel = index.def != NULL;
      if (urel)
         urelcomp = sgc_load_address(sel, &index);
      else
         unit += index.bias;
   }
   struct sgc_instr *instr = load(sel, SGPU_OP_LDO, intr, address, shift);
   instr->unit = unit;
   instr->urel = urel;
   instr->urelcomp = urelcomp;
   instr->offset = vertex;
}

/* Describes the tessellation state of the shader to the driver. */
void
sgc_describe_tess(struct sgpu_shader *shader, const nir_shader *nir)
{
   if (nir->info.stage == MESA_SHADER_TESS_CTRL)
      shader->tcs_vertices = MAX2(nir->info.tess.tcs_vertices_out, 1);
   if (nir->info.stage != MESA_SHADER_TESS_EVAL)
      return;
   shader->tes_domain = nir->info.tess._primitive_mode == TESS_PRIMITIVE_QUADS
                           ? SGPU_TESS_DOMAIN_QUADS
                        : nir->info.tess._primitive_mode == TESS_PRIMITIVE_ISOLINES
                           ? SGPU_TESS_DOMAIN_ISOLINES
                           : SGPU_TESS_DOMAIN_TRIANGLES;
   shader->tes_spacing = nir->info.tess.spacing == TESS_SPACING_FRACTIONAL_ODD
                            ? SGPU_TESS_SPACING_FRACTIONAL_ODD
                         : nir->info.tess.spacing == TESS_SPACING_FRACTIONAL_EVEN
                            ? SGPU_TESS_SPACING_FRACTIONAL_EVEN
                            : SGPU_TESS_SPACING_EQUAL;
   shader->tes_cw = !nir->info.tess.ccw;
   shader->tes_points = nir->info.tess.point_mode;
}
