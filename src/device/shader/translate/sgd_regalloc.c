/* SPDX-License-Identifier: MIT */
/*
 * Translator: allocation of vector registers.
 *
 * If the values don't fit in the registers, the value whose next use is the furthest away is
 * evicted (Belady 1966): it is spilled to the stack, or dropped if it can be reloaded from its
 * origin. Registers that remain unused hold constants during the loop.
 */
#include "shader/translate/sgd_regalloc.h"

#include <assert.h>
#include <stdlib.h>

#include "util/bitscan.h"

#define NONE 0xff
#define NO_SLOT 0xffff
#define NEVER UINT32_MAX

static uint32_t
next_use(const struct sgd_regalloc *ra, uint16_t node)
{
   const struct sgd_place *p = &ra->place[node];
   return p->first < p->end ? ra->uses[p->first] : NEVER;
}

/* -- steps and uses --------------------------------------------------------------- */

uint16_t
sgd_regalloc_keep(const struct sgd_regalloc *ra, const struct sgd_ir_store *s)
{
   const unsigned chunk = s->pred ? s->offset & 1 : s->offset / SGD_CHUNK_BYTES & 1;
   return ra->keep[chunk];
}

/* Stores the source nodes of a step in out[], and returns their number. */
static unsigned
step_sources(const struct sgd_regalloc *ra, uint32_t step, uint16_t out[4])
{
   const struct sgd_step *s = &ra->schedule->steps[step];
   unsigned count = 0;
   if (s->store) {
      out[count++] = ra->ir->stores[s->what].value;
      if (ra->masked)
         out[count++] = sgd_regalloc_keep(ra, &ra->ir->stores[s->what]);
      return count;
   }
   const struct sgd_ir_node *n = &ra->ir->nodes[s->what];
   for (unsigned i = 0; i < sgd_ir_num_srcs(n); i++)
      out[count++] = n->src[i];
   return count;
}

static bool
find_uses(struct sgd_regalloc *ra)
{
   uint32_t total = 0;
   uint16_t src[4] = { 0 };

   for (uint32_t i = 0; i < ra->schedule->num_steps; i++) {
      const unsigned count = step_sources(ra, i, src);
      for (unsigned s = 0; s < count; s++)
         ra->place[src[s]].end++;
      total += count;
   }
   ra->uses = malloc(sizeof(*ra->uses) * (total + 1));
   if (!ra->uses)
      return false;
   uint32_t at = 0;
   for (uint32_t i = 0; i < ra->ir->num_nodes; i++) {
      struct sgd_place *p = &ra->place[i];
      p->first = at;
      at += p->end;
      p->end = p->first;
   }
   for (uint32_t i = 0; i < ra->schedule->num_steps; i++) {
      const unsigned count = step_sources(ra, i, src);
      for (unsigned s = 0; s < count; s++)
         ra->uses[ra->place[src[s]].end++] = i;
   }
   return true;
}

bool
sgd_regalloc_init(struct sgd_regalloc *ra, struct sgd_x86 *x, const struct sgd_ir *ir,
                  const struct sgd_schedule *schedule, bool masked)
{
   *ra = (struct sgd_regalloc){
      .x = x,
      .ir = ir,
      .schedule = schedule,
      .masked = masked,
      .all_regs = x->wide ? UINT32_MAX : (1u << SGD_NUM_REGS) - 1,
      .place = calloc(ir->num_nodes + 1, sizeof(*ra->place)),
      .constants = malloc(sizeof(*ra->constants) * (ir->num_nodes + 1)),
   };
   if (!ra->place || !ra->constants)
      return false;
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const unsigned kind = ir->nodes[i].kind;
      if (kind == SGD_IR_SPLAT || kind == SGD_IR_SAME || kind == SGD_IR_CONST)
         ra->constants[ra->num_constants++] = i;
      /* Masked code has vectors of eight lanes. */
      if (kind == SGD_IR_KEEP && masked)
         ra->keep[ra->ir->nodes[i].where / SGD_CHUNK_BYTES] = i;
   }
   return find_uses(ra);
}

void
sgd_regalloc_finish(struct sgd_regalloc *ra)
{
   free(ra->place);
   free(ra->constants);
   free(ra->uses);
}

/* -- places ------------------------------------------------------------------------ */

