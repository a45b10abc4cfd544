/* SPDX-License-Identifier: MIT */
/*
 * Selection of intrinsics: inputs, outputs, constants, system values, scratch
 * memory, discard, and what geometry programs emit.
 */

#include "sgc_select.h"

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
   case nir_intrinsic_load_sample_id:
      return SGPU_SYS_SAMPLE_ID;
   case nir_intrinsic_load_sample_mask_in:
      return SGPU_SYS_SAMPLE_MASK;
   case nir_intrinsic_load_sample_pos:
      return SGPU_SYS_SAMPLE_POS;
   case nir_intrinsic_load_layer_id:
      return SGPU_SYS_LAYER;
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
      /* A demotion may come between the load and its users. */
      return false;
   default:
      return intr->dest.is_ssa && nir_intrinsic_infos[intr->intrinsic].has_dest &&
             sysval_of(intr->intrinsic, &comp) >= 0;
   }
}

static void
add_offset(struct sgc_select *sel, struct sgc_src *src, nir_src *offset)
{
   struct sgc_index index = sgc_chase_index(offset->ssa, 0);

   if (index.def) {
      /* base + offset must fit the operand. */
      const int sum = src->index + index.offset;
      if (sum < -512 || sum > 511) {
         index.bias += sum;
         src->index = 0;
         index.offset = 0;
      }
      src->relcomp = sgc_load_address(sel, &index);
      src->rel = true;
   }
   src->index += index.offset;
}

/* v[] of a load, its first component in x. */
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
      add_offset(sel, &src, offset);
   }
   src.swizzle = SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3),
                              MIN2(first + 3, 3));
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
      add_offset(sel, &src, &intr->src[0]);
      unsigned end = src.rel ? nir_intrinsic_base(intr) + nir_intrinsic_range(intr) :
                               (unsigned)src.index + 1;
      p->num_user_constants = MAX2(p->num_user_constants, end);
      return src;
   }
   if (intr->intrinsic == nir_intrinsic_load_input) {
      const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
      int sysval = p->stage == MESA_SHADER_FRAGMENT ?
                   sgc_sysval_of_varying(io.location, &comp) : -1;
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

/* o[] of a store (of its first slot when the offset varies), or -1 when nothing
 * takes it; its components move up by *shift.
 */
int
sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(store);
   nir_src *offset = nir_get_io_offset_src((nir_intrinsic_instr *)store);
   unsigned location = io.location;
   unsigned slot_shift = 0;

   if (nir_src_is_const(*offset))
      location += nir_src_as_uint(*offset);
   int index = sel->p->stage == MESA_SHADER_FRAGMENT ?
               pixel_output(sel, &io, location) :
               vertex_output(sel, location, &slot_shift);
   *shift = nir_intrinsic_component(store) + slot_shift;
   return index;
}

static void
store_output(struct sgc_select *sel, nir_intrinsic_instr *store)
{
   nir_src *offset = nir_get_io_offset_src(store);
   const unsigned n = store->num_components;
   unsigned shift;
   int index = sgc_output_index(sel, store, &shift);

   if (index < 0)
      return;
   nir_ssa_def *def = store->src[0].is_ssa ? store->src[0].ssa : NULL;
   if (def && sel->values[def->index].valid &&
       sel->values[def->index].file == SGPU_FILE_OUTPUT)
      return;

   struct sgc_src src = sgc_nir_operand(sel, store->src[0], n, true);
   struct sgc_dst dst =
      sgc_dst_make(SGPU_FILE_OUTPUT, index, nir_intrinsic_write_mask(store) << shift);
   unsigned at[4];
   for (unsigned c = 0; c < 4; c++)
      at[c] = c >= shift && c - shift < n ? c - shift : 0;
   src = sgc_swizzle(src, SGPU_SWIZZLE(at[0], at[1], at[2], at[3]));

   if (!nir_src_is_const(*offset)) {
      struct sgc_index a = sgc_chase_index(offset->ssa, 0);
      if (a.offset < 0) {
         a.bias += a.offset;
         a.offset = 0;
      }
      dst.index += a.offset;
      if (src.rel) {
         src = sgc_mov(&sel->b, dst.mask, src);
         sel->address_busy = 0;
      }
      dst.relcomp = sgc_load_address(sel, &a);
      dst.rel = true;
   }
   sgc_mov_to(&sel->b, dst, src);
}

/*
 * Memory
 */

/* Bytes as a register and an unsigned offset. */
static struct sgc_src
byte_address(struct sgc_select *sel, nir_src src, uint32_t *offset)
{
   nir_ssa_scalar s = sgc_chase_movs((nir_ssa_scalar){ src.ssa, 0 });

   *offset = 0;
   if (nir_ssa_scalar_is_const(s) && nir_ssa_scalar_as_uint(s) <= 0xffffff) {
      *offset = nir_ssa_scalar_as_uint(s);
      return sgc_none();
   }
   return sgc_comp(sgc_nir_operand(sel, src, 1, false), 0);
}

static void
load_memory(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const bool ubo = intr->intrinsic == nir_intrinsic_load_ubo;
   uint32_t offset;
   struct sgc_src address = byte_address(sel, intr->src[ubo ? 1 : 0], &offset);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->dest.ssa);
   unsigned urelcomp = 0;
   bool urel = false;
   int unit = 0;

   if (ubo) {
      struct sgc_index bank = sgc_chase_index(intr->src[0].ssa, 0);
      if (bank.offset < 0 || bank.offset >= 32) {
         bank.bias += bank.offset;
         bank.offset = 0;
      }
      unit = bank.offset;
      if (bank.def) {
         urelcomp = sgc_load_address(sel, &bank);
         urel = true;
      }
   }
   struct sgc_instr *instr = ubo ? sgc_ldc_to(&sel->b, dst, address) :
                                   sgc_ldl_to(&sel->b, dst, address);
   instr->unit = unit;
   instr->urel = urel;
   instr->urelcomp = urelcomp;
   instr->offset = offset;
}

