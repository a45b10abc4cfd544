/* SPDX-License-Identifier: MIT */
/*
 * Fragment shader operations: framebuffer fetch, interlock and derivatives.
 */

#include "select/sgc_select.h"

/* Returns the target index for LDT, or -1 if the output can't be read. Sets *first to the component
 * of LDT's result that the value starts at.
 */
static int
fetched_target(const nir_intrinsic_instr *load, unsigned *first)
{
   const unsigned location = nir_intrinsic_io_semantics(load).location +
                             nir_src_as_uint(*nir_get_io_offset_src((nir_intrinsic_instr *)load));

   *first = nir_intrinsic_component(load);
   switch (location) {
   case FRAG_RESULT_COLOR:
      return 0;
   case FRAG_RESULT_DEPTH:
      return SGPU_MAX_TARGETS - 1;
   case FRAG_RESULT_STENCIL:
      *first += 1;
      return SGPU_MAX_TARGETS - 1;
   default:
      if (location >= FRAG_RESULT_DATA0 && location < FRAG_RESULT_DATA0 + SGPU_MAX_TARGETS - 1)
         return location - FRAG_RESULT_DATA0;
      return -1;
   }
}

void
sgc_plan_load_target(struct sgc_select *sel, nir_intrinsic_instr *load, struct sgc_plan *plan)
{
   unsigned first;

   if (!nir_src_is_const(*nir_get_io_offset_src(load)) || fetched_target(load, &first) < 0) {
      sgc_error(sel->p, "an output that cannot be read");
      return;
   }
   sgc_plan_begin(sel, plan, 0);
}

void
sgc_emit_load_target(struct sgc_select *sel, nir_intrinsic_instr *load, struct sgc_plan *plan)
{
   const unsigned n = load->def.num_components;
   unsigned first;
   const int target = fetched_target(load, &first);
   const struct sgc_dst dst = sgc_value_dst(sel, &load->def);

   if (!first) {
      sgc_ldt_to(&sel->b, dst)->unit = target;
      return;
   }
   const struct sgc_dst fetched = sgc_dst_reg(sgc_new_reg(sel->p), sgc_mask(n) << first);
   sgc_ldt_to(&sel->b, fetched)->unit = target;
   sgc_mov_to(&sel->b, dst,
              sgc_swizzle(sgc_reg(fetched.index),
                          SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3), 3)));
}

/* The device orders whole programs of overlapping primitives, so the beginning and the end of the
 * critical section don't need an instruction.
 */
void
sgc_plan_interlock(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sel->p->shader->fs_interlock = true;
}

/*
 * Derivatives
 */

static enum sgpu_opcode
derivative(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_fine:
      return SGPU_OP_DDXF;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_fine:
      return SGPU_OP_DDYF;
   case nir_intrinsic_ddx_coarse:
      return SGPU_OP_DDX;
   case nir_intrinsic_ddy_coarse:
      return SGPU_OP_DDY;
   default:
      unreachable("not a derivative");
   }
}

void
sgc_plan_derivative(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (intr->def.bit_size != 32) {
      sgc_error(sel->p, "derivatives of values without 32 bits");
      return;
   }
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[0], intr->num_components, true);
}

void
sgc_emit_derivative(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   struct sgc_src src = sgc_planned_src(sel, plan, 0);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->def);

   src = sgc_spread(src, &sel->locations[intr->def.index], intr->num_components);
   sgc_emit(&sel->b, derivative(intr->intrinsic), dst)->src[0] = src;
}
