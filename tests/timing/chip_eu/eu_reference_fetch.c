/* SPDX-License-Identifier: MIT */
/*
 * Reference of the execution unit: instruction cache, fetch, broadcast, decode.
 */
#include "eu_reference_state.h"

#include <assert.h>
#include <string.h>

static bool
code_has(struct machine *m, uint64_t line)
{
   for (uint32_t i = 0; i < m->num_code; i++)
      if (m->code[i].line == line) {
         m->code[i].used = ++m->code_uses;
         return true;
      }
   return false;
}

void
eu_code_put(struct machine *m, uint64_t line)
{
   uint32_t in_set = 0, victim = 0;
   if (code_has(m, line))
      return;
   for (uint32_t i = 0; i < m->num_code; i++) {
      if ((m->code[i].line >> 6) % m->p->code_sets != (line >> 6) % m->p->code_sets)
         continue;
      if (!in_set || m->code[i].used < m->code[victim].used)
         victim = i;
      in_set++;
   }
   if (in_set < m->p->code_ways)
      victim = m->num_code++;
   assert(m->num_code < MAX_LIST);
   m->code[victim].line = line;
   m->code[victim].used = ++m->code_uses;
}

uint64_t
eu_code_line(uint32_t program, uint32_t pc)
{
   return (SGT_EU_CODE + ((uint64_t)program << 20) + pc * 16) / 64 * 64;
}

void
eu_drop_fetches(struct machine *m, uint32_t thread)
{
   for (uint32_t p = 0; p < 2; p++)
      for (uint32_t i = 0; i < m->num_fetches[p]; i++)
         m->fetches[p][i].wanted[thread] = false;
}

static void
take(struct machine *m, struct rthread *t, struct step *into)
{
   *into = t->way[t->step++];
   assert(t->queued && t->queue_came[0] && t->queue_pc[0] == into->pc);
   t->queued--;
   memmove(t->queue_pc, t->queue_pc + 1, t->queued * sizeof(*t->queue_pc));
   memmove(t->queue_came, t->queue_came + 1, t->queued * sizeof(*t->queue_came));
}

static void
stage(struct machine *m, uint32_t n)
{
   struct rthread *t = &m->threads[n];
   take(m, t, &t->now);
   const struct sgt_instr *i = instr_at(m, t, t->now.pc);
   t->two = m->p->fuse && t->queued && t->queue_came[0] && t->step < t->steps &&
            t->way[t->step].run == t->now.run && t->way[t->step].pc == t->now.pc + 1;
   if (t->two) {
      const struct sgt_instr *next = instr_at(m, t, t->now.pc + 1);
      bool reads = false, others = false;
      for (unsigned s = 0; s < 3; s++) {
         const struct sgt_operand *src = &next->src[s];
         if (src->file == SGPU_FILE_NONE)
            continue;
         if (src->file == SGPU_FILE_TEMP && !src->relative && src->index == i->dst.index &&
             !(src->mask & ~i->dst.mask))
            reads = true;
         else
            others = true;
      }
      t->two = (i->pipe == SGT_PIPE_ALU || i->pipe == SGT_PIPE_SFU) &&
               i->dst.file == SGPU_FILE_TEMP && !i->dst.relative && i->guard == SGT_REG_NONE &&
               !((i->flags | next->flags) & (SGT_INSTR_JUMP | SGT_INSTR_END)) && reads && !others &&
               next->guard == SGT_REG_NONE && !next->address && !next->dst.relative &&
               (next->pipe == SGT_PIPE_TEXTURE ||
                (next->opcode == SGPU_OP_MOV &&
                 (next->dst.file == SGPU_FILE_TEMP || next->dst.file == SGPU_FILE_OUTPUT)));
   }
   if (t->two)
      take(m, t, &t->then);
   const bool over = t->step == t->steps;
   t->goes_elsewhere = !over && t->way[t->step].pc != eu_sender_of(t)->pc + 1;
   t->waits_for_jump = t->goes_elsewhere ||
                       (!over && (i->flags & (SGT_INSTR_JUMP | SGT_INSTR_END)));
   t->jump_done = NEVER;
   t->staged = true;
   t->consts_asked = t->consts_there = t->attrs_asked = t->attrs_there = 0;
   t->attrs_at = 0;
   t->regs_at = NEVER;
   m->decoded[n] = true;
   eu_tell(m, SGT_EU_EVENT_DECODE, n, t->now.pc);
}

static bool
alu_is_taken(const struct machine *m, uint32_t alu)
{
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (m->threads[n].live && m->threads[n].staged && m->threads[n].alu == alu)
         return true;
   return m->alu_free[alu] > m->cycle;
}

