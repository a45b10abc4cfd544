/* SPDX-License-Identifier: MIT */
/*
 * SSBO and shared memory accesses, and barriers. The constant part of an address goes in the
 * instruction's offset field. If nothing uses the old value that an atomic returns, the atomic gets
 * no destination. Atomics of the same kind then commute, so invocations can run in any order.
 */

#include "select/sgc_select.h"

/*
 * Operations
 */

enum space { BUFFER, SHARED };
enum access { LOAD, STORE, ATOMIC };

struct memory_op {
   enum space space;
   enum access access;
   enum sgpu_opcode op;
   uint32_t max_offset; /* maximum value of the instruction's offset field, in bytes */
};

#define MAX_OFFSET ((1u << 24) - 1)
#define MAX_ATOMIC_OFFSET ((1u << 20) - 1)

static struct memory_op
memory_op(const nir_intrinsic_instr *intr)
{
   const bool wide = nir_intrinsic_has_atomic_op(intr) && intr->def.bit_size == 64;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_ssbo:
      return (struct memory_op){ BUFFER, LOAD, SGPU_OP_LDB, MAX_OFFSET };
   case nir_intrinsic_store_ssbo:
      return (struct memory_op){ BUFFER, STORE, SGPU_OP_STB, MAX_OFFSET };
   case nir_intrinsic_load_shared:
      return (struct memory_op){ SHARED, LOAD, SGPU_OP_LDS, MAX_OFFSET };
   case nir_intrinsic_store_shared:
      return (struct memory_op){ SHARED, STORE, SGPU_OP_STS, MAX_OFFSET };
   case nir_intrinsic_shared_atomic:
   case nir_intrinsic_shared_atomic_swap:
      return (struct memory_op){ SHARED, ATOMIC, wide ? SGPU_OP_ATSW : SGPU_OP_ATS,
                                 MAX_ATOMIC_OFFSET };
   default:
      return (struct memory_op){ BUFFER, ATOMIC, wide ? SGPU_OP_ATBW : SGPU_OP_ATB,
                                 MAX_ATOMIC_OFFSET };
   }
}

/* Returns the operation of an atomic intrinsic, or -1 if the hardware doesn't have it. */
static int
atomic_op(const nir_intrinsic_instr *intr)
{
   switch (nir_intrinsic_atomic_op(intr)) {
   case nir_atomic_op_iadd:
      return SGPU_ATOMIC_ADD;
   case nir_atomic_op_imin:
      return SGPU_ATOMIC_IMIN;
   case nir_atomic_op_umin:
      return SGPU_ATOMIC_UMIN;
   case nir_atomic_op_imax:
      return SGPU_ATOMIC_IMAX;
   case nir_atomic_op_umax:
      return SGPU_ATOMIC_UMAX;
   case nir_atomic_op_iand:
      return SGPU_ATOMIC_AND;
   case nir_atomic_op_ior:
      return SGPU_ATOMIC_OR;
   case nir_atomic_op_ixor:
      return SGPU_ATOMIC_XOR;
   case nir_atomic_op_xchg:
      return SGPU_ATOMIC_EXCH;
   case nir_atomic_op_cmpxchg:
      return SGPU_ATOMIC_CAS;
   case nir_atomic_op_fadd:
      return SGPU_ATOMIC_FADD;
   case nir_atomic_op_fmin:
      return SGPU_ATOMIC_FMIN;
   case nir_atomic_op_fmax:
      return SGPU_ATOMIC_FMAX;
   case nir_atomic_op_inc_wrap:
      return SGPU_ATOMIC_INCW;
   case nir_atomic_op_dec_wrap:
      return SGPU_ATOMIC_DECW;
   default:
      return -1;
   }
}

void
sgc_set_atomic_op(struct sgc_select *sel, struct sgc_instr *instr, const nir_intrinsic_instr *intr)
{
   const int aop = atomic_op(intr);
   if (aop < 0)
      sgc_error(sel->p, "an atomic operation that the machine does not have");
   instr->aop = MAX2(aop, 0);
}

/* The following two functions return NIR source indices. The order of the sources is: value
 * (stores), binding (buffers), address, operands (atomics).
 */
static unsigned
binding_source(const struct memory_op *op)
{
   return op->access == STORE ? 1 : 0;
}

static unsigned
address_source(const struct memory_op *op)
{
   return binding_source(op) + (op->space == BUFFER ? 1 : 0);
}

/*
 * Planning. Operand 0 is the address, followed by the value to store or the atomic operands.
 */

/* Plans an address. Its constant part, including `base`, goes in the offset field as long as the
 * offset is at most `max`.
 */
static void
plan_address(struct sgc_select *sel, struct sgc_plan *plan, nir_src src, uint32_t base,
             uint32_t max)
{
   nir_scalar s = nir_scalar_resolved(src.ssa, 0);
   uint64_t sum = base;

   while (nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == nir_op_iadd) {
      nir_scalar x = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 0));
      nir_scalar y = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 1));

      if (nir_scalar_is_const(x)) {
         const nir_scalar t = x;
         x = y;
         y = t;
      }
      if (!nir_scalar_is_const(y) || sum + nir_scalar_as_uint(y) > max)
         break;
      sum += nir_scalar_as_uint(y);
      s = x;
   }

   struct sgc_operand o;
   sgc_chase(&o, s.def, &(uint8_t){ s.comp }, 1, false);
   o.view = sgpu_swizzle_replicate(0);
   if (o.literal && sum + o.imm[0] <= max) {
      sum += o.imm[0];
      memset(o.imm, 0, sizeof(o.imm));
   }
   plan->offset = sum;
   sgc_plan_operand(sel, plan, &o);
}

