/* SPDX-License-Identifier: MIT */
/*
 * Event store. Submissions and CPU accesses form a list in program order. The device adds each
 * chunk to its operation. Once the first operation in the list has ended, the store's thread
 * converts it.
 */
#include "trace/sgt_store.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_events.h"

#define DEFAULT_BYTES (UINT64_C(64) << 20)

struct operation {
   struct sgt_chunk *chunks;
   bool ended;
};

struct entry {
   struct entry *next;
   uint64_t submission; /* submission index, or UINT64_MAX for a CPU access or a cut */
   bool cut;
   uint64_t mark;
   enum sgt_store_mode mode;
   uint32_t frame;
   struct sgt_direct direct;

   struct operation *operations;
   uint64_t max_operations;
   uint32_t num_operations; /* number of operations so far; final once the submission has ended */
   uint32_t taken; /* number of operations that the store's thread has taken for conversion */
   bool ended;
   uint32_t draws;
};

/* A draw state or transfer that the device has reported. */
struct state {
   uint32_t record; /* value to store in trace->states */
   uint32_t trace;  /* index of the trace that `number` belongs to */
   uint32_t number; /* index of the state in trace->states */
};

struct sgt_store {
   struct sgt_store_params params;
   struct sgpu_observer observer;
   pthread_mutex_t lock;
   pthread_cond_t work, idle;
   pthread_t thread;
   bool stopping, started;

   struct entry *first, **last;
   enum sgt_store_mode mode;
   uint32_t frame;
   uint32_t draws;         /* number of draws in the capture before the first entry of the list */
   uint32_t width, height; /* size in pixels of the largest presented surface */
   bool failed;            /* an allocation failed */
   struct state *states;
   uint64_t max_states;
   uint64_t bytes, all_bytes, most_bytes;

   /* While the list has entries, only the store's thread may access the following members. */
   struct sgt_events events;
   struct sgt_warps warps;
   uint32_t trace;
   struct sgt_work *done; /* executed warps of the last trace, or NULL */
   /* index of the submission that contains the last converted operation */
   uint64_t last_submission;
   uint32_t last_packet;
};

/* -- calls of the device ------------------------------------------------------------------- */

static struct entry *
add_entry(struct sgt_store *s, uint64_t submission)
{
   struct entry *entry = calloc(1, sizeof(*entry));

   if (!entry) {
      s->failed = true;
      return NULL;
   }
   entry->submission = submission;
   entry->mode = s->mode;
   entry->frame = s->frame;
   *s->last = entry;
   s->last = &entry->next;
   return entry;
}

static struct entry *
find_entry(struct sgt_store *s, uint64_t submission)
{
   struct entry *entry = s->first;

   while (entry && entry->submission != submission)
      entry = entry->next;
   return entry;
}

static void
store_submitted(void *data, uint64_t submission)
{
   struct sgt_store *s = data;

   pthread_mutex_lock(&s->lock);
   add_entry(s, submission);
   pthread_mutex_unlock(&s->lock);
}

static void
store_ended(void *data, uint64_t submission, uint32_t operations, uint32_t draws)
{
   struct sgt_store *s = data;

   pthread_mutex_lock(&s->lock);
   struct entry *entry = find_entry(s, submission);
   if (entry) {
      entry->ended = true;
      entry->draws = draws;
      s->failed |= entry->mode == SGT_STORE_RECORD && entry->num_operations != operations;
   }
   pthread_cond_signal(&s->work);
   pthread_mutex_unlock(&s->lock);
}

/* Returns the operation with the given index in a list entry. Creates the operation if it doesn't
 * exist yet. Returns NULL if allocation fails.
 */
static struct operation *
find_operation(struct entry *entry, uint32_t index)
{
   if (index < entry->num_operations)
      return &entry->operations[index];
   if (!sgt_array_reserve(&entry->operations, &entry->max_operations, (uint64_t)index + 1,
                          sizeof(*entry->operations)))
      return NULL;
   memset(entry->operations + entry->num_operations, 0,
          (index + 1 - entry->num_operations) * sizeof(*entry->operations));
   entry->num_operations = index + 1;
   return &entry->operations[index];
}

