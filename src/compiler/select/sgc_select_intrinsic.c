/* SPDX-License-Identifier: MIT */
/*
 * Intrinsics: the table of all intrinsics that need an instruction, as well as constant banks,
 * scratch memory, discard and geometry shader operations.
 */

#include "select/sgc_select.h"

/*
 * Constant banks and scratch memory
 */

static bool
has_32_bits(struct sgc_select *sel, const nir_intrinsic_instr *load)
{
   if (load->def.bit_size != 32)
      sgc_error(sel->p, "loads of values without 32 bits");
   return load->def.bit_size == 32;
}

static void
plan_load_ubo(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (!has_32_bits(sel, intr))
      return;
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[1], 1, false);
   plan->index = sgc_plan_index(sel, intr->src[0]);
}

static void
emit_load_ubo(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   uint32_t offset;
   struct sgc_src address = sgc_planned_address(sel, plan, 0, &offset);
   struct sgc_dst dst = sgc_value_dst(sel, &intr->def);
   struct sgc_index bank = *plan->index;
   unsigned urelcomp = 0, unit = sgc_fit_index(&bank, 0, 0, sgpu_mem_info(SGPU_OP_LDC)->units - 1);

   if (sgc_is_relative(&bank))
      urelcomp = sgc_load_address(sel, &bank);
   struct sgc_instr *instr = sgc_ldc_to(&sel->b, dst, address);
   instr->unit = unit;
   instr->urel = sgc_is_relative(&bank);
   instr->urelcomp = urelcomp;
   instr->offset = offset;
}

static void
plan_load_scratch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (!has_32_bits(sel, intr))
      return;
   sgc_plan_begin(sel, plan, 1);
   sgc_plan_src(sel, plan, intr->src[0], 1, false);
}

static void
emit_load_scratch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   uint32_t offset;
   struct sgc_src address = sgc_planned_address(sel, plan, 0, &offset);
   sgc_ldl_to(&sel->b, sgc_value_dst(sel, &intr->def), address)->offset = offset;
}

static void
plan_store_scratch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 2);
   sgc_plan_src(sel, plan, intr->src[0], intr->num_components, false);
   sgc_plan_src(sel, plan, intr->src[1], 1, false);
}

static void
emit_store_scratch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   uint32_t offset;
   struct sgc_src value = sgc_planned_src(sel, plan, 0);
   struct sgc_src address = sgc_planned_address(sel, plan, 1, &offset);
   struct sgc_dst mask = sgc_dst_none();
   mask.mask = nir_intrinsic_write_mask(intr);
   sgc_stl_to(&sel->b, mask, address, value)->offset = offset;
}

/*
 * Intrinsics without operands
 */

static void
plan_plain(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 0);
}

static void
emit_helper(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_mov_to(&sel->b, sgc_value_dst(sel, &intr->def),
              sgc_comp(sgc_src_make(SGPU_FILE_SYS, SGPU_SYS_HELPER), 0));
}

static void
emit_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_emitv(&sel->b)->unit = nir_intrinsic_stream_id(intr);
}

static void
emit_end_primitive(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_cut(&sel->b)->unit = nir_intrinsic_stream_id(intr);
}

/*
 * Discard, which is terminate in NIR. Outside of loops, a discarded pixel continues as a helper lane so that later derivatives
 * are defined. Inside a loop the lane is terminated, since a helper lane might never leave the
 * loop.
 */

static struct sgc_instr *
discard(struct sgc_select *sel)
{
   return sel->in_loop ? sgc_kil(&sel->b) : sgc_dmt(&sel->b);
}

static void
emit_terminate(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   discard(sel);
}

static void
emit_demote(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_dmt(&sel->b);
}

static void
plan_conditional(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_condition(sel, plan, intr->src[0]);
}

static void
emit_terminate_if(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct sgpu_guard guard = sgc_select_condition(sel, plan);
   discard(sel)->guard = guard;
}

static void
emit_demote_if(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct sgpu_guard guard = sgc_select_condition(sel, plan);
   sgc_dmt(&sel->b)->guard = guard;
}

/*
 * The table
 */

/* Plans load_output, which is a framebuffer fetch in fragment shaders and a per-patch output load
 * otherwise.
 */
static void
plan_load_output(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (sel->p->stage == MESA_SHADER_FRAGMENT)
      sgc_plan_load_target(sel, intr, plan);
   else
      sgc_plan_load_patch(sel, intr, plan);
}

static void
emit_load_output(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (sel->p->stage == MESA_SHADER_FRAGMENT)
      sgc_emit_load_target(sel, intr, plan);
   else
      sgc_emit_load_patch(sel, intr, plan);
}