void
sgc_plan_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct memory_op op = memory_op(intr);
   const unsigned address = address_source(&op);
   const unsigned bits = op.access == STORE ? nir_src_bit_size(intr->src[0]) : intr->def.bit_size;
   const uint32_t base = op.space == SHARED ? nir_intrinsic_base(intr) : 0;

   if (bits != 32 && !(op.access == ATOMIC && bits == 64)) {
      sgc_errorf(sel->p, "memory accesses of %u bits", bits);
      return;
   }
   sgc_plan_begin(sel, plan, 3);
   plan->op = op.op;
   plan_address(sel, plan, intr->src[address], base, op.max_offset);
   if (op.access == STORE)
      sgc_plan_src(sel, plan, intr->src[0], intr->num_components, false);
   for (unsigned s = address + 1; s < nir_intrinsic_infos[intr->intrinsic].num_srcs; s++)
      sgc_plan_src(sel, plan, intr->src[s], 1, false);
   if (op.space == BUFFER)
      plan->index = sgc_plan_index(sel, intr->src[binding_source(&op)]);
}

void
sgc_plan_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   sgc_plan_begin(sel, plan, 0);
   plan->index = sgc_plan_index(sel, intr->src[0]);
}

/*
 * Emission
 */

struct sgc_binding
sgc_load_binding(struct sgc_select *sel, const struct sgc_index *planned)
{
   struct sgc_binding binding = { 0 };
   struct sgc_index index = *planned;

   binding.unit = sgc_fit_index(&index, 0, 0, 31);
   if (sgc_is_relative(&index)) {
      binding.urel = true;
      binding.urelcomp = sgc_load_address(sel, &index);
   }
   return binding;
}

void
sgc_finish_memory(struct sgc_select *sel, struct sgc_instr *instr,
                  const struct sgc_binding *binding)
{
   if (binding) {
      instr->unit = binding->unit;
      instr->urel = binding->urel;
      instr->urelcomp = binding->urelcomp;
   }
   instr->fence = sel->fence;
   sel->fence = false;
}

/* Returns src1 of a store or atomic: the value to store, or the operands of the atomic. */
static struct sgc_src
data_source(struct sgc_select *sel, const nir_intrinsic_instr *intr, struct sgc_plan *plan,
            enum access access)
{
   struct sgc_parts parts = { 0 };

   if (access == STORE)
      return sgc_planned_src(sel, plan, 1);
   const unsigned words = sgc_num_words(&intr->def);
   for (unsigned s = 1; s < plan->num_srcs; s++)
      sgc_put(&parts, (s - 1) * words, sgc_planned_src(sel, plan, s), words);
   return sgc_join(sel, &parts);
}

void
sgc_emit_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct memory_op op = memory_op(intr);
   struct sgc_src src[2] = { sgc_none(), sgc_none() };
   struct sgc_dst dst = sgc_dst_none();
   struct sgc_binding binding;

   if (op.access != LOAD)
      src[1] = data_source(sel, intr, plan, op.access);
   if (plan->srcs[0].literal && !plan->srcs[0].imm[0])
      plan->read |= 1;
   else
      src[0] = sgc_comp(sgc_planned_src(sel, plan, 0), 0);
   if (op.space == BUFFER)
      binding = sgc_load_binding(sel, plan->index);

   if (op.access == STORE)
      dst.mask = nir_intrinsic_write_mask(intr);
   else if (op.access == LOAD || sgc_is_needed(sel, &intr->def))
      dst = sgc_value_dst(sel, &intr->def);
   struct sgc_instr *instr = sgc_emit(&sel->b, op.op, dst);
   instr->src[0] = src[0];
   instr->src[1] = src[1];
   instr->offset = plan->offset;
   if (op.access == ATOMIC)
      sgc_set_atomic_op(sel, instr, intr);
   sgc_finish_memory(sel, instr, op.space == BUFFER ? &binding : NULL);
}

void
sgc_emit_buffer_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   const struct sgc_binding binding = sgc_load_binding(sel, plan->index);
   struct sgc_instr *instr = sgc_szb_to(&sel->b, sgc_value_dst(sel, &intr->def));

   instr->unit = binding.unit;
   instr->urel = binding.urel;
   instr->urelcomp = binding.urelcomp;
}

/*
 * Barriers. Memory barriers don't need an instruction, since memory accesses complete before the
 * next instruction.
 */

/* Returns true if a workgroup is a single warp. Its lanes run in lockstep, so BAR isn't needed. */
static bool
is_one_warp(const nir_shader *nir)
{
   const uint16_t *size = nir->info.workgroup_size;

   return !nir->info.workgroup_size_variable && size[0] * size[1] * size[2] <= 32;
}

void
sgc_emit_barrier(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan)
{
   if (nir_intrinsic_execution_scope(intr) >= SCOPE_WORKGROUP &&
       sel->p->stage == MESA_SHADER_COMPUTE && !is_one_warp(sel->nir))
      sgc_bar(&sel->b);
   sel->fence = true;
}
