/* SPDX-License-Identifier: MIT */
/*
 * Fragment shader operations: framebuffer fetch and interlock.
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
