/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers subgroup operations to the hardware's operations on 32-bit scalars. Reductions and
 * scans of 64-bit values remain, because the hardware has them. nir_lower_int64() splits the other
 * operations on 64-bit values, which move them from lane to lane.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Compares booleans as integers. GLSL's subgroupAllEqual() becomes a comparison of floats for
 * booleans, too.
 */
static bool
compare_booleans(nir_builder *b, nir_intrinsic_instr *vote, void *data)
{
   if (vote->intrinsic != nir_intrinsic_vote_feq || nir_src_bit_size(vote->src[0]) != 1)
      return false;
   vote->intrinsic = nir_intrinsic_vote_ieq;
   return true;
}

static bool
is_wide_comparison(const nir_instr *instr, const void *data)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   return (intr->intrinsic == nir_intrinsic_vote_ieq ||
           intr->intrinsic == nir_intrinsic_vote_feq) &&
          nir_src_bit_size(intr->src[0]) == 64;
}

bool
sgc_nir_lower_subgroups(nir_shader *nir)
{
   const nir_lower_subgroups_options wide_options = {
      .filter = is_wide_comparison,
      .lower_vote_eq = true,
   };
   const nir_lower_subgroups_options options = {
      .subgroup_size = 32,
      .ballot_bit_size = 32,
      .ballot_components = 1,
      .lower_to_scalar = true,
      .lower_subgroup_masks = true,
      .lower_relative_shuffle = true,
      .lower_shuffle_to_32bit = true,
      .lower_quad = true,
      .lower_elect = true,
      .lower_inverse_ballot = true,
   };
   bool progress = false;

   NIR_PASS(progress, nir, nir_shader_intrinsics_pass, compare_booleans, nir_metadata_all, NULL);
   NIR_PASS(progress, nir, nir_lower_subgroups, &wide_options);
   NIR_PASS(progress, nir, nir_lower_subgroups, &options);
   return progress;
}
