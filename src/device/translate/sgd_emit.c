/* SPDX-License-Identifier: MIT */
/*
 * Translator: allocation of registers, and machine code of a region.
 *
 * The code is a loop over chunks of eight lanes:
 *
 *    rdi  the register file, moved to the chunk's lanes
 *    rdx  the register file
 *    rsi  which lanes keep their registers, moved alike
 *    r8   predicates, moved to the chunk's byte
 *    ecx  chunks left
 *    r9   chunks
 *    r10, r11  predicates that are stored as a whole, behind the loop: who reads a predicate
 *         next waits for the stores of its single bytes
 *
 * Values live in the sixteen vector registers.  Where they do not fit, the one whose next use
 * is the furthest leaves its register (Belady 1966), to the stack or, where it can be loaded
 * again from where it came, to nowhere.  Constants that are left stay in registers over the
 * loop.  What follows from constants alone is computed before it, and kept on the stack.
 */
#include "sgd_emit.h"

#include <stdlib.h>
#include <string.h>

#include "sgd_ir_fold.h"
#include "sgd_schedule.h"
#include "util/macros.h"

#define REGS 16
#define NONE 0xff
#define NO_SLOT 0xffff
#define CHUNK_BYTES 32
/* Chunks of a warp that executes, about. */
#define MEAN_CHUNKS 3
#define NEVER UINT32_MAX

struct value {
   uint32_t first, end; /* of its uses, in `uses`: those left */
   uint16_t slot;       /* on the stack */
   uint8_t reg;
   bool moved; /* a LOAD whose place has another value now */
   bool pinned;
};

struct emit {
   struct sgd_x86 *x;
   const struct sgd_ir *ir;
   bool masked;
   struct sgd_schedule schedule;
   struct value *values;
   uint32_t *uses;      /* steps */
   uint16_t *constants; /* nodes that are SPLAT or CONST */
   uint32_t num_constants;
   uint16_t owner[REGS];
   uint32_t used;   /* registers with values */
   uint32_t locked; /* those of the present instruction */
   uint32_t slots;
   uint32_t cost; /* loads and stores, but for those of results */
   uint32_t regs; /* that are there */
   uint16_t keep; /* the node; NO_SLOT: none */
   bool preds;
   uint32_t held[2]; /* offsets of predicates in r10, r11 */
   unsigned num_held;
};

static uint32_t
next_use(const struct emit *e, uint16_t node)
{
   const struct value *v = &e->values[node];
   return v->first < v->end ? e->uses[v->first] : NEVER;
}

/* -- steps and uses --------------------------------------------------------------- */

/* Sources of a step. */
static unsigned
step_sources(const struct emit *e, const struct sgd_step *s, uint16_t out[4])
{
   unsigned count = 0;
   if (s->store) {
      out[count++] = e->ir->stores[s->what].value;
      if (e->masked)
         out[count++] = e->keep;
      return count;
   }
   const struct sgd_ir_node *n = &e->ir->nodes[s->what];
   for (unsigned i = 0; i < sgd_ir_num_srcs(n); i++)
      out[count++] = n->src[i];
   return count;
}

static bool
find_uses(struct emit *e)
{
   uint32_t total = 0;
   uint16_t src[4];

   for (uint32_t i = 0; i < e->schedule.num_steps; i++) {
      const unsigned count = step_sources(e, &e->schedule.steps[i], src);
      for (unsigned s = 0; s < count; s++)
         e->values[src[s]].end++;
      total += count;
   }
   e->uses = malloc(sizeof(*e->uses) * (total + 1));
   if (!e->uses)
      return false;
   uint32_t at = 0;
   for (uint32_t i = 0; i < e->ir->num_nodes; i++) {
      struct value *v = &e->values[i];
      v->first = at;
      at += v->end;
      v->end = v->first;
   }
   for (uint32_t i = 0; i < e->schedule.num_steps; i++) {
      const unsigned count = step_sources(e, &e->schedule.steps[i], src);
      for (unsigned s = 0; s < count; s++)
         e->uses[e->values[src[s]].end++] = i;
   }
   return true;
}

