/* SPDX-License-Identifier: MIT */
/*
 * Live timing. It uses two threads in addition to those of the device. The thread of the event
 * store (sgt_store.h) converts device events to segments, and the thread in this file simulates the
 * segments.
 */
#include "live/sgt_live.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sgt_dump.h"
#include "live/sgt_live_counters.h"
#include "live/sgt_live_log.h"
#include "live/sgt_live_options.h"
#include "live/sgt_live_stamps.h"
#include "kernel/sgt_stats.h"
#include "trace/sgt_store.h"
#include "util/macros.h"

/* Maximum number of segments that may be waiting for simulation. Beyond this limit, the application
 * has to wait.
 */
#define MAX_AHEAD 3
/* Maximum size of the trace and the work of a segment, in bytes. The segment ends after the
 * operation that exceeds this limit.
 */
#define MAX_BYTES (UINT64_C(512) << 20)

struct segment {
   struct segment *next; /* next segment in the queue, or NULL */
   struct sgt_store_segment s;
   /* error message if the segment has no trace or could not be simulated */
   char error[SGT_ERROR_BYTES];
};

struct sgt_live_snapshot {
   struct list_head link; /* link in sgt_live::snapshots as long as `filled` is false */
   uint64_t cut;          /* index of the last cut before the snapshot was created */
   bool filled;           /* `counts` is valid */
   struct sgt_live_counts counts;
};

struct sgt_live {
   struct sgt_live_options options;
   struct sgt_store *store;
   /* ID of the process that created the device, used to detect a forked child */
   pid_t process;
   pthread_mutex_t lock; /* may be acquired while holding locks of the device */
   /* work: signalled when a segment has been queued or the thread must stop;
    * timed: signalled when a segment has been simulated
    */
   pthread_cond_t work, timed;
   pthread_t thread;
   /* stopping: set to stop the thread; started: set if the thread has been created */
   bool stopping, started;

   /* first: queue of the segments that are waiting for simulation;
    * last: pointer to the last link of the queue
    */
   struct segment *first, **last;
   struct segment spare; /* preallocated segment that is used if allocation fails */
   /* number of segments that are waiting for simulation or being simulated */
   unsigned num_segments;
   bool dirty; /* true if there have been submissions since the last cut */
   /* cuts: index of the last cut;
    * done: index of the last cut whose segment has been simulated
    */
   uint64_t cuts, done;
   /* simulated time, i.e. the total number of core cycles of all simulated segments */
   uint64_t cycles;
   bool told;                     /* true if live_tell() has printed an error message */
   struct sgt_live_counts counts; /* sum of the counters of all simulated segments */
   struct sgt_live_stamps stamps;
   struct list_head snapshots; /* list of the snapshots whose `counts` are not valid yet */
};

/* Encodes the index and the cause of a cut as a single number. The event store returns this mark
 * with the segment that the cut has ended.
 */
static uint64_t
mark_of(uint64_t cut, enum sgt_live_cause cause)
{
   return cut * SGT_LIVE_CAUSES + cause;
}

/* Returns true if this process is a forked child. A child doesn't have its parent's threads, and
 * its copy of the lock may be locked forever.
 */
static bool
is_child(const struct sgt_live *live)
{
   return live->process != getpid();
}

/* -- callbacks of the device and the store ----------------------------------------------------- */

/* Records which packet contains a timestamp. Returns `value`, which is the token of the timestamp,
 * so that the device writes the token back to the timestamp's memory.
 */
static uint64_t
take_timestamp(void *data, uint64_t submission, uint32_t packet, uint64_t value)
{
   struct sgt_live *live = data;

   pthread_mutex_lock(&live->lock);
   sgt_live_stamps_place(&live->stamps, value, submission, packet, live->cuts + 1);
   pthread_mutex_unlock(&live->lock);
   return value;
}

/* Appends a segment to the queue. If allocation fails, waits until the spare segment is free and
 * uses it instead.
 */
static void
take_segment(void *data, const struct sgt_store_segment *s)
{
   struct sgt_live *live = data;
   struct segment *segment = calloc(1, sizeof(*segment));

   pthread_mutex_lock(&live->lock);
   while (!segment && live->num_segments)
      pthread_cond_wait(&live->timed, &live->lock);
   segment = segment ? segment : &live->spare;
   segment->next = NULL;
   segment->s = *s;
   snprintf(segment->error, sizeof(segment->error), "%s", s->error);
   *live->last = segment;
   live->last = &segment->next;
   live->num_segments++;
   pthread_cond_signal(&live->work);
   pthread_mutex_unlock(&live->lock);
}

/* -- the thread ---------------------------------------------------------------------------- */

