/* SPDX-License-Identifier: MIT */
/*
 * Reference of the execution unit: operands of instructions, and the arbiters of operands.
 */
#include "eu_reference_state.h"

#include <string.h>

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

int
eu_written(const struct sgt_instr *i)
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

/* Results of a register are written in order.  Returns the first cycle at which `i` may write
 * `reg`.
 */
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

/* Returns the cycle at which all registers of an instruction are available. */
uint64_t
eu_registers_there(const struct machine *m, const struct rthread *t, const struct sgt_instr *i)
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
   at = MAX2(at, write_from(m, t, i, eu_written(i)));
   if (all || program_spreads(m, t))
      at = t->accesses ? NEVER : MAX2(at, t->last_result);
   return at;
}

uint64_t
eu_staged_there(const struct machine *m, const struct rthread *t)
{
   uint64_t at = eu_registers_there(m, t, instr_at(m, t, t->now.pc));
   if (t->two)
      at = MAX2(at, write_from(m, t, instr_at(m, t, t->now.pc),
                               eu_written(instr_at(m, t, t->then.pc))));
   return at;
}

const struct sgt_access *
eu_access_of(const struct machine *m, uint32_t index, uint32_t number)
{
   return &m->work->accesses[m->work->warps[index].first_access + number];
}

/* Stores the lines of an access, and counts equal neighbours once.  Returns their number. */
uint32_t
eu_lines_of(const struct machine *m, const struct sgt_access *a, uint64_t *lines)
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
      return eu_lines_of(m, eu_access_of(m, t->index, t->now.access), addresses);
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

bool
eu_regs_here(const struct machine *m, const struct rthread *t)
{
   return !needs_regs(m, t) || t->regs_at <= m->cycle;
}

bool
eu_consts_here(const struct machine *m, const struct rthread *t)
{
   uint64_t addresses[64];
   return t->consts_there == consts_of(m, t, addresses);
}

bool
eu_attrs_here(const struct machine *m, const struct rthread *t)
{
   return t->attrs_there == attrs_of(m, t) && t->attrs_at <= m->cycle;
}

void
eu_step_deliver(struct machine *m)
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
wants_const(const struct machine *m, const struct rthread *t)
{
   uint64_t addresses[64];
   if (!t->live || !t->staged || t->consts_asked == consts_of(m, t, addresses))
      return false;
   return instr_at(m, t, t->now.pc)->pipe != SGT_PIPE_CONST || eu_regs_here(m, t);
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
   if (late(m, t) && !eu_regs_here(m, t))
      return false;
   return m->p->predecode || eu_consts_here(m, t) || loads(m, t);
}

static bool
wants_regs(const struct machine *m, const struct rthread *t)
{
   if (!t->live || !t->staged || !needs_regs(m, t) || t->regs_at != NEVER ||
       eu_staged_there(m, t) > m->cycle)
      return false;
   if (m->p->predecode)
      return true;
   return (eu_consts_here(m, t) || loads(m, t)) && (eu_attrs_here(m, t) || late(m, t));
}

void
eu_step_const(struct machine *m)
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
   if (sgt_tags_find(&m->constants.store, c.address / 64) != SGT_TAGS_NONE) {
      c.ready = m->cycle + m->p->const_latency;
   } else {
      bool under_way = false;
      for (uint32_t i = 0; i < m->num_consts; i++)
         under_way |= m->consts[i].ready == NEVER && m->consts[i].address == c.address;
      if (!under_way && !eu_ask_memory(m, c.address, -2, true))
         return;
   }
   m->consts[m->num_consts++] = c;
   t->consts_asked++;
   m->did++;
   eu_tell(m, SGT_EU_EVENT_CONST, best, t->now.pc);
}

void
eu_step_attr(struct machine *m)
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
   eu_tell(m, SGT_EU_EVENT_ATTR, best, m->threads[best].now.pc);
}

void
eu_step_regs(struct machine *m, uint32_t file)
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
   eu_tell(m, SGT_EU_EVENT_REGS, best, t->now.pc);
}
