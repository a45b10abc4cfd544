/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits a program's code for divergent lanes.
 *
 * Some lanes wait while others execute. The code maintains the synchronization stack, warp->exec and
 * the other control state in the same way as the interpreter (sgd_interp.c), and calls the masked
 * functions of regions. Registers are those of sgd_emit_program.c.
 *
 * Lanes of an entry for an open point include those of all entries above it and the executing ones.
 * So once no lane waits, all open points have the same lanes, and other entries have none. In this
 * case, the code for lanes that agree continues, which needs no stack.
 */
#include <stddef.h>

#include "common/sgd_warp.h"
#include "shader/translate/sgd_emit_flow.h"
#include "sgpu_flow.h"
#include "util/u_math.h"

#define EXEC ((int32_t)offsetof(struct sgd_warp, exec))
#define DEPTH ((int32_t)offsetof(struct sgd_warp, depth))
#define STACK ((int32_t)offsetof(struct sgd_warp, stack))

/* The second word of an entry of the stack: its target, and its kind in the top bits. */
#define ENTRY_TARGET 4
#define ENTRY_KIND_SHIFT 24

_Static_assert(sizeof(struct sgd_entry) == 8, "entries are indexed by 8 bytes");

/* Emits code that pushes an entry with the lanes in the register `lanes`, which must not be rdx or
 * rsi. The stack is large enough, because sgd_shader.c checks its depth.
 */
static void
push(struct sgd_flow *e, enum sgd_entry_kind kind, uint32_t target, unsigned lanes)
{
   sgd_x86_get32(e->x, SGD_RDX, SGD_RBX, DEPTH);
   sgd_x86_get(e->x, SGD_RSI, SGD_RBX, STACK);
   sgd_x86_put32_at(e->x, SGD_RSI, SGD_RDX, 0, lanes);
   sgd_x86_put32_at_value(e->x, SGD_RSI, SGD_RDX, ENTRY_TARGET,
                          target | (uint32_t)kind << ENTRY_KIND_SHIFT);
   sgd_x86_add32(e->x, SGD_RDX, 1);
   sgd_x86_put32(e->x, SGD_RBX, DEPTH, SGD_RDX);
}

/* Emits a jump that is taken if the mask in eax does not consist of whole quads. Clobbers ecx. */
static size_t
jump_if_cut(struct sgd_flow *e)
{
   sgd_x86_copy32(e->x, SGD_RCX, SGD_RAX);
   sgd_x86_and32_value(e->x, SGD_RCX, 0x11111111);
   sgd_x86_mul32(e->x, SGD_RCX, SGD_RCX, 15);
   sgd_x86_compare(e->x, SGD_RCX, SGD_RAX);
   return sgd_x86_jump(e->x, SGD_X86_NE);
}

/* Emits code that pops entries until one has lanes, and continues these. */
static void
resume(struct sgd_flow *e)
{
   struct sgd_x86 *x = e->x;
   sgd_x86_get32(x, SGD_RDX, SGD_RBX, DEPTH);
   sgd_x86_get(x, SGD_RSI, SGD_RBX, STACK);
   const size_t pop = x->size;
   sgd_x86_add32(x, SGD_RDX, -1);
   const size_t some = sgd_x86_jump(x, SGD_X86_B); /* no borrow: the addition has a carry */
   sgd_x86_set(x, SGD_RAX, 0);
   sgd_x86_put32(x, SGD_RBX, DEPTH, SGD_RAX);
   sgd_flow_return(e, SGD_PROGRAM_ENDED);
   sgd_x86_land(x, some, x->size);
   sgd_x86_get32_at(x, SGD_RAX, SGD_RSI, SGD_RDX, 0);
   sgd_x86_test32(x, SGD_RAX);
   sgd_x86_land(x, sgd_x86_jump(x, SGD_X86_E), pop);
   sgd_x86_put32(x, SGD_RBX, DEPTH, SGD_RDX);
   sgd_x86_put32(x, SGD_RBX, EXEC, SGD_RAX);
   sgd_x86_get32_at(x, SGD_RCX, SGD_RSI, SGD_RDX, ENTRY_TARGET);
   sgd_x86_and32_value(x, SGD_RCX, (1u << ENTRY_KIND_SHIFT) - 1);
   /* The target may be before this instruction. */
   sgd_x86_compare(x, SGD_R14, SGD_RBP);
   sgd_flow_jump(e, SGD_X86_AE, SGD_TO_LEAVE_AT, 0);

   sgd_x86_mul32(x, SGD_RCX, SGD_RCX, sizeof(struct sgd_code_entry));
   sgd_x86_set(x, SGD_RDX, (uintptr_t)e->entries);
   sgd_x86_add_to(x, SGD_RDX, SGD_RCX);
   sgd_x86_compare32_at(x, SGD_RAX, SGD_RBX, offsetof(struct sgd_warp, keep));
   const size_t wait = sgd_x86_jump(x, SGD_X86_NE);
   const size_t cut = e->quad ? jump_if_cut(e) : 0;
   sgd_x86_get32(x, SGD_RCX, SGD_RDX, offsetof(struct sgd_code_entry, offset));
   const size_t go = sgd_x86_jump(x, SGD_X86_ALWAYS);
   sgd_x86_land(x, wait, x->size);
   if (e->quad)
      sgd_x86_land(x, cut, x->size);
   sgd_x86_get32(x, SGD_RCX, SGD_RDX, offsetof(struct sgd_code_entry, divergent));
   sgd_x86_land(x, go, x->size);
   sgd_x86_place(x, SGD_RAX, 0);
   sgd_x86_add_to(x, SGD_RAX, SGD_RCX);
   sgd_x86_jump_to(x, SGD_RAX);
}

