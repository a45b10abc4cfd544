/* SPDX-License-Identifier: MIT */
/*
 * The multi-threaded core, the output buffers and the next pipeline stage.
 *
 * A thread executes one vertex from start to end. It issues an instruction as soon as the result of
 * the previous instruction is available. The other threads hide this latency, so programs don't
 * need to be scheduled for it.
 */
#include "nv20/sgt_vcore.h"

#include <assert.h>

#include "kernel/sgt_dump.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
sgt_vcore_charge(struct sgt_vcore *c, uint64_t now)
{
   struct sgt_nv20_result *r = c->shared->result;

   r->active[util_bitcount64(c->active)] += now - c->from;
   r->reserved[c->shared->params->output_buffers - c->outputs_free] += now - c->from;
   sgt_nv20_charge(r->core, c->state, &c->from, now);
}

/* Completes the instructions whose results become available in this cycle. */
static void
vcore_complete(struct sgt_vcore *c, uint64_t now)
{
   while (c->num_pipe && c->pipe[c->first_pipe].at <= now) {
      const uint32_t i = c->pipe[c->first_pipe].thread;
      const struct sgt_vcore_thread *t = &c->threads[i];
      c->first_pipe = c->first_pipe + 1 == SGT_NV20_MAX_LATENCY ? 0 : c->first_pipe + 1;
      c->num_pipe--;
      if (t->left) {
         c->ready |= 1ull << i;
         continue;
      }
      const struct sgt_vcore_done m = { t->vertex, t->output };
      sgt_nv20_times_of(c->shared, t->vertex)->ended = now;
      sgt_channel_send(c->out, now, &m);
      c->active &= ~(1ull << i);
   }
}

/* Starts the next vertex on an idle thread. At most one vertex starts per cycle. If no vertex can
 * start, returns the reason, which becomes the state of the issue slot unless a thread issues an
 * instruction.
 */
static enum sgt_vcore_state
vcore_start(struct sgt_vcore *c, uint64_t now)
{
   const struct sgt_nv20_params *p = c->shared->params;
   const struct sgt_vertex_stream *stream = c->shared->stream;
   const uint64_t idle = ~c->active & (~0ull >> (64 - p->threads));
   const struct sgt_vab_filled *m;

   if (!idle)
      return SGT_VCORE_LATENCY;
   if (c->started == stream->num_vertices)
      return SGT_VCORE_DRAIN;
   m = sgt_channel_peek(c->in, now);
   if (!m)
      return SGT_VCORE_INPUT;
   const struct sgt_vertex *v = &stream->vertices[m->vertex];
   if (p->flush && c->active && v->program != c->program) {
      c->shared->result->flushes += !c->waits_flush;
      c->waits_flush = true;
      return SGT_VCORE_PROGRAM;
   }
   if (!c->outputs_free)
      return SGT_VCORE_OUTPUT;
   const uint32_t i = ffsll(idle) - 1;
   c->threads[i] = (struct sgt_vcore_thread){
      .vertex = m->vertex,
      .input = m->buffer,
      .output = c->next_output,
      .left = v->instructions,
   };
   sgt_nv20_times_of(c->shared, m->vertex)->started = now;
   c->next_output = c->next_output + 1 == p->output_buffers ? 0 : c->next_output + 1;
   c->outputs_free--;
   c->active |= 1ull << i;
   c->ready |= 1ull << i;
   c->program = v->program;
   c->waits_flush = false;
   c->started++;
   sgt_channel_take(c->in, now);
   return SGT_VCORE_ISSUE;
}

static uint32_t
select_thread(const struct sgt_vcore *c)
{
   if (c->shared->params->select == SGT_NV20_ROTATE) {
      const uint64_t after = c->latest == 63 ? 0 : c->ready & (~0ull << (c->latest + 1));
      return ffsll(after ? after : c->ready) - 1;
   }
   uint32_t best = ffsll(c->ready) - 1;
   u_foreach_bit64(i, c->ready) {
      if (c->threads[i].vertex < c->threads[best].vertex)
         best = i;
   }
   return best;
}

static void
vcore_issue(struct sgt_vcore *c, uint64_t now)
{
   const uint32_t i = select_thread(c);
   struct sgt_vcore_thread *t = &c->threads[i];
   const uint32_t end = (c->first_pipe + c->num_pipe) % SGT_NV20_MAX_LATENCY;

   assert(c->num_pipe < SGT_NV20_MAX_LATENCY);
   c->pipe[end].at = now + c->shared->params->latency;
   c->pipe[end].thread = i;
   c->num_pipe++;
   c->ready &= ~(1ull << i);
   c->latest = i;
   c->shared->result->issued[i]++;
   c->shared->result->instructions++;
   /* Instructions read their operands at issue. The input buffer is therefore free after the last
    * instruction has been issued.
    */
   if (!--t->left) {
      const struct sgt_vab_free m = { t->input };
      sgt_channel_send(c->freed_inputs, now, &m);
   }
}

static uint64_t
core_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_vcore *c = container_of(unit, struct sgt_vcore, unit);

   sgt_vcore_charge(c, now);
   while (sgt_channel_peek(c->freed_outputs, now)) {
      c->outputs_free++;
      sgt_channel_take(c->freed_outputs, now);
   }
   vcore_complete(c, now);
   c->state = vcore_start(c, now);
   if (c->ready) {
      vcore_issue(c, now);
      c->state = SGT_VCORE_ISSUE;
      return now + 1;
   }
   return c->num_pipe ? c->pipe[c->first_pipe].at : SGT_NEVER;
}

