/* SPDX-License-Identifier: MIT */
/*
 * Implementation of switches.
 *
 * A switch only needs to be called when a message arrives, a transfer ends, or a receiver has room
 * again, because nothing else can make a transfer possible.
 */
#include "chip_memory/sgt_switch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_bits.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

static void
set_bit(uint64_t *words, uint32_t i)
{
   words[i / 64] |= 1ull << (i % 64);
}

static void
clear_bit(uint64_t *words, uint32_t i)
{
   words[i / 64] &= ~(1ull << (i % 64));
}

/* Updates the queue occupancy statistics up to `clock`. Must be called before s->queued changes. */
static void
count_queues(struct sgt_switch *s, uint64_t clock)
{
   s->stats.occupancy += s->queued * (clock - s->changed_at);
   s->changed_at = clock;
}

/* Adds the states of an output up to `clock` to the statistics. */
static void
switch_attribute(struct sgt_switch *s, struct sgt_switch_output *o, uint64_t clock)
{
   if (o->state == SGT_SWITCH_BUSY) {
      const uint64_t end = MIN2(clock, o->busy_until);
      if (end <= o->since)
         return;
      s->stats.states[SGT_SWITCH_BUSY] += end - o->since;
      o->since = end;
      if (end < o->busy_until)
         return;
      /* If a message had been waiting, the switch would have been called at the end of the
       * transfer. The output has therefore been idle since then.
       */
      o->state = SGT_SWITCH_IDLE;
   }
   if (clock > o->since) {
      s->stats.states[o->state] += clock - o->since;
      o->since = clock;
   }
}

/* Sends the message of an output. Called in the last clock of its transfer. */
static void
send_message(struct sgt_switch *s, uint32_t output, uint64_t now)
{
   struct sgt_switch_output *o = &s->outputs[output];
   sgt_channel_send(o->to, now, o->message);
   clear_bit(s->sending, output);
   s->num_sending--;
}

/* Moves at most one message from the channel to the queue of an input. Returns true if another
 * message is available.
 */
static bool
accept_message(struct sgt_switch *s, uint32_t i, uint64_t now, uint64_t clock)
{
   struct sgt_switch_input *in = &s->inputs[i];
   const void *message = sgt_channel_peek(in->from, now);
   if (!message)
      return false;
   if (!in->free_places) {
      in->full_since = MIN2(in->full_since, clock);
      set_bit(s->full, i);
      return false;
   }
   if (in->full_since != SGT_NEVER) {
      s->stats.full += clock - in->full_since;
      in->full_since = SGT_NEVER;
      clear_bit(s->full, i);
   }
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
   if (!in->counts[output]++) {
      set_bit(s->outputs[output].inputs, i);
      s->outputs[output].num_inputs++;
   }
   set_bit(s->wanted, output);
   s->queued++;
   s->stats.max_queue = MAX2(s->stats.max_queue, in->num);
   sgt_channel_take(in->from, now);
   return sgt_channel_peek(in->from, now);
}

/* Starts the transfer of the oldest message from the input to the output. */
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
   s->stats.conflicts += o->num_inputs > 1;
   if (!--in->counts[output]) {
      clear_bit(o->inputs, i);
      o->num_inputs--;
   }
   if (!o->num_inputs)
      clear_bit(s->wanted, output);
   o->latest = i;

   const uint32_t data = s->rules.data_bytes(s->rules.context, o->message);
   const uint32_t clocks = sgt_switch_clocks(&s->params, data);
   in->busy_until = o->busy_until = clock + clocks;
   set_bit(s->busy, i);
   o->send_at = clock + clocks - 1;
   o->state = SGT_SWITCH_BUSY;
   s->stats.messages++;
   s->stats.data_bytes += data;
   s->stats.bytes += data + s->params.header_bytes;
   s->stats.input_messages[i]++;
   s->stats.output_messages[output]++;
   s->stats.wait += wait;
   s->stats.wait_log2[MIN2(sgt_log2_slot(wait), ARRAY_SIZE(s->stats.wait_log2) - 1)]++;
   set_bit(s->sending, output);
   s->num_sending++;
   if (clocks == 1)
      send_message(s, output, now);
}

