/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits the machine code of a region.
 *
 * The code is a loop over eight-lane chunks. If there are enough registers, each iteration
 * processes two chunks and interleaves their independent instructions (sgd_ir_pair()), because
 * dependent instructions leave execution ports of the host CPU idle. If the number of chunks is
 * odd, the last chunk is processed after the loop. With AVX-512, a vector has two
 * chunks, if all operations have a form for 16 lanes, and a pair is the whole warp.
 *
 *    rdi       register file, plus the offset of the chunk's lanes
 *    rdx       register file
 *    rsi       mask of the executing lanes, plus the offset of the chunk's byte
 *    rax       before the loop: register file, plus the offset of an executing lane; in the loop,
 *              the address of a texture, or an intermediate value
 *    r8        predicates, plus the offset of the chunk's byte
 *    ecx       number of remaining chunks
 *    r9        number of chunks
 *    r10, r11  predicates that are only stored after the loop, because a load of all lanes would
 *              stall on stores of single bytes
 *
 * Values live in the vector registers (sgd_regalloc.c). Values that depend only on
 * constants are computed before the loop and kept on the stack.
 */
#include "shader/translate/sgd_emit.h"

#include <stdlib.h>
#include <string.h>

#include "shader/translate/sgd_emit_code.h"
#include "shader/translate/sgd_ir_fold.h"
#include "shader/translate/sgd_ir_wide.h"
#include "util/macros.h"

/* Estimated mean number of chunks that a warp has to process. */
#define MEAN_CHUNKS 4

/* Processing chunks in pairs pays off if the loop has at least this number of steps per additional
 * load or store.
 */
#define STEPS_FOR_SPILL 5

/* Returns true if the two sources can be swapped. For a comparison, swapping them also changes the
 * immediate.
 */
static bool
commutes(const struct sgd_ir_node *n)
{
   const unsigned how = sgd_x86_info[n->op].commutes;
   return how == SGD_COMMUTES_YES || (how == SGD_COMMUTES_BUT_NAN && !n->exact) ||
          n->op == SGD_VCMPPS;
}

static void
emit_op(struct sgd_code *e, uint32_t step, uint16_t node)
{
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   const struct sgd_x86_info *info = &sgd_x86_info[n->op];
   const bool three = info->form == SGD_X86_RVM || info->form == SGD_X86_RVMI ||
                      info->form == SGD_X86_RVMR;
   unsigned a = 0, c = 0, imm = n->imm;
   struct sgd_x86_rm rm;

   if (three) {
      uint16_t first = n->src[0], second = n->src[1];
      if (commutes(n) && !sgd_regalloc_has(&e->ra, first) && sgd_regalloc_has(&e->ra, second)) {
         first = n->src[1];
         second = n->src[0];
         if (n->op == SGD_VCMPPS)
            imm = sgd_ir_swapped_comparison(imm);
      }
      a = sgd_regalloc_source(&e->ra, first);
      if (info->form == SGD_X86_RVMR)
         c = sgd_regalloc_source(&e->ra, n->src[2]);
      rm = sgd_regalloc_operand(&e->ra, second);
   } else if (info->form == SGD_X86_RM || info->form == SGD_X86_RMI) {
      rm = sgd_regalloc_operand(&e->ra, n->src[0]);
   } else {
      rm = sgd_rm_reg(sgd_regalloc_source(&e->ra, n->src[0]));
   }
   sgd_regalloc_end_uses(&e->ra, step);
   const unsigned d = sgd_regalloc_take(&e->ra, node);
   sgd_x86_vector(e->x, n->op, imm, d, a, rm, c);
}

static void
emit_canon(struct sgd_code *e, uint32_t step, uint16_t node)
{
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   const unsigned a = sgd_regalloc_source(&e->ra, n->src[0]);
   const struct sgd_x86_rm nan = sgd_regalloc_operand(&e->ra, n->src[1]);
   /* d holds the result of the test first, so it must not be one of the source registers. */
   const unsigned d = sgd_regalloc_take(&e->ra, node);
   sgd_x86_canon(e->x, d, a, nan);
   sgd_regalloc_end_uses(&e->ra, step);
}

static void
emit_gather(struct sgd_code *e, uint32_t step, uint16_t node)
{
   const struct sgd_ir_node *n = &e->ir->nodes[node];
   const unsigned index = sgd_regalloc_source(&e->ra, n->src[0]);
   const unsigned d = sgd_regalloc_take(&e->ra, node);
   const unsigned mask = e->x->wide ? d : sgd_regalloc_scratch(&e->ra);
   sgd_x86_get(e->x, SGD_RAX, SGD_RDX, (int32_t)n->where);
   sgd_x86_gather_all(e->x, d, SGD_RAX, index, mask);
   sgd_regalloc_end_uses(&e->ra, step);
}

