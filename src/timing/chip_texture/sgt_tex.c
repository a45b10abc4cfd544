/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: addresses, tags, latency FIFO and filters.
 *
 * In each cycle, the stages run in reverse order, so that a quad advances by at most one stage.
 */
#include "chip_texture/sgt_tex.h"

#include <assert.h>
#include <stdlib.h>

#include "chip_memory/sgt_chip_observer.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"
#include "util/u_math.h"

#define LINE 64
#define NO_LINE UINT64_MAX

static uint32_t
tex_wrap(uint32_t index, uint32_t size)
{
   return index < size ? index : index - size;
}

static uint64_t
cycles_between(const struct sgt_tex *tex, uint64_t from, uint64_t to)
{
   return sgt_unit_cycles(&tex->unit, to - from);
}

static unsigned
slot_of(uint64_t value)
{
   return MIN2(sgt_log2_slot(value), SGT_TEX_SLOTS - 1);
}

/* -- memory -------------------------------------------------------------------------------- */

static void
send_out(struct sgt_tex *tex, uint64_t now)
{
   tex->output = SGT_TEX_PORT_IDLE;
   if (!tex->out_num)
      return;
   tex->output = SGT_TEX_PORT_BLOCKED;
   if (!sgt_channel_can_send(tex->memory, now))
      return;
   const struct sgt_tex_out *out = &tex->out[tex->out_head];
   tex->stats.out_wait += cycles_between(tex, out->since, now);
   sgt_channel_send(tex->memory, now, &out->request);
   tex->out_head = tex_wrap(tex->out_head + 1, tex->params.memory_queue);
   tex->out_num--;
   tex->output = SGT_TEX_PORT_MOVES;
}

/* Accepts a response from memory. Lines can arrive in any order, so `arrived` only advances up to
 * the oldest line that is still missing.
 */
static void
take_fill(struct sgt_tex *tex, uint64_t now)
{
   const struct sgt_mem_response *m = sgt_channel_peek(tex->fetched, now);
   if (!m)
      return;
   struct sgt_tex_fill *fill = &tex->fills[m->tag];
   assert(fill->left);
   tex->stats.fills++;
   if (!--fill->left) {
      const uint64_t latency = cycles_between(tex, fill->since, now);
      tex->stats.filled_lines++;
      tex->stats.memory_latency += latency;
      tex->stats.memory_latencies[slot_of(latency)]++;
      tex->stats.out_of_order += m->tag != (tex->arrived + 1) % tex->params.fills;
   }
   while (tex->arrived < tex->issued && !tex->fills[(tex->arrived + 1) % tex->params.fills].left)
      tex->arrived++;
   sgt_channel_take(tex->fetched, now);
}

/* Requests a line from memory. The caller must have checked that `fills` and the queue to memory
 * have room.
 */
static void
tex_fetch(struct sgt_tex *tex, uint64_t now, uint64_t line)
{
   const uint64_t address = line << tex->line_shift;
   const uint32_t slot = ++tex->issued % tex->params.fills;
   const uint32_t num = tex->params.line_bytes / LINE;

   tex->fills[slot] = (struct sgt_tex_fill){ .since = now, .address = address, .left = num };
   for (uint32_t i = 0; i < num; i++) {
      tex->out[tex_wrap(tex->out_head + tex->out_num++, tex->params.memory_queue)] =
         (struct sgt_tex_out){
            .request = {
               .address = address + i * LINE,
               .tag = slot,
               .client = tex->client,
               .kind = SGT_MEM_READ,
               .sectors = 3,
            },
            .since = now,
         };
   }
   tex->stats.memory_reads += num;
   tex->stats.out_max = MAX2(tex->stats.out_max, tex->out_num);
   tex->stats.fills_max = MAX2(tex->stats.fills_max, tex->issued - tex->used);
}

/* -- responses ------------------------------------------------------------------------------ */

static void
tex_respond(struct sgt_tex *tex, uint64_t now)
{
   const struct sgt_tex_done *d = &tex->pipe[tex->pipe_head];
   if (!tex->pipe_num || d->done > now)
      return;
   struct sgt_channel *to = tex->responses[d->sm - tex->first_sm];
   if (!sgt_channel_can_send(to, now))
      return;
   sgt_channel_send(to, now, &(struct sgt_tex_response){ .tag = d->tag, .sm = d->sm });
   if (tex->observer)
      tex->observer->texture(tex->observer->data, now / tex->unit.clock->period, tex->client,
                             d->access);
   const uint64_t latency = cycles_between(tex, d->taken, now);
   tex->stats.responses++;
   tex->stats.latency += latency;
   tex->stats.latencies[slot_of(latency)]++;
   tex->stats.hit_latency += d->missed ? 0 : latency;
   tex->stats.hit_accesses += !d->missed;
   tex->stats.missing_accesses += d->missed;
   tex->stats.pipe_wait += cycles_between(tex, d->since, now);
   tex->pipe_head = tex_wrap(tex->pipe_head + 1, tex->pipe_size);
   tex->pipe_num--;
}

