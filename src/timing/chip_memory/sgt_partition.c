/* SPDX-License-Identifier: MIT */
/*
 * Implementation of the memory partition.
 *
 * In each clock cycle, the partition first handles data from the DRAM, then atomics, responses, one
 * incoming request, and one outgoing request to the DRAM.
 */
#include "chip_memory/sgt_partition.h"

#include <stdlib.h>

#include "chip_memory/sgt_chip_observer.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "kernel/sgt_bits.h"
#include "util/macros.h"

#define NONE UINT32_MAX
/* Tag of all DRAM requests except for reads that bypass the cache, which use the index of their
 * access as the tag.
 */
#define TAG_L2 UINT32_MAX
/* A request that may need the DRAM stalls while more than this number of DRAM requests are queued.
 */
#define OUT_LIMIT 2

static bool
list_empty(const struct sgt_partition_list *list)
{
   return list->first == NONE;
}

static void
list_push(struct sgt_partition *p, struct sgt_partition_list *list, uint32_t index)
{
   p->accesses[index].next = NONE;
   if (list_empty(list)) {
      list->first = index;
      list->ready = p->accesses[index].ready;
   } else {
      p->accesses[list->last].next = index;
   }
   list->last = index;
}

static uint32_t
list_pop(struct sgt_partition *p, struct sgt_partition_list *list)
{
   const uint32_t index = list->first;
   list->first = p->accesses[index].next;
   list->ready = list_empty(list) ? SGT_NEVER : p->accesses[list->first].ready;
   return index;
}

/* Adds all uncounted clocks before `clock` to the statistics of state p->rest. */
static void
partition_attribute(struct sgt_partition *p, uint64_t clock)
{
   if (clock <= p->accounted)
      return;
   p->stats.states[p->rest] += clock - p->accounted;
   p->accounted = clock;
}

/* Updates the occupancy statistics up to `clock`. Must be called before p->num_accesses changes. */
static void
count_accesses(struct sgt_partition *p, uint64_t clock)
{
   p->stats.occupancy += p->num_accesses * (clock - p->changed_at);
   p->changed_at = clock;
}

/* Queues a request to the DRAM. */
static void
push_out(struct sgt_partition *p, uint64_t address, uint32_t sectors, bool write, uint32_t tag)
{
   assert(p->num_out < SGT_PARTITION_MAX_OUT);
   const uint32_t place = (p->first_out + p->num_out++) % SGT_PARTITION_MAX_OUT;
   p->out[place] = (struct sgt_gddr_request){
      .address = address, .tag = tag, .write = write, .sectors = sectors
   };
   p->stats.dram_reads += !write;
   p->stats.dram_writes += write;
}

/* Queues the DRAM requests that write back an evicted line. */
static void
push_write_back(struct sgt_partition *p, const struct sgt_cache_result *r)
{
   if (!r->write_back)
      return;
   for (uint32_t i = 0; i < p->params.l2.line_bytes / 64; i++) {
      const uint32_t sectors = r->write_back >> (2 * i) & 3;
      if (sectors)
         push_out(p, r->evicted + i * 64, sectors, true, TAG_L2);
   }
   p->stats.written_back += sgt_bitcount(r->write_back);
}

/* Returns the index of the first sector of a 64-byte line within its cache line, which can be
 * longer.
 */
static uint32_t
sector_shift(const struct sgt_partition *p, uint64_t address)
{
   return (address & (p->params.l2.line_bytes - 1)) / SGT_CACHE_SECTOR;
}

/* Called when all sectors of an access have arrived. Completes a read, or marks an atomic as ready
 * to execute.
 */
static void
partition_complete(struct sgt_partition *p, uint32_t index, uint64_t clock)
{
   struct sgt_partition_access *a = &p->accesses[index];
   if (a->request.kind == SGT_MEM_ATOMIC) {
      a->arrived = true;
      a->ready = clock;
      return;
   }
   a->ready = clock + p->params.data_clocks;
   list_push(p, &p->fills[a->rop], index);
}

/* Handles all data that has arrived from the DRAM. */
static void
take_data(struct sgt_partition *p, uint64_t now, uint64_t clock)
{
   const struct sgt_gddr_response *data;
   while ((data = sgt_channel_peek(&p->gddr.responses, now))) {
      uint32_t index = data->tag;
      if (index == TAG_L2) {
         sgt_cache_fill(&p->l2, data->address, data->sectors << sector_shift(p, data->address));
         while (sgt_cache_pop(&p->l2, &index))
            partition_complete(p, index, clock);
      } else {
         p->accesses[index].missing &= ~data->sectors;
         if (!p->accesses[index].missing)
            partition_complete(p, index, clock);
      }
      sgt_channel_take(&p->gddr.responses, now);
   }
}

