/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits a loop whose body is one region, for lanes that leave it at different times.
 *
 * Lanes do not depend on each other, so each pair of chunks executes all of its rounds before the
 * next pair. This saves the calls, and the rounds of chunks whose lanes have all left the loop.
 *
 *    rdi   register file, plus the offset of the lanes of the first chunk
 *    rdx   register file
 *    r11   mask of the executing lanes, plus the offset of the first chunk's byte
 *    ecx   number of remaining pairs
 *    r8    maximum number of rounds
 *    r9    most rounds of a pair
 *    r10   rounds of this pair
 *
 * Masks of the lanes that keep their registers are in vector registers, and so are some of the
 * registers that the loop changes.
 */
#include <stdlib.h>

#include "common/sgd_warp.h"
#include "shader/translate/sgd_emit.h"
#include "shader/translate/sgd_emit_code.h"
#include "util/macros.h"

#define NUM_PAIRS (SGD_WARP / 16)

/* Minimum number of vector registers for the steps of a round. */
#define FREE_REGS 6

/* Makes vector masks of the lanes of a pair that do not execute, and loads what the loop changes. */
static void
begin_pair(struct sgd_code *e)
{
   const struct sgd_x86_rm bits = sgd_rm_const(SGD_IR_LANE_BITS);
   for (unsigned chunk = 0; chunk < 2; chunk++) {
      sgd_regalloc_start_step(&e->ra);
      const unsigned d = sgd_regalloc_hold(&e->ra, e->ra.keep[chunk]);
      sgd_x86_splat_byte(e->x, d, sgd_rm_mem(SGD_R11, (int32_t)chunk));
      sgd_x86_vector(e->x, SGD_VPANDN, 0, d, d, bits, 0);
      sgd_x86_vector(e->x, SGD_VPCMPEQD, 0, d, d, bits, 0);
   }
   for (unsigned c = 0; c < e->loop->num_carried; c++) {
      const uint16_t node = e->loop->carried[c];
      sgd_regalloc_start_step(&e->ra);
      sgd_x86_load(e->x, sgd_regalloc_hold(&e->ra, node),
                   sgd_rm_mem(SGD_RDI, (int32_t)e->ir->nodes[node].where));
   }
   sgd_x86_set(e->x, SGD_R10, 0);
}

/* Emits the jumps at the end of a round: to the next one, or to the code that follows. */
static void
end_round(struct sgd_code *e, size_t again)
{
   struct sgd_x86 *x = e->x;
   sgd_x86_add(x, SGD_R10, 1);
   sgd_regalloc_start_step(&e->ra);
   const unsigned first = sgd_regalloc_source(&e->ra, e->ra.keep[0]);
   const unsigned second = sgd_regalloc_source(&e->ra, e->ra.keep[1]);
   const unsigned d = sgd_regalloc_scratch(&e->ra);
   sgd_x86_vector(x, SGD_VPAND, 0, d, first, sgd_rm_reg(second), 0);
   sgd_x86_signs(x, SGD_RAX, d);
   sgd_x86_compare32_value(x, SGD_RAX, 0xff);
   const size_t none = sgd_x86_jump(x, SGD_X86_E);
   sgd_x86_compare(x, SGD_R10, SGD_R8);
   sgd_x86_land(x, sgd_x86_jump(x, SGD_X86_B), again);
   sgd_x86_land(x, none, x->size);
}

/* Stores what the loop has changed, and the mask of the lanes that are still in the loop. */
static void
end_pair(struct sgd_code *e)
{
   struct sgd_x86 *x = e->x;
   for (unsigned c = 0; c < e->loop->num_carried; c++) {
      const uint16_t node = e->loop->carried[c];
      sgd_regalloc_start_step(&e->ra);
      sgd_x86_store(x, sgd_rm_mem(SGD_RDI, (int32_t)e->ir->nodes[node].where),
                    sgd_regalloc_source(&e->ra, node));
   }
   for (unsigned chunk = 0; chunk < 2; chunk++) {
      sgd_regalloc_start_step(&e->ra);
      const unsigned keep = sgd_regalloc_source(&e->ra, e->ra.keep[chunk]);
      sgd_x86_vector(x, SGD_VPXOR, 0, keep, keep, sgd_rm_const(e->loop->ones), 0);
      sgd_x86_store_signs(x, sgd_rm_mem(SGD_R11, (int32_t)chunk), keep);
   }
   sgd_x86_compare(x, SGD_R9, SGD_R10);
   const size_t more = sgd_x86_jump(x, SGD_X86_AE);
   sgd_x86_copy(x, SGD_R9, SGD_R10);
   sgd_x86_land(x, more, x->size);
}

