/* SPDX-License-Identifier: MIT */
/*
 * The raster operations processor (ROP) and its two paths.
 *
 * Each cycle runs the stages in reverse order, so that a request advances by at most one stage per
 * cycle.
 */
#include "chip_memory/sgt_chip_observer.h"
#include "kernel/sgt_dump.h"
#include "chip_rop/sgt_rop_private.h"
#include "kernel/sgt_stats.h"

#include <stdlib.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"

/* -- tags ------------------------------------------------------------------------------------ */

static void
count_request(struct sgt_rop_path_stats *stats, const struct sgt_rop_request *r)
{
   stats->requests++;
   stats->kinds[r->kind]++;
   stats->reading += (r->flags & SGT_ROP_READS) != 0;
   stats->blending += (r->flags & SGT_ROP_BLENDS) != 0;
   stats->doubled += (r->flags & SGT_ROP_DOUBLE) != 0;
   stats->stencil += (r->flags & SGT_ROP_STENCIL) != 0;
   stats->responding += (r->flags & SGT_ROP_RESPOND) != 0;
   if (r->kind == SGT_ROP_CLEAR || r->kind == SGT_ROP_FLUSH)
      return;
   stats->quads += r->quads;
   stats->pixels += r->pixels;
   stats->bytes += sgt_bitcount(r->mask);
   stats->written += sgt_bitcount(r->written);
   stats->full_lines += r->written == UINT64_MAX;
}

/* Executes a clear or a flush, which must wait until no other request is in the path. Returns true
 * when the request has left the tag stage.
 */
static bool
rop_control(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
            const struct sgt_rop_request *r, struct sgt_rop_entry *entry)
{
   struct sgt_cache_result result;

   path->tag = SGT_ROP_TAG_DRAIN;
   if (path->started || path->waiting || path->free_at > now)
      return false;
   entry->slot = SGT_ROP_NO_SLOT;
   if (r->kind == SGT_ROP_CLEAR) {
      sgt_rop_drop_tiles(path, r);
      const uint64_t tiles = sgt_rop_tiles_clear(&rop->tiles, r->address, r->mask);
      const uint64_t rate = (uint64_t)rop->params.partitions * rop->params.clear_tiles;
      path->stats.clears++;
      path->stats.cleared_tiles += tiles;
      path->occupied = SGT_ROP_CLEARING;
      path->free_at = now + MAX2(DIV_ROUND_UP(tiles, rate), 1) * rop->unit.clock->period;
   } else {
      path->tag = SGT_ROP_TAG_FLUSH;
      if (!path->flushed) {
         if (rop->out_num + SGT_ROP_TILE_LINES > rop->params.memory_queue)
            return false;
         if (sgt_cache_flush(&path->cache, &result)) {
            sgt_rop_write_back(rop, path, now, result.line, &result);
            path->stats.flushed_tiles++;
            return false;
         }
         path->flushed = true;
         path->flush_puts = rop->puts;
      }
      if (rop->puts - rop->out_num < path->flush_puts)
         return false;
      path->flushed = false;
      path->stats.flushes++;
      path->free_at = now;
   }
   return true;
}