/* Simulates a segment and adds its statistics to `counts`. On failure, returns false and writes a
 * message to segment->error.
 */
static bool
live_run(const struct sgt_live *live, struct segment *segment, struct sgt_chip_result *result,
         struct sgt_live_counts *counts)
{
   const struct sgt_chip_params *params = &live->options.chip;
   const struct sgt_chip_observe observe = { .stacks = false };
   const size_t size = sizeof(segment->error);
   struct sgt_stats stats;

   struct sgt_chip *chip = sgt_chip_create(params, segment->s.trace, segment->s.work,
                                           segment->error, size);
   if (!chip)
      return false;
   bool ok = sgt_chip_observe(chip, &observe, result);
   if (!ok)
      snprintf(segment->error, size, "out of memory");
   ok = ok && sgt_chip_run(chip, segment->error, size);
   sgt_stats_init(&stats);
   if (ok) {
      sgt_chip_register(chip, &stats);
      ok = !stats.out_of_memory && sgt_stats_check(&stats, segment->error, size);
      if (stats.out_of_memory)
         snprintf(segment->error, size, "out of memory");
   }
   if (ok)
      sgt_live_counts_add(counts, params, &stats, sgt_chip_cycles(chip));
   sgt_stats_finish(&stats);
   sgt_chip_destroy(chip);
   return ok;
}

/* Prints an error message to stderr, unless a message has been printed before. The caller must hold
 * the lock.
 */
static void
live_tell(struct sgt_live *live, const char *error)
{
   if (live->told)
      return;
   live->told = true;
   fprintf(stderr,
           "sgpu: timing: %s: the segment counts as 0 cycles; further errors are not printed "
           "(SGPU_TIMING=...,log=FILE lists all)\n",
           error);
}

static uint32_t
count_draws(const struct sgt_trace *trace)
{
   uint32_t draws = 0;

   for (uint32_t i = 0; i < trace->num_operations; i++)
      draws += trace->operations[i].draw != UINT32_MAX;
   return draws;
}

static void
write_log(const struct sgt_live *live, const struct segment *segment, bool timed, uint64_t cycles,
          uint64_t total)
{
   const struct sgt_trace *trace = segment->s.trace;
   const struct sgt_live_segment line = {
      .cause = segment->s.cut ? segment->s.mark % SGT_LIVE_CAUSES : SGT_LIVE_LIMIT,
      .operations = trace ? trace->num_operations : 0,
      .draws = trace ? count_draws(trace) : 0,
      .cycles = cycles,
      .ns = sgt_live_ns(live, cycles),
      .total = total,
      .error = timed ? NULL : segment->error,
   };

   if (live->options.log[0])
      sgt_live_log(live->options.log, &line);
}

/* Fills in the counters of all snapshots whose last cut has been simulated. The caller must hold
 * the lock.
 */
static void
fill_snapshots(struct sgt_live *live)
{
   list_for_each_entry_safe(struct sgt_live_snapshot, s, &live->snapshots, link) {
      if (s->cut > live->done)
         continue;
      list_del(&s->link);
      s->counts = live->counts;
      s->filled = true;
   }
}

/* Simulates a segment, updates everything that depends on its results, and frees the segment. The
 * caller must hold the lock, which is released during the simulation.
 */
static void
time_segment(struct sgt_live *live, struct segment *segment)
{
   struct sgt_trace *trace = segment->s.trace;
   struct sgt_chip_result result = { 0 };
   struct sgt_live_counts counts = live->counts;
   const uint64_t base = live->cycles;
   const bool empty = trace && !trace->num_operations;

   pthread_mutex_unlock(&live->lock);
   const bool ran = trace && !empty && live_run(live, segment, &result, &counts);
   const uint64_t cycles = ran ? result.cycles : 0;
   write_log(live, segment, ran || empty, cycles, base + cycles);
   pthread_mutex_lock(&live->lock);

   if (!ran && !empty)
      live_tell(live, segment->error);
   sgt_live_stamps_time(&live->stamps, segment->s.submission, segment->s.packet, ran ? trace : NULL,
                        ran ? &result : NULL, base);
   live->cycles = base + cycles;
   if (ran)
      live->counts = counts;
   if (segment->s.cut)
      live->done = segment->s.mark / SGT_LIVE_CAUSES;
   fill_snapshots(live);
   pthread_mutex_unlock(&live->lock);

   sgt_chip_result_finish(&result);
   sgt_trace_destroy(trace);
   sgt_work_destroy(segment->s.work);
   if (segment != &live->spare)
      free(segment);
   pthread_mutex_lock(&live->lock);
   live->num_segments--;
   pthread_cond_broadcast(&live->timed);
}

