/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: fetch arbiters, instruction cache and broadcast bus.
 *
 * Each arbiter has its own port to the cache. A port returns one instruction per cycle, in the
 * order of the requests. If an instruction is already being fetched, other threads that need the
 * same instruction join the fetch.
 */
#include "chip_eu/sgt_eu_core.h"
#include "chip_memory/sgt_mem.h"

static uint32_t
eu_hash(const struct sgt_eu_code *code, uint32_t pc)
{
   return (pc ^ (uint32_t)(code->address >> 18)) & 63;
}

static struct fetch *
fetch_at(const struct sgt_eu_core *core, struct fetch_port *port, uint32_t i)
{
   return &port->fetches[ring(port->first + i, core->room_fetches)];
}

static uint64_t
line_of(const struct sgt_eu_code *code, uint32_t pc)
{
   return (code->address + pc * 16ull) & ~63ull;
}

void
sgt_eu_code_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address)
{
   struct sgt_eu_core *core = eu->core;
   sgt_tags_insert(&core->code_store, address / 64, NULL);
   for (uint32_t p = 0; p < core->num_ports; p++)
      for (uint32_t i = 0; i < core->ports[p].num; i++) {
         struct fetch *f = fetch_at(core, &core->ports[p], i);
         if (f->ready == SGT_NEVER && line_of(f->code, f->pc) == address)
            f->ready = cycle;
      }
}

void
sgt_eu_broadcast(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   for (uint32_t p = 0; p < core->num_ports; p++) {
      struct fetch_port *port = &core->ports[p];
      const struct fetch *f = fetch_at(core, port, 0);
      if (!port->num || f->ready > cycle) {
         core->now.code[p] = !port->num              ? SGT_EU_RETURN_IDLE
                             : f->ready == SGT_NEVER ? SGT_EU_RETURN_MISS
                                                     : SGT_EU_RETURN_WAIT;
         continue;
      }
      core->now.code[p] = SGT_EU_RETURN_GIVE;
      core->active = true;
      eu->stats.broadcasts++;
      u_foreach_bit64(i, f->waiters) {
         struct thread *t = &core->threads[i];
         t->arrived |= 1u << (f->pc - t->head);
         eu->stats.delivered++;
         log_event(eu, cycle, SGT_EU_EVENT_BROADCAST, i, f->pc);
      }
      core->in_flight[eu_hash(f->code, f->pc)]--;
      port->first = ring(port->first + 1, core->room_fetches);
      port->num--;
   }
}

void
sgt_eu_forget_fetches(struct sgt_eu *eu, uint32_t thread)
{
   struct sgt_eu_core *core = eu->core;
   for (uint32_t p = 0; p < core->num_ports; p++)
      for (uint32_t i = 0; i < core->ports[p].num; i++)
         fetch_at(core, &core->ports[p], i)->waiters &= ~(1ull << thread);
}

static struct fetch *
find_fetch(struct sgt_eu_core *core, const struct sgt_eu_code *code, uint32_t pc)
{
   if (!core->in_flight[eu_hash(code, pc)])
      return NULL;
   for (uint32_t p = 0; p < core->num_ports; p++)
      for (uint32_t i = 0; i < core->ports[p].num; i++) {
         struct fetch *f = fetch_at(core, &core->ports[p], i);
         if (f->code == code && f->pc == pc)
            return f;
      }
   return NULL;
}

static void
eu_want(struct sgt_eu *eu, uint64_t cycle, struct fetch *f, uint32_t i)
{
   struct thread *t = &eu->core->threads[i];
   f->waiters |= 1ull << i;
   t->fetched++;
   t->latest_fetch = cycle;
   update_room(eu, i);
   eu->core->active = true;
}

static void
eu_join(struct sgt_eu *eu, uint64_t cycle, struct fetch *f, uint32_t i)
{
   eu_want(eu, cycle, f, i);
   eu->stats.joined++;
   log_event(eu, cycle, SGT_EU_EVENT_JOIN, i, f->pc);
}

