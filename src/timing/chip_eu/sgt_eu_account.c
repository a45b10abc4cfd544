/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: per-cycle statistics of the states of threads, ALUs, arbiters and ports.
 *
 * If nothing happens in a cycle, the states don't change until a known later cycle, or until a
 * message arrives. Skipped cycles are therefore counted with the states of the last simulated
 * cycle.
 */
#include "chip_eu/sgt_eu_core.h"

static enum sgt_eu_thread_state
state_of_staged(const struct sgt_eu *eu, const struct thread *t, uint64_t cycle)
{
   if (t->dep_at > cycle)
      return t->dep_at == SGT_NEVER ? SGT_EU_ACCESS : SGT_EU_RESULT;
   if (t->regs_at > cycle)
      return SGT_EU_REGS;
   if (t->const_left)
      return SGT_EU_CONST;
   if (t->attr_left || t->attr_at > cycle)
      return SGT_EU_ATTR;
   return sgt_eu_has_place(eu, t) ? SGT_EU_SELECT : SGT_EU_OUTPUT;
}

static enum sgt_eu_thread_state
state_of(const struct sgt_eu *eu, uint32_t i, uint64_t cycle)
{
   const struct sgt_eu_core *core = eu->core;
   const struct thread *t = &core->threads[i];
   const uint64_t bit = 1ull << i;
   if (core->issued & bit)
      return SGT_EU_ISSUE;
   if (core->now.const_stall)
      return SGT_EU_STALL;
   if (core->decoded & bit)
      return SGT_EU_DECODE;
   if (core->staged & bit)
      return state_of_staged(eu, t, cycle);
   if (core->over & bit)
      return SGT_EU_DRAIN;
   if (core->barrier & bit)
      return SGT_EU_BARRIER;
   if (t->hold > cycle)
      return SGT_EU_JUMP;
   if (!(t->arrived & 1) || t->redirect)
      return SGT_EU_FETCH;
   if (eu->params.predecode)
      return SGT_EU_FETCH;
   const uint64_t at = sgt_eu_depends(eu, t, &t->code->ops[t->head], NULL);
   return at == SGT_NEVER ? SGT_EU_ACCESS : at > cycle ? SGT_EU_RESULT : SGT_EU_GRANT;
}

static void
eu_add(struct sgt_eu *eu, const struct cycle *c, uint64_t cycles)
{
   struct sgt_eu_stats *s = &eu->stats;
   s->cycles += cycles;
   s->states[c->state] += cycles;
   for (unsigned i = 0; i < SGT_EU_THREAD_STATES; i++)
      s->thread[i] += cycles * c->thread[i];
   for (unsigned i = 0; i < eu->params.alus; i++)
      s->alu[i][c->alu[i]] += cycles;
   for (unsigned i = 0; i < 2; i++) {
      s->fetch[i][c->fetch[i]] += cycles;
      s->code[i][c->code[i]] += cycles;
      s->file[i][c->file[i]] += cycles;
   }
   s->constant[c->constant] += cycles;
   s->attribute[c->attribute] += cycles;
   s->interp[c->interp] += cycles;
   s->output[c->output] += cycles;
   s->operations[c->operations] += cycles;
   s->live[c->live] += cycles;
   s->const_stall += cycles * c->const_stall;
   s->launch[c->launch] += cycles;
}

void
sgt_eu_account(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   struct cycle *c = &core->now;
   uint8_t states[SGT_EU_MAX_THREADS];
   uint64_t idle_oldest = SGT_NEVER;
   enum sgt_eu_thread_state reason = SGT_EU_EMPTY;

   c->live = util_bitcount64(core->live);
   c->thread[SGT_EU_EMPTY] = eu->params.threads - c->live;
   u_foreach_bit64(i, core->live) {
      states[i] = state_of(eu, i, cycle);
      c->thread[states[i]]++;
      if (states[i] != SGT_EU_ISSUE && core->threads[i].number < idle_oldest) {
         idle_oldest = core->threads[i].number;
         reason = states[i];
      }
   }
   for (uint32_t a = 0; a < eu->params.alus; a++) {
      c->alu[a] = core->alu_busy[a] > cycle ? SGT_EU_ISSUE : reason;
      if (!(core->alu_taken >> a & 1))
         continue;
      u_foreach_bit64(i, core->staged)
         if (core->threads[i].alu == a)
            c->alu[a] = states[i];
   }
   c->state = c->thread[SGT_EU_ISSUE] ? SGT_EU_ISSUE : reason;
   for (uint32_t a = 0; a < eu->params.alus; a++)
      if (c->alu[a] == SGT_EU_ISSUE)
         c->state = SGT_EU_ISSUE;
   eu_add(eu, c, 1);
   core->latest = *c;
   core->cycle = cycle + 1;
}

void
sgt_eu_account_skipped(struct sgt_eu *eu, uint64_t cycles)
{
   eu_add(eu, &eu->core->latest, cycles);
   eu->core->cycle += cycles;
}

static uint64_t
eu_later(uint64_t next, uint64_t at, uint64_t cycle)
{
   return at > cycle && at < next ? at : next;
}

uint64_t
sgt_eu_next_cycle(const struct sgt_eu *eu, uint64_t cycle)
{
   const struct sgt_eu_core *core = eu->core;
   uint64_t next = SGT_NEVER;
   u_foreach_bit64(i, core->live) {
      const struct thread *t = &core->threads[i];
      next = eu_later(next, t->hold, cycle);
      if (core->staged >> i & 1) {
         next = eu_later(next, t->dep_at, cycle);
         next = eu_later(next, t->regs_at, cycle);
         next = eu_later(next, t->attr_at, cycle);
      } else if (core->over >> i & 1) {
         next = eu_later(next, t->last_result, cycle);
      } else if (!eu->params.predecode && (t->arrived & 1)) {
         next = eu_later(next, sgt_eu_depends(eu, t, &t->code->ops[t->head], NULL), cycle);
      }
   }
   for (uint32_t a = 0; a < eu->params.alus; a++)
      next = eu_later(next, core->alu_busy[a], cycle);
   next = eu_later(next, core->file_busy[0], cycle);
   next = eu_later(next, core->file_busy[1], cycle);
   next = eu_later(next, core->interp_busy, cycle);
   const uint32_t constants = eu->params.const_in_order ? MIN2(core->const_num, 1)
                                                        : core->const_num;
   for (uint32_t i = 0; i < constants; i++)
      next = eu_later(next,
                      core->const_fifo[ring(core->const_first + i, eu->params.const_fifo)].ready,
                      cycle);
   if (core->attr_num)
      next = eu_later(next, core->attr_fifo[core->attr_first].ready, cycle);
   for (uint32_t p = 0; p < core->num_ports; p++)
      if (core->ports[p].num)
         next = eu_later(next, core->ports[p].fetches[core->ports[p].first].ready, cycle);
   if (core->output_num)
      next = eu_later(next, core->outputs[core->output_first].at, cycle);
   return next;
}
