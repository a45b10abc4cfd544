/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network between a ROP and its clients.
 */
#include "chip/sgt_rop_switch.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/sgt_bits.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

/* Number of messages that can queue up in a channel, in addition to the messages in transit. */
#define QUEUE 8

/* Updates *chosen to client `c`, which has a waiting request, if `c` comes earlier in round-robin
 * order. The order starts at s->next. Clients before s->next come last, and are represented as c +
 * num_clients.
 */
static void
rop_switch_choose(const struct sgt_rop_switch *s, uint32_t c, uint32_t *chosen, uint32_t *waiting)
{
   *chosen = MIN2(*chosen, c < s->next ? c + s->num_clients : c);
   *waiting += 1;
}

static bool
move_request(struct sgt_rop_switch *s, uint64_t now, enum sgt_rop_switch_state *gap, bool *more)
{
   uint32_t chosen = UINT32_MAX, waiting = 0;
   /* Input c of the unit is the request channel of client c. */
   sgt_foreach_bit(c, s->unit.waiting & BITFIELD64_MASK(MIN2(s->num_clients, SGT_UNIT_ARRIVALS)))
      if (s->unit.arrivals[c] <= now)
         rop_switch_choose(s, c, &chosen, &waiting);
   for (uint32_t c = SGT_UNIT_ARRIVALS; c < s->num_clients; c++)
      if (sgt_channel_peek(&s->requests[c], now))
         rop_switch_choose(s, c, &chosen, &waiting);
   if (!waiting)
      return false;
   chosen = chosen < s->num_clients ? chosen : chosen - s->num_clients;
   if (!sgt_channel_can_send(&s->to_rop, now)) {
      *gap = SGT_ROP_SWITCH_FULL;
      return false;
   }
   sgt_channel_send(&s->to_rop, now, sgt_channel_peek(&s->requests[chosen], now));
   sgt_channel_take(&s->requests[chosen], now);
   s->next = chosen + 1 == s->num_clients ? 0 : chosen + 1;
   s->counters.requests++;
   s->counters.conflicts += waiting - 1;
   *more = waiting > 1 || sgt_channel_peek(&s->requests[chosen], now);
   return true;
}

static uint64_t
rop_switch_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_rop_switch *s = container_of(unit, struct sgt_rop_switch, unit);
   enum sgt_rop_switch_state gap = SGT_ROP_SWITCH_EMPTY;
   const struct sgt_rop_response *r;
   bool more = false;
   bool busy = move_request(s, now, &gap, &more);
   while ((r = sgt_channel_peek(&s->from_rop, now)) &&
          sgt_channel_can_send(&s->responses[r->port], now)) {
      sgt_channel_send(&s->responses[r->port], now, r);
      sgt_channel_take(&s->from_rop, now);
      s->counters.responses++;
      busy = true;
   }
   sgt_unit_states_put(&s->states, unit, now, busy ? SGT_ROP_SWITCH_BUSY : gap, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_rop_switch_init(struct sgt_rop_switch *s, struct sgt_sched *sched,
                    const struct sgt_clock *clock, uint32_t rop, uint32_t num)
{
   *s = (struct sgt_rop_switch){
      .unit = { .name = "rop switch", .clock = clock, .tick = rop_switch_tick },
      .sched = sched,
      .rop = rop,
      .room = num,
      .states.gap = SGT_ROP_SWITCH_EMPTY,
   };
   snprintf(s->name, sizeof(s->name), "rop-switch%" PRIu32, rop);
   s->requests = calloc(num, sizeof(*s->requests));
   s->responses = calloc(num, sizeof(*s->responses));
   if (s->requests && s->responses && sgt_sched_add(sched, &s->unit, 0))
      return true;
   sgt_rop_switch_finish(s);
   return false;
}

void
sgt_rop_switch_finish(struct sgt_rop_switch *s)
{
   for (uint32_t i = 0; i < s->num_clients; i++) {
      sgt_channel_finish(&s->requests[i]);
      sgt_channel_finish(&s->responses[i]);
   }
   sgt_channel_finish(&s->to_rop);
   sgt_channel_finish(&s->from_rop);
   free(s->requests);
   free(s->responses);
   s->requests = s->responses = NULL;
   s->num_clients = 0;
}

bool
sgt_rop_switch_connect(struct sgt_rop_switch *s, struct sgt_rop_client *client,
                       struct sgt_unit *unit, uint32_t cycles)
{
   const uint64_t delay = cycles * s->unit.clock->period;
   const uint32_t c = s->num_clients;
   assert(c < s->room);
   if (!sgt_channel_init(&s->requests[c], s->sched, unit, &s->unit, sizeof(struct sgt_rop_request),
                         cycles + QUEUE, delay))
      return false;
   if (!sgt_channel_init(&s->responses[c], s->sched, &s->unit, unit,
                         sizeof(struct sgt_rop_response), cycles + QUEUE, delay)) {
      sgt_channel_finish(&s->requests[c]);
      return false;
   }
   assert(s->requests[c].input == c);
   client->port = c;
   client->requests[s->rop] = &s->requests[c];
   client->responses[s->rop] = &s->responses[c];
   s->num_clients++;
   return true;
}

bool
sgt_rop_switch_connect_rop(struct sgt_rop_switch *s, struct sgt_unit *rop)
{
   const uint64_t delay = s->unit.clock->period;
   return sgt_channel_init(&s->to_rop, s->sched, &s->unit, rop, sizeof(struct sgt_rop_request),
                           QUEUE, delay) &&
          sgt_channel_init(&s->from_rop, s->sched, rop, &s->unit, sizeof(struct sgt_rop_response),
                           QUEUE, delay);
}

bool
sgt_rop_switch_idle(const struct sgt_rop_switch *s)
{
   for (uint32_t i = 0; i < s->num_clients; i++)
      if (!sgt_channel_empty(&s->requests[i]) || !sgt_channel_empty(&s->responses[i]))
         return false;
   return sgt_channel_empty(&s->to_rop) && sgt_channel_empty(&s->from_rop);
}

void
sgt_rop_switch_register(struct sgt_rop_switch *s, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&s->states, &s->unit, cycles);
   sgt_rop_switch_counters_register(&s->counters, s->states.count, cycles, stats, s->name);
}

void
sgt_rop_switch_dump(const struct sgt_rop_switch *s, struct sgt_dump *d)
{
   sgt_dump_unit(d, s->unit.clock, "rop-switch", s->rop);
   sgt_dump_state(d, "", sgt_rop_switch_counters_states_names[s->states.gap]);
   for (uint32_t i = 0; i < s->num_clients; i++) {
      char name[32];
      snprintf(name, sizeof(name), "requests of client %" PRIu32, i);
      sgt_dump_channel(d, name, &s->requests[i]);
      snprintf(name, sizeof(name), "answers to client %" PRIu32, i);
      sgt_dump_channel(d, name, &s->responses[i]);
   }
   sgt_dump_channel(d, "answers of the ROP", &s->from_rop);
}
