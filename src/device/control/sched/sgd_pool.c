/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the worker pool. Each worker is a thread that runs whatever work is ready. An
 * application thread that waits can run work itself, so that a small frame doesn't have to wake
 * another thread.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "observe/records/sgd_observation.h"
#include "observe/records/sgd_work_observation.h"
#include "control/sched/sgd_futex.h"
#include "common/sgd_lock.h"
#include "control/sched/sgd_thread.h"
#include "common/sgd_time.h"
#include "control/sched/sgd_trace.h"
#include "observe/profile/sgd_profile.h"
#include "control/sched/sgd_virtual.h"
#include "sgpu_fp.h"
#include "util/u_thread.h"

/* How long an idle worker sleeps while other threads are busy, in ns. The time grows from
 * SGD_DOZE_NS to SGD_DOZE_MAX_NS.
 */
#define SGD_DOZE_NS 100000
#define SGD_DOZE_MAX_NS 1000000

/* Approximate time to wake up a thread, in ns. If the ready work takes less, no thread is woken for
 * it.
 */
#define SGD_WAKE_NS 10000

/* true while the calling thread runs a work item */
static _Thread_local bool runs_work;

static inline void
cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
   __builtin_ia32_pause();
#elif defined(__aarch64__)
   __asm__ volatile("yield");
#endif
}

/* Spins until work is ready or the waiter `w` (may be NULL) is done, but not longer than
 * SGD_SPIN_NS.
 */
static void
spin(struct sgd_sched *s, const struct sgd_waiter *w)
{
   const uint64_t end = sgd_time_ns() + SGD_SPIN_NS;
   do {
      for (unsigned i = 0; i < 32; i++) {
         if (atomic_load_explicit(&s->ready, memory_order_relaxed) ||
             (w && atomic_load_explicit(&w->done, memory_order_relaxed)))
            return;
         cpu_relax();
      }
   } while (sgd_time_ns() < end);
}

static uint64_t
now(const struct sgd_sched *s)
{
   return s->virtual ? sgd_virtual_now(s->virtual) : sgd_time_ns();
}

/* Updates the total idle time of all workers. Must be called before s->running changes. */
static void
count_idle(struct sgd_sched *s, uint64_t now)
{
   const unsigned running = MIN2(s->running, s->num_threads);

   s->counters[SGPU_COUNTER_IDLE_NS] += (s->num_threads - running) * (now - s->changed);
   s->changed = now;
}

void
sgd_sched_record(const struct sgd_sched *s, const char *name, uint64_t start, uint64_t end,
                 uint64_t number)
{
   sgd_trace_span(s->trace, name, start, end, number);
   sgd_profile_span(s->profile, name, end - start);
}

void
sgd_pool_run(struct sgd_sched *s, struct sgd_worker *w, struct sgd_work *work)
{
   const uint64_t start = now(s);
   struct sgd_share *share = work->share;

   if (share) {
      share->since = start;
      share->running++;
   }
   count_idle(s, start);
   s->running++;
   sgd_sched_update_ready(s);
   runs_work = true;
   /* The work item may be freed while it runs, so copy these members now. */
   const enum sgd_work_heap heap = work->heap;
   const char *name = work->name;
   const uint64_t key = work->key;
   if (s->profile)
      w->position.work = sgd_profile_name(s->profile, name);
   work->run(work, w);
   runs_work = false;
   w->position.work = 0;
   sgd_position_set(&w->position, &(struct sgd_place){ 0 });
   const uint64_t time = now(s) - start;
   uint64_t *lately = &s->piece_ns[heap];
   *lately = time > *lately ? time : *lately - (*lately - time) / 8;
   sgd_sched_record(s, name, start, start + time, key);
   s->counters[SGPU_COUNTER_BUSY_NS] += time;
   s->counters[SGPU_COUNTER_ENGINE_NS] += w->engine ? time : 0;
   w->engine = false;
   __atomic_store_n(&w->alone, false, __ATOMIC_RELAXED);
   count_idle(s, start + time);
   s->running--;
   if (share) {
      share->used_ns += time;
      share->running--;
   }
   sgd_sched_update_ready(s);
   if (s->paused && !s->running) {
      atomic_fetch_add(&s->stills, 1);
      sgd_futex_wake(&s->stills, INT_MAX);
   }
}