/* -- filters -------------------------------------------------------------------------------- */

static void
run_filters(struct sgt_tex *tex, uint64_t now)
{
   const uint64_t period = tex->unit.clock->period;
   if (tex->filters_free > now)
      return;
   if (!tex->fifo_num) {
      tex->filter = tex->active ? SGT_TEX_FILTER_STARVED : SGT_TEX_FILTER_IDLE;
      return;
   }
   struct sgt_tex_quad *q = &tex->fifo[tex->fifo_head];
   if (q->fill > tex->arrived) {
      tex->filter = SGT_TEX_FILTER_MEMORY;
      tex->stats.memory_waits += !q->waited;
      q->waited = true;
      return;
   }
   if (q->last && tex->pipe_num == tex->pipe_size) {
      tex->filter = SGT_TEX_FILTER_RESPONSE;
      return;
   }
   tex->filter = SGT_TEX_FILTER_BUSY;
   tex->filters_free = now + q->cycles * period;
   /* Move the lines to the data RAM of the cache, which frees their entries in fills[]. */
   while (tex->used < q->fill) {
      tex->used++;
      tex->stats.fills_wait += cycles_between(tex, tex->fills[tex->used % tex->params.fills].since,
                                              now);
   }
   const uint64_t wait = cycles_between(tex, q->since, now);
   tex->stats.fifo_wait += wait;
   tex->stats.memory_wait += q->waited ? wait : 0;
   if (q->last) {
      tex->pipe[tex_wrap(tex->pipe_head + tex->pipe_num++, tex->pipe_size)] = (struct sgt_tex_done){
         .done = tex->filters_free + tex->params.latency * period,
         .since = now,
         .taken = q->taken,
         .tag = q->tag,
         .access = q->access,
         .sm = q->sm,
         .missed = q->missed,
      };
      tex->stats.pipe_max = MAX2(tex->stats.pipe_max, tex->pipe_num);
   }
   tex->fifo_head = tex_wrap(tex->fifo_head + 1, tex->params.fifo);
   tex->fifo_num--;
}

/* -- addresses and tags --------------------------------------------------------------------- */

static uint32_t
quad_samples(const struct sgt_tex *tex)
{
   return tex->samples + (tex->quad < tex->extra);
}

/* Starts the current quad, and sets tex->quad_end to the end of its lines. */
static void
begin_quad(struct sgt_tex *tex, uint64_t now)
{
   /* Each address generator produces the addresses of params.filters / params.addresses samples per
    * cycle. With two samples, 2:1 anisotropic filtering runs at full rate.
    */
   const uint32_t places = MAX2(DIV_ROUND_UP(4, tex->params.addresses),
                                DIV_ROUND_UP(quad_samples(tex), tex->params.filters));

   tex->quad_end = tex->line;
   while (tex->quad_end != tex->end && sgt_line_quad(*tex->quad_end) == sgt_line_quad(*tex->line))
      tex->quad_end++;
   tex->latest_line = NO_LINE;
   tex->quad_lookups = 0;
   tex->quad_fill = 0;
   tex->quad_missed = false;
   tex->leaves = now + (places - 1) * tex->unit.clock->period;
   tex->stats.address_cycles += places;
   tex->stats.lines += tex->quad_end - tex->line;
}

