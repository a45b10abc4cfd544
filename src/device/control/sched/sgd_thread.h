/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: threads that run work, for the worker pool and the watch.
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

/* Indices of the threads after the workers: the application thread that helps while it waits, and
 * the relief thread of the watch.
 */
enum { SGD_THREAD_HELPER, SGD_THREAD_RELIEF, SGD_OTHER_THREADS };

static inline struct sgd_thread *
sgd_thread_other(const struct sgd_sched *s, unsigned which)
{
   return &s->threads[s->num_threads + which];
}

/* Time in ns that an idle worker spins before it sleeps. */
#define SGD_SPIN_NS 20000

static inline bool
sgd_pool_may_take(const struct sgd_sched *s)
{
   return s->running < s->num_threads && !s->paused;
}

/* Runs work that was taken from the scheduler. Called with the lock held. */
void sgd_pool_run(struct sgd_sched *s, struct sgd_worker *w, struct sgd_work *work);
/* Takes a piece of work and runs it. Returns false if no work is ready. Called with the lock held.
 */
bool sgd_pool_run_one(struct sgd_sched *s, struct sgd_worker *w);
/* Spins for up to SGD_SPIN_NS until work is ready, or until `waiter` (if not NULL) is done. Called
 * with the lock held, and temporarily releases it.
 */
void sgd_pool_look(struct sgd_sched *s, const struct sgd_waiter *waiter);
/* Wakes up a sleeping waiter. Called with the lock held. */
void sgd_waiter_wake(struct sgd_waiter *w);

/* Starts the watch thread if it was requested. Called with the lock held, after s->threads was
 * allocated. Returns false if the thread couldn't be created.
 */
bool sgd_watch_start(struct sgd_sched *s);
/* Stops the watch. Called without the lock, after s->stopping was set. */
void sgd_watch_stop(struct sgd_sched *s);
/* Resets the watch in the child of a fork, where none of the threads exist. */
void sgd_watch_after_fork_child(struct sgd_sched *s);

#endif
