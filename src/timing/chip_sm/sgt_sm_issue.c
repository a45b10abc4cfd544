/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: the warp scheduler and the execution units.
 */
#include "chip_sm/sgt_sm_state.h"

#include "util/bitscan.h"
#include "util/compiler.h"
#include "util/u_math.h"

/* Returns a bitmask of the units that can accept an operation in this cycle. */
static uint32_t
free_units(struct sgt_sm *sm)
{
   const uint64_t cycle = sm->cycle;
   const bool alu = sm->alu_free <= cycle, sfu = sm->sfu_free <= cycle;
   uint32_t units = BITFIELD_BIT(SGT_SM_UNIT_CONTROL);
   if (alu)
      units |= BITFIELD_BIT(SGT_SM_UNIT_ALU);
   if (sfu)
      units |= BITFIELD_BIT(SGT_SM_UNIT_SFU) | BITFIELD_BIT(SGT_SM_UNIT_INTERP);
   if (alu || (sfu && sm->params.dual != SGT_SM_DUAL_NEVER))
      units |= BITFIELD_BIT(SGT_SM_UNIT_MUL);
   if (sm->ready[SGT_SM_UNIT_TEXTURE] && sm->tex_places &&
       sgt_channel_can_send(sm->ports.tex_requests, sm->time))
      units |= BITFIELD_BIT(SGT_SM_UNIT_TEXTURE);
   if (sm->mem_places)
      units |= BITFIELD_BIT(SGT_SM_UNIT_MEMORY);
   if (sm->shared_free <= cycle)
      units |= BITFIELD_BIT(SGT_SM_UNIT_SHARED);
   if (sm->const_free <= cycle)
      units |= BITFIELD_BIT(SGT_SM_UNIT_CONST);
   return units;
}

uint64_t
sgt_sm_next_issue(const struct sgt_sm *sm)
{
   const uint64_t soon = sm->cycle + 1;
   uint64_t next = SGT_NEVER;
   if (sm->ready[SGT_SM_UNIT_CONTROL])
      return soon;
   if (sm->ready[SGT_SM_UNIT_ALU] | sm->ready[SGT_SM_UNIT_MUL])
      next = MIN2(next, sm->alu_free);
   if (sm->ready[SGT_SM_UNIT_SFU] | sm->ready[SGT_SM_UNIT_INTERP] | sm->ready[SGT_SM_UNIT_MUL])
      next = MIN2(next, sm->sfu_free);
   if (sm->ready[SGT_SM_UNIT_SHARED])
      next = MIN2(next, sm->shared_free);
   if (sm->ready[SGT_SM_UNIT_CONST])
      next = MIN2(next, sm->const_free);
   /* If a warp has issued in this cycle, the texture and memory units may accept another operation
    * in the next one. Otherwise, they are waiting for room in a channel, which causes a call.
    */
   if (sm->issuer != SGT_SM_MAX_WARPS && ((sm->ready[SGT_SM_UNIT_TEXTURE] && sm->tex_places) ||
                                          (sm->ready[SGT_SM_UNIT_MEMORY] && sm->mem_places)))
      return soon;
   return MAX2(next, soon);
}

/* Returns the slot of the warp with the highest priority. `warps` must not be 0. */
static uint32_t
select_warp(struct sgt_sm *sm, uint32_t warps, uint32_t units)
{
   if (warps & sm->urgent)
      warps &= sm->urgent;
   for (uint32_t l = 0; l < SGT_SM_LEVELS; l++) {
      if (warps & sm->classes[l]) {
         warps &= sm->classes[l];
         break;
      }
   }
   for (uint32_t l = 0; l < SGT_SM_LEVELS && !util_is_power_of_two_nonzero(warps); l++) {
      uint32_t of_level = 0;
      sgt_foreach_bit(u, sm->units[l] & units)
         of_level |= sm->ready[u];
      if (warps & of_level) {
         warps &= of_level;
         break;
      }
   }
   if (sm->params.order == SGT_SM_ROUND_ROBIN) {
      const uint32_t later = warps & ~BITFIELD_MASK(sm->last_issue + 1);
      return ffs(later ? later : warps) - 1;
   }
   if (sm->params.order == SGT_SM_GREEDY && warps & BITFIELD_BIT(sm->last_issue))
      return sm->last_issue;
   uint32_t oldest = ffs(warps) - 1;
   for (uint32_t older; (older = warps & sm->older[oldest]);)
      oldest = ffs(older) - 1;
   return oldest;
}