static void
take_request(struct sgt_tex *tex, uint64_t now)
{
   tex->input = SGT_TEX_PORT_IDLE;
   for (uint32_t i = 0; i < tex->num_sms; i++) {
      const uint32_t sm = tex_wrap(tex->next_sm + i, tex->num_sms);
      const struct sgt_tex_request *r = sgt_channel_peek(tex->requests[sm], now);
      if (!r)
         continue;
      tex->input = SGT_TEX_PORT_BLOCKED;
      if (tex->active)
         return;
      for (uint32_t k = i + 1; k < tex->num_sms; k++) {
         if (sgt_channel_peek(tex->requests[tex_wrap(tex->next_sm + k, tex->num_sms)], now)) {
            tex->stats.contended++;
            break;
         }
      }
      tex->request = *r;
      sgt_channel_take(tex->requests[sm], now);
      tex->next_sm = tex_wrap(sm + 1, tex->num_sms);
      tex->input = SGT_TEX_PORT_MOVES;
      tex->stats.by_sm[sm]++;
      break;
   }
   if (tex->input != SGT_TEX_PORT_MOVES)
      return;

   const struct sgt_access *a = &tex->work->accesses[tex->request.access];
   assert(tex->request.access < tex->work->num_accesses && a->kind == SGT_ACCESS_TEXTURE);
   tex->active = true;
   tex->taken = now;
   tex->line = tex->work->lines + a->first_line;
   tex->end = tex->line + a->num_lines;
   uint32_t groups = a->num_lines != 0;
   for (const sgt_line *l = tex->line + 1; l < tex->end; l++)
      groups += sgt_line_quad(l[0]) != sgt_line_quad(l[-1]);
   tex->quads = MAX3(DIV_ROUND_UP(a->lanes, 4), groups, 1);
   tex->quad = 0;
   tex->samples = a->work / tex->quads;
   tex->extra = a->work % tex->quads;
   tex->width = util_next_power_of_two(DIV_ROUND_UP(MAX2(a->bytes, 1), tex->params.texel_bytes));
   tex->missed = false;
   struct sgt_tex_stats *s = &tex->stats;
   s->requests++;
   s->lanes += a->lanes;
   s->quads += tex->quads;
   s->by_width[MIN2(util_logbase2(tex->width), SGT_TEX_WIDTHS - 1)] += tex->quads;
   s->samples += a->work;
   s->full_rate += tex->width == 1 ? a->work : 0;
   s->wide += tex->width == 1 ? 0 : a->work;
   s->bytes += (uint64_t)a->work * 4 * a->bytes;
   s->queries += !a->work;
   begin_quad(tex, now);
}

/* Called if a quad needs more than params.fills lines. Passes the lines that have been looked up so
 * far to the filters as a separate part of the quad.
 */
static void
end_part(struct sgt_tex *tex, uint64_t now)
{
   if (tex->quad_fill <= tex->used || tex->fifo_num == tex->params.fifo)
      return;
   tex->fifo[tex_wrap(tex->fifo_head + tex->fifo_num++, tex->params.fifo)] = (struct sgt_tex_quad){
      .fill = tex->quad_fill,
      .since = now,
      .cycles = 1,
   };
   tex->quad_fill = 0;
   tex->stats.parts++;
   tex->stats.filter_cycles++;
   tex->stats.fifo_max = MAX2(tex->stats.fifo_max, tex->fifo_num);
}

/* Looks up a line in the tags, and requests the line from memory if it misses. Returns false if the
 * request must wait.
 */
static bool
look_up(struct sgt_tex *tex, uint64_t now, uint64_t line)
{
   const uint32_t tag = sgt_tags_find(&tex->tags, line);

   if (tag != SGT_TAGS_NONE) {
      const uint64_t fill = tex->tag_fills[tag];
      tex->stats.outcomes[fill > tex->arrived ? SGT_TEX_PENDING : SGT_TEX_HIT]++;
      tex->quad_fill = MAX2(tex->quad_fill, fill);
   } else {
      if (tex->issued - tex->used == tex->params.fills) {
         end_part(tex, now);
         tex->front = SGT_TEX_FRONT_FILLS;
         return false;
      }
      if (tex->out_num + tex->params.line_bytes / LINE > tex->params.memory_queue) {
         tex->front = SGT_TEX_FRONT_MEMORY;
         return false;
      }
      tex_fetch(tex, now, line);
      bool evicts;
      tex->tag_fills[sgt_tags_insert(&tex->tags, line, &evicts)] = tex->issued;
      tex->stats.evictions += evicts;
      tex->stats.outcomes[SGT_TEX_MISS]++;
      tex->quad_fill = tex->issued;
      tex->quad_missed = tex->missed = true;
   }
   tex->stats.lookups++;
   tex->quad_lookups++;
   tex->latest_line = line;
   return true;
}