/* -- registers ------------------------------------------------------------------ */

static struct sgd_x86_rm
slot_place(unsigned slot)
{
   return sgd_rm_mem(SGD_RSP, CHUNK_BYTES * slot);
}

/* Where a value can be loaded from that is in no register. */
static bool
in_memory(const struct emit *e, uint16_t node, struct sgd_x86_rm *rm)
{
   const struct value *v = &e->values[node];
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   if (v->slot != NO_SLOT) {
      *rm = slot_place(v->slot);
      return true;
   }
   if (n->kind == SGD_IR_LOAD && !v->moved) {
      *rm = sgd_rm_mem(SGD_RDI, n->where);
      return true;
   }
   if (n->kind == SGD_IR_CONST) {
      *rm = sgd_rm_const(n->where);
      return true;
   }
   if (n->kind == SGD_IR_KEEP) {
      *rm = sgd_rm_mem(SGD_RSI, 0);
      return true;
   }
   return false;
}

static void
release(struct emit *e, unsigned reg)
{
   e->values[e->owner[reg]].reg = NONE;
   e->used &= ~(1u << reg);
}

static void
spill(struct emit *e, uint16_t node)
{
   struct value *v = &e->values[node];
   struct sgd_x86_rm rm;
   if (in_memory(e, node, &rm) || e->ir->nodes[node].kind == SGD_IR_SPLAT)
      return;
   v->slot = e->slots++;
   e->cost++;
   sgd_x86_store(e->x, slot_place(v->slot), v->reg);
}

static unsigned
take(struct emit *e, uint16_t node)
{
   const uint32_t free_regs = ~e->used & e->regs;
   unsigned reg = NONE;
   if (free_regs) {
      reg = ffs(free_regs) - 1;
   } else {
      uint32_t furthest = 0;
      for (unsigned r = 0; r < REGS; r++) {
         if (!(e->regs & ~e->locked & 1u << r) || e->values[e->owner[r]].pinned)
            continue;
         const uint32_t next = next_use(e, e->owner[r]);
         if (reg == NONE || next > furthest) {
            reg = r;
            furthest = next;
         }
      }
      assert(reg != NONE);
      if (furthest != NEVER)
         spill(e, e->owner[reg]);
      release(e, reg);
   }
   e->owner[reg] = node;
   e->used |= 1u << reg;
   e->locked |= 1u << reg;
   e->values[node].reg = reg;
   return reg;
}

static unsigned
in_register(struct emit *e, uint16_t node)
{
   struct value *v = &e->values[node];
   if (v->reg != NONE) {
      e->locked |= 1u << v->reg;
      return v->reg;
   }
   struct sgd_x86_rm rm;
   const bool memory = in_memory(e, node, &rm);
   const unsigned reg = take(e, node);
   e->cost++;
   if (memory)
      sgd_x86_load(e->x, reg, rm);
   else
      sgd_x86_splat(e->x, reg, sgd_rm_mem(SGD_RDX, e->ir->nodes[node].where));
   return reg;
}

/* The operand that may be memory: it is where that saves a register. */
static struct sgd_x86_rm
operand(struct emit *e, uint16_t node)
{
   const struct value *v = &e->values[node];
   struct sgd_x86_rm rm;
   const bool again = v->end - v->first > 1;
   if (v->reg == NONE && in_memory(e, node, &rm) && (!again || !(~e->used & e->regs)))
      return rm;
   return sgd_rm_reg(in_register(e, node));
}

/* The step's uses are over. */
static void
used(struct emit *e, uint32_t step, const uint16_t *src, unsigned count)
{
   for (unsigned s = 0; s < count; s++) {
      struct value *v = &e->values[src[s]];
      while (v->first < v->end && e->uses[v->first] <= step)
         v->first++;
      if (v->first == v->end && v->reg != NONE && !v->pinned)
         release(e, v->reg);
   }
}

