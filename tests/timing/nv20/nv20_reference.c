/* SPDX-License-Identifier: MIT */
/*
 * Reference model of the vertex engine of 2001: plain loops run all units in every cycle.
 *
 * Attributes have version numbers instead of dirty bits. An attribute must be moved if its version
 * in the input buffer differs from that in the attribute buffer. In a cycle, a unit sees the state
 * of queues and buffers as of the start of the cycle.
 */
#include "nv20_reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define A SGT_VERTEX_ATTRIBUTES

struct input_buffer {
   bool free, freed; /* `freed`: the core has freed it in this cycle */
   bool full;        /* at the start of the cycle, had a vertex that no thread has started */
   bool filled;      /* was filled in this cycle */
   uint64_t vertex;
   uint64_t version[A];
};

struct output_buffer {
   bool free, freed; /* `freed`: was freed in this cycle */
   bool done, ended; /* complete at the start of the cycle; completed in this cycle */
   uint64_t vertex;
};

struct thread {
   bool busy;
   uint64_t vertex;
   uint32_t input, output;
   uint32_t issued; /* number of issued instructions */
   /* Cycle in which the next instruction can issue or the last result is available. */
   uint64_t ready_at;
};

struct reference {
   const struct sgt_vertex_stream *stream;
   const struct sgt_nv20_params *p;
   struct sgt_nv20_result *r;
   struct sgt_nv20_times *times; /* times of all vertices */
   uint64_t cycle;

   /* Number of writes that the host has sent; cycle of the next one. */
   uint64_t sent, next_send;
   uint64_t entered;                /* number of writes that have entered the attribute buffer */
   uint64_t before, entered_before; /* values of `sent` and `entered` at the start of the cycle */

   /* Versions of the attributes, now and as of the latest write of attribute 0. */
   uint64_t version[A], snapshot[A];
   bool wrote[A];          /* attributes that the vertex being written has */
   bool pending[A];        /* attributes that must still be moved */
   uint64_t loaded, moved; /* numbers of vertices that were written, and that were moved */
   uint32_t moves;         /* number of attributes of the present vertex that were moved */
   struct input_buffer inputs[SGT_NV20_MAX_BUFFERS];

   struct thread threads[SGT_NV20_MAX_THREADS];
   uint32_t latest;
   bool counted_flush;
   uint64_t started;

   struct output_buffer outputs[SGT_NV20_MAX_BUFFERS];
   uint64_t drained; /* number of vertices that have left the output buffers */
   uint32_t vectors; /* number of vectors of the next vertex that were sent */

   uint64_t taken, drained_before, taken_before;
   uint64_t next_take;
   bool wrong; /* an input buffer has an attribute of another vertex */
};

static void
host(struct reference *f)
{
   enum sgt_nv20_host_state state = SGT_HOST_DONE;
   if (f->cycle < f->next_send) {
      state = SGT_HOST_PACE;
   } else if (f->sent < f->stream->num_writes) {
      state = SGT_HOST_FULL;
      if (f->before - f->entered_before < f->p->host_fifo) {
         f->sent++;
         f->next_send = f->cycle + f->p->host_clocks;
         state = SGT_HOST_SEND;
      }
   }
   f->r->host[state]++;
}

static unsigned
count_pending(const struct reference *f)
{
   unsigned num = 0;
   for (unsigned a = 0; a < A; a++)
      num += f->pending[a];
   return num;
}

static void
load(struct reference *f, unsigned attribute)
{
   f->r->writes++;
   f->r->rewrites += f->wrote[attribute];
   f->wrote[attribute] = true;
   f->version[attribute]++;
   if (attribute)
      return;
   const struct input_buffer *target = &f->inputs[f->loaded % f->p->input_buffers];
   for (unsigned a = 0; a < A; a++) {
      f->snapshot[a] = f->version[a];
      f->pending[a] = !f->p->dirty || target->version[a] != f->version[a];
      f->wrote[a] = false;
   }
   f->times[f->loaded++].written = f->cycle;
}

static void
move(struct reference *f, struct input_buffer *target, unsigned attribute)
{
   f->pending[attribute] = false;
   target->version[attribute] = f->version[attribute];
   f->moves++;
   f->r->attributes[attribute]++;
   if (count_pending(f))
      return;
   for (unsigned a = 0; a < A; a++)
      f->wrong |= target->version[a] != f->snapshot[a];
   f->times[f->moved].filled = f->cycle;
   f->r->moved += f->moves;
   f->r->dirty[f->moves]++;
   f->r->buffers[f->moved % f->p->input_buffers]++;
   f->moves = 0;
   target->free = false;
   target->filled = true;
   target->vertex = f->moved++;
}