/* Runs the tag stage: looks up the tile of the next request. */
static void
run_tags(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now)
{
   path->tag = SGT_ROP_TAG_IDLE;
   if (!path->queue_num)
      return;
   const struct sgt_rop_queued *queued = &path->queue[path->queue_head];
   const struct sgt_rop_request *r = &queued->request;
   struct sgt_rop_entry entry = { .request = *r, .queued = queued->since, .looked_up = now };
   const bool alone = r->kind == SGT_ROP_CLEAR || r->kind == SGT_ROP_FLUSH;
   if (alone) {
      if (!rop_control(rop, path, now, r, &entry))
         return;
   } else if (path->waiting == rop->params.waiting) {
      path->tag = SGT_ROP_TAG_FULL;
      return;
   } else if (rop->out_num + SGT_ROP_OUT_ROOM > rop->params.memory_queue) {
      path->tag = SGT_ROP_TAG_MEMORY;
      return;
   } else if (path->stalled || !sgt_rop_look_up(rop, path, now, r, &entry)) {
      path->tag = SGT_ROP_TAG_CACHE;
      path->stalled = true;
      return;
   }
   path->tag = alone && r->kind == SGT_ROP_FLUSH ? SGT_ROP_TAG_FLUSH : SGT_ROP_TAG_LOOKUP;
   count_request(&path->stats, r);
   path->stats.queue_wait += sgt_unit_cycles(&rop->unit, now - queued->since);
   path->queue_head = sgt_rop_wrap(path->queue_head + 1, rop->params.queue);
   path->queue_num--;
   if (alone) {
      if (rop->observer)
         rop->observer->rop_begin(rop->observer->data, now / rop->unit.clock->period, rop->client,
                                  r);
      entry.started = now;
      entry.done = MAX2(path->free_at, now + rop->unit.clock->period);
      path->exec = path->free_at > now ? path->occupied : path->exec;
   }
   path->entries[sgt_rop_wrap(path->head + path->started + path->waiting, rop->entries)] = entry;
   if (alone)
      path->started++;
   else
      path->waiting++;
   path->stats.waiting_max = MAX2(path->stats.waiting_max, path->waiting);
   path->stats.pipe_max = MAX2(path->stats.pipe_max, path->started);
}

/* -- execution ------------------------------------------------------------------------------- */

/* Completes the oldest started request if its latency has elapsed and its response can be sent. */
static void
rop_complete(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now)
{
   struct sgt_rop_entry *e = &path->entries[path->head];

   if (!path->started || e->done > now)
      return;
   if (e->request.flags & SGT_ROP_RESPOND) {
      if (!sgt_channel_can_send(rop->responses, now))
         return;
      sgt_channel_send(rop->responses, now,
                       &(struct sgt_rop_response){ e->request.tag, e->request.port });
      path->stats.responses++;
   }
   if (rop->observer)
      rop->observer->rop_end(rop->observer->data, sgt_unit_edge(&rop->unit), rop->client,
                             &e->request);
   if (e->slot != SGT_ROP_NO_SLOT) {
      path->slots[e->slot].busy--;
      sgt_cache_unlock(&path->cache, e->slot);
      path->stalled = false;
   }
   const uint64_t latency = sgt_unit_cycles(&rop->unit, now - e->queued);
   path->stats.latency += latency;
   path->stats.latencies[MIN2(sgt_log2_slot(latency), SGT_ROP_LATENCY_SLOTS - 1)]++;
   path->stats.pipe_wait += sgt_unit_cycles(&rop->unit, now - e->started);
   path->head = sgt_rop_wrap(path->head + 1, rop->entries);
   path->started--;
}

/* Returns true if a started request writes bytes that `e` reads. */
static bool
has_hazard(const struct sgt_rop *rop, const struct sgt_rop_path *path,
           const struct sgt_rop_entry *e)
{
   const struct sgt_rop_request *r = &e->request;

   if (!(r->flags & SGT_ROP_READS) || e->slot == SGT_ROP_NO_SLOT || !path->slots[e->slot].busy)
      return false;
   for (uint32_t i = 0; i < path->started; i++) {
      const struct sgt_rop_entry *other =
         &path->entries[sgt_rop_wrap(path->head + i, rop->entries)];
      if (other->slot == e->slot && other->request.address == r->address &&
          other->request.written & r->mask)
         return true;
   }
   return false;
}

/* Returns the number of cycles for which a request occupies its path. */
static unsigned
cycles_of(const struct sgt_rop *rop, const struct sgt_rop_request *r)
{
   const unsigned wide = DIV_ROUND_UP(r->bytes, rop->params.pixel_bytes);
   const unsigned width = wide <= 1 ? 0 : wide <= 2 ? 1 : wide <= 4 ? 2 : 3;
   const unsigned kind = r->flags & SGT_ROP_BLENDS ? 2 : r->flags & SGT_ROP_DOUBLE ? 1 : 0;

   return rop->cycles[kind][width][MIN2(r->quads, 16)];
}

