/* SPDX-License-Identifier: MIT */
/*
 * Emission phase of instruction selection (forward walk): blocks and control flow.
 *
 *    if:     SSY end; (!P) BRA else; ..; SYNC; else: ..; SYNC; end:
 *            without an else part, the branch targets the only SYNC
 *    loop:   PBK end; top: [PCNT cont;] ..; [CONT; cont:] BRA top; end:
 *
 * If one side of an if is just a break or continue and the other side is empty, we emit a
 * predicated jump instead.
 *
 * Phis become two copies: one to the phi's register at the end of each predecessor, and one from
 * there to the phi's value at the start of the block. The second copy is needed if phis in the same
 * block read each other. Most of the copies are coalesced away.
 */

#include "select/sgc_select.h"

static void select_list(struct sgc_select *sel, struct exec_list *list);

static void
start_block(struct sgc_select *sel, struct sgc_block *block)
{
   sgc_block_append(sel->p, block);
   sel->block = block;
   sel->b = sgc_builder_at_end(sel->p, block);
   for (unsigned c = 0; c < 4; c++)
      sel->address[c].valid = false;
   /* An earlier barrier doesn't matter any more, since the scheduler doesn't move instructions
    * across blocks.
    */
   sel->fence = false;
}

static struct sgc_block *
new_block(struct sgc_select *sel, unsigned loop_depth)
{
   struct sgc_block *block = sgc_block_create(sel->p);
   block->loop_depth = loop_depth;
   return block;
}

/*
 * Phis
 */

/* Returns the register that the predecessors of a phi copy its sources to. Allocates the register
 * on first use.
 */
static unsigned
phi_register(struct sgc_select *sel, struct sgc_plan *plan)
{
   if (!plan->phi_reg)
      plan->phi_reg = sgc_new_reg(sel->p) + 1;
   return plan->phi_reg - 1;
}

static void
emit_phi_sources(struct sgc_select *sel, nir_block *block)
{
   for (unsigned i = 0; i < 2; i++) {
      nir_block *succ = block->successors[i];
      if (!succ)
         continue;
      nir_foreach_instr(instr, succ) {
         if (instr->type != nir_instr_type_phi)
            break;
         nir_phi_instr *phi = nir_instr_as_phi(instr);
         struct sgc_plan *plan = sgc_plan_of(sel, instr);
         unsigned s = 0;
         nir_foreach_phi_src(src, phi) {
            const unsigned at = s++;
            if (src->pred != block || src->src.ssa->parent_instr->type == nir_instr_type_undef)
               continue;
            struct sgc_src value = sgc_planned_src(sel, plan, at);
            const unsigned mask = sgc_mask(sgc_num_words(&phi->def));
            sgc_mov_to(&sel->b, sgc_dst_reg(phi_register(sel, plan), mask), value);
            sel->address_busy = 0;
         }
      }
   }
}

static void
select_phi(struct sgc_select *sel, nir_phi_instr *phi)
{
   const unsigned bits = phi->def.bit_size;
   if ((bits != 32 && bits != 64) || sgc_num_words(&phi->def) > 4)
      sgc_error(sel->p, "values that have neither 32 nor 64 bits");
   const unsigned reg = phi_register(sel, sgc_plan_of(sel, &phi->instr));
   sgc_mov_to(&sel->b, sgc_value_dst(sel, &phi->def), sgc_reg(reg));
}

/*
 * Control flow
 */

static void
select_jump(struct sgc_select *sel, nir_jump_instr *jump)
{
   switch (jump->type) {
   case nir_jump_break:
      sgc_brk(&sel->b);
      sgc_add_edge(sel->p, sel->block, sel->loop_end);
      break;
   case nir_jump_continue:
      assert(sel->loop_continue);
      sgc_cont(&sel->b);
      sgc_add_edge(sel->p, sel->block, sel->loop_continue);
      break;
   case nir_jump_halt:
   case nir_jump_return:
      sgc_exit(&sel->b);
      break;
   default:
      unreachable("jump");
   }
}