static void *
live_main(void *data)
{
   struct sgt_live *live = data;

   pthread_mutex_lock(&live->lock);
   while (!live->stopping) {
      struct segment *segment = live->first;
      if (!segment) {
         pthread_cond_wait(&live->work, &live->lock);
         continue;
      }
      live->first = segment->next;
      if (!live->first)
         live->last = &live->first;
      time_segment(live, segment);
   }
   pthread_mutex_unlock(&live->lock);
   return NULL;
}

/* -- creation and destruction ------------------------------------------------------------------ */

/* Signals that report faults of the thread itself. They must not be blocked. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };

struct sgt_live *
sgt_live_create(const char *text, char *error, size_t error_size)
{
   struct sgt_live *live = calloc(1, sizeof(*live));

   if (!live) {
      snprintf(error, error_size, "out of memory");
      return NULL;
   }
   if (!sgt_live_options_parse(&live->options, text, error, error_size)) {
      free(live);
      return NULL;
   }
   snprintf(error, error_size, "out of memory");
   live->process = getpid();
   live->last = &live->first;
   list_inithead(&live->snapshots);
   pthread_mutex_init(&live->lock, NULL);
   pthread_cond_init(&live->work, NULL);
   pthread_cond_init(&live->timed, NULL);
   /* Start the new threads with all signals blocked except for faults, so that all other signals
    * are delivered to the application's own threads.
    */
   sigset_t blocked, before;
   sigfillset(&blocked);
   for (unsigned i = 0; i < ARRAY_SIZE(faults); i++)
      sigdelset(&blocked, faults[i]);
   pthread_sigmask(SIG_BLOCK, &blocked, &before);
   live->store = sgt_store_create(&(struct sgt_store_params){
      .classes = SGPU_OBSERVE_COVERAGE,
      .work = true,
      .segment = take_segment,
      .max_trace_bytes = MAX_BYTES,
      .timestamp = take_timestamp,
      .data = live,
   });
   live->started = sgt_live_stamps_init(&live->stamps) && live->store &&
                   pthread_create(&live->thread, NULL, live_main, live) == 0;
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   if (!live->started) {
      sgt_live_destroy(live);
      return NULL;
   }
   sgt_store_submissions(live->store, SGT_STORE_RECORD, 0);
   error[0] = 0;
   return live;
}

void
sgt_live_destroy(struct sgt_live *live)
{
   if (!live || is_child(live))
      return;
   if (live->started) {
      /* The log must contain all segments, so simulate the remaining ones. Without a log, their
       * results aren't needed.
       */
      if (live->options.log[0]) {
         sgt_live_cut(live, SGT_LIVE_END);
         sgt_live_wait(live);
      }
      pthread_mutex_lock(&live->lock);
      live->stopping = true;
      pthread_cond_signal(&live->work);
      pthread_mutex_unlock(&live->lock);
      pthread_join(live->thread, NULL);
   }
   sgt_store_destroy(live->store);
   while (live->first) {
      struct segment *segment = live->first;
      live->first = segment->next;
      sgt_trace_destroy(segment->s.trace);
      sgt_work_destroy(segment->s.work);
      if (segment != &live->spare)
         free(segment);
   }
   sgt_live_stamps_finish(&live->stamps);
   pthread_cond_destroy(&live->timed);
   pthread_cond_destroy(&live->work);
   pthread_mutex_destroy(&live->lock);
   free(live);
}

const struct sgpu_observer *
sgt_live_observer(struct sgt_live *live)
{
   return sgt_store_observer(live->store);
}

/* -- functions for the driver --------------------------------------------------------------- */

/* Waits while too many segments are waiting for simulation. The caller must hold the lock. */
static void
live_throttle(struct sgt_live *live)
{
   /* With a log, wait for each segment, so that the log is complete even if the application is
    * killed.
    */
   const uint64_t ahead = live->options.log[0] ? 0 : MAX_AHEAD;

   while (live->num_segments > ahead || live->cuts - live->done > ahead)
      pthread_cond_wait(&live->timed, &live->lock);
}

/* Ends the current segment if it contains any submissions. The caller must hold the lock. */
static void
live_cut(struct sgt_live *live, enum sgt_live_cause cause)
{
   if (live->dirty && sgt_store_cut(live->store, mark_of(live->cuts + 1, cause))) {
      live->cuts++;
      live->dirty = false;
   }
}

/* Waits until all segments up to cut `number` have been simulated. The caller must hold the lock.
 */
static void
wait_cut(struct sgt_live *live, uint64_t number)
{
   while (live->done < number)
      pthread_cond_wait(&live->timed, &live->lock);
}

