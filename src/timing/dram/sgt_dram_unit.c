/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM: the switch and the DRAM channels. All times in a DRAM channel are in memory clocks.
 */
#include "dram/sgt_dram_unit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dram/sgt_dram_bank.h"
#include "kernel/sgt_dump.h"
#include "util/macros.h"

/* Commands that a request needed before its column command: no command (ROW_HIT), an activate
 * (ROW_EMPTY), or a precharge and an activate (ROW_MISS).
 */
enum outcome { ROW_HIT, ROW_EMPTY, ROW_MISS };

/* A request in the queue of a DRAM channel. */
struct queued {
   struct sgt_dram_request request;
   uint32_t port, bank;
   uint64_t row;
   uint64_t since; /* clock in which the request entered the queue */
   enum outcome outcome;
};

/* A request whose column command has been issued, but whose data transfer has not ended yet. */
struct moving {
   uint64_t end; /* first clock after the data transfer */
   uint32_t port;
   struct sgt_dram_response response;
};

struct sgt_dram_channel {
   struct sgt_dram_bank *banks;
   struct queued *queue; /* requests sorted by age, where queue[0] is the oldest one */
   uint32_t num;         /* number of requests in the queue */
   /* number of requests that have been served before queue[0] since it became the oldest one */
   uint32_t overtaken;
   uint64_t bus_free; /* first clock in which the data bus is free */
   /* bus_used: true if the bus has been used;
    * bus_writes: true if the last transfer was a write
    */
   bool bus_used, bus_writes;
   /* ring buffer of the requests whose data is being transferred, sorted by `end` */
   struct moving *moving;
   /* first_moving: index of the first element of the ring buffer;
    * num_moving: number of elements;
    * room_moving: capacity
    */
   uint32_t first_moving, num_moving, room_moving;
};

struct sgt_dram_place
sgt_dram_find(const struct sgt_dram_params *p, uint64_t address)
{
   const uint64_t piece = address / p->interleave;
   const uint64_t local = piece / p->channels * p->interleave + address % p->interleave;
   const uint64_t row = local / p->row_bytes;
   return (struct sgt_dram_place){ piece % p->channels, row % p->banks, row / p->banks };
}

/* Moves requests from the ports to the queues. In each clock, a port can send one request, and a
 * queue can accept one request.
 */
static void
accept_requests(struct sgt_dram *d, uint64_t now, uint64_t clock)
{
   uint64_t taken = 0;
   for (uint32_t i = 0; i < d->num_ports; i++) {
      /* Start with a different port in each clock, for fairness. */
      const uint32_t port = (i + clock) % d->num_ports;
      struct sgt_channel *requests = &d->ports[port].requests;
      const struct sgt_dram_request *request = sgt_channel_peek(requests, now);
      if (!request)
         continue;
      const struct sgt_dram_place place = sgt_dram_find(&d->params, request->address);
      struct sgt_dram_channel *channel = &d->channels[place.channel];
      if (channel->num == d->params.queue) {
         d->stats.queue_full++;
         continue;
      }
      if (taken >> place.channel & 1)
         continue;
      taken |= 1ull << place.channel;
      channel->queue[channel->num++] = (struct queued){
         .request = *request,
         .port = port,
         .bank = place.bank,
         .row = place.row,
         .since = clock,
      };
      sgt_channel_take(requests, now);
   }
}

/* Returns how many of the oldest requests may be served. Only the oldest request may be served if
 * it has been overtaken too often.
 */
static uint32_t
dram_eligible(const struct sgt_dram *d, const struct sgt_dram_channel *c)
{
   return c->overtaken >= d->params.hit_limit ? MIN2(c->num, 1) : c->num;
}

