/* SPDX-License-Identifier: MIT */
/*
 * NIR passes for compute shaders: the numbers of invocations. Invocation i of a workgroup, counted
 * by the hardware, is lane i % 32 of warp i / 32.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

static nir_def *
hardware_index(nir_builder *b)
{
   nir_def *first = nir_ishl_imm(b, nir_load_subgroup_id(b), 5);
   return nir_ior(b, first, nir_load_subgroup_invocation(b));
}

static bool
lower_local_index(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_local_invocation_index)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def_replace(&intr->def, hardware_index(b));
   return true;
}

bool
sgc_nir_lower_local_index(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower_local_index, nir_metadata_control_flow, NULL);
}

/*
 * With the layout derivative_group_quadsNV, four consecutive lanes are 2x2 invocations, in the order
 * of the pixels of a quad. The quads of a workgroup are numbered along x, then y, then z.
 */

static bool
lower_quads(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const bool index = intr->intrinsic == nir_intrinsic_load_local_invocation_index;
   if (!index && intr->intrinsic != nir_intrinsic_load_local_invocation_id)
      return false;

   const struct shader_info *info = &b->shader->info;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *size = info->workgroup_size_variable
                      ? nir_load_workgroup_size(b)
                      : nir_imm_ivec2(b, info->workgroup_size[0], info->workgroup_size[1]);
   nir_def *width = nir_channel(b, size, 0), *height = nir_channel(b, size, 1);
   nir_def *area = nir_imul(b, width, height), *quads = nir_ushr_imm(b, width, 1);

   nir_def *lane = hardware_index(b);
   nir_def *z = nir_udiv(b, lane, area), *within = nir_umod(b, lane, area);
   nir_def *quad = nir_ushr_imm(b, within, 2);
   nir_def *x = nir_ior(b, nir_ishl_imm(b, nir_umod(b, quad, quads), 1),
                        nir_iand_imm(b, within, 1));
   nir_def *y = nir_ior(b, nir_ishl_imm(b, nir_udiv(b, quad, quads), 1),
                        nir_iand_imm(b, nir_ushr_imm(b, within, 1), 1));
   nir_def_replace(&intr->def,
                   index
                      ? nir_iadd(b, nir_imul(b, nir_iadd(b, nir_imul(b, z, height), y), width), x)
                      : nir_vec3(b, x, y, z));
   return true;
}

bool
sgc_nir_lower_quads(nir_shader *nir)
{
   if (nir->info.stage != MESA_SHADER_COMPUTE ||
       nir->info.derivative_group != DERIVATIVE_GROUP_QUADS)
      return false;
   return nir_shader_intrinsics_pass(nir, lower_quads, nir_metadata_control_flow, NULL);
}
