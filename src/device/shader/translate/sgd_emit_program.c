/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits machine code for a whole program.
 *
 * The code executes a warp as long as control flow is uniform, i.e. as long as no lane waits while
 * others execute. In this case all open points of the synchronization stack have the same lanes,
 * and the position in the program determines which points are open (sgpu_flow.c). Hence SSY, PBK,
 * PCNT and SYNC need no code, and BRK and CONT are branches. If lanes diverge, the code returns to
 * the interpreter.
 *
 *    rbx   the warp
 *    r15   table of the interpreter's functions
 *    r13   the register file
 *    r12d  number of eight-lane chunks
 *    r14   number of instructions issued, updated at the end of straight-line code
 *    rbp   value of r14 at which loops return to the interpreter, which stops programs that issue
 *          too many instructions
 */
#include "shader/translate/sgd_emit_program.h"

#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_translation.h"
#include "sgpu_flow.h"
#include "sgpu_isa.h"
#include "util/macros.h"

#define NO_PLACE SIZE_MAX

/* A jump whose target address is not known yet. */
struct jump {
   size_t from;
   uint32_t to;  /* index of the target instruction */
   uint8_t kind; /* enum jump_kind */
};

enum jump_kind {
   TO_CODE,  /* jump to the code of the instruction, or act like TO_LEAVE if it has no code */
   TO_LEAVE, /* return the index of the instruction, which must be executed next */
   TO_UNDO,  /* like TO_LEAVE, but subtract the instruction from the instruction count first */
   TO_OUT,   /* return the value in eax */
   NUM_KINDS
};

struct emit {
   struct sgd_x86 *x;
   const struct sgd_decoded *decoded;
   uint32_t num_instrs;
   const struct sgd_region **region; /* region that starts at each instruction, or NULL */
   struct sgd_code_entry *entries;
   size_t *place;  /* offset of each instruction's code, for instructions in `label` */
   bool *label;    /* set for each instruction that is the target of a jump */
   uint32_t count; /* number of instructions since r14 was last updated */
   struct jump *jumps;
   uint32_t num_jumps, room;
   bool ok;
};

/* -- open points ------------------------------------------------------------------ */

/* Returns the index of the instruction that opened the innermost point of the given kind, among the
 * points that are open at instruction n. Returns SGPU_FLOW_NO_POINT if there is no such point.
 */
static int32_t
open_point(const struct emit *e, uint32_t n, unsigned kind)
{
   int32_t p = e->entries[n].point;
   while (p >= 0 && e->decoded->ins[p].kind != kind)
      p = e->entries[p].point;
   return p;
}

/* Returns the index of the instruction at which all lanes continue after BRA, SYNC, BRK or CONT, or
 * num_instrs + 1 if it is unknown.
 */
static uint32_t
destination(const struct emit *e, uint32_t n)
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

/* Finds the points that are open at each instruction. Returns false if an allocation fails. */
static bool
find_points(struct emit *e, const uint32_t *words)
{
   struct sgpu_flow_instr *flow = calloc(e->num_instrs + 1, sizeof(*flow));
   int32_t *points = malloc(sizeof(*points) * (e->num_instrs + 1));
   uint32_t depth, where;
   bool ok = flow && points;

   for (uint32_t n = 0; ok && n < e->num_instrs; n++) {
      struct sgpu_instr instr;
      ok = !sgpu_instr_unpack(words + 4 * n, &instr);
      flow[n].opcode = instr.opcode;
      flow[n].guarded = instr.guard.en;
      flow[n].target = instr.target;
   }
   ok = ok && !sgpu_flow_check(flow, e->num_instrs, &depth, &where, points);
   for (uint32_t n = 0; ok && n <= e->num_instrs; n++)
      e->entries[n].point = points[n];
   free(flow);
   free(points);
   return ok;
}

/* -- jumps ------------------------------------------------------------------------- */

static void
jump(struct emit *e, enum sgd_x86_cond cond, enum jump_kind kind, uint32_t to)
{
   if (e->num_jumps == e->room) {
      const uint32_t room = MAX2(64, 2 * e->room);
      struct jump *jumps = realloc(e->jumps, room * sizeof(*jumps));
      if (!jumps) {
         e->ok = false;
         return;
      }
      e->jumps = jumps;
      e->room = room;
   }
   e->jumps[e->num_jumps++] = (struct jump){ sgd_x86_jump(e->x, cond), to, kind };
}

