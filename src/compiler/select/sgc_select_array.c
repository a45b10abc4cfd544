/* SPDX-License-Identifier: MIT */
/*
 * Local arrays with a variable index, which NIR addresses as registers. Each access is a MOV, because
 * an array could be written between a load and the users of its value.
 */

#include "select/sgc_select.h"

void
sgc_make_arrays(struct sgc_select *sel)
{
   sel->arrays = sgc_zalloc_array(sel->p, sel, unsigned, sel->impl->ssa_alloc);
   nir_foreach_reg_decl(reg, sel->impl)
   {
      if (nir_intrinsic_bit_size(reg) != 32 || nir_intrinsic_num_components(reg) > 4)
         sgc_error(sel->p, "arrays whose elements are not 32-bit vectors");
      sel->arrays[reg->def.index] = sgc_new_array(sel->p,
                                                  MAX2(nir_intrinsic_num_array_elems(reg), 1));
   }
}

/* An element of an array. The members are those of struct sgc_src and struct sgc_dst. */
struct element {
   unsigned array;
   int index;
   bool rel;
   uint8_t relcomp;
};

/* Returns the element that an access addresses. Loads A0 if the index isn't constant. `reg` is the
 * source that has the NIR register, `min` the minimum of the constant part of the index.
 */
static struct element
find_element(struct sgc_select *sel, const nir_intrinsic_instr *intr, nir_src reg,
             const struct sgc_index *planned, int min)
{
   struct element e = {
      .array = sel->arrays[reg.ssa->index],
      .index = nir_intrinsic_base(intr),
   };

   if (planned && planned->def) {
      struct sgc_index index = *planned;
      e.index = sgc_fit_index(&index, e.index, min, sel->p->arrays[e.array].size - 1);
      e.relcomp = sgc_load_address(sel, &index);
      e.rel = true;
   } else if (planned) {
      e.index += planned->offset;
   }
   return e;
}

void
sgc_plan_load_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 0);
   if (intr->intrinsic == nir_intrinsic_load_reg_indirect)
      plan->index = sgc_plan_index(sel, intr->src[1]);
}

void
sgc_emit_load_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct element e = find_element(sel, intr, intr->src[0], plan->index, -512);
   struct sgc_src src = sgc_src_make(SGC_FILE_ARRAY, e.index);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->def);

   src.array = e.array;
   src.rel = e.rel;
   src.relcomp = e.relcomp;
   src = sgc_spread(src, &sel->locations[intr->def.index], intr->def.num_components);
   sgc_mov_to(&sel->b, dst, src);
}

void
sgc_plan_store_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 1);
   if (intr->intrinsic == nir_intrinsic_store_reg_indirect)
      plan->index = sgc_plan_index(sel, intr->src[2]);
   sgc_plan_src(sel, plan, intr->src[0], intr->num_components, true);
}

void
sgc_emit_store_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct sgc_src src = sgc_planned_src(sel, plan, 0);
   const struct element e = find_element(sel, intr, intr->src[1], plan->index, 0);
   struct sgc_dst dst = sgc_dst_make(SGC_FILE_ARRAY, e.index, nir_intrinsic_write_mask(intr));

   dst.array = e.array;
   dst.rel = e.rel;
   dst.relcomp = e.relcomp;
   sgc_mov_to(&sel->b, dst, src);
}