/* Writes the cache line of the first atomic after all of its lanes have executed, and makes the
 * response ready. Does nothing if the write must go to the DRAM and too many DRAM requests are
 * waiting.
 */
static void
finish_atomic(struct sgt_partition *p, uint64_t clock)
{
   struct sgt_partition_access *a = &p->accesses[p->waiting.first];
   const bool through = p->params.l2.writes == SGT_CACHE_THROUGH;
   if (through && p->num_out > OUT_LIMIT)
      return;
   const uint32_t sectors = a->request.sectors;
   ASSERTED const struct sgt_cache_result r =
      sgt_cache_write(&p->l2, a->address, sectors << sector_shift(p, a->address), UINT32_MAX, 0);
   assert(r.outcome == SGT_CACHE_HIT);
   sgt_cache_unlock(&p->l2, a->line);
   if (through) {
      push_out(p, a->address, sectors, true, TAG_L2);
      p->stats.written_through += sgt_bitcount(sectors);
   }
   p->stats.written_sectors += sgt_bitcount(sectors);
   p->stats.atomic_wait += clock - p->atomic_since;
   a->ready = clock + p->params.data_clocks;
   list_push(p, &p->fills[0], list_pop(p, &p->waiting));
   p->num_atomics--;
   p->executes = false;
   p->atomic_since = clock;
}

/* Finishes the current atomic if its execution has ended, and starts the next one. */
static void
run_atomics(struct sgt_partition *p, uint64_t clock)
{
   if (p->executes && clock >= p->atomic_until)
      finish_atomic(p, clock);
   if (p->executes || list_empty(&p->waiting))
      return;
   const struct sgt_partition_access *a = &p->accesses[p->waiting.first];
   if (!a->arrived || a->ready > clock)
      return;
   const uint32_t busy = a->request.lanes * p->params.atomic_clocks;
   p->executes = true;
   p->atomic_until = clock + busy;
   p->stats.atomic_busy += busy;
   p->stats.atomic_wait += clock - p->atomic_since;
   p->atomic_since = p->atomic_until;
}

/* Sends the next response to the ROP (if `rop` is true) or to the network if it is ready. Returns
 * false if the channel has no room.
 */
static bool
send_response(struct sgt_partition *p, bool rop, uint64_t now, uint64_t clock)
{
   const uint64_t hit = p->hits[rop].ready, fill = p->fills[rop].ready;
   struct sgt_channel *channel = rop ? &p->rop.responses : &p->end->responses;
   if (MIN2(hit, fill) > clock)
      return true;
   if (!sgt_channel_can_send(channel, now))
      return false;
   const uint32_t index = list_pop(p, fill <= hit ? &p->fills[rop] : &p->hits[rop]);
   struct sgt_partition_access *a = &p->accesses[index];
   const struct sgt_mem_request *q = &a->request;
   const struct sgt_xbar_response response = {
      .response = { .address = q->address, .tag = q->tag, .client = q->client },
      .bytes = q->kind == SGT_MEM_ATOMIC ? p->operand_bytes * q->lanes
                                         : SGT_CACHE_SECTOR * sgt_bitcount(q->sectors),
   };
   if (rop)
      sgt_channel_send(channel, now, &response.response);
   else
      sgt_channel_send(channel, now, &response);
   const uint64_t latency = clock - a->since;
   p->stats.responses += !rop;
   p->stats.rop_responses += rop;
   *(rop ? &p->stats.rop_latency : &p->stats.latency) += latency;
   p->stats.latency_log2[MIN2(sgt_log2_slot(latency), ARRAY_SIZE(p->stats.latency_log2) - 1)]++;
   count_accesses(p, clock);
   p->num_accesses--;
   a->next = p->free_access;
   p->free_access = index;
   return true;
}

/* Starts a read or an atomic. `cached` is false for reads that bypass the cache. There must be a
 * free entry in p->accesses. Returns READ, or the reason for a stall.
 */
