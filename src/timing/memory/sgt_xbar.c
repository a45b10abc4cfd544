/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network: switches.
 *
 * A switch acts at the clocks at which messages arrive, transfers end, or a receiver has room
 * again; nothing else makes a transfer possible.
 */
#include "sgt_xbar.h"

#include <stdlib.h>
#include <string.h>

#include "sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

static uint32_t
data_bytes(const struct sgt_switch *s, const union sgt_xbar_message *m)
{
   if (s->responses)
      return m->response.bytes;
   switch (m->request.kind) {
   case SGT_MEM_WRITE:
      return 32 * util_bitcount(m->request.sectors);
   case SGT_MEM_ATOMIC:
      return s->xbar->params.operand_bytes * m->request.lanes;
   default:
      return 0;
   }
}

static uint32_t
output_of(const struct sgt_switch *s, const union sgt_xbar_message *m)
{
   return s->responses ? m->response.response.client
                       : sgt_partition_find(&s->xbar->map, m->request.address).partition;
}

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
   if (o->state == SGT_XBAR_BUSY) {
      const uint64_t end = MIN2(clock, o->busy_until);
      if (end <= o->since)
         return;
      s->stats.states[SGT_XBAR_BUSY] += end - o->since;
      o->since = end;
      if (end < o->busy_until)
         return;
      /* Messages that waited for the end would have been looked at then. */
      o->state = SGT_XBAR_IDLE;
   }
   if (clock > o->since) {
      s->stats.states[o->state] += clock - o->since;
      o->since = clock;
   }
}

/* Sends a message whose transfer ends with this clock. */
static void
send_message(struct sgt_switch *s, struct sgt_switch_output *o, uint64_t now)
{
   if (s->responses)
      sgt_channel_send(o->to, now, &o->message.response.response);
   else
      sgt_channel_send(o->to, now, &o->message.request);
   o->send_at = SGT_NEVER;
}

/* Takes a message into the queue of an input, one a clock.  True: it may take another. */
static bool
accept_message(struct sgt_switch *s, uint32_t i, uint64_t now, uint64_t clock)
{
   struct sgt_switch_input *in = &s->inputs[i];
   const union sgt_xbar_message *m = sgt_channel_peek(in->from, now);
   if (!m)
      return false;
   if (!in->free_places) {
      in->full_since = MIN2(in->full_since, clock);
      return false;
   }
   if (in->full_since != SGT_NEVER)
      s->stats.full += clock - in->full_since;
   in->full_since = SGT_NEVER;
   count_queues(s, clock);
   const uint32_t place = ffsll(in->free_places) - 1;
   memcpy(&in->messages[place], m, in->from->message_bytes);
   if (!s->responses)
      in->messages[place].request.client = i;
   const uint32_t output = output_of(s, &in->messages[place]);
   assert(output < s->num_outputs);
   in->free_places &= ~(1ull << place);
   in->outputs[place] = output;
   in->since[place] = clock;
   in->order[in->num++] = place;
   if (!in->counts[output]++)
      s->outputs[output].inputs |= 1ull << i;
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
   o->message = in->messages[place];
   count_queues(s, clock);
   s->queued--;
   in->num--;
   in->free_places |= 1ull << place;
   memmove(&in->order[position], &in->order[position + 1], in->num - position);
   s->stats.conflicts += (o->inputs & ~(1ull << i)) != 0;
   if (!--in->counts[output])
      o->inputs &= ~(1ull << i);
   o->latest = i;

   const uint32_t data = data_bytes(s, &o->message);
   const uint32_t clocks = sgt_xbar_clocks(&s->xbar->params, data, s->width);
   in->busy_until = o->busy_until = clock + clocks;
   o->send_at = clock + clocks - 1;
   o->state = SGT_XBAR_BUSY;
   s->stats.messages++;
   s->stats.data_bytes += data;
   s->stats.bytes += data + s->xbar->params.header_bytes;
   s->stats.input_messages[i]++;
   s->stats.output_messages[output]++;
   s->stats.wait += wait;
   s->stats.wait_log2[MIN2(sgt_log2_slot(wait), ARRAY_SIZE(s->stats.wait_log2) - 1)]++;
   if (clocks == 1)
      send_message(s, o, now);
}

