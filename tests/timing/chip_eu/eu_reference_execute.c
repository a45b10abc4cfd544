/* SPDX-License-Identifier: MIT */
/*
 * Reference of the execution unit: output buffer, accesses, issue, barriers.
 */
#include "eu_reference_state.h"

#include <string.h>

void
eu_end_access(struct machine *m, struct raccess *a, uint64_t at)
{
   for (uint32_t w = 0; w < a->waiters; w++) {
      struct rthread *t = &m->threads[a->thread[w]];
      t->accesses--;
      t->last_result = MAX2(t->last_result, at);
      if (a->reg[w] >= 0)
         t->result[a->reg[w]] = at;
   }
   a->used = false;
}

static bool
find_access(const struct machine *m, const struct rthread *t, uint32_t number, int *found)
{
   for (uint32_t a = 0; a < ARRAY_SIZE(m->accesses); a++)
      if (m->accesses[a].used && m->accesses[a].warp == t->warp &&
          m->accesses[a].number == number) {
         *found = a;
         return true;
      }
   return false;
}

const struct step *
eu_sender_of(const struct rthread *t)
{
   return t->two ? &t->then : &t->now;
}

static uint32_t
parts_with(const struct machine *m, uint32_t index, uint32_t lanes)
{
   uint32_t num = 0;
   for (uint32_t part = 0; part < 32 / m->p->width; part++)
      num += lanes_of_part(m, m->work->warps[index].lanes & lanes, part) != 0;
   return num;
}

/* Returns true if an access of the thread waits for other threads of the warp. */
bool
eu_gathers(const struct machine *m, const struct rthread *t)
{
   for (uint32_t a = 0; a < ARRAY_SIZE(m->accesses); a++) {
      const struct raccess *access = &m->accesses[a];
      for (uint32_t w = 0; access->used && w < access->waiters; w++)
         if (access->waiters < access->parts && &m->threads[access->thread[w]] == t)
            return true;
   }
   return false;
}

bool
eu_has_place(const struct machine *m, const struct rthread *t)
{
   const struct sgt_instr *i = instr_at(m, t, eu_sender_of(t)->pc);
   const bool access = is_access(i);
   if (!access && i->dst.file != SGPU_FILE_OUTPUT)
      return true;
   if (m->num_outputs == m->p->output)
      return false;
   if (!access)
      return true;
   /* A thread waits for the others of its warp with one access, and the last thread needs a free
    * place.
    */
   uint32_t complete = 0, there = 0;
   int found;
   if (eu_gathers(m, t))
      return false;
   for (uint32_t a = 0; a < ARRAY_SIZE(m->accesses); a++)
      complete += m->accesses[a].used && m->accesses[a].waiters == m->accesses[a].parts;
   if (find_access(m, t, eu_sender_of(t)->access, &found))
      there = m->accesses[found].waiters;
   return there + 1 < parts_with(m, t->index, eu_sender_of(t)->lanes) || complete < m->p->accesses;
}

void
eu_step_output(struct machine *m)
{
   static const bool answered[SGT_ACCESS_KINDS] = {
      [SGT_ACCESS_LOAD] = true,
      [SGT_ACCESS_ATOMIC] = true,
   };
   bool through = true;
   if (!m->num_outputs || m->outputs[0].at > m->cycle)
      return;
   const struct routput o = m->outputs[0];
   if (o.access >= 0) {
      struct raccess *a = &m->accesses[o.access];
      const struct sgt_access *access = eu_access_of(m, a->index, a->number);
      uint64_t lines[64];
      if (access->kind == SGT_ACCESS_TEXTURE && !access->lanes) {
         eu_end_access(m, a, m->cycle);
      } else if (access->kind == SGT_ACCESS_TEXTURE) {
         m->answers[m->num_answers++] = (struct ranswer){ m->cycle + m->texture, 0, o.access };
         a->answers = 1;
         a->sent = true;
      } else if (access->kind == SGT_ACCESS_SHARED) {
         through = --a->left == 0;
         if (through)
            eu_end_access(m, a, m->cycle + m->p->attr_latency);
      } else {
         const uint32_t num = eu_lines_of(m, access, lines);
         if (a->line < num) {
            if (!eu_ask_memory(m, lines[a->line], o.access, answered[access->kind]))
               return;
            a->answers += answered[access->kind];
            a->line++;
         }
         through = a->line == num;
         a->sent = through;
         if (through && !a->answers)
            eu_end_access(m, a, m->cycle);
      }
   }
   m->did++;
   eu_tell(m, SGT_EU_EVENT_OUTPUT, o.thread, 0);
   if (!through)
      return;
   m->threads[o.thread].outputs--;
   m->num_outputs--;
   memmove(m->outputs, m->outputs + 1, m->num_outputs * sizeof(*m->outputs));
}

