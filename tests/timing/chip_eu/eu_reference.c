/* SPDX-License-Identifier: MIT */
/*
 * Slow and simple reference of the execution unit: memory, launch and end of threads, accounts.
 */
#include "eu_reference_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void
eu_tell(struct machine *m, enum sgt_eu_event event, uint32_t thread, uint32_t pc)
{
   struct eu_reference *r = m->out;
   if (r->num == r->room) {
      r->room = r->room ? 2 * r->room : 1024;
      r->events = realloc(r->events, r->room * sizeof(*r->events));
      assert(r->events);
   }
   r->events[r->num++] = (struct eu_reference_event){ m->cycle, event, thread, pc };
}

bool
eu_ask_memory(struct machine *m, uint64_t address, int what, bool answer)
{
   if (m->memory_used)
      return false;
   m->memory_used = true;
   assert(m->num_answers < MAX_LIST);
   if (answer)
      m->answers[m->num_answers++] = (struct ranswer){ m->cycle + m->memory, address, what };
   return true;
}

static void
step_answers(struct machine *m)
{
   uint32_t kept = 0;
   for (uint32_t n = 0; n < m->num_answers; n++) {
      const struct ranswer a = m->answers[n];
      if (a.at > m->cycle) {
         m->answers[kept++] = a;
      } else if (a.what == -1) {
         eu_code_put(m, a.address);
         for (uint32_t p = 0; p < 2; p++)
            for (uint32_t i = 0; i < m->num_fetches[p]; i++) {
               struct rfetch *f = &m->fetches[p][i];
               if (f->ready == NEVER && eu_code_line(f->program, f->pc) == a.address)
                  f->ready = m->cycle;
            }
      } else if (a.what == -2) {
         sgt_tags_insert(&m->constants.store, a.address / 64, NULL);
         for (uint32_t i = 0; i < m->num_consts; i++)
            if (m->consts[i].ready == NEVER && m->consts[i].address == a.address)
               m->consts[i].ready = m->cycle;
      } else {
         struct raccess *access = &m->accesses[a.what];
         if (!--access->answers && access->sent)
            eu_end_access(m, access, m->cycle);
      }
   }
   m->num_answers = kept;
}

static void
make_way(struct machine *m, struct rthread *t)
{
   const struct sgt_warp *warp = &m->work->warps[t->index];
   uint32_t access = 0;
   for (uint32_t r = 0; r < warp->num_runs; r++) {
      const struct sgt_run *run = &m->work->runs[warp->first_run + r];
      for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
         if (run->lanes & t->lanes) {
            t->way = realloc(t->way, (t->steps + 1) * sizeof(*t->way));
            assert(t->way);
            t->way[t->steps++] = (struct step){ pc, run->lanes, access, r };
         }
         access += !!(instr_at(m, t, pc)->flags & SGT_INSTR_ACCESS);
      }
   }
}

static void
step_launch(struct machine *m)
{
   uint32_t parts = 0, free_even = 0, free_odd = 0, slot = 0, resident = 0, used = 0;
   if (m->next_warp == m->work->num_warps)
      return;
   const struct sgt_warp *warp = &m->work->warps[m->next_warp];
   const struct sgt_program *program = m->work->programs[warp->program];
   uint32_t inputs = 0;
   for (unsigned i = 0; i < SGPU_INPUT_SIZE; i++)
      inputs += program->inputs[i] != 0;
   for (uint32_t part = 0; part < 32 / m->p->width; part++)
      parts += lanes_of_part(m, warp->lanes, part) != 0;
   for (uint32_t i = 0; i < m->p->threads; i++) {
      used += m->warp_used[i];
      if (!m->threads[i].live) {
         free_even += is_even(i);
         free_odd += !is_even(i);
         continue;
      }
      const struct sgt_program *other = m->work->programs[m->threads[i].program];
      for (unsigned v = 0; v < SGPU_INPUT_SIZE; v++)
         resident += other->inputs[v] != 0;
   }
   if (free_even + free_odd < parts || used == m->p->threads)
      return;
   if (m->p->attr_entries && resident + parts * inputs > m->p->attr_entries)
      return;
   struct sgt_eu_const_key key;
   if (sgt_eu_const_enter(&m->constants, program->stage, warp->operation, &key) !=
       SGT_EU_CONST_READY)
      return;
   while (m->warp_used[slot])
      slot++;
   m->warp_used[slot] = true;
   m->index_of[slot] = m->next_warp;
   m->parts_of[slot] = parts;
   m->ended_of[slot] = 0;
   for (uint32_t part = 0; part < 32 / m->p->width; part++) {
      const uint32_t lanes = lanes_of_part(m, warp->lanes, part);
      if (!lanes)
         continue;
      const bool even = free_even >= free_odd;
      uint32_t i = even ? 0 : 1;
      while (m->threads[i].live)
         i += 2;
      if (even)
         free_even--;
      else
         free_odd--;
      struct rthread *t = &m->threads[i];
      free(t->way);
      *t = (struct rthread){
         .live = true,
         .number = m->started++,
         .warp = slot,
         .index = m->next_warp,
         .program = warp->program,
         .lanes = lanes,
         .key = key,
         .latest_fetch = m->cycle,
         .alu = UINT32_MAX,
      };
      make_way(m, t);
      t->next_pc = t->way[0].pc;
      eu_tell(m, SGT_EU_EVENT_LAUNCH, i, t->next_pc);
   }
   m->next_warp++;
}

