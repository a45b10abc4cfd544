/* SPDX-License-Identifier: MIT */
/*
 * Lowering of finalized NIR to the form that instruction selection expects:
 *
 *    - SSA, except for arrays with a variable index, which are NIR registers
 *    - vectors up to vec4 for componentwise operations, scalars for all others
 *    - inputs and outputs addressed by slot
 *    - 32-bit booleans
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Maximum size in bytes of a local array that is kept in registers. Larger arrays go to scratch
 * memory.
 */
#define MAX_ARRAY_BYTES (16 * 32)

/* Maximum number of registers for all arrays together. */
#define MAX_ARRAY_REGISTERS (SGPU_TEMP_SIZE - 64)

/* Returns the size limit for local arrays in registers, in bytes. The limit is low enough for all
 * arrays up to this size to fit in the register file.
 */
static unsigned
max_array_bytes(nir_shader *nir)
{
   for (unsigned limit = MAX_ARRAY_BYTES; limit; limit /= 2) {
      uint64_t num = 0;
      nir_foreach_function_temp_variable(var, nir_shader_get_entrypoint(nir)) {
         unsigned size, align;
         glsl_get_natural_size_align_bytes(var->type, &size, &align);
         if (size <= limit)
            num += glsl_count_vec4_slots(var->type, false, true);
      }
      if (num <= MAX_ARRAY_REGISTERS)
         return limit;
   }
   return 0;
}

/* Returns true if the instruction must be scalarized. This applies to operations that the hardware
 * computes for one component at a time, and to reductions of vector comparisons and packing of
 * integers, which the hardware doesn't have.
 */
static bool
scalar_filter(const nir_instr *instr, const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return false;

   if (sgc_nir_is_wide(instr))
      return true;
   switch (nir_instr_as_alu(instr)->op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_pack_uvec2_to_uint:
   case nir_op_pack_uvec4_to_uint:
   case nir_op_ball_fequal2:
   case nir_op_ball_fequal3:
   case nir_op_ball_fequal4:
   case nir_op_bany_fnequal2:
   case nir_op_bany_fnequal3:
   case nir_op_bany_fnequal4:
   case nir_op_ball_iequal2:
   case nir_op_ball_iequal3:
   case nir_op_ball_iequal4:
   case nir_op_bany_inequal2:
   case nir_op_bany_inequal3:
   case nir_op_bany_inequal4:
      return true;
   default:
      return false;
   }
}

/* Returns the maximum number of components for nir_opt_vectorize(). It must not join phis, because it
 * expects scalars as the sources of phis.
 */
static uint8_t
vectorize_filter(const nir_instr *instr, const void *data)
{
   if (instr->type == nir_instr_type_phi)
      return 0;
   return scalar_filter(instr, data) ? 1 : 4;
}

static void
optimize(nir_shader *nir, bool peephole)
{
   bool progress;
   do {
      progress = false;
      NIR_PASS(progress, nir, sgc_nir_lower_fdiv);
      NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
      NIR_PASS(progress, nir, nir_opt_copy_prop_vars);
      NIR_PASS(progress, nir, nir_opt_dead_write_vars);
      NIR_PASS(progress, nir, nir_lower_alu_to_scalar, scalar_filter, NULL);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_remove_phis);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_loop);
      NIR_PASS(progress, nir, nir_opt_if, nir_opt_if_optimize_phi_true_false);
      NIR_PASS(progress, nir, nir_opt_dead_cf);
      NIR_PASS(progress, nir, nir_opt_cse);
      if (peephole)
         NIR_PASS(progress, nir, nir_opt_peephole_select, 8, true, true);
      NIR_PASS(progress, nir, nir_opt_algebraic);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_undef);
      NIR_PASS(progress, nir, nir_opt_conditional_discard);
      NIR_PASS(progress, nir, nir_opt_loop_unroll);
   } while (progress);
}

/* Lowers 64-bit operations to what instruction selection supports. Must run before
 * nir_lower_bool_to_int32.
 */
static void
lower_wide(nir_shader *nir, bool opt)
{
   NIR_PASS(_, nir, sgc_nir_lower_wide_memory);
   NIR_PASS(_, nir, nir_lower_int64);
   NIR_PASS(_, nir, nir_lower_phis_to_scalar, true);
   optimize(nir, opt);
   NIR_PASS(_, nir, sgc_nir_lower_wide_alu);
   optimize(nir, opt);
   NIR_PASS(_, nir, sgc_nir_lower_wide_alu);
}

static void
lower_flrp(nir_shader *nir)
{
   bool progress = false;
   NIR_PASS(progress, nir, nir_lower_flrp, 16 | 32 | 64, false);
   if (progress)
      NIR_PASS(_, nir, nir_opt_constant_folding);
}

