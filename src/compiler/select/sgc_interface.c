/* SPDX-License-Identifier: MIT */
/*
 * Assigns registers to shader inputs and outputs. The result is returned to the driver in struct
 * sgpu_shader.
 */

#include "select/sgc_select.h"

int
sgc_sysval_of_varying(unsigned location, unsigned *comp)
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
sgc_is_patch_access(const struct sgc_select *sel, const nir_intrinsic_instr *intr)
{
   const bool tess = sel->p->stage == MESA_SHADER_TESS_CTRL ||
                     sel->p->stage == MESA_SHADER_TESS_EVAL;

   return (intr->intrinsic == nir_intrinsic_load_output && tess) ||
          (intr->intrinsic == nir_intrinsic_store_output && sel->p->stage == MESA_SHADER_TESS_CTRL);
}

/* Returns the index into o[] for an output of a stage before rasterization, or -1 if there is none.
 * Sets *shift to the component of o[] that the output starts at.
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
   case VARYING_SLOT_VIEWPORT_MASK:
      *shift = 2;
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

/* Adds an input to the results for the driver. `location` is a varying slot, or the index of a vertex
 * element.
 */
static void
add_input(struct sgc_select *sel, unsigned slot, unsigned location, unsigned reg)
{
   struct sgpu_shader *shader = sel->p->shader;

   for (unsigned i = 0; i < shader->num_inputs; i++) {
      if (shader->inputs[i].location == location)
         return;
   }
   assert(shader->num_inputs < ARRAY_SIZE(shader->inputs));
   struct sgpu_varying_info *in = &shader->inputs[shader->num_inputs++];
   in->location = location;
   in->reg = reg;
   if (sel->p->stage == MESA_SHADER_FRAGMENT) {
      in->interpolation = sel->input_mode[slot] ? sel->input_mode[slot] - 1 : INTERP_MODE_NONE;
      in->centroid = sel->input_place[slot] == SGC_PLACE_CENTROID;
      in->sample = sel->input_place[slot] == SGC_PLACE_SAMPLE;
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

static bool
is_input_load(const nir_instr *instr)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_per_vertex_input:
      return true;
   default:
      return false;
   }
}

/*
 * Interpolation. The device interpolates each slot in one mode and at one place before the program
 * runs. Loads at another place of the same slot are instructions, since GLSL has interpolateAt*().
 */

static enum sgc_place
wanted_place(const nir_intrinsic_instr *load)
{
   switch (sgc_barycentric_of(load)->intrinsic) {
   case nir_intrinsic_load_barycentric_pixel:
      return SGC_PLACE_PIXEL;
   case nir_intrinsic_load_barycentric_sample:
      return SGC_PLACE_SAMPLE;
   case nir_intrinsic_load_barycentric_centroid:
      return SGC_PLACE_CENTROID;
   default:
      return SGC_PLACE_OTHER;
   }
}

enum sgc_place
sgc_place_of(const struct sgc_select *sel, const nir_intrinsic_instr *load)
{
   const enum sgc_place place = wanted_place(load);
   unsigned first, comp;
   const unsigned count = slots_of(load, &first);

   /* System values are at the pixel or the sample that the program runs for. */
   if (sgc_sysval_of_varying(first, &comp) >= 0)
      return place == SGC_PLACE_CENTROID ? SGC_PLACE_OTHER : place;
   for (unsigned i = 0; i < count && first + i < ARRAY_SIZE(sel->input_place); i++) {
      if (sel->input_place[first + i] != place)
         return SGC_PLACE_OTHER;
   }
   return place;
}

static void
set_mode(struct sgc_select *sel, unsigned slot, enum glsl_interp_mode mode)
{
   const unsigned old = sel->input_mode[slot];

   /* NONE is the mode that glShadeModel() selects for colors, and SMOOTH for other inputs. */
   if (old && old != 1u + mode && MAX2(old, 1u + mode) > 1u + INTERP_MODE_SMOOTH)
      sgc_error(sel->p, "an input with two modes of interpolation");
   sel->input_mode[slot] = old ? MIN2(old, 1u + mode) : 1u + mode;
}

