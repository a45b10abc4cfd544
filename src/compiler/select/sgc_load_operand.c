/* SPDX-License-Identifier: MIT */
/*
 * Loads that don't need an instruction, because other instructions can read the uniform, input or
 * system value directly as an operand.
 */

#include "select/sgc_select.h"

/* Returns the system value that an intrinsic loads, or -1 if it loads something else. Sets *comp to
 * the first component of the system value.
 */
static int
sysval_of(nir_intrinsic_op op, unsigned *comp)
{
   *comp = 0;
   switch (op) {
   case nir_intrinsic_load_vertex_id:
      return SGPU_SYS_VERTEX_ID;
   case nir_intrinsic_load_instance_id:
      return SGPU_SYS_INSTANCE_ID;
   case nir_intrinsic_load_base_vertex:
      return SGPU_SYS_BASE_VERTEX;
   case nir_intrinsic_load_first_vertex:
      *comp = 1;
      return SGPU_SYS_BASE_VERTEX;
   case nir_intrinsic_load_base_instance:
      *comp = 2;
      return SGPU_SYS_BASE_VERTEX;
   case nir_intrinsic_load_draw_id:
      *comp = 3;
      return SGPU_SYS_BASE_VERTEX;
   case nir_intrinsic_load_frag_coord:
      return SGPU_SYS_POSITION;
   case nir_intrinsic_load_front_face:
      return SGPU_SYS_FACE;
   case nir_intrinsic_load_point_coord:
      return SGPU_SYS_POINT_COORD;
   case nir_intrinsic_load_invocation_id:
      return SGPU_SYS_INVOCATION_ID;
   case nir_intrinsic_load_primitive_id:
      return SGPU_SYS_PRIMITIVE_ID;
   case nir_intrinsic_load_tess_coord:
      return SGPU_SYS_TESS_COORD;
   case nir_intrinsic_load_patch_vertices_in:
      return SGPU_SYS_PATCH_VERTICES;
   case nir_intrinsic_load_sample_id:
      return SGPU_SYS_SAMPLE_ID;
   case nir_intrinsic_load_sample_mask_in:
      return SGPU_SYS_SAMPLE_MASK;
   case nir_intrinsic_load_sample_pos:
      return SGPU_SYS_SAMPLE_POS;
   case nir_intrinsic_load_subgroup_invocation:
      return SGPU_SYS_LANE;
   case nir_intrinsic_load_layer_id:
      return SGPU_SYS_LAYER;
   case nir_intrinsic_load_workgroup_id:
      return SGPU_SYS_GROUP_ID;
   case nir_intrinsic_load_local_invocation_id:
      return SGPU_SYS_LOCAL_ID;
   case nir_intrinsic_load_num_workgroups:
      return SGPU_SYS_NUM_GROUPS;
   case nir_intrinsic_load_workgroup_size:
      return SGPU_SYS_GROUP_SIZE;
   case nir_intrinsic_load_num_subgroups:
      *comp = 1;
      return SGPU_SYS_SUBGROUP;
   case nir_intrinsic_load_subgroup_id:
      return SGPU_SYS_SUBGROUP;
   case nir_intrinsic_load_view_index:
      return SGPU_SYS_VIEW;
   default:
      return -1;
   }
}

bool
sgc_is_operand_load(const struct sgc_select *sel, const nir_intrinsic_instr *intr)
{
   unsigned comp;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_uniform:
   case nir_intrinsic_load_input:
      return intr->def.bit_size == 32;
   case nir_intrinsic_load_interpolated_input:
      return intr->def.bit_size == 32 && sgc_place_of(sel, intr) != SGC_PLACE_OTHER;
   case nir_intrinsic_load_helper_invocation:
   case nir_intrinsic_is_helper_invocation:
      /* A demote between the load and its users would change the value. */
      return false;
   default:
      return nir_intrinsic_infos[intr->intrinsic].has_dest &&
             sysval_of(intr->intrinsic, &comp) >= 0;
   }
}

/* Adds an index to a source that reads a register file of `size` registers. */
static void
add_index(struct sgc_select *sel, struct sgc_src *src, const struct sgc_index *planned, int size)
{
   struct sgc_index index = *planned;

   if (!index.def) {
      src->index += index.offset;
      return;
   }
   src->index = sgc_fit_index(&index, src->index, -512, MIN2(size - 1, 511));
   src->relcomp = sgc_load_address(sel, &index);
   src->rel = true;
}

struct sgc_src
sgc_input_operand(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned first = nir_intrinsic_component(intr);
   nir_src *offset = nir_get_io_offset_src(intr);
   const uint8_t *reg = sel->input_reg[io.high_dvec2];
   struct sgc_src src = sgc_src_make(SGPU_FILE_INPUT, 0);

   if (nir_src_is_const(*offset)) {
      src.index = reg[io.location + nir_src_as_uint(*offset)] - 1;
   } else {
      src.index = reg[io.location] - 1;
      add_index(sel, &src, sgc_plan_of(sel, &intr->instr)->index, SGPU_INPUT_SIZE);
   }
   src.swizzle = SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3), MIN2(first + 3, 3));
   return src;
}

struct sgc_src
sgc_load_operand(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   struct sgc_program *p = sel->p;
   struct sgc_src src;
   unsigned comp;

   if (intr->intrinsic == nir_intrinsic_load_uniform) {
      src = sgc_src_make(SGPU_FILE_CONST, nir_intrinsic_base(intr));
      add_index(sel, &src, sgc_plan_of(sel, &intr->instr)->index, SGPU_CONST_SIZE);
      unsigned end = src.rel ? nir_intrinsic_base(intr) + nir_intrinsic_range(intr)
                             : (unsigned)src.index + 1;
      p->num_user_constants = MAX2(p->num_user_constants, end);
      return src;
   }
   if (intr->intrinsic == nir_intrinsic_load_input ||
       intr->intrinsic == nir_intrinsic_load_interpolated_input) {
      const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
      int sysval = p->stage == MESA_SHADER_FRAGMENT ? sgc_sysval_of_varying(io.location, &comp)
                                                    : -1;
      if (sysval >= 0) {
         src = sgc_src_make(SGPU_FILE_SYS, sysval);
         return sgc_swizzle(src, SGPU_SWIZZLE(comp, MIN2(comp + 1, 3), MIN2(comp + 2, 3), 3));
      }
      return sgc_input_operand(sel, intr);
   }
   src = sgc_src_make(SGPU_FILE_SYS, sysval_of(intr->intrinsic, &comp));
   return sgc_swizzle(src, SGPU_SWIZZLE(comp, MIN2(comp + 1, 3), MIN2(comp + 2, 3), 3));
}
