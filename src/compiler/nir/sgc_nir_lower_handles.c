/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers 64-bit texture and image handles (ARB_bindless_texture) to 32 bits. The low word
 * of a handle is the index of a texture unit or image. Mesa uses the same handle for a texture and
 * its sampler.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

static nir_def *
low_word(nir_builder *b, nir_def *handle)
{
   nir_instr *parent = handle->parent_instr;

   if (handle->bit_size == 32)
      return handle;
   if (parent->type == nir_instr_type_alu) {
      const nir_alu_instr *alu = nir_instr_as_alu(parent);
      if (alu->op == nir_op_pack_64_2x32_split || alu->op == nir_op_pack_64_2x32)
         return nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]);
   }
   return nir_unpack_64_2x32_split_x(b, handle);
}

/* Returns the operation on an image unit that corresponds to a bindless image operation, and has the
 * same sources. Returns nir_num_intrinsics for all other operations.
 */
static nir_intrinsic_op
image_operation(nir_intrinsic_op op)
{
   switch (op) {
#define IMAGE(name)                          \
   case nir_intrinsic_bindless_image_##name: \
      return nir_intrinsic_image_##name
      IMAGE(load);
      IMAGE(store);
      IMAGE(atomic);
      IMAGE(atomic_swap);
      IMAGE(size);
      IMAGE(samples);
#undef IMAGE
   default:
      return nir_num_intrinsics;
   }
}

static bool
lower_image(nir_builder *b, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_op op = image_operation(intr->intrinsic);

   if (op == nir_num_intrinsics)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_src_rewrite(&intr->src[0], low_word(b, intr->src[0].ssa));

   /* The order of the constant indices is different. */
   nir_intrinsic_instr old = *intr;
   memset(intr->const_index, 0, sizeof(intr->const_index));
   intr->intrinsic = op;
   nir_intrinsic_copy_const_indices(intr, &old);
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
   nir_src_rewrite(&tex->src[texture].src, low_word(b, tex->src[texture].src.ssa));
   const int sampler = nir_tex_instr_src_index(tex, nir_tex_src_sampler_handle);
   if (sampler >= 0)
      nir_tex_instr_remove_src(tex, sampler);
   return true;
}

bool
sgc_nir_lower_handles(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower, nir_metadata_control_flow, NULL);
}