/* Loads the eight executing lanes and expands them to a vector mask of the lanes that keep their
 * registers.
 */
static void
load_keep(struct sgd_code *e)
{
   const struct sgd_x86_rm bits = sgd_rm_const(SGD_IR_LANE_BITS);
   sgd_regalloc_start_step(&e->ra);
   const unsigned d = sgd_regalloc_take(&e->ra, e->ra.keep[0]);
   sgd_x86_splat_byte(e->x, d, sgd_rm_mem(SGD_RSI, 0));
   sgd_x86_vector(e->x, SGD_VPANDN, 0, d, d, bits, 0);
   sgd_x86_vector(e->x, SGD_VPCMPEQD, 0, d, d, bits, 0);
}

/* Loads the lanes of a predicate and expands them to a vector mask. */
static void
load_pred(struct sgd_code *e, unsigned d, uint32_t offset)
{
   if (e->x->wide) {
      sgd_x86_load_signs(e->x, d, sgd_rm_mem(SGD_R8, offset));
      return;
   }
   const struct sgd_x86_rm bits = sgd_rm_const(SGD_IR_LANE_BITS);
   sgd_x86_splat_byte(e->x, d, sgd_rm_mem(SGD_R8, offset));
   sgd_x86_vector(e->x, SGD_VPAND, 0, d, d, bits, 0);
   sgd_x86_vector(e->x, SGD_VPCMPEQD, 0, d, d, bits, 0);
}

/* Returns the index of the register (0 for r10, 1 for r11) that collects the predicate at `offset`,
 * or ARRAY_SIZE(e->held) if both are in use. The low two bits of the offset select the chunk.
 */
static unsigned
held_pred(struct sgd_code *e, uint32_t offset)
{
   unsigned h = 0;
   while (h < e->num_held && e->held[h] != (offset & ~3u))
      h++;
   if (h == e->num_held && h < ARRAY_SIZE(e->held))
      e->held[e->num_held++] = offset & ~3u;
   return h;
}

/* Emits a store of a loop, if it goes to a register. The predicate of BRK makes lanes keep their
 * registers.
 */
static bool
store_carried(struct sgd_code *e, uint32_t step, const struct sgd_ir_store *s)
{
   const struct sgd_code_loop *loop = e->loop;
   unsigned c = 0;
   while (c < loop->num_carried && (s->pred || e->ir->nodes[loop->carried[c]].where != s->offset))
      c++;
   if (c == loop->num_carried && !s->pred)
      return false;
   const unsigned from = sgd_regalloc_source(&e->ra, s->value);
   const unsigned keep = sgd_regalloc_source(&e->ra, sgd_regalloc_keep(&e->ra, s));
   if (!s->pred) {
      const unsigned to = sgd_regalloc_source(&e->ra, loop->carried[c]);
      sgd_x86_vector(e->x, SGD_VBLENDVPS, 0, to, from, sgd_rm_reg(to), keep);
   } else if (loop->invert) {
      const unsigned left = sgd_regalloc_scratch(&e->ra);
      sgd_x86_vector(e->x, SGD_VPXOR, 0, left, from, sgd_rm_const(loop->ones), 0);
      sgd_x86_vector(e->x, SGD_VPOR, 0, keep, left, sgd_rm_reg(keep), 0);
   } else {
      sgd_x86_vector(e->x, SGD_VPOR, 0, keep, from, sgd_rm_reg(keep), 0);
   }
   sgd_regalloc_end_uses(&e->ra, step);
   return true;
}

static void
emit_store(struct sgd_code *e, uint32_t step, const struct sgd_ir_store *s)
{
   if (e->loop && store_carried(e, step, s))
      return;
   unsigned from = sgd_regalloc_source(&e->ra, s->value);
   const unsigned held = s->pred ? held_pred(e, s->offset) : ARRAY_SIZE(e->held);
   const bool merged = e->masked && held == ARRAY_SIZE(e->held);
   const unsigned keep = merged ? sgd_regalloc_source(&e->ra, sgd_regalloc_keep(&e->ra, s)) : 0;
   if (!s->pred)
      sgd_regalloc_save(&e->ra, s->offset);
   if (merged) {
      const unsigned value = from;
      struct sgd_x86_rm old = sgd_rm_mem(SGD_RDI, s->offset);
      from = sgd_regalloc_scratch(&e->ra);
      if (s->pred) {
         load_pred(e, from, s->offset);
         old = sgd_rm_reg(from);
      }
      sgd_x86_vector(e->x, SGD_VBLENDVPS, 0, from, value, old, keep);
   }
   if (held < ARRAY_SIZE(e->held)) {
      sgd_x86_push_signs(e->x, SGD_R10 + held, from);
   } else if (s->pred) {
      sgd_x86_store_signs(e->x, sgd_rm_mem(SGD_R8, s->offset), from);
   } else {
      sgd_x86_store(e->x, sgd_rm_mem(SGD_RDI, s->offset), from);
   }
   sgd_regalloc_end_uses(&e->ra, step);
}