bool
sgd_pool_run_one(struct sgd_sched *s, struct sgd_worker *w)
{
   struct sgd_work *work = sgd_pool_may_take(s) ? sgd_sched_pop(s) : NULL;

   if (work)
      sgd_pool_run(s, w, work);
   return work != NULL;
}

void
sgd_pool_look(struct sgd_sched *s, const struct sgd_waiter *w)
{
   s->spinning++;
   pthread_mutex_unlock(&s->lock);
   spin(s, w);
   pthread_mutex_lock(&s->lock);
   s->spinning--;
}

/* Sleeps until the thread is woken. Returns true if this takes until the deadline. Called with the
 * lock held, and releases it during the sleep.
 */
static bool
sleep_until(struct sgd_sched *s, uint64_t deadline)
{
   const uint32_t wakes = atomic_load_explicit(&s->wakes, memory_order_relaxed);
   pthread_mutex_unlock(&s->lock);
   const bool late = sgd_futex_wait(&s->wakes, wakes, deadline);
   pthread_mutex_lock(&s->lock);
   return late;
}

/* Sleeps until there is ready work, or until the pool stops. While other threads are busy, workers
 * are not woken for each new work item. Instead, they sleep for a short time and check again.
 */
static void
sleep_for_work(struct sgd_sched *s)
{
   uint64_t doze = SGD_DOZE_NS;
   bool late = true;

   while (late && !s->stopping && !atomic_load(&s->ready)) {
      const bool dozes = s->running != 0;
      s->sleeping++;
      s->dozing += dozes;
      late = sleep_until(s, dozes ? sgd_time_ns() + doze : UINT64_MAX);
      s->dozing -= dozes;
      s->sleeping--;
      /* This worker is awake now, so clear the flag even if another one was supposed to wake up. */
      s->waking = false;
      doze = MIN2(2 * doze, SGD_DOZE_MAX_NS);
   }
}

static void
await_work(struct sgd_sched *s)
{
   if (s->virtual) {
      sgd_virtual_idle(s->virtual, &s->lock);
      return;
   }
   const uint64_t idle = sgd_time_ns();
   sgd_pool_look(s, NULL);
   const uint64_t looked = sgd_time_ns();
   sleep_for_work(s);
   const uint64_t end = sgd_time_ns();
   sgd_sched_record(s, "look for work", idle, looked, 0);
   sgd_sched_record(s, "sleep", looked, end, 0);
}

static void *
worker_main(void *data)
{
   struct sgd_thread *thread = data;
   struct sgd_worker *w = &thread->worker;
   struct sgd_sched *s = thread->sched;
   char name[16];

   snprintf(name, sizeof(name), "sgpu:%u", w->index);
   u_thread_setname(name);
   sgd_trace_thread(s->trace, name);
   sgd_profile_thread(s->profile, w);
   const uint64_t fp = sgpu_fp_enter();

   if (s->virtual)
      sgd_virtual_enter(s->virtual, w->index);
   pthread_mutex_lock(&s->lock);
   while (!s->stopping) {
      if (!sgd_pool_run_one(s, w))
         await_work(s);
   }
   pthread_mutex_unlock(&s->lock);
   if (s->virtual)
      sgd_virtual_leave(s->virtual);

   sgd_profile_thread(s->profile, NULL);
   sgpu_fp_leave(fp);
   return NULL;
}

/* Allocates the buffers in which the worker collects records for the observer. Returns false if out
 * of memory.
 */
