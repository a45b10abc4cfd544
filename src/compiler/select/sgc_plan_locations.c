/* SPDX-License-Identifier: MIT */
/*
 * Planning of locations: decides which values are computed in place, i.e. directly as components of
 * a vector or in an output.
 */

#include "select/sgc_select.h"

nir_instr *
sgc_single_user(const nir_def *def)
{
   nir_instr *user = NULL;

   nir_foreach_use_including_if(src, def)
   {
      if (nir_src_is_if(src) || (user && user != nir_src_parent_instr(src)))
         return NULL;
      user = nir_src_parent_instr(src);
   }
   return user;
}

/* Returns true if the result of an intrinsic can be written to arbitrary components of a register. */
static bool
can_write_anywhere(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_load_reg:
   case nir_intrinsic_load_reg_indirect:
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddx_fine:
   case nir_intrinsic_ddy_fine:
   case nir_intrinsic_ddx_coarse:
   case nir_intrinsic_ddy_coarse:
      return true;
   default:
      return false;
   }
}

/* Returns true if the instruction that defines `def` can write component i of the value to
 * component comp[i] of a register, for each i.
 */
static bool
can_write_to(const nir_def *def, const uint8_t *comp)
{
   bool identity = true;
   for (unsigned i = 0; i < def->num_components; i++)
      identity &= comp[i] == i;

   switch (def->parent_instr->type) {
   case nir_instr_type_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(def->parent_instr);
      return identity || sgc_alu_can_write_anywhere(alu);
   }
   case nir_instr_type_tex:
      return identity;
   case nir_instr_type_intrinsic:
      return can_write_anywhere(nir_instr_as_intrinsic(def->parent_instr)->intrinsic);
   default:
      return false;
   }
}

void
sgc_locate_parts(struct sgc_select *sel, nir_alu_instr *vec, unsigned skip)
{
   nir_def *def = &vec->def;
   const unsigned n = def->num_components;
   const struct sgc_location *whole = &sel->locations[def->index];
   unsigned done = skip;

   for (unsigned i = 0; i < n; i++) {
      if (done & (1u << i))
         continue;
      struct sgc_operand o;
      sgc_chase(&o, vec->src[i].src.ssa, vec->src[i].swizzle, 1, true);
      if (o.literal || o.neg || o.abs || sgc_has_location(sel, o.def) || o.def->bit_size != 32 ||
          o.def->parent_instr->block != vec->instr.block)
         continue;

      /* The vector must use every component of o.def exactly once. */
      uint8_t comp[4];
      unsigned seen = 0, mask = 0;
      bool ok = true;
      for (unsigned j = 0; j < n && ok; j++) {
         struct sgc_operand other;
         sgc_chase(&other, vec->src[j].src.ssa, vec->src[j].swizzle, 1, true);
         if (other.literal || other.def != o.def)
            continue;
         ok = !other.neg && !other.abs && !(done & (1u << j)) && !(seen & (1u << other.swizzle[0]));
         seen |= 1u << other.swizzle[0];
         comp[other.swizzle[0]] = whole->comp[j];
         mask |= 1u << j;
      }
      if (!ok || seen != sgc_mask(o.def->num_components) || !can_write_to(o.def, comp))
         continue;
      const nir_instr *user = sgc_single_user(o.def);
      if (!user)
         continue;
      /* Outputs are write-only, so a value in an output can't have any other users. */
      if (whole->file == SGPU_FILE_OUTPUT && (sgc_is_needed(sel, o.def) || user != &vec->instr))
         continue;
      struct sgc_location *part = &sel->locations[o.def->index];
      part->valid = true;
      part->file = whole->file;
      part->index = whole->index;
      memset(part->comp, comp[0], sizeof(part->comp));
      memcpy(part->comp, comp, o.def->num_components);
      done |= mask;
   }
   sgc_plan_of_def(sel, def)->done_mask = done;
}

bool
sgc_locate_in_output(struct sgc_select *sel, nir_intrinsic_instr *store)
{
   nir_src *offset = nir_get_io_offset_src(store);
   if (!nir_src_is_const(*offset))
      return false;
   nir_def *def = store->src[0].ssa;

   struct sgc_operand o;
   sgc_chase(&o, def, NULL, def->num_components, true);
   if (o.literal || o.neg || o.abs || o.def != def || sgc_has_location(sel, def) ||
       sgc_is_needed(sel, def))
      return false;

   unsigned shift;
   int index = sgc_output_index(sel, store, &shift);
   const nir_cf_node *node = &store->instr.block->cf_node;
   if (index < 0 || sel->output_stores[index] != 1 || node->parent->type != nir_cf_node_function ||
       sgc_single_user(def) != &store->instr || def->parent_instr->block != store->instr.block ||
       nir_intrinsic_write_mask(store) != sgc_mask(def->num_components))
      return false;

   uint8_t comp[4];
   for (unsigned i = 0; i < 4; i++)
      comp[i] = shift + MIN2(i, def->num_components - 1u);

   bool vector = def->parent_instr->type == nir_instr_type_alu &&
                 sgc_op_is_vec(nir_instr_as_alu(def->parent_instr)->op);
   if (!vector && !can_write_to(def, comp))
      return false;

   struct sgc_location *l = &sel->locations[def->index];
   l->valid = true;
   l->file = SGPU_FILE_OUTPUT;
   l->index = index;
   memcpy(l->comp, comp, sizeof(comp));
   return true;
}