static struct sgd_x86_rm
slot_place(const struct sgd_regalloc *ra, unsigned slot)
{
   return sgd_rm_mem(SGD_RSP, sgd_x86_chunks(ra->x) * SGD_CHUNK_BYTES * slot);
}

/* Returns true if the value is in memory, and sets *rm to its location. */
static bool
in_memory(const struct sgd_regalloc *ra, uint16_t node, struct sgd_x86_rm *rm)
{
   const struct sgd_place *p = &ra->place[node];
   const struct sgd_ir_node *n = &ra->ir->nodes[node];
   if (p->slot != NO_SLOT) {
      *rm = slot_place(ra, p->slot);
      return true;
   }
   if (n->kind == SGD_IR_LOAD && !p->moved) {
      *rm = sgd_rm_mem(SGD_RDI, n->where);
      return true;
   }
   if (n->kind == SGD_IR_CONST) {
      *rm = sgd_rm_const(n->where);
      return true;
   }
   if (n->kind == SGD_IR_SAME && !ra->x->wide) {
      *rm = sgd_rm_mem(SGD_RDX, n->where);
      return true;
   }
   return false;
}

/* Returns true if a value that is not in memory as a vector is loaded by broadcasting a word. */
static bool
is_splat(const struct sgd_regalloc *ra, uint16_t node)
{
   const unsigned kind = ra->ir->nodes[node].kind;
   return kind == SGD_IR_SPLAT || (kind == SGD_IR_SAME && ra->x->wide);
}

static void
release(struct sgd_regalloc *ra, unsigned reg)
{
   ra->place[ra->owner[reg]].reg = NONE;
   ra->used &= ~(1u << reg);
}

static void
spill(struct sgd_regalloc *ra, uint16_t node)
{
   struct sgd_place *p = &ra->place[node];
   struct sgd_x86_rm rm;
   if (in_memory(ra, node, &rm) || is_splat(ra, node))
      return;
   p->slot = ra->slots++;
   ra->cost++;
   sgd_x86_store(ra->x, slot_place(ra, p->slot), p->reg);
}

void
sgd_regalloc_start(struct sgd_regalloc *ra)
{
   ra->used = ra->locked = ra->slots = ra->cost = 0;
   uint32_t at = 0;
   for (uint32_t i = 0; i <= ra->ir->num_nodes; i++) {
      struct sgd_place *p = &ra->place[i];
      p->first = at; /* the uses of each node are followed by those of the next node */
      at = p->end;
      p->slot = NO_SLOT;
      p->reg = NONE;
      p->moved = p->pinned = false;
   }
}

unsigned
sgd_regalloc_pin(struct sgd_regalloc *ra, unsigned count)
{
   for (unsigned c = 0; c < count; c++) {
      uint32_t best = 0, best_uses = 0;
      for (uint32_t k = 0; k < ra->num_constants; k++) {
         const uint16_t i = ra->constants[k];
         const struct sgd_place *p = &ra->place[i];
         const uint32_t weight = is_splat(ra, i) ? 4 : 1;
         const uint32_t uses = (p->end - p->first) * weight;
         if (!p->pinned && uses > best_uses) {
            best = i;
            best_uses = uses;
         }
      }
      if (!best_uses)
         return c;
      sgd_regalloc_source(ra, best);
      ra->place[best].pinned = true;
   }
   return count;
}

void
sgd_regalloc_start_loop(struct sgd_regalloc *ra)
{
   for (unsigned r = 0; r < SGD_NUM_WIDE_REGS; r++) {
      if (!(ra->used & 1u << r) || ra->place[ra->owner[r]].pinned)
         continue;
      spill(ra, ra->owner[r]);
      release(ra, r);
   }
   ra->cost = 0;
   ra->slots_before = ra->slots;
}

unsigned
sgd_regalloc_hold(struct sgd_regalloc *ra, uint16_t node)
{
   const unsigned reg = sgd_regalloc_take(ra, node);
   ra->place[node].pinned = true;
   return reg;
}

bool
sgd_regalloc_used_until(const struct sgd_regalloc *ra, uint16_t node, uint32_t step)
{
   const struct sgd_place *p = &ra->place[node];
   return p->first == p->end || ra->uses[p->end - 1] <= step;
}

