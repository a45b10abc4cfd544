/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers 64-bit texture and image handles (ARB_bindless_texture) to 32 bits. The low word
 * of a handle is the index of a texture unit or image. Mesa uses the same handle for a texture and
 * its sampler.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Inserts a copy of a 64-bit load which only loads the low word. */
static nir_ssa_def *
load_low(nir_builder *b, nir_intrinsic_instr *load)
{
   nir_intrinsic_instr *low = nir_instr_as_intrinsic(nir_instr_clone(b->shader, &load->instr));

   nir_ssa_dest_init(&low->instr, &low->dest, 1, 32, NULL);
   if (nir_intrinsic_has_align_mul(low))
      nir_intrinsic_set_align(low, 4, nir_intrinsic_align_offset(low) % 4);
   if (nir_intrinsic_has_dest_type(low))
      nir_intrinsic_set_dest_type(low, nir_type_uint32);
   low->num_components = 1;
   nir_builder_instr_insert(b, &low->instr);
   return &low->dest.ssa;
}

static nir_ssa_def *
low_word(nir_builder *b, nir_ssa_def *handle)
{
   nir_instr *parent = handle->parent_instr;

   if (handle->bit_size == 32)
      return handle;
   if (parent->type == nir_instr_type_intrinsic && handle->num_components == 1) {
      nir_intrinsic_instr *load = nir_instr_as_intrinsic(parent);
      if (load->intrinsic == nir_intrinsic_load_ubo ||
          load->intrinsic == nir_intrinsic_load_input) {
         b->cursor = nir_before_instr(parent);
         return load_low(b, load);
      }
   }
   if (parent->type == nir_instr_type_alu) {
      const nir_alu_instr *alu = nir_instr_as_alu(parent);
      if (alu->op == nir_op_pack_64_2x32_split)
         return nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]);
      if (alu->op == nir_op_pack_64_2x32)
         return nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]);
   }
   return nir_unpack_64_2x32_split_x(b, handle);
}

/* If *op is a bindless image operation, replaces it with the corresponding operation on an image
 * unit, which has the same sources and constant indices. Otherwise, returns false.
 */
static bool
image_operation(nir_intrinsic_op *op)
{
   switch (*op) {
#define IMAGE(name)                          \
   case nir_intrinsic_bindless_image_##name: \
      *op = nir_intrinsic_image_##name;      \
      return true
      IMAGE(load);
      IMAGE(store);
      IMAGE(atomic_add);
      IMAGE(atomic_imin);
      IMAGE(atomic_umin);
      IMAGE(atomic_imax);
      IMAGE(atomic_umax);
      IMAGE(atomic_and);
      IMAGE(atomic_or);
      IMAGE(atomic_xor);
      IMAGE(atomic_exchange);
      IMAGE(atomic_comp_swap);
      IMAGE(atomic_fadd);
      IMAGE(atomic_fmin);
      IMAGE(atomic_fmax);
      IMAGE(atomic_inc_wrap);
      IMAGE(atomic_dec_wrap);
      IMAGE(size);
      IMAGE(samples);
#undef IMAGE
   default:
      return false;
   }
}

static bool
lower_image(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_intrinsic_op op = intr->intrinsic;

   if (!image_operation(&op))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_ssa_def *low = low_word(b, intr->src[0].ssa);
   nir_instr_rewrite_src(&intr->instr, &intr->src[0], nir_src_for_ssa(low));
   intr->intrinsic = op;
   return true;
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type == nir_instr_type_intrinsic)
      return lower_image(b, nir_instr_as_intrinsic(instr));
   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   const int texture = nir_tex_instr_src_index(tex, nir_tex_src_texture_handle);
   if (texture < 0)
      return false;

   b->cursor = nir_before_instr(instr);
   nir_ssa_def *low = low_word(b, tex->src[texture].src.ssa);
   nir_instr_rewrite_src(instr, &tex->src[texture].src, nir_src_for_ssa(low));
   const int sampler = nir_tex_instr_src_index(tex, nir_tex_src_sampler_handle);
   if (sampler >= 0)
      nir_tex_instr_remove_src(tex, sampler);
   return true;
}

bool
sgc_nir_lower_handles(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower,
                                       nir_metadata_block_index | nir_metadata_dominance, NULL);
}
