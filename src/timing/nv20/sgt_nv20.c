/* SPDX-License-Identifier: MIT */
/*
 * Model of the vertex engine of 2001. This file connects the units and runs the simulation.
 */
#include "nv20/sgt_nv20.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "nv20/sgt_vcore.h"
#include "util/macros.h"
#include "util/u_math.h"

enum { WRITES, FILLED, INPUTS_FREE, DONE, OUTPUTS_FREE, VERTICES, CHANNELS };

const char *const sgt_nv20_channel_names[CHANNELS] = {
   [WRITES] = "writes",
   [FILLED] = "filled",
   [INPUTS_FREE] = "inputs-free",
   [DONE] = "done",
   [OUTPUTS_FREE] = "outputs-free",
   [VERTICES] = "vertices",
};

struct engine {
   struct sgt_clock clock;
   struct sgt_sched sched;
   struct sgt_nv20_shared shared;
   struct sgt_vhost host;
   struct sgt_vab vab;
   struct sgt_vcore core;
   struct sgt_vout out;
   struct sgt_vnext next;
   struct sgt_channel channels[CHANNELS];
};

bool
sgt_nv20_begin(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
               struct sgt_nv20_result *result, char *error, size_t error_size)
{
   memset(result, 0, sizeof(*result));
   if (!sgt_nv20_params_check(params, error, error_size))
      return false;
   if (!stream->num_vertices) {
      snprintf(error, error_size, "the stream has no vertices");
      return false;
   }
   const uint8_t *w = stream->writes;
   for (uint64_t i = 0; i < stream->num_vertices; i++) {
      const struct sgt_vertex *v = &stream->vertices[i];
      bool ok = v->program < stream->num_programs && v->instructions && v->num_writes &&
                (uint64_t)(w - stream->writes) + v->num_writes <= stream->num_writes;
      for (uint32_t n = 0; ok && n < v->num_writes; n++, w++)
         ok = *w < SGT_VERTEX_ATTRIBUTES && !*w == (n + 1 == v->num_writes);
      if (!ok) {
         snprintf(error, error_size, "vertex %" PRIu64 " is malformed", i);
         return false;
      }
   }
   result->params = *params;
   result->programs = stream->num_programs;
   result->base_vertices = stream->base_vertices;
   memcpy(result->opcodes, stream->opcodes, sizeof(result->opcodes));
   for (unsigned i = 0; i <= SGT_VERTEX_OTHER; i++)
      result->classes[sgt_vertex_class_of(i)] += stream->opcodes[i];
   return true;
}

void
sgt_nv20_count(struct sgt_nv20_result *r, const struct sgt_nv20_times *t)
{
   r->vertices++;
   r->fill_sum += t->filled - t->written;
   r->wait_sum += t->started - t->filled;
   r->run_sum += t->ended - t->started;
   r->out_sum += t->taken - t->ended;
   r->fill_time[sgt_log2_slot(t->filled - t->written)]++;
   r->wait_time[sgt_log2_slot(t->started - t->filled)]++;
   r->run_time[sgt_log2_slot(t->ended - t->started)]++;
   r->out_time[sgt_log2_slot(t->taken - t->ended)]++;
   r->life_time[sgt_log2_slot(t->taken - t->written)]++;
}

static bool
nv20_connect(struct engine *e)
{
   const struct sgt_nv20_params *p = e->shared.params;
   const struct {
      struct sgt_unit *from, *to;
      uint32_t bytes, capacity;
      struct sgt_channel **sender, **receiver;
   } channels[CHANNELS] = {
      [WRITES] = { &e->host.unit, &e->vab.unit, sizeof(struct sgt_vab_write_message), p->host_fifo,
                   &e->host.out, &e->vab.in },
      [FILLED] = { &e->vab.unit, &e->core.unit, sizeof(struct sgt_vab_filled), p->input_buffers,
                   &e->vab.out, &e->core.in },
      [INPUTS_FREE] = { &e->core.unit, &e->vab.unit, sizeof(struct sgt_vab_free), p->input_buffers,
                        &e->core.freed_inputs, &e->vab.freed },
      [DONE] = { &e->core.unit, &e->out.unit, sizeof(struct sgt_vcore_done), p->output_buffers,
                 &e->core.out, &e->out.in },
      [OUTPUTS_FREE] = { &e->out.unit, &e->core.unit, sizeof(struct sgt_vout_free),
                         p->output_buffers, &e->out.freed, &e->core.freed_outputs },
      [VERTICES] = { &e->out.unit, &e->next.unit, sizeof(struct sgt_vout_vertex), p->next_fifo,
                     &e->out.out, &e->next.in },
   };
   for (unsigned i = 0; i < CHANNELS; i++) {
      if (!sgt_channel_init(&e->channels[i], &e->sched, channels[i].from, channels[i].to,
                            channels[i].bytes, channels[i].capacity, 1))
         return false;
      *channels[i].sender = *channels[i].receiver = &e->channels[i];
   }
   return true;
}