/* Returns the next clock at which a transfer can become possible. */
static uint64_t
arbitrate(struct sgt_switch *s, uint64_t now, uint64_t clock)
{
   uint64_t next = SGT_NEVER, free_inputs = 0;
   for (uint32_t i = 0; i < s->num_inputs; i++)
      free_inputs |= (uint64_t)(s->inputs[i].busy_until <= clock) << i;
   const uint32_t first = clock % s->num_outputs;
   for (uint32_t k = 0; k < s->num_outputs; k++) {
      /* Another output chooses first in each clock. */
      const uint32_t output = first + k < s->num_outputs ? first + k : first + k - s->num_outputs;
      struct sgt_switch_output *o = &s->outputs[output];
      attribute(s, o, clock);
      if (o->busy_until > clock || !o->inputs)
         continue;
      const uint64_t able = o->inputs & free_inputs;
      if (!sgt_channel_can_send(o->to, now)) {
         o->state = SGT_XBAR_BLOCKED;
      } else if (!able) {
         o->state = SGT_XBAR_WAIT;
      } else {
         const uint64_t later = able & ~BITFIELD64_MASK(o->latest + 1);
         const uint32_t i = ffsll(later ? later : able) - 1;
         free_inputs &= ~(1ull << i);
         begin_transfer(s, i, output, now, clock);
      }
   }
   for (uint32_t output = 0; output < s->num_outputs; output++) {
      const struct sgt_switch_output *o = &s->outputs[output];
      next = MIN2(next, o->send_at);
      if (!o->inputs)
         continue;
      /* The end of its transfer, or of those of the inputs. */
      if (o->busy_until > clock)
         next = MIN2(next, o->busy_until);
      else if (o->state == SGT_XBAR_WAIT)
         u_foreach_bit64(i, o->inputs)
            next = MIN2(next, s->inputs[i].busy_until);
   }
   return next;
}

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_switch *s = container_of(unit, struct sgt_switch, unit);
   const uint64_t period = unit->clock->period, clock = now / period;
   for (uint32_t i = 0; i < s->num_outputs; i++)
      if (s->outputs[i].send_at == clock)
         send_message(s, &s->outputs[i], now);
   bool more = false;
   for (uint32_t i = 0; i < s->num_inputs; i++)
      more |= accept_message(s, i, now, clock);
   const uint64_t next = arbitrate(s, now, clock);
   /* Room that a transfer made is there for the next clock. */
   for (uint32_t i = 0; i < s->num_inputs && !more; i++)
      more = s->inputs[i].full_since != SGT_NEVER && s->inputs[i].free_places;
   return more ? (clock + 1) * period : next == SGT_NEVER ? next : next * period;
}

static bool
init_switch(struct sgt_switch *s, const struct sgt_xbar *x, struct sgt_sched *sched,
            const struct sgt_clock *clock, bool responses)
{
   const struct sgt_xbar_params *p = &x->params;
   *s = (struct sgt_switch){
      .unit = { .name = responses ? "xbar.responses" : "xbar.requests",
                .clock = clock,
                .tick = tick },
      .xbar = x,
      .responses = responses,
      .num_inputs = responses ? p->partitions : p->clients,
      .num_outputs = responses ? p->clients : p->partitions,
      .width = responses ? p->response_bytes : p->request_bytes,
   };
   s->inputs = calloc(s->num_inputs, sizeof(*s->inputs));
   s->outputs = calloc(s->num_outputs, sizeof(*s->outputs));
   if (!s->inputs || !s->outputs)
      return false;
   for (uint32_t i = 0; i < s->num_outputs; i++) {
      s->outputs[i].state = SGT_XBAR_IDLE;
      s->outputs[i].send_at = SGT_NEVER;
   }
   bool ok = true;
   for (uint32_t i = 0; i < s->num_inputs; i++) {
      struct sgt_switch_input *in = &s->inputs[i];
      in->messages = calloc(p->queue, sizeof(*in->messages));
      in->since = calloc(p->queue, sizeof(*in->since));
      in->outputs = calloc(p->queue, sizeof(*in->outputs));
      in->free_places = BITFIELD64_MASK(p->queue);
      in->full_since = SGT_NEVER;
      ok &= in->messages && in->since && in->outputs;
   }
   return ok && sgt_sched_add(sched, &s->unit, 0);
}

static void
finish_switch(struct sgt_switch *s)
{
   for (uint32_t i = 0; s->inputs && i < s->num_inputs; i++) {
      free(s->inputs[i].messages);
      free(s->inputs[i].since);
      free(s->inputs[i].outputs);
   }
   free(s->inputs);
   free(s->outputs);
   s->inputs = NULL;
   s->outputs = NULL;
}

