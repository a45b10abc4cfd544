/* SPDX-License-Identifier: MIT */
/*
 * NIR compiler options, and the lowering for finalize_nir. Mesa's frontend uses sgpu_nir_options.
 * sgpu_compile() clones the finalized shader and sets sgc_nir_options or sgc_nir_vertex_options in
 * the clone, since those enable more lowering.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

#define GRAPHICS_STAGES BITFIELD_MASK(MESA_SHADER_COMPUTE)

/* nir_io_dont_optimize: nir_opt_varyings() moves operations from one stage to the next, so a picture
 * would depend on which shaders are linked, and feedback finds varyings by their slot.
 */
#define SGC_COMMON_OPTIONS                                                                         \
   /* MAD rounds both the product and the sum, so it is fmul + fadd, not ffma. */                  \
   /* Don't lower ffma of doubles, which the hardware has. */                                      \
   /* Don't set lower_fdiv, which would also lower doubles. Use sgc_nir_lower_fdiv instead. */     \
   .lower_ffma16 = true, .lower_ffma32 = true, .lower_flrp16 = true, .lower_flrp32 = true,         \
   .lower_flrp64 = true, .lower_fmod = true, .lower_fpow = true, .lower_fisnormal = true,          \
   .lower_uadd_carry = true, .lower_usub_borrow = true, .lower_vector_cmp = true,                  \
   .lower_hadd = true, .lower_uadd_sat = true, .lower_usub_sat = true, .lower_iadd_sat = true,     \
   .lower_mul_32x16 = true, .lower_mul_2x32_64 = true, .lower_pack_unorm_2x16 = true,              \
   .lower_pack_snorm_2x16 = true, .lower_pack_unorm_4x8 = true, .lower_pack_snorm_4x8 = true,      \
   .lower_unpack_unorm_2x16 = true, .lower_unpack_snorm_2x16 = true,                               \
   .lower_unpack_unorm_4x8 = true, .lower_unpack_snorm_4x8 = true, .lower_pack_64_2x32 = true,     \
   .lower_pack_64_4x16 = true, .lower_pack_32_2x16 = true, .lower_extract_byte = true,             \
   .lower_extract_word = true, .lower_insert_byte = true, .lower_insert_word = true,               \
   .fdot_replicates = true, .max_unroll_iterations = 32, .force_indirect_unrolling_sampler = true, \
   .has_ddx_intrinsics = true, .support_indirect_inputs = GRAPHICS_STAGES,                         \
   .support_indirect_outputs = GRAPHICS_STAGES,                                                    \
   .io_options = nir_io_has_intrinsics | nir_io_dont_optimize

/* Don't set lower_uniforms_to_ubo. The state tracker would then merge state parameters, and the
 * parameters of shader variants would have wrong offsets unless uniforms are packed.
 */
const nir_shader_compiler_options sgpu_nir_options = {
   SGC_COMMON_OPTIONS,
};

#define SGC_OWN_OPTIONS                                                                            \
   SGC_COMMON_OPTIONS,                                                                             \
      .lower_ldexp = true, .lower_bitfield_extract = true, .lower_bitfield_insert = true,          \
      .has_isub = true, .has_bfe = true, .has_bfm = true, .has_bfi = true,                         \
      .lower_int64_options = nir_lower_imul_high64 | nir_lower_imul_2x32_64 |                      \
                             nir_lower_extract64 | nir_lower_ufind_msb64 | nir_lower_find_lsb64 |  \
                             nir_lower_bit_count64 | nir_lower_uadd_sat64 | nir_lower_usub_sat64 | \
                             nir_lower_iadd_sat64 | nir_lower_subgroup_shuffle64

const nir_shader_compiler_options sgc_nir_options = {
   SGC_OWN_OPTIONS,
};

/* The base profile has RSQ and RCP, but no SQRT, so lower fsqrt for vertex shaders. */
const nir_shader_compiler_options sgc_nir_vertex_options = {
   SGC_OWN_OPTIONS,
   .lower_fsqrt = true,
};

static void
optimize(nir_shader *nir)
{
   bool progress;
   do {
      progress = false;
      NIR_PASS(progress, nir, sgc_nir_lower_fdiv);
      NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_remove_phis);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_dead_cf);
      NIR_PASS(progress, nir, nir_opt_cse);
      NIR_PASS(progress, nir, nir_opt_algebraic);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_undef);
   } while (progress);
}

/* Moves the constant offset of a uniform load to its base. With a constant offset,
 * nir_lower_uniforms_to_ubo would compute an alignment in the wrong unit, and nir_lower_ubo_vec4,
 * which the draw module uses, would load the wrong component.
 */
static bool
fold_offset(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   if (load->intrinsic != nir_intrinsic_load_uniform || !nir_src_is_const(load->src[0]))
      return false;
   const unsigned offset = nir_src_as_uint(load->src[0]);
   if (!offset || offset >= nir_intrinsic_range(load))
      return false;
   nir_intrinsic_set_base(load, nir_intrinsic_base(load) + offset);
   nir_intrinsic_set_range(load, nir_intrinsic_range(load) - offset);
   b->cursor = nir_before_instr(&load->instr);
   nir_src_rewrite(&load->src[0], nir_imm_int(b, 0));
   return true;
}

/* Joins the stores of a block to one output, and removes components that a later store replaces.  The
 * fixed-function vertex programs store a whole color and then some of its components.
 */
static void
join_outputs(nir_shader *nir)
{
   nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         nir_intrinsic_instr *store = nir_instr_as_intrinsic(instr);
         if (store->intrinsic != nir_intrinsic_store_output)
            continue;
         /* nir_opt_vectorize_io() knows no 64-bit values, and makes one store with holes in its
          * mask into several.
          */
         const unsigned mask = nir_intrinsic_write_mask(store);
         if (nir_src_bit_size(store->src[0]) == 64 || (mask & (mask + (mask & -mask))))
            return;
      }
   }
   NIR_PASS(_, nir, nir_lower_io_to_scalar, nir_var_shader_out, NULL, NULL);
   NIR_PASS(_, nir, nir_opt_vectorize_io, nir_var_shader_out);
}

void
sgpu_finalize_nir(nir_shader *nir)
{
   /* The GLSL linker lowers inputs and outputs. Other shaders may still have variables. */
   if (!nir->info.io_lowered)
      nir_lower_io_passes(nir, false);
   NIR_PASS(_, nir, nir_lower_system_values);
   NIR_PASS(_, nir, nir_lower_frexp);
   optimize(nir);
   if (nir->info.stage == MESA_SHADER_VERTEX || nir->info.stage == MESA_SHADER_TESS_EVAL) {
      join_outputs(nir);
      optimize(nir);
   }
   NIR_PASS(_, nir, nir_shader_intrinsics_pass, fold_offset, nir_metadata_control_flow, NULL);
   NIR_PASS(_, nir, nir_remove_dead_variables, nir_var_function_temp, NULL);
   nir_sweep(nir);
}