/* Checks that emission has read all operands that planning has recorded. */
static void
check_reads(struct sgc_select *sel, nir_instr *instr)
{
   const struct sgc_plan *plan = sgc_plan_of(sel, instr);

   if (sel->p->validate && plan->kind == SGC_PLAN_EMIT &&
       plan->read != BITFIELD_MASK(plan->num_srcs))
      sgc_error(sel->p, "selection: a recorded operand is not read");
}

static void
select_block(struct sgc_select *sel, nir_block *block)
{
   nir_jump_instr *jump = NULL;

   nir_foreach_instr(instr, block) {
      switch (instr->type) {
      case nir_instr_type_alu:
         sgc_select_alu(sel, nir_instr_as_alu(instr));
         break;
      case nir_instr_type_tex:
         sgc_select_tex(sel, nir_instr_as_tex(instr));
         check_reads(sel, instr);
         break;
      case nir_instr_type_intrinsic:
         sgc_select_intrinsic(sel, nir_instr_as_intrinsic(instr));
         check_reads(sel, instr);
         break;
      case nir_instr_type_phi:
         select_phi(sel, nir_instr_as_phi(instr));
         break;
      case nir_instr_type_jump:
         jump = nir_instr_as_jump(instr);
         break;
      default:
         /* Constants don't need an instruction. Unhandled instructions were reported during
          * planning.
          */
         break;
      }
   }
   emit_phi_sources(sel, block);
   if (jump)
      select_jump(sel, jump);
}

static bool
ends_in_jump(const struct sgc_block *block)
{
   if (list_is_empty(&block->instrs))
      return false;
   const struct sgc_instr *last = list_last_entry(&block->instrs, struct sgc_instr, link);
   return !last->guard.en &&
          (last->op == SGPU_OP_BRK || last->op == SGPU_OP_CONT || last->op == SGPU_OP_EXIT);
}

/* If `list`, one side of an if, consists of just a break or continue, returns the jump. Otherwise,
 * returns NULL.
 */
static nir_jump_instr *
only_jump(struct exec_list *list)
{
   nir_cf_node *node = exec_node_data(nir_cf_node, exec_list_get_head(list), node);
   if (!exec_list_is_singular(list) || node->type != nir_cf_node_block)
      return NULL;
   nir_block *block = nir_cf_node_as_block(node);
   nir_instr *first = nir_block_first_instr(block);
   if (!first || first->type != nir_instr_type_jump)
      return NULL;
   nir_jump_instr *jump = nir_instr_as_jump(first);
   if (jump->type != nir_jump_break && jump->type != nir_jump_continue)
      return NULL;
   /* If there are phis in the target block, the copies for them would also need a predicate, so
    * don't use a predicated jump.
    */
   nir_block *succ = block->successors[0];
   nir_instr *phi = nir_block_first_instr(succ);
   return phi && phi->type == nir_instr_type_phi ? NULL : jump;
}

static bool
is_empty(struct exec_list *list)
{
   nir_cf_node *node = exec_node_data(nir_cf_node, exec_list_get_head(list), node);
   return exec_list_is_singular(list) && node->type == nir_cf_node_block &&
          exec_list_is_empty(&nir_cf_node_as_block(node)->instr_list);
}

/* Returns true if the if is followed by phis, in which case even an empty side contains copies. */
static bool
has_phis_after(nir_if *nif)
{
   nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   nir_instr *first = nir_block_first_instr(after);
   return first && first->type == nir_instr_type_phi;
}

static struct sgpu_guard
select_if_condition(struct sgc_select *sel, nir_if *nif)
{
   const nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&nif->cf_node));
   return sgc_select_condition(sel, sgc_plan_of_if_after(sel, before));
}

static bool
select_guarded_jump(struct sgc_select *sel, nir_if *nif)
{
   nir_jump_instr *then_jump = only_jump(&nif->then_list);
   nir_jump_instr *else_jump = only_jump(&nif->else_list);
   const bool flip = !then_jump;
   nir_jump_instr *jump = flip ? else_jump : then_jump;

   if (!sel->opt || !jump || !is_empty(flip ? &nif->then_list : &nif->else_list) ||
       has_phis_after(nif))
      return false;

   struct sgpu_guard guard = select_if_condition(sel, nif);
   guard.not ^= flip;
   select_jump(sel, jump);
   list_last_entry(&sel->block->instrs, struct sgc_instr, link)->guard = guard;

   struct sgc_block *next = new_block(sel, sel->block->loop_depth);
   sgc_add_edge(sel->p, sel->block, next);
   start_block(sel, next);
   return true;
}