static void
attribute_buffer(struct reference *f)
{
   struct input_buffer *target = &f->inputs[f->moved % f->p->input_buffers];
   const bool transfer = count_pending(f) != 0, can_move = transfer && target->free;
   const bool arrives = f->before > f->entered;
   const unsigned attribute = arrives ? f->stream->writes[f->entered] : 0;
   uint32_t full = 0;
   int in_turn = -1, moved;
   bool enters = false;

   for (unsigned a = A; a-- > 0 && can_move;)
      in_turn = f->pending[a] ? (int)a : in_turn;
   moved = in_turn;
   if (arrives && attribute && f->pending[attribute] && can_move && f->p->push_out)
      moved = attribute;
   if (arrives && attribute)
      enters = !f->pending[attribute] || moved == (int)attribute;
   else if (arrives)
      enters = !transfer || (can_move && count_pending(f) == 1);

   f->r->vab_write[enters                  ? SGT_VAB_WRITE
                   : !arrives              ? SGT_VAB_NO_WRITE
                   : transfer && !can_move ? SGT_VAB_WAITS_BUFFER
                                           : SGT_VAB_WAITS_DRAIN]++;
   f->r->vab_drain[moved < 0          ? transfer ? SGT_VAB_NO_BUFFER : SGT_VAB_NO_VERTEX
                   : moved != in_turn ? SGT_VAB_PUSH
                                      : SGT_VAB_DRAIN]++;
   f->r->pushed += moved != in_turn;
   if (moved >= 0)
      move(f, target, moved);
   if (enters) {
      load(f, attribute);
      f->entered++;
   }
   for (uint32_t i = 0; i < f->p->input_buffers; i++)
      full += !f->inputs[i].free;
   f->r->full[full]++;
}

/* Returns the input buffer of the next vertex to start, or NULL if it was not full at the start of
 * the cycle.
 */
static struct input_buffer *
next_input(struct reference *f)
{
   struct input_buffer *b = &f->inputs[f->started % f->p->input_buffers];
   return b->full && b->vertex == f->started ? b : NULL;
}

static bool
another_program_runs(const struct reference *f, uint32_t program)
{
   for (uint32_t i = 0; i < f->p->threads; i++) {
      if (f->threads[i].busy && f->stream->vertices[f->threads[i].vertex].program != program)
         return true;
   }
   return false;
}

static enum sgt_vcore_state
start(struct reference *f)
{
   struct thread *idle = NULL;
   for (uint32_t i = 0; i < f->p->threads && !idle; i++)
      idle = f->threads[i].busy ? NULL : &f->threads[i];
   if (!idle)
      return SGT_VCORE_LATENCY;
   if (f->started == f->stream->num_vertices)
      return SGT_VCORE_DRAIN;
   struct input_buffer *in = next_input(f);
   if (!in)
      return SGT_VCORE_INPUT;
   if (f->p->flush && another_program_runs(f, f->stream->vertices[in->vertex].program)) {
      f->r->flushes += !f->counted_flush;
      f->counted_flush = true;
      return SGT_VCORE_PROGRAM;
   }
   struct output_buffer *out = &f->outputs[f->started % f->p->output_buffers];
   if (!out->free)
      return SGT_VCORE_OUTPUT;
   f->counted_flush = false;
   *idle = (struct thread){
      .busy = true,
      .vertex = f->started,
      .input = f->started % f->p->input_buffers,
      .output = f->started % f->p->output_buffers,
      .ready_at = f->cycle,
   };
   in->full = false;
   out->free = false;
   f->times[f->started++].started = f->cycle;
   return SGT_VCORE_ISSUE;
}

static bool
can_issue(const struct reference *f, uint32_t i)
{
   return f->threads[i].busy && f->threads[i].ready_at <= f->cycle;
}

/* Returns the index of the thread that issues, or -1. */
static int
choose(const struct reference *f)
{
   int best = -1;
   for (uint32_t n = 1; n <= f->p->threads; n++) {
      const uint32_t i = f->p->select == SGT_NV20_ROTATE ? (f->latest + n) % f->p->threads : n - 1;
      if (!can_issue(f, i))
         continue;
      if (f->p->select == SGT_NV20_ROTATE)
         return i;
      if (best < 0 || f->threads[i].vertex < f->threads[best].vertex)
         best = i;
   }
   return best;
}

