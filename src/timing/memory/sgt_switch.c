/* SPDX-License-Identifier: MIT */
/*
 * Switches.
 *
 * A switch acts at the clocks at which messages arrive, transfers end, or a receiver has room
 * again; nothing else makes a transfer possible.
 */
#include "sgt_switch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sgt_stats.h"
#include "sgt_bits.h"
#include "util/bitscan.h"
#include "util/macros.h"

static void
count_queues(struct sgt_switch *s, uint64_t clock)
{
   s->stats.occupancy += s->queued * (clock - s->changed_at);
   s->changed_at = clock;
}

/* Accounts the clocks of an output before `clock`. */
static void
attribute(struct sgt_switch *s, struct sgt_switch_output *o, uint64_t clock)
{
   if (o->state == SGT_SWITCH_BUSY) {
      const uint64_t end = MIN2(clock, o->busy_until);
      if (end <= o->since)
         return;
      s->stats.states[SGT_SWITCH_BUSY] += end - o->since;
      o->since = end;
      if (end < o->busy_until)
         return;
      /* Messages that waited for the end would have been looked at then. */
      o->state = SGT_SWITCH_IDLE;
   }
   if (clock > o->since) {
      s->stats.states[o->state] += clock - o->since;
      o->since = clock;
   }
}

/* Sends a message whose transfer ends with this clock. */
static void
send_message(struct sgt_switch *s, uint32_t output, uint64_t now)
{
   struct sgt_switch_output *o = &s->outputs[output];
   sgt_channel_send(o->to, now, o->message);
   s->sending &= ~(1ull << output);
}

/* Takes a message into the queue of an input, one a clock.  True: it may take another. */
static bool
accept_message(struct sgt_switch *s, uint32_t i, uint64_t now, uint64_t clock)
{
   struct sgt_switch_input *in = &s->inputs[i];
   const void *message = sgt_channel_peek(in->from, now);
   if (!message)
      return false;
   if (!in->free_places) {
      in->full_since = MIN2(in->full_since, clock);
      s->full |= 1ull << i;
      return false;
   }
   if (in->full_since != SGT_NEVER)
      s->stats.full += clock - in->full_since;
   in->full_since = SGT_NEVER;
   s->full &= ~(1ull << i);
   count_queues(s, clock);
   const uint32_t place = ffsll(in->free_places) - 1;
   uint8_t *copy = in->messages + (size_t)place * s->rules.message_bytes;
   memcpy(copy, message, s->rules.message_bytes);
   if (s->rules.enter)
      s->rules.enter(copy, i);
   const uint32_t output = s->rules.output(s->rules.context, copy);
   assert(output < s->params.outputs);
   in->free_places &= ~(1ull << place);
   in->outputs[place] = output;
   in->since[place] = clock;
   in->order[in->num++] = place;
   if (!in->counts[output]++)
      s->outputs[output].inputs |= 1ull << i;
   s->wanted |= 1ull << output;
   s->queued++;
   s->stats.max_queue = MAX2(s->stats.max_queue, in->num);
   sgt_channel_take(in->from, now);
   return sgt_channel_peek(in->from, now);
}

/* Begins the transfer of the input's oldest message for the output. */
static void
begin_transfer(struct sgt_switch *s, uint32_t i, uint32_t output, uint64_t now, uint64_t clock)
{
   struct sgt_switch_input *in = &s->inputs[i];
   struct sgt_switch_output *o = &s->outputs[output];
   uint32_t position = 0;
   while (in->outputs[in->order[position]] != output)
      position++;
   const uint32_t place = in->order[position];
   const uint64_t wait = clock - in->since[place];
   memcpy(o->message, in->messages + (size_t)place * s->rules.message_bytes,
          s->rules.message_bytes);
   count_queues(s, clock);
   s->queued--;
   in->num--;
   in->free_places |= 1ull << place;
   memmove(&in->order[position], &in->order[position + 1], in->num - position);
   s->stats.conflicts += (o->inputs & ~(1ull << i)) != 0;
   if (!--in->counts[output])
      o->inputs &= ~(1ull << i);
   if (!o->inputs)
      s->wanted &= ~(1ull << output);
   o->latest = i;

   const uint32_t data = s->rules.data_bytes(s->rules.context, o->message);
   const uint32_t clocks = sgt_switch_clocks(&s->params, data);
   in->busy_until = o->busy_until = clock + clocks;
   s->busy |= 1ull << i;
   o->send_at = clock + clocks - 1;
   o->state = SGT_SWITCH_BUSY;
   s->stats.messages++;
   s->stats.data_bytes += data;
   s->stats.bytes += data + s->params.header_bytes;
   s->stats.input_messages[i]++;
   s->stats.output_messages[output]++;
   s->stats.wait += wait;
   s->stats.wait_log2[MIN2(sgt_log2_slot(wait), ARRAY_SIZE(s->stats.wait_log2) - 1)]++;
   s->sending |= 1ull << output;
   if (clocks == 1)
      send_message(s, output, now);
}

/* A free output that has messages: begins a transfer of one, if it can. */
static void
serve_output(struct sgt_switch *s, uint32_t output, uint64_t *free_inputs, uint64_t now,
             uint64_t clock)
{
   struct sgt_switch_output *o = &s->outputs[output];
   if (o->busy_until > clock)
      return;
   attribute(s, o, clock);
   const uint64_t able = o->inputs & *free_inputs;
   if (!sgt_channel_can_send(o->to, now)) {
      o->state = SGT_SWITCH_BLOCKED;
   } else if (!able) {
      o->state = SGT_SWITCH_WAIT;
   } else {
      const uint64_t later = able & ~BITFIELD64_MASK(o->latest + 1);
      const uint32_t i = ffsll(later ? later : able) - 1;
      *free_inputs &= ~(1ull << i);
      begin_transfer(s, i, output, now, clock);
   }
}