/* Returns the next free input in round-robin order that has a message for the output, or -1 if
 * there is none.
 */
static int
next_input(const struct sgt_switch *s, const struct sgt_switch_output *o,
           const uint64_t *free_inputs)
{
   const uint32_t first = o->latest / 64;
   const uint64_t behind = ~BITFIELD64_MASK(o->latest % 64 + 1);
   uint32_t w = first;
   for (uint32_t k = 0; k <= s->input_words; k++) {
      const uint64_t part = k == 0 ? behind : k == s->input_words ? ~behind : ~0ull;
      const uint64_t able = o->inputs[w] & free_inputs[w] & part;
      if (able)
         return w * 64 + ffsll(able) - 1;
      w = w + 1 == s->input_words ? 0 : w + 1;
   }
   return -1;
}

/* Starts a transfer to an output that has messages, if the output is free, the receiver has room
 * and an input with a message for the output is free.
 */
static void
serve_output(struct sgt_switch *s, uint32_t output, uint64_t *free_inputs, uint64_t now,
             uint64_t clock)
{
   struct sgt_switch_output *o = &s->outputs[output];
   if (o->busy_until > clock)
      return;
   switch_attribute(s, o, clock);
   if (!sgt_channel_can_send(o->to, now)) {
      o->state = SGT_SWITCH_BLOCKED;
      return;
   }
   const int i = next_input(s, o, free_inputs);
   if (i < 0) {
      o->state = SGT_SWITCH_WAIT;
      return;
   }
   clear_bit(free_inputs, i);
   begin_transfer(s, i, output, now, clock);
}

/* Starts a transfer to each output that is able to receive a message. In each clock cycle, a
 * different output is the first to select its input.
 */
static void
serve_outputs(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   uint64_t free_inputs[SGT_SWITCH_WORDS];
   for (uint32_t w = 0; w < s->input_words; w++) {
      sgt_foreach_bit(bit, s->busy[w])
         if (s->inputs[w * 64 + bit].busy_until <= clock)
            s->busy[w] &= ~(1ull << bit);
      free_inputs[w] = ~s->busy[w];
   }
   const uint32_t first = (uint32_t)clock % s->params.outputs;
   const uint64_t before = BITFIELD64_MASK(first % 64);
   uint32_t w = first / 64;
   for (uint32_t k = 0; k <= s->output_words; k++) {
      const uint64_t part = k == 0 ? ~before : k == s->output_words ? before : ~0ull;
      sgt_foreach_bit(bit, s->wanted[w] & part)
         serve_output(s, w * 64 + bit, free_inputs, now, clock);
      w = w + 1 == s->output_words ? 0 : w + 1;
   }
}

/* Returns the next clock in which a transfer to an output can start, or SGT_NEVER if the output
 * waits for its receiver. The output must have messages.
 */
static uint64_t
next_of_output(const struct sgt_switch *s, const struct sgt_switch_output *o, uint64_t clock)
{
   uint64_t next = SGT_NEVER;
   if (o->busy_until > clock)
      return o->busy_until;
   for (uint32_t w = 0; o->state == SGT_SWITCH_WAIT && w < s->input_words; w++)
      sgt_foreach_bit(bit, o->inputs[w])
         next = MIN2(next, s->inputs[w * 64 + bit].busy_until);
   return next;
}

/* Starts transfers. Returns the next clock in which a transfer ends or can start. */
static uint64_t
switch_arbitrate(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   uint64_t next = SGT_NEVER;
   if (s->queued)
      serve_outputs(s, now, clock);
   for (uint32_t w = 0; w < s->output_words; w++) {
      sgt_foreach_bit(bit, s->wanted[w])
         next = MIN2(next, next_of_output(s, &s->outputs[w * 64 + bit], clock));
      sgt_foreach_bit(bit, s->sending[w])
         next = MIN2(next, s->outputs[w * 64 + bit].send_at);
   }
   return next;
}