/* Runs the execution stage: starts the next request if possible. */
static void
run_path(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now)
{
   const uint64_t period = rop->unit.clock->period;

   if (path->free_at > now) {
      path->exec = path->occupied;
      return;
   }
   if (!path->waiting) {
      path->exec = path->queue_num ? SGT_ROP_TAGS : SGT_ROP_IDLE;
      return;
   }
   struct sgt_rop_entry *e = &path->entries[sgt_rop_wrap(path->head + path->started, rop->entries)];
   if (e->sectors &&
       (path->slots[e->slot].missing & e->sectors || path->slots[e->slot].ready > now)) {
      path->exec = SGT_ROP_MEMORY;
      e->waited = true;
      return;
   }
   if (!rop->no_hazards && has_hazard(rop, path, e)) {
      path->exec = SGT_ROP_HAZARD;
      e->hazard = true;
      return;
   }
   if (path->started == rop->under_way) {
      path->exec = SGT_ROP_RESPONSE;
      return;
   }
   if (rop->observer)
      rop->observer->rop_begin(rop->observer->data, now / period, rop->client, &e->request);
   path->exec = path->occupied = SGT_ROP_BUSY;
   path->free_at = now + cycles_of(rop, &e->request) * period;
   e->started = now;
   e->done = path->free_at + rop->params.latency * period;
   path->stats.hazards += e->hazard;
   path->stats.memory_waits += e->waited;
   const uint64_t wait = sgt_unit_cycles(&rop->unit, now - e->looked_up);
   path->stats.memory_wait += e->waited ? wait : 0;
   path->stats.waiting_wait += wait;
   if (e->slot != SGT_ROP_NO_SLOT)
      path->slots[e->slot].busy++;
   path->started++;
   path->waiting--;
   path->stats.pipe_max = MAX2(path->stats.pipe_max, path->started);
}

/* Moves a request from the input channel to the queue of its path. */
static void
accept_request(struct sgt_rop *rop, uint64_t now)
{
   const struct sgt_rop_request *r = sgt_channel_peek(rop->requests, now);

   rop->input = SGT_ROP_PORT_IDLE;
   if (!r)
      return;
   const bool depth = r->kind == SGT_ROP_DEPTH || r->flags & SGT_ROP_TO_DEPTH;
   struct sgt_rop_path *path = &rop->paths[depth ? SGT_ROP_PATH_DEPTH : SGT_ROP_PATH_COLOR];
   rop->input = SGT_ROP_PORT_BLOCKED;
   if (path->queue_num == rop->params.queue)
      return;
   path->queue[sgt_rop_wrap(path->queue_head + path->queue_num++, rop->params.queue)] =
      (struct sgt_rop_queued){ .request = *r, .since = now };
   path->stats.queue_max = MAX2(path->stats.queue_max, path->queue_num);
   sgt_channel_take(rop->requests, now);
   rop->input = SGT_ROP_PORT_MOVES;
}

/* -- the unit -------------------------------------------------------------------------------- */

static bool
is_empty(const struct sgt_rop_path *path)
{
   return !(path->queue_num | path->waiting | path->started);
}

/* Adds the cycles between rop->since and `now` to the counters of the current states. */
static void
rop_account(struct sgt_rop *rop, uint64_t now)
{
   const uint64_t period = rop->unit.clock->period, time = now - rop->since;

   if (!time)
      return;
   const uint64_t cycles = time == period ? 1 : sgt_unit_cycles(&rop->unit, time);
   if (!cycles)
      return;
   struct sgt_rop_stats *s = &rop->stats;
   s->cycles += cycles;
   s->input[rop->input] += cycles;
   /* Each call sends at most one request to memory, so the memory port is only busy for one cycle.
    * The next request is sent by another call.
    */
   s->output[rop->output] += rop->output == SGT_ROP_PORT_MOVES ? 1 : cycles;
   if (rop->output == SGT_ROP_PORT_MOVES) {
      rop->output = SGT_ROP_PORT_IDLE;
      s->output[SGT_ROP_PORT_IDLE] += cycles - 1;
   }
   s->output_occupancy += cycles * rop->out_num;
   s->both_busy += rop->paths[0].exec == SGT_ROP_BUSY && rop->paths[1].exec == SGT_ROP_BUSY ? cycles
                                                                                            : 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      struct sgt_rop_path *path = &rop->paths[i];
      path->stats.exec[path->exec] += cycles;
      path->stats.tag[path->tag] += cycles;
      if (is_empty(path))
         continue;
      path->stats.queue_occupancy += cycles * path->queue_num;
      path->stats.waiting_occupancy += cycles * path->waiting;
      path->stats.pipe_occupancy += cycles * path->started;
   }
   rop->since += cycles * period;
}

