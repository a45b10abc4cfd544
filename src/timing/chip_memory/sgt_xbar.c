/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network: its channels, and the message format of its switches.
 */
#include "chip_memory/sgt_xbar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"

static uint32_t
request_output(const void *context, const void *message)
{
   const struct sgt_xbar *x = context;
   const struct sgt_mem_request *request = message;
   return sgt_partition_find(&x->map, request->address).partition;
}

static uint32_t
request_bytes(const void *context, const void *message)
{
   const struct sgt_xbar *x = context;
   const struct sgt_mem_request *request = message;
   switch (request->kind) {
   case SGT_MEM_WRITE:
      return 32 * sgt_bitcount(request->sectors);
   case SGT_MEM_ATOMIC:
      return x->params.operand_bytes * request->lanes;
   default:
      return 0;
   }
}

static void
request_enter(void *message, uint32_t input)
{
   struct sgt_mem_request *request = message;
   request->client = input;
}

static uint32_t
response_output(const void *context, const void *message)
{
   const struct sgt_xbar_response *response = message;
   return response->response.client;
}

static uint32_t
response_bytes(const void *context, const void *message)
{
   const struct sgt_xbar_response *response = message;
   return response->bytes;
}

static bool
init_requests(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock)
{
   const struct sgt_switch_params params = {
      .inputs = x->params.clients,
      .outputs = x->params.partitions,
      .port_bytes = x->params.request_bytes,
      .header_bytes = x->params.header_bytes,
      .queue = x->params.queue,
   };
   const struct sgt_switch_rules rules = {
      .message_bytes = sizeof(struct sgt_mem_request),
      .context = x,
      .output = request_output,
      .data_bytes = request_bytes,
      .enter = request_enter,
   };
   return sgt_switch_init(&x->requests, sched, clock, "xbar.requests", &params, &rules);
}

static bool
init_responses(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock)
{
   const struct sgt_switch_params params = {
      .inputs = x->params.partitions,
      .outputs = x->params.clients,
      .port_bytes = x->params.response_bytes,
      .header_bytes = x->params.header_bytes,
      .queue = x->params.queue,
   };
   /* The channels to the clients have shorter messages, and only receive the first member of each
    * message, i.e. `response`.
    */
   const struct sgt_switch_rules rules = {
      .message_bytes = sizeof(struct sgt_xbar_response),
      .output = response_output,
      .data_bytes = response_bytes,
   };
   return sgt_switch_init(&x->responses, sched, clock, "xbar.responses", &params, &rules);
}

bool
sgt_xbar_init(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_xbar_params *params)
{
   *x = (struct sgt_xbar){ .params = *params };
   sgt_partition_map_init(&x->map, params->partitions, params->interleave);
   x->ports = calloc(params->clients, sizeof(*x->ports));
   x->ends = calloc(params->partitions, sizeof(*x->ends));
   const bool ok = x->ports && x->ends && init_requests(x, sched, clock) &&
                   init_responses(x, sched, clock);
   if (!ok)
      sgt_xbar_finish(x);
   return ok;
}

void
sgt_xbar_finish(struct sgt_xbar *x)
{
   sgt_switch_finish(&x->requests);
   sgt_switch_finish(&x->responses);
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

/* Returns the capacity that a channel from a unit to a switch needs so that the unit can send a
 * message at each of its clock edges. An entry is only freed after the switch has taken the
 * message.
 */
static uint32_t
places_in(const struct sgt_unit *unit, uint64_t period)
{
   return 2 * period / unit->clock->period + 2;
}

/* Returns the capacity of a channel from a switch to a unit, including room for `room` messages
 * that have arrived but have not been taken.
 */
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
   sgt_switch_input(&x->requests, client, &port->requests);
   sgt_switch_output(&x->responses, client, &port->responses);
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
   sgt_switch_output(&x->requests, partition, &end->requests);
   sgt_switch_input(&x->responses, partition, &end->responses);
   return sgt_channel_init(&end->requests, sched, &x->requests.unit, unit,
                           sizeof(struct sgt_mem_request), places_out(x, unit, period, requests),
                           x->params.latency * period) &&
          sgt_channel_init(&end->responses, sched, unit, &x->responses.unit,
                           sizeof(struct sgt_xbar_response), places_in(unit, period), period);
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
   return sgt_switch_idle(&x->requests) && sgt_switch_idle(&x->responses);
}

void
sgt_xbar_account(struct sgt_xbar *x, uint64_t time)
{
   sgt_switch_account(&x->requests, time);
   sgt_switch_account(&x->responses, time);
}

void
sgt_xbar_register(const struct sgt_xbar *x, struct sgt_stats *s)
{
   sgt_switch_register(&x->requests, s, "xbar.requests");
   sgt_switch_register(&x->responses, s, "xbar.responses");
}

void
sgt_xbar_dump(const struct sgt_xbar *x, struct sgt_dump *d)
{
   sgt_switch_dump(&x->requests, d);
   sgt_switch_dump(&x->responses, d);
}
