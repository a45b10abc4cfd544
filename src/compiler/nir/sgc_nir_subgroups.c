/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers subgroup operations to the hardware's operations on 32-bit scalars.
 */

#include "ir/sgc_ir.h"

bool
sgc_nir_lower_subgroups(nir_shader *nir)
{
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
   };
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_subgroups, &options);
   return progress;
}