void
sgt_vcore_init(struct sgt_vcore *c, struct sgt_nv20_shared *shared, const struct sgt_clock *clock)
{
   *c = (struct sgt_vcore){
      .unit = { .name = "core", .clock = clock, .tick = core_tick },
      .shared = shared,
      .latest = 63,
      .outputs_free = shared->params->output_buffers,
      .state = SGT_VCORE_INPUT,
   };
}

void
sgt_vout_charge(struct sgt_vout *o, uint64_t now)
{
   sgt_nv20_charge(o->shared->result->out, o->state, &o->from, now);
}

static uint64_t
out_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_vout *o = container_of(unit, struct sgt_vout, unit);
   const struct sgt_nv20_params *p = o->shared->params;
   const struct sgt_vertex_stream *stream = o->shared->stream;
   const struct sgt_vcore_done *done;

   sgt_vout_charge(o, now);
   while ((done = sgt_channel_peek(o->in, now)) != NULL) {
      o->done |= 1ull << done->buffer;
      sgt_channel_take(o->in, now);
   }
   if (!(o->done >> o->head & 1)) {
      o->state = o->done ? SGT_VOUT_ORDER : SGT_VOUT_IDLE;
      return SGT_NEVER;
   }
   const uint32_t outputs = stream->programs[stream->vertices[o->vertex].program].outputs;
   o->state = SGT_VOUT_SEND;
   if (o->last == SGT_NEVER)
      o->last = now + outputs - 1;
   if (now < o->last)
      return o->last;
   if (!sgt_channel_can_send(o->out, now)) {
      o->state = SGT_VOUT_BLOCKED;
      return SGT_NEVER;
   }
   const struct sgt_vout_vertex m = { o->vertex };
   const struct sgt_vout_free free = { o->head };
   sgt_nv20_times_of(o->shared, o->vertex)->sent = now;
   sgt_channel_send(o->out, now, &m);
   sgt_channel_send(o->freed, now, &free);
   o->shared->result->outputs += outputs;
   o->done &= ~(1ull << o->head);
   o->head = o->head + 1 == p->output_buffers ? 0 : o->head + 1;
   o->vertex++;
   o->last = SGT_NEVER;
   return now + 1;
}

void
sgt_vout_init(struct sgt_vout *o, struct sgt_nv20_shared *shared, const struct sgt_clock *clock)
{
   *o = (struct sgt_vout){
      .unit = { .name = "output", .clock = clock, .tick = out_tick },
      .shared = shared,
      .last = SGT_NEVER,
      .state = SGT_VOUT_IDLE,
   };
}

void
sgt_vnext_charge(struct sgt_vnext *n, uint64_t now)
{
   sgt_nv20_charge(n->shared->result->next, n->state, &n->from, now);
}

static uint64_t
next_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_vnext *n = container_of(unit, struct sgt_vnext, unit);
   struct sgt_nv20_shared *s = n->shared;

   sgt_vnext_charge(n, now);
   if (now < n->next_take)
      return n->next_take;
   n->state = SGT_VNEXT_IDLE;
   if (n->taken == s->stream->num_vertices) {
      s->ended = true;
      return SGT_NEVER;
   }
   const struct sgt_vout_vertex *m = sgt_channel_peek(n->in, now);
   if (!m)
      return SGT_NEVER;
   struct sgt_nv20_times *times = sgt_nv20_times_of(s, m->vertex);
   times->taken = now;
   sgt_nv20_count(s->result, times);
   if (s->observer)
      s->observer->vertex(s->observer->data, m->vertex, times);
   sgt_channel_take(n->in, now);
   n->taken++;
   n->state = SGT_VNEXT_BUSY;
   n->next_take = now + s->params->next_clocks;
   s->result->cycles = n->next_take;
   return n->next_take;
}

void
sgt_vnext_init(struct sgt_vnext *n, struct sgt_nv20_shared *shared, const struct sgt_clock *clock)
{
   *n = (struct sgt_vnext){
      .unit = { .name = "next", .clock = clock, .tick = next_tick },
      .shared = shared,
      .state = SGT_VNEXT_IDLE,
   };
}

void
sgt_vcore_dump(const struct sgt_vcore *c, struct sgt_dump *d)
{
   const struct sgt_nv20_params *p = c->shared->params;
   uint64_t oldest = SGT_NEVER;
   u_foreach_bit64(i, c->active)
      oldest = MIN2(oldest, sgt_nv20_times_of(c->shared, c->threads[i].vertex)->started);
   sgt_dump_unit(d, c->unit.clock, "core", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_vcore_names[c->state]);
   sgt_dump_queue(d, "vertices", util_bitcount64(c->active), p->threads);
   sgt_dump_oldest(d, oldest);
   sgt_dump_queue(d, "instructions under way", c->num_pipe, 0);
   sgt_dump_queue(d, "output buffers in use", p->output_buffers - c->outputs_free,
                  p->output_buffers);
   sgt_dump_channel(d, "filled input buffers", c->in);
}

void
sgt_vout_dump(const struct sgt_vout *o, struct sgt_dump *d)
{
   sgt_dump_unit(d, o->unit.clock, "output", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_vout_names[o->state]);
   sgt_dump_queue(d, "vertices", util_bitcount64(o->done), o->shared->params->output_buffers);
   sgt_dump_channel(d, "ended vertices", o->in);
}

void
sgt_vnext_dump(const struct sgt_vnext *n, struct sgt_dump *d)
{
   sgt_dump_unit(d, n->unit.clock, "next", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_vnext_names[n->state]);
   sgt_dump_channel(d, "vertices", n->in);
}
