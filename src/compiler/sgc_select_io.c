/* SPDX-License-Identifier: MIT */
/*
 * Selection of intrinsics: inputs, outputs, constants, system values, scratch
 * memory, discard; and the shader's interface for the driver.
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
   case nir_intrinsic_load_primitive_id:
      return SGPU_SYS_PRIMITIVE_ID;
   case nir_intrinsic_load_helper_invocation:
   case nir_intrinsic_is_helper_invocation:
      return SGPU_SYS_HELPER;
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

/* Pixel inputs that are system values of the machine. */
static int
sysval_of_varying(unsigned location, unsigned *comp)
{
   *comp = 0;
   switch (location) {
   case VARYING_SLOT_POS:
      return SGPU_SYS_POSITION;
   case VARYING_SLOT_FACE:
      return SGPU_SYS_FACE;
   case VARYING_SLOT_PNTC:
      return SGPU_SYS_POINT_COORD;
   case VARYING_SLOT_PRIMITIVE_ID:
      return SGPU_SYS_PRIMITIVE_ID;
   case VARYING_SLOT_LAYER:
      return SGPU_SYS_LAYER;
   case VARYING_SLOT_VIEWPORT:
      *comp = 1;
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
      unsigned first = nir_intrinsic_component(intr);
      int sysval = p->stage == MESA_SHADER_FRAGMENT ?
                   sysval_of_varying(io.location, &comp) : -1;
      if (sysval >= 0) {
         src = sgc_src_make(SGPU_FILE_SYS, sysval);
         return sgc_swizzle(src, SGPU_SWIZZLE(comp, MIN2(comp + 1, 3), MIN2(comp + 2, 3), 3));
      }
      src = sgc_src_make(SGPU_FILE_INPUT, 0);
      if (nir_src_is_const(intr->src[0])) {
         src.index = sel->input_reg[io.location + nir_src_as_uint(intr->src[0])] - 1;
      } else {
         src.index = sel->input_reg[io.location] - 1;
         add_offset(sel, &src, &intr->src[0]);
      }
      src.swizzle = SGPU_SWIZZLE(first, MIN2(first + 1, 3), MIN2(first + 2, 3),
                                 MIN2(first + 3, 3));
      return src;
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
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
      return SGPU_VO_CLIP0 + location - VARYING_SLOT_CLIP_DIST0;
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
   int index = sel->p->stage == MESA_SHADER_VERTEX ?
               vertex_output(sel, location, &slot_shift) :
               pixel_output(sel, &io, location);
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

/*
 * The interface
 */

static const nir_variable *
variable_at(nir_shader *nir, nir_variable_mode mode, unsigned location)
{
   nir_foreach_variable_with_modes(var, nir, mode) {
      unsigned slots = glsl_count_vec4_slots(var->type, false, false);
      if (var->data.location <= (int)location && location < var->data.location + slots)
         return var;
   }
   return NULL;
}

static void
add_input(struct sgc_select *sel, unsigned location, unsigned reg)
{
   struct sgpu_shader *shader = sel->p->shader;
   const nir_variable *var = variable_at(sel->nir, nir_var_shader_in, location);

   for (unsigned i = 0; i < shader->num_inputs; i++) {
      if (shader->inputs[i].location == location)
         return;
   }
   assert(shader->num_inputs < SGPU_MAX_VARYINGS);
   struct sgpu_varying_info *in = &shader->inputs[shader->num_inputs++];
   in->location = location;
   in->reg = reg;
   if (var) {
      in->interpolation = var->data.interpolation;
      in->centroid = var->data.centroid;
      in->sample = var->data.sample;
   }
}

static void
add_output(struct sgc_select *sel, unsigned location, unsigned reg)
{
   struct sgpu_shader *shader = sel->p->shader;

   for (unsigned i = 0; i < shader->num_outputs; i++) {
      if (shader->outputs[i].location == location)
         return;
   }
   assert(shader->num_outputs < ARRAY_SIZE(shader->outputs));
   shader->outputs[shader->num_outputs++] = (struct sgpu_varying_info){
      .location = location,
      .reg = reg,
   };
}

static unsigned
slots_of(const nir_intrinsic_instr *intr, unsigned *first)
{
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   nir_src *offset = nir_get_io_offset_src((nir_intrinsic_instr *)intr);

   *first = io.location;
   if (nir_src_is_const(*offset)) {
      *first += nir_src_as_uint(*offset);
      return 1;
   }
   return io.num_slots;
}

/* Where NV_vertex_program has an attribute, so that the text says what it is. */
static unsigned
usual_register(unsigned attribute)
{
   switch (attribute) {
   case VERT_ATTRIB_POS:
      return SGPU_VI_OPOS;
   case VERT_ATTRIB_NORMAL:
      return SGPU_VI_NRML;
   case VERT_ATTRIB_COLOR0:
   case VERT_ATTRIB_COLOR1:
      return SGPU_VI_COL0 + attribute - VERT_ATTRIB_COLOR0;
   case VERT_ATTRIB_FOG:
      return SGPU_VI_FOGC;
   default:
      if (attribute >= VERT_ATTRIB_TEX0 && attribute <= VERT_ATTRIB_TEX7)
         return SGPU_VI_TEX0 + attribute - VERT_ATTRIB_TEX0;
      if (attribute >= VERT_ATTRIB_GENERIC0 && attribute <= VERT_ATTRIB_GENERIC15)
         return attribute - VERT_ATTRIB_GENERIC0;
      return 0;
   }
}

/* The first of `count` registers in a row that are free, the preferred if possible. */
static unsigned
free_registers(const struct sgc_select *sel, unsigned preferred, unsigned count)
{
   for (unsigned i = 0; i < SGPU_INPUT_SIZE; i++) {
      const unsigned first = (preferred + i) % SGPU_INPUT_SIZE;
      if (first + count <= SGPU_INPUT_SIZE &&
          !(sel->inputs_used & (BITFIELD_MASK(count) << first)))
         return first;
   }
   return SGPU_INPUT_SIZE;
}

static void
assign_input(struct sgc_select *sel, nir_intrinsic_instr *intr, bool relative)
{
   const bool vertex = sel->p->stage == MESA_SHADER_VERTEX;
   unsigned first, comp;
   const unsigned count = slots_of(intr, &first);

   if (relative == nir_src_is_const(intr->src[0]))
      return;
   if (!vertex && sysval_of_varying(first, &comp) >= 0)
      return;
   if (first + count > ARRAY_SIZE(sel->input_reg)) {
      sgc_error(sel->p, "an input beyond the slots");
      return;
   }
   if (sel->input_reg[first])
      return;
   /* The base profile ends at 16. */
   unsigned reg = free_registers(sel, vertex ? usual_register(first) : 0, count);
   if (reg + count > SGPU_VP1_INPUTS)
      reg = free_registers(sel, 0, count);
   if (reg >= SGPU_INPUT_SIZE) {
      sgc_error(sel->p, "more than 32 inputs");
      return;
   }
   sel->inputs_used |= BITFIELD_MASK(count) << reg;
   for (unsigned i = 0; i < count; i++) {
      add_input(sel, first + i, reg + i);
      sel->input_reg[first + i] = reg + i + 1;
   }
}

/* Generic varyings go to free texture coordinates if all of them find one, so
 * that the base profile's outputs do; runs with a variable index do not.
 */
static void
assign_generics(struct sgc_select *sel, uint64_t written)
{
   unsigned num = 0, num_free = 0;
   const uint64_t generics = written >> VARYING_SLOT_VAR0;

   u_foreach_bit64(i, written) {
      if (i >= VARYING_SLOT_TEX0 && i <= VARYING_SLOT_TEX7)
         sel->output_reg[i] = SGPU_VO_TEX0 + i - VARYING_SLOT_TEX0 + 1;
      else if (i >= VARYING_SLOT_VAR0)
         num++;
   }
   for (unsigned i = 0; i < 8; i++)
      num_free += !sel->output_reg[VARYING_SLOT_TEX0 + i];

   unsigned tex = 0;
   u_foreach_bit64(i, generics) {
      if (num <= num_free && !sel->output_relative) {
         while (sel->output_reg[VARYING_SLOT_TEX0 + tex])
            tex++;
         sel->output_reg[VARYING_SLOT_VAR0 + i] = SGPU_VO_TEX0 + tex++ + 1;
      } else {
         sel->output_reg[VARYING_SLOT_VAR0 + i] = SGPU_VO_GEN0 + i + 1;
      }
   }
}

static void
count_store(struct sgc_select *sel, nir_intrinsic_instr *store)
{
   struct sgpu_shader *shader = sel->p->shader;
   const nir_io_semantics io = nir_intrinsic_io_semantics(store);
   unsigned first, shift;
   const unsigned count = slots_of(store, &first);
   const int index = sgc_output_index(sel, store, &shift);

   if (index < 0)
      return;
   for (unsigned i = 0; i < count; i++) {
      if (index + i < ARRAY_SIZE(sel->output_stores))
         sel->output_stores[index + i]++;
      add_output(sel, first + i, index + i);
   }
   if (sel->p->stage == MESA_SHADER_FRAGMENT && index <= SGPU_PO_COLR7) {
      if (io.location == FRAG_RESULT_COLOR)
         shader->fs_broadcast_color = true;
      if (io.dual_source_blend_index)
         shader->fs_dual_source = true;
      else
         shader->fs_color_outputs = MAX2(shader->fs_color_outputs, index + count);
   }
}

void
sgc_assign_interface(struct sgc_select *sel)
{
   uint64_t written = 0;

   for (unsigned pass = 0; pass < 3; pass++) {
      nir_foreach_block(block, sel->impl) {
         nir_foreach_instr(instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
               continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_load_input && pass < 2) {
               assign_input(sel, intr, pass == 0);
            } else if (intr->intrinsic == nir_intrinsic_store_output && pass == 0) {
               unsigned first;
               const unsigned count = slots_of(intr, &first);
               for (unsigned i = 0; i < count && first + i < 64; i++)
                  written |= BITFIELD64_BIT(first + i);
               if (!nir_src_is_const(*nir_get_io_offset_src(intr)))
                  sel->output_relative = true;
            } else if (intr->intrinsic == nir_intrinsic_store_output && pass == 2) {
               count_store(sel, intr);
            }
         }
      }
      if (pass == 1 && sel->p->stage == MESA_SHADER_VERTEX)
         assign_generics(sel, written);
   }
}