/* -- instructions ----------------------------------------------------------------- */

static bool
commutes(enum sgd_x86_op op)
{
   switch (op) {
   case SGD_VPAND:
   case SGD_VPOR:
   case SGD_VPXOR:
   case SGD_VPADDD:
   case SGD_VPADDQ:
   case SGD_VPMULLD:
   case SGD_VPCMPEQD:
   case SGD_VPMINSD:
   case SGD_VPMINUD:
   case SGD_VPMAXSD:
   case SGD_VPMAXUD:
      return true;
   default:
      return false;
   }
}

/* Where only the payload of a NaN depends on the order. */
static bool
commutes_but_nan(enum sgd_x86_op op)
{
   return op == SGD_VADDPS || op == SGD_VMULPS;
}

static void
emit_op(struct emit *e, uint32_t step, uint16_t node)
{
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   const struct sgd_x86_info *info = &sgd_x86_info[n->op];
   uint16_t src[4];
   const unsigned count = step_sources(e, &e->schedule.steps[step], src);
   const bool three = info->form == SGD_X86_RVM || info->form == SGD_X86_RVMI ||
                      info->form == SGD_X86_RVMR;
   unsigned a = 0, c = 0, imm = n->imm;
   struct sgd_x86_rm rm;

   if (three) {
      uint16_t first = n->src[0], second = n->src[1];
      if ((commutes(n->op) || (commutes_but_nan(n->op) && !n->exact) || n->op == SGD_VCMPPS) &&
          e->values[first].reg == NONE && e->values[second].reg != NONE) {
         first = n->src[1];
         second = n->src[0];
         if (n->op == SGD_VCMPPS)
            imm = sgd_ir_swapped_comparison(imm);
      }
      a = in_register(e, first);
      if (info->form == SGD_X86_RVMR)
         c = in_register(e, n->src[2]);
      rm = operand(e, second);
   } else if (info->form == SGD_X86_RM || info->form == SGD_X86_RMI) {
      rm = operand(e, n->src[0]);
   } else {
      rm = sgd_rm_reg(in_register(e, n->src[0]));
   }
   used(e, step, src, count);
   const unsigned d = take(e, node);
   sgd_x86_vector(e->x, n->op, imm, d, a, rm, c);
}

static void
emit_canon(struct emit *e, uint32_t step, uint16_t node)
{
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   const unsigned a = in_register(e, n->src[0]);
   const struct sgd_x86_rm nan = operand(e, n->src[1]);
   uint16_t src[4];
   const unsigned count = step_sources(e, &e->schedule.steps[step], src);
   /* The result's register holds the test first, so it is none of the sources'. */
   const unsigned d = take(e, node);
   sgd_x86_vector(e->x, SGD_VCMPPS, 3, d, a, sgd_rm_reg(a), 0);
   sgd_x86_vector(e->x, SGD_VBLENDVPS, 0, d, a, nan, d);
   used(e, step, src, count);
}

/* The lanes of a predicate as a mask. */
static void
load_pred(struct emit *e, unsigned d, uint32_t offset)
{
   const struct sgd_x86_rm bits = sgd_rm_const(SGD_IR_LANE_BITS);
   sgd_x86_splat_byte(e->x, d, sgd_rm_mem(SGD_R8, offset));
   sgd_x86_vector(e->x, SGD_VPAND, 0, d, d, bits, 0);
   sgd_x86_vector(e->x, SGD_VPCMPEQD, 0, d, d, bits, 0);
}

/* The place gets another value: what was there is needed in a register. */
static void
save_place(struct emit *e, uint32_t offset)
{
   const int old = sgd_ir_find_load(e->ir, offset);
   if (old < 0 || e->values[old].moved)
      return;
   struct value *v = &e->values[old];
   if (v->first < v->end && v->slot == NO_SLOT)
      in_register(e, old);
   v->moved = true;
}

