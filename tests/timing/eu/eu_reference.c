/* SPDX-License-Identifier: MIT */
/*
 * The execution unit once more, slow and obvious.
 */
#include "eu_reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define NEVER UINT64_MAX
#define MAX_LIST 4096
#define REGS (SGPU_TEMP_SIZE + SGPU_ADDR_SIZE + SGPU_PRED_SIZE)

/* An instruction of a thread's way, and of the warp's accesses the one that it has. */
struct step {
   uint32_t pc, lanes, access, run;
};

struct rthread {
   bool live;
   uint64_t number;
   int warp;
   uint32_t index; /* of the warp in the work */
   uint32_t program, lanes;
   struct sgt_eu_const_key key;
   struct step *way;
   uint32_t steps, step; /* the next to decode */
   /* Queue: instructions that are wanted, in order, and whether they came. */
   uint32_t queue_pc[SGT_EU_MAX_QUEUE];
   bool queue_came[SGT_EU_MAX_QUEUE];
   uint32_t queued;
   uint32_t next_pc;
   uint64_t latest_fetch;
   bool waits_for_jump, goes_elsewhere;
   uint64_t jump_done;
   bool at_barrier;

   bool staged, two;
   struct step now, then; /* `then`: of the second of two */
   uint32_t alu;
   uint32_t consts_asked, consts_there, attrs_asked, attrs_there;
   uint64_t attrs_at, regs_at; /* regs_at NEVER: not asked for */

   uint64_t result[REGS];
   uint64_t last_result;
   uint32_t outputs, accesses;
};

struct rfetch {
   uint32_t program, pc;
   uint64_t ready;
   bool wanted[SGT_EU_MAX_THREADS];
};

struct roperand {
   uint32_t thread;
   uint64_t address, ready;
};

struct raccess {
   bool used, sent;
   uint32_t index, number; /* of the warp, of its access */
   int warp;
   uint32_t waiters, parts, thread[8];
   int reg[8];
   uint32_t line, answers, left;
};

struct routput {
   uint32_t thread;
   int access; /* -1: none */
   uint64_t at;
};

struct ranswer {
   uint64_t at, address;
   int what; /* access, or -1: code, -2: constants */
};

struct rgroup {
   uint32_t operation, number, program;
};

struct machine {
   const struct sgt_eu_params *p;
   const struct sgt_work *work;
   struct eu_reference *out;
   uint64_t cycle, memory, texture, started;
   uint32_t next_warp, ended_warps;
   struct rthread threads[SGT_EU_MAX_THREADS];
   bool warp_used[SGT_EU_MAX_THREADS];
   uint32_t ended_of[SGT_EU_MAX_THREADS]; /* threads that ended, by slot of the warp */
   uint32_t parts_of[SGT_EU_MAX_THREADS];
   uint32_t index_of[SGT_EU_MAX_THREADS];
   uint32_t *group_ended; /* by warp of the work: its threads that ended */
   struct rfetch fetches[2][MAX_LIST];
   uint32_t num_fetches[2];
   struct {
      uint64_t line, used;
   } code[MAX_LIST];
   uint32_t num_code;
   uint64_t code_uses;
   struct sgt_eu_const constants;
   struct roperand consts[SGT_EU_MAX_FIFO], attrs[SGT_EU_MAX_FIFO];
   uint32_t num_consts, num_attrs;
   uint64_t file_free[2], interp_free, alu_free[SGT_EU_MAX_ALUS];
   struct routput outputs[SGT_EU_MAX_OUTPUT];
   uint32_t num_outputs;
   struct raccess accesses[SGT_EU_MAX_ACCESSES + SGT_EU_MAX_THREADS];
   struct ranswer answers[MAX_LIST];
   uint32_t num_answers;
   bool memory_used, stalled;
   uint32_t did; /* of the five operations */
   bool issued[SGT_EU_MAX_THREADS], decoded[SGT_EU_MAX_THREADS];
};

static void
tell(struct machine *m, enum sgt_eu_event event, uint32_t thread, uint32_t pc)
{
   struct eu_reference *r = m->out;
   if (r->num == r->room) {
      r->room = r->room ? 2 * r->room : 1024;
      r->events = realloc(r->events, r->room * sizeof(*r->events));
      assert(r->events);
   }
   r->events[r->num++] = (struct eu_reference_event){ m->cycle, event, thread, pc };
}

