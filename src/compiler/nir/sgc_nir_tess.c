/* SPDX-License-Identifier: MIT */
/*
 * NIR pass for tessellation evaluation shaders: lowers loads of per-patch inputs and of
 * tessellation levels to load_output, which reads the outputs of the control shader from memory.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

static nir_def *
load_patch(nir_builder *b, nir_intrinsic_instr *intr, nir_def *offset, unsigned component,
           nir_io_semantics io)
{
   return nir_load_output(b, intr->def.num_components, intr->def.bit_size, offset,
                          .component = component, .dest_type = nir_type_uint | intr->def.bit_size,
                          .io_semantics = io);
}

static bool
lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   nir_def *value;

   b->cursor = nir_before_instr(&intr->instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      value = load_patch(b, intr, intr->src[0].ssa, nir_intrinsic_component(intr),
                         nir_intrinsic_io_semantics(intr));
      break;
   case nir_intrinsic_load_tess_level_outer:
   case nir_intrinsic_load_tess_level_inner: {
      const nir_io_semantics io = {
         .location = intr->intrinsic == nir_intrinsic_load_tess_level_outer
                        ? VARYING_SLOT_TESS_LEVEL_OUTER
                        : VARYING_SLOT_TESS_LEVEL_INNER,
         .num_slots = 1,
      };
      value = load_patch(b, intr, nir_imm_int(b, 0), 0, io);
      break;
   }
   default:
      return false;
   }
   nir_def_replace(&intr->def, value);
   return true;
}

bool
sgc_nir_lower_tess_eval(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower_instr, nir_metadata_control_flow, NULL);
}
