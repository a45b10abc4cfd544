/* SPDX-License-Identifier: MIT */
/*
 * NIR pass for tessellation evaluation shaders: lowers loads of per-patch inputs and of
 * tessellation levels to load_output, which reads the outputs of the control shader from memory.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

static nir_ssa_def *
load_patch(nir_builder *b, nir_intrinsic_instr *intr, nir_ssa_def *offset, unsigned component,
           nir_io_semantics io)
{
   nir_intrinsic_instr *load = nir_intrinsic_instr_create(b->shader, nir_intrinsic_load_output);

   load->num_components = intr->dest.ssa.num_components;
   load->src[0] = nir_src_for_ssa(offset);
   nir_intrinsic_set_base(load, 0);
   nir_intrinsic_set_component(load, component);
   nir_intrinsic_set_dest_type(load, nir_type_uint | intr->dest.ssa.bit_size);
   nir_intrinsic_set_io_semantics(load, io);
   nir_ssa_dest_init(&load->instr, &load->dest, load->num_components, intr->dest.ssa.bit_size,
                     NULL);
   nir_builder_instr_insert(b, &load->instr);
   return &load->dest.ssa;
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;

   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   nir_ssa_def *value;

   b->cursor = nir_before_instr(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      value = load_patch(b, intr, nir_ssa_for_src(b, intr->src[0], 1),
                         nir_intrinsic_component(intr), nir_intrinsic_io_semantics(intr));
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
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, value);
   nir_instr_remove(instr);
   return true;
}

bool
sgc_nir_lower_tess_eval(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower_instr,
                                       nir_metadata_block_index | nir_metadata_dominance, NULL);
}