/* Returns the next clock at which a transfer ends, or can become possible. */
static uint64_t
arbitrate(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   uint64_t next = SGT_NEVER;
   if (s->wanted) {
      sgt_foreach_bit(i, s->busy) if (s->inputs[i].busy_until <= clock) s->busy &= ~(1ull << i);
      uint64_t free_inputs = ~s->busy;
      /* Another output chooses first in each clock. */
      const uint64_t before = BITFIELD64_MASK((uint32_t)clock % s->params.outputs);
      const uint64_t wanted = s->wanted;
      sgt_foreach_bit(output, wanted & ~before) serve_output(s, output, &free_inputs, now, clock);
      sgt_foreach_bit(output, wanted & before) serve_output(s, output, &free_inputs, now, clock);
      sgt_foreach_bit(output, s->wanted)
      {
         const struct sgt_switch_output *o = &s->outputs[output];
         if (o->busy_until > clock)
            next = MIN2(next, o->busy_until);
         else if (o->state == SGT_SWITCH_WAIT)
            sgt_foreach_bit(i, o->inputs) next = MIN2(next, s->inputs[i].busy_until);
      }
   }
   sgt_foreach_bit(output, s->sending) next = MIN2(next, s->outputs[output].send_at);
   return next;
}

/* Takes a message of each input that has one.  True: an input may take another. */
static bool
accept_messages(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   bool more = false;
   if (!s->connected) {
      for (uint32_t i = 0; i < s->params.inputs; i++)
         if (s->inputs[i].from->input < SGT_UNIT_ARRIVALS)
            s->ports[s->inputs[i].from->input] = i;
      s->connected = true;
   }
   if (unlikely(s->unit.more != NULL)) {
      for (uint32_t i = 0; i < s->params.inputs; i++)
         more |= accept_message(s, i, now, clock);
      return more;
   }
   sgt_foreach_bit(i, s->unit.waiting) if (s->unit.arrivals[i] <= now)
      more |= accept_message(s, s->ports[i], now, clock);
   return more;
}

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_switch *s = container_of(unit, struct sgt_switch, unit);
   const uint64_t period = unit->clock->period, clock = sgt_unit_edge(unit);
   sgt_foreach_bit(output, s->sending) if (s->outputs[output].send_at == clock)
      send_message(s, output, now);
   bool more = accept_messages(s, now, clock);
   const uint64_t next = arbitrate(s, now, clock);
   /* Room that a transfer made is there for the next clock. */
   sgt_foreach_bit(i, s->full) more |= s->inputs[i].free_places != 0;
   return more ? (clock + 1) * period : next == SGT_NEVER ? next : next * period;
}

bool
sgt_switch_init(struct sgt_switch *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                const char *name, const struct sgt_switch_params *params,
                const struct sgt_switch_rules *rules)
{
   *s = (struct sgt_switch){
      .unit = { .name = name, .clock = clock, .tick = tick },
      .params = *params,
      .rules = *rules,
   };
   s->inputs = calloc(params->inputs, sizeof(*s->inputs));
   s->outputs = calloc(params->outputs, sizeof(*s->outputs));
   bool ok = s->inputs && s->outputs;
   for (uint32_t i = 0; ok && i < params->outputs; i++) {
      struct sgt_switch_output *o = &s->outputs[i];
      o->state = SGT_SWITCH_IDLE;
      o->message = malloc(rules->message_bytes);
      ok = o->message != NULL;
   }
   for (uint32_t i = 0; ok && i < params->inputs; i++) {
      struct sgt_switch_input *in = &s->inputs[i];
      in->messages = malloc((size_t)params->queue * rules->message_bytes);
      in->since = calloc(params->queue, sizeof(*in->since));
      in->outputs = calloc(params->queue, sizeof(*in->outputs));
      in->free_places = BITFIELD64_MASK(params->queue);
      in->full_since = SGT_NEVER;
      ok = in->messages && in->since && in->outputs;
   }
   ok = ok && sgt_sched_add(sched, &s->unit, 0);
   if (!ok)
      sgt_switch_finish(s);
   return ok;
}

void
sgt_switch_finish(struct sgt_switch *s)
{
   for (uint32_t i = 0; s->inputs && i < s->params.inputs; i++) {
      free(s->inputs[i].messages);
      free(s->inputs[i].since);
      free(s->inputs[i].outputs);
   }
   for (uint32_t i = 0; s->outputs && i < s->params.outputs; i++)
      free(s->outputs[i].message);
   free(s->inputs);
   free(s->outputs);
   s->inputs = NULL;
   s->outputs = NULL;
}

bool
sgt_switch_idle(const struct sgt_switch *s)
{
   return !s->queued && !s->sending;
}

void
sgt_switch_account(struct sgt_switch *s, uint64_t time)
{
   const uint64_t clock = time / s->unit.clock->period;
   for (uint32_t i = 0; i < s->params.outputs; i++)
      attribute(s, &s->outputs[i], clock);
   count_queues(s, MAX2(clock, s->changed_at));
   s->stats.clocks = MAX2(clock, s->stats.clocks);
}
