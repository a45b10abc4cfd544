/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim_work.h"

static uint64_t
clock_ns(clockid_t clock)
{
   struct timespec t;

   clock_gettime(clock, &t);
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

uint64_t
sim_thread_ns(void)
{
   return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Prints progress if enough time has passed since the last message.  The caller must hold the lock.
 */
static void
tell_progress(struct sim_work *w)
{
   const uint64_t now = clock_ns(CLOCK_MONOTONIC);
   const bool terminal = isatty(STDERR_FILENO);
   const bool last = w->units_done == w->count;
   const uint64_t all = w->parts ? w->parts : w->count;
   const uint64_t done = last ? all : w->parts ? w->parts_done : w->units_done;

   /* Don't print anything during the first second. */
   if (w->quiet || !done || now - w->begin_ns < 1000000000u)
      return;
   if (!last && now - w->told_ns < (terminal ? 100000000u : 10000000000u))
      return;
   w->told_ns = now;
   const double seconds = (now - w->begin_ns) / 1e9;
   fprintf(stderr, "%ssgpu: %" PRIu64 " of %" PRIu64 " runs, ", terminal ? "\r" : "", w->units_done,
           w->count);
   if (w->parts)
      fprintf(stderr, "%.0f %%, ", 100.0 * done / all);
   fprintf(stderr, "%.0f s, %.0f s left %s", seconds, seconds * (all - done) / done,
           terminal && !last ? "" : "\n");
}

void
sim_work_parts(struct sim_work *w, uint64_t parts)
{
   atomic_fetch_add(&w->parts_done, parts);
   if (pthread_mutex_trylock(&w->lock))
      return;
   tell_progress(w);
   pthread_mutex_unlock(&w->lock);
}

static void *
work_thread(void *data)
{
   struct sim_work *w = data;
   char error[SGT_ERROR_BYTES];

   for (;;) {
      const uint64_t unit = atomic_fetch_add(&w->next, 1);
      if (unit >= w->count)
         return NULL;
      const uint64_t begin = sim_thread_ns();
      const bool ok = w->run(w, unit, error, sizeof error);
      const uint64_t ns = sim_thread_ns() - begin;

      pthread_mutex_lock(&w->lock);
      w->units_done++;
      w->run_ns += ns;
      w->has_run[unit] = ok;
      if (!ok) {
         /* If several units fail, keep the error of the unit with the lowest index. */
         if (unit < w->failed)
            memcpy(w->error, error, sizeof error);
         w->failed = unit < w->failed ? unit : w->failed;
         atomic_store(&w->next, w->count);
      }
      while (w->done && w->told < w->count && w->has_run[w->told])
         w->done(w, w->told++);
      tell_progress(w);
      pthread_mutex_unlock(&w->lock);
   }
}

bool
sim_work_run(struct sim_work *w)
{
   const unsigned threads = w->count < w->threads ? w->count : w->threads;
   pthread_t *others = calloc(threads + 1, sizeof *others);
   unsigned started = 0;

   w->failed = UINT64_MAX;
   w->has_run = calloc(w->count + 1, sizeof *w->has_run);
   if (!others || !w->has_run) {
      fprintf(stderr, "sgpu: out of memory\n");
      free(others);
      free(w->has_run);
      return false;
   }
   pthread_mutex_init(&w->lock, NULL);
   w->begin_ns = clock_ns(CLOCK_MONOTONIC);
   while (started + 1 < threads && !pthread_create(&others[started], NULL, work_thread, w))
      started++;
   work_thread(w);
   for (unsigned i = 0; i < started; i++)
      pthread_join(others[i], NULL);
   free(others);
   free(w->has_run);
   w->has_run = NULL;
   pthread_mutex_destroy(&w->lock);
   return w->failed == UINT64_MAX;
}