/* Sets the first cycle in which the results of an operation can be read, or SGT_NEVER if that cycle
 * isn't known yet.
 */
static void
set_results(struct sgt_sm_slot *w, const struct sgt_sm_op *op, uint64_t cycle,
            enum sgt_sm_wait producer)
{
   sgt_sm_set_regs(w, op->dst, op->dsts, cycle, producer);
   /* Operations with a relative destination have FENCE set, but no destination registers. */
   if ((op->dsts || op->flags & SGT_SM_OP_FENCE) && cycle != SGT_NEVER && cycle > w->last_write) {
      w->last_write = cycle;
      w->last_producer = producer;
   }
}

/* Executes an operation, and returns the state of the multiprocessor in this cycle. */
static enum sgt_sm_state
sm_execute(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op)
{
   const struct sgt_sm_params *p = &sm->params;
   struct sgt_sm_slot *w = &sm->slots[slot];
   /* Bank conflicts delay the operands by op->extra cycles, in which the unit stays busy. */
   const uint64_t cycle = sm->cycle + op->extra;
   const struct sgt_access *a = NULL;
   uint32_t busy;
   sm->stats.bank_conflicts += op->extra;
   switch ((enum sgt_sm_unit)op->unit) {
   case SGT_SM_UNIT_MUL: {
      const bool alu = sm->alu_free <= sm->cycle, sfu = sm->sfu_free <= sm->cycle;
      if (sfu && p->dual != SGT_SM_DUAL_NEVER && (!alu || p->dual == SGT_SM_DUAL_FIRST)) {
         sm->sfu_free = cycle + sm->mul_cycles;
         sm->stats.sfu_busy += op->extra + sm->mul_cycles;
         set_results(w, op, cycle + p->sfu_latency, SGT_SM_WAIT_ALU);
         return SGT_SM_ISSUE_SFU_MUL;
      }
      FALLTHROUGH;
   }
   case SGT_SM_UNIT_ALU:
      sm->alu_free = cycle + sm->alu_cycles;
      sm->stats.alu_busy += op->extra + sm->alu_cycles;
      set_results(w, op, cycle + p->alu_latency, SGT_SM_WAIT_ALU);
      return op->unit == SGT_SM_UNIT_MUL ? SGT_SM_ISSUE_MUL : SGT_SM_ISSUE_ALU;
   case SGT_SM_UNIT_SFU:
      sm->sfu_free = cycle + sm->sfu_cycles;
      sm->stats.sfu_busy += op->extra + sm->sfu_cycles;
      set_results(w, op, cycle + p->sfu_latency, SGT_SM_WAIT_SFU);
      return SGT_SM_ISSUE_SFU;
   case SGT_SM_UNIT_INTERP:
      sm->sfu_free = cycle + sm->interp_cycles;
      sm->stats.sfu_busy += op->extra + sm->interp_cycles;
      set_results(w, op, cycle + p->interp_latency, SGT_SM_WAIT_SFU);
      return SGT_SM_ISSUE_INTERP;
   case SGT_SM_UNIT_TEXTURE:
      a = sgt_sm_access(sm, w);
      if (a && !a->lanes) {
         set_results(w, op, cycle + p->alu_latency, SGT_SM_WAIT_ALU);
         return SGT_SM_ISSUE_TEXTURE;
      }
      sgt_sm_send_texture(sm, slot, op);
      set_results(w, op, SGT_NEVER, SGT_SM_WAIT_TEXTURE);
      return SGT_SM_ISSUE_TEXTURE;
   case SGT_SM_UNIT_MEMORY:
      sgt_sm_queue_access(sm, slot, op);
      set_results(w, op, SGT_NEVER, SGT_SM_WAIT_MEMORY);
      return SGT_SM_ISSUE_MEMORY;
   case SGT_SM_UNIT_SHARED:
      a = sgt_sm_access(sm, w);
      busy = a ? MAX2(a->work, 2) : 2;
      sm->shared_free = cycle + busy;
      sm->stats.shared_busy += busy;
      sm->stats.shared_conflicts += busy - 2;
      set_results(w, op, cycle + p->shared_latency + busy - 2, SGT_SM_WAIT_SHARED);
      return SGT_SM_ISSUE_SHARED;
   case SGT_SM_UNIT_CONST:
      a = sgt_sm_access(sm, w);
      busy = 0;
      for (uint32_t i = 0; a && i < a->num_lines; i++)
         busy += !sgt_sm_repeats(sm->work, a, 0, i);
      busy = MAX2(busy, 1);
      sm->const_free = cycle + busy;
      sm->stats.const_busy += busy;
      set_results(w, op, cycle + p->const_latency + busy - 1, SGT_SM_WAIT_LDC);
      return SGT_SM_ISSUE_CONST;
   case SGT_SM_UNIT_CONTROL:
   case SGT_SM_UNITS:
      break;
   }
   set_results(w, op, cycle + p->alu_latency, SGT_SM_WAIT_ALU);
   return SGT_SM_ISSUE_CONTROL;
}