/* Issues a column command if any request is ready for a column command in this clock. */
static void
column_command(struct sgt_dram *d, struct sgt_dram_channel *c, uint64_t clock)
{
   const struct sgt_dram_params *p = &d->params;
   const uint64_t start = clock + p->t_cas;
   if (c->bus_free > start)
      return;
   const uint32_t num = dram_eligible(d, c);
   /* bitmask of the banks in which an older request to the open row is waiting */
   uint64_t waiting = 0;
   uint32_t i;
   for (i = 0; i < num; i++) {
      const struct queued *q = &c->queue[i];
      const struct sgt_dram_bank *bank = &c->banks[q->bank];
      if (!bank->open || bank->row != q->row || waiting >> q->bank & 1)
         continue;
      const bool turn = c->bus_used && c->bus_writes != q->request.write;
      if (bank->column_at <= clock && c->bus_free + (turn ? p->t_turn : 0) <= start)
         break;
      /* This request must wait, e.g. for the bus turnaround. Make younger requests to the same row
       * wait, too, so that requests for the same bytes stay in order.
       */
      waiting |= 1ull << q->bank;
   }
   if (i == num)
      return;
   const struct queued q = c->queue[i];
   struct sgt_dram_bank *bank = &c->banks[q.bank];
   const uint64_t end = start + d->burst;
   c->bus_free = end;
   c->bus_used = true;
   c->bus_writes = q.request.write;
   sgt_dram_bank_hold(bank, q.request.write ? end + p->t_wr : clock + d->burst);
   c->overtaken = i ? c->overtaken + 1 : 0;
   memmove(&c->queue[i], &c->queue[i + 1], (c->num - i - 1) * sizeof(*c->queue));
   c->num--;

   assert(c->num_moving < c->room_moving);
   c->moving[(c->first_moving + c->num_moving++) % c->room_moving] = (struct moving){
      .end = end,
      .port = q.port,
      .response = { .id = q.request.id, .write = q.request.write },
   };
   struct sgt_dram_stats *stats = &d->stats;
   stats->reads += !q.request.write;
   stats->writes += q.request.write;
   stats->row_hits += q.outcome == ROW_HIT;
   stats->row_empty += q.outcome == ROW_EMPTY;
   stats->row_misses += q.outcome == ROW_MISS;
   stats->bus_busy += d->burst;
   stats->queue_wait += clock - q.since;
}

/* Returns true if any queued request in the range [from, num) hits the open row of the bank. */
static bool
has_hits(const struct sgt_dram_channel *c, uint32_t bank, uint32_t from, uint32_t num)
{
   for (uint32_t i = from; i < num; i++)
      if (c->queue[i].bank == bank && c->queue[i].row == c->banks[bank].row)
         return true;
   return false;
}

/* Issues an activate or a precharge if any request needs one and the bank is ready for it in this
 * clock.
 */
static void
row_command(struct sgt_dram *d, struct sgt_dram_channel *c, uint64_t clock)
{
   const struct sgt_dram_params *p = &d->params;
   const uint32_t num = dram_eligible(d, c);
   const uint64_t all = ~0ull >> (64 - p->banks);
   uint64_t seen = 0; /* bitmask of the banks that older requests access */
   for (uint32_t i = 0; i < num && seen != all; i++) {
      struct queued *q = &c->queue[i];
      struct sgt_dram_bank *bank = &c->banks[q->bank];
      if (seen >> q->bank & 1)
         continue;
      seen |= 1ull << q->bank;
      if (!bank->open) {
         if (bank->activate_at > clock)
            continue;
         sgt_dram_bank_activate(bank, clock, q->row, p->t_rcd, p->t_ras, 0);
         if (q->outcome == ROW_HIT)
            q->outcome = ROW_EMPTY;
         return;
      }
      if (bank->row == q->row || bank->precharge_at > clock || has_hits(c, q->bank, i + 1, num))
         continue;
      sgt_dram_bank_precharge(bank, clock, p->t_rp);
      q->outcome = ROW_MISS;
      return;
   }
}

static void
send_responses(struct sgt_dram *d, struct sgt_dram_channel *c, uint64_t now, uint64_t clock)
{
   while (c->num_moving && c->moving[c->first_moving].end <= clock) {
      const struct moving *m = &c->moving[c->first_moving];
      /* The response channel can't overflow, because it has room for all outstanding requests of
       * the port.
       */
      sgt_channel_send(&d->ports[m->port].responses, now, &m->response);
      c->first_moving = (c->first_moving + 1) % c->room_moving;
      c->num_moving--;
   }
}

static uint64_t
dram_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_dram *d = container_of(unit, struct sgt_dram, unit);
   const uint64_t period = unit->clock->period, clock = now / period;
   uint64_t next = SGT_NEVER;
   for (uint32_t i = 0; i < d->params.channels; i++) {
      struct sgt_dram_channel *c = &d->channels[i];
      send_responses(d, c, now, clock);
      d->stats.queue_occupancy += c->num;
      if (c->num) {
         column_command(d, c, clock);
         row_command(d, c, clock);
      }
   }
   accept_requests(d, now, clock);
   for (uint32_t i = 0; i < d->params.channels; i++) {
      const struct sgt_dram_channel *c = &d->channels[i];
      if (c->num)
         next = MIN2(next, clock + 1);
      else if (c->num_moving)
         next = MIN2(next, MAX2(c->moving[c->first_moving].end, clock + 1));
   }
   for (uint32_t i = 0; i < d->num_ports; i++)
      if (sgt_channel_peek(&d->ports[i].requests, now))
         next = MIN2(next, clock + 1);
   return next == SGT_NEVER ? next : next * period;
}