static const struct sgt_instr *
instr_at(const struct machine *m, const struct rthread *t, uint32_t pc)
{
   return &m->work->programs[t->program]->instrs[pc];
}

static uint32_t
lanes_of_part(const struct machine *m, uint32_t lanes, uint32_t part)
{
   uint32_t mask = 0;
   for (uint32_t lane = part * m->p->width; lane < (part + 1) * m->p->width; lane++)
      mask |= 1u << lane;
   return lanes & mask;
}

static bool
older(const struct machine *m, uint32_t a, int b)
{
   return b < 0 || m->threads[a].number < m->threads[b].number;
}

static bool
is_even(uint32_t thread)
{
   return thread % 2 == 0;
}

/* -- what an instruction needs ------------------------------------------------------------ */

static bool
is_access(const struct sgt_instr *i)
{
   return (i->flags & SGT_INSTR_ACCESS) && i->pipe != SGT_PIPE_CONST;
}

static bool
is_control(const struct sgt_instr *i)
{
   return i->pipe == SGT_PIPE_CONTROL;
}

static unsigned
different(const struct sgt_instr *i, enum sgpu_file file, int *indices)
{
   unsigned num = 0;
   for (unsigned s = 0; s < 3; s++) {
      bool seen = false;
      if (i->src[s].file != file)
         continue;
      for (unsigned n = 0; n < num; n++)
         seen |= indices[n] == i->src[s].index;
      if (!seen)
         indices[num++] = i->src[s].index;
   }
   return num;
}

static unsigned
reg_cycles(const struct machine *m, const struct sgt_instr *i)
{
   int temps[3];
   unsigned most = 0;
   const unsigned num = different(i, SGPU_FILE_TEMP, temps);
   for (unsigned bank = 0; bank < m->p->banks; bank++) {
      unsigned in_bank = 0;
      for (unsigned n = 0; n < num; n++)
         in_bank += ((unsigned)temps[n] & 0xff) % m->p->banks == bank;
      most = MAX2(most, in_bank);
   }
   return most;
}

static int
written(const struct sgt_instr *i)
{
   switch (i->dst.file) {
   case SGPU_FILE_TEMP:
      return i->dst.relative ? -1 : i->dst.index;
   case SGPU_FILE_ADDR:
      return SGPU_TEMP_SIZE;
   case SGPU_FILE_PRED:
      return SGPU_TEMP_SIZE + SGPU_ADDR_SIZE + i->dst.index;
   default:
      return -1;
   }
}

static bool
program_spreads(const struct machine *m, const struct rthread *t)
{
   const struct sgt_program *p = m->work->programs[t->program];
   for (uint32_t i = 0; i < p->num_instrs; i++)
      if (p->instrs[i].dst.file == SGPU_FILE_TEMP && p->instrs[i].dst.relative)
         return true;
   return false;
}

/* Results of a register come in order: the cycle from which on `i` may write `reg`. */
static uint64_t
write_from(const struct machine *m, const struct rthread *t, const struct sgt_instr *i, int reg)
{
   const uint64_t latency = is_control(i)             ? 1
                            : i->pipe == SGT_PIPE_SFU ? m->p->sfu_latency
                                                      : m->p->alu_latency;
   if (reg < 0 || t->result[reg] == NEVER)
      return reg < 0 ? 0 : NEVER;
   return t->result[reg] < latency ? 0 : t->result[reg] - latency;
}

/* The cycle at which all registers of an instruction are there. */
static uint64_t
registers_there(const struct machine *m, const struct rthread *t, const struct sgt_instr *i)
{
   bool all = (i->flags & (SGT_INSTR_END | SGT_INSTR_BARRIER)) || i->dst.relative;
   uint64_t at = 0;
   for (unsigned s = 0; s < 3; s++) {
      const struct sgt_operand *src = &i->src[s];
      all |= src->relative;
      if (src->relative)
         continue;
      if (src->file == SGPU_FILE_TEMP)
         at = MAX2(at, t->result[src->index]);
      if (src->file == SGPU_FILE_ADDR)
         at = MAX2(at, t->result[SGPU_TEMP_SIZE]);
      if (src->file == SGPU_FILE_PRED)
         at = MAX2(at, t->result[SGPU_TEMP_SIZE + SGPU_ADDR_SIZE + src->index]);
   }
   if (i->guard != SGT_REG_NONE)
      at = MAX2(at, t->result[SGPU_TEMP_SIZE + SGPU_ADDR_SIZE + (i->guard - SGT_REG_PRED) / 4]);
   if (i->address)
      at = MAX2(at, t->result[SGPU_TEMP_SIZE]);
   at = MAX2(at, write_from(m, t, i, written(i)));
   if (all || program_spreads(m, t))
      at = t->accesses ? NEVER : MAX2(at, t->last_result);
   return at;
}