void
sgd_emit_resume(struct sgd_flow *e)
{
   e->resume = e->x->size;
   resume(e);
   e->leave_at = e->x->size;
   sgd_x86_set(e->x, SGD_RAX, SGD_PROGRAM_DIVERGENT);
   sgd_x86_add_to(e->x, SGD_RAX, SGD_RCX);
   sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_OUT, 0);
}

/* Emits a jump from instruction n to instruction `to`, which all executing lanes take. */
static void
continue_at(struct sgd_flow *e, uint32_t n, uint32_t to)
{
   if (to <= n) {
      sgd_x86_compare(e->x, SGD_R14, SGD_RBP);
      sgd_flow_jump(e, SGD_X86_AE, SGD_TO_LEAVE_DIVERGENT, to);
   }
   sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_DIVERGENT, to);
}

static void
branch(struct sgd_flow *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   if (!(ins->flags & SGD_INS_GUARD)) {
      continue_at(e, n, ins->target);
      return;
   }
   sgd_flow_guard(e, ins);
   const size_t none = sgd_x86_jump(e->x, SGD_X86_E);
   sgd_x86_compare(e->x, SGD_RAX, SGD_RCX);
   const size_t some = sgd_x86_jump(e->x, SGD_X86_NE);
   continue_at(e, n, ins->target);
   sgd_x86_land(e->x, some, e->x->size);
   sgd_x86_xor32(e->x, SGD_RCX, SGD_RAX);
   sgd_x86_put32(e->x, SGD_RBX, EXEC, SGD_RCX);
   push(e, SGD_ENTRY_PENDING, ins->target, SGD_RAX);
   sgd_x86_land(e->x, none, e->x->size);
}

/* Emits code for an instruction that can end lanes or make them wait. */
static void
leave(struct sgd_flow *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   const bool guarded = ins->flags & SGD_INS_GUARD && ins->kind != SGD_INS_END;
   size_t none = 0;
   if (guarded) {
      sgd_flow_guard(e, ins);
      none = sgd_x86_jump(e->x, SGD_X86_E);
   }
   sgd_flow_call(e, offsetof(struct sgd_native_calls, leave), ins);
   sgd_x86_test32(e->x, SGD_RAX);
   sgd_flow_jump(e, SGD_X86_E, SGD_TO_RESUME, 0);
   if (guarded)
      sgd_x86_land(e->x, none, e->x->size);
}

static void
open_point(struct sgd_flow *e, const struct sgd_ins *ins, enum sgd_entry_kind kind)
{
   e->count++;
   sgd_x86_get32(e->x, SGD_RCX, SGD_RBX, EXEC);
   push(e, kind, ins->target, SGD_RCX);
}

/* Emits a call of a loop that is the region at instruction n. It ends with BRK, which all lanes have
 * taken in the last round, unless the count comes near the limit.
 */