/* Records the mode of a load. Sets places[slot] to a bit mask of the places of all loads. */
static void
find_interpolation(struct sgc_select *sel, const nir_intrinsic_instr *intr, uint8_t *places)
{
   const bool flat = intr->intrinsic == nir_intrinsic_load_input;
   unsigned first;
   const unsigned count = slots_of(intr, &first);

   for (unsigned slot = first; slot < first + count && slot < ARRAY_SIZE(sel->input_mode); slot++) {
      set_mode(sel, slot,
               flat ? INTERP_MODE_FLAT : nir_intrinsic_interp_mode(sgc_barycentric_of(intr)));
      if (!flat)
         places[slot] |= 1u << wanted_place(intr);
   }
}

static void
assign_interpolation(struct sgc_select *sel)
{
   uint8_t places[ARRAY_SIZE(sel->input_place)] = { 0 };

   nir_foreach_block(block, sel->impl) {
      nir_foreach_instr(instr, block) {
         if (is_input_load(instr))
            find_interpolation(sel, nir_instr_as_intrinsic(instr), places);
      }
   }
   for (unsigned slot = 0; slot < ARRAY_SIZE(places); slot++) {
      const unsigned known = places[slot] & ~(1u << SGC_PLACE_OTHER);
      sel->input_place[slot] = known ? ffs(known) - 1 : SGC_PLACE_PIXEL;
   }
}

/*
 * Registers
 */

/* Returns the register that NV_vertex_program uses for an attribute. This only makes the assembly
 * look familiar. Any other register would work, too.
 */
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

static unsigned
input_registers(const struct sgc_select *sel)
{
   return sel->p->stage == MESA_SHADER_VERTEX || sel->p->stage == MESA_SHADER_FRAGMENT
             ? SGPU_INPUT_SIZE
             : SGPU_MAX_VERTEX_INPUTS;
}

/* Sets bit n of joined[half] if the register of slot n + 1 must directly follow the register of slot
 * n. All slots that an indirect load can access need consecutive registers, and the ranges of
 * different loads can overlap.
 */
static void
join_slots(const struct sgc_select *sel, nir_intrinsic_instr *intr, uint64_t joined[2])
{
   unsigned first;
   const unsigned count = slots_of(intr, &first);

   if (count > 1 && first + count <= ARRAY_SIZE(sel->input_reg[0]))
      joined[nir_intrinsic_io_semantics(intr).high_dvec2] |= BITFIELD64_MASK(count - 1) << first;
}

/* Returns the index of the vertex element that contains an attribute slot. `load` loads this slot, or
 * another slot of the same array.
 */
static unsigned
element_of(const struct sgc_select *sel, const nir_intrinsic_instr *load, unsigned slot)
{
   const uint64_t dual = sel->nir->info.dual_slot_inputs;
   const unsigned location = nir_intrinsic_io_semantics(load).location;
   unsigned element = nir_intrinsic_base(load);

   for (unsigned i = location; i < slot; i++)
      element += dual & BITFIELD64_BIT(i) ? 2 : 1;
   for (unsigned i = slot; i < location; i++)
      element -= dual & BITFIELD64_BIT(i) ? 2 : 1;
   return element;
}

/* Finds `count` consecutive free registers and returns the first of them. The search starts at
 * `preferred` and wraps around. If it fails, returns the number of registers.
 */
static unsigned
free_registers(const struct sgc_select *sel, unsigned preferred, unsigned count)
{
   const unsigned size = input_registers(sel);
   for (unsigned i = 0; i < size; i++) {
      const unsigned first = (preferred + i) % size;
      if (first + count <= size && !(sel->inputs_used & (BITFIELD64_MASK(count) << first)))
         return first;
   }
   return size;
}

/* Returns true if a load reads a system value instead of a register. */
static bool
loads_sysval(const struct sgc_select *sel, const nir_intrinsic_instr *load, unsigned slot)
{
   unsigned comp;

   return sel->p->stage == MESA_SHADER_FRAGMENT && sgc_sysval_of_varying(slot, &comp) >= 0 &&
          (load->intrinsic == nir_intrinsic_load_input ||
           sgc_place_of(sel, load) != SGC_PLACE_OTHER);
}