static uint64_t
staged_there(const struct machine *m, const struct rthread *t)
{
   uint64_t at = registers_there(m, t, instr_at(m, t, t->now.pc));
   if (t->two)
      at = MAX2(at,
                write_from(m, t, instr_at(m, t, t->now.pc), written(instr_at(m, t, t->then.pc))));
   return at;
}

static const struct sgt_access *
access_of(const struct machine *m, uint32_t index, uint32_t number)
{
   return &m->work->accesses[m->work->warps[index].first_access + number];
}

/* Lines of an access, neighbours that are equal counted once. */
static uint32_t
lines_of(const struct machine *m, const struct sgt_access *a, uint64_t *lines)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < a->num_lines; i++) {
      const uint64_t line = sgt_line_address(m->work->lines[a->first_line + i]);
      if (!num || lines[num - 1] != line)
         lines[num++] = line;
   }
   return num;
}

static uint32_t
consts_of(const struct machine *m, const struct rthread *t, uint64_t *addresses)
{
   const struct sgt_instr *i = instr_at(m, t, t->now.pc);
   int indices[3];
   if (i->pipe == SGT_PIPE_CONST)
      return lines_of(m, access_of(m, t->index, t->now.access), addresses);
   const unsigned num = different(i, SGPU_FILE_CONST, indices);
   for (unsigned n = 0; n < num; n++)
      addresses[n] = sgt_eu_const_address(&m->constants, t->key, MAX2(indices[n], 0));
   return num;
}

static uint32_t
attrs_of(const struct machine *m, const struct rthread *t)
{
   int indices[3];
   return different(instr_at(m, t, t->now.pc), SGPU_FILE_INPUT, indices);
}

static bool
needs_regs(const struct machine *m, const struct rthread *t)
{
   int temps[3];
   return different(instr_at(m, t, t->now.pc), SGPU_FILE_TEMP, temps);
}

static bool
regs_here(const struct machine *m, const struct rthread *t)
{
   return !needs_regs(m, t) || t->regs_at <= m->cycle;
}

static bool
consts_here(const struct machine *m, const struct rthread *t)
{
   uint64_t addresses[64];
   return t->consts_there == consts_of(m, t, addresses);
}

static bool
attrs_here(const struct machine *m, const struct rthread *t)
{
   return t->attrs_there == attrs_of(m, t) && t->attrs_at <= m->cycle;
}

/* -- memory ------------------------------------------------------------------------------- */

static bool
ask_memory(struct machine *m, uint64_t address, int what, bool answer)
{
   if (m->memory_used)
      return false;
   m->memory_used = true;
   assert(m->num_answers < MAX_LIST);
   if (answer)
      m->answers[m->num_answers++] = (struct ranswer){ m->cycle + m->memory, address, what };
   return true;
}

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

static void
code_put(struct machine *m, uint64_t line)
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

static uint64_t
code_line(uint32_t program, uint32_t pc)
{
   return (SGT_EU_CODE + ((uint64_t)program << 20) + pc * 16) / 64 * 64;
}

static void
end_access(struct machine *m, struct raccess *a, uint64_t at)
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