/* Fills in s->ports, which maps channels to input ports. */
static void
connect_ports(struct sgt_switch *s)
{
   for (uint32_t i = 0; i < s->params.inputs; i++)
      if (s->inputs[i].from->input < SGT_UNIT_ARRIVALS)
         s->ports[s->inputs[i].from->input] = i;
   s->connected = true;
}

/* Moves at most one message into the queue of each input. Returns true if more messages are
 * available.
 */
static bool
accept_messages(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   bool more = false;
   if (!s->connected)
      connect_ports(s);
   sgt_foreach_bit(i, s->unit.waiting & BITFIELD64_MASK(SGT_UNIT_ARRIVALS))
      if (s->unit.arrivals[i] <= now)
         more |= accept_message(s, s->ports[i], now, clock);
   for (uint32_t i = 0; unlikely(s->unit.more != NULL) && i < s->params.inputs; i++)
      if (s->inputs[i].from->input >= SGT_UNIT_ARRIVALS)
         more |= accept_message(s, i, now, clock);
   return more;
}

static uint64_t
switch_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_switch *s = container_of(unit, struct sgt_switch, unit);
   const uint64_t period = unit->clock->period, clock = sgt_unit_edge(unit);
   for (uint32_t w = 0; w < s->output_words; w++)
      sgt_foreach_bit(bit, s->sending[w])
         if (s->outputs[w * 64 + bit].send_at == clock)
            send_message(s, w * 64 + bit, now);
   bool more = accept_messages(s, now, clock);
   const uint64_t next = switch_arbitrate(s, now, clock);
   /* A queue slot that has become free in this clock cycle can be used in the next one. */
   for (uint32_t w = 0; w < s->input_words; w++)
      sgt_foreach_bit(bit, s->full[w])
         more |= s->inputs[w * 64 + bit].free_places != 0;
   return more ? (clock + 1) * period : next == SGT_NEVER ? next : next * period;
}

bool
sgt_switch_init(struct sgt_switch *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                const char *name, const struct sgt_switch_params *params,
                const struct sgt_switch_rules *rules)
{
   *s = (struct sgt_switch){
      .unit = { .name = name, .clock = clock, .tick = switch_tick },
      .params = *params,
      .rules = *rules,
      .input_words = DIV_ROUND_UP(params->inputs, 64),
      .output_words = DIV_ROUND_UP(params->outputs, 64),
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
   return !s->queued && !s->num_sending;
}

void
sgt_switch_account(struct sgt_switch *s, uint64_t time)
{
   const uint64_t clock = time / s->unit.clock->period;
   for (uint32_t i = 0; i < s->params.outputs; i++)
      switch_attribute(s, &s->outputs[i], clock);
   count_queues(s, MAX2(clock, s->changed_at));
   s->stats.clocks = MAX2(clock, s->stats.clocks);
}

void
sgt_switch_dump(const struct sgt_switch *s, struct sgt_dump *d)
{
   for (uint32_t i = 0; i < s->params.inputs; i++) {
      const struct sgt_switch_input *in = &s->inputs[i];
      char name[48];
      snprintf(name, sizeof(name), "%s, input ", s->unit.name);
      sgt_dump_unit(d, s->unit.clock, name, i);
      sgt_dump_queue(d, "messages", in->num, s->params.queue);
      if (in->num)
         sgt_dump_oldest(d, in->since[in->order[0]] * s->unit.clock->period);
      sgt_dump_channel(d, "before it", in->from);
   }
   for (uint32_t i = 0; i < s->params.outputs; i++) {
      const struct sgt_switch_output *out = &s->outputs[i];
      char name[48];
      snprintf(name, sizeof(name), "%s, output ", s->unit.name);
      sgt_dump_unit(d, s->unit.clock, name, i);
      sgt_dump_state(d, "", sgt_switch_state_names[out->state]);
      sgt_dump_queue(d, "inputs with messages for it", out->num_inputs, 0);
      sgt_dump_queue(d, "messages that it moves", s->sending[i / 64] >> i % 64 & 1, 0);
   }
}
