/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the pool of workers.  A worker is a host thread that takes any
 * work that is ready.  A thread of the program that waits is one, too: it takes
 * the place of a worker, so that a small frame needs no other thread to wake.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "observe/sgd_observation.h"
#include "observe/sgd_work_observation.h"
#include "sgd_sched.h"
#include "sgd_time.h"
#include "sgd_trace.h"
#include "sgd_virtual.h"
#include "sgpu_fp.h"
#include "util/u_thread.h"

/* How long an idle worker looks for work before it sleeps. */
#define SGD_SPIN_NS 20000

/* How long it then sleeps while others work, the first time and at most. */
#define SGD_DOZE_NS 100000
#define SGD_DOZE_MAX_NS 1000000

/* Work of less than this is sooner done than a thread is woken for it. */
#define SGD_WAKE_NS 10000

/* Bytes of stack that a thread of the program must have left to run work. */
#define SGD_HELPER_STACK (512 * 1024)

struct sgd_thread {
   struct sgd_worker worker;
   struct sgd_sched *sched;
   pthread_t thread;
   struct sgd_core core;
};

static inline void
cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
   __builtin_ia32_pause();
#elif defined(__aarch64__)
   __asm__ volatile("yield");
#endif
}

/* Until work is ready, or `w`, if not NULL, is done, or for the time to spin. */
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

static bool
may_take(const struct sgd_sched *s)
{
   return s->running < s->num_threads;
}

/* Before the number of threads that run work changes. */
static void
count_idle(struct sgd_sched *s, uint64_t now)
{
   s->counters[SGPU_COUNTER_IDLE_NS] += (s->num_threads - s->running) * (now - s->changed);
   s->changed = now;
}

static bool
run_one(struct sgd_sched *s, struct sgd_worker *w)
{
   struct sgd_work *work = may_take(s) ? sgd_sched_pop(s) : NULL;

   if (!work)
      return false;
   const uint64_t start = now(s);
   count_idle(s, start);
   s->running++;
   sgd_sched_update_ready(s);
   /* The piece may be gone when it has run. */
   const enum sgd_work_heap heap = work->heap;
   const char *name = work->name;
   const uint64_t key = work->key;
   work->run(work, w);
   const uint64_t time = now(s) - start;
   uint64_t *lately = &s->piece_ns[heap];
   *lately = time > *lately ? time : *lately - (*lately - time) / 8;
   sgd_trace_span(s->trace, name, start, start + time, key);
   s->counters[SGPU_COUNTER_BUSY_NS] += time;
   s->counters[SGPU_COUNTER_ENGINE_NS] += w->engine ? time : 0;
   w->engine = false;
   count_idle(s, start + time);
   s->running--;
   sgd_sched_update_ready(s);
   return true;
}

/* Lock held, and dropped meanwhile.  `w` as of spin(). */
static void
look_for_work(struct sgd_sched *s, const struct sgd_waiter *w)
{
   s->spinning++;
   pthread_mutex_unlock(&s->lock);
   spin(s, w);
   pthread_mutex_lock(&s->lock);
   s->spinning--;
}

static int
wait_until(struct sgd_sched *s, pthread_cond_t *cond, uint64_t deadline)
{
   const struct timespec t = {
      .tv_sec = deadline / 1000000000u,
      .tv_nsec = deadline % 1000000000u,
   };
   return deadline == UINT64_MAX ? pthread_cond_wait(cond, &s->lock)
                                 : pthread_cond_timedwait(cond, &s->lock, &t);
}