static void
end_quad(struct sgt_tex *tex, uint64_t now)
{
   const uint32_t samples = quad_samples(tex), slots = samples * tex->width;
   const uint32_t cycles = MAX2(DIV_ROUND_UP(slots, tex->params.filters), 1);
   struct sgt_tex_stats *s = &tex->stats;

   tex->fifo[tex_wrap(tex->fifo_head + tex->fifo_num++, tex->params.fifo)] = (struct sgt_tex_quad){
      .fill = tex->quad_fill,
      .since = now,
      .cycles = cycles,
      .last = tex->quad + 1 == tex->quads,
      .missed = tex->missed,
      .sm = tex->request.sm,
      .tag = tex->request.tag,
      .access = tex->request.access,
      .taken = tex->taken,
   };
   s->filter_cycles += cycles;
   s->anisotropic += samples > 8;
   s->missing_quads += tex->quad_missed;
   s->sample_bound += cycles > 1;
   s->lookup_bound += tex->quad_lookups > tex->params.lookups;
   s->samples_per_quad[slot_of(samples)]++;
   s->lookups_per_quad[slot_of(tex->quad_lookups)]++;
   s->fifo_max = MAX2(s->fifo_max, tex->fifo_num);
}

static void
run_front(struct sgt_tex *tex, uint64_t now)
{
   tex->front = SGT_TEX_FRONT_IDLE;
   take_request(tex, now);
   if (!tex->active)
      return;
   tex->front = SGT_TEX_FRONT_BUSY;
   for (uint32_t left = tex->params.lookups; tex->line != tex->quad_end;) {
      const uint64_t line = sgt_line_address(*tex->line) >> tex->line_shift;
      if (line != tex->latest_line) {
         if (!left--)
            return;
         if (!look_up(tex, now, line))
            return;
      }
      tex->line++;
   }
   if (tex->leaves > now)
      return;
   if (tex->fifo_num == tex->params.fifo) {
      tex->front = SGT_TEX_FRONT_FULL;
      return;
   }
   end_quad(tex, now);
   if (++tex->quad == tex->quads)
      tex->active = false;
   else
      begin_quad(tex, now + tex->unit.clock->period);
}

/* -- the unit ------------------------------------------------------------------------------- */

/* Adds the states between tex->since and `now` to the statistics. */
static void
tex_account(struct sgt_tex *tex, uint64_t now)
{
   const uint64_t period = tex->unit.clock->period, time = now - tex->since;

   if (!time)
      return;
   const uint64_t cycles = time == period ? 1 : sgt_unit_cycles(&tex->unit, time);
   if (!cycles)
      return;
   struct sgt_tex_stats *s = &tex->stats;
   s->cycles += cycles;
   s->front[tex->front] += cycles;
   s->filter[tex->filter] += cycles;
   s->input[tex->input] += cycles;
   /* A request takes one cycle to send. If more requests are queued, the scheduler calls the unit
    * again in the next cycle.
    */
   s->output[tex->output] += tex->output == SGT_TEX_PORT_MOVES ? 1 : cycles;
   if (tex->output == SGT_TEX_PORT_MOVES) {
      tex->output = SGT_TEX_PORT_IDLE;
      s->output[SGT_TEX_PORT_IDLE] += cycles - 1;
   }
   s->fifo_occupancy += cycles * tex->fifo_num;
   s->fills_occupancy += cycles * (tex->issued - tex->used);
   s->pipe_occupancy += cycles * tex->pipe_num;
   s->out_occupancy += cycles * tex->out_num;
   tex->since += cycles * period;
}

/* Returns the time of the next call of the unit, or SGT_NEVER. The scheduler also calls the unit
 * when a request or a memory response arrives, or when a channel has room again.
 */
static uint64_t
next_call(const struct sgt_tex *tex, uint64_t now)
{
   const uint64_t soon = now + tex->unit.clock->period;
   uint64_t next = SGT_NEVER;

   if (tex->front == SGT_TEX_FRONT_BUSY || tex->input == SGT_TEX_PORT_MOVES ||
       (tex->out_num && tex->output != SGT_TEX_PORT_BLOCKED) || sgt_channel_peek(tex->fetched, now))
      return soon;
   if (tex->filters_free > now)
      next = tex->filters_free;
   /* A completed access that is still in the pipeline waits for room in its channel, or for the
    * next cycle.
    */
   if (tex->pipe_num)
      next = MIN2(next, MAX2(tex->pipe[tex->pipe_head].done, soon));
   return next;
}

static uint64_t
tex_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_tex *tex = container_of(unit, struct sgt_tex, unit);

   tex_account(tex, now);
   send_out(tex, now);
   take_fill(tex, now);
   tex_respond(tex, now);
   run_filters(tex, now);
   run_front(tex, now);
   return next_call(tex, now);
}

