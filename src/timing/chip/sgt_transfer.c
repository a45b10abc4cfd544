/* SPDX-License-Identifier: MIT */
/*
 * Transfer unit: executes clears, copies and fills by sending requests to the ROPs.
 */
#include "chip/sgt_transfer.h"

#include <stdlib.h>

#include "chip_memory/sgt_chip_observer.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

/* Tag of all requests that are not reads. Read number n has the tag n % params.reads. */
#define NO_READ UINT32_MAX

/* Returns true if the request is sent to all ROPs. */
static bool
to_all(const struct sgt_rop_request *r)
{
   return r->kind == SGT_ROP_CLEAR || r->kind == SGT_ROP_FLUSH;
}

/* Generates the next request of the operation or write-back. Returns false if there are no more
 * requests.
 */
static bool
make_request(struct sgt_transfer *t)
{
   if (t->flush) {
      t->request = (struct sgt_rop_request){
         .kind = SGT_ROP_FLUSH,
         .flags = t->flush == 2 ? SGT_ROP_TO_DEPTH : 0,
      };
      t->flush--;
      return true;
   }
   for (;;) {
      if (t->walking && sgt_rop_transfer_next(&t->walk, &t->request))
         return true;
      t->walking = false;
      if (t->item == t->items_end)
         return false;
      t->walking = sgt_rop_transfer_begin(&t->walk, t->trace, t->item++, t->params.fast_clear);
      t->counters.items++;
   }
}

/* Sends a request to a ROP. If the queue of the ROP is full, stores this reason in *gap and returns
 * false.
 */
static bool
send_to(struct sgt_transfer *t, uint32_t rop, struct sgt_rop_request *r, uint32_t tag, uint64_t now,
        enum sgt_transfer_state *gap)
{
   if (sgt_rop_client_send(&t->client, rop, now, r, tag)) {
      t->open++;
      return true;
   }
   *gap = SGT_TRANSFER_ROP;
   return false;
}

/* Sends the oldest write if all reads that it depends on have been answered. Returns true if the
 * write was sent.
 */
static bool
send_write(struct sgt_transfer *t, uint64_t now, enum sgt_transfer_state *gap)
{
   if (!t->num)
      return false;
   struct sgt_transfer_write *w = &t->ring[t->first];
   if (w->reads > t->read) {
      *gap = SGT_TRANSFER_READS;
      return false;
   }
   const uint32_t rop = sgt_rop_client_partition(&t->client, w->request.address);
   if (!send_to(t, rop, &w->request, NO_READ, now, gap))
      return false;
   t->first = t->first + 1 == t->params.writes ? 0 : t->first + 1;
   t->num--;
   t->counters.writes++;
   return true;
}

/* Sends the next request if it is a read or goes to all ROPs, or queues it if it is a write. A
 * request to all ROPs is sent to one ROP per call. Returns false if there is no request, or if the
 * request must wait.
 */
static bool
send_request(struct sgt_transfer *t, uint64_t now, enum sgt_transfer_state *gap)
{
   struct sgt_rop_request *r = &t->request;
   if (!t->has_request && !(t->has_request = make_request(t)))
      return false;
   if (r->kind == SGT_ROP_WRITE) {
      if (t->num == t->params.writes)
         return false;
      uint32_t at = t->first + t->num++;
      at = at < t->params.writes ? at : at - t->params.writes;
      t->ring[at] = (struct sgt_transfer_write){ *r, t->reads };
      t->has_request = false;
      return true;
   }
   if (to_all(r)) {
      if (!send_to(t, t->to_rops, r, NO_READ, now, gap))
         return false;
      if (++t->to_rops == t->client.num_rops) {
         t->to_rops = 0;
         t->has_request = false;
         t->counters.clears += r->kind == SGT_ROP_CLEAR;
      }
      return true;
   }
   if (t->reads - t->read == t->params.reads) {
      *gap = SGT_TRANSFER_READS;
      return false;
   }
   const uint32_t tag = t->reads % t->params.reads;
   if (!send_to(t, sgt_rop_client_partition(&t->client, r->address), r, tag, now, gap))
      return false;
   t->answered[tag] = false;
   t->reads++;
   t->counters.reads++;
   t->has_request = false;
   return true;
}