static void
end_side(struct sgc_select *sel, struct sgc_block *end)
{
   if (ends_in_jump(sel->block))
      return;
   sgc_sync(&sel->b);
   sgc_add_edge(sel->p, sel->block, end);
}

static void
select_if(struct sgc_select *sel, nir_if *nif)
{
   if (select_guarded_jump(sel, nif))
      return;

   const unsigned depth = sel->block->loop_depth;
   struct sgc_block *then_block = new_block(sel, depth);
   struct sgc_block *else_block = new_block(sel, depth);
   struct sgc_block *end = new_block(sel, depth);
   const bool no_else = is_empty(&nif->else_list) && !has_phis_after(nif);

   struct sgpu_guard guard = select_if_condition(sel, nif);
   guard.not = !guard.not ;
   sgc_ssy(&sel->b, end);
   sgc_bra(&sel->b, else_block)->guard = guard;
   sgc_add_edge(sel->p, sel->block, then_block);
   sgc_add_edge(sel->p, sel->block, else_block);

   start_block(sel, then_block);
   select_list(sel, &nif->then_list);
   if (no_else && !ends_in_jump(sel->block)) {
      sgc_add_edge(sel->p, sel->block, else_block);
      start_block(sel, else_block);
   } else {
      end_side(sel, end);
      start_block(sel, else_block);
      select_list(sel, &nif->else_list);
   }
   end_side(sel, end);
   start_block(sel, end);
}

static bool
has_continue(struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      if (node->type == nir_cf_node_block) {
         nir_instr *last = nir_block_last_instr(nir_cf_node_as_block(node));
         if (last && last->type == nir_instr_type_jump &&
             nir_instr_as_jump(last)->type == nir_jump_continue)
            return true;
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         if (has_continue(&nif->then_list) || has_continue(&nif->else_list))
            return true;
      }
   }
   return false;
}

static void
select_loop(struct sgc_select *sel, nir_loop *loop)
{
   struct sgc_block *old_end = sel->loop_end, *old_continue = sel->loop_continue;
   const bool old_in_loop = sel->in_loop;
   const unsigned depth = sel->block->loop_depth;

   struct sgc_block *top = new_block(sel, depth + 1);
   sel->loop_end = new_block(sel, depth);
   sel->loop_continue = has_continue(&loop->body) ? new_block(sel, depth + 1) : NULL;
   sel->in_loop = true;
   sel->p->num_loops++;

   sgc_pbk(&sel->b, sel->loop_end);
   sgc_add_edge(sel->p, sel->block, top);

   start_block(sel, top);
   if (sel->loop_continue)
      sgc_pcnt(&sel->b, sel->loop_continue);
   select_list(sel, &loop->body);

   if (sel->loop_continue) {
      if (!ends_in_jump(sel->block)) {
         sgc_cont(&sel->b);
         sgc_add_edge(sel->p, sel->block, sel->loop_continue);
      }
      start_block(sel, sel->loop_continue);
      sgc_bra(&sel->b, top);
      sgc_add_edge(sel->p, sel->block, top);
   } else if (!ends_in_jump(sel->block)) {
      sgc_bra(&sel->b, top);
      sgc_add_edge(sel->p, sel->block, top);
   }
   start_block(sel, sel->loop_end);

   sel->loop_end = old_end;
   sel->loop_continue = old_continue;
   sel->in_loop = old_in_loop;
}

static void
select_list(struct sgc_select *sel, struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      switch (node->type) {
      case nir_cf_node_block:
         select_block(sel, nir_cf_node_as_block(node));
         break;
      case nir_cf_node_if:
         select_if(sel, nir_cf_node_as_if(node));
         break;
      case nir_cf_node_loop:
         select_loop(sel, nir_cf_node_as_loop(node));
         break;
      default:
         unreachable("control flow");
      }
   }
}