/* Emits code that sets eax to the result and jumps to the end of the function. */
static void
emit_return(struct emit *e, uint32_t result)
{
   sgd_x86_set(e->x, SGD_RAX, result);
   jump(e, SGD_X86_ALWAYS, TO_OUT, 0);
}

/* Sets the targets of all jumps. If the target instruction of a jump has no code, emits an exit
 * from the function.
 */
static void
place_exits(struct emit *e)
{
   const uint32_t num = e->num_jumps;
   for (uint32_t i = 0; e->ok && i < num; i++) {
      const struct jump *j = &e->jumps[i];
      if (j->kind == TO_OUT)
         continue;
      size_t place = j->kind == TO_CODE ? e->place[j->to] : NO_PLACE;
      if (place == NO_PLACE) {
         const uint32_t to = j->to;
         const size_t from = j->from;
         place = e->x->size;
         if (j->kind == TO_UNDO)
            sgd_x86_add(e->x, SGD_R14, -1);
         emit_return(e, to);
         sgd_x86_land(e->x, from, place);
      } else {
         sgd_x86_land(e->x, j->from, place);
      }
   }
   const size_t out = e->x->size;
   for (uint32_t i = 0; e->ok && i < e->num_jumps; i++)
      if (e->jumps[i].kind == TO_OUT)
         sgd_x86_land(e->x, e->jumps[i].from, out);
}

/* -- instructions ------------------------------------------------------------------ */

static void
flush_count(struct emit *e)
{
   if (e->count)
      sgd_x86_add_long(e->x, SGD_R14, (int32_t)e->count);
   e->count = 0;
}

/* Emits a jump from instruction n to instruction `to`, which all lanes take. Instruction n must
 * have been counted already.
 */
static void
emit_continue(struct emit *e, uint32_t n, uint32_t to)
{
   if (to <= n) {
      sgd_x86_compare(e->x, SGD_R14, SGD_RBP);
      jump(e, SGD_X86_AE, TO_LEAVE, to);
   }
   jump(e, SGD_X86_ALWAYS, TO_CODE, to);
}

/* Loads the mask of the executing lanes to ecx, and the mask of those whose guard is true to eax.
 * Sets the flags of the host CPU according to eax.
 */
static void
guard(struct emit *e, const struct sgd_ins *ins)
{
   sgd_x86_get32(e->x, SGD_RAX, SGD_R13, SGD_FILE_PRED + 4 * ins->guard);
   sgd_x86_get32(e->x, SGD_RCX, SGD_RBX, offsetof(struct sgd_warp, exec));
   sgd_x86_not_and32(e->x, SGD_RAX, SGD_RCX, ins->flags & SGD_INS_GUARD_NOT);
}

/* Emits code that skips instruction n if its guard is false in all lanes. If lanes disagree, the
 * code returns to the interpreter. Returns the jump that skips the instruction, whose target the
 * caller must set.
 */
static size_t
all_or_none(struct emit *e, uint32_t n)
{
   guard(e, &e->decoded->ins[n]);
   const size_t none = sgd_x86_jump(e->x, SGD_X86_E);
   sgd_x86_compare(e->x, SGD_RAX, SGD_RCX);
   jump(e, SGD_X86_NE, TO_UNDO, n);
   return none;
}

static void
branch(struct emit *e, uint32_t n)
{
   const bool guarded = e->decoded->ins[n].flags & SGD_INS_GUARD &&
                        e->decoded->ins[n].kind != SGD_INS_SYNC;
   const uint32_t to = destination(e, n);
   if (to > e->num_instrs) {
      flush_count(e);
      jump(e, SGD_X86_ALWAYS, TO_LEAVE, n);
      return;
   }
   e->count++;
   flush_count(e);
   const size_t none = guarded ? all_or_none(e, n) : 0;
   emit_continue(e, n, to);
   if (guarded)
      sgd_x86_land(e->x, none, e->x->size);
}

static void
exit_program(struct emit *e, uint32_t n)
{
   const bool guarded = e->decoded->ins[n].flags & SGD_INS_GUARD;
   e->count++;
   flush_count(e);
   const size_t none = guarded ? all_or_none(e, n) : 0;
   emit_return(e, SGD_PROGRAM_ENDED);
   if (guarded)
      sgd_x86_land(e->x, none, e->x->size);
}

static void
call(struct emit *e, size_t function, const void *argument)
{
   sgd_x86_copy(e->x, SGD_RDI, SGD_RBX);
   sgd_x86_set(e->x, SGD_RSI, (uintptr_t)argument);
   sgd_x86_call_at(e->x, SGD_R15, (int32_t)function);
}