static bool
nv20_create(struct engine *e, const struct sgt_vertex_stream *stream,
            const struct sgt_nv20_params *params, const struct sgt_nv20_observer *observer,
            struct sgt_nv20_result *result)
{
   /* Allocate times for all vertices that can be in the engine at the same time. Each of them is in
    * the attribute buffer, in an input or output buffer, in the FIFO to the next stage, or in that
    * stage.
    */
   const uint64_t room = util_next_power_of_two(params->input_buffers + params->output_buffers +
                                                params->next_fifo + 2);
   e->clock.mhz = 1;
   e->shared = (struct sgt_nv20_shared){
      .stream = stream,
      .params = params,
      .observer = observer,
      .result = result,
      .times = calloc(room, sizeof(*e->shared.times)),
      .times_mask = room - 1,
   };
   sgt_sched_init(&e->sched);
   if (params->shuffle)
      sgt_sched_shuffle(&e->sched, params->shuffle);
   if (!e->shared.times || !sgt_clocks_init(&e->clock, 1))
      return false;
   sgt_vhost_init(&e->host, &e->shared, &e->clock);
   sgt_vab_init(&e->vab, &e->shared, &e->clock);
   sgt_vcore_init(&e->core, &e->shared, &e->clock);
   sgt_vout_init(&e->out, &e->shared, &e->clock);
   sgt_vnext_init(&e->next, &e->shared, &e->clock);
   if (!nv20_connect(e))
      return false;
   struct sgt_unit *units[] = { &e->host.unit, &e->vab.unit, &e->core.unit, &e->out.unit,
                                &e->next.unit };
   for (unsigned i = 0; i < ARRAY_SIZE(units); i++) {
      if (!sgt_sched_add(&e->sched, units[i], 0))
         return false;
   }
   return true;
}

static void
nv20_destroy(struct engine *e)
{
   for (unsigned i = 0; i < CHANNELS; i++)
      sgt_channel_finish(&e->channels[i]);
   sgt_sched_finish(&e->sched);
   free(e->shared.times);
}

/* Returns true if no vertices or attributes are left in the engine. */
static bool
is_empty(const struct engine *e)
{
   for (unsigned i = 0; i < CHANNELS; i++) {
      /* Ignore messages about free buffers, which can remain in their channels at the end. */
      if (i != INPUTS_FREE && i != OUTPUTS_FREE && !sgt_channel_empty(&e->channels[i]))
         return false;
   }
   return sgt_vab_idle(&e->vab) && !e->core.active && !e->out.done;
}

/* Appends a dump of the requests in flight to the error message. */
static void
dump_units(const struct engine *e, char *error, size_t error_size)
{
   struct sgt_dump d;

   sgt_dump_init(&d, error, error_size, e->sched.now);
   sgt_vhost_dump(&e->host, &d);
   sgt_vab_dump(&e->vab, &d);
   sgt_vcore_dump(&e->core, &d);
   sgt_vout_dump(&e->out, &d);
   sgt_vnext_dump(&e->next, &d);
}

bool
sgt_nv20_run(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
             const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result, char *error,
             size_t error_size)
{
   const uint64_t limit = params->max_cycles ? params->max_cycles : SGT_NEVER - 1;

   if (!sgt_nv20_begin(stream, params, result, error, error_size))
      return false;
   struct engine *e = calloc(1, sizeof(*e));
   bool ok = e && nv20_create(e, stream, params, observer, result);
   if (!ok) {
      snprintf(error, error_size, "out of memory");
   } else {
      while (!e->shared.ended && sgt_sched_step(&e->sched, limit))
         ;
      ok = e->shared.ended && is_empty(e);
      if (!ok && !e->shared.ended && params->max_cycles && e->sched.now >= params->max_cycles) {
         snprintf(error, error_size, "more than %" PRIu64 " cycles", params->max_cycles);
      } else if (!ok) {
         snprintf(error, error_size, "the engine stands still after %" PRIu64 " vertices",
                  result->vertices);
         dump_units(e, error, error_size);
      }
   }
   if (ok) {
      sgt_vhost_charge(&e->host, result->cycles);
      sgt_vab_charge(&e->vab, result->cycles);
      sgt_vcore_charge(&e->core, result->cycles);
      sgt_vout_charge(&e->out, result->cycles);
      sgt_vnext_charge(&e->next, result->cycles);
      result->calls = e->sched.calls;
      for (unsigned i = 0; i < CHANNELS; i++)
         result->channels[i] = (struct sgt_nv20_channel_result){
            .messages = e->channels[i].sent,
            .most = e->channels[i].max_used,
            .residence = e->channels[i].residence,
         };
   }
   if (e)
      nv20_destroy(e);
   free(e);
   return ok;
}