void
sgt_live_submitted(struct sgt_live *live)
{
   if (is_child(live))
      return;
   pthread_mutex_lock(&live->lock);
   live->dirty = true;
   live_throttle(live);
   pthread_mutex_unlock(&live->lock);
}

void
sgt_live_cut(struct sgt_live *live, enum sgt_live_cause cause)
{
   if (is_child(live))
      return;
   pthread_mutex_lock(&live->lock);
   live_cut(live, cause);
   live_throttle(live);
   pthread_mutex_unlock(&live->lock);
}

bool
sgt_live_fences_wait(const struct sgt_live *live)
{
   return live->options.wait;
}

void
sgt_live_wait(struct sgt_live *live)
{
   if (is_child(live))
      return;
   pthread_mutex_lock(&live->lock);
   wait_cut(live, live->cuts);
   pthread_mutex_unlock(&live->lock);
}

/* Ends the current segment, waits until it has been simulated, and returns the simulated time. The
 * caller must hold the lock.
 */
static uint64_t
live_now(struct sgt_live *live)
{
   live_cut(live, SGT_LIVE_QUERY);
   wait_cut(live, live->cuts);
   return live->cycles;
}

uint64_t
sgt_live_now(struct sgt_live *live)
{
   if (is_child(live))
      return 0;
   pthread_mutex_lock(&live->lock);
   const uint64_t cycles = live_now(live);
   pthread_mutex_unlock(&live->lock);
   return cycles;
}

uint64_t
sgt_live_ns(const struct sgt_live *live, uint64_t cycles)
{
   const uint64_t mhz = live->options.chip.core_mhz;

   /* Divide first, because the product of cycles and 1000 can overflow 64 bits. */
   return cycles / mhz * 1000 + cycles % mhz * 1000 / mhz;
}

uint64_t
sgt_live_stamp_create(struct sgt_live *live)
{
   if (is_child(live))
      return 0;
   pthread_mutex_lock(&live->lock);
   const uint64_t token = sgt_live_stamps_add(&live->stamps);
   pthread_mutex_unlock(&live->lock);
   return token;
}

uint64_t
sgt_live_stamp_read(struct sgt_live *live, uint64_t token)
{
   uint64_t cycles;

   if (is_child(live))
      return 0;
   pthread_mutex_lock(&live->lock);
   const struct sgt_live_stamp *stamp = sgt_live_stamps_find(&live->stamps, token);
   if (stamp && stamp->state == SGT_LIVE_STAMP_PENDING) {
      if (stamp->cut > live->cuts)
         live_cut(live, SGT_LIVE_QUERY);
      while (stamp->state == SGT_LIVE_STAMP_PENDING && live->done < live->cuts)
         pthread_cond_wait(&live->timed, &live->lock);
   }
   if (stamp && stamp->state == SGT_LIVE_STAMP_DONE)
      cycles = stamp->cycles;
   else
      cycles = live_now(live);
   pthread_mutex_unlock(&live->lock);
   return cycles;
}

void
sgt_live_stamp_destroy(struct sgt_live *live, uint64_t token)
{
   if (!token || is_child(live))
      return;
   pthread_mutex_lock(&live->lock);
   sgt_live_stamps_remove(&live->stamps, token);
   pthread_mutex_unlock(&live->lock);
}

struct sgt_live_snapshot *
sgt_live_snapshot_create(struct sgt_live *live)
{
   struct sgt_live_snapshot *s = calloc(1, sizeof(*s));

   if (!s || is_child(live))
      return s;
   pthread_mutex_lock(&live->lock);
   live_cut(live, SGT_LIVE_COUNTER);
   s->cut = live->cuts;
   list_addtail(&s->link, &live->snapshots);
   fill_snapshots(live);
   live_throttle(live);
   pthread_mutex_unlock(&live->lock);
   return s;
}

void
sgt_live_snapshot_destroy(struct sgt_live *live, struct sgt_live_snapshot *s)
{
   if (!s || is_child(live)) {
      free(s);
      return;
   }
   pthread_mutex_lock(&live->lock);
   if (!s->filled)
      list_del(&s->link);
   pthread_mutex_unlock(&live->lock);
   free(s);
}

uint64_t
sgt_live_count(struct sgt_live *live, const struct sgt_live_snapshot *begin,
               const struct sgt_live_snapshot *end, unsigned counter)
{
   if (is_child(live))
      return 0;
   pthread_mutex_lock(&live->lock);
   wait_cut(live, end->cut);
   pthread_mutex_unlock(&live->lock);
   return sgt_live_counts_between(&begin->counts, &end->counts, counter);
}
