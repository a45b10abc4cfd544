/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: ready work in two heaps, oldest first, and the pool of workers that run it.
 *
 * A piece of work is a function to run; the scheduler doesn't depend on operations, tiles or
 * queues. The scheduler's lock also protects all data of the dispatch unit and the queues. Work is
 * called with the lock held, and releases the lock while it computes (sgd_sched_unlock,
 * sgd_sched_relock).
 */
#ifndef SGD_SCHED_H
#define SGD_SCHED_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_worker.h"
#include "sgpu_device.h"

enum sgd_work_heap {
   SGD_WORK_EARLY, /* work that produces tile work: command processors, front ends */
   SGD_WORK_LATE,  /* work that needs a raster engine: tiles, batches, operations without tiles */
   SGD_WORK_HEAPS,
};

/* A queue's share of the workers' time. Shares are never freed before the scheduler, but are reused
 * for new queues.
 */
struct sgd_share {
   uint32_t ready;   /* number of ready pieces of work */
   uint32_t running; /* number of pieces of work that are running */
   /* total running time of the queue's work in ns; raised to turn_ns when the share gets work again
    */
   uint64_t used_ns;
   uint64_t since; /* time (sgd_time_ns) since which no ready work of the share has been taken */
   bool open;      /* the queue has not been destroyed */
   struct sgd_share *next; /* next share in s->shares */
};

/* A piece of work, embedded in its owner. */
struct sgd_work {
   /* Runs the work. Called with the lock held, and must return with the lock held. */
   void (*run)(struct sgd_work *work, struct sgd_worker *worker);
   const char *name; /* name in the trace */
   enum sgd_work_heap heap;
   uint32_t index;          /* index in its heap plus 1, or 0 if the work is not ready */
   uint64_t key;            /* position in program order; work with the lowest key runs first */
   struct sgd_share *share; /* share that the work belongs to, or NULL */
};

struct sgd_heap {
   struct sgd_work **work;
   uint32_t count, capacity;
   /* maximum number of pieces of work that can be ready at once; at most `capacity` */
   uint32_t reserved;
};

struct sgd_sched {
   pthread_mutex_t lock;
   _Atomic uint32_t wakes; /* futex word of idle workers */
   /* futex word of sgd_pool_pause(), which sleeps until no thread runs work */
   _Atomic uint32_t stills;
   struct sgd_heap heap[SGD_WORK_HEAPS];
   /* Number of pieces of work that a worker could take now. The padding keeps it on a separate
    * cache line, since spinning threads poll it.
    */
   uint8_t before_ready[64];
   _Atomic uint32_t ready;
   uint8_t behind_ready[64];
   /* number of threads that are running work, including the helper and the relief thread */
   unsigned running;
   uint64_t changed; /* time in ns when `running` last changed */
   bool pressure;    /* batches use a lot of memory, so late work is preferred */
   uint64_t random;  /* state of the random generator for random order; 0: oldest work first */
   struct sgd_share *shares;
   _Atomic unsigned open_shares; /* number of shares whose queue exists */
   unsigned waiting_shares;      /* number of shares with ready work */
   uint64_t turn_ns;             /* highest used_ns of any share at the time its work was taken */

