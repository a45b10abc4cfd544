/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits machine code for a whole program.
 *
 * The program has code for lanes that agree, i.e. while no lane waits while others execute. In this
 * case all open points of the synchronization stack have the same lanes, and the position in the
 * program determines which points are open (sgpu_flow.c). Hence SSY, PBK, PCNT and SYNC need no
 * code, and BRK and CONT are branches. If lanes diverge, the stack is filled, and the code of
 * sgd_emit_divergent.c continues until they meet.
 *
 *    rbx   the warp
 *    r15   table of the interpreter's functions
 *    r13   the register file
 *    r12d  number of eight-lane chunks that have lanes which have not ended
 *    r14   number of instructions issued, updated at the end of straight-line code
 *    rbp   value of r14 at which loops return to the interpreter, which stops programs that issue
 *          too many instructions
 */
#include "shader/translate/sgd_emit_program.h"

#include "shader/translate/sgd_emit_flow.h"

#include <stdlib.h>
#include <string.h>

#include "common/sgd_worker.h"
#include "shader/program/sgd_translation.h"
#include "sgpu_flow.h"
#include "sgpu_isa.h"
#include "util/macros.h"

/* -- open points ------------------------------------------------------------------ */

/* Returns the index of the instruction that opened the innermost point of the given kind, among the
 * points that are open at instruction n. Returns SGPU_FLOW_NO_POINT if there is no such point.
 */
static int32_t
open_point(const struct sgd_flow *e, uint32_t n, unsigned kind)
{
   int32_t p = e->entries[n].point;
   while (p >= 0 && e->decoded->ins[p].kind != kind)
      p = e->entries[p].point;
   return p;
}

uint32_t
sgd_flow_destination(const struct sgd_flow *e, uint32_t n)
{
   int32_t p = SGPU_FLOW_NO_POINT;
   switch ((enum sgd_ins_kind)e->decoded->ins[n].kind) {
   case SGD_INS_BRA:
      return e->decoded->ins[n].target;
   case SGD_INS_SYNC:
      p = e->entries[n].point;
      break;
   case SGD_INS_BRK:
      p = open_point(e, n, SGD_INS_PBK);
      break;
   case SGD_INS_CONT:
      p = open_point(e, n, SGD_INS_PCNT);
      break;
   default:
      break;
   }
   return p >= 0 ? e->decoded->ins[p].target : e->num_instrs + 1;
}

/* -- jumps ------------------------------------------------------------------------- */

void
sgd_flow_jump(struct sgd_flow *e, enum sgd_x86_cond cond, enum sgd_jump_kind kind, uint32_t to)
{
   if (e->num_jumps == e->room) {
      const uint32_t room = MAX2(64, 2 * e->room);
      struct sgd_flow_jump *jumps = realloc(e->jumps, room * sizeof(*jumps));
      if (!jumps) {
         e->ok = false;
         return;
      }
      e->jumps = jumps;
      e->room = room;
   }
   e->jumps[e->num_jumps++] = (struct sgd_flow_jump){ sgd_x86_jump(e->x, cond), to, kind };
}

void
sgd_flow_return(struct sgd_flow *e, uint32_t result)
{
   sgd_x86_set(e->x, SGD_RAX, result);
   sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_OUT, 0);
}

/* Returns the code that a jump goes to, or SGD_NO_PLACE if it needs code of its own. */
static size_t
jump_place(const struct sgd_flow *e, const struct sgd_flow_jump *j)
{
   switch ((enum sgd_jump_kind)j->kind) {
   case SGD_TO_CODE:
      return e->place[j->to];
   case SGD_TO_DIVERGENT:
      return e->divergent[j->to];
   case SGD_TO_LEAVE_AT:
      return e->leave_at;
   case SGD_TO_RESUME:
      return e->resume;
   default:
      return SGD_NO_PLACE;
   }
}

/* Emits code that subtracts instruction n from the instruction count, and continues with divergent
 * lanes.
 */
static void
emit_part(struct sgd_flow *e, uint32_t n)
{
   sgd_x86_add(e->x, SGD_R14, -1);
   sgd_x86_copy(e->x, SGD_RDI, SGD_RBX);
   sgd_x86_set(e->x, SGD_RSI, n);
   sgd_x86_call_at(e->x, SGD_R15, offsetof(struct sgd_native_calls, part));
   sgd_x86_land(e->x, sgd_x86_jump(e->x, SGD_X86_ALWAYS), e->divergent[n]);
}

/* Sets the targets of all jumps. If the target of a jump has no code, emits an exit from the
 * function.
 */