static enum sgt_partition_state
begin_access(struct sgt_partition *p, const struct sgt_mem_request *q, uint64_t address, bool rop,
             bool cached, uint64_t clock)
{
   const uint32_t index = p->free_access;
   struct sgt_partition_access *a = &p->accesses[index];
   const bool atomic = q->kind == SGT_MEM_ATOMIC;
   const uint32_t shift = sector_shift(p, address);
   struct sgt_cache_result r = { .outcome = SGT_CACHE_MISS };
   if (cached) {
      r = sgt_cache_lookup(&p->l2, address, (uint32_t)q->sectors << shift, index);
      if (r.outcome == SGT_CACHE_STALL)
         return SGT_PARTITION_STALL_SET + r.stall;
   }
   count_accesses(p, clock);
   p->free_access = a->next;
   p->num_accesses++;
   p->stats.max_accesses = MAX2(p->stats.max_accesses, p->num_accesses);
   *a = (struct sgt_partition_access){
      .request = *q, .address = address, .since = clock, .line = r.line, .rop = rop
   };
   if (!cached) {
      a->missing = q->sectors;
      push_out(p, address, q->sectors, false, index);
      p->stats.direct_read += sgt_bitcount(q->sectors);
   } else if (r.outcome == SGT_CACHE_HIT && !atomic) {
      a->ready = clock + p->params.tag_clocks + p->params.data_clocks;
      list_push(p, &p->hits[rop], index);
   } else {
      a->arrived = r.outcome == SGT_CACHE_HIT;
      a->ready = clock + p->params.tag_clocks;
      push_write_back(p, &r);
      if (r.fetch) {
         push_out(p, address, r.fetch >> shift, false, TAG_L2);
         p->stats.fetched += sgt_bitcount(r.fetch);
      }
   }
   if (atomic) {
      sgt_cache_lock(&p->l2, r.line);
      if (list_empty(&p->waiting))
         p->atomic_since = clock;
      list_push(p, &p->waiting, index);
      p->num_atomics++;
      p->stats.max_atomics = MAX2(p->stats.max_atomics, p->num_atomics);
   }
   p->stats.read_sectors += sgt_bitcount(q->sectors);
   return SGT_PARTITION_READ;
}

/* Performs a write. Returns WRITE, or the reason for a stall. */
static enum sgt_partition_state
write_sectors(struct sgt_partition *p, const struct sgt_mem_request *q, uint64_t address,
              bool cached)
{
   const uint32_t num = sgt_bitcount(q->sectors);
   if (cached) {
      const uint32_t sectors = (uint32_t)q->sectors << sector_shift(p, address);
      const struct sgt_cache_result r = sgt_cache_write(&p->l2, address, sectors, UINT32_MAX, 0);
      if (r.outcome == SGT_CACHE_STALL)
         return SGT_PARTITION_STALL_SET + r.stall;
      push_write_back(p, &r);
   }
   if (!cached || p->params.l2.writes == SGT_CACHE_THROUGH) {
      push_out(p, address, q->sectors, true, TAG_L2);
      *(cached ? &p->stats.written_through : &p->stats.direct_written) += num;
   }
   p->stats.written_sectors += num;
   return SGT_PARTITION_WRITE;
}

/* Returns true if a request may need to access the DRAM. */
static bool
needs_dram(const struct sgt_partition *p, const struct sgt_mem_request *q, uint64_t address,
           bool cached)
{
   return q->kind == SGT_MEM_WRITE || !cached ||
          sgt_cache_probe(&p->l2, address, (uint32_t)q->sectors << sector_shift(p, address)) !=
             SGT_CACHE_HIT;
}

/* Performs a request, and returns the state of the request pipe. Does not change anything if the
 * request stalls.
 */
static enum sgt_partition_state
partition_serve(struct sgt_partition *p, const struct sgt_mem_request *q, bool rop, uint64_t clock)
{
   const bool atomic = q->kind == SGT_MEM_ATOMIC, write = q->kind == SGT_MEM_WRITE;
   const bool cached = atomic || (rop ? p->params.rop_cached : q->client >= p->params.uncached);
   const struct sgt_partition_place place = sgt_partition_find(p->map, q->address);
   assert(place.partition == p->index && q->sectors && !(q->address & 63));
   if (!write && p->free_access == NONE)
      return SGT_PARTITION_STALL_ACCESS;
   if (atomic && p->num_atomics == p->params.atomics)
      return SGT_PARTITION_STALL_ATOMIC;
   if (p->num_out > OUT_LIMIT && needs_dram(p, q, place.address, cached))
      return SGT_PARTITION_STALL_DRAM;
   const enum sgt_partition_state state = write ? write_sectors(p, q, place.address, cached)
                                                : begin_access(p, q, place.address, rop, cached,
                                                               clock);
   if (state >= SGT_PARTITION_STALL_SET)
      return state;
   struct sgt_partition_stats *s = &p->stats;
   if (rop) {
      s->rop_reads += !write;
      s->rop_writes += write;
      return SGT_PARTITION_ROP;
   }
   s->reads += !write && !atomic;
   s->writes += write;
   s->atomics += atomic;
   s->lanes += atomic ? q->lanes : 0;
   s->uncached_reads += !write && !cached;
   s->uncached_writes += write && !cached;
   return atomic ? SGT_PARTITION_ATOMIC : state;
}

