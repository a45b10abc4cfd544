/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: the threads that run work. Used by the worker pool and the watch.
 */
#ifndef SGD_THREAD_H
#define SGD_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "control/sched/sgd_sched.h"

struct sgd_thread {
   struct sgd_worker worker;
   struct sgd_sched *sched;
   pthread_t thread;
   struct sgd_core core;
};

/* Indices of the last threads, after all workers: the helper is an application thread that runs
 * work while it waits, and the relief thread is started by the watch.
 */
enum { SGD_THREAD_HELPER, SGD_THREAD_RELIEF, SGD_OTHER_THREADS };

static inline struct sgd_thread *
sgd_thread_other(const struct sgd_sched *s, unsigned which)
{
   return &s->threads[s->num_threads + which];
}

/* How long an idle worker spins before it goes to sleep, in ns. */
#define SGD_SPIN_NS 20000

static inline bool
sgd_pool_may_take(const struct sgd_sched *s)
{
   return s->running < s->num_threads && !s->paused;
}

/* Runs a work item that was taken from a heap. Called with the lock held. */
void sgd_pool_run(struct sgd_sched *s, struct sgd_worker *w, struct sgd_work *work);
/* Takes a work item and runs it. Returns false if none is ready. Called with the lock held. */
bool sgd_pool_run_one(struct sgd_sched *s, struct sgd_worker *w);
/* Spins until work is ready or `waiter` (may be NULL) is done, but not longer than SGD_SPIN_NS.
 * Called with the lock held, and releases it in the meantime.
 */
void sgd_pool_look(struct sgd_sched *s, const struct sgd_waiter *waiter);
/* Wakes up this thread, which must be sleeping. Called with the lock held. */
void sgd_waiter_wake(struct sgd_waiter *w);

/* Starts the watch thread if one was requested. The lock must be held, and s->threads must exist.
 * Returns false if the thread can't be created.
 */
bool sgd_watch_start(struct sgd_sched *s);
/* Stops the watch. The lock must not be held, and s->stopping must be set already. */
void sgd_watch_stop(struct sgd_sched *s);
/* Resets the watch in a forked child, which has none of the parent's other threads. */
void sgd_watch_after_fork_child(struct sgd_sched *s);

#endif
