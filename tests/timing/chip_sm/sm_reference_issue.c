/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor, reference implementation: warp scheduler and execution units.
 */
#include "sm_reference_state.h"

#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

static uint32_t
place_of(const struct ref_access *accesses, uint32_t num)
{
   uint32_t i = 0;
   while (i < num && accesses[i].used)
      i++;
   return i;
}

static bool
is_free(struct sm_reference *r, enum sgt_sm_unit unit)
{
   const bool alu = r->cycle >= r->alu_free, sfu = r->cycle >= r->sfu_free;
   switch (unit) {
   case SGT_SM_UNIT_ALU:
      return alu;
   case SGT_SM_UNIT_MUL:
      return alu || (sfu && r->p.dual != SGT_SM_DUAL_NEVER);
   case SGT_SM_UNIT_SFU:
   case SGT_SM_UNIT_INTERP:
      return sfu;
   case SGT_SM_UNIT_TEXTURE:
      return place_of(r->textures, r->p.textures) < r->p.textures &&
             sgt_channel_can_send(r->ports.tex_requests, r->now);
   case SGT_SM_UNIT_MEMORY:
      return place_of(r->accesses, r->p.accesses) < r->p.accesses;
   case SGT_SM_UNIT_SHARED:
      return r->cycle >= r->shared_free;
   case SGT_SM_UNIT_CONST:
      return r->cycle >= r->const_free;
   case SGT_SM_UNIT_CONTROL:
   case SGT_SM_UNITS:
      break;
   }
   return true;
}

static bool
is_urgent(const struct sm_reference *r, const struct ref_warp *w)
{
   return r->p.patience && r->cycle - w->ready_since >= r->p.patience;
}

static uint32_t
unit_level(const struct sm_reference *r, const struct ref_warp *w)
{
   switch ((enum sgt_sm_unit)w->steps[w->step].op->unit) {
   case SGT_SM_UNIT_MUL:
      return r->p.level_mul;
   case SGT_SM_UNIT_SFU:
   case SGT_SM_UNIT_INTERP:
      return r->p.level_sfu;
   case SGT_SM_UNIT_TEXTURE:
   case SGT_SM_UNIT_MEMORY:
   case SGT_SM_UNIT_SHARED:
   case SGT_SM_UNIT_CONST:
      return r->p.level_transfer;
   default:
      return r->p.level_alu;
   }
}

/* Returns whether the warp in slot a has a higher priority than the warp in slot b. */
static bool
goes_first(const struct sm_reference *r, uint32_t a, uint32_t b)
{
   const struct ref_warp *x = &r->warps[a], *y = &r->warps[b];
   if (is_urgent(r, x) != is_urgent(r, y))
      return is_urgent(r, x);
   const uint32_t class_x = r->p.level_class[x->warp_class];
   const uint32_t class_y = r->p.level_class[y->warp_class];
   if (class_x != class_y)
      return class_x < class_y;
   if (unit_level(r, x) != unit_level(r, y))
      return unit_level(r, x) < unit_level(r, y);
   if (r->p.order == SGT_SM_ROUND_ROBIN)
      return (a + 31 - r->last_issue) % 32 < (b + 31 - r->last_issue) % 32;
   if (r->p.order == SGT_SM_GREEDY && (a == r->last_issue || b == r->last_issue))
      return a == r->last_issue;
   return x->age < y->age;
}

static void
set_values(struct ref_warp *w, const struct sgt_sm_op *op, uint64_t from, enum sgt_sm_wait producer)
{
   for (uint32_t i = 0; i < op->dsts; i++)
      w->values[op->dst + i] = (struct ref_value){ from, producer };
   if ((op->dsts || op->flags & SGT_SM_OP_FENCE) && from != SGT_NEVER && from > w->latest.from)
      w->latest = (struct ref_value){ from, producer };
}

/* Returns the cycles that an operation occupies a unit of `lanes` lanes per SP clock. */
static uint32_t
cycles(uint32_t lanes)
{
   uint32_t clocks = 0;
   for (uint32_t done = 0; done < 32; done += lanes)
      clocks++;
   return (clocks + 1) / 2;
}