   unsigned engines, engines_busy; /* number of raster engines; number of busy raster engines */
   unsigned sleeping, busy;        /* number of sleeping workers; number of computing threads */
   unsigned spinning;              /* number of threads that are spinning before they sleep */
   unsigned dozing; /* number of sleeping workers that will soon wake up without a signal */
   bool waking;     /* a sleeping worker has been woken but is not running yet */
   /* recent maximum time of a piece of work in each heap, in ns */
   uint64_t piece_ns[SGD_WORK_HEAPS];
   struct sgd_waiter *helper; /* application thread that runs work while it waits, or NULL */
   uint64_t help_end;         /* time (sgd_time_ns) at which the helper unblocks signals */
   bool started, stopping;
   bool paused;                /* no thread may take work, because a fork is in progress */
   unsigned num_threads;       /* number of workers */
   struct sgd_thread *threads; /* the num_threads workers, then the helper and the relief thread */
   struct sgd_watch *watch;    /* watch thread (sgd_watch.c), or NULL if not requested */
   unsigned wanted_threads;    /* number of workers to start */
   /* slowdown factor for sgd_virtual_create(); 0 if workers run in real time */
   unsigned virtual_slow;
   struct sgd_virtual *virtual;          /* virtual time of the workers, or NULL */
   uint64_t watchdog;                    /* maximum number of instructions that a warp may issue */
   const struct sgpu_observer *observer; /* observer, or NULL */
   const uint8_t *memory;                /* host address of device address 0, for the observer */
   struct sgd_trace *trace;              /* timeline trace, or NULL */
   /* sums over all workers, updated whenever a piece of work ends */
   uint64_t counters[SGPU_COUNTER_COUNT];
};

/* Initializes the scheduler. `memory` is the host address of device address 0. */
void sgd_sched_init(struct sgd_sched *s, const struct sgpu_device_params *params,
                    const uint8_t *memory);
/* Frees the scheduler's data. Must be called when no work is left and no worker runs. */
void sgd_sched_finish(struct sgd_sched *s);

/* The following functions must be called with the lock held. */
/* Reserves heap space for n more pieces of work, so that sgd_sched_push() can't fail. Returns false
 * on allocation failure.
 */
