/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: the simulated unit, and the order of the steps in a cycle.
 */
#include "chip_sm/sgt_sm_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "util/bitscan.h"

void
sgt_sm_fail(struct sgt_sm *sm, const char *format, ...)
{
   va_list args;
   if (sm->failed)
      return;
   sm->failed = true;
   va_start(args, format);
   vsnprintf(sm->error, sizeof(sm->error), format, args);
   va_end(args);
}

/* Adds all uncounted cycles before `cycle` to the statistics of state sm->stall. */
static void
sm_account(struct sgt_sm *sm, uint64_t cycle)
{
   if (cycle <= sm->accounted)
      return;
   sm->stats.states[sm->stall] += cycle - sm->accounted;
   sm->accounted = cycle;
}

/* Returns the next later cycle for which an evaluation is scheduled, or SGT_NEVER. */
static uint64_t
next_wake(const struct sgt_sm *sm)
{
   const uint32_t first = (sm->cycle + 1) % SGT_SM_WHEEL;
   if (!sm->wheel_full)
      return SGT_NEVER;
   const uint64_t full = sm->wheel_full >> first | sm->wheel_full << (-first % 64);
   return sm->cycle + 1 + __builtin_ctzll(full);
}

/* Marks warps that have been ready for `patience` cycles as urgent, and updates next_urgent. */
static void
find_urgent(struct sgt_sm *sm)
{
   sm->next_urgent = SGT_NEVER;
   sgt_foreach_bit(i, sm->waits[SGT_SM_READY] & ~sm->urgent) {
      const uint64_t cycle = sm->slots[i].ready_since + sm->params.patience;
      if (cycle <= sm->cycle)
         sm->urgent |= 1u << i;
      else
         sm->next_urgent = MIN2(sm->next_urgent, cycle);
   }
}

/* Predicts the state of the issuing warp in the next cycle, which often makes a call in the next
 * cycle unnecessary. Operations with constants are evaluated in the next cycle itself, because a
 * line of constants may arrive before then.
 */
static void
look_ahead(struct sgt_sm *sm)
{
   const struct sgt_sm_slot *w = &sm->slots[sm->issuer];
   if (w->ended || w->op->num_consts || w->op->unit == SGT_SM_UNIT_CONST) {
      sgt_sm_wake(sm, sm->issuer, sm->cycle + 1);
      return;
   }
   sm->cycle++;
   sgt_sm_evaluate(sm, sm->issuer);
   sm->cycle--;
   sm->stall = sgt_sm_find_stall(sm);
}

static uint64_t
sm_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_sm *sm = container_of(unit, struct sgt_sm, unit);
   const uint64_t period = unit->clock->period;
   if (sm->failed)
      return SGT_NEVER;
   sm->cycle = sgt_unit_edge(unit);
   sm->time = now;
   sm->again = false;
   sm->issuer = SGT_SM_MAX_WARPS;
   sm_account(sm, sm->cycle);

   if (unit->waiting) {
      sgt_sm_take_responses(sm);
      sgt_sm_take_launches(sm);
   }
   const uint32_t slot = sm->cycle % SGT_SM_WHEEL;
   const uint32_t due = sm->dirty | sm->wheel[slot];
   sm->dirty = sm->wheel[slot] = 0;
   sm->wheel_full &= ~(1ull << slot);
   sgt_foreach_bit(i, due)
      sgt_sm_evaluate(sm, i);
   if (sm->cycle >= sm->next_urgent)
      find_urgent(sm);
   sm->stall = sgt_sm_issue(sm);
   sm_account(sm, sm->cycle + 1);
   sgt_sm_fetch(sm);
   if (sm->to_send)
      sm->again |= sgt_sm_send_memory(sm);
   sgt_sm_send_done(sm);
   if (sm->issuer != SGT_SM_MAX_WARPS)
      look_ahead(sm);

   if (sm->again ||
       (sm->want_fetch && sm->icache_misses.open < ARRAY_SIZE(sm->icache_misses.lines)) ||
       (sm->finished && sgt_channel_can_send(sm->ports.done, now)))
      return now + period;
   uint64_t next = next_wake(sm);
   if (next != sm->cycle + 1 && sm->waits[SGT_SM_READY])
      next = MIN2(next, sgt_sm_next_issue(sm));
   return next == SGT_NEVER ? SGT_NEVER : next * period;
}