/* Chooses what the loop keeps in registers: what it reads before it changes it. */
static void
choose_carried(struct sgd_code *e, struct sgd_code_loop *loop)
{
   for (uint32_t i = 0; i < e->schedule.num_steps; i++) {
      const struct sgd_step *step = &e->schedule.steps[i];
      const struct sgd_ir_store *s = &e->ir->stores[step->what];
      if (!step->store || s->pred || loop->num_carried == SGD_LOOP_CARRIED)
         continue;
      const int node = sgd_ir_find_load(e->ir, s->offset);
      if (node >= 0 && e->ir->nodes[node].uses && sgd_regalloc_used_until(&e->ra, node, i))
         loop->carried[loop->num_carried++] = (uint16_t)node;
   }
}

static void
function(struct sgd_code *e, unsigned pinned, unsigned slots)
{
   struct sgd_x86 *x = e->x;
   sgd_regalloc_start(&e->ra);
   sgd_x86_enter(x, slots);
   if (e->uniform)
      sgd_x86_copy(x, SGD_RAX, SGD_RCX);
   sgd_x86_copy(x, SGD_RDX, SGD_RDI);
   sgd_x86_copy(x, SGD_R11, SGD_RSI);
   sgd_x86_set(x, SGD_R9, 0);
   sgd_x86_set(x, SGD_RCX, NUM_PAIRS);
   sgd_regalloc_pin(&e->ra, pinned);
   sgd_code_steps(e, 0, e->schedule.num_before);
   sgd_regalloc_start_loop(&e->ra);

   const size_t pair = x->size;
   sgd_x86_test_word(x, SGD_R11, 0);
   const size_t empty = sgd_x86_jump(x, SGD_X86_E);
   begin_pair(e);
   const size_t again = x->size;
   sgd_code_steps(e, e->schedule.num_before, e->schedule.num_steps);
   end_round(e, again);
   end_pair(e);
   sgd_x86_land(x, empty, x->size);
   sgd_x86_add(x, SGD_RDI, 2 * SGD_CHUNK_BYTES);
   sgd_x86_add(x, SGD_R11, 2);
   sgd_x86_loop(x, SGD_RCX, pair);
   sgd_x86_copy(x, SGD_RAX, SGD_R9);
   sgd_x86_leave(x, slots);
}

/* Returns the number of constants to keep in registers for which a round is cheapest. */
static unsigned
choose_pinned(struct sgd_code *e)
{
   uint32_t least = UINT32_MAX;
   unsigned best = 0;
   const unsigned most = SGD_NUM_REGS - FREE_REGS - 2 - e->loop->num_carried;
   e->x->dry = true;
   for (unsigned pinned = 0; pinned <= most; pinned += 2) {
      function(e, pinned, 1);
      if (e->ra.cost < least) {
         least = e->ra.cost;
         best = pinned;
      }
   }
   function(e, best, 1);
   e->x->dry = false;
   return best;
}

bool
sgd_emit_loop(struct sgd_x86 *x, struct sgd_ir *ir, bool invert)
{
   struct sgd_code e = { 0 };
   struct sgd_ir *pair = malloc(sizeof(*pair));
   uint16_t *to = malloc(sizeof(*to) * ir->num_nodes);
   bool ok = pair && to && ir->num_nodes <= SGD_IR_MAX_NODES / 2 &&
             ir->num_stores <= SGD_IR_MAX_STORES / 2;
   if (ok) {
      struct sgd_code_loop loop = {
         .invert = invert,
         .ones = ir->nodes[sgd_ir_word(ir, ~0u)].where,
      };
      sgd_ir_pair(pair, ir, 1, to);
      ok = !pair->full && !ir->full && sgd_code_start(&e, x, pair, true);
      e.loop = &loop;
      if (ok) {
         choose_carried(&e, &loop);
         const unsigned pinned = choose_pinned(&e);
         function(&e, pinned, e.ra.slots);
      }
      e.loop = NULL;
   }
   sgd_code_finish(&e);
   free(pair);
   free(to);
   return ok && !x->out_of_memory;
}