/* Assigns registers to the slots of an input load. Ignores direct loads if `relative` is set, and
 * indirect loads otherwise. Bit n of joined[half] is set if slots n and n + 1 need consecutive
 * registers.
 */
static void
assign_input(struct sgc_select *sel, nir_intrinsic_instr *intr, bool relative,
             const uint64_t joined_halves[2])
{
   const bool vertex = sel->p->stage == MESA_SHADER_VERTEX;
   const unsigned half = nir_intrinsic_io_semantics(intr).high_dvec2;
   const uint64_t joined = joined_halves[half];
   uint8_t *regs = sel->input_reg[half];
   unsigned first;
   unsigned count = slots_of(intr, &first);

   if (relative == nir_src_is_const(*nir_get_io_offset_src(intr)))
      return;
   /* System values don't need a register, unless the shader interpolates them explicitly. */
   if (loads_sysval(sel, intr, first))
      return;
   if (first + count > ARRAY_SIZE(sel->input_reg[0])) {
      sgc_error(sel->p, "an input beyond the slots");
      return;
   }
   if (regs[first])
      return;
   for (; first && joined & BITFIELD64_BIT(first - 1); count++)
      first--;
   while (joined & BITFIELD64_BIT(first + count - 1))
      count++;
   /* Prefer the first SGPU_VP1_INPUTS registers, since the base profile only has those. */
   unsigned reg = free_registers(sel, vertex ? usual_register(first) : 0, count);
   if (reg + count > SGPU_VP1_INPUTS)
      reg = free_registers(sel, 0, count);
   if (reg >= input_registers(sel)) {
      sgc_error(sel->p, "more inputs than registers");
      return;
   }
   sel->inputs_used |= BITFIELD64_MASK(count) << reg;
   for (unsigned i = 0; i < count; i++) {
      const unsigned location = vertex ? element_of(sel, intr, first + i) : first + i;
      add_input(sel, first + i, location, reg + i);
      regs[first + i] = reg + i + 1;
   }
}

/* Assigns o[] to texture coordinates and generic varyings. The base profile doesn't have generic
 * outputs, so put generic varyings in unused texture coordinates if they all fit. Otherwise, or if
 * there are indirect stores, use the generic outputs.
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
      /* The second dual-source blending color isn't written to a render target, so don't count it.
       */
      if (!io.dual_source_blend_index)
         shader->fs_color_outputs = MAX2(shader->fs_color_outputs, index + count);
   }
}

/* Returns true if the intrinsic stores to an output in a register, i.e. not to a per-patch output.
 */
static bool
is_output_store(const struct sgc_select *sel, const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_store_per_vertex_output ||
          (intr->intrinsic == nir_intrinsic_store_output && !sgc_is_patch_access(sel, intr));
}

void
sgc_assign_interface(struct sgc_select *sel)
{
   uint64_t written = 0, joined[2] = { 0 };

   if (sel->p->stage == MESA_SHADER_FRAGMENT)
      assign_interpolation(sel);
   nir_foreach_block(block, sel->impl) {
      nir_foreach_instr(instr, block) {
         if (is_input_load(instr))
            join_slots(sel, nir_instr_as_intrinsic(instr), joined);
      }
   }
   for (unsigned pass = 0; pass < 3; pass++) {
      nir_foreach_block(block, sel->impl) {
         nir_foreach_instr(instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
               continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (is_input_load(instr) && pass < 2) {
               assign_input(sel, intr, pass == 0, joined);
            } else if (pass == 0 && (is_output_store(sel, intr) ||
                                     intr->intrinsic == nir_intrinsic_load_per_vertex_output)) {
               unsigned first;
               const unsigned count = slots_of(intr, &first);
               for (unsigned i = 0; i < count && first + i < 64; i++)
                  written |= BITFIELD64_BIT(first + i);
               if (!nir_src_is_const(*nir_get_io_offset_src(intr)))
                  sel->output_relative = true;
            } else if (pass == 2 && is_output_store(sel, intr)) {
               count_store(sel, intr);
            }
         }
      }
      if (pass == 1 && sel->p->stage != MESA_SHADER_FRAGMENT)
         assign_generics(sel, written);
   }
}