static const struct intrinsic {
   nir_intrinsic_op op;
   void (*plan)(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
   void (*emit)(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
} intrinsics[] = {
   { nir_intrinsic_store_output, sgc_plan_store_output, sgc_emit_store_output },
   { nir_intrinsic_load_per_vertex_input, sgc_plan_load_vertex, sgc_emit_load_vertex },
   { nir_intrinsic_store_per_vertex_output, sgc_plan_store_output, sgc_emit_store_output },
   { nir_intrinsic_load_per_vertex_output, sgc_plan_load_vertex_output,
     sgc_emit_load_vertex_output },
   { nir_intrinsic_load_output, plan_load_output, emit_load_output },
   { nir_intrinsic_load_interpolated_input, sgc_plan_interpolate, sgc_emit_interpolate },
   { nir_intrinsic_load_ubo, plan_load_ubo, emit_load_ubo },
   { nir_intrinsic_load_scratch, plan_load_scratch, emit_load_scratch },
   { nir_intrinsic_store_scratch, plan_store_scratch, emit_store_scratch },
   { nir_intrinsic_load_reg, sgc_plan_load_array, sgc_emit_load_array },
   { nir_intrinsic_load_reg_indirect, sgc_plan_load_array, sgc_emit_load_array },
   { nir_intrinsic_store_reg, sgc_plan_store_array, sgc_emit_store_array },
   { nir_intrinsic_store_reg_indirect, sgc_plan_store_array, sgc_emit_store_array },
   { nir_intrinsic_ssbo_atomic, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_ssbo_atomic_swap, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_shared_atomic, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_shared_atomic_swap, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_load_ssbo, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_store_ssbo, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_load_shared, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_store_shared, sgc_plan_memory, sgc_emit_memory },
   { nir_intrinsic_get_ssbo_size, sgc_plan_size, sgc_emit_buffer_size },
   { nir_intrinsic_image_load, sgc_plan_image, sgc_emit_image },
   { nir_intrinsic_image_store, sgc_plan_image, sgc_emit_image },
   { nir_intrinsic_image_atomic, sgc_plan_image, sgc_emit_image },
   { nir_intrinsic_image_atomic_swap, sgc_plan_image, sgc_emit_image },
   { nir_intrinsic_image_size, sgc_plan_size, sgc_emit_image_size },
   { nir_intrinsic_image_samples, sgc_plan_size, sgc_emit_image_size },
   { nir_intrinsic_barrier, plan_plain, sgc_emit_barrier },
   { nir_intrinsic_ddx, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_ddy, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_ddx_fine, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_ddy_fine, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_ddx_coarse, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_ddy_coarse, sgc_plan_derivative, sgc_emit_derivative },
   { nir_intrinsic_begin_invocation_interlock, sgc_plan_interlock, NULL },
   { nir_intrinsic_end_invocation_interlock, sgc_plan_interlock, NULL },
   { nir_intrinsic_load_helper_invocation, plan_plain, emit_helper },
   { nir_intrinsic_is_helper_invocation, plan_plain, emit_helper },
   { nir_intrinsic_vote_all, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_vote_any, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_vote_ieq, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_vote_feq, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_ballot, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_read_invocation, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_read_first_invocation, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_shuffle, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_reduce, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_inclusive_scan, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_exclusive_scan, sgc_plan_subgroup, sgc_emit_subgroup },
   { nir_intrinsic_first_invocation, plan_plain, sgc_emit_first_invocation },
   { nir_intrinsic_shader_clock, plan_plain, sgc_emit_clock },
   { nir_intrinsic_emit_vertex, plan_plain, emit_vertex },
   { nir_intrinsic_end_primitive, plan_plain, emit_end_primitive },
   { nir_intrinsic_terminate, plan_plain, emit_terminate },
   { nir_intrinsic_demote, plan_plain, emit_demote },
   { nir_intrinsic_terminate_if, plan_conditional, emit_terminate_if },
   { nir_intrinsic_demote_if, plan_conditional, emit_demote_if },
};

static const struct intrinsic *
find_intrinsic(nir_intrinsic_op op)
{
   for (unsigned i = 0; i < ARRAY_SIZE(intrinsics); i++) {
      if (intrinsics[i].op == op)
         return &intrinsics[i];
   }
   return NULL;
}

void
sgc_plan_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   const struct intrinsic *intrinsic = find_intrinsic(intr->intrinsic);

   if (info->has_dest &&
       (sgc_is_operand_load(sel, intr) ||
        ((info->flags & NIR_INTRINSIC_CAN_ELIMINATE) && !sgc_is_needed(sel, &intr->def))))
      return;
   if (!intrinsic) {
      sgc_errorf(sel->p, "unhandled NIR intrinsic %s", info->name);
      return;
   }
   intrinsic->plan(sel, intr, sgc_plan_of(sel, &intr->instr));
}

void
sgc_select_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &intr->instr);

   if (plan->kind != SGC_PLAN_EMIT)
      return;
   sgc_prepare_relative(sel, plan);
   find_intrinsic(intr->intrinsic)->emit(sel, intr, plan);
   sel->address_busy = 0;
   sel->keep_relative = false;
}