/* An input of one of the primitive's vertices. */
static void
load_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned first = nir_intrinsic_component(intr);
   const unsigned n = intr->dest.ssa.num_components;
   uint32_t vertex;
   struct sgc_src address = byte_address(sel, intr->src[0], &vertex);
   unsigned location = io.location, urelcomp = 0;
   bool urel = false;

   if (nir_src_is_const(intr->src[1])) {
      location += nir_src_as_uint(intr->src[1]);
   } else {
      struct sgc_index index = sgc_chase_index(intr->src[1].ssa, 0);
      location += index.offset >= 0 ? index.offset : 0;
      index.bias += index.offset < 0 ? index.offset : 0;
      if (location >= io.location + io.num_slots) {
         index.bias += location - io.location;
         location = io.location;
      }
      if (index.def) {
         urelcomp = sgc_load_address(sel, &index);
         urel = true;
      }
   }
   if (location >= ARRAY_SIZE(sel->input_reg) || !sel->input_reg[location]) {
      sgc_error(sel->p, "an input beyond the slots");
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

/* An input at another place than its own. */
static void
interpolate(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   nir_intrinsic_instr *place = sgc_place_of(intr);
   struct sgc_src at;

   switch (place->intrinsic) {
   case nir_intrinsic_load_barycentric_centroid:
      sgc_ipac_to(&sel->b, sgc_value_dst(sel, &intr->dest.ssa), input_operand(sel, intr));
      break;
   case nir_intrinsic_load_barycentric_at_offset:
      at = sgc_nir_operand(sel, place->src[0], 2, true);
      sgc_ipao_to(&sel->b, sgc_value_dst(sel, &intr->dest.ssa), input_operand(sel, intr), at);
      break;
   case nir_intrinsic_load_barycentric_at_sample:
      at = sgc_comp(sgc_nir_operand(sel, place->src[0], 1, false), 0);
      sgc_ipas_to(&sel->b, sgc_value_dst(sel, &intr->dest.ssa), input_operand(sel, intr), at);
      break;
   default:
      sgc_error(sel->p, "a place of interpolation");
      break;
   }
}

static void
store_scratch(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   uint32_t offset;
   struct sgc_src value = sgc_nir_operand(sel, intr->src[0], intr->num_components, false);
   struct sgc_src address = byte_address(sel, intr->src[1], &offset);
   struct sgc_dst mask = sgc_dst_none();
   mask.mask = nir_intrinsic_write_mask(intr);
   sgc_stl_to(&sel->b, mask, address, value)->offset = offset;
}

void
sgc_select_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];

   if (info->has_dest && sgc_is_operand_load(intr))
      return;
   if (info->has_dest && (info->flags & NIR_INTRINSIC_CAN_ELIMINATE) && intr->dest.is_ssa &&
       !BITSET_TEST(sel->needed, intr->dest.ssa.index))
      return;

   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
      store_output(sel, intr);
      break;
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_scratch:
      if (intr->dest.ssa.bit_size != 32) {
         sgc_error(sel->p, "loads of other than 32 bits");
         break;
      }
      load_memory(sel, intr);
      break;
   case nir_intrinsic_store_scratch:
      store_scratch(sel, intr);
      break;
   case nir_intrinsic_load_helper_invocation:
   case nir_intrinsic_is_helper_invocation:
      sgc_mov_to(&sel->b, sgc_value_dst(sel, &intr->dest.ssa),
                 sgc_comp(sgc_src_make(SGPU_FILE_SYS, SGPU_SYS_HELPER), 0));
      break;
   case nir_intrinsic_load_per_vertex_input:
      if (intr->dest.ssa.bit_size != 32) {
         sgc_error(sel->p, "loads of other than 32 bits");
         break;
      }
      load_vertex(sel, intr);
      break;
   /* Read with the load that they are for. */
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_at_offset:
   case nir_intrinsic_load_barycentric_at_sample:
      break;
   case nir_intrinsic_load_interpolated_input:
      interpolate(sel, intr);
      break;
   case nir_intrinsic_emit_vertex:
      sgc_emitv(&sel->b)->unit = nir_intrinsic_stream_id(intr);
      break;
   case nir_intrinsic_end_primitive:
      sgc_cut(&sel->b)->unit = nir_intrinsic_stream_id(intr);
      break;
   /* Outside of loops a pixel that is gone stays as a helper, so that
    * derivatives after it are sound; in a loop it might never leave it.
    */
   case nir_intrinsic_discard:
   case nir_intrinsic_terminate:
      if (sel->in_loop)
         sgc_kil(&sel->b);
      else
         sgc_dmt(&sel->b);
      break;
   case nir_intrinsic_demote:
      sgc_dmt(&sel->b);
      break;
   case nir_intrinsic_discard_if:
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if: {
      struct sgpu_guard guard = sgc_select_condition(sel, intr->src[0]);
      struct sgc_instr *instr;
      if (sel->in_loop && intr->intrinsic != nir_intrinsic_demote_if)
         instr = sgc_kil(&sel->b);
      else
         instr = sgc_dmt(&sel->b);
      instr->guard = guard;
      break;
   }
   default:
      sgc_error(sel->p, ralloc_asprintf(sel->p, "no operation for %s", info->name));
      break;
   }
   sel->address_busy = 0;
}