static bool
take_responses(struct sgt_transfer *t, uint64_t now)
{
   bool taken = false;
   for (uint32_t i = 0; i < t->client.num_rops; i++) {
      const struct sgt_rop_response *r;
      while ((r = sgt_channel_peek(t->client.responses[i], now))) {
         if (r->tag != NO_READ)
            t->answered[r->tag] = true;
         t->open--;
         t->client.answered++;
         sgt_channel_take(t->client.responses[i], now);
         taken = true;
      }
   }
   while (t->read < t->reads && t->answered[t->read % t->params.reads])
      t->read++;
   return taken;
}

static bool
transfer_begin(struct sgt_transfer *t, uint64_t now)
{
   const struct sgt_front_transfer *message = sgt_channel_peek(t->operations, now);
   if (t->begun || !message)
      return false;
   t->begun = true;
   t->since = now;
   t->item = t->items_end = 0;
   t->flush = 0;
   if (message->operation == SGT_NONE) {
      t->flush = 2;
      t->counters.flushes++;
      return true;
   }
   const struct sgt_operation *op = &t->trace->operations[message->operation];
   t->item = op->first_item;
   t->items_end = op->first_item + op->num_items;
   t->counters.transfers++;
   return true;
}

static uint64_t
transfer_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_transfer *t = container_of(unit, struct sgt_transfer, unit);
   enum sgt_transfer_state gap = SGT_TRANSFER_EMPTY;
   bool busy = take_responses(t, now);
   busy |= transfer_begin(t, now);
   if (t->begun) {
      gap = SGT_TRANSFER_ENDS;
      for (uint32_t i = 0; i < t->params.rate; i++)
         busy |= send_write(t, now, &gap);
      for (uint32_t i = 0; i < t->params.rate; i++)
         busy |= send_request(t, now, &gap);
      if (!t->open && !t->num && !t->has_request && !t->walking && t->item == t->items_end &&
          !t->flush && sgt_channel_can_send(t->ended, now)) {
         const struct sgt_front_transfer *message = sgt_channel_peek(t->operations, now);
         if (message->operation == SGT_NONE && t->flushed)
            t->flushed(t->flushed_data);
         if (message->operation != SGT_NONE && t->observer)
            t->observer->transfer_end(t->observer->data, now / unit->clock->period,
                                      message->operation);
         sgt_channel_send(t->ended, now, &(struct sgt_front_ended){ message->operation });
         sgt_channel_take(t->operations, now);
         t->counters.cycles += now + unit->clock->period - t->since;
         t->begun = false;
         busy = true;
      }
   }
   sgt_unit_states_put(&t->states, unit, now, busy ? SGT_TRANSFER_BUSY : gap, gap);
   return busy ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_transfer_init(struct sgt_transfer *t, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_transfer_params *params, const struct sgt_trace *trace)
{
   *t = (struct sgt_transfer){
      .unit = { .name = "transfer", .clock = clock, .tick = transfer_tick },
      .params = *params,
      .trace = trace,
      .states.gap = SGT_TRANSFER_EMPTY,
   };
   t->answered = calloc(params->reads, sizeof(*t->answered));
   t->ring = calloc(params->writes, sizeof(*t->ring));
   if (t->answered && t->ring && sgt_sched_add(sched, &t->unit, 0))
      return true;
   sgt_transfer_finish(t);
   return false;
}

void
sgt_transfer_finish(struct sgt_transfer *t)
{
   free(t->answered);
   free(t->ring);
   t->answered = NULL;
   t->ring = NULL;
}

bool
sgt_transfer_idle(const struct sgt_transfer *t)
{
   return !t->begun && !t->open;
}

void
sgt_transfer_register(struct sgt_transfer *t, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&t->states, &t->unit, cycles);
   t->counters.cycles /= t->unit.clock->period;
   sgt_transfer_counters_register(&t->counters, t->states.count, cycles, stats);
}

void
sgt_transfer_dump(const struct sgt_transfer *t, struct sgt_dump *d)
{
   sgt_dump_unit(d, t->unit.clock, "transfer", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_transfer_counters_states_names[t->states.gap]);
   sgt_dump_queue(d, "operations begun", t->begun, 0);
   sgt_dump_oldest(d, t->since);
   sgt_dump_queue(d, "items to send", t->items_end - t->item, 0);
   sgt_dump_queue(d, "reads without an answer", t->reads - t->read, t->params.reads);
   sgt_dump_queue(d, "writes that wait for reads", t->num, t->params.writes);
   sgt_dump_queue(d, "requests without an answer", t->open, 0);
   sgt_dump_channel(d, "operations", t->operations);
}