void
eu_step_decode(struct machine *m)
{
   bool may[SGT_EU_MAX_THREADS] = { false };
   for (uint32_t n = 0; n < m->p->threads; n++) {
      struct rthread *t = &m->threads[n];
      if (!t->live || t->staged || t->step == t->steps || t->at_barrier)
         continue;
      if (t->waits_for_jump && t->jump_done > m->cycle)
         continue;
      t->waits_for_jump = false;
      if (t->goes_elsewhere) {
         t->goes_elsewhere = false;
         eu_drop_fetches(m, n);
         t->queued = 0;
         t->next_pc = t->way[t->step].pc;
      }
      may[n] = t->queued && t->queue_came[0];
   }
   if (m->p->predecode) {
      for (uint32_t n = 0; n < m->p->threads; n++)
         if (may[n])
            stage(m, n);
      return;
   }
   for (;;) {
      int best = -1;
      for (uint32_t n = 0; n < m->p->threads; n++)
         if (may[n] && older(m, n, best))
            best = n;
      if (best < 0)
         return;
      may[best] = false;
      struct rthread *t = &m->threads[best];
      const struct sgt_instr *i = instr_at(m, t, t->way[t->step].pc);
      if (eu_gathers(m, t) || eu_registers_there(m, t, i) > m->cycle)
         continue;
      if (!is_control(i)) {
         uint32_t alu = 0;
         while (alu < m->p->alus && alu_is_taken(m, alu))
            alu++;
         if (alu == m->p->alus)
            continue;
         t->alu = alu;
      }
      stage(m, best);
   }
}

void
eu_step_broadcast(struct machine *m)
{
   for (uint32_t p = 0; p < 2; p++) {
      struct rfetch *f = &m->fetches[p][0];
      if (!m->num_fetches[p] || f->ready > m->cycle)
         continue;
      for (uint32_t n = 0; n < m->p->threads; n++) {
         struct rthread *t = &m->threads[n];
         if (!f->wanted[n])
            continue;
         for (uint32_t q = 0; q < t->queued; q++)
            if (t->queue_pc[q] == f->pc)
               t->queue_came[q] = true;
         eu_tell(m, SGT_EU_EVENT_BROADCAST, n, f->pc);
      }
      m->num_fetches[p]--;
      memmove(f, f + 1, m->num_fetches[p] * sizeof(*f));
   }
}

static bool
wants_code(const struct machine *m, const struct rthread *t)
{
   return t->live && t->step < t->steps && t->queued < m->p->queue &&
          t->next_pc < m->work->programs[t->program]->num_instrs;
}

static void
want(struct machine *m, struct rfetch *f, uint32_t n)
{
   struct rthread *t = &m->threads[n];
   f->wanted[n] = true;
   t->queue_pc[t->queued] = f->pc;
   t->queue_came[t->queued++] = false;
   t->next_pc++;
   t->latest_fetch = m->cycle;
}

static struct rfetch *
under_way(struct machine *m, const struct rthread *t)
{
   for (uint32_t p = 0; p < 2; p++)
      for (uint32_t i = 0; i < m->num_fetches[p]; i++)
         if (m->fetches[p][i].program == t->program && m->fetches[p][i].pc == t->next_pc)
            return &m->fetches[p][i];
   return NULL;
}

static bool
goes_first(const struct machine *m, uint32_t n, int best)
{
   if (best < 0 || m->p->fetch_select == SGT_EU_FETCH_OLDEST)
      return older(m, n, best);
   const struct rthread *a = &m->threads[n], *b = &m->threads[best];
   return a->latest_fetch < b->latest_fetch ||
          (a->latest_fetch == b->latest_fetch && a->number < b->number);
}

void
eu_step_fetch(struct machine *m)
{
   bool asks[SGT_EU_MAX_THREADS];
   for (uint32_t n = 0; n < m->p->threads; n++) {
      const struct rthread *t = &m->threads[n];
      asks[n] = wants_code(m, t);
      struct rfetch *f = asks[n] && m->p->broadcast ? under_way(m, t) : NULL;
      if (!f)
         continue;
      want(m, f, n);
      eu_tell(m, SGT_EU_EVENT_JOIN, n, f->pc);
      asks[n] = false;
   }
   for (uint32_t p = 0; p < (m->p->two_arbiters ? 2 : 1); p++) {
      int best = -1;
      for (uint32_t n = 0; n < m->p->threads; n++)
         if (asks[n] && (!m->p->two_arbiters || is_even(n) == !p) && goes_first(m, n, best))
            best = n;
      if (best < 0 || m->num_fetches[p] == m->p->threads * m->p->queue)
         continue;
      const struct rthread *t = &m->threads[best];
      const uint64_t line = eu_code_line(t->program, t->next_pc);
      struct rfetch f = { .program = t->program, .pc = t->next_pc, .ready = NEVER };
      if (code_has(m, line)) {
         f.ready = m->cycle + m->p->fetch_latency;
      } else {
         bool coming = false;
         for (uint32_t q = 0; q < 2; q++)
            for (uint32_t i = 0; i < m->num_fetches[q]; i++) {
               const struct rfetch *other = &m->fetches[q][i];
               coming |= other->ready == NEVER && eu_code_line(other->program, other->pc) == line;
            }
         if (!coming && !eu_ask_memory(m, line, -1, true))
            continue;
      }
      struct rfetch *kept = &m->fetches[p][m->num_fetches[p]++];
      assert(m->num_fetches[p] < MAX_LIST);
      *kept = f;
      eu_tell(m, SGT_EU_EVENT_FETCH, best, f.pc);
      want(m, kept, best);
      asks[best] = false;
      for (uint32_t n = 0; m->p->broadcast && n < m->p->threads; n++) {
         const struct rthread *other = &m->threads[n];
         if (!asks[n] || other->program != f.program || other->next_pc != f.pc)
            continue;
         want(m, kept, n);
         eu_tell(m, SGT_EU_EVENT_JOIN, n, f.pc);
         asks[n] = false;
      }
   }
}