static void
step_answers(struct machine *m)
{
   uint32_t kept = 0;
   for (uint32_t n = 0; n < m->num_answers; n++) {
      const struct ranswer a = m->answers[n];
      if (a.at > m->cycle) {
         m->answers[kept++] = a;
      } else if (a.what == -1) {
         code_put(m, a.address);
         for (uint32_t p = 0; p < 2; p++)
            for (uint32_t i = 0; i < m->num_fetches[p]; i++) {
               struct rfetch *f = &m->fetches[p][i];
               if (f->ready == NEVER && code_line(f->program, f->pc) == a.address)
                  f->ready = m->cycle;
            }
      } else if (a.what == -2) {
         sgt_eu_store_put(&m->constants.store, a.address);
         for (uint32_t i = 0; i < m->num_consts; i++)
            if (m->consts[i].ready == NEVER && m->consts[i].address == a.address)
               m->consts[i].ready = m->cycle;
      } else {
         struct raccess *access = &m->accesses[a.what];
         if (!--access->answers && access->sent)
            end_access(m, access, m->cycle);
      }
   }
   m->num_answers = kept;
}

/* -- threads ------------------------------------------------------------------------------ */

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
   const bool shared = m->p->const_scope == SGT_EU_CONST_PROGRAM && !m->constants.contexts;
   if (sgt_eu_const_enter(&m->constants, program->stage, shared ? warp->program : warp->operation,
                          &key) != SGT_EU_CONST_READY)
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
      tell(m, SGT_EU_EVENT_LAUNCH, i, t->next_pc);
   }
   m->next_warp++;
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

static const struct step *
sender_of(const struct rthread *t)
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

/* Whether an access of the thread waits for other threads of the warp. */
static bool
gathers(const struct machine *m, const struct rthread *t)
{
   for (uint32_t a = 0; a < ARRAY_SIZE(m->accesses); a++) {
      const struct raccess *access = &m->accesses[a];
      for (uint32_t w = 0; access->used && w < access->waiters; w++)
         if (access->waiters < access->parts && &m->threads[access->thread[w]] == t)
            return true;
   }
   return false;
}

static bool
has_place(const struct machine *m, const struct rthread *t)
{
   const struct sgt_instr *i = instr_at(m, t, sender_of(t)->pc);
   const bool access = is_access(i);
   if (!access && i->dst.file != SGPU_FILE_OUTPUT)
      return true;
   if (m->num_outputs == m->p->output)
      return false;
   if (!access)
      return true;
   /* A thread waits for the others of its warp with one access, and the last of them needs a place.
    */
   uint32_t complete = 0, there = 0;
   int found;
   if (gathers(m, t))
      return false;
   for (uint32_t a = 0; a < ARRAY_SIZE(m->accesses); a++)
      complete += m->accesses[a].used && m->accesses[a].waiters == m->accesses[a].parts;
   if (find_access(m, t, sender_of(t)->access, &found))
      there = m->accesses[found].waiters;
   return there + 1 < parts_with(m, t->index, sender_of(t)->lanes) || complete < m->p->accesses;
}

/* -- output, deliver, issue --------------------------------------------------------------- */

static void
step_output(struct machine *m)
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
      const struct sgt_access *access = access_of(m, a->index, a->number);
      uint64_t lines[64];
      if (access->kind == SGT_ACCESS_TEXTURE && !access->lanes) {
         end_access(m, a, m->cycle);
      } else if (access->kind == SGT_ACCESS_TEXTURE) {
         m->answers[m->num_answers++] = (struct ranswer){ m->cycle + m->texture, 0, o.access };
         a->answers = 1;
         a->sent = true;
      } else if (access->kind == SGT_ACCESS_SHARED) {
         through = --a->left == 0;
         if (through)
            end_access(m, a, m->cycle + m->p->attr_latency);
      } else {
         const uint32_t num = lines_of(m, access, lines);
         if (a->line < num) {
            if (!ask_memory(m, lines[a->line], o.access, answered[access->kind]))
               return;
            a->answers += answered[access->kind];
            a->line++;
         }
         through = a->line == num;
         a->sent = through;
         if (through && !a->answers)
            end_access(m, a, m->cycle);
      }
   }
   m->did++;
   tell(m, SGT_EU_EVENT_OUTPUT, o.thread, 0);
   if (!through)
      return;
   m->threads[o.thread].outputs--;
   m->num_outputs--;
   memmove(m->outputs, m->outputs + 1, m->num_outputs * sizeof(*m->outputs));
}