/* Emits a call of the interpreter's function for KIL and DMT, which returns the number of chunks
 * that still have lanes.
 */
static void
emit_kill(struct emit *e, uint32_t n)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   size_t none = 0;
   e->count++;
   flush_count(e);
   if (ins->flags & SGD_INS_GUARD) {
      guard(e, ins);
      none = sgd_x86_jump(e->x, SGD_X86_E);
   }
   call(e, offsetof(struct sgd_native_calls, kill), ins);
   sgd_x86_copy32(e->x, SGD_R12, SGD_RAX);
   sgd_x86_test32(e->x, SGD_RAX);
   jump(e, SGD_X86_E, TO_LEAVE, n + 1);
   if (ins->flags & SGD_INS_GUARD)
      sgd_x86_land(e->x, none, e->x->size);
}

static void
region(struct emit *e, const struct sgd_region *r)
{
   sgd_x86_copy(e->x, SGD_RDI, SGD_R13);
   sgd_x86_copy32(e->x, SGD_RDX, SGD_R12);
   sgd_x86_call(e->x, r->full);
   e->count += r->length;
   if (!r->jump)
      return;
   /* The branch may be a backward branch, which compares the instruction count with the limit, so
    * the count must be up to date.
    */
   flush_count(e);
   emit_continue(e, r->next, r->next);
}

/* Emits code for instruction n, or for the region that starts at n. Returns the index of the next
 * instruction.
 */
static uint32_t
instruction(struct emit *e, uint32_t n)
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
      flush_count(e);
      jump(e, SGD_X86_ALWAYS, TO_LEAVE, n);
      break;
   case SGD_INS_END:
      flush_count(e);
      emit_return(e, SGD_PROGRAM_ENDED);
      break;
   case SGD_INS_TEX:
      e->count++;
      call(e, offsetof(struct sgd_native_calls, texture), ins);
      break;
   default:
      e->count++;
      call(e, offsetof(struct sgd_native_calls, other), ins);
      break;
   }
   return n + 1;
}

static const uint8_t saved[] = { SGD_RBP, SGD_RBX, SGD_R12, SGD_R13, SGD_R14, SGD_R15 };

/* Emits the prologue, which saves registers and moves the arguments of sgd_program_fn to the
 * registers in which the code expects them.
 */
static void
enter(struct emit *e)
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
finish(struct emit *e)
{
   sgd_x86_put(e->x, SGD_RBX, offsetof(struct sgd_warp, issued), SGD_R14);
   sgd_x86_add(e->x, SGD_RSP, 8);
   for (unsigned i = ARRAY_SIZE(saved); i-- > 0;)
      sgd_x86_pop(e->x, saved[i]);
   sgd_x86_ret(e->x);
}

static void
program(struct emit *e)
{
   enter(e);
   for (uint32_t n = 0; n <= e->num_instrs;) {
      if (e->entries[n].point == SGPU_FLOW_UNREACHED) {
         n++;
         continue;
      }
      if (e->label[n]) {
         flush_count(e);
         e->place[n] = e->x->size;
         e->entries[n].offset = (uint32_t)e->x->size;
      }
      n = instruction(e, n);
   }
   place_exits(e);
   finish(e);
}

bool
sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                 const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                 struct sgd_code_entry *entries, size_t *place)
{
   const uint32_t num = shader->num_instrs + 1;
   struct emit e = {
      .x = x,
      .decoded = (const struct sgd_decoded *)shader->code,
      .num_instrs = shader->num_instrs,
      .region = calloc(num, sizeof(*e.region)),
      .entries = entries,
      .place = malloc(num * sizeof(*e.place)),
      .label = calloc(num, sizeof(*e.label)),
   };
   e.ok = e.region && e.place && e.label && find_points(&e, shader->words);
   if (e.ok) {
      *place = x->size;
      memset(e.place, 0xff, num * sizeof(*e.place));
      memcpy(e.label, target, num * sizeof(*e.label));
      e.label[0] = true;
      for (uint32_t i = 0; i < num_regions; i++) {
         e.region[regions[i].first] = &regions[i];
         if (regions[i].jump)
            e.label[regions[i].next] = true;
      }
      program(&e);
   }
   free(e.region);
   free(e.place);
   free(e.label);
   free(e.jumps);
   return e.ok && !x->out_of_memory;
}
