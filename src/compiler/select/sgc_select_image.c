/* SPDX-License-Identifier: MIT */
/*
 * Image operations.
 *
 * src0 contains the integer coordinates, with the sample index in w. src1 contains the value to
 * store or the atomic operands.
 */

#include "select/sgc_select.h"

/* NIR source indices */
enum { INDEX, COORD, SAMPLE, DATA, DATA2 };

/* Returns the enum sgpu_tex_target of an image, or -1 if it's unsupported. The hardware accesses
 * cubes as 2D arrays of faces.
 */
static int
image_target(const nir_intrinsic_instr *intr)
{
   const enum glsl_sampler_dim dim = nir_intrinsic_image_dim(intr);

   if (dim == GLSL_SAMPLER_DIM_CUBE)
      return SGPU_TEX_TARGET_2D_ARRAY;
   return sgc_tex_target(dim, nir_intrinsic_image_array(intr));
}

static unsigned
num_operands(nir_intrinsic_op op)
{
   if (op == nir_intrinsic_image_load)
      return 0;
   return op == nir_intrinsic_image_atomic_swap ? 2 : 1;
}

void
sgc_plan_image(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const int target = image_target(intr);

   if (target < 0) {
      sgc_error(sel->p, "unknown image type");
      return;
   }
   sgc_plan_begin(sel, plan, 4);
   sgc_plan_src(sel, plan, intr->src[COORD], sgpu_tex_target_infos[target].coords, false);
   if (sgpu_tex_target_infos[target].samples)
      sgc_plan_src(sel, plan, intr->src[SAMPLE], 1, false);
   for (unsigned i = 0; i < num_operands(intr->intrinsic); i++)
      sgc_plan_src(sel, plan, intr->src[DATA + i], nir_src_num_components(intr->src[DATA + i]),
                   false);
   plan->index = sgc_plan_index(sel, intr->src[INDEX]);
}

void
sgc_emit_image(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const int target = image_target(intr);
   const bool store = intr->intrinsic == nir_intrinsic_image_store;
   const bool load = intr->intrinsic == nir_intrinsic_image_load;
   struct sgc_parts at = { 0 }, data = { 0 };
   unsigned s = 0;

   sgc_put(&at, 0, sgc_planned_src(sel, plan, s++), sgpu_tex_target_infos[target].coords);
   if (sgpu_tex_target_infos[target].samples)
      sgc_put(&at, 3, sgc_planned_src(sel, plan, s++), 1);
   for (unsigned i = 0; i < num_operands(intr->intrinsic); i++) {
      const unsigned n = nir_src_num_components(intr->src[DATA + i]);
      sgc_put(&data, i, sgc_planned_src(sel, plan, s++), n);
   }
   /* Stores always read four components. If the value has fewer, the format doesn't have the
    * others, so they can contain anything.
    */
   for (unsigned i = 0; store && i < 4; i++) {
      if (!(data.mask & (1u << i)))
         sgc_put(&data, i, data.piece[0], 1);
   }
   struct sgc_src src[2] = { sgc_join(sel, &at), sgc_join(sel, &data) };
   const struct sgc_binding binding = sgc_load_binding(sel, plan->index);

   struct sgc_dst dst = sgc_dst_none();
   if (!store && (load || sgc_is_needed(sel, &intr->def)))
      dst = sgc_value_dst(sel, &intr->def);
   struct sgc_instr *instr = sgc_emit(&sel->b,
                                      store  ? SGPU_OP_STI
                                      : load ? SGPU_OP_LDI
                                             : SGPU_OP_ATI,
                                      dst);
   instr->src[0] = src[0];
   instr->src[1] = src[1];
   instr->tex_target = target;
   if (!store && !load)
      sgc_set_atomic_op(sel, instr, intr);
   sgc_finish_memory(sel, instr, &binding);
}

/* Emits a size or sample count query. SZI returns the sample count in w. */
void
sgc_emit_image_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const int target = image_target(intr);
   const struct sgc_binding binding = sgc_load_binding(sel, plan->index);
   const struct sgc_dst value = sgc_value_dst(sel, &intr->def);
   const bool samples = intr->intrinsic == nir_intrinsic_image_samples;
   const unsigned reg = samples ? sgc_new_reg(sel->p) : 0;
   struct sgc_instr *instr = sgc_szi_to(&sel->b, samples ? sgc_dst_reg(reg, 1u << 3) : value);

   instr->tex_target = MAX2(target, 0);
   instr->unit = binding.unit;
   instr->urel = binding.urel;
   instr->urelcomp = binding.urelcomp;
   if (samples)
      sgc_mov_to(&sel->b, value, sgc_comp(sgc_reg(reg), 3));
}