static void
core(struct reference *f)
{
   for (uint32_t i = 0; i < f->p->threads; i++) {
      struct thread *t = &f->threads[i];
      if (!t->busy || t->ready_at > f->cycle ||
          t->issued < f->stream->vertices[t->vertex].instructions)
         continue;
      t->busy = false;
      f->outputs[t->output].ended = true;
      f->outputs[t->output].vertex = t->vertex;
      f->times[t->vertex].ended = f->cycle;
   }
   enum sgt_vcore_state state = start(f);
   const int i = choose(f);
   if (i >= 0) {
      struct thread *t = &f->threads[i];
      state = SGT_VCORE_ISSUE;
      f->latest = i;
      f->r->instructions++;
      f->r->issued[i]++;
      t->issued++;
      t->ready_at = f->cycle + f->p->latency;
      if (t->issued == f->stream->vertices[t->vertex].instructions)
         f->inputs[t->input].freed = true;
   }
   uint32_t active = 0, reserved = 0;
   for (uint32_t n = 0; n < f->p->threads; n++)
      active += f->threads[n].busy;
   for (uint32_t n = 0; n < f->p->output_buffers; n++)
      reserved += !f->outputs[n].free;
   f->r->active[active]++;
   f->r->reserved[reserved]++;
   f->r->core[state]++;
}

static void
output(struct reference *f)
{
   struct output_buffer *head = &f->outputs[f->drained % f->p->output_buffers];
   enum sgt_vout_state state = SGT_VOUT_IDLE;

   if (head->done) {
      const struct sgt_vertex *v = &f->stream->vertices[head->vertex];
      const uint32_t vectors = f->stream->programs[v->program].outputs;
      state = SGT_VOUT_SEND;
      if (f->vectors + 1 < vectors) {
         f->vectors++;
      } else if (f->drained_before - f->taken_before < f->p->next_fifo) {
         f->times[f->drained++].sent = f->cycle;
         f->r->outputs += vectors;
         f->vectors = 0;
         head->done = false;
         head->freed = true;
      } else {
         state = SGT_VOUT_BLOCKED;
      }
   } else {
      for (uint32_t i = 0; i < f->p->output_buffers; i++)
         state = f->outputs[i].done ? SGT_VOUT_ORDER : state;
   }
   f->r->out[state]++;
}

static void
next(struct reference *f, const struct sgt_nv20_observer *o)
{
   if (f->cycle >= f->next_take && f->drained_before > f->taken) {
      struct sgt_nv20_times *times = &f->times[f->taken];
      times->taken = f->cycle;
      sgt_nv20_count(f->r, times);
      if (o)
         o->vertex(o->data, f->taken, times);
      f->taken++;
      f->next_take = f->cycle + f->p->next_clocks;
   }
   f->r->next[f->cycle < f->next_take ? SGT_VNEXT_BUSY : SGT_VNEXT_IDLE]++;
}

/* Ends a cycle. Units see its changes from the next cycle on. */
static void
end_cycle(struct reference *f)
{
   f->before = f->sent;
   f->entered_before = f->entered;
   f->drained_before = f->drained;
   f->taken_before = f->taken;
   for (uint32_t i = 0; i < f->p->input_buffers; i++) {
      struct input_buffer *b = &f->inputs[i];
      b->free |= b->freed;
      b->full |= b->filled;
      b->freed = b->filled = false;
   }
   for (uint32_t i = 0; i < f->p->output_buffers; i++) {
      struct output_buffer *b = &f->outputs[i];
      b->free |= b->freed;
      b->done |= b->ended;
      b->freed = b->ended = false;
   }
   f->cycle++;
}

bool
nv20_reference(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
               const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result,
               char *error, size_t error_size)
{
   if (!sgt_nv20_begin(stream, params, result, error, error_size))
      return false;
   struct reference *f = calloc(1, sizeof(*f));
   struct sgt_nv20_times *times = calloc(stream->num_vertices, sizeof(*times));
   bool ok = f && times;
   if (!ok) {
      snprintf(error, error_size, "out of memory");
   } else {
      *f = (struct reference){ .stream = stream, .p = params, .r = result, .times = times };
      f->latest = params->threads - 1;
      for (uint32_t i = 0; i < params->input_buffers; i++)
         f->inputs[i].free = true;
      for (uint32_t i = 0; i < params->output_buffers; i++)
         f->outputs[i].free = true;
      while (f->taken < stream->num_vertices || f->cycle < f->next_take) {
         host(f);
         attribute_buffer(f);
         core(f);
         output(f);
         next(f, observer);
         end_cycle(f);
      }
      result->cycles = f->cycle;
      ok = !f->wrong;
      if (!ok)
         snprintf(error, error_size, "an input buffer has attributes of another vertex");
   }
   free(times);
   free(f);
   return ok;
}