/* Makes gl_Position invariant. Applications that render in several passes rely on equal positions,
 * even if their shaders differ in other outputs. nir_propagate_invariant() starts from variables, so
 * this stores the invariant outputs to a variable that is removed afterwards.
 */
static void
keep_position(nir_shader *nir)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   nir_variable *kept = nir_local_variable_create(impl, glsl_vec4_type(), "invariant");
   nir_builder b = nir_builder_create(impl);

   kept->data.invariant = true;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         nir_intrinsic_instr *store = nir_instr_as_intrinsic(instr);
         if (store->intrinsic != nir_intrinsic_store_output)
            continue;
         const nir_io_semantics io = nir_intrinsic_io_semantics(store);
         if (io.location != VARYING_SLOT_POS && !io.invariant)
            continue;
         b.cursor = nir_after_instr(instr);
         nir_store_var(&b, kept, nir_pad_vec4(&b, store->src[0].ssa),
                       nir_component_mask(store->num_components));
      }
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   NIR_PASS(_, nir, nir_propagate_invariant, false);
   NIR_PASS(_, nir, nir_remove_dead_variables, nir_var_function_temp, NULL);
}

/* Returns true if the shader has an ALU instruction for which `test` returns true. */
static bool
any_alu(nir_shader *nir, bool (*test)(const nir_alu_instr *))
{
   nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type == nir_instr_type_alu && test(nir_instr_as_alu(instr)))
            return true;
      }
   }
   return false;
}

static bool
is_float_comparison(const nir_alu_instr *alu)
{
   return nir_alu_instr_is_comparison(alu) && nir_op_infos[alu->op].num_inputs == 2 &&
          nir_alu_type_get_base_type(nir_op_infos[alu->op].input_types[0]) == nir_type_float;
}

/* An exact comparison can contain an isnan(), because NIR merges isnan() with other comparisons of the
 * same value.  ldexp() becomes multiplications that keep the sign of a zero.
 */
static bool
is_exact_comparison_or_ldexp(const nir_alu_instr *alu)
{
   return (alu->exact && is_float_comparison(alu)) || alu->op == nir_op_ldexp;
}

static bool
is_comparison_with_itself(const nir_alu_instr *alu)
{
   return is_float_comparison(alu) && nir_alu_srcs_equal(alu, alu, 0, 1);
}

/* Returns true for divisions of integers by vectors of constants that contain 0. */
static bool
is_division_by_zero(const nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_idiv:
   case nir_op_udiv:
   case nir_op_imod:
   case nir_op_umod:
   case nir_op_irem:
      break;
   default:
      return false;
   }
   if (!nir_src_is_const(alu->src[1].src))
      return false;
   for (unsigned c = 0; c < alu->def.num_components; c++) {
      if (!nir_src_comp_as_uint(alu->src[1].src, alu->src[1].swizzle[c]))
         return true;
   }
   return false;
}

/* Moves loads of gl_HelperInvocation to the start of the program, because its value must not change
 * after a demote. helperInvocationEXT() returns the current state instead.
 */
static void
hoist_helper_invocation(nir_shader *nir)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);

   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == nir_instr_type_intrinsic &&
             nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_load_helper_invocation)
            nir_instr_move(nir_before_impl(impl), instr);
      }
   }
}

/* Makes rectangle textures use LOD 0 in stages that can't compute an implicit LOD. nir_lower_tex
 * doesn't handle rectangle textures.
 */
static bool
lower_rectangle(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   if (tex->op != nir_texop_tex || tex->sampler_dim != GLSL_SAMPLER_DIM_RECT)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_tex_instr_add_src(tex, nir_tex_src_lod, nir_imm_float(b, 0.0f));
   tex->op = nir_texop_txl;
   return true;
}

