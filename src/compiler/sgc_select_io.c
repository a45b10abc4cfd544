/* SPDX-License-Identifier: MIT */
/*
 * Selection of inputs, outputs, uniforms and system values.
 */

#include "sgc_select.h"

/* Returns the system value that an intrinsic loads, or -1.  *comp is its first component. */
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
   default:
      return -1;
   }
}

bool
sgc_is_operand_load(const nir_intrinsic_instr *intr)
{
   unsigned comp;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_uniform:
   case nir_intrinsic_load_input:
      return intr->dest.is_ssa && intr->dest.ssa.bit_size == 32;
   case nir_intrinsic_load_helper_invocation:
   case nir_intrinsic_is_helper_invocation:
      /* A demote between the load and its users would change the value. */
      return false;
   default:
      return intr->dest.is_ssa && nir_intrinsic_infos[intr->intrinsic].has_dest &&
             sysval_of(intr->intrinsic, &comp) >= 0;
   }
}

/* Adds a planned index to a source.  `size` is the number of registers in the file. */
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

/* Returns the v[] that an input load reads, with the first component of the load at position x. */
static struct sgc_src
input_operand(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned first = nir_intrinsic_component(intr);
   nir_src *offset = nir_get_io_offset_src(intr);
   struct sgc_src src = sgc_src_make(SGPU_FILE_INPUT, 0);

   if (nir_src_is_const(*offset)) {
      src.index = sel->input_reg[io.location + nir_src_as_uint(*offset)] - 1;
   } else {
      src.index = sel->input_reg[io.location] - 1;
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
   if (intr->intrinsic == nir_intrinsic_load_input) {
      const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
      int sysval = p->stage == MESA_SHADER_FRAGMENT ? sgc_sysval_of_varying(io.location, &comp)
                                                    : -1;
      if (sysval >= 0) {
         src = sgc_src_make(SGPU_FILE_SYS, sysval);
         return sgc_swizzle(src, SGPU_SWIZZLE(comp, MIN2(comp + 1, 3), MIN2(comp + 2, 3), 3));
      }
      return input_operand(sel, intr);
   }
   src = sgc_src_make(SGPU_FILE_SYS, sysval_of(intr->intrinsic, &comp));
   return sgc_swizzle(src, SGPU_SWIZZLE(comp, MIN2(comp + 1, 3), MIN2(comp + 2, 3), 3));
}

/*
 * Outputs
 */

/* Returns the index of o[] for an output before the pixel stage, or -1.  *shift is the component of
 * o[] that is the first one of the output.
 */
static int
vertex_output(struct sgc_select *sel, unsigned location, unsigned *shift)
{
   *shift = 0;
   switch (location) {
   case VARYING_SLOT_POS:
      return SGPU_VO_HPOS;
   case VARYING_SLOT_COL0:
   case VARYING_SLOT_COL1:
      return SGPU_VO_COL0 + location - VARYING_SLOT_COL0;
   case VARYING_SLOT_BFC0:
   case VARYING_SLOT_BFC1:
      return SGPU_VO_BFC0 + location - VARYING_SLOT_BFC0;
   case VARYING_SLOT_FOGC:
      return SGPU_VO_FOGC;
   case VARYING_SLOT_PSIZ:
      return SGPU_VO_PSIZ;
   case VARYING_SLOT_EDGE:
      return SGPU_VO_EDGE;
   case VARYING_SLOT_CLIP_VERTEX:
      return SGPU_VO_CLIPV;
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
      return SGPU_VO_CLIP0 + location - VARYING_SLOT_CLIP_DIST0;
   case VARYING_SLOT_PRIMITIVE_ID:
      return SGPU_VO_PRID;
   case VARYING_SLOT_LAYER:
      return SGPU_VO_LAYER;
   case VARYING_SLOT_VIEWPORT:
      *shift = 1;
      return SGPU_VO_LAYER;
   default:
      if (location < ARRAY_SIZE(sel->output_reg) && sel->output_reg[location])
         return sel->output_reg[location] - 1;
      return -1;
   }
}

static int
pixel_output(struct sgc_select *sel, const nir_io_semantics *io, unsigned location)
{
   switch (location) {
   case FRAG_RESULT_DEPTH:
      return SGPU_PO_DEPR;
   case FRAG_RESULT_STENCIL:
      return SGPU_PO_STEN;
   case FRAG_RESULT_SAMPLE_MASK:
      return SGPU_PO_SMASK;
   case FRAG_RESULT_COLOR:
      return SGPU_PO_COLR0 + io->dual_source_blend_index;
   default:
      if (location >= FRAG_RESULT_DATA0 && location < FRAG_RESULT_DATA0 + 8)
         return SGPU_PO_COLR0 + location - FRAG_RESULT_DATA0 + io->dual_source_blend_index;
      return -1;
   }
}

int
sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(store);
   nir_src *offset = nir_get_io_offset_src((nir_intrinsic_instr *)store);
   unsigned location = io.location;
   unsigned slot_shift = 0;

   if (nir_src_is_const(*offset))
      location += nir_src_as_uint(*offset);
   int index = sel->p->stage == MESA_SHADER_FRAGMENT ? pixel_output(sel, &io, location)
                                                     : vertex_output(sel, location, &slot_shift);
   *shift = nir_intrinsic_component(store) + slot_shift;
   return index;
}

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
   /* A value that is computed in the output may be computed long before the store.  That must not
    * overwrite the old value before a geometry program emits a vertex with it, or before another
    * invocation of a control program loads it.
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

/* Plans the load of an input of one vertex of the primitive. */
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
   const unsigned n = intr->dest.ssa.num_components;
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
   if (location >= ARRAY_SIZE(sel->input_reg) || !sel->input_reg[location]) {
      sgc_error(sel->p, "an input location beyond the slots");
      return;
   }

   struct sgc_dst dst = sgc_value_dst(sel, &intr->dest.ssa);
   struct sgc_dst load = dst;
   if (first)
      load = sgc_dst_reg(sgc_new_reg(sel->p), sgc_mask(n) << first);
   struct sgc_instr *instr = sgc_ldv_to(&sel->b, load, address);
   instr->unit = sel->input_reg[location] - 1;
   instr->urel = urel;
   instr->urelcomp = urelcomp;
   instr->offset = vertex;
   if (first)
      sgc_mov_to(&sel->b, dst,
                 sgc_swizzle(sgc_reg(load.index),
                             SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3), 3)));
}

/* Plans the interpolation of an input at the centroid, at an offset or at a sample. */
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
   if (plan->op == SGPU_OP_IPAS)
      at = sgc_comp(at, 0);
   struct sgc_src input = input_operand(sel, intr);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->dest.ssa);
   struct sgc_instr *instr = sgc_emit(&sel->b, plan->op, dst);
   instr->src[0] = input;
   if (plan->num_srcs)
      instr->src[1] = at;
}