static void
place_exits(struct sgd_flow *e)
{
   const uint32_t num = e->num_jumps;
   for (uint32_t i = 0; e->ok && i < num; i++) {
      const struct sgd_flow_jump j = e->jumps[i];
      if (j.kind == SGD_TO_OUT)
         continue;
      size_t place = jump_place(e, &j);
      if (place == SGD_NO_PLACE) {
         place = e->x->size;
         if (j.kind == SGD_TO_DIVERGE && e->divergent[j.to] != SGD_NO_PLACE)
            emit_part(e, j.to);
         else if (j.kind == SGD_TO_DIVERGENT || j.kind == SGD_TO_LEAVE_DIVERGENT)
            sgd_flow_return(e, j.to | SGD_PROGRAM_DIVERGENT);
         else
            sgd_flow_return(e, j.to);
      }
      sgd_x86_land(e->x, j.from, place);
   }
   const size_t out = e->x->size;
   for (uint32_t i = 0; e->ok && i < e->num_jumps; i++)
      if (e->jumps[i].kind == SGD_TO_OUT)
         sgd_x86_land(e->x, e->jumps[i].from, out);
}

/* -- constants --------------------------------------------------------------------- */

unsigned
sgd_flow_const(struct sgd_flow *e, const uint32_t words[8])
{
   for (uint32_t i = 0; i < e->num_consts; i++)
      if (!memcmp(e->consts[i], words, sizeof(*e->consts)))
         return i;
   if (e->num_consts == e->const_room) {
      const uint32_t room = MAX2(16, 2 * e->const_room);
      void *consts = realloc(e->consts, room * sizeof(*e->consts));
      if (!consts) {
         e->ok = false;
         return 0;
      }
      e->consts = consts;
      e->const_room = room;
   }
   memcpy(e->consts[e->num_consts], words, sizeof(*e->consts));
   return e->num_consts++;
}

unsigned
sgd_flow_word(struct sgd_flow *e, uint32_t word)
{
   const uint32_t words[8] = { word, word, word, word, word, word, word, word };
   return sgd_flow_const(e, words);
}

/* -- instructions ------------------------------------------------------------------ */

void
sgd_flow_count(struct sgd_flow *e)
{
   if (e->count)
      sgd_x86_add_long(e->x, SGD_R14, (int32_t)e->count);
   e->count = 0;
}

/* Emits a jump from instruction n to instruction `to`, which all lanes take. Instruction n must
 * have been counted already.
 */
static void
emit_continue(struct sgd_flow *e, uint32_t n, uint32_t to)
{
   if (to <= n) {
      sgd_x86_compare(e->x, SGD_R14, SGD_RBP);
      sgd_flow_jump(e, SGD_X86_AE, SGD_TO_LEAVE, to);
   }
   sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_CODE, to);
}

void
sgd_flow_guard(struct sgd_flow *e, const struct sgd_ins *ins)
{
   sgd_x86_get32(e->x, SGD_RAX, SGD_R13, SGD_FILE_PRED + 4 * ins->guard);
   sgd_x86_get32(e->x, SGD_RCX, SGD_RBX, offsetof(struct sgd_warp, exec));
   sgd_x86_not_and32(e->x, SGD_RAX, SGD_RCX, ins->flags & SGD_INS_GUARD_NOT);
}

/* Emits code that skips instruction n if its guard is false in all lanes. If lanes disagree, the
 * code for divergent lanes continues. Returns the jump that skips the instruction, whose target the
 * caller must set.
 */
static size_t
all_or_none(struct sgd_flow *e, uint32_t n)
{
   sgd_flow_guard(e, &e->decoded->ins[n]);
   const size_t none = sgd_x86_jump(e->x, SGD_X86_E);
   sgd_x86_compare(e->x, SGD_RAX, SGD_RCX);
   sgd_flow_jump(e, SGD_X86_NE, SGD_TO_DIVERGE, n);
   return none;
}

static void
branch(struct sgd_flow *e, uint32_t n)
{
   const bool guarded = e->decoded->ins[n].flags & SGD_INS_GUARD &&
                        e->decoded->ins[n].kind != SGD_INS_SYNC;
   const uint32_t to = sgd_flow_destination(e, n);
   if (to > e->num_instrs) {
      sgd_flow_count(e);
      sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_LEAVE, n);
      return;
   }
   e->count++;
   sgd_flow_count(e);
   const size_t none = guarded ? all_or_none(e, n) : 0;
   emit_continue(e, n, to);
   if (guarded)
      sgd_x86_land(e->x, none, e->x->size);
}