/* Returns the thread that an arbiter selects according to the policy params.fetch_select. */
static uint32_t
select_thread(const struct sgt_eu *eu, uint64_t mask)
{
   const struct sgt_eu_core *core = eu->core;
   if (eu->params.fetch_select == SGT_EU_FETCH_OLDEST)
      return oldest(core, mask);
   uint32_t best = ffsll(mask) - 1;
   mask &= mask - 1;
   u_foreach_bit64(i, mask) {
      const struct thread *t = &core->threads[i], *b = &core->threads[best];
      if (t->latest_fetch < b->latest_fetch ||
          (t->latest_fetch == b->latest_fetch && t->number < b->number))
         best = i;
   }
   return best;
}

/* Returns true if a pending fetch is already reading the line from memory. */
static bool
line_pending(struct sgt_eu_core *core, uint64_t line)
{
   for (uint32_t p = 0; p < core->num_ports; p++)
      for (uint32_t i = 0; i < core->ports[p].num; i++) {
         const struct fetch *f = fetch_at(core, &core->ports[p], i);
         if (f->ready == SGT_NEVER && line_of(f->code, f->pc) == line)
            return true;
      }
   return false;
}

/* Starts to fetch the next instruction of a thread from the instruction cache. Returns NULL if the
 * request for a missing line can't be sent, or if the port has too many pending fetches, including
 * those that no thread needs any more.
 */
static struct fetch *
read_code(struct sgt_eu *eu, uint64_t now, uint64_t cycle, struct fetch_port *port,
          const struct thread *t)
{
   struct sgt_eu_core *core = eu->core;
   const uint64_t line = line_of(t->code, t->fetched);
   uint64_t ready = SGT_NEVER;

   if (port->num == core->room_fetches)
      return NULL;
   if (sgt_tags_find(&core->code_store, line / 64) != SGT_TAGS_NONE) {
      ready = cycle + eu->params.fetch_latency;
      eu->stats.code_hits++;
   } else {
      if (!line_pending(core, line)) {
         if (!sgt_eu_send_memory(eu, now, line, TAG_CODE, SGT_MEM_READ, 0))
            return NULL;
         eu->stats.code_line_reads++;
      }
      eu->stats.code_misses++;
   }
   eu->stats.code_reads++;
   struct fetch *f = fetch_at(core, port, port->num++);
   *f = (struct fetch){ .code = t->code, .pc = t->fetched, .ready = ready };
   core->in_flight[eu_hash(f->code, f->pc)]++;
   return f;
}

void
sgt_eu_fetch(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   uint64_t asks = core->room;
   if (eu->params.broadcast) {
      u_foreach_bit64(i, core->room) {
         const struct thread *t = &core->threads[i];
         struct fetch *f = find_fetch(core, t->code, t->fetched);
         if (!f)
            continue;
         eu_join(eu, cycle, f, i);
         asks &= ~(1ull << i);
      }
   }
   for (uint32_t p = 0; p < core->num_ports; p++) {
      const uint64_t group = core->num_ports == 1 ? core->all : p ? ~core->even : core->even;
      if (!(asks & group)) {
         const bool full = core->live & ~core->over & group;
         core->now.fetch[p] = full ? SGT_EU_PORT_FULL : SGT_EU_PORT_IDLE;
         continue;
      }
      const uint32_t i = select_thread(eu, asks & group);
      const struct thread *t = &core->threads[i];
      struct fetch *f = read_code(eu, now, cycle, &core->ports[p], t);
      if (!f) {
         core->now.fetch[p] = SGT_EU_PORT_BUSY;
         continue;
      }
      core->now.fetch[p] = SGT_EU_PORT_GRANT;
      log_event(eu, cycle, SGT_EU_EVENT_FETCH, i, f->pc);
      eu_want(eu, cycle, f, i);
      asks &= ~(1ull << i);
      if (!eu->params.broadcast)
         continue;
      u_foreach_bit64(j, asks) {
         const struct thread *other = &core->threads[j];
         if (other->code != f->code || other->fetched != f->pc)
            continue;
         eu_join(eu, cycle, f, j);
         asks &= ~(1ull << j);
      }
   }
}
