/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the pool of workers.  A worker is a host thread that takes any
 * work that is ready.
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

/* Work has become ready within the time to spin. */
static bool
spin(struct sgd_sched *s)
{
   const uint64_t end = sgd_time_ns() + SGD_SPIN_NS;
   do {
      for (unsigned i = 0; i < 32; i++) {
         if (atomic_load_explicit(&s->ready, memory_order_relaxed))
            return true;
         cpu_relax();
      }
   } while (sgd_time_ns() < end);
   return false;
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
      struct sgd_work *work = sgd_sched_pop(s);
      if (work) {
         const uint64_t start = sgd_time_ns();
         work->run(work, w);
         const uint64_t time = sgd_time_ns() - start;
         s->counters[SGPU_COUNTER_BUSY_NS] += time;
         s->counters[SGPU_COUNTER_ENGINE_NS] += w->engine ? time : 0;
         w->engine = false;
         continue;
      }

      const uint64_t idle = sgd_time_ns();
      pthread_mutex_unlock(&s->lock);
      const bool found = spin(s);
      pthread_mutex_lock(&s->lock);
      if (!found && !s->stopping && !atomic_load(&s->ready)) {
         s->sleeping++;
         pthread_cond_wait(&s->wake, &s->lock);
         s->sleeping--;
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

int
sgd_pool_start(struct sgd_sched *s)
{
   if (s->started)
      return 0;

   s->threads = NULL;
   const unsigned count = s->wanted_threads;
   if (posix_memalign((void **)&s->threads, 64, count * sizeof(*s->threads)))
      return -ENOMEM;
   memset(s->threads, 0, count * sizeof(*s->threads));

   /* Signals are the application's, but for a worker's own faults: layers that
    * watch mapped memory catch SIGSEGV (as in Mesa's u_thread_create), crash
    * handlers the others.
    */
   static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
   sigset_t blocked, old;
   sigfillset(&blocked);
   for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
      sigdelset(&blocked, faults[i]);
   pthread_sigmask(SIG_BLOCK, &blocked, &old);

   s->num_threads = 0;
   for (unsigned i = 0; i < count; i++) {
      struct sgd_thread *thread = &s->threads[i];
      thread->sched = s;
      thread->worker.index = i;
      thread->worker.core = &thread->core;
      thread->worker.watchdog = s->watchdog;
      if ((s->observer && !observe(s, &thread->worker)) ||
          pthread_create(&thread->thread, NULL, worker_main, thread)) {
         observe_end(&thread->worker);
         break;
      }
      s->num_threads++;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);

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

   for (unsigned i = 0; i < s->num_threads; i++) {
      struct sgd_worker *w = &s->threads[i].worker;
      pthread_join(s->threads[i].thread, NULL);
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
   /* One at most: a worker that takes work wakes the next while work remains. */
   if (s->sleeping && atomic_load_explicit(&s->ready, memory_order_relaxed))
      pthread_cond_signal(&s->wake);
}