static void
take_chunk(void *data, const struct sgpu_chunk *chunk)
{
   struct sgt_store *s = data;
   const uint64_t bytes = chunk->num_words * sizeof(uint32_t);

   pthread_mutex_lock(&s->lock);
   struct entry *entry = find_entry(s, chunk->submission);
   const bool wanted = entry && entry->mode == SGT_STORE_RECORD;
   pthread_mutex_unlock(&s->lock);
   if (!wanted)
      return;

   struct sgt_chunk *copy = malloc(sizeof(*copy) + bytes);
   if (copy) {
      *copy = (struct sgt_chunk){
         .kind = chunk->kind,
         .batch = chunk->batch,
         .part = chunk->part,
         .tx = chunk->tx,
         .ty = chunk->ty,
         .layer = chunk->layer,
         .group = chunk->group,
         .num_words = chunk->num_words,
      };
      memcpy(copy->words, chunk->words, bytes);
   }

   pthread_mutex_lock(&s->lock);
   struct operation *op = copy ? find_operation(entry, chunk->operation) : NULL;
   if (op) {
      copy->next = op->chunks;
      op->chunks = copy;
      s->bytes += bytes;
      s->all_bytes += bytes;
      s->most_bytes = s->bytes > s->most_bytes ? s->bytes : s->most_bytes;
      if (chunk->kind == SGPU_CHUNK_OPERATION) {
         op->ended = true;
         pthread_cond_signal(&s->work);
      }
   } else {
      s->failed = true;
      free(copy);
   }
   pthread_mutex_unlock(&s->lock);
}

static void
take_state(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
           const struct sgd_xfer *xfer)
{
   struct sgt_store *s = data;

   pthread_mutex_lock(&s->lock);
   const struct entry *entry = find_entry(s, submission);
   if (entry && entry->mode == SGT_STORE_RECORD) {
      const uint64_t before = s->max_states;
      if (sgt_array_reserve(&s->states, &s->max_states, (uint64_t)number + 1, sizeof(*s->states))) {
         memset(s->states + before, 0, (s->max_states - before) * sizeof(*s->states));
         s->states[number].record = s->params.state(s->params.data, state, xfer);
      } else {
         s->failed = true;
      }
   }
   pthread_mutex_unlock(&s->lock);
}

static void
take_program(void *data, uint64_t key, const struct sgpu_program *program)
{
   struct sgt_store *s = data;

   sgt_warps_program(&s->warps, key, program);
}

static uint64_t
take_timestamp(void *data, uint64_t submission, uint32_t packet, uint64_t value)
{
   const struct sgt_store *s = data;

   return s->params.timestamp(s->params.data, submission, packet, value);
}

static bool
store_full(void *data)
{
   struct sgt_store *s = data;

   pthread_mutex_lock(&s->lock);
   const bool too_much = s->bytes > s->params.max_bytes;
   pthread_mutex_unlock(&s->lock);
   return too_much;
}

/* -- the thread ---------------------------------------------------------------------------- */

/* Returns the index of a state in trace->states, and adds the state to the trace if necessary. Must
 * be called with the lock held.
 */
static uint32_t
trace_state(struct sgt_store *s, uint32_t number)
{
   struct state *state = number < s->max_states ? &s->states[number] : NULL;

   if (!number || !state || !s->params.state || s->events.failed)
      return UINT32_MAX;
   if (state->trace != s->trace) {
      state->trace = s->trace;
      state->number = sgt_trace_builder_state(s->events.builder, state->record);
   }
   return state->number;
}

static void
free_chunks(struct sgt_store *s, struct sgt_chunk *chunk)
{
   while (chunk) {
      struct sgt_chunk *next = chunk->next;
      s->bytes -= chunk->num_words * sizeof(uint32_t);
      free(chunk);
      chunk = next;
   }
}

/* Finishes and returns the current trace, and stores its executed warps in *work. The next
 * operation starts a new trace. Returns NULL and writes a message if allocation fails or after an
 * error. Must be called with the lock held, and temporarily releases it.
 */
static struct sgt_trace *
finish_trace(struct sgt_store *s, struct sgt_work **work, char *error, size_t error_size)
{
   struct sgt_events *e = &s->events;
   struct sgt_trace *trace = NULL;
   const char *text = e->error ? e->error : s->failed || e->failed ? "out of memory" : NULL;

   if (!text)
      sgt_trace_builder_presented(e->builder, s->width, s->height);
   s->failed = false;
   s->trace++;
   s->width = s->height = 0;
   pthread_mutex_unlock(&s->lock);

   *work = s->params.work ? sgt_warps_take(&s->warps) : NULL;
   if (!text) {
      trace = sgt_trace_builder_finish(e->builder);
      text = trace && (*work || !s->params.work) ? NULL : "out of memory";
   }
   if (text) {
      snprintf(error, error_size, "%s", text);
      sgt_trace_destroy(trace);
      sgt_work_destroy(*work);
      trace = NULL;
      *work = NULL;
   } else {
      trace->has_values = s->params.classes >= SGPU_OBSERVE_VALUES;
   }
   sgt_events_finish(e);
   e->builder = sgt_trace_builder_create();
   e->failed = !e->builder;
   pthread_mutex_lock(&s->lock);
   return trace;
}