/* While others work, it is not woken for every piece, and looks by itself. */
static void
sleep_for_work(struct sgd_sched *s)
{
   uint64_t doze = SGD_DOZE_NS;
   int ret = ETIMEDOUT;

   while (ret == ETIMEDOUT && !s->stopping && !atomic_load(&s->ready)) {
      const bool dozes = s->running != 0;
      s->sleeping++;
      s->dozing += dozes;
      ret = wait_until(s, &s->wake, dozes ? sgd_time_ns() + doze : UINT64_MAX);
      s->dozing -= dozes;
      s->sleeping--;
      /* Also where another sleeper was meant: its time was over, too. */
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
   look_for_work(s, NULL);
   const uint64_t looked = sgd_time_ns();
   sleep_for_work(s);
   const uint64_t end = sgd_time_ns();
   sgd_trace_span(s->trace, "look for work", idle, looked, 0);
   sgd_trace_span(s->trace, "sleep", looked, end, 0);
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
   const uint64_t fp = sgpu_fp_enter();

   if (s->virtual)
      sgd_virtual_enter(s->virtual, w->index);
   pthread_mutex_lock(&s->lock);
   while (!s->stopping) {
      if (!run_one(s, w))
         await_work(s);
   }
   pthread_mutex_unlock(&s->lock);
   if (s->virtual)
      sgd_virtual_leave(s->virtual);

   sgpu_fp_leave(fp);
   return NULL;
}

/* False: out of memory. */
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

/* Signals are the application's, but for a worker's own faults: layers that
 * watch mapped memory catch SIGSEGV (as in Mesa's u_thread_create), crash
 * handlers the others.
 */
static void
block_signals(sigset_t *old)
{
   static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
   sigset_t blocked;

   sigfillset(&blocked);
   for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
      sigdelset(&blocked, faults[i]);
   pthread_sigmask(SIG_BLOCK, &blocked, old);
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
   if (posix_memalign((void **)&s->threads, 64, (count + 1) * sizeof(*s->threads)))
      return -ENOMEM;
   memset(s->threads, 0, (count + 1) * sizeof(*s->threads));

   if (s->virtual_slow && !(s->virtual = sgd_virtual_create(count, s->virtual_slow))) {
      free(s->threads);
      s->threads = NULL;
      return -ENOMEM;
   }

   sigset_t old;
   block_signals(&old);

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

   if (s->num_threads)
      init_thread(s, s->num_threads);
   /* Fewer workers than asked for do the same work. */
   if (s->num_threads == 0) {
      sgd_virtual_destroy(s->virtual);
      s->virtual = NULL;
      free(s->threads);
      s->threads = NULL;
      return -EAGAIN;
   }
   s->changed = now(s);
   s->started = true;
   return 0;
}

void
sgd_pool_stop(struct sgd_sched *s)
{
   if (!s->started)
      return;

   pthread_mutex_lock(&s->lock);
   s->stopping = true;
   pthread_cond_broadcast(&s->wake);
   if (s->virtual)
      sgd_virtual_stop(s->virtual);
   pthread_mutex_unlock(&s->lock);

   for (unsigned i = 0; i < s->num_threads; i++)
      pthread_join(s->threads[i].thread, NULL);
   for (unsigned i = 0; i <= s->num_threads; i++) {
      struct sgd_worker *w = &s->threads[i].worker;
      if (w->front_free)
         w->front_free(w->front);
      if (w->raster_free)
         w->raster_free(w->raster);
      if (w->compute_free)
         w->compute_free(w->compute);
      free(w->core->scratch);
      free(w->core->stack);
      observe_end(w);
   }
   free(s->threads);
   s->threads = NULL;
   sgd_virtual_destroy(s->virtual);
   s->virtual = NULL;
   s->started = false;
}

void
sgd_pool_lock(struct sgd_sched *s)
{
   if (s->virtual)
      sgd_virtual_lock(s->virtual, &s->lock);
   else
      pthread_mutex_lock(&s->lock);
}

/* The work that is ready is worth a thread more. */
static bool
wake_pays(const struct sgd_sched *s)
{
   uint64_t time = 0;

   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++)
      time += s->heap[i].count * s->piece_ns[i];
   return !s->running || !s->dozing || time >= SGD_WAKE_NS;
}

/* One at most: a thread that takes work wakes the next while work remains. */
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

   if (wake)
      s->waking = true;
   else if (due && s->helper && s->helper->sleeping)
      pthread_cond_signal(&s->helper->cond);
   pthread_mutex_unlock(&s->lock);
   /* One that is woken earlier finds the lock taken. */
   if (wake)
      pthread_cond_signal(&s->wake);
}

/* The rest of the thread's stack is large enough for a piece of work. */
static bool
has_stack(void)
{
   static _Thread_local uintptr_t lowest; /* UINTPTR_MAX: not known */
   const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

#ifdef __GLIBC__
   pthread_attr_t attr;
   if (!lowest && !pthread_getattr_np(pthread_self(), &attr)) {
      void *base;
      size_t size;
      if (!pthread_attr_getstack(&attr, &base, &size))
         lowest = (uintptr_t)base;
      pthread_attr_destroy(&attr);
   }
#endif
   if (!lowest)
      lowest = UINTPTR_MAX;
   return lowest < here && here - lowest >= SGD_HELPER_STACK;
}

static bool
begin_help(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   /* A piece of work takes as long as it takes.  An observer has workers of its own. */
   if (!s->started || s->helper || s->observer || s->virtual || deadline != UINT64_MAX ||
       !has_stack())
      return false;
   s->helper = w;
   return true;
}

static void
end_help(struct sgd_sched *s)
{
   s->helper = NULL;
   sgd_pool_unlock(s);
   pthread_mutex_lock(&s->lock);
}

/* Signal handlers of the program may end it, which waits for the work. */
static bool
help(struct sgd_sched *s)
{
   sigset_t old;

   if (!may_take(s) || !atomic_load_explicit(&s->ready, memory_order_relaxed))
      return false;
   block_signals(&old);
   const uint64_t fp = sgpu_fp_enter();
   while (!s->helper->done && run_one(s, &s->threads[s->num_threads].worker))
      ;
   sgpu_fp_leave(fp);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return true;
}

/* What the helper waits for may end sooner than it would be woken: short pieces run, the last
 * ones maybe, and a worker's place, so a processor, is free for it to look.
 */
static bool
end_is_near(const struct sgd_sched *s)
{
   uint64_t longest = 0;

   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++)
      longest = MAX2(longest, s->piece_ns[i]);
   return s->running && may_take(s) && !s->spinning && longest <= 2 * SGD_SPIN_NS;
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

bool
sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   pthread_condattr_t attr;

   sgd_pool_drain(s);
   if (w->done)
      return true;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&w->cond, &attr);
   pthread_condattr_destroy(&attr);

   const bool helps = begin_help(s, w, deadline);
   int ret = 0;
   while (!w->done && ret == 0) {
      if (helps && help(s))
         continue;
      if (helps && end_is_near(s)) {
         look_for_work(s, w);
         if (w->done || help(s))
            continue;
      }
      w->sleeping = true;
      ret = wait_until(s, &w->cond, deadline);
      w->sleeping = false;
   }
   if (helps)
      end_help(s);
   pthread_cond_destroy(&w->cond);
   return w->done;
}

void
sgd_waiter_done(struct sgd_waiter *w)
{
   w->done = true;
   if (w->sleeping)
      pthread_cond_signal(&w->cond);
}
