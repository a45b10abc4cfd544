/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: application threads wait for work to be done, and can run some of it themselves.
 */
#include <signal.h>

#include "control/sched/sgd_futex.h"
#include "control/sched/sgd_thread.h"
#include "common/sgd_time.h"
#include "observe/profile/sgd_profile.h"
#include "sgpu_fp.h"
#include "util/macros.h"

/* How long an application thread runs work with its signals blocked, in ns. */
#define SGD_HELP_NS 10000000

/* An application thread only runs work if it has at least this much stack left, in bytes. */
#define SGD_HELPER_STACK (512 * 1024)

void
sgd_waiter_wake(struct sgd_waiter *w)
{
   atomic_fetch_add(&w->wakes, 1);
   sgd_futex_wake(&w->wakes, 1);
}

/* Returns true if the calling thread has enough stack left to run work. */
static bool
has_stack(void)
{
   /* End of the stack, which grows down. 0 until it has been determined, and UINTPTR_MAX if
    * unknown.
    */
   static _Thread_local uintptr_t lowest;
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

/* Makes this thread the helper. Returns false if that is not possible. */
static bool
begin_help(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   /* A thread with a deadline can't be the helper, because a work item may take arbitrarily long.
    * If there is an observer, only workers have the necessary buffers.
    */
   if (!s->started || s->helper || s->observer || s->virtual || deadline != UINT64_MAX ||
       !has_stack())
      return false;
   s->helper = w;
   s->help_end = sgd_time_ns() + SGD_HELP_NS;
   sgd_thread_other(s, SGD_THREAD_HELPER)->thread = pthread_self();
   return true;
}

static void
end_help(struct sgd_sched *s)
{
   s->helper = NULL;
   sgd_pool_unlock(s);
   pthread_mutex_lock(&s->lock);
}

/* Takes a work item for the helper, a thread that works while it waits for a queue. If several
 * queues have work, the helper only takes items from its own queue: an item from another queue
 * could take much longer than the wait.
 */
static struct sgd_work *
take(struct sgd_sched *s)
{
   unsigned busy = 0;

   if (!sgd_pool_may_take(s))
      return NULL;
   for (const struct sgd_share *share = s->shares; share; share = share->next)
      busy += share->ready || share->running;
   if (busy <= 1)
      return sgd_sched_pop(s);
   return s->helper->share ? sgd_sched_pop_share(s, s->helper->share) : NULL;
}

/* Runs work until the waiter is done or no work is left. Also stops at the time s->help_end, when
 * signals must be unblocked. Returns false if there was no work at all.
 */
static bool
help(struct sgd_sched *s)
{
   if (!sgd_pool_may_take(s) || !atomic_load_explicit(&s->ready, memory_order_relaxed))
      return false;
   const uint64_t fp = sgpu_fp_enter();
   struct sgd_worker *w = &sgd_thread_other(s, SGD_THREAD_HELPER)->worker;
   struct sgd_work *work;
   bool any = false;
   sgd_profile_thread(s->profile, w);
   while (!s->helper->done && (work = take(s))) {
      sgd_pool_run(s, w, work);
      any = true;
      if (sgd_time_ns() >= s->help_end)
         break;
   }
   sgd_profile_thread(s->profile, NULL);
   sgpu_fp_leave(fp);
   return any;
}

/* Lets handlers of pending signals run. Called with the lock held, and temporarily releases it. */
static void
let_signals_in(struct sgd_sched *s, struct sgd_waiter *w)
{
   sgd_sched_leave(s, &w->signals);
   sgd_sched_enter(s, &w->signals);
}

/* Sleeps until the thread is woken or a signal handler has run, and then returns false. Returns
 * true at the deadline. Called with the lock held, and releases it during the sleep.
 */
static bool
sleep_of_waiter(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   const uint32_t wakes = atomic_load_explicit(&w->wakes, memory_order_relaxed);

   w->sleeping = true;
   pthread_mutex_unlock(&s->lock);
   pthread_sigmask(SIG_SETMASK, &w->signals, NULL);
   const bool late = sgd_futex_wait(&w->wakes, wakes, deadline);
   sgd_sched_enter(s, &w->signals);
   w->sleeping = false;
   return late;
}

/* Returns true if the wait will probably end before a sleeping thread could wake up. In this case,
 * other threads are running short work items, and fewer threads are running than there are workers,
 * so there is a CPU to spin on.
 */
static bool
end_is_near(const struct sgd_sched *s)
{
   uint64_t longest = 0;

   for (unsigned i = 0; i < SGD_WORK_HEAPS; i++)
      longest = MAX2(longest, s->piece_ns[i]);
   return s->running && sgd_pool_may_take(s) && !s->spinning && longest <= 2 * SGD_SPIN_NS;
}

bool
sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline)
{
   sgd_pool_drain(s);
   if (w->done)
      return true;

   const bool helps = begin_help(s, w, deadline);
   bool late = false;
   while (!w->done && !late) {
      if (helps && sgd_time_ns() >= s->help_end) {
         let_signals_in(s, w);
         s->help_end = sgd_time_ns() + SGD_HELP_NS;
         continue;
      }
      if (helps && help(s))
         continue;
      if (helps && end_is_near(s)) {
         sgd_pool_look(s, w);
         if (w->done || help(s))
            continue;
      }
      late = sleep_of_waiter(s, w, deadline);
      if (helps)
         s->help_end = sgd_time_ns() + SGD_HELP_NS;
   }
   if (helps)
      end_help(s);
   return w->done;
}

void
sgd_waiter_done(struct sgd_waiter *w)
{
   w->done = true;
   if (w->sleeping)
      sgd_waiter_wake(w);
}