enum sgt_sm_state
sgt_sm_find_stall(const struct sgt_sm *sm)
{
   static const uint8_t busy[SGT_SM_UNITS] = {
      [SGT_SM_UNIT_ALU] = SGT_SM_BUSY_ALU,         [SGT_SM_UNIT_MUL] = SGT_SM_BUSY_ALU,
      [SGT_SM_UNIT_SFU] = SGT_SM_BUSY_SFU,         [SGT_SM_UNIT_INTERP] = SGT_SM_BUSY_SFU,
      [SGT_SM_UNIT_TEXTURE] = SGT_SM_BUSY_TEXTURE, [SGT_SM_UNIT_MEMORY] = SGT_SM_BUSY_MEMORY,
      [SGT_SM_UNIT_SHARED] = SGT_SM_BUSY_SHARED,   [SGT_SM_UNIT_CONST] = SGT_SM_BUSY_CONST,
   };
   if (sm->ready_units)
      return busy[ffs(sm->ready_units) - 1];
   for (uint32_t i = 1; i < SGT_SM_WAITS; i++)
      if (sm->waits[i])
         return SGT_SM_STALL + i - 1;
   return SGT_SM_IDLE;
}

enum sgt_sm_state
sgt_sm_issue(struct sgt_sm *sm)
{
   uint32_t units = 0, warps = 0;
   if (sm->waits[SGT_SM_READY]) {
      units = free_units(sm) & sm->ready_units;
      sgt_foreach_bit(u, units)
         warps |= sm->ready[u];
   }
   if (!warps)
      return sgt_sm_find_stall(sm);
   const uint32_t slot = select_warp(sm, warps, units);
   struct sgt_sm_slot *w = &sm->slots[slot];
   const struct sgt_sm_op *op = w->op;
   const bool prologue = w->prologue;
   const uint32_t number = prologue ? w->next_prologue : w->pos;
   const uint32_t lanes = prologue ? w->num_prologue_lanes : w->num_lanes;
   const enum sgt_sm_state state = sm_execute(sm, slot, op);

   struct sgt_sm_stats *s = &sm->stats;
   sm->issued[w->warp_class][lanes]++;
   s->instrs[w->warp_class] += (op->flags & SGT_SM_OP_LAST) != 0;
   s->prologue += prologue;
   s->urgent += sm->urgent >> slot & 1;
   sm->last_issue = sm->issuer = slot;
   if (sm->observer.issue)
      sm->observer.issue(sm->observer.data, sm->cycle, slot, w->warp, number, prologue, state);
   if (op->flags & SGT_SM_OP_ACCESS) {
      const struct sgt_access *a = sgt_sm_access(sm, w);
      if (!a)
         return state;
      s->accesses[a->kind]++;
      s->lines[a->kind] += a->num_lines;
      w->access++;
   }
   sgt_sm_advance(sm, slot);
   if (op->flags & SGT_SM_OP_BARRIER && !w->ended)
      sgt_sm_arrive(sm, slot);
   return state;
}