struct sgt_sm *
sgt_sm_create(struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_sm_code *code, uint16_t number)
{
   struct sgt_sm *sm = calloc(1, sizeof(*sm));
   if (!sm)
      return NULL;
   const struct sgt_sm_params *p = &code->params;
   sm->unit = (struct sgt_unit){ .name = "sm", .clock = clock, .tick = sm_tick };
   sm->code = code;
   sm->work = code->work;
   sm->params = *p;
   sm->number = number;
   sm->stall = SGT_SM_IDLE;
   sm->next_urgent = SGT_NEVER;
   sm->last_issue = sm->last_fetch = SGT_SM_MAX_WARPS - 1;
   sm->alu_cycles = sgt_sm_cycles(p->sps);
   sm->sfu_cycles = sgt_sm_cycles(p->sfus);
   sm->interp_cycles = sgt_sm_cycles(p->sfus * p->interp);
   sm->mul_cycles = sgt_sm_cycles(p->sfus * p->multipliers);
   sm->tex_places = ~0ull >> (64 - p->textures);
   sm->mem_places = ~0ull >> (64 - p->accesses);
   sm->units[p->level_alu] |= BITFIELD_BIT(SGT_SM_UNIT_ALU) | BITFIELD_BIT(SGT_SM_UNIT_CONTROL);
   sm->units[p->level_mul] |= BITFIELD_BIT(SGT_SM_UNIT_MUL);
   sm->units[p->level_sfu] |= BITFIELD_BIT(SGT_SM_UNIT_SFU) | BITFIELD_BIT(SGT_SM_UNIT_INTERP);
   sm->units[p->level_transfer] |= BITFIELD_BIT(SGT_SM_UNIT_TEXTURE) |
                                   BITFIELD_BIT(SGT_SM_UNIT_MEMORY) |
                                   BITFIELD_BIT(SGT_SM_UNIT_SHARED) |
                                   BITFIELD_BIT(SGT_SM_UNIT_CONST);
   sm->regs = calloc((size_t)p->warps * SGT_REG_COUNT, sizeof(*sm->regs));
   sm->requests = calloc(MAX2(code->max_lines, 1), sizeof(*sm->requests));
   if (!sm->regs || !sm->requests ||
       !sgt_tags_init(&sm->icache, p->icache_bytes / 64 / p->icache_ways, p->icache_ways) ||
       !sgt_tags_init(&sm->constants, p->const_bytes / 64 / p->const_ways, p->const_ways) ||
       !sgt_sched_add(sched, &sm->unit, SGT_NEVER)) {
      sgt_sm_destroy(sm);
      return NULL;
   }
   for (uint32_t i = 0; i < p->warps; i++)
      sm->slots[i].regs = &sm->regs[(size_t)i * SGT_REG_COUNT];
   return sm;
}

void
sgt_sm_destroy(struct sgt_sm *sm)
{
   if (!sm)
      return;
   sgt_tags_finish(&sm->icache);
   sgt_tags_finish(&sm->constants);
   free(sm->regs);
   free(sm->requests);
   free(sm);
}

struct sgt_unit *
sgt_sm_unit(struct sgt_sm *sm)
{
   return &sm->unit;
}

void
sgt_sm_connect(struct sgt_sm *sm, const struct sgt_sm_ports *ports)
{
   sm->ports = *ports;
}

void
sgt_sm_observe(struct sgt_sm *sm, const struct sgt_sm_observer *observer)
{
   sm->observer = *observer;
}

bool
sgt_sm_idle(const struct sgt_sm *sm)
{
   return !sm->used && !sm->icache_misses.open && !sm->const_misses.open && !sm->queue_num;
}