static void
step_deliver(struct machine *m)
{
   for (uint32_t i = 0; i < m->num_consts; i++) {
      if (m->consts[i].ready > m->cycle) {
         if (m->p->const_in_order)
            break;
         continue;
      }
      m->threads[m->consts[i].thread].consts_there++;
      m->num_consts--;
      memmove(m->consts + i, m->consts + i + 1, (m->num_consts - i) * sizeof(*m->consts));
      break;
   }
   if (!m->num_attrs || m->attrs[0].ready > m->cycle)
      return;
   struct rthread *t = &m->threads[m->attrs[0].thread];
   uint64_t at = m->cycle;
   if (m->work->programs[t->program]->stage == SGPU_STAGE_PIXEL) {
      if (m->interp_free > m->cycle)
         return;
      m->interp_free = m->cycle + m->p->interp_interval;
      at += m->p->interp_latency;
   }
   t->attrs_there++;
   t->attrs_at = MAX2(t->attrs_at, at);
   m->num_attrs--;
   memmove(m->attrs, m->attrs + 1, m->num_attrs * sizeof(*m->attrs));
}

static bool
same_group(const struct machine *m, uint32_t a, uint32_t b)
{
   const struct sgt_warp *wa = &m->work->warps[a], *wb = &m->work->warps[b];
   if (m->work->programs[wa->program]->stage != SGPU_STAGE_COMPUTE)
      return a == b;
   return wa->operation == wb->operation && wa->group == wb->group && wa->program == wb->program;
}

/* Barriers open when each thread of the workgroup is there or has ended. */
static void
open_barriers(struct machine *m, uint32_t index)
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
   const struct sgt_instr *last = instr_at(m, t, sender_of(t)->pc);
   uint64_t at = m->cycle + 1;
   if (!is_control(i)) {
      const bool special = i->pipe == SGT_PIPE_SFU;
      at = m->cycle + (special ? m->p->sfu_latency : m->p->alu_latency);
      m->alu_free[alu] = m->cycle + (special ? m->p->sfu_interval : m->p->alu_interval);
   }
   if (written(i) >= 0 && !is_access(i))
      t->result[written(i)] = at;
   if (t->two && written(last) >= 0 && !is_access(last))
      t->result[written(last)] = at;
   t->last_result = MAX2(t->last_result, at);
   if (is_access(last) || last->dst.file == SGPU_FILE_OUTPUT) {
      struct routput o = { n, -1, at };
      if (is_access(last)) {
         int a = 0;
         if (!find_access(m, t, sender_of(t)->access, &a)) {
            for (a = 0; m->accesses[a].used;)
               a++;
            m->accesses[a] = (struct raccess){
               .used = true,
               .index = t->index,
               .warp = t->warp,
               .number = sender_of(t)->access,
               .parts = parts_with(m, t->index, sender_of(t)->lanes),
               .left = MAX2(access_of(m, t->index, sender_of(t)->access)->work, 1),
            };
         }
         struct raccess *access = &m->accesses[a];
         access->thread[access->waiters] = n;
         access->reg[access->waiters++] = written(last);
         t->accesses++;
         if (written(last) >= 0)
            t->result[written(last)] = NEVER;
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
   tell(m, SGT_EU_EVENT_ISSUE, n, t->now.pc);
   if (i->flags & SGT_INSTR_BARRIER) {
      t->at_barrier = true;
      open_barriers(m, t->index);
   }
}

static bool
ready(const struct machine *m, const struct rthread *t)
{
   return t->live && t->staged && staged_there(m, t) <= m->cycle && consts_here(m, t) &&
          attrs_here(m, t) && regs_here(m, t);
}

static void
step_issue(struct machine *m)
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
             has_place(m, t) && (m->p->predecode || t->alu == alu) && older(m, n, best))
            best = n;
      }
      if (best >= 0)
         issue(m, best, alu);
   }
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (was_ready[n] && !m->issued[n] &&
          is_control(instr_at(m, &m->threads[n], m->threads[n].now.pc)) &&
          has_place(m, &m->threads[n]))
         issue(m, n, 0);
}

/* -- operands ----------------------------------------------------------------------------- */

static bool
wants_const(const struct machine *m, const struct rthread *t)
{
   uint64_t addresses[64];
   if (!t->live || !t->staged || t->consts_asked == consts_of(m, t, addresses))
      return false;
   return instr_at(m, t, t->now.pc)->pipe != SGT_PIPE_CONST || regs_here(m, t);
}