static enum sgt_eu_thread_state
state_of(const struct machine *m, uint32_t n)
{
   const struct rthread *t = &m->threads[n];
   if (m->issued[n])
      return SGT_EU_ISSUE;
   if (m->stalled)
      return SGT_EU_STALL;
   if (m->decoded[n])
      return SGT_EU_DECODE;
   if (t->staged) {
      const uint64_t at = eu_staged_there(m, t);
      return at == NEVER             ? SGT_EU_ACCESS
             : at > m->cycle         ? SGT_EU_RESULT
             : !eu_regs_here(m, t)   ? SGT_EU_REGS
             : !eu_consts_here(m, t) ? SGT_EU_CONST
             : !eu_attrs_here(m, t)  ? SGT_EU_ATTR
             : !eu_has_place(m, t)   ? SGT_EU_OUTPUT
                                     : SGT_EU_SELECT;
   }
   if (t->step == t->steps)
      return SGT_EU_DRAIN;
   if (t->at_barrier)
      return SGT_EU_BARRIER;
   if (t->waits_for_jump && t->jump_done > m->cycle)
      return SGT_EU_JUMP;
   if (!t->queued || !t->queue_came[0] || t->goes_elsewhere || m->p->predecode)
      return SGT_EU_FETCH;
   const uint64_t at = eu_registers_there(m, t, instr_at(m, t, t->way[t->step].pc));
   return at == NEVER ? SGT_EU_ACCESS : at > m->cycle ? SGT_EU_RESULT : SGT_EU_GRANT;
}

static void
step_account(struct machine *m)
{
   struct eu_reference *r = m->out;
   int first = -1;
   for (uint32_t n = 0; n < m->p->threads; n++) {
      r->thread_states[m->threads[n].live ? state_of(m, n) : SGT_EU_EMPTY]++;
      if (m->threads[n].live && !m->issued[n] && older(m, n, first))
         first = n;
   }
   for (uint32_t a = 0; a < m->p->alus; a++) {
      enum sgt_eu_thread_state state = m->alu_free[a] > m->cycle ? SGT_EU_ISSUE
                                       : first >= 0              ? state_of(m, first)
                                                                 : SGT_EU_EMPTY;
      for (uint32_t n = 0; n < m->p->threads; n++)
         if (m->threads[n].live && m->threads[n].staged && m->threads[n].alu == a)
            state = state_of(m, n);
      r->alu_states[a][state]++;
   }
   r->operations[m->did]++;
}

static void
step_end(struct machine *m)
{
   for (uint32_t n = 0; n < m->p->threads; n++) {
      struct rthread *t = &m->threads[n];
      if (!t->live || t->staged || t->step < t->steps || t->outputs || t->accesses ||
          t->at_barrier || t->last_result > m->cycle)
         continue;
      t->live = false;
      eu_drop_fetches(m, n);
      eu_tell(m, SGT_EU_EVENT_END, n, 0);
      m->group_ended[t->index]++;
      eu_open_barriers(m, t->index);
      if (++m->ended_of[t->warp] == m->parts_of[t->warp]) {
         m->warp_used[t->warp] = false;
         sgt_eu_const_leave(&m->constants, t->key);
         m->ended_warps++;
      }
   }
}

void
eu_reference_run(struct eu_reference *r, const struct sgt_eu_params *p, const struct sgt_work *work,
                 uint64_t memory, uint64_t texture, uint64_t limit)
{
   struct machine *m = calloc(1, sizeof(*m));
   assert(m);
   *r = (struct eu_reference){ 0 };
   m->p = p;
   m->work = work;
   m->out = r;
   m->memory = memory;
   m->texture = texture;
   m->group_ended = calloc(work->num_warps + 1, sizeof(*m->group_ended));
   const bool ok = sgt_const_lines_init(&m->lines, work, p->const_scope) &&
                   sgt_eu_const_init(&m->constants, &p->constants, &m->lines);
   assert(ok && m->group_ended);
   uint32_t more = EU_REFERENCE_MORE;
   for (m->cycle = 0; m->cycle < limit && more; m->cycle++) {
      more -= m->ended_warps == work->num_warps;
      m->memory_used = m->stalled = false;
      m->did = 0;
      memset(m->issued, 0, sizeof(m->issued));
      memset(m->decoded, 0, sizeof(m->decoded));
      step_answers(m);
      if (m->cycle)
         step_launch(m);
      eu_step_output(m);
      eu_step_deliver(m);
      for (uint32_t i = 0; i < m->num_consts; i++)
         m->stalled |= p->const_blocking && m->consts[i].ready == NEVER;
      if (!m->stalled) {
         eu_step_issue(m);
         eu_step_const(m);
         eu_step_attr(m);
         eu_step_regs(m, 0);
         if (p->two_files)
            eu_step_regs(m, 1);
         eu_step_decode(m);
      }
      eu_step_broadcast(m);
      eu_step_fetch(m);
      step_account(m);
      step_end(m);
   }
   r->cycles = m->cycle;
   for (uint32_t n = 0; n < SGT_EU_MAX_THREADS; n++)
      free(m->threads[n].way);
   sgt_eu_const_finish(&m->constants);
   sgt_const_lines_finish(&m->lines);
   free(m->group_ended);
   free(m);
}