bool
sgt_tex_init(struct sgt_tex *tex, struct sgt_sched *sched, const struct sgt_clock *clock,
             const struct sgt_tex_params *p, const struct sgt_work *work, uint16_t first_sm,
             uint32_t num_sms, uint16_t client)
{
   assert(num_sms && num_sms <= SGT_TEX_MAX_SMS);
   *tex = (struct sgt_tex){
      .unit = { .name = "texture", .clock = clock, .tick = tex_tick },
      .params = *p,
      .work = work,
      .num_sms = num_sms,
      .first_sm = first_sm,
      .client = client,
      .line_shift = util_logbase2(p->line_bytes),
      .pipe_size = p->latency + 2, /* at most one access enters the pipeline per cycle */
      .front = SGT_TEX_FRONT_IDLE,
      .filter = SGT_TEX_FILTER_IDLE,
      .input = SGT_TEX_PORT_IDLE,
      .output = SGT_TEX_PORT_IDLE,
   };
   tex->fifo = calloc(p->fifo, sizeof(*tex->fifo));
   tex->fills = calloc(p->fills, sizeof(*tex->fills));
   tex->pipe = calloc(tex->pipe_size, sizeof(*tex->pipe));
   tex->out = calloc(p->memory_queue, sizeof(*tex->out));
   tex->tag_fills = calloc((size_t)p->sets * p->ways, sizeof(*tex->tag_fills));
   if (tex->fifo && tex->fills && tex->pipe && tex->out && tex->tag_fills &&
       sgt_tags_init(&tex->tags, p->sets, p->ways) && sgt_sched_add(sched, &tex->unit, 0))
      return true;
   sgt_tex_finish(tex);
   return false;
}

void
sgt_tex_finish(struct sgt_tex *tex)
{
   sgt_tags_finish(&tex->tags);
   free(tex->tag_fills);
   free(tex->fifo);
   free(tex->fills);
   free(tex->pipe);
   free(tex->out);
   tex->tag_fills = NULL;
   tex->fifo = NULL;
   tex->fills = NULL;
   tex->pipe = NULL;
   tex->out = NULL;
}

bool
sgt_tex_idle(const struct sgt_tex *tex)
{
   return !tex->active && !tex->fifo_num && !tex->pipe_num && !tex->out_num &&
          tex->used == tex->issued;
}

void
sgt_tex_invalidate(struct sgt_tex *tex)
{
   assert(sgt_tex_idle(tex));
   sgt_tags_invalidate(&tex->tags);
   tex->stats.invalidations++;
}

void
sgt_tex_end(struct sgt_tex *tex, uint64_t now)
{
   tex_account(tex, now);
}

void
sgt_tex_register(const struct sgt_tex *tex, struct sgt_stats *s, const char *unit)
{
   sgt_tex_stats_register(&tex->stats, tex->num_sms, s, unit);
}

void
sgt_tex_dump(const struct sgt_tex *tex, uint32_t number, struct sgt_dump *d)
{
   sgt_dump_unit(d, tex->unit.clock, "tex", number);
   sgt_dump_state(d, "front", sgt_tex_stats_front_names[tex->front]);
   sgt_dump_state(d, "filters", sgt_tex_stats_filters_names[tex->filter]);
   sgt_dump_queue(d, "accesses at the tags", tex->active, 0);
   sgt_dump_oldest(d, tex->taken);
   sgt_dump_queue(d, "quads in the FIFO", tex->fifo_num, tex->params.fifo);
   if (tex->fifo_num)
      sgt_dump_oldest(d, tex->fifo[tex->fifo_head].since);
   sgt_dump_queue(d, "lines on their way or not used", tex->issued - tex->used, tex->params.fills);
   if (tex->issued != tex->used)
      sgt_dump_oldest(d, tex->fills[(tex->used + 1) % tex->params.fills].since);
   sgt_dump_queue(d, "accesses behind the filters", tex->pipe_num, tex->pipe_size);
   if (tex->pipe_num)
      sgt_dump_oldest(d, tex->pipe[tex->pipe_head].since);
   sgt_dump_queue(d, "requests to memory", tex->out_num, tex->params.memory_queue);
   if (tex->out_num)
      sgt_dump_oldest(d, tex->out[tex->out_head].since);
   for (uint32_t i = 0; i < tex->num_sms; i++)
      sgt_dump_channel(d, "requests of a SM", tex->requests[i]);
   sgt_dump_channel(d, "fetched lines", tex->fetched);
}