void
sgd_regalloc_start_second(struct sgd_regalloc *ra, const struct sgd_regalloc *first,
                          const uint16_t *to)
{
   sgd_regalloc_start(ra);
   ra->slots = first->slots;
   for (uint32_t i = 0; i < ra->ir->num_nodes; i++) {
      struct sgd_place *p = &ra->place[i];
      while (p->first < p->end && ra->uses[p->first] < ra->schedule->num_before)
         p->first++;
      if (!ra->ir->nodes[i].uses)
         continue;
      const struct sgd_place *from = &first->place[to[i]];
      if (from->slot < first->slots_before)
         p->slot = from->slot;
      if (from->pinned) {
         p->pinned = true;
         p->reg = from->reg;
         ra->owner[p->reg] = i;
         ra->used |= 1u << p->reg;
      }
   }
}

/* -- registers of a step ------------------------------------------------------------ */

void
sgd_regalloc_start_step(struct sgd_regalloc *ra)
{
   ra->locked = 0;
}

bool
sgd_regalloc_has(const struct sgd_regalloc *ra, uint16_t node)
{
   return ra->place[node].reg != NONE;
}

unsigned
sgd_regalloc_take(struct sgd_regalloc *ra, uint16_t node)
{
   const uint32_t free_regs = ~ra->used & ra->all_regs;
   unsigned reg = NONE;
   if (free_regs) {
      reg = ffs(free_regs) - 1;
   } else {
      uint32_t furthest = 0;
      for (unsigned r = 0; r < SGD_NUM_WIDE_REGS; r++) {
         if (!(ra->all_regs >> r & 1) || ra->locked & 1u << r || ra->place[ra->owner[r]].pinned)
            continue;
         const uint32_t next = next_use(ra, ra->owner[r]);
         if (reg == NONE || next > furthest) {
            reg = r;
            furthest = next;
         }
      }
      assert(reg != NONE);
      if (furthest != NEVER)
         spill(ra, ra->owner[reg]);
      release(ra, reg);
   }
   ra->owner[reg] = node;
   ra->used |= 1u << reg;
   ra->locked |= 1u << reg;
   ra->place[node].reg = reg;
   return reg;
}

unsigned
sgd_regalloc_scratch(struct sgd_regalloc *ra)
{
   const uint16_t none = ra->ir->num_nodes; /* dummy node without uses */
   const unsigned reg = sgd_regalloc_take(ra, none);
   release(ra, reg);
   return reg;
}

unsigned
sgd_regalloc_source(struct sgd_regalloc *ra, uint16_t node)
{
   struct sgd_place *p = &ra->place[node];
   if (p->reg != NONE) {
      ra->locked |= 1u << p->reg;
      return p->reg;
   }
   struct sgd_x86_rm rm;
   const bool memory = in_memory(ra, node, &rm);
   const unsigned reg = sgd_regalloc_take(ra, node);
   ra->cost++;
   if (memory)
      sgd_x86_load(ra->x, reg, rm);
   else
      sgd_x86_splat(ra->x, reg, sgd_rm_mem(SGD_RDX, ra->ir->nodes[node].where));
   return reg;
}

struct sgd_x86_rm
sgd_regalloc_operand(struct sgd_regalloc *ra, uint16_t node)
{
   const struct sgd_place *p = &ra->place[node];
   struct sgd_x86_rm rm;
   const bool again = p->end - p->first > 1;
   if (p->reg == NONE && in_memory(ra, node, &rm) && (!again || ra->used == ra->all_regs))
      return rm;
   return sgd_rm_reg(sgd_regalloc_source(ra, node));
}

void
sgd_regalloc_save(struct sgd_regalloc *ra, uint32_t offset)
{
   const int old = sgd_ir_find_load(ra->ir, offset);
   if (old < 0 || ra->place[old].moved)
      return;
   struct sgd_place *p = &ra->place[old];
   if (p->first < p->end && p->slot == NO_SLOT)
      sgd_regalloc_source(ra, old);
   p->moved = true;
}

void
sgd_regalloc_end_uses(struct sgd_regalloc *ra, uint32_t step)
{
   uint16_t src[4];
   const unsigned count = step_sources(ra, step, src);
   for (unsigned s = 0; s < count; s++) {
      struct sgd_place *p = &ra->place[src[s]];
      while (p->first < p->end && ra->uses[p->first] <= step)
         p->first++;
      if (p->first == p->end && p->reg != NONE && !p->pinned)
         release(ra, p->reg);
   }
}