static bool
same_group(const struct machine *m, uint32_t a, uint32_t b)
{
   const struct sgt_warp *wa = &m->work->warps[a], *wb = &m->work->warps[b];
   if (m->work->programs[wa->program]->stage != SGPU_STAGE_COMPUTE)
      return a == b;
   return wa->operation == wb->operation && wa->group == wb->group && wa->program == wb->program;
}

/* Opens barriers at which each thread of the workgroup has arrived or has ended. */
void
eu_open_barriers(struct machine *m, uint32_t index)
{
   uint32_t total = 0, there = 0;
   for (uint32_t w = 0; w < m->work->num_warps; w++) {
      if (!same_group(m, w, index))
         continue;
      for (uint32_t part = 0; part < 32 / m->p->width; part++)
         total += lanes_of_part(m, m->work->warps[w].lanes, part) != 0;
      there += m->group_ended[w];
   }
   bool waits = false;
   for (uint32_t i = 0; i < m->p->threads; i++)
      if (m->threads[i].live && m->threads[i].at_barrier &&
          same_group(m, m->threads[i].index, index)) {
         waits = true;
         there++;
      }
   if (!waits || there != total)
      return;
   for (uint32_t i = 0; i < m->p->threads; i++)
      if (m->threads[i].live && same_group(m, m->threads[i].index, index))
         m->threads[i].at_barrier = false;
}

static void
issue(struct machine *m, uint32_t n, uint32_t alu)
{
   struct rthread *t = &m->threads[n];
   const struct sgt_instr *i = instr_at(m, t, t->now.pc);
   const struct sgt_instr *last = instr_at(m, t, eu_sender_of(t)->pc);
   uint64_t at = m->cycle + 1;
   if (!is_control(i)) {
      const bool special = i->pipe == SGT_PIPE_SFU;
      at = m->cycle + (special ? m->p->sfu_latency : m->p->alu_latency);
      m->alu_free[alu] = m->cycle + (special ? m->p->sfu_interval : m->p->alu_interval);
   }
   if (eu_written(i) >= 0 && !is_access(i))
      t->result[eu_written(i)] = at;
   if (t->two && eu_written(last) >= 0 && !is_access(last))
      t->result[eu_written(last)] = at;
   t->last_result = MAX2(t->last_result, at);
   if (is_access(last) || last->dst.file == SGPU_FILE_OUTPUT) {
      struct routput o = { n, -1, at };
      if (is_access(last)) {
         int a = 0;
         if (!find_access(m, t, eu_sender_of(t)->access, &a)) {
            for (a = 0; m->accesses[a].used;)
               a++;
            m->accesses[a] = (struct raccess){
               .used = true,
               .index = t->index,
               .warp = t->warp,
               .number = eu_sender_of(t)->access,
               .parts = parts_with(m, t->index, eu_sender_of(t)->lanes),
               .left = MAX2(eu_access_of(m, t->index, eu_sender_of(t)->access)->work, 1),
            };
         }
         struct raccess *access = &m->accesses[a];
         access->thread[access->waiters] = n;
         access->reg[access->waiters++] = eu_written(last);
         t->accesses++;
         if (eu_written(last) >= 0)
            t->result[eu_written(last)] = NEVER;
         if (access->waiters == access->parts)
            o.access = a;
      }
      t->outputs++;
      m->outputs[m->num_outputs++] = o;
   }
   t->staged = false;
   t->alu = UINT32_MAX;
   if (t->waits_for_jump)
      t->jump_done = m->cycle + m->p->jump_latency;
   m->issued[n] = true;
   eu_tell(m, SGT_EU_EVENT_ISSUE, n, t->now.pc);
   if (i->flags & SGT_INSTR_BARRIER) {
      t->at_barrier = true;
      eu_open_barriers(m, t->index);
   }
}

static bool
ready(const struct machine *m, const struct rthread *t)
{
   return t->live && t->staged && eu_staged_there(m, t) <= m->cycle && eu_consts_here(m, t) &&
          eu_attrs_here(m, t) && eu_regs_here(m, t);
}

void
eu_step_issue(struct machine *m)
{
   bool was_ready[SGT_EU_MAX_THREADS];
   for (uint32_t n = 0; n < m->p->threads; n++)
      was_ready[n] = ready(m, &m->threads[n]);
   for (uint32_t alu = 0; alu < m->p->alus; alu++) {
      int best = -1;
      if (m->alu_free[alu] > m->cycle)
         continue;
      for (uint32_t n = 0; n < m->p->threads; n++) {
         const struct rthread *t = &m->threads[n];
         if (was_ready[n] && !m->issued[n] && !is_control(instr_at(m, t, t->now.pc)) &&
             eu_has_place(m, t) && (m->p->predecode || t->alu == alu) && older(m, n, best))
            best = n;
      }
      if (best >= 0)
         issue(m, best, alu);
   }
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (was_ready[n] && !m->issued[n] &&
          is_control(instr_at(m, &m->threads[n], m->threads[n].now.pc)) &&
          eu_has_place(m, &m->threads[n]))
         issue(m, n, 0);
}