static enum sgt_sm_state
execute(struct sm_reference *r, uint32_t slot, const struct sgt_sm_op *op)
{
   struct ref_warp *w = &r->warps[slot];
   struct sgt_sm_stats *s = &r->stats;
   const struct sgt_access *a = op->flags & SGT_SM_OP_ACCESS ? &r->work->accesses[w->access] : NULL;
   const uint64_t begin = r->cycle + op->extra;
   const uint32_t alu_cycles = cycles(r->p.sps);
   uint32_t busy;
   s->bank_conflicts += op->extra;
   switch ((enum sgt_sm_unit)op->unit) {
   case SGT_SM_UNIT_ALU:
      r->alu_free = begin + alu_cycles;
      s->alu_busy += r->alu_free - r->cycle;
      set_values(w, op, begin + r->p.alu_latency, SGT_SM_WAIT_ALU);
      return SGT_SM_ISSUE_ALU;
   case SGT_SM_UNIT_MUL: {
      const bool alu = is_free(r, SGT_SM_UNIT_ALU), sfu = is_free(r, SGT_SM_UNIT_SFU);
      const bool there = r->p.dual == SGT_SM_DUAL_FIRST  ? sfu
                         : r->p.dual == SGT_SM_DUAL_BUSY ? sfu && !alu
                                                         : false;
      if (there) {
         r->sfu_free = begin + cycles(r->p.sfus * r->p.multipliers);
         s->sfu_busy += r->sfu_free - r->cycle;
         set_values(w, op, begin + r->p.sfu_latency, SGT_SM_WAIT_ALU);
         return SGT_SM_ISSUE_SFU_MUL;
      }
      r->alu_free = begin + alu_cycles;
      s->alu_busy += r->alu_free - r->cycle;
      set_values(w, op, begin + r->p.alu_latency, SGT_SM_WAIT_ALU);
      return SGT_SM_ISSUE_MUL;
   }
   case SGT_SM_UNIT_SFU:
      r->sfu_free = begin + cycles(r->p.sfus);
      s->sfu_busy += r->sfu_free - r->cycle;
      set_values(w, op, begin + r->p.sfu_latency, SGT_SM_WAIT_SFU);
      return SGT_SM_ISSUE_SFU;
   case SGT_SM_UNIT_INTERP:
      r->sfu_free = begin + cycles(r->p.sfus * r->p.interp);
      s->sfu_busy += r->sfu_free - r->cycle;
      set_values(w, op, begin + r->p.interp_latency, SGT_SM_WAIT_SFU);
      return SGT_SM_ISSUE_INTERP;
   case SGT_SM_UNIT_TEXTURE: {
      if (!a->lanes) {
         set_values(w, op, begin + r->p.alu_latency, SGT_SM_WAIT_ALU);
         return SGT_SM_ISSUE_TEXTURE;
      }
      const uint32_t i = place_of(r->textures, r->p.textures);
      r->textures[i] = (struct ref_access){
         .used = true, .warp = slot, .access = a, .op = op, .since = r->cycle
      };
      const struct sgt_tex_request request = { w->access, i, r->number };
      sgt_channel_send(r->ports.tex_requests, r->now, &request);
      w->textures++;
      set_values(w, op, SGT_NEVER, SGT_SM_WAIT_TEXTURE);
      return SGT_SM_ISSUE_TEXTURE;
   }
   case SGT_SM_UNIT_MEMORY: {
      const uint32_t i = place_of(r->accesses, r->p.accesses);
      r->accesses[i] = (struct ref_access){
         .used = true, .warp = slot, .access = a, .op = op, .since = r->cycle, .order = r->orders++
      };
      w->accesses++;
      set_values(w, op, SGT_NEVER, SGT_SM_WAIT_MEMORY);
      return SGT_SM_ISSUE_MEMORY;
   }
   case SGT_SM_UNIT_SHARED:
      busy = a->work > 2 ? a->work : 2;
      r->shared_free = begin + busy;
      s->shared_busy += busy;
      s->shared_conflicts += busy - 2;
      set_values(w, op, begin + r->p.shared_latency + (busy - 2), SGT_SM_WAIT_SHARED);
      return SGT_SM_ISSUE_SHARED;
   case SGT_SM_UNIT_CONST:
      /* It takes a cycle per line that the access looked up, without the named constants. */
      busy = w->constants - op->num_consts;
      busy = busy > 1 ? busy : 1;
      r->const_free = begin + busy;
      s->const_busy += busy;
      set_values(w, op, begin + r->p.const_latency + (busy - 1), SGT_SM_WAIT_LDC);
      return SGT_SM_ISSUE_CONST;
   case SGT_SM_UNIT_CONTROL:
   case SGT_SM_UNITS:
      break;
   }
   set_values(w, op, begin + r->p.alu_latency, SGT_SM_WAIT_ALU);
   return SGT_SM_ISSUE_CONTROL;
}