bool sgd_sched_reserve(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
void sgd_sched_release(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
/* Updates s->ready. Must be called after a change of any member that affects it. */
void sgd_sched_update_ready(struct sgd_sched *s);
/* Makes work ready. It must not be ready yet. */
void sgd_sched_push(struct sgd_sched *s, struct sgd_work *work, uint64_t key);
/* Takes the next piece of work. Returns NULL if no work is ready, or if it needs a raster engine
 * and none is free.
 */
struct sgd_work *sgd_sched_pop(struct sgd_sched *s);
/* Returns the oldest ready work of a heap without taking it, so that a piece of work can run more
 * work of the same kind. Returns NULL if no work is ready, or if work is taken in random order.
 */
struct sgd_work *sgd_sched_next(const struct sgd_sched *s, enum sgd_work_heap heap);
/* Takes ready work that the caller runs as part of its current piece of work. */
void sgd_sched_take(struct sgd_sched *s, struct sgd_work *work);
/* Takes the oldest work of a share. Returns NULL if no work is ready. */
struct sgd_work *sgd_sched_pop_share(struct sgd_sched *s, const struct sgd_share *share);
/* Returns a share for a new queue, or NULL on allocation failure. */
struct sgd_share *sgd_share_open(struct sgd_sched *s);
/* Releases the share of a queue that is being destroyed. */
void sgd_share_close(struct sgd_sched *s, struct sgd_share *share);
static inline bool
sgd_work_ready(const struct sgd_work *work)
{
   return work->index != 0;
}
/* Updates the counters for an item that is issued while `under_way` items are in flight, including
 * the new item: increments `issued`, adds `under_way` to `sum`, and updates the maximum `most`.
 */
static inline void
sgd_sched_count(struct sgd_sched *s, enum sgpu_counter issued, enum sgpu_counter sum,
                enum sgpu_counter most, uint64_t under_way)
{
   s->counters[issued]++;
   s->counters[sum] += under_way;
   if (s->counters[most] < under_way)
      s->counters[most] = under_way;
}
/* Release the lock before the computation of a piece of work, and acquire it again afterwards. */
void sgd_sched_unlock(struct sgd_sched *s);
void sgd_sched_relock(struct sgd_sched *s, struct sgd_worker *worker);
/* Like sgd_sched_unlock() and sgd_sched_relock(), for work that occupies a raster engine. */
void sgd_sched_unlock_engine(struct sgd_sched *s);
void sgd_sched_relock_engine(struct sgd_sched *s, struct sgd_worker *worker);

/* Functions in sgd_pool.c: */
/* Starts the workers unless they are running. Called with the lock held. Returns 0, -ENOMEM, or
 * -EAGAIN if no thread could be created.
 */
int sgd_pool_start(struct sgd_sched *s);
void sgd_pool_stop(struct sgd_sched *s); /* must be called without the lock */
/* Stops threads from taking more work, and waits until no thread runs work. Called without the
 * lock; returns true with the lock held. Returns false without the lock held if the deadline
 * (sgd_time_ns) has passed, or if the calling thread is running work itself.
 */
bool sgd_pool_pause(struct sgd_sched *s, uint64_t deadline);
/* Ends the pause and releases the lock. */
void sgd_pool_resume(struct sgd_sched *s);
/* Like sgd_pool_resume(), for the child of a fork. The child inherits the work but not the threads,
 * so sgd_pool_start() creates new threads.
 */
void sgd_pool_resume_child(struct sgd_sched *s);
void sgd_pool_lock(struct sgd_sched *s);
/* Releases the lock after work was pushed. Wakes at most one thread, which then wakes the next one,
 * or none if an awake thread will take the work soon.
 */
void sgd_pool_unlock(struct sgd_sched *s);

/* Acquires the lock on an application thread, and blocks signals of the thread. Signal handlers may
 * call the driver or end the process, so they must only run while the thread doesn't hold the lock:
 * before, after, or while it sleeps in sgd_pool_wait(). *signals is set to the previous mask, for
 * sgd_sched_leave().
 */
void sgd_sched_enter(struct sgd_sched *s, sigset_t *signals);
void sgd_sched_leave(struct sgd_sched *s, const sigset_t *signals);
/* Blocks all signals except for faults of the thread itself. *old is set to the previous mask. */
void sgd_block_signals(sigset_t *old);

/* Lets workers in virtual time run until no work is ready. Does nothing for workers in real time.
 * Called with the lock held, and temporarily releases it.
 */
void sgd_pool_drain(struct sgd_sched *s);
/* Returns the value of SGPU_PARAM_VIRTUAL_LOCK if `of_lock` is set, or of SGPU_PARAM_VIRTUAL_TIME
 * otherwise. Called without the lock.
 */
uint64_t sgd_pool_virtual_time(struct sgd_sched *s, bool of_lock);

/* Functions in sgd_watch.c, a thread that checks on the other threads several times a second: */

/* Activity of a thread since the previous check. */
struct sgd_watched {
   struct sgd_worker *worker;
   uint64_t worked_ns; /* CPU time used by the thread, in ns */
};

/* Requests a watch thread, which calls `look` several times a second while there is work, with the
 * lock held. Has no effect if the device has an observer or virtual time. Called with the lock
 * held. Returns 0 or -ENOMEM.
 */
int sgd_watch_want(struct sgd_sched *s,
                   void (*look)(void *data, const struct sgd_watched *watched, unsigned count),
                   void *data);
/* Wakes the watch thread because there is work. Called with the lock held. */
void sgd_watch_wake(struct sgd_sched *s);

/* Functions in sgd_wait.c: */
/* An application thread that waits for the result of some work. */
struct sgd_waiter {
   sigset_t signals;        /* signal mask of the thread before sgd_sched_enter() */
   struct sgd_share *share; /* share of the queue that the thread waits for, or NULL if unknown */
   _Atomic uint32_t wakes;  /* futex word that the thread sleeps on */
   /* The wait is over. Written with the lock held, but also read without it. */
   _Atomic bool done;
   bool sleeping;
};

/* Waits until w->done is set, or until `deadline` (sgd_time_ns; UINT64_MAX: none). Returns w->done.
 * Called with the lock held, after sgd_sched_enter() with w->signals.
 *
 * One thread at a time that waits without a deadline is the helper: it runs ready work in place of
 * a sleeping worker. If several queues have work, the helper only runs work of its own queue.
 */
bool sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline);
/* Ends the wait of w. Called with the lock held. */
void sgd_waiter_done(struct sgd_waiter *w);

#endif