void
sgd_code_steps(struct sgd_code *e, uint32_t first, uint32_t end)
{
   for (uint32_t i = first; i < end; i++) {
      const struct sgd_step *s = &e->schedule.steps[i];
      sgd_x86_begin_instr(e->x,
                          e->ir->nodes[s->store ? e->ir->stores[s->what].value : s->what].instr);
      sgd_regalloc_start_step(&e->ra);
      if (s->store)
         emit_store(e, i, &e->ir->stores[s->what]);
      else if (e->ir->nodes[s->what].kind == SGD_IR_OP)
         emit_op(e, i, s->what);
      else if (e->ir->nodes[s->what].kind == SGD_IR_CANON)
         emit_canon(e, i, s->what);
      else if (e->ir->nodes[s->what].kind == SGD_IR_GATHER)
         emit_gather(e, i, s->what);
      else if (e->ir->nodes[s->what].kind == SGD_IR_UNIFORM)
         sgd_x86_splat(e->x, sgd_regalloc_take(&e->ra, s->what),
                       sgd_rm_mem(SGD_RAX, (int32_t)e->ir->nodes[s->what].where));
      else
         load_pred(e, sgd_regalloc_take(&e->ra, s->what), e->ir->nodes[s->what].where);
   }
   sgd_x86_begin_instr(e->x, SGD_X86_NO_INSTR);
}

/* Advances the pointers in registers by a number of vectors. */
static void
advance(struct sgd_code *e, unsigned vectors)
{
   const unsigned count = vectors * sgd_x86_chunks(e->x);
   sgd_x86_add_long(e->x, SGD_RDI, (int32_t)(count * SGD_CHUNK_BYTES));
   if (e->masked)
      sgd_x86_add(e->x, SGD_RSI, (int8_t)count);
   if (e->preds)
      sgd_x86_add(e->x, SGD_R8, (int8_t)count);
}

/* Emits the code before the loop. Returns the number of constants that it keeps in registers. */
static unsigned
begin_function(struct sgd_code *e, unsigned pinned, unsigned slots)
{
   e->num_held = 0;
   sgd_regalloc_start(&e->ra);
   sgd_x86_enter(e->x, slots);
   if (e->uniform)
      sgd_x86_copy(e->x, SGD_RAX, SGD_RCX);
   sgd_x86_copy32(e->x, SGD_RCX, SGD_RDX);
   sgd_x86_copy(e->x, SGD_RDX, SGD_RDI);
   if (e->x->wide) {
      /* An even number of chunks. No lane after the last one that executes must keep anything. */
      sgd_x86_add32(e->x, SGD_RCX, 1);
      sgd_x86_and32_value(e->x, SGD_RCX, ~1u);
   }
   if (e->preds) {
      sgd_x86_copy(e->x, SGD_R8, SGD_RDI);
      sgd_x86_copy(e->x, SGD_R9, SGD_RCX);
   }
   if (e->x->wide)
      sgd_x86_shift_right32(e->x, SGD_RCX, 1);
   pinned = sgd_regalloc_pin(&e->ra, pinned);
   sgd_code_steps(e, 0, e->schedule.num_before);
   sgd_regalloc_start_loop(&e->ra);
   return pinned;
}

static void
end(struct sgd_code *e, unsigned slots)
{
   if (e->num_held)
      sgd_x86_end_pushes(e->x, SGD_R9);
   for (unsigned h = 0; h < e->num_held; h++) {
      /* rsi points behind the executing lanes of the last chunk. */
      if (e->masked && !h)
         sgd_x86_subtract(e->x, SGD_RSI, SGD_R9);
      sgd_x86_store_pushed(e->x, SGD_RDX, (int32_t)e->held[h], SGD_R10 + h,
                           e->masked ? SGD_RSI : SGD_X86_NO_REG);
   }
   sgd_x86_leave(e->x, slots);
}