bool
sgt_dram_init(struct sgt_dram *d, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_dram_params *params, uint32_t num_ports)
{
   *d = (struct sgt_dram){
      .unit = { .name = "dram", .clock = clock, .tick = dram_tick },
      .params = *params,
      .burst = (SGT_DRAM_BURST + params->bus_bytes - 1) / params->bus_bytes,
      .room = num_ports,
   };
   d->ports = calloc(num_ports, sizeof(*d->ports));
   d->channels = calloc(params->channels, sizeof(*d->channels));
   bool ok = d->ports && d->channels;
   for (uint32_t i = 0; ok && i < params->channels; i++) {
      struct sgt_dram_channel *c = &d->channels[i];
      /* Reserve room for all requests in transfer. At most one column command is issued per clock,
       * and its data transfer ends t_cas + burst clocks later.
       */
      c->room_moving = params->t_cas + d->burst + 1;
      c->banks = calloc(params->banks, sizeof(*c->banks));
      c->queue = calloc(params->queue, sizeof(*c->queue));
      c->moving = calloc(c->room_moving, sizeof(*c->moving));
      ok = c->banks && c->queue && c->moving;
   }
   ok = ok && sgt_sched_add(sched, &d->unit, 0);
   if (!ok)
      sgt_dram_finish(d);
   return ok;
}

void
sgt_dram_finish(struct sgt_dram *d)
{
   for (uint32_t i = 0; d->channels && i < d->params.channels; i++) {
      free(d->channels[i].banks);
      free(d->channels[i].queue);
      free(d->channels[i].moving);
   }
   for (uint32_t i = 0; i < d->num_ports; i++) {
      sgt_channel_finish(&d->ports[i].requests);
      sgt_channel_finish(&d->ports[i].responses);
   }
   free(d->channels);
   free(d->ports);
   d->channels = NULL;
   d->ports = NULL;
   d->num_ports = 0;
}

bool
sgt_dram_connect(struct sgt_dram *d, struct sgt_sched *sched, struct sgt_unit *unit, uint64_t delay,
                 uint32_t max_open)
{
   assert(d->num_ports < d->room);
   struct sgt_dram_port *port = &d->ports[d->num_ports];
   const uint64_t edge = unit->clock->period;
   /* A slot of the channel can only be reused after the DRAM has taken the request. Make the
    * channel large enough that the unit can still send a request on each of its clock edges.
    */
   const uint32_t capacity = (delay + d->unit.clock->period) / edge + 2;
   if (!sgt_channel_init(&port->requests, sched, unit, &d->unit, sizeof(struct sgt_dram_request),
                         capacity, delay))
      return false;
   if (!sgt_channel_init(&port->responses, sched, &d->unit, unit, sizeof(struct sgt_dram_response),
                         max_open + 1, delay)) {
      sgt_channel_finish(&port->requests);
      return false;
   }
   d->num_ports++;
   return true;
}

bool
sgt_dram_idle(const struct sgt_dram *d)
{
   for (uint32_t i = 0; i < d->params.channels; i++)
      if (d->channels[i].num || d->channels[i].num_moving)
         return false;
   for (uint32_t i = 0; i < d->num_ports; i++)
      if (!sgt_channel_empty(&d->ports[i].requests) || !sgt_channel_empty(&d->ports[i].responses))
         return false;
   return true;
}

void
sgt_dram_dump(const struct sgt_dram *d, struct sgt_dump *dump)
{
   for (uint32_t i = 0; i < d->params.channels; i++) {
      const struct sgt_dram_channel *c = &d->channels[i];
      sgt_dump_unit(dump, d->unit.clock, "dram, channel ", i);
      sgt_dump_queue(dump, "requests", c->num, d->params.queue);
      if (c->num)
         sgt_dump_oldest(dump, c->queue[0].since * d->unit.clock->period);
      sgt_dump_queue(dump, "bursts under way", c->num_moving, c->room_moving);
   }
   for (uint32_t i = 0; i < d->num_ports; i++) {
      sgt_dump_unit(dump, d->unit.clock, "dram, port ", i);
      sgt_dump_channel(dump, "requests", &d->ports[i].requests);
   }
}