static enum sgpu_primitive
primitive_of(enum mesa_prim primitive)
{
   switch (primitive) {
   case MESA_PRIM_POINTS:
      return SGPU_PRIMITIVE_POINTS;
   case MESA_PRIM_LINES:
      return SGPU_PRIMITIVE_LINES;
   case MESA_PRIM_LINE_STRIP:
      return SGPU_PRIMITIVE_LINE_STRIP;
   case MESA_PRIM_TRIANGLES:
      return SGPU_PRIMITIVE_TRIANGLES;
   case MESA_PRIM_TRIANGLE_STRIP:
      return SGPU_PRIMITIVE_TRIANGLE_STRIP;
   case MESA_PRIM_LINES_ADJACENCY:
      return SGPU_PRIMITIVE_LINES_ADJACENCY;
   case MESA_PRIM_TRIANGLES_ADJACENCY:
      return SGPU_PRIMITIVE_TRIANGLES_ADJACENCY;
   default:
      unreachable("primitive of a geometry shader");
   }
}

void
sgc_select(struct sgc_program *p, nir_shader *nir, const struct sgpu_shader_key *key)
{
   struct sgc_select *sel = sgc_zalloc(p, p, struct sgc_select);
   sel->p = p;
   sel->nir = nir;
   sel->impl = nir_shader_get_entrypoint(nir);
   sel->key = key;
   sel->opt = !(p->debug & SGPU_COMPILER_NOOPT);
   const unsigned num_defs = sel->impl->ssa_alloc;
   sel->plans = sgc_zalloc_array(p, sel, struct sgc_plan, nir_index_instrs(sel->impl));
   sel->needed = sgc_zalloc_array(p, sel, BITSET_WORD, BITSET_WORDS(num_defs));
   sel->locations = sgc_zalloc_array(p, sel, struct sgc_location, num_defs);
   util_dynarray_init(&sel->groups, sel);

   /* Vertex shaders treat 0 * x as 0 in both profiles, so that both compute the same positions. If
    * a shader tests for NaN, 0 * inf must return NaN, and the shader always uses the full profile.
    */
   p->zmul = (p->stage == MESA_SHADER_VERTEX && !p->asks_for_nan) || key->legacy_mul ||
             nir->info.use_legacy_math_rules;
   p->scratch_size = align(nir->scratch_size, 16);

   sgc_make_arrays(sel);
   sgc_assign_interface(sel);
   sgc_make_plan(sel);
   if (p->error) {
      ralloc_free(sel);
      return;
   }
   start_block(sel, new_block(sel, 0));
   select_list(sel, &sel->impl->body);

   struct sgpu_shader *shader = p->shader;
   shader->stage = p->stage;
   if (p->stage == MESA_SHADER_FRAGMENT) {
      shader->fs_post_depth_coverage = nir->info.fs.post_depth_coverage;
      shader->fs_inner_coverage = nir->info.fs.inner_coverage;
      shader->fs_early_tests = nir->info.fs.early_fragment_tests || shader->fs_post_depth_coverage;
   } else {
      shader->cull_distances = BITFIELD_MASK(nir->info.cull_distance_array_size)
                               << nir->info.clip_distance_array_size;
      shader->viewport_mask = nir->info.outputs_written & VARYING_BIT_VIEWPORT_MASK;
      shader->relative_layer = nir->info.layer_viewport_relative;
   }
   /* Programs need at least one instruction. Empty shaders must still run, since their invocations
    * count for pipeline statistics.
    */
   if (p->stage != MESA_SHADER_FRAGMENT && list_is_singular(&p->blocks) &&
       list_is_empty(&sel->block->instrs))
      sgc_nop(&sel->b);
   sgc_describe_tess(shader, nir);
   if (p->stage == MESA_SHADER_GEOMETRY) {
      shader->gs_input = primitive_of(nir->info.gs.input_primitive);
      shader->gs_output = primitive_of(nir->info.gs.output_primitive);
      shader->gs_max_vertices = nir->info.gs.vertices_out;
      shader->gs_invocations = MAX2(nir->info.gs.invocations, 1);
   }
   if (p->stage == MESA_SHADER_COMPUTE)
      shader->shared_size = nir->info.shared_size;
   ralloc_free(sel);
}