/* Accepts a request from the network or from the ROP, and returns the state of the request pipe. */
static enum sgt_partition_state
take_request(struct sgt_partition *p, uint64_t now, uint64_t clock)
{
   enum sgt_partition_state stall = SGT_PARTITION_IDLE;
   for (uint32_t i = 0; i < 2; i++) {
      const bool rop = p->rop_first != i;
      if (rop && !p->has_rop)
         continue;
      struct sgt_channel *channel = rop ? &p->rop.requests : &p->end->requests;
      const struct sgt_mem_request *q = sgt_channel_peek(channel, now);
      if (!q)
         continue;
      const enum sgt_partition_state state = partition_serve(p, q, rop, clock);
      if (state < SGT_PARTITION_STALL_SET) {
         if (p->observer)
            p->observer->memory(p->observer->data, p->index, rop, q);
         sgt_channel_take(channel, now);
         p->rop_first = !rop;
         return state;
      }
      if (stall == SGT_PARTITION_IDLE)
         stall = state;
   }
   return stall;
}

static bool
has_requests(const struct sgt_partition *p, uint64_t now)
{
   return sgt_channel_peek(&p->end->requests, now) ||
          (p->has_rop && sgt_channel_peek(&p->rop.requests, now));
}

/* Sends the next queued request to the DRAM. Returns true if a request was sent. */
static bool
send_out(struct sgt_partition *p, uint64_t now)
{
   if (!p->num_out || !sgt_channel_can_send(&p->gddr.requests, now))
      return false;
   sgt_channel_send(&p->gddr.requests, now, &p->out[p->first_out]);
   p->first_out = (p->first_out + 1) % SGT_PARTITION_MAX_OUT;
   p->num_out--;
   return true;
}

static uint64_t
partition_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_partition *p = container_of(unit, struct sgt_partition, unit);
   const uint64_t period = unit->clock->period, clock = sgt_unit_edge(unit);
   take_data(p, now, clock);
   run_atomics(p, clock);
   const bool room[2] = { send_response(p, false, now, clock),
                          !p->has_rop || send_response(p, true, now, clock) };
   partition_attribute(p, clock);
   const enum sgt_partition_state state = take_request(p, now, clock);
   const bool taken = state < SGT_PARTITION_STALL_SET;
   p->rest = state;
   partition_attribute(p, clock + 1);
   if (taken)
      p->rest = SGT_PARTITION_IDLE;
   const bool sent = send_out(p, now);

   uint64_t next = SGT_NEVER;
   if ((sent && p->num_out) || ((sent || taken) && has_requests(p, now)))
      next = clock + 1;
   /* A response channel that is full schedules a call when it has room again, so only consider the
    * channels with room.
    */
   for (uint32_t i = 0; i < 2; i++) {
      const uint64_t ready = MIN2(p->hits[i].ready, p->fills[i].ready);
      if (room[i])
         next = MIN2(next, MAX2(ready, clock + 1));
   }
   /* An atomic that has not finished by atomic_until waits until queued DRAM requests have been
    * sent, so no call needs to be scheduled for it.
    */
   if (p->executes)
      next = p->atomic_until > clock ? MIN2(next, p->atomic_until) : next;
   else if (!list_empty(&p->waiting) && p->accesses[p->waiting.first].arrived)
      next = MIN2(next, MAX2(p->accesses[p->waiting.first].ready, clock + 1));
   return next == SGT_NEVER ? next : next * period;
}

bool
sgt_partition_init(struct sgt_partition *p, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_clock *memory_clock, const struct sgt_partition_params *params,
                   struct sgt_xbar *xbar, uint32_t index)
{
   *p = (struct sgt_partition){
      .unit = { .name = "partition", .clock = clock, .tick = partition_tick },
      .params = *params,
      .end = &xbar->ends[index],
      .map = &xbar->map,
      .index = index,
      .operand_bytes = xbar->params.operand_bytes,
      .hits = { { NONE, NONE, SGT_NEVER }, { NONE, NONE, SGT_NEVER } },
      .fills = { { NONE, NONE, SGT_NEVER }, { NONE, NONE, SGT_NEVER } },
      .waiting = { NONE, NONE, SGT_NEVER },
      .rest = SGT_PARTITION_IDLE,
   };
   p->accesses = calloc(params->accesses, sizeof(*p->accesses));
   bool ok = p->accesses != NULL;
   for (uint32_t i = 0; ok && i < params->accesses; i++)
      p->accesses[i].next = i + 1 < params->accesses ? i + 1 : NONE;
   /* DRAM requests are sent after the tag lookup, so include the time of the lookup in the delay of
    * the channel to the DRAM.
    */
   ok = ok && sgt_cache_init(&p->l2, &params->l2) &&
        sgt_gddr_init(&p->gddr, sched, memory_clock, &params->gddr, &p->unit,
                      params->tag_clocks * clock->period, params->queue, params->queue) &&
        sgt_xbar_connect_partition(xbar, sched, index, &p->unit, params->queue) &&
        sgt_sched_add(sched, &p->unit, 0);
   if (!ok)
      sgt_partition_finish(p);
   return ok;
}