static bool
loads(const struct machine *m, const struct rthread *t)
{
   return instr_at(m, t, t->now.pc)->pipe == SGT_PIPE_CONST;
}

static bool
late(const struct machine *m, const struct rthread *t)
{
   return instr_at(m, t, t->now.pc)->pipe == SGT_PIPE_INTERP && needs_regs(m, t);
}

static bool
wants_attr(const struct machine *m, const struct rthread *t)
{
   if (!t->live || !t->staged || t->attrs_asked == attrs_of(m, t))
      return false;
   if (late(m, t) && !regs_here(m, t))
      return false;
   return m->p->predecode || consts_here(m, t) || loads(m, t);
}

static bool
wants_regs(const struct machine *m, const struct rthread *t)
{
   if (!t->live || !t->staged || !needs_regs(m, t) || t->regs_at != NEVER ||
       staged_there(m, t) > m->cycle)
      return false;
   if (m->p->predecode)
      return true;
   return (consts_here(m, t) || loads(m, t)) && (attrs_here(m, t) || late(m, t));
}

static void
step_const(struct machine *m)
{
   int best = -1;
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (wants_const(m, &m->threads[n]) && older(m, n, best))
         best = n;
   if (best < 0 || m->num_consts == m->p->const_fifo)
      return;
   struct rthread *t = &m->threads[best];
   uint64_t addresses[64];
   consts_of(m, t, addresses);
   struct roperand c = { best, addresses[t->consts_asked], NEVER };
   if (sgt_eu_store_has(&m->constants.store, c.address)) {
      c.ready = m->cycle + m->p->const_latency;
   } else {
      bool under_way = false;
      for (uint32_t i = 0; i < m->num_consts; i++)
         under_way |= m->consts[i].ready == NEVER && m->consts[i].address == c.address;
      if (!under_way && !ask_memory(m, c.address, -2, true))
         return;
   }
   m->consts[m->num_consts++] = c;
   t->consts_asked++;
   m->did++;
   tell(m, SGT_EU_EVENT_CONST, best, t->now.pc);
}

static void
step_attr(struct machine *m)
{
   int best = -1;
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (wants_attr(m, &m->threads[n]) && older(m, n, best))
         best = n;
   if (best < 0 || m->num_attrs == m->p->attr_fifo)
      return;
   m->attrs[m->num_attrs++] = (struct roperand){ best, 0, m->cycle + m->p->attr_latency };
   m->threads[best].attrs_asked++;
   m->did++;
   tell(m, SGT_EU_EVENT_ATTR, best, m->threads[best].now.pc);
}

static void
step_regs(struct machine *m, uint32_t file)
{
   int best = -1;
   if (m->file_free[file] > m->cycle)
      return;
   for (uint32_t n = 0; n < m->p->threads; n++)
      if ((!m->p->two_files || is_even(n) == !file) && wants_regs(m, &m->threads[n]) &&
          older(m, n, best))
         best = n;
   if (best < 0)
      return;
   struct rthread *t = &m->threads[best];
   const unsigned cycles = reg_cycles(m, instr_at(m, t, t->now.pc));
   m->file_free[file] = m->cycle + cycles;
   t->regs_at = m->cycle + cycles - 1 + m->p->reg_latency;
   m->did++;
   tell(m, SGT_EU_EVENT_REGS, best, t->now.pc);
}

/* -- decode and fetch --------------------------------------------------------------------- */

static void
drop_fetches(struct machine *m, uint32_t thread)
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
   t->goes_elsewhere = !over && t->way[t->step].pc != sender_of(t)->pc + 1;
   t->waits_for_jump = t->goes_elsewhere ||
                       (!over && (i->flags & (SGT_INSTR_JUMP | SGT_INSTR_END)));
   t->jump_done = NEVER;
   t->staged = true;
   t->consts_asked = t->consts_there = t->attrs_asked = t->attrs_there = 0;
   t->attrs_at = 0;
   t->regs_at = NEVER;
   m->decoded[n] = true;
   tell(m, SGT_EU_EVENT_DECODE, n, t->now.pc);
}

static bool
alu_is_taken(const struct machine *m, uint32_t alu)
{
   for (uint32_t n = 0; n < m->p->threads; n++)
      if (m->threads[n].live && m->threads[n].staged && m->threads[n].alu == alu)
         return true;
   return m->alu_free[alu] > m->cycle;
}