/* A register that is free behind the present instruction. */
static unsigned
scratch(struct emit *e)
{
   const uint16_t none = e->ir->num_nodes; /* a value without uses */
   const unsigned reg = take(e, none);
   release(e, reg);
   return reg;
}

static void
emit_store(struct emit *e, uint32_t step, const struct sgd_ir_store *s)
{
   uint16_t src[4];
   const unsigned count = step_sources(e, &e->schedule.steps[step], src);
   unsigned from = in_register(e, s->value);
   const unsigned keep = e->masked ? in_register(e, e->keep) : 0;
   if (!s->pred)
      save_place(e, s->offset);
   if (e->masked) {
      const unsigned value = from;
      struct sgd_x86_rm old = sgd_rm_mem(SGD_RDI, s->offset);
      from = scratch(e);
      if (s->pred) {
         load_pred(e, from, s->offset);
         old = sgd_rm_reg(from);
      }
      sgd_x86_vector(e->x, SGD_VBLENDVPS, 0, from, value, old, keep);
   }
   if (s->pred && e->num_held < ARRAY_SIZE(e->held)) {
      sgd_x86_push_signs(e->x, SGD_R10 + e->num_held, from);
      e->held[e->num_held++] = s->offset;
   } else if (s->pred) {
      sgd_x86_store_signs(e->x, sgd_rm_mem(SGD_R8, s->offset), from);
   } else {
      sgd_x86_store(e->x, sgd_rm_mem(SGD_RDI, s->offset), from);
   }
   used(e, step, src, count);
}

static void
steps(struct emit *e, uint32_t first, uint32_t end)
{
   for (uint32_t i = first; i < end; i++) {
      const struct sgd_step *s = &e->schedule.steps[i];
      e->locked = 0;
      if (s->store)
         emit_store(e, i, &e->ir->stores[s->what]);
      else if (e->ir->nodes[s->what].kind == SGD_IR_OP)
         emit_op(e, i, s->what);
      else if (e->ir->nodes[s->what].kind == SGD_IR_CANON)
         emit_canon(e, i, s->what);
      else
         load_pred(e, take(e, s->what), e->ir->nodes[s->what].where);
   }
}

/* What is computed before the loop goes to the stack.  The loop begins with pinned registers
 * alone.
 */
static void
before_loop(struct emit *e)
{
   steps(e, 0, e->schedule.num_before);
   for (unsigned r = 0; r < REGS; r++) {
      if (!(e->used & 1u << r) || e->values[e->owner[r]].pinned)
         continue;
      spill(e, e->owner[r]);
      release(e, r);
   }
}

/* Puts up to `count` constants into registers for the whole loop: words of the file first,
 * since each of their loads is an instruction.  Returns how many there were.
 */
static unsigned
pin(struct emit *e, unsigned count)
{
   for (unsigned c = 0; c < count; c++) {
      uint32_t best = 0, best_uses = 0;
      for (uint32_t k = 0; k < e->num_constants; k++) {
         const uint16_t i = e->constants[k];
         const struct value *v = &e->values[i];
         const uint32_t weight = e->ir->nodes[i].kind == SGD_IR_SPLAT ? 4 : 1;
         const uint32_t uses = (v->end - v->first) * weight;
         if (!v->pinned && uses > best_uses) {
            best = i;
            best_uses = uses;
         }
      }
      if (!best_uses)
         return c;
      in_register(e, best);
      e->values[best].pinned = true;
   }
   return count;
}

static void
start(struct emit *e)
{
   e->used = e->locked = e->slots = e->cost = e->num_held = 0;
   e->regs = (1u << REGS) - 1;
   uint32_t at = 0;
   for (uint32_t i = 0; i <= e->ir->num_nodes; i++) {
      struct value *v = &e->values[i];
      v->first = at; /* uses of values follow each other */
      at = v->end;
      v->slot = NO_SLOT;
      v->reg = NONE;
      v->moved = v->pinned = false;
   }
}