static void
to_next(struct sm_reference *r, uint32_t slot)
{
   struct ref_warp *w = &r->warps[slot];
   const struct ref_step step = w->steps[w->step++];
   w->was_ready = false;
   w->constants = 0;
   w->all = step.op->flags & SGT_SM_OP_FENCE;
   w->buffered -= !step.prologue;
   const bool jump = step.jump && !sm_reference_ended(w);
   if (jump || sm_reference_ended(w)) {
      /* Discard the instruction buffer and the pending fetch. */
      for (uint32_t i = 0; i < 64; i++)
         r->ilines[i].waits[slot] = false;
      w->fetch = NO_FETCH;
      w->wants = false;
   }
   if (jump) {
      r->stats.jumps++;
      r->stats.flushed += w->buffered;
      w->buffered = 0;
      w->place = w->steps[w->step].number;
      w->fetch_from = r->cycle + r->p.jump;
   }
   if (sm_reference_ended(w)) {
      r->states[w->number] = ENDED;
      sm_reference_barrier(r, w);
   } else if (step.op->flags & SGT_SM_OP_BARRIER) {
      r->stats.barriers++;
      if (w->warp_class == SGT_SM_COMPUTE) {
         w->at_barrier = true;
         r->states[w->number] = WAITS;
         sm_reference_barrier(r, w);
      } else {
         w->resume = r->cycle + r->p.barrier;
      }
   }
}

enum sgt_sm_state
sm_reference_issue(struct sm_reference *r)
{
   uint32_t best = SGT_SM_MAX_WARPS;
   for (uint32_t i = 0; i < r->p.warps; i++) {
      const struct ref_warp *w = &r->warps[i];
      if (!w->used || w->wait != SGT_SM_READY || !is_free(r, w->steps[w->step].op->unit))
         continue;
      if (best == SGT_SM_MAX_WARPS || goes_first(r, i, best))
         best = i;
   }
   if (best == SGT_SM_MAX_WARPS) {
      /* The state is the first busy unit that a ready warp needs, or the first reason of a wait. */
      uint32_t state = SGT_SM_IDLE;
      for (uint32_t i = 0; i < r->p.warps; i++) {
         const struct ref_warp *w = &r->warps[i];
         if (!w->used)
            continue;
         uint32_t reason = SGT_SM_STALL + w->wait - 1;
         if (w->wait == SGT_SM_READY) {
            switch ((enum sgt_sm_unit)w->steps[w->step].op->unit) {
            case SGT_SM_UNIT_SFU:
            case SGT_SM_UNIT_INTERP:
               reason = SGT_SM_BUSY_SFU;
               break;
            case SGT_SM_UNIT_TEXTURE:
               reason = SGT_SM_BUSY_TEXTURE;
               break;
            case SGT_SM_UNIT_MEMORY:
               reason = SGT_SM_BUSY_MEMORY;
               break;
            case SGT_SM_UNIT_SHARED:
               reason = SGT_SM_BUSY_SHARED;
               break;
            case SGT_SM_UNIT_CONST:
               reason = SGT_SM_BUSY_CONST;
               break;
            default:
               reason = SGT_SM_BUSY_ALU;
               break;
            }
         }
         state = MIN2(state, reason);
      }
      return state;
   }
   struct ref_warp *w = &r->warps[best];
   const struct ref_step *step = &w->steps[w->step];
   const enum sgt_sm_state state = execute(r, best, step->op);
   const uint32_t lanes = util_bitcount(step->lanes);
   r->stats.ops[w->warp_class]++;
   r->stats.instrs[w->warp_class] += step->op->flags & SGT_SM_OP_LAST ? 1 : 0;
   r->stats.lanes[w->warp_class] += lanes;
   r->stats.active[lanes]++;
   r->stats.unit_ops[step->op->unit]++;
   r->stats.prologue += step->prologue;
   r->stats.urgent += is_urgent(r, w);
   r->last_issue = best;
   if (r->observer.issue)
      r->observer.issue(r->observer.data, r->cycle, best, w->number, step->number, step->prologue,
                        state);
   if (step->op->flags & SGT_SM_OP_ACCESS) {
      const struct sgt_access *a = &r->work->accesses[w->access++];
      r->stats.accesses[a->kind]++;
      r->stats.lines[a->kind] += a->num_lines;
   }
   to_next(r, best);
   return state;
}