const struct sgt_sm_stats *
sgt_sm_results(struct sgt_sm *sm, uint64_t end)
{
   sm_account(sm, DIV_ROUND_UP(end, sm->unit.clock->period));
   sgt_sm_count_residents(sm, sm->accounted);
   struct sgt_sm_stats *s = &sm->stats;
   s->cycles = sm->accounted;
   memset(s->ops, 0, sizeof(s->ops));
   memset(s->lanes, 0, sizeof(s->lanes));
   memset(s->active, 0, sizeof(s->active));
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++) {
      for (uint32_t lanes = 0; lanes < ARRAY_SIZE(sm->issued[i]); lanes++) {
         s->ops[i] += sm->issued[i][lanes];
         s->lanes[i] += sm->issued[i][lanes] * lanes;
         s->active[lanes] += sm->issued[i][lanes];
      }
   }
   const uint64_t *states = s->states;
   s->unit_ops[SGT_SM_UNIT_ALU] = states[SGT_SM_ISSUE_ALU];
   s->unit_ops[SGT_SM_UNIT_MUL] = states[SGT_SM_ISSUE_MUL] + states[SGT_SM_ISSUE_SFU_MUL];
   s->unit_ops[SGT_SM_UNIT_SFU] = states[SGT_SM_ISSUE_SFU];
   s->unit_ops[SGT_SM_UNIT_INTERP] = states[SGT_SM_ISSUE_INTERP];
   s->unit_ops[SGT_SM_UNIT_TEXTURE] = states[SGT_SM_ISSUE_TEXTURE];
   s->unit_ops[SGT_SM_UNIT_MEMORY] = states[SGT_SM_ISSUE_MEMORY];
   s->unit_ops[SGT_SM_UNIT_SHARED] = states[SGT_SM_ISSUE_SHARED];
   s->unit_ops[SGT_SM_UNIT_CONST] = states[SGT_SM_ISSUE_CONST];
   s->unit_ops[SGT_SM_UNIT_CONTROL] = states[SGT_SM_ISSUE_CONTROL];
   sgt_foreach_bit(i, sm->used) {
      struct sgt_sm_slot *w = &sm->slots[i];
      sm->stats.waits[w->warp_class][w->wait] += sm->accounted - w->since;
      w->since = sm->accounted;
   }
   return &sm->stats;
}

const char *
sgt_sm_error(const struct sgt_sm *sm)
{
   return sm->failed ? sm->error : NULL;
}

void
sgt_sm_dump(const struct sgt_sm *sm, struct sgt_dump *d)
{
   const uint64_t period = sm->unit.clock->period;
   uint64_t launched = SGT_NEVER, textures = SGT_NEVER, accesses = SGT_NEVER;

   sgt_foreach_bit(i, sm->used)
      launched = MIN2(launched, sm->slots[i].launched);
   for (uint32_t i = 0; i < SGT_SM_MAX_ACCESSES; i++) {
      if (i < sm->params.textures && !(sm->tex_places >> i & 1))
         textures = MIN2(textures, sm->textures[i].since);
      if (i < sm->params.accesses && !(sm->mem_places >> i & 1))
         accesses = MIN2(accesses, sm->accesses[i].since);
   }
   sgt_dump_unit(d, sm->unit.clock, "sm", sm->number);
   sgt_dump_state(d, "", sgt_sm_state_names[sm->stall]);
   sgt_dump_queue(d, "warps", util_bitcount(sm->used), sm->params.warps);
   if (sm->used)
      sgt_dump_oldest(d, launched * period);
   for (unsigned wait = 0; wait < SGT_SM_WAITS; wait++)
      sgt_dump_queue(d, sgt_sm_wait_names[wait], util_bitcount(sm->waits[wait] & sm->used), 0);
   sgt_dump_queue(d, "ended warps to report", util_bitcount(sm->finished), 0);
   if (textures != SGT_NEVER) {
      sgt_dump_queue(d, "accesses to textures",
                     sm->params.textures - util_bitcount64(sm->tex_places), sm->params.textures);
      sgt_dump_oldest(d, textures * period);
   }
   if (accesses != SGT_NEVER) {
      sgt_dump_queue(d, "accesses to memory", sm->params.accesses - util_bitcount64(sm->mem_places),
                     sm->params.accesses);
      sgt_dump_oldest(d, accesses * period);
   }
   sgt_dump_queue(d, "lines of code on their way", sm->icache_misses.open, 0);
   sgt_dump_queue(d, "lines of constants on their way", sm->const_misses.open, 0);
   sgt_dump_channel(d, "launches", sm->ports.launch);
   sgt_dump_channel(d, "responses of textures", sm->ports.tex_responses);
   sgt_dump_channel(d, "responses of memory", sm->ports.mem_responses);
}