static void
exit_program(struct sgd_flow *e, uint32_t n)
{
   const bool guarded = e->decoded->ins[n].flags & SGD_INS_GUARD;
   e->count++;
   sgd_flow_count(e);
   const size_t none = guarded ? all_or_none(e, n) : 0;
   sgd_flow_return(e, SGD_PROGRAM_ENDED);
   if (guarded)
      sgd_x86_land(e->x, none, e->x->size);
}

void
sgd_flow_call(struct sgd_flow *e, size_t function, const void *argument)
{
   sgd_x86_copy(e->x, SGD_RDI, SGD_RBX);
   sgd_x86_set(e->x, SGD_RSI, (uintptr_t)argument);
   sgd_x86_call_at(e->x, SGD_R15, (int32_t)function);
}

/* Emits a call of the interpreter's function for KIL and DMT, which returns the number of chunks
 * that still have lanes.
 */
static void
emit_kill(struct sgd_flow *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   size_t none = 0;
   e->count++;
   sgd_flow_count(e);
   if (ins->flags & SGD_INS_GUARD) {
      sgd_flow_guard(e, ins);
      none = sgd_x86_jump(e->x, SGD_X86_E);
   }
   sgd_flow_call(e, offsetof(struct sgd_native_calls, kill), ins);
   sgd_x86_copy32(e->x, SGD_R12, SGD_RAX);
   sgd_x86_test32(e->x, SGD_RAX);
   sgd_flow_jump(e, SGD_X86_E, SGD_TO_LEAVE, n + 1);
   if (ins->flags & SGD_INS_GUARD)
      sgd_x86_land(e->x, none, e->x->size);
}

void
sgd_flow_call_region(struct sgd_flow *e, const struct sgd_region *r, size_t function)
{
   if (r->operands)
      sgd_flow_call(e, offsetof(struct sgd_native_calls, operands), &e->decoded->ins[r->first]);
   if (function != r->full) {
      sgd_x86_copy(e->x, SGD_RSI, SGD_RBX);
      sgd_x86_add_long(e->x, SGD_RSI, offsetof(struct sgd_warp, exec));
   }
   sgd_x86_copy(e->x, SGD_RDI, SGD_R13);
   sgd_x86_copy32(e->x, SGD_RDX, SGD_R12);
   if (r->uniform) {
      sgd_x86_get32(e->x, SGD_RCX, SGD_RBX, offsetof(struct sgd_warp, exec));
      sgd_x86_lowest_bit(e->x, SGD_RCX, SGD_RCX);
      sgd_x86_mul32(e->x, SGD_RCX, SGD_RCX, sizeof(uint32_t));
      sgd_x86_add_to(e->x, SGD_RCX, SGD_R13);
   }
   sgd_x86_call(e->x, function);
   if (r->textures) {
      sgd_x86_get(e->x, SGD_RAX, SGD_RBX, offsetof(struct sgd_warp, worker));
      sgd_x86_add_at(e->x, SGD_RAX,
                     offsetof(struct sgd_worker, counters) +
                        SGPU_COUNTER_TEXTURE_OPS * sizeof(uint64_t),
                     (int32_t)r->textures);
   }
}

static void
region(struct sgd_flow *e, const struct sgd_region *r)
{
   sgd_flow_call_region(e, r, r->full);
   e->count += r->length;
   if (!r->jump)
      return;
   /* The branch may be a backward branch, which compares the instruction count with the limit, so
    * the count must be up to date.
    */
   sgd_flow_count(e);
   emit_continue(e, r->next, r->next);
}

/* Emits code for instruction n, or for the region that starts at n. Returns the index of the next
 * instruction.
 */
static uint32_t
instruction(struct sgd_flow *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   if (e->region[n]) {
      region(e, e->region[n]);
      return n + e->region[n]->span;
   }
   switch ((enum sgd_ins_kind)ins->kind) {
   case SGD_INS_BRA:
   case SGD_INS_SYNC:
   case SGD_INS_BRK:
   case SGD_INS_CONT:
      branch(e, n);
      break;
   case SGD_INS_SSY:
   case SGD_INS_PBK:
   case SGD_INS_PCNT:
   case SGD_INS_NOP:
      e->count++;
      break;
   case SGD_INS_EXIT:
      exit_program(e, n);
      break;
   case SGD_INS_KIL:
   case SGD_INS_DMT:
      emit_kill(e, n);
      break;
   case SGD_INS_BAR:
   case SGD_INS_CLK:
      sgd_flow_count(e);
      sgd_flow_jump(e, SGD_X86_ALWAYS, SGD_TO_LEAVE, n);
      break;
   case SGD_INS_END:
      sgd_flow_count(e);
      sgd_flow_return(e, SGD_PROGRAM_ENDED);
      break;
   case SGD_INS_TEX:
      e->count++;
      sgd_flow_call(e, offsetof(struct sgd_native_calls, texture), ins);
      break;
   default:
      e->count++;
      if (!sgd_emit_memory(e, n))
         sgd_flow_call(e, offsetof(struct sgd_native_calls, other), ins);
      break;
   }
   return n + 1;
}