/* Returns the next time at which a path can make progress without an external event, or SGT_NEVER.
 * The scheduler calls the unit earlier if a memory response or a request arrives, or if a channel
 * has room again.
 */
static uint64_t
path_next(const struct sgt_rop *rop, const struct sgt_rop_path *path, uint64_t now)
{
   const uint64_t soon = now + rop->unit.clock->period;
   uint64_t next = path->free_at > now ? path->free_at : SGT_NEVER;

   if (path->tag == SGT_ROP_TAG_LOOKUP || path->tag == SGT_ROP_TAG_FLUSH)
      return soon;
   /* If the oldest request is already done, it waits for room in the response channel, or for the
    * next cycle.
    */
   if (path->started)
      next = MIN2(next, MAX2(path->entries[path->head].done, soon));
   if (path->exec == SGT_ROP_MEMORY) {
      const struct sgt_rop_entry *e =
         &path->entries[sgt_rop_wrap(path->head + path->started, rop->entries)];
      if (path->slots[e->slot].ready > now)
         next = MIN2(next, path->slots[e->slot].ready);
   }
   return next;
}

static uint64_t
rop_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_rop *rop = container_of(unit, struct sgt_rop, unit);

   rop_account(rop, now);
   sgt_rop_send_out(rop, now);
   sgt_rop_take_fill(rop, now);
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      struct sgt_rop_path *path = &rop->paths[i];
      if (is_empty(path)) {
         path->exec = path->free_at > now ? path->occupied : SGT_ROP_IDLE;
         path->tag = SGT_ROP_TAG_IDLE;
         continue;
      }
      rop_complete(rop, path, now);
      run_path(rop, path, now);
      run_tags(rop, path, now);
   }
   accept_request(rop, now);

   if (rop->input == SGT_ROP_PORT_MOVES || (rop->out_num && rop->output != SGT_ROP_PORT_BLOCKED) ||
       sgt_channel_peek(rop->fills, now))
      return now + unit->clock->period;
   uint64_t next = SGT_NEVER;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++)
      next = MIN2(next, path_next(rop, &rop->paths[i], now));
   return next;
}

static bool
init_path(struct sgt_rop *rop, struct sgt_rop_path *path, bool depth)
{
   const struct sgt_rop_params *p = &rop->params;
   const struct sgt_cache_params cache = {
      .line_bytes = SGT_ROP_TILE_BYTES,
      .sets = p->cache_sets,
      .ways = p->cache_ways,
      .mshrs = p->mshrs,
      .replace = SGT_CACHE_LRU,
      .writes = SGT_CACHE_BACK_BYTES,
   };

   path->depth = depth;
   path->exec = SGT_ROP_IDLE;
   path->tag = SGT_ROP_TAG_IDLE;
   path->slots = calloc(p->cache_sets * p->cache_ways, sizeof(*path->slots));
   path->queue = calloc(p->queue, sizeof(*path->queue));
   path->entries = calloc(rop->entries, sizeof(*path->entries));
   if (!path->slots || !path->queue || !path->entries || !sgt_cache_init(&path->cache, &cache))
      return false;
   for (uint32_t i = 0; i < p->cache_sets * p->cache_ways; i++)
      path->slots[i].address = SGT_ROP_NO_TILE;
   return true;
}

