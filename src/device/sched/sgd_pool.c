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
#include "sgpu_fp.h"
#include "util/u_thread.h"

/* How long an idle worker looks for work before it sleeps. */
#define SGD_SPIN_NS 20000

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

/* Until work is ready, or for the time to spin. */
static void
spin(struct sgd_sched *s)
{
   const uint64_t end = sgd_time_ns() + SGD_SPIN_NS;
   do {
      for (unsigned i = 0; i < 32; i++) {
         if (atomic_load_explicit(&s->ready, memory_order_relaxed))
            return;
         cpu_relax();
      }
   } while (sgd_time_ns() < end);
}

static bool
may_take(const struct sgd_sched *s)
{
   return s->running < s->num_threads;
}

static bool
run_one(struct sgd_sched *s, struct sgd_worker *w)
{
   struct sgd_work *work = may_take(s) ? sgd_sched_pop(s) : NULL;

   if (!work)
      return false;
   s->running++;
   sgd_sched_update_ready(s);
   const uint64_t start = sgd_time_ns();
   work->run(work, w);
   const uint64_t time = sgd_time_ns() - start;
   s->counters[SGPU_COUNTER_BUSY_NS] += time;
   s->counters[SGPU_COUNTER_ENGINE_NS] += w->engine ? time : 0;
   w->engine = false;
   s->running--;
   sgd_sched_update_ready(s);
   return true;
}

/* Lock held, and dropped meanwhile. */
static void
look_for_work(struct sgd_sched *s)
{
   s->spinning++;
   pthread_mutex_unlock(&s->lock);
   spin(s);
   pthread_mutex_lock(&s->lock);
   s->spinning--;
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
   const uint64_t fp = sgpu_fp_enter();

   pthread_mutex_lock(&s->lock);
   while (!s->stopping) {
      if (run_one(s, w))
         continue;

      const uint64_t idle = sgd_time_ns();
      look_for_work(s);
      if (!s->stopping && !atomic_load(&s->ready)) {
         s->sleeping++;
         pthread_cond_wait(&s->wake, &s->lock);
         s->sleeping--;
         if (s->waking)
            s->waking--;
      }
      s->counters[SGPU_COUNTER_IDLE_NS] += sgd_time_ns() - idle;
   }
   pthread_mutex_unlock(&s->lock);

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
      free(s->threads);
      s->threads = NULL;
      return -EAGAIN;
   }
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
      observe_end(w);
   }
   free(s->threads);
   s->threads = NULL;
   s->started = false;
}

void
sgd_pool_wake(struct sgd_sched *s)
{
   /* One at most: a thread that takes work wakes the next while work remains. */
   if (!atomic_load_explicit(&s->ready, memory_order_relaxed) || s->spinning || s->waking)
      return;
   if (s->sleeping) {
      s->waking++;
      pthread_cond_signal(&s->wake);
   } else if (s->helper && s->helper->sleeping) {
      pthread_cond_signal(&s->helper->cond);
   }
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
   if (!s->started || s->helper || s->observer || deadline != UINT64_MAX || !has_stack())
      return false;
   s->helper = w;
   return true;
}

static void
end_help(struct sgd_sched *s)
{
   s->helper = NULL;
   sgd_pool_wake(s);
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

/* 0, or an error of pthread_cond_timedwait. */
static int
sleep_until(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   const struct timespec t = {
      .tv_sec = deadline / 1000000000u,
      .tv_nsec = deadline % 1000000000u,
   };
   int ret;

   w->sleeping = true;
   if (deadline == UINT64_MAX)
      ret = pthread_cond_wait(&w->cond, &s->lock);
   else
      ret = pthread_cond_timedwait(&w->cond, &s->lock, &t);
   w->sleeping = false;
   return ret;
}

bool
sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   pthread_condattr_t attr;

   if (w->done)
      return true;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&w->cond, &attr);
   pthread_condattr_destroy(&attr);

   const bool helps = begin_help(s, w, deadline);
   int ret = 0;
   while (!w->done && ret == 0) {
      if (!helps || !help(s))
         ret = sleep_until(s, w, deadline);
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