bool
sgc_lower_nir(nir_shader *nir, unsigned debug)
{
   const bool opt = !(debug & SGPU_COMPILER_NOOPT);
   /* All other tests for NaN compare a value with itself. Look for those after lowering. */
   bool asks_for_nan = any_alu(nir, is_exact_comparison_or_ldexp);

   /* lower_fsqrt would also lower fsqrt of doubles. If the shader has doubles, use
    * sgc_nir_lower_fsqrt instead.
    */
   const bool vertex = nir->info.stage == MESA_SHADER_VERTEX;
   const bool late_roots = vertex && sgc_nir_has_wide(nir);
   nir->options = vertex && !late_roots ? &sgc_nir_vertex_options : &sgc_nir_options;
   NIR_PASS(_, nir, nir_split_var_copies);
   NIR_PASS(_, nir, nir_lower_var_copies);
   NIR_PASS(_, nir, nir_lower_global_vars_to_local);
   NIR_PASS(_, nir, nir_lower_system_values);
   NIR_PASS(_, nir, nir_lower_compute_system_values,
            &(nir_lower_compute_system_values_options){ 0 });
   NIR_PASS(_, nir, sgc_nir_lower_functions);
   NIR_PASS(_, nir, sgc_nir_lower_quads);
   hoist_helper_invocation(nir);
   NIR_PASS(_, nir, sgc_nir_lower_subgroups);
   if (nir->info.stage == MESA_SHADER_VERTEX || nir->info.stage == MESA_SHADER_TESS_EVAL ||
       nir->info.stage == MESA_SHADER_GEOMETRY)
      keep_position(nir);

   /* Lower uniforms to constant bank 0, so that all constants are addressed by bank and offset. */
   NIR_PASS(_, nir, sgc_nir_bound_uniforms);
   if (!nir->info.first_ubo_is_default_ubo)
      NIR_PASS(_, nir, nir_lower_uniforms_to_ubo, false, false);
   NIR_PASS(_, nir, sgc_nir_speculate_ubo);
   const bool wide = sgc_nir_has_wide(nir);
   if (nir->info.stage == MESA_SHADER_TESS_EVAL)
      NIR_PASS(_, nir, sgc_nir_lower_tess_eval);

   const nir_lower_tex_options tex_options = {
      .lower_txp = ~0u,
      .lower_txp_array = true,
      .lower_txd_cube_map = true,
      .lower_txd_3d = true,
      .lower_tg4_offsets = true,
      .lower_invalid_implicit_lod = true,
   };
   NIR_PASS(_, nir, nir_lower_tex, &tex_options);
   if (!nir_shader_supports_implicit_lod(nir))
      NIR_PASS(_, nir, nir_shader_instructions_pass, lower_rectangle, nir_metadata_control_flow,
               NULL);
   NIR_PASS(_, nir, nir_lower_frexp);
   NIR_PASS(_, nir, nir_lower_vars_to_ssa);
   lower_flrp(nir);

   optimize(nir, opt);
   if (wide)
      NIR_PASS(_, nir, sgc_nir_lower_wide_memory);
   NIR_PASS(_, nir, sgc_nir_lower_handles);
   NIR_PASS(_, nir, sgc_nir_lower_ubo);
   NIR_PASS(_, nir, nir_lower_image, &(nir_lower_image_options){ .lower_cube_size = true });
   NIR_PASS(_, nir, sgc_nir_lower_local_index);
   NIR_PASS(_, nir, sgc_nir_lower_float_swaps);
   if (opt)
      NIR_PASS(_, nir, sgc_nir_join_memory);
   /* The high half of a 64-bit product takes more instructions than a division. The pass makes 0 of
    * a division by 0, unlike the device.
    */
   if (opt && !wide && !any_alu(nir, is_division_by_zero))
      NIR_PASS(_, nir, nir_opt_idiv_const, 32);
   optimize(nir, opt);

   /* The remaining local variables are arrays with a variable index. Keep small arrays in
    * registers, unless the shader has 64-bit values. Arrays in registers don't support 64-bit
    * elements.
    */
   NIR_PASS(_, nir, nir_remove_dead_variables, nir_var_function_temp, NULL);
   NIR_PASS(_, nir, nir_lower_vars_to_scratch, nir_var_function_temp,
            wide ? 0 : max_array_bytes(nir), glsl_get_natural_size_align_bytes,
            glsl_get_natural_size_align_bytes);
   if (wide)
      lower_wide(nir, opt);

   NIR_PASS(_, nir, nir_lower_bool_to_int32);
   bool progress;
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_opt_algebraic_late);
      NIR_PASS(_, nir, nir_opt_constant_folding);
      NIR_PASS(_, nir, nir_lower_alu_to_scalar, scalar_filter, NULL);
      NIR_PASS(_, nir, nir_copy_prop);
      NIR_PASS(_, nir, nir_opt_dce);
      NIR_PASS(_, nir, nir_opt_cse);
   } while (progress);

   if (late_roots)
      NIR_PASS(_, nir, sgc_nir_lower_fsqrt);
   if (opt) {
      do {
         progress = false;
         NIR_PASS(progress, nir, nir_opt_vectorize, vectorize_filter, NULL);
         NIR_PASS(_, nir, nir_copy_prop);
         NIR_PASS(_, nir, nir_opt_dce);
      } while (progress);
      NIR_PASS(_, nir, nir_opt_shrink_vectors, false);
   }

   NIR_PASS(_, nir, nir_lower_locals_to_regs, 32);
   NIR_PASS(_, nir, nir_opt_dce);
   NIR_PASS(_, nir, nir_remove_dead_variables, nir_var_function_temp, NULL);

   asks_for_nan |= any_alu(nir, is_comparison_with_itself);

   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   nir_index_blocks(impl);
   nir_index_ssa_defs(impl);
   nir_metadata_require(impl, nir_metadata_control_flow | nir_metadata_instr_index);
   if (debug & SGPU_COMPILER_NIR)
      nir_print_shader(nir, stderr);
   return asks_for_nan;
}