static const uint8_t saved[] = { SGD_RBP, SGD_RBX, SGD_R12, SGD_R13, SGD_R14, SGD_R15 };

/* Emits the prologue, which saves registers and moves the arguments of sgd_program_fn to the
 * registers in which the code expects them.
 */
static void
enter(struct sgd_flow *e)
{
   for (unsigned i = 0; i < ARRAY_SIZE(saved); i++)
      sgd_x86_push(e->x, saved[i]);
   sgd_x86_add(e->x, SGD_RSP, -8); /* keep rsp 16-byte aligned */
   sgd_x86_copy(e->x, SGD_RBX, SGD_RDI);
   sgd_x86_copy(e->x, SGD_R15, SGD_RSI);
   sgd_x86_copy(e->x, SGD_RBP, SGD_RDX);
   sgd_x86_copy32(e->x, SGD_R12, SGD_R8);
   sgd_x86_get(e->x, SGD_R13, SGD_RBX, offsetof(struct sgd_warp, file));
   sgd_x86_get(e->x, SGD_R14, SGD_RBX, offsetof(struct sgd_warp, issued));
   sgd_x86_jump_to(e->x, SGD_RCX);
}

static void
finish(struct sgd_flow *e)
{
   sgd_x86_put(e->x, SGD_RBX, offsetof(struct sgd_warp, issued), SGD_R14);
   sgd_x86_add(e->x, SGD_RSP, 8);
   for (unsigned i = ARRAY_SIZE(saved); i-- > 0;)
      sgd_x86_pop(e->x, saved[i]);
   sgd_x86_ret(e->x);
}

static void
program(struct sgd_flow *e, bool divergent)
{
   enter(e);
   for (uint32_t n = 0; n <= e->num_instrs;) {
      if (e->entries[n].point == SGPU_FLOW_UNREACHED) {
         n++;
         continue;
      }
      if (e->label[n]) {
         sgd_flow_count(e);
         e->place[n] = e->x->size;
         e->entries[n].offset = (uint32_t)e->x->size;
      }
      n = instruction(e, n);
   }
   if (divergent) {
      sgd_emit_divergent(e);
      sgd_emit_resume(e);
   }
   place_exits(e);
   finish(e);
   if (e->num_consts)
      sgd_x86_place_consts(e->x, (const uint32_t(*)[8])e->consts, e->num_consts);
}

bool
sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                 const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                 const int32_t *points, bool divergent, struct sgd_code_entry *entries,
                 size_t *place)
{
   const uint32_t num = shader->num_instrs + 1;
   struct sgd_flow e = {
      .x = x,
      .decoded = (const struct sgd_decoded *)shader->code,
      .num_instrs = shader->num_instrs,
      .scratch_words = shader->scratch_size / 4,
      .region = calloc(num, sizeof(*e.region)),
      .entries = entries,
      .place = malloc(num * sizeof(*e.place)),
      .divergent = malloc(num * sizeof(*e.divergent)),
      .label = calloc(num, sizeof(*e.label)),
      .resume = SGD_NO_PLACE,
      .leave_at = SGD_NO_PLACE,
   };
   e.ok = e.region && e.place && e.divergent && e.label;
   if (e.ok) {
      *place = x->size;
      memset(e.place, 0xff, num * sizeof(*e.place));
      memset(e.divergent, 0xff, num * sizeof(*e.divergent));
      memcpy(e.label, target, num * sizeof(*e.label));
      e.label[0] = true;
      for (uint32_t n = 0; n < num; n++)
         entries[n].point = points[n];
      for (uint32_t i = 0; i < num_regions; i++) {
         e.region[regions[i].first] = &regions[i];
         e.quad |= regions[i].quad;
         if (regions[i].jump)
            e.label[regions[i].next] = true;
      }
      program(&e, divergent);
   }
   free(e.region);
   free(e.place);
   free(e.divergent);
   free(e.label);
   free(e.jumps);
   free(e.consts);
   return e.ok && !x->out_of_memory;
}