static bool
observe(const struct sgd_sched *s, struct sgd_worker *w)
{
   w->observation = sgd_observation_create(s->observer->classes);
   if (s->observer->work)
      w->work = sgd_work_observation_create(s->memory);
   return w->observation && (w->work || !s->observer->work);
}

static void
observe_end(struct sgd_worker *w)
{
   sgd_observation_destroy(w->observation);
   sgd_work_observation_destroy(w->work);
}

/* Block signals, because application threads must handle them. Don't block faults of the thread
 * itself: SIGSEGV is used by layers that track mapped memory (as in Mesa's u_thread_create()), and
 * all of them by crash handlers. Don't block the profiler's signal either, whose handler takes no
 * locks.
 */
void
sgd_block_signals(sigset_t *old)
{
   static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
   sigset_t blocked;

   sigfillset(&blocked);
   for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
      sigdelset(&blocked, faults[i]);
   const int profiles = sgd_profile_signal();
   if (profiles > 0)
      sigdelset(&blocked, profiles);
   pthread_sigmask(SIG_BLOCK, &blocked, old);
}

void
sgd_sched_enter(struct sgd_sched *s, sigset_t *signals)
{
   sgd_block_signals(signals);
   pthread_mutex_lock(&s->lock);
}

void
sgd_sched_leave(struct sgd_sched *s, const sigset_t *signals)
{
   pthread_mutex_unlock(&s->lock);
   pthread_sigmask(SIG_SETMASK, signals, NULL);
}

static void
init_thread(struct sgd_sched *s, unsigned i)
{
   struct sgd_thread *thread = &s->threads[i];

   thread->sched = s;
   thread->worker.index = i;
   thread->worker.core = &thread->core;
   thread->worker.watchdog = s->watchdog;
}

int
sgd_pool_start(struct sgd_sched *s)
{
   if (s->started)
      return 0;

   s->threads = NULL;
   const unsigned count = s->wanted_threads;
   if (posix_memalign((void **)&s->threads, 64, (count + SGD_OTHER_THREADS) * sizeof(*s->threads)))
      return -ENOMEM;
   memset(s->threads, 0, (count + SGD_OTHER_THREADS) * sizeof(*s->threads));

   if (s->virtual_slow && !(s->virtual = sgd_virtual_create(count, s->virtual_slow))) {
      free(s->threads);
      s->threads = NULL;
      return -ENOMEM;
   }

   sigset_t old;
   sgd_block_signals(&old);

   s->num_threads = 0;
   for (unsigned i = 0; i < count; i++) {
      struct sgd_thread *thread = &s->threads[i];
      init_thread(s, i);
      if ((s->observer && !observe(s, &thread->worker)) ||
          pthread_create(&thread->thread, NULL, worker_main, thread)) {
         observe_end(&thread->worker);
         break;
      }
      s->num_threads++;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);

   for (unsigned i = 0; s->num_threads && i < SGD_OTHER_THREADS; i++)
      init_thread(s, s->num_threads + i);
   /* It is fine to have fewer workers than requested, but there must be at least one. */
   if (s->num_threads == 0) {
      sgd_virtual_destroy(s->virtual);
      s->virtual = NULL;
      free(s->threads);
      s->threads = NULL;
      return -EAGAIN;
   }
   s->changed = now(s);
   s->started = true;
   /* Ignore errors: without the watch, operations just have no time limits. */
   sgd_watch_start(s);
   return 0;
}

/* Frees the data of all threads, which must have exited. */
static void
free_threads(struct sgd_sched *s)
{
   for (unsigned i = 0; s->threads && i < s->num_threads + SGD_OTHER_THREADS; i++) {
      struct sgd_worker *w = &s->threads[i].worker;
      if (w->front_free)
         w->front_free(w->front);
      if (w->raster_free)
         w->raster_free(w->raster);
      if (w->compute_free)
         w->compute_free(w->compute);
      free(w->core->large_file);
      free(w->core->stack);
      observe_end(w);
   }
   free(s->threads);
   s->threads = NULL;
   s->started = false;
}