void
sgt_partition_finish(struct sgt_partition *p)
{
   free(p->accesses);
   p->accesses = NULL;
   sgt_cache_finish(&p->l2);
   sgt_gddr_finish(&p->gddr);
   if (!p->has_rop)
      return;
   sgt_channel_finish(&p->rop.requests);
   sgt_channel_finish(&p->rop.responses);
}

bool
sgt_partition_connect_rop(struct sgt_partition *p, struct sgt_sched *sched, struct sgt_unit *unit,
                          uint64_t delay, uint32_t responses)
{
   const uint64_t edge = unit->clock->period, period = p->unit.clock->period;
   const uint32_t requests = p->params.queue + delay / edge + period / edge + 2;
   p->has_rop = sgt_channel_init(&p->rop.requests, sched, unit, &p->unit,
                                 sizeof(struct sgt_mem_request), requests, delay) &&
                sgt_channel_init(&p->rop.responses, sched, &p->unit, unit,
                                 sizeof(struct sgt_mem_response),
                                 responses + delay / period + edge / period + 2, delay);
   if (!p->has_rop)
      sgt_channel_finish(&p->rop.requests);
   return p->has_rop;
}

bool
sgt_partition_idle(const struct sgt_partition *p)
{
   return !p->num_accesses && !p->num_out && sgt_gddr_idle(&p->gddr) &&
          (!p->has_rop ||
           (sgt_channel_empty(&p->rop.requests) && sgt_channel_empty(&p->rop.responses)));
}

void
sgt_partition_account_pipe(struct sgt_partition *p, uint64_t time)
{
   const uint64_t clock = time / p->unit.clock->period;
   partition_attribute(p, clock);
   count_accesses(p, MAX2(clock, p->changed_at));
   p->stats.clocks = p->accounted;
}

void
sgt_partition_account(struct sgt_partition *p, uint64_t time)
{
   sgt_partition_account_pipe(p, time);
   sgt_gddr_account(&p->gddr, time);
}

/* Returns true if entry `access` of p->accesses is in use. */
static bool
is_used(const struct sgt_partition *p, uint32_t access)
{
   uint32_t place = p->free_access;
   for (uint32_t left = p->params.accesses - p->num_accesses; left; left--) {
      if (place == access)
         return false;
      place = p->accesses[place].next;
   }
   return true;
}

void
sgt_partition_dump(const struct sgt_partition *p, struct sgt_dump *d)
{
   uint64_t oldest = SGT_NEVER;
   for (uint32_t i = 0; p->num_accesses && i < p->params.accesses; i++)
      if (is_used(p, i))
         oldest = MIN2(oldest, p->accesses[i].since);
   sgt_dump_unit(d, p->unit.clock, "partition.", p->index);
   sgt_dump_state(d, "", sgt_partition_state_names[p->rest]);
   sgt_dump_queue(d, "accesses without a response", p->num_accesses, p->params.accesses);
   if (oldest != SGT_NEVER)
      sgt_dump_oldest(d, oldest * p->unit.clock->period);
   sgt_dump_queue(d, "atomics", p->num_atomics, p->params.atomics);
   sgt_dump_queue(d, "lines on their way", p->l2.params.mshrs - p->l2.num_free_mshrs,
                  p->l2.params.mshrs);
   sgt_dump_queue(d, "requests of the DRAM", p->num_out, SGT_PARTITION_MAX_OUT);
   sgt_dump_channel(d, "requests of the network", &p->end->requests);
   if (p->has_rop) {
      sgt_dump_channel(d, "requests of the ROP", &p->rop.requests);
      sgt_dump_channel(d, "responses to the ROP", &p->rop.responses);
   }
   sgt_dump_channel(d, "responses of the DRAM", &p->gddr.responses);
   sgt_gddr_dump(&p->gddr, p->index, d);
}