/* Emits a jump that is taken if no lane of the chunk executes. */
static size_t
jump_if_kept(struct sgd_code *e)
{
   sgd_x86_test_byte(e->x, SGD_RSI, 0);
   return sgd_x86_jump(e->x, SGD_X86_E);
}

/* Emits code for a chunk whose lanes all keep their registers, after that for other chunks. */
static void
keep_chunk(struct sgd_code *e, size_t kept)
{
   if (!e->num_held) {
      sgd_x86_land(e->x, kept, e->x->size);
      return;
   }
   const size_t done = sgd_x86_jump(e->x, SGD_X86_ALWAYS);
   sgd_x86_land(e->x, kept, e->x->size);
   for (unsigned h = 0; h < e->num_held; h++)
      sgd_x86_push_zeros(e->x, SGD_R10 + h);
   sgd_x86_land(e->x, done, e->x->size);
}

/* Emits a loop over chunks. Returns the number of constants that it keeps in registers. */
static unsigned
function(struct sgd_code *e, unsigned pinned, unsigned slots)
{
   pinned = begin_function(e, pinned, slots);
   const size_t place = e->x->size;
   const size_t kept = e->masked ? jump_if_kept(e) : 0;
   if (e->masked)
      load_keep(e);
   sgd_code_steps(e, e->schedule.num_before, e->schedule.num_steps);
   if (e->masked)
      keep_chunk(e, kept);
   advance(e, 1);
   sgd_x86_loop(e->x, SGD_RCX, place);
   end(e, slots);
   return pinned;
}

/* Emits a loop over pairs of vectors, followed by code for the last one if their number is odd.
 * Returns the number of constants that are kept in registers.
 */
static unsigned
pair_function(struct sgd_code *two, struct sgd_code *one, const uint16_t *to, unsigned pinned,
              unsigned slots)
{
   struct sgd_x86 *x = two->x;
   pinned = begin_function(two, pinned, slots);
   sgd_x86_add(x, SGD_RCX, -2);
   const size_t odd = sgd_x86_jump(x, SGD_X86_AE);
   const size_t place = x->size;
   sgd_code_steps(two, two->schedule.num_before, two->schedule.num_steps);
   advance(two, 2);
   sgd_x86_add(x, SGD_RCX, -2);
   const size_t more = sgd_x86_jump(x, SGD_X86_B);
   sgd_x86_land(x, more, place);
   sgd_x86_land(x, odd, x->size);
   sgd_x86_add(x, SGD_RCX, 2);
   const size_t even = sgd_x86_jump(x, SGD_X86_E);
   memcpy(one->held, two->held, sizeof(one->held));
   one->num_held = two->num_held;
   sgd_regalloc_start_second(&one->ra, &two->ra, to);
   sgd_code_steps(one, one->schedule.num_before, one->schedule.num_steps);
   sgd_x86_land(x, even, x->size);
   end(two, slots);
   return pinned;
}

/* Allocates registers as function() does, but emits no code. Returns the number of constants that
 * are kept in registers.
 */
static unsigned
try_pinned(struct sgd_code *e, unsigned pinned)
{
   e->x->dry = true;
   pinned = function(e, pinned, 1);
   e->x->dry = false;
   return pinned;
}

/* Returns the number of constants to keep in registers for which a loop with `rounds` iterations is
 * cheapest, and sets *least to the cost of this loop.
 */
static unsigned
choose_pinned(struct sgd_code *e, unsigned rounds, uint32_t *least)
{
   static const uint8_t tries[] = { 0, 2, 4, 6, 8, 10, 12 };
   unsigned best = 0, worse = 0; /* number of consecutive tries that didn't improve the cost */

   *least = UINT32_MAX;
   for (unsigned t = 0; t < ARRAY_SIZE(tries) && worse < 2; t++) {
      const unsigned pinned = try_pinned(e, tries[t]);
      const uint32_t cost = rounds * e->ra.cost + pinned;
      if (cost < *least) {
         *least = cost;
         best = tries[t];
         worse = 0;
      } else {
         worse++;
      }
      if (pinned < tries[t] || !e->ra.cost)
         break;
   }
   return best;
}

bool
sgd_code_start(struct sgd_code *e, struct sgd_x86 *x, const struct sgd_ir *ir, bool masked)
{
   *e = (struct sgd_code){ .x = x, .ir = ir, .masked = masked };
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      e->preds |= ir->nodes[i].kind == SGD_IR_PRED && ir->nodes[i].uses;
      e->uniform |= ir->nodes[i].kind == SGD_IR_UNIFORM && ir->nodes[i].uses;
   }
   for (uint32_t i = 0; i < ir->num_stores; i++)
      e->preds |= ir->stores[i].pred;
   return sgd_schedule_make(&e->schedule, ir) &&
          sgd_regalloc_init(&e->ra, x, ir, &e->schedule, masked);
}