/* Passes the current segment to params.segment. Temporarily releases the lock, which is held. */
static void
hand_over(struct sgt_store *s, bool cut, uint64_t mark)
{
   char error[256] = "";
   struct sgt_store_segment segment = {
      .error = error,
      .cut = cut,
      .mark = mark,
      .submission = s->last_submission,
      .packet = s->last_packet,
   };

   segment.trace = finish_trace(s, &segment.work, error, sizeof error);
   pthread_mutex_unlock(&s->lock);
   s->params.segment(s->params.data, &segment);
   pthread_mutex_lock(&s->lock);
}

static uint64_t
trace_bytes(const struct sgt_store *s)
{
   const struct sgt_events *e = &s->events;

   return e->failed || (e->warps && e->warps->failed)
             ? 0
             : sgt_trace_builder_bytes(e->builder) +
                  (e->warps ? sgt_work_builder_bytes(e->warps->builder) : 0);
}

/* Converts the next operation of the first entry. Temporarily releases the lock, which is held. */
static void
take_operation(struct sgt_store *s, struct entry *entry)
{
   struct sgt_chunk *chunks = entry->operations[entry->taken++].chunks;
   struct sgt_place place = {
      .submission = entry->submission,
      .frame = entry->frame,
      .first_draw = s->draws,
      .state = UINT32_MAX,
   };

   for (const struct sgt_chunk *c = chunks; c; c = c->next) {
      const struct sgpu_event_operation *op = sgt_events_operation(c);
      if (op) {
         place.state = trace_state(s, op->state);
         s->last_submission = entry->submission;
         s->last_packet = op->packet;
      }
   }
   pthread_mutex_unlock(&s->lock);
   if (!s->events.failed)
      sgt_events_add(&s->events, &place, chunks);
   const bool ends = s->params.max_trace_bytes && trace_bytes(s) > s->params.max_trace_bytes;
   pthread_mutex_lock(&s->lock);
   free_chunks(s, chunks);
   if (ends)
      hand_over(s, false, 0);
}

static void
take_direct(struct sgt_store *s, const struct entry *entry)
{
   const struct sgt_direct *d = &entry->direct;

   if (s->events.failed)
      return;
   const struct sgt_place place = {
      .frame = entry->frame,
      .state = d->record == UINT32_MAX ? UINT32_MAX
                                       : sgt_trace_builder_state(s->events.builder, d->record),
   };

   sgt_events_direct(&s->events, &place, d->begin, d->end, d->bo_begin, d->bo_end, d->write);
}

static void
remove_first(struct sgt_store *s)
{
   struct entry *entry = s->first;

   s->first = entry->next;
   if (!s->first)
      s->last = &s->first;
   if (entry->mode != SGT_STORE_IGNORE)
      s->draws += entry->draws;
   for (uint32_t i = entry->taken; i < entry->num_operations; i++)
      free_chunks(s, entry->operations[i].chunks);
   free(entry->operations);
   free(entry);
}

/* Processes the next operation or entry in the list. Returns false if nothing is ready. */
static bool
store_step(struct sgt_store *s)
{
   struct entry *entry = s->first;

   if (!entry)
      return false;
   if (entry->cut) {
      hand_over(s, true, entry->mark);
      remove_first(s);
   } else if (entry->submission == UINT64_MAX) {
      take_direct(s, entry);
      remove_first(s);
   } else if (entry->taken < entry->num_operations && entry->operations[entry->taken].ended) {
      take_operation(s, entry);
   } else if (entry->ended) {
      remove_first(s);
   } else {
      return false;
   }
   return true;
}

static void *
store_main(void *data)
{
   struct sgt_store *s = data;

   pthread_mutex_lock(&s->lock);
   while (!s->stopping) {
      if (store_step(s))
         continue;
      pthread_cond_broadcast(&s->idle);
      pthread_cond_wait(&s->work, &s->lock);
   }
   pthread_mutex_unlock(&s->lock);
   return NULL;
}

/* -- calls of the replayer ----------------------------------------------------------------- */

