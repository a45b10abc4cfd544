/* SPDX-License-Identifier: MIT */
/*
 * The pool of workers: host threads without a role of their own, which take
 * whatever work is ready.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sgd_device.h"
#include "sgpu_fp.h"
#include "util/u_thread.h"

/* How long an idle worker looks for work before it sleeps. */
#define SGD_SPIN_NS 20000

static inline void
cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
   __builtin_ia32_pause();
#elif defined(__aarch64__)
   __asm__ volatile("yield");
#endif
}

/* Whether work has become ready within the time to spin. */
static bool
spin(struct sgpu_device *dev)
{
   const uint64_t end = sgd_time_ns() + SGD_SPIN_NS;
   do {
      for (unsigned i = 0; i < 32; i++) {
         if (atomic_load_explicit(&dev->ready_count, memory_order_relaxed))
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
   struct sgpu_device *dev = w->device;
   char name[16];

   snprintf(name, sizeof(name), "sgpu:%u", w->index);
   u_thread_setname(name);
   const uint64_t fp = sgpu_fp_enter();

   pthread_mutex_lock(&dev->lock);
   while (!dev->stopping) {
      if (sgd_dispatch_work(&dev->dispatch, w))
         continue;

      const uint64_t idle = sgd_time_ns();
      pthread_mutex_unlock(&dev->lock);
      const bool found = spin(dev);
      pthread_mutex_lock(&dev->lock);
      if (!found && !dev->stopping && !atomic_load(&dev->ready_count)) {
         dev->sleeping++;
         pthread_cond_wait(&dev->work, &dev->lock);
         dev->sleeping--;
      }
      dev->counters[SGPU_COUNTER_IDLE_NS] += sgd_time_ns() - idle;
   }
   pthread_mutex_unlock(&dev->lock);

   sgpu_fp_leave(fp);
   return NULL;
}

int
sgd_pool_start(struct sgpu_device *dev)
{
   if (dev->started)
      return 0;

   dev->threads = NULL;
   const unsigned count = dev->params.threads;
   if (posix_memalign((void **)&dev->threads, 64, count * sizeof(*dev->threads)))
      return -ENOMEM;
   memset(dev->threads, 0, count * sizeof(*dev->threads));

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

   dev->num_threads = 0;
   for (unsigned i = 0; i < count; i++) {
      struct sgd_thread *thread = &dev->threads[i];
      thread->worker.device = dev;
      thread->worker.index = i;
      thread->worker.core = &thread->core;
      thread->worker.watchdog = dev->params.watchdog_instructions;
      if (pthread_create(&thread->thread, NULL, worker_main, thread))
         break;
      dev->num_threads++;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);

   /* Fewer workers than asked for do the same work. */
   if (dev->num_threads == 0) {
      free(dev->threads);
      dev->threads = NULL;
      return -EAGAIN;
   }
   dev->started = true;
   return 0;
}

void
sgd_pool_stop(struct sgpu_device *dev)
{
   if (!dev->started)
      return;

   pthread_mutex_lock(&dev->lock);
   dev->stopping = true;
   pthread_cond_broadcast(&dev->work);
   pthread_mutex_unlock(&dev->lock);

   for (unsigned i = 0; i < dev->num_threads; i++) {
      struct sgd_worker *w = &dev->threads[i].worker;
      pthread_join(dev->threads[i].thread, NULL);
      if (w->front_free)
         w->front_free(w->front);
      if (w->raster_free)
         w->raster_free(w->raster);
      if (w->xfer_free)
         w->xfer_free(w->xfer);
      free(w->core->scratch);
   }
   free(dev->threads);
   dev->threads = NULL;
   dev->started = false;
}

void
sgd_pool_wake(struct sgpu_device *dev)
{
   /* One at most; who takes work wakes the next while work remains. */
   if (dev->sleeping && atomic_load_explicit(&dev->ready_count, memory_order_relaxed))
      pthread_cond_signal(&dev->work);
}
