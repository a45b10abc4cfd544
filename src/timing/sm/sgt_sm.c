/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: the unit, and the order of a cycle.
 */
#include "sgt_sm_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"

void
sgt_sm_fail(struct sgt_sm *sm, const char *format, ...)
{
   va_list args;
   if (sm->error[0])
      return;
   va_start(args, format);
   vsnprintf(sm->error, sizeof(sm->error), format, args);
   va_end(args);
}

/* Counts the cycles before `cycle`, in which nothing has changed since the latest call. */
static void
account(struct sgt_sm *sm, uint64_t cycle)
{
   if (cycle <= sm->accounted)
      return;
   sm->stats.states[sm->stall] += cycle - sm->accounted;
   sm->stats.occupancy[sm->resident] += cycle - sm->accounted;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++)
      sm->stats.residence[i] += sm->residents[i] * (cycle - sm->accounted);
   sm->accounted = cycle;
}

/* The next cycle after this one in which a warp is to be looked at. */
static uint64_t
next_wake(const struct sgt_sm *sm)
{
   const uint32_t first = (sm->cycle + 1) % SGT_SM_WHEEL;
   /* The words from that of `first` on, and that one's low bits at last. */
   for (uint32_t i = 0; i <= SGT_SM_WHEEL / 64; i++) {
      const uint32_t word = (first / 64 + i) % (SGT_SM_WHEEL / 64);
      uint64_t full = sm->wheel_full[word];
      if (i == 0)
         full &= ~0ull << first % 64;
      if (full)
         return sm->cycle + 1 +
                (word * 64 + (ffsll(full) - 1) + SGT_SM_WHEEL - first) % SGT_SM_WHEEL;
   }
   return SGT_NEVER;
}

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_sm *sm = container_of(unit, struct sgt_sm, unit);
   const uint64_t period = unit->clock->period;
   if (sm->error[0])
      return SGT_NEVER;
   sm->cycle = now == sm->time + period ? sm->cycle + 1 : now / period;
   sm->time = now;
   sm->again = false;
   account(sm, sm->cycle);

   sgt_sm_take_responses(sm);
   sgt_sm_take_launches(sm);
   const uint32_t slot = sm->cycle % SGT_SM_WHEEL;
   const uint32_t due = sm->dirty | sm->wheel[slot];
   sm->dirty = sm->wheel[slot] = 0;
   sm->wheel_full[slot / 64] &= ~(1ull << (slot % 64));
   u_foreach_bit64(i, due)
      sgt_sm_evaluate(sm, i);
   sm->stall = sgt_sm_issue(sm);
   account(sm, sm->cycle + 1);
   sgt_sm_fetch(sm);
   sm->again |= sgt_sm_send_memory(sm);
   sgt_sm_send_done(sm);

   if (sm->again || sm->waits[SGT_SM_READY] ||
       (sm->want_fetch && sm->icache_misses.open < ARRAY_SIZE(sm->icache_misses.lines)) ||
       (sm->finished && sgt_channel_can_send(sm->ports.done, now)))
      return now + period;
   const uint64_t next = next_wake(sm);
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
   sm->unit = (struct sgt_unit){ .name = "sm", .clock = clock, .tick = tick };
   sm->code = code;
   sm->work = code->work;
   sm->params = *p;
   sm->number = number;
   sm->stall = SGT_SM_IDLE;
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
   sm->there = calloc((size_t)p->warps * SGT_REG_COUNT, sizeof(*sm->there));
   sm->producer = calloc((size_t)p->warps * SGT_REG_COUNT, sizeof(*sm->producer));
   sm->requests = calloc(MAX2(code->max_lines, 1), sizeof(*sm->requests));
   if (!sm->there || !sm->producer || !sm->requests ||
       !sgt_tags_init(&sm->icache, p->icache_bytes / 64 / p->icache_ways, p->icache_ways) ||
       !sgt_tags_init(&sm->constants, p->const_bytes / 64 / p->const_ways, p->const_ways) ||
       !sgt_sched_add(sched, &sm->unit, SGT_NEVER)) {
      sgt_sm_destroy(sm);
      return NULL;
   }
   for (uint32_t i = 0; i < p->warps; i++) {
      sm->slots[i].there = &sm->there[(size_t)i * SGT_REG_COUNT];
      sm->slots[i].producer = &sm->producer[(size_t)i * SGT_REG_COUNT];
   }
   return sm;
}

void
sgt_sm_destroy(struct sgt_sm *sm)
{
   if (!sm)
      return;
   sgt_tags_finish(&sm->icache);
   sgt_tags_finish(&sm->constants);
   free(sm->there);
   free(sm->producer);
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
   account(sm, DIV_ROUND_UP(end, sm->unit.clock->period));
   sm->stats.cycles = sm->accounted;
   u_foreach_bit64(i, sm->used) {
      struct sgt_sm_slot *w = &sm->slots[i];
      sm->stats.waits[w->warp_class][w->wait] += sm->accounted - w->since;
      w->since = sm->accounted;
   }
   return &sm->stats;
}

const char *
sgt_sm_error(const struct sgt_sm *sm)
{
   return sm->error[0] ? sm->error : NULL;
}