/* Returns how many constants it has pinned. */
static unsigned
function(struct emit *e, unsigned pinned, unsigned slots)
{
   start(e);
   sgd_x86_enter(e->x, slots);
   sgd_x86_copy(e->x, SGD_RCX, SGD_RDX);
   sgd_x86_copy(e->x, SGD_RDX, SGD_RDI);
   if (e->preds) {
      sgd_x86_copy(e->x, SGD_R8, SGD_RDI);
      sgd_x86_copy(e->x, SGD_R9, SGD_RCX);
   }
   pinned = pin(e, pinned);
   before_loop(e);
   e->cost = 0;
   const size_t place = e->x->size;
   steps(e, e->schedule.num_before, e->schedule.num_steps);
   sgd_x86_add(e->x, SGD_RDI, CHUNK_BYTES);
   if (e->masked)
      sgd_x86_add(e->x, SGD_RSI, CHUNK_BYTES);
   if (e->preds)
      sgd_x86_add(e->x, SGD_R8, 1);
   sgd_x86_loop(e->x, SGD_RCX, place);
   for (unsigned h = 0; h < e->num_held; h++)
      sgd_x86_store_pushed(e->x, sgd_rm_mem(SGD_RDX, e->held[h]), SGD_R10 + h, SGD_R9);
   sgd_x86_leave(e->x, slots);
   return pinned;
}

/* Allocates registers without code.  Returns how many constants are pinned. */
static unsigned
try_pinned(struct emit *e, unsigned pinned)
{
   e->x->dry = true;
   pinned = function(e, pinned, 1);
   e->x->dry = false;
   return pinned;
}

/* The number of pinned constants with the least cost. */
static unsigned
choose_pinned(struct emit *e, unsigned *slots)
{
   static const uint8_t tries[] = { 0, 2, 4, 6, 8, 10, 12 };
   uint32_t least = UINT32_MAX;
   unsigned best = 0, worse = 0; /* in a row */

   for (unsigned t = 0; t < ARRAY_SIZE(tries) && worse < 2; t++) {
      const unsigned pinned = try_pinned(e, tries[t]);
      const uint32_t cost = MEAN_CHUNKS * e->cost + pinned;
      if (cost < least) {
         least = cost;
         best = tries[t];
         *slots = e->slots;
         worse = 0;
      } else {
         worse++;
      }
      if (pinned < tries[t] || !e->cost)
         break;
   }
   return best;
}

bool
sgd_emit(struct sgd_x86 *x, const struct sgd_ir *ir, bool masked, unsigned *pinned)
{
   struct emit e = { .x = x, .ir = ir, .masked = masked, .keep = NO_SLOT };
   e.values = calloc(ir->num_nodes + 1, sizeof(*e.values)); /* and one for scratch() */
   e.constants = malloc(sizeof(*e.constants) * (ir->num_nodes + 1));
   for (uint32_t i = 0; e.constants && i < ir->num_nodes; i++) {
      if (ir->nodes[i].kind == SGD_IR_SPLAT || ir->nodes[i].kind == SGD_IR_CONST)
         e.constants[e.num_constants++] = i;
   }
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      e.keep = ir->nodes[i].kind == SGD_IR_KEEP ? i : e.keep;
      e.preds |= ir->nodes[i].kind == SGD_IR_PRED && ir->nodes[i].uses;
   }
   for (uint32_t i = 0; i < ir->num_stores; i++)
      e.preds |= ir->stores[i].pred;
   const bool ok = e.values && e.constants && sgd_schedule_make(&e.schedule, ir) && find_uses(&e);
   if (ok) {
      unsigned slots = 0;
      if (*pinned == SGD_EMIT_ANY) {
         *pinned = choose_pinned(&e, &slots);
      } else {
         try_pinned(&e, *pinned);
         slots = e.slots;
      }
      function(&e, *pinned, slots);
   }
   sgd_schedule_finish(&e.schedule);
   free(e.values);
   free(e.constants);
   free(e.uses);
   return ok && !x->out_of_memory;
}