struct sgt_store *
sgt_store_create(const struct sgt_store_params *params)
{
   struct sgt_store *s = calloc(1, sizeof(*s));

   if (!s)
      return NULL;
   s->params = *params;
   if (!s->params.max_bytes)
      s->params.max_bytes = DEFAULT_BYTES;
   s->observer = (struct sgpu_observer){
      .classes = params->classes,
      .work = params->work,
      .data = s,
      .submitted = store_submitted,
      .ended = store_ended,
      .chunk = take_chunk,
      .state = params->state ? take_state : NULL,
      .program = params->work ? take_program : NULL,
      .full = store_full,
      .timestamp = params->timestamp ? take_timestamp : NULL,
   };
   s->last = &s->first;
   s->mode = SGT_STORE_COUNT;
   s->trace = 1;
   pthread_mutex_init(&s->lock, NULL);
   pthread_cond_init(&s->work, NULL);
   pthread_cond_init(&s->idle, NULL);
   s->events.builder = sgt_trace_builder_create();
   s->events.warps = params->work ? &s->warps : NULL;
   s->started = s->events.builder && (!params->work || sgt_warps_init(&s->warps)) &&
                pthread_create(&s->thread, NULL, store_main, s) == 0;
   if (!s->started) {
      sgt_store_destroy(s);
      return NULL;
   }
   return s;
}

void
sgt_store_destroy(struct sgt_store *s)
{
   if (!s)
      return;
   if (s->started) {
      pthread_mutex_lock(&s->lock);
      s->stopping = true;
      pthread_cond_signal(&s->work);
      pthread_mutex_unlock(&s->lock);
      pthread_join(s->thread, NULL);
   }
   while (s->first)
      remove_first(s);
   sgt_events_finish(&s->events);
   if (s->params.work)
      sgt_warps_finish(&s->warps);
   sgt_work_destroy(s->done);
   free(s->states);
   pthread_cond_destroy(&s->work);
   pthread_cond_destroy(&s->idle);
   pthread_mutex_destroy(&s->lock);
   free(s);
}

const struct sgpu_observer *
sgt_store_observer(struct sgt_store *s)
{
   return &s->observer;
}

void
sgt_store_submissions(struct sgt_store *s, enum sgt_store_mode mode, uint32_t frame)
{
   pthread_mutex_lock(&s->lock);
   s->mode = mode;
   if (mode == SGT_STORE_RECORD)
      s->frame = frame;
   pthread_mutex_unlock(&s->lock);
}

void
sgt_store_direct(struct sgt_store *s, const struct sgt_direct *direct)
{
   pthread_mutex_lock(&s->lock);
   struct entry *entry = add_entry(s, UINT64_MAX);
   if (entry)
      entry->direct = *direct;
   pthread_cond_signal(&s->work);
   pthread_mutex_unlock(&s->lock);
}

bool
sgt_store_cut(struct sgt_store *s, uint64_t mark)
{
   pthread_mutex_lock(&s->lock);
   struct entry *entry = add_entry(s, UINT64_MAX);
   if (entry) {
      entry->cut = true;
      entry->mark = mark;
   }
   pthread_cond_signal(&s->work);
   pthread_mutex_unlock(&s->lock);
   return entry != NULL;
}

/* Waits until the thread has converted all entries. Must be called with the lock held. */
static void
wait_idle(struct sgt_store *s)
{
   pthread_cond_signal(&s->work);
   while (s->first)
      pthread_cond_wait(&s->idle, &s->lock);
}

void
sgt_store_presented(struct sgt_store *s, uint32_t width, uint32_t height)
{
   pthread_mutex_lock(&s->lock);
   if ((uint64_t)width * height > (uint64_t)s->width * s->height) {
      s->width = width;
      s->height = height;
   }
   pthread_mutex_unlock(&s->lock);
}

struct sgt_trace *
sgt_store_finish(struct sgt_store *s, char *error, size_t error_size)
{
   pthread_mutex_lock(&s->lock);
   wait_idle(s);
   sgt_work_destroy(s->done);
   struct sgt_trace *trace = finish_trace(s, &s->done, error, error_size);
   pthread_mutex_unlock(&s->lock);
   return trace;
}

struct sgt_work *
sgt_store_work(struct sgt_store *s)
{
   pthread_mutex_lock(&s->lock);
   struct sgt_work *work = s->done;
   s->done = NULL;
   pthread_mutex_unlock(&s->lock);
   return work;
}

void
sgt_store_bytes(struct sgt_store *s, uint64_t *all, uint64_t *most)
{
   pthread_mutex_lock(&s->lock);
   *all = s->all_bytes;
   *most = s->most_bytes;
   pthread_mutex_unlock(&s->lock);
}
