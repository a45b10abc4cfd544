/* SPDX-License-Identifier: MIT */
/*
 * Subgroup operations (votes, ballots, lane reads, reductions, scans) and the shader clock. A
 * subgroup is a warp.
 *
 * The results depend on the set of active lanes, so these operations must stay in their block. NIR
 * doesn't merge or move them because they aren't marked as reorderable. The scheduler only moves
 * them between two control flow instructions, where the set of active lanes doesn't change.
 */

#include "select/sgc_select.h"

static int
reduction_of(nir_op op)
{
   switch (op) {
   case nir_op_iadd:
      return SGPU_REDUCE_IADD;
   case nir_op_imul:
      return SGPU_REDUCE_IMUL;
   case nir_op_fadd:
      return SGPU_REDUCE_FADD;
   case nir_op_fmul:
      return SGPU_REDUCE_FMUL;
   case nir_op_imin:
      return SGPU_REDUCE_IMIN;
   case nir_op_umin:
      return SGPU_REDUCE_UMIN;
   case nir_op_fmin:
      return SGPU_REDUCE_FMIN;
   case nir_op_imax:
      return SGPU_REDUCE_IMAX;
   case nir_op_umax:
      return SGPU_REDUCE_UMAX;
   case nir_op_fmax:
      return SGPU_REDUCE_FMAX;
   case nir_op_iand:
      return SGPU_REDUCE_AND;
   case nir_op_ior:
      return SGPU_REDUCE_OR;
   case nir_op_ixor:
      return SGPU_REDUCE_XOR;
   default:
      return -1;
   }
}

static enum sgpu_opcode
opcode_of(const nir_intrinsic_instr *intr)
{
   const bool wide = intr->def.bit_size == 64;

   switch (intr->intrinsic) {
   case nir_intrinsic_vote_all:
      return SGPU_OP_VALL;
   case nir_intrinsic_vote_any:
      return SGPU_OP_VANY;
   case nir_intrinsic_vote_ieq:
      return SGPU_OP_VEQ;
   case nir_intrinsic_vote_feq:
      return SGPU_OP_VFEQ;
   case nir_intrinsic_ballot:
      return SGPU_OP_BALLOT;
   case nir_intrinsic_read_invocation:
   case nir_intrinsic_shuffle:
      return SGPU_OP_RDLANE;
   case nir_intrinsic_read_first_invocation:
      return SGPU_OP_RDFIRST;
   case nir_intrinsic_reduce:
      return wide ? SGPU_OP_REDW : SGPU_OP_RED;
   case nir_intrinsic_inclusive_scan:
      return wide ? SGPU_OP_SCANIW : SGPU_OP_SCANI;
   case nir_intrinsic_exclusive_scan:
      return wide ? SGPU_OP_SCANXW : SGPU_OP_SCANX;
   default:
      unreachable("not an operation over a subgroup");
   }
}

void
sgc_plan_subgroup(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const unsigned num = nir_intrinsic_infos[intr->intrinsic].num_srcs;
   const bool reduces = nir_intrinsic_has_reduction_op(intr);

   for (unsigned s = 0; s < num; s++) {
      const unsigned bits = nir_src_bit_size(intr->src[s]);
      if (bits != 32 && !(reduces && bits == 64)) {
         sgc_errorf(sel->p, "subgroup operations on values of %u bits", bits);
         return;
      }
   }
   if (reduces && reduction_of((nir_op)nir_intrinsic_reduction_op(intr)) < 0) {
      sgc_error(sel->p, "unhandled reduction");
      return;
   }
   sgc_plan_begin(sel, plan, num);
   for (unsigned s = 0; s < num; s++)
      sgc_plan_src(sel, plan, intr->src[s], 1, intr->intrinsic == nir_intrinsic_vote_feq);
}

void
sgc_emit_subgroup(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const enum sgpu_opcode op = opcode_of(intr);
   struct sgc_src srcs[2];

   for (unsigned s = 0; s < plan->num_srcs; s++)
      srcs[s] = sgc_pair_source(op, s, sgc_planned_src(sel, plan, s));
   struct sgc_instr *instr = sgc_emit(&sel->b, op, sgc_value_dst(sel, &intr->def));
   for (unsigned s = 0; s < plan->num_srcs; s++)
      instr->src[s] = srcs[s];
   if (nir_intrinsic_has_reduction_op(intr)) {
      instr->reduction = reduction_of((nir_op)nir_intrinsic_reduction_op(intr));
      instr->cluster = 5;
      if (nir_intrinsic_has_cluster_size(intr) && nir_intrinsic_cluster_size(intr))
         instr->cluster = util_logbase2(MIN2(nir_intrinsic_cluster_size(intr), 32));
   }
}

/* Emits instructions that find the lowest active lane. */
void
sgc_emit_first_invocation(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   struct sgc_src lanes = sgc_ballot(&sel->b, SGPU_MASK_X, sgc_comp(sgc_imm(~0u), 0));
   sgc_fbl_to(&sel->b, sgc_value_dst(sel, &intr->def), sgc_comp(lanes, 0));
}

void
sgc_emit_clock(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_clk_to(&sel->b, sgc_value_dst(sel, &intr->def));
}