static void
loop(struct sgd_flow *e, uint32_t n, const struct sgd_region *r)
{
   const uint32_t each = r->length + (r->jump ? 1 : 2);
   sgd_flow_count(e);
   sgd_x86_compare(e->x, SGD_R14, SGD_RBP);
   sgd_flow_jump(e, SGD_X86_AE, SGD_TO_LEAVE_DIVERGENT, n);
   sgd_x86_copy(e->x, SGD_R8, SGD_RBP);
   sgd_x86_subtract(e->x, SGD_R8, SGD_R14);
   sgd_x86_shift_right32(e->x, SGD_R8, util_logbase2_ceil(each));
   sgd_x86_add(e->x, SGD_R8, 1);
   sgd_flow_call_region(e, r, r->loop);
   sgd_x86_mul(e->x, SGD_RAX, SGD_RAX, (int32_t)each);
   sgd_x86_add_to(e->x, SGD_R14, SGD_RAX);
   sgd_x86_get32(e->x, SGD_RCX, SGD_RBX, EXEC);
   sgd_x86_test32(e->x, SGD_RCX);
   sgd_flow_jump(e, SGD_X86_NE, SGD_TO_LEAVE_DIVERGENT, n);
   /* The branch after the last BRK is not taken. */
   if (!r->jump)
      sgd_x86_add(e->x, SGD_R14, -1);
   sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_RESUME, 0);
}

static void
region(struct sgd_flow *e, uint32_t n, const struct sgd_region *r)
{
   if (r->loop) {
      loop(e, n, r);
      return;
   }
   if (r->quad) {
      sgd_flow_count(e);
      sgd_x86_get32(e->x, SGD_RAX, SGD_RBX, EXEC);
      const size_t cut = jump_if_cut(e);
      const size_t whole = sgd_x86_jump(e->x, SGD_X86_ALWAYS);
      sgd_x86_land(e->x, cut, e->x->size);
      sgd_flow_return(e, n | SGD_PROGRAM_DIVERGENT);
      sgd_x86_land(e->x, whole, e->x->size);
   }
   sgd_flow_call_region(e, r, r->masked);
   e->count += r->length;
   if (!r->jump)
      return;
   sgd_flow_count(e);
   continue_at(e, r->next, r->next);
}

/* Emits code for instruction n, or for the region that starts at n. Returns the index of the next
 * instruction.
 */
static uint32_t
instruction(struct sgd_flow *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   if (e->region[n]) {
      region(e, n, e->region[n]);
      return n + e->region[n]->span;
   }
   switch ((enum sgd_ins_kind)ins->kind) {
   case SGD_INS_BRA:
      e->count++;
      sgd_flow_count(e);
      branch(e, n);
      break;
   case SGD_INS_SYNC:
      e->count++;
      sgd_flow_count(e);
      resume(e);
      break;
   case SGD_INS_BRK:
   case SGD_INS_CONT:
   case SGD_INS_EXIT:
   case SGD_INS_KIL:
   case SGD_INS_DMT:
      e->count++;
      sgd_flow_count(e);
      leave(e, n);
      break;
   case SGD_INS_END:
      sgd_flow_count(e);
      leave(e, n);
      break;
   case SGD_INS_SSY:
      open_point(e, ins, SGD_ENTRY_MEET);
      break;
   case SGD_INS_PBK:
      open_point(e, ins, SGD_ENTRY_BREAK);
      break;
   case SGD_INS_PCNT:
      open_point(e, ins, SGD_ENTRY_CONTINUE);
      break;
   case SGD_INS_NOP:
      e->count++;
      break;
   case SGD_INS_BAR:
   case SGD_INS_CLK:
      sgd_flow_count(e);
      sgd_flow_return(e, n | SGD_PROGRAM_DIVERGENT);
      break;
   case SGD_INS_TEX:
      e->count++;
      sgd_flow_call(e, offsetof(struct sgd_native_calls, texture), ins);
      break;
   default:
      e->count++;
      sgd_flow_call(e, offsetof(struct sgd_native_calls, other), ins);
      break;
   }
   return n + 1;
}

static bool
is_control(const struct sgd_ins *ins)
{
   return ins->kind >= SGD_INS_BRA || ins->kind == SGD_INS_BAR || ins->kind == SGD_INS_CLK;
}

/* The interpreter continues here after each control instruction, and the code for lanes that agree
 * where they part.
 */
static bool
has_entry(const struct sgd_flow *e, uint32_t n)
{
   return e->label[n] || is_control(&e->decoded->ins[n]) ||
          (n && is_control(&e->decoded->ins[n - 1]));
}

void
sgd_emit_divergent(struct sgd_flow *e)
{
   for (uint32_t n = 0; n <= e->num_instrs;) {
      if (e->entries[n].point == SGPU_FLOW_UNREACHED) {
         n++;
         continue;
      }
      if (has_entry(e, n)) {
         sgd_flow_count(e);
         e->divergent[n] = e->x->size;
         e->entries[n].divergent = (uint32_t)e->x->size;
      }
      n = instruction(e, n);
   }
}