static void
step_decode(struct machine *m)
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
         drop_fetches(m, n);
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
      if (gathers(m, t) || registers_there(m, t, i) > m->cycle)
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

static void
step_broadcast(struct machine *m)
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
         tell(m, SGT_EU_EVENT_BROADCAST, n, f->pc);
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

static void
step_fetch(struct machine *m)
{
   bool asks[SGT_EU_MAX_THREADS];
   for (uint32_t n = 0; n < m->p->threads; n++) {
      const struct rthread *t = &m->threads[n];
      asks[n] = wants_code(m, t);
      struct rfetch *f = asks[n] && m->p->broadcast ? under_way(m, t) : NULL;
      if (!f)
         continue;
      want(m, f, n);
      tell(m, SGT_EU_EVENT_JOIN, n, f->pc);
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
      const uint64_t line = code_line(t->program, t->next_pc);
      struct rfetch f = { .program = t->program, .pc = t->next_pc, .ready = NEVER };
      if (code_has(m, line)) {
         f.ready = m->cycle + m->p->fetch_latency;
      } else {
         bool coming = false;
         for (uint32_t q = 0; q < 2; q++)
            for (uint32_t i = 0; i < m->num_fetches[q]; i++) {
               const struct rfetch *other = &m->fetches[q][i];
               coming |= other->ready == NEVER && code_line(other->program, other->pc) == line;
            }
         if (!coming && !ask_memory(m, line, -1, true))
            continue;
      }
      struct rfetch *kept = &m->fetches[p][m->num_fetches[p]++];
      assert(m->num_fetches[p] < MAX_LIST);
      *kept = f;
      tell(m, SGT_EU_EVENT_FETCH, best, f.pc);
      want(m, kept, best);
      asks[best] = false;
      for (uint32_t n = 0; m->p->broadcast && n < m->p->threads; n++) {
         const struct rthread *other = &m->threads[n];
         if (!asks[n] || other->program != f.program || other->next_pc != f.pc)
            continue;
         want(m, kept, n);
         tell(m, SGT_EU_EVENT_JOIN, n, f.pc);
         asks[n] = false;
      }
   }
}

/* -- accounts, end ------------------------------------------------------------------------ */

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
      const uint64_t at = staged_there(m, t);
      return at == NEVER          ? SGT_EU_ACCESS
             : at > m->cycle      ? SGT_EU_RESULT
             : !regs_here(m, t)   ? SGT_EU_REGS
             : !consts_here(m, t) ? SGT_EU_CONST
             : !attrs_here(m, t)  ? SGT_EU_ATTR
             : !has_place(m, t)   ? SGT_EU_OUTPUT
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
   const uint64_t at = registers_there(m, t, instr_at(m, t, t->way[t->step].pc));
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
      drop_fetches(m, n);
      tell(m, SGT_EU_EVENT_END, n, 0);
      m->group_ended[t->index]++;
      open_barriers(m, t->index);
      if (++m->ended_of[t->warp] == m->parts_of[t->warp]) {
         m->warp_used[t->warp] = false;
         sgt_eu_const_leave(&m->constants, t->key);
         m->ended_warps++;
      }
   }
}

void
eu_reference_run(struct eu_reference *r, const struct sgt_eu_params *p, const struct sgt_work *work,
                 const struct sgt_eu_context *contexts, uint64_t memory, uint64_t texture,
                 uint64_t limit)
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
   const bool ok = sgt_eu_const_init(&m->constants, &p->constants, contexts);
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
      step_output(m);
      step_deliver(m);
      for (uint32_t i = 0; i < m->num_consts; i++)
         m->stalled |= p->const_blocking && m->consts[i].ready == NEVER;
      if (!m->stalled) {
         step_issue(m);
         step_const(m);
         step_attr(m);
         step_regs(m, 0);
         if (p->two_files)
            step_regs(m, 1);
         step_decode(m);
      }
      step_broadcast(m);
      step_fetch(m);
      step_account(m);
      step_end(m);
   }
   r->cycles = m->cycle;
   for (uint32_t n = 0; n < SGT_EU_MAX_THREADS; n++)
      free(m->threads[n].way);
   sgt_eu_const_finish(&m->constants);
   free(m->group_ended);
   free(m);
}