void
sgd_code_finish(struct sgd_code *e)
{
   sgd_schedule_finish(&e->schedule);
   sgd_regalloc_finish(&e->ra);
}

/* Returns true if the loop over pairs of vectors has few enough loads and stores to be faster.
 * `cost` is the cost of loads and stores in the loop over single vectors.
 */
static bool
pair_fits(struct sgd_code *two, const struct sgd_code *one, uint32_t cost, unsigned *pinned)
{
   const uint32_t num = one->schedule.num_steps - one->schedule.num_before;
   uint32_t pair_cost;
   /* Equal nodes of both chunks are merged, which can leave too few constants to compute before the
    * loop.
    */
   if (two->schedule.num_before != one->schedule.num_before)
      return false;
   *pinned = choose_pinned(two, MEAN_CHUNKS / (2 * sgd_x86_chunks(two->x)), &pair_cost);
   return pair_cost <= cost + MEAN_CHUNKS / sgd_x86_chunks(two->x) * num / STEPS_FOR_SPILL;
}

/* Emits a function that processes two vectors at a time if that is faster. Returns true if the
 * function has been emitted.
 */
static bool
emit_pair(struct sgd_code *one, uint32_t cost)
{
   if (one->ir->num_nodes > SGD_IR_MAX_NODES / 2 || one->ir->num_stores > SGD_IR_MAX_STORES / 2)
      return false;
   struct sgd_x86 *x = one->x;
   struct sgd_ir *pair = malloc(sizeof(*pair));
   uint16_t *to = malloc(sizeof(*to) * one->ir->num_nodes);
   struct sgd_code two = { 0 };
   unsigned pinned;
   bool done = false;
   if (pair && to) {
      sgd_ir_pair(pair, one->ir, sgd_x86_chunks(x), to);
      if (!pair->full && sgd_code_start(&two, x, pair, false) &&
          pair_fits(&two, one, cost, &pinned)) {
         x->dry = true;
         pair_function(&two, one, to, pinned, 1);
         x->dry = false;
         pair_function(&two, one, to, pinned, MAX2(two.ra.slots, one->ra.slots));
         done = true;
      }
   }
   sgd_code_finish(&two);
   free(pair);
   free(to);
   return done;
}

/* Chooses the number of constants in registers for masked code. Returns false if an allocation
 * fails.
 */
static bool
choose_for_masked(struct sgd_x86 *x, const struct sgd_ir *ir, unsigned *pinned)
{
   struct sgd_code e;
   uint32_t cost;
   const bool ok = sgd_code_start(&e, x, ir, false);
   if (ok)
      *pinned = choose_pinned(&e, MEAN_CHUNKS, &cost);
   sgd_code_finish(&e);
   return ok;
}

/* Emits a function without masks, for vectors of the encoder's size. Sets *pinned to the number of
 * constants in registers. Returns false if an allocation fails.
 */
static bool
emit_full(struct sgd_x86 *x, const struct sgd_ir *ir, unsigned *pinned)
{
   struct sgd_code e;
   uint32_t cost;
   const bool ok = sgd_code_start(&e, x, ir, false);
   if (ok) {
      *pinned = choose_pinned(&e, MEAN_CHUNKS / sgd_x86_chunks(x), &cost);
      if (!emit_pair(&e, cost)) {
         try_pinned(&e, *pinned);
         function(&e, *pinned, e.ra.slots);
      }
   }
   sgd_code_finish(&e);
   return ok && !x->out_of_memory;
}

static bool
emit_masked(struct sgd_x86 *x, const struct sgd_ir *ir, unsigned pinned)
{
   struct sgd_code e;
   const bool ok = sgd_code_start(&e, x, ir, true);
   if (ok) {
      try_pinned(&e, pinned);
      function(&e, pinned, e.ra.slots);
   }
   sgd_code_finish(&e);
   return ok && !x->out_of_memory;
}

bool
sgd_emit(struct sgd_x86 *x, const struct sgd_ir *ir, bool masked, unsigned *pinned)
{
   if (masked)
      return (*pinned != SGD_EMIT_ANY || choose_for_masked(x, ir, pinned)) &&
             emit_masked(x, ir, *pinned);
   if (!x->avx512 || !sgd_ir_can_be_wide(ir))
      return emit_full(x, ir, pinned);
   unsigned wide_pinned;
   x->wide = true;
   const bool ok = emit_full(x, ir, &wide_pinned);
   x->wide = false;
   return ok;
}
