/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: threads that run work, for the pool and for the watch.
 */
#ifndef SGD_THREAD_H
#define SGD_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "sgd_sched.h"

struct sgd_thread {
   struct sgd_worker worker;
   struct sgd_sched *sched;
   pthread_t thread;
   struct sgd_core core;
};

/* Behind the workers: the thread that waits and helps, and the watch's relief. */
enum { SGD_THREAD_HELPER, SGD_THREAD_RELIEF, SGD_OTHER_THREADS };

static inline struct sgd_thread *
sgd_thread_other(const struct sgd_sched *s, unsigned which)
{
   return &s->threads[s->num_threads + which];
}

/* How long an idle worker looks for work before it sleeps. */
#define SGD_SPIN_NS 20000

static inline bool
sgd_pool_may_take(const struct sgd_sched *s)
{
   return s->running < s->num_threads && !s->paused;
}

/* Lock held.  Runs work that was taken. */
void sgd_pool_run(struct sgd_sched *s, struct sgd_worker *w, struct sgd_work *work);
/* Lock held.  Takes work and runs it; false: there is none to take. */
bool sgd_pool_run_one(struct sgd_sched *s, struct sgd_worker *w);
/* Lock held, and dropped meanwhile.  Looks for work for SGD_SPIN_NS, or until `waiter`, if not
 * NULL, is done.
 */
void sgd_pool_look(struct sgd_sched *s, const struct sgd_waiter *waiter);
/* Lock held. */
void sgd_waiter_wake(struct sgd_waiter *w);

/* Lock held, the threads exist.  False: no thread. */
bool sgd_watch_start(struct sgd_sched *s);
/* Lock not held, s->stopping is set. */
void sgd_watch_stop(struct sgd_sched *s);
/* In the child of a fork, which has none of the threads. */
void sgd_watch_after_fork_child(struct sgd_sched *s);

#endif