void
sgd_pool_stop(struct sgd_sched *s)
{
   if (!s->started) {
      sgd_watch_stop(s);
      return;
   }

   pthread_mutex_lock(&s->lock);
   s->stopping = true;
   atomic_fetch_add(&s->wakes, 1);
   sgd_futex_wake(&s->wakes, INT_MAX);
   if (s->virtual)
      sgd_virtual_stop(s->virtual);
   pthread_mutex_unlock(&s->lock);

   sgd_watch_stop(s);
   for (unsigned i = 0; i < s->num_threads; i++)
      pthread_join(s->threads[i].thread, NULL);
   free_threads(s);
   sgd_virtual_destroy(s->virtual);
   s->virtual = NULL;
}

bool
sgd_pool_pause(struct sgd_sched *s, uint64_t deadline)
{
   if (runs_work || !sgd_lock_before(&s->lock, deadline))
      return false;
   s->paused = true;
   sgd_sched_update_ready(s);
   bool late = false;
   while (s->running && !late) {
      const uint32_t stills = atomic_load_explicit(&s->stills, memory_order_relaxed);
      pthread_mutex_unlock(&s->lock);
      late = sgd_futex_wait(&s->stills, stills, deadline);
      pthread_mutex_lock(&s->lock);
   }
   if (!s->running)
      return true;
   sgd_pool_resume(s);
   return false;
}

void
sgd_pool_resume(struct sgd_sched *s)
{
   s->paused = false;
   sgd_sched_update_ready(s);
   sgd_pool_unlock(s);
}

void
sgd_pool_resume_child(struct sgd_sched *s)
{
   sgd_watch_after_fork_child(s);
   free_threads(s);
   s->sleeping = s->spinning = s->dozing = 0;
   s->waking = false;
   s->helper = NULL;
   s->trace = NULL;
   s->profile = NULL;
   s->paused = false;
   sgd_sched_update_ready(s);
   pthread_mutex_unlock(&s->lock);
}

void
sgd_pool_lock(struct sgd_sched *s)
{
   if (s->virtual)
      sgd_virtual_lock(s->virtual, &s->lock);
   else
      pthread_mutex_lock(&s->lock);
}

/* Returns true if the ready work takes long enough to be worth waking another thread. */
static bool
wake_pays(const struct sgd_sched *s)
{
   uint64_t time = 0;

   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++)
      time += s->heap[i].count * s->piece_ns[i];
   return !s->running || !s->dozing || time >= SGD_WAKE_NS;
}

/* Returns true if a thread must be woken. One is enough, because each thread that takes work wakes
 * another one if there is more.
 */
static bool
must_wake(const struct sgd_sched *s)
{
   return atomic_load_explicit(&s->ready, memory_order_relaxed) && !s->spinning && !s->waking &&
          wake_pays(s);
}

void
sgd_pool_unlock(struct sgd_sched *s)
{
   if (s->virtual) {
      sgd_virtual_unlock(s->virtual, &s->lock, atomic_load(&s->ready));
      return;
   }

   const bool due = must_wake(s), wake = due && s->sleeping;

   if (wake) {
      s->waking = true;
      atomic_fetch_add(&s->wakes, 1);
   } else if (due && s->helper && s->helper->sleeping) {
      sgd_waiter_wake(s->helper);
   }
   pthread_mutex_unlock(&s->lock);
   /* Do this without the lock, because the worker needs it when it wakes up. */
   if (wake)
      sgd_futex_wake(&s->wakes, 1);
}

void
sgd_pool_drain(struct sgd_sched *s)
{
   if (s->virtual && atomic_load(&s->ready))
      sgd_virtual_run(s->virtual, &s->lock);
}

uint64_t
sgd_pool_virtual_time(struct sgd_sched *s, bool of_lock)
{
   uint64_t total = 0, lock = 0;

   if (s->virtual)
      sgd_virtual_times(s->virtual, &total, &lock);
   return of_lock ? lock : total;
}