bool
sgt_rop_init(struct sgt_rop *rop, struct sgt_sched *sched, const struct sgt_clock *clock,
             const struct sgt_rop_params *p, uint16_t client)
{
   *rop = (struct sgt_rop){
      .unit = { .name = "rop", .clock = clock, .tick = rop_tick },
      .params = *p,
      .client = client,
      .under_way = p->latency + 2, /* at most one request starts per cycle */
      .entries = p->waiting + p->latency + 2,
      .input = SGT_ROP_PORT_IDLE,
      .output = SGT_ROP_PORT_IDLE,
   };
   const uint32_t rates[3] = { p->pixels, p->depth_pixels, p->blend_pixels };
   for (unsigned kind = 0; kind < 3; kind++) {
      for (unsigned width = 0; width < 4; width++) {
         for (unsigned quads = 0; quads <= 16; quads++)
            rop->cycles[kind][width][quads] = MAX2(DIV_ROUND_UP((quads * 4) << width, rates[kind]),
                                                   1);
      }
   }
   rop->out = calloc(p->memory_queue, sizeof(*rop->out));
   bool ok = rop->out && sgt_rop_tiles_init(&rop->tiles);
   for (unsigned i = 0; ok && i < SGT_ROP_PATHS; i++)
      ok = init_path(rop, &rop->paths[i], i == SGT_ROP_PATH_DEPTH);
   ok = ok && sgt_sched_add(sched, &rop->unit, 0);
   if (!ok)
      sgt_rop_finish(rop);
   return ok;
}

void
sgt_rop_finish(struct sgt_rop *rop)
{
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      struct sgt_rop_path *path = &rop->paths[i];
      sgt_cache_finish(&path->cache);
      free(path->slots);
      free(path->queue);
      free(path->entries);
      path->slots = NULL;
      path->queue = NULL;
      path->entries = NULL;
   }
   sgt_rop_tiles_finish(&rop->tiles);
   free(rop->out);
   rop->out = NULL;
}

bool
sgt_rop_idle(const struct sgt_rop *rop)
{
   bool idle = !rop->out_num;

   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path *path = &rop->paths[i];
      idle &= !path->queue_num && !path->waiting && !path->started;
      idle &= sgt_cache_idle(&path->cache);
   }
   return idle;
}

bool
sgt_rop_out_of_memory(const struct sgt_rop *rop)
{
   return rop->tiles.out_of_memory;
}

void
sgt_rop_end(struct sgt_rop *rop, uint64_t now)
{
   rop_account(rop, now);
}

void
sgt_rop_dump(const struct sgt_rop *rop, uint32_t number, struct sgt_dump *d)
{
   sgt_dump_unit(d, rop->unit.clock, "rop", number);
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path *path = &rop->paths[i];
      sgt_dump_state(d, path->depth ? "depth" : "color",
                     sgt_rop_path_stats_states_names[path->exec]);
      sgt_dump_state(d, path->depth ? "depth tags" : "color tags",
                     sgt_rop_path_stats_tag_states_names[path->tag]);
   }
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path *path = &rop->paths[i];
      sgt_dump_queue(d, path->depth ? "depth queue" : "color queue", path->queue_num,
                     rop->params.queue);
      if (path->queue_num)
         sgt_dump_oldest(d, path->queue[path->queue_head].since);
      sgt_dump_queue(d, path->depth ? "depth behind tags" : "color behind tags", path->waiting,
                     rop->params.waiting);
      sgt_dump_queue(d, path->depth ? "depth started" : "color started", path->started,
                     rop->under_way);
      if (path->waiting || path->started)
         sgt_dump_oldest(d, path->entries[path->head].queued);
      sgt_dump_queue(d, path->depth ? "depth tiles on their way" : "color tiles on their way",
                     path->cache.params.mshrs - path->cache.num_free_mshrs,
                     path->cache.params.mshrs);
   }
   sgt_dump_queue(d, "requests to memory", rop->out_num, rop->params.memory_queue);
   if (rop->out_num)
      sgt_dump_oldest(d, rop->out[rop->out_head].since);
   sgt_dump_channel(d, "requests", rop->requests);
   sgt_dump_channel(d, "fills", rop->fills);
}