bool
sgt_xbar_init(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_xbar_params *params)
{
   *x = (struct sgt_xbar){ .params = *params };
   sgt_partition_map_init(&x->map, params->partitions, params->interleave);
   x->ports = calloc(params->clients, sizeof(*x->ports));
   x->ends = calloc(params->partitions, sizeof(*x->ends));
   const bool ok = x->ports && x->ends && init_switch(&x->requests, x, sched, clock, false) &&
                   init_switch(&x->responses, x, sched, clock, true);
   if (!ok)
      sgt_xbar_finish(x);
   return ok;
}

void
sgt_xbar_finish(struct sgt_xbar *x)
{
   finish_switch(&x->requests);
   finish_switch(&x->responses);
   for (uint32_t i = 0; x->ports && i < x->params.clients; i++) {
      sgt_channel_finish(&x->ports[i].requests);
      sgt_channel_finish(&x->ports[i].responses);
   }
   for (uint32_t i = 0; x->ends && i < x->params.partitions; i++) {
      sgt_channel_finish(&x->ends[i].requests);
      sgt_channel_finish(&x->ends[i].responses);
   }
   free(x->ports);
   free(x->ends);
   x->ports = NULL;
   x->ends = NULL;
}

/* Places of a channel into a switch: a message each edge of the sender, also while the places of
 * those before are on their way back.
 */
static uint32_t
places_in(const struct sgt_unit *unit, uint64_t period)
{
   return 2 * period / unit->clock->period + 2;
}

/* Likewise out of one, and `room` at the receiver. */
static uint32_t
places_out(const struct sgt_xbar *x, const struct sgt_unit *unit, uint64_t period, uint32_t room)
{
   return room + x->params.latency + unit->clock->period / period + 1;
}

bool
sgt_xbar_connect(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t client,
                 struct sgt_unit *unit, uint32_t responses)
{
   const uint64_t period = x->requests.unit.clock->period;
   struct sgt_xbar_port *port = &x->ports[client];
   x->requests.inputs[client].from = &port->requests;
   x->responses.outputs[client].to = &port->responses;
   return sgt_channel_init(&port->requests, sched, unit, &x->requests.unit,
                           sizeof(struct sgt_mem_request), places_in(unit, period), period) &&
          sgt_channel_init(&port->responses, sched, &x->responses.unit, unit,
                           sizeof(struct sgt_mem_response), places_out(x, unit, period, responses),
                           x->params.latency * period);
}

bool
sgt_xbar_connect_partition(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t partition,
                           struct sgt_unit *unit, uint32_t requests)
{
   const uint64_t period = x->requests.unit.clock->period;
   struct sgt_xbar_end *end = &x->ends[partition];
   x->requests.outputs[partition].to = &end->requests;
   x->responses.inputs[partition].from = &end->responses;
   return sgt_channel_init(&end->requests, sched, &x->requests.unit, unit,
                           sizeof(struct sgt_mem_request), places_out(x, unit, period, requests),
                           x->params.latency * period) &&
          sgt_channel_init(&end->responses, sched, unit, &x->responses.unit,
                           sizeof(struct sgt_xbar_response), places_in(unit, period), period);
}

static bool
switch_idle(const struct sgt_switch *s)
{
   for (uint32_t i = 0; i < s->num_outputs; i++)
      if (s->outputs[i].send_at != SGT_NEVER)
         return false;
   return !s->queued;
}

bool
sgt_xbar_idle(const struct sgt_xbar *x)
{
   for (uint32_t i = 0; i < x->params.clients; i++)
      if (!sgt_channel_empty(&x->ports[i].requests) || !sgt_channel_empty(&x->ports[i].responses))
         return false;
   for (uint32_t i = 0; i < x->params.partitions; i++)
      if (!sgt_channel_empty(&x->ends[i].requests) || !sgt_channel_empty(&x->ends[i].responses))
         return false;
   return switch_idle(&x->requests) && switch_idle(&x->responses);
}

static void
account_switch(struct sgt_switch *s, uint64_t time)
{
   const uint64_t clock = time / s->unit.clock->period;
   for (uint32_t i = 0; i < s->num_outputs; i++)
      attribute(s, &s->outputs[i], clock);
   count_queues(s, MAX2(clock, s->changed_at));
   s->stats.clocks = MAX2(clock, s->stats.clocks);
}

void
sgt_xbar_account(struct sgt_xbar *x, uint64_t time)
{
   account_switch(&x->requests, time);
   account_switch(&x->responses, time);
}
