/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers built-in functions that neither the hardware nor NIR's own passes have.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Lowers countLeadingZeros() of INTEL_shader_integer_functions2.  ufind_msb(0) is -1. */
static bool
lower_leading_zeros(nir_builder *b, nir_alu_instr *alu)
{
   if (alu->op != nir_op_uclz)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   nir_def *top = nir_ufind_msb(b, nir_ssa_for_alu_src(b, alu, 0));
   nir_def_replace(&alu->def, nir_isub_imm(b, 31, top));
   return true;
}

/* Creates an operation on the texture of `like`, with the sources that choose the texture. */
static nir_tex_instr *
same_texture(nir_builder *b, const nir_tex_instr *like, nir_texop op, unsigned more)
{
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, like->num_srcs + more);
   unsigned n = 0;

   tex->op = op;
   tex->sampler_dim = like->sampler_dim;
   tex->is_array = like->is_array;
   tex->dest_type = nir_type_uint32;
   tex->texture_index = like->texture_index;
   tex->texture_non_uniform = like->texture_non_uniform;
   for (unsigned s = 0; s < like->num_srcs; s++) {
      const nir_tex_src_type type = like->src[s].src_type;
      if (type == nir_tex_src_texture_deref || type == nir_tex_src_texture_offset ||
          type == nir_tex_src_texture_handle)
         tex->src[n++] = nir_tex_src_for_ssa(type, like->src[s].src.ssa);
   }
   tex->num_srcs = n + more;
   return tex;
}

static nir_def *
insert_texture(nir_builder *b, nir_tex_instr *tex)
{
   nir_def_init(&tex->instr, &tex->def, nir_tex_instr_dest_size(tex), 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

static nir_def *
fetch_sample(nir_builder *b, const nir_tex_instr *like, nir_def *coord, nir_def *sample)
{
   nir_tex_instr *tex = same_texture(b, like, nir_texop_txf_ms, 2);

   tex->coord_components = like->coord_components;
   tex->src[tex->num_srcs - 2] = nir_tex_src_for_ssa(nir_tex_src_coord, coord);
   tex->src[tex->num_srcs - 1] = nir_tex_src_for_ssa(nir_tex_src_ms_index, sample);
   return insert_texture(b, tex);
}

/* Lowers textureSamplesIdenticalEXT() of EXT_shader_samples_identical to a loop that compares the
 * bits of sample 0 with those of the others, and ends with the first one that differs.
 */
static bool
lower_samples_identical(nir_builder *b, nir_tex_instr *tex)
{
   if (tex->op != nir_texop_samples_identical)
      return false;
   b->cursor = nir_before_instr(&tex->instr);
   nir_def *coord = tex->src[nir_tex_instr_src_index(tex, nir_tex_src_coord)].src.ssa;
   nir_variable *same = nir_local_variable_create(b->impl, glsl_bool_type(), "same");
   nir_variable *sample = nir_local_variable_create(b->impl, glsl_uint_type(), "sample");
   nir_def *count = insert_texture(b, same_texture(b, tex, nir_texop_texture_samples, 0));
   nir_def *first = fetch_sample(b, tex, coord, nir_imm_int(b, 0));

   nir_store_var(b, same, nir_imm_true(b), 1);
   nir_store_var(b, sample, nir_imm_int(b, 1), 1);
   nir_push_loop(b);
   {
      nir_def *i = nir_load_var(b, sample);
      nir_break_if(b, nir_inot(b, nir_iand(b, nir_load_var(b, same), nir_ult(b, i, count))));
      nir_store_var(b, same, nir_ball_iequal(b, first, fetch_sample(b, tex, coord, i)), 1);
      nir_store_var(b, sample, nir_iadd_imm(b, i, 1), 1);
   }
   nir_pop_loop(b, NULL);
   nir_def *result = nir_load_var(b, same);
   nir_def_replace(&tex->def, tex->def.bit_size == 1 ? result : nir_b2b32(b, result));
   return true;
}

static bool
lower_function(nir_builder *b, nir_instr *instr, void *data)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      return lower_leading_zeros(b, nir_instr_as_alu(instr));
   case nir_instr_type_tex:
      return lower_samples_identical(b, nir_instr_as_tex(instr));
   default:
      return false;
   }
}

bool
sgc_nir_lower_functions(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower_function, nir_metadata_none, NULL);
}
