/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: ready work in two heaps, oldest first, and the pool of workers that take it.  A piece
 * of work has a function that runs it; the scheduler does not depend on operations, tiles or
 * queues.
 *
 * The scheduler's lock also protects all data of the dispatch unit and the queues.  Work is called
 * with the lock held, and releases it while it computes (sgd_sched_unlock, sgd_sched_relock).
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
   SGD_WORK_EARLY, /* makes work for the tiles: command processors, front ends */
   SGD_WORK_LATE,  /* needs a raster engine: tiles, batches, operations without tiles */
   SGD_WORK_HEAPS,
};

/* The work of a queue, as one of several queues that share the workers' time.  Shares are kept
 * until the scheduler ends, and used again.
 */
struct sgd_share {
   uint32_t ready;         /* number of pieces of work that are ready */
   uint32_t running;       /* number of pieces of work that threads run */
   uint64_t used_ns;       /* time in ns that threads have run its work; raised to turn_ns when the
                            * share gets work again */
   uint64_t since;         /* time (sgd_time_ns) since which no ready work was taken */
   bool open;              /* the queue exists */
   struct sgd_share *next; /* next in s->shares */
};

/* A piece of work.  Embedded in its owner. */
struct sgd_work {
   /* Runs the work.  Called with the lock held, and returns with the lock held. */
   void (*run)(struct sgd_work *work, struct sgd_worker *worker);
   const char *name; /* name in the time line */
   enum sgd_work_heap heap;
   uint32_t index;          /* index in its heap, plus 1; 0 if the work is not ready */
   uint64_t key;            /* position in program order: the lowest key runs first */
   struct sgd_share *share; /* share of the queue, or NULL */
};

struct sgd_heap {
   struct sgd_work **work;
   uint32_t count, capacity;
   uint32_t reserved; /* maximum number of pieces of work that may be ready at once; at most
                       * `capacity` */
};

struct sgd_sched {
   pthread_mutex_t lock;
   _Atomic uint32_t wakes;  /* futex word that idle workers sleep on */
   _Atomic uint32_t stills; /* futex word that sgd_pool_pause() sleeps on until no thread runs
                             * work */
   struct sgd_heap heap[SGD_WORK_HEAPS];
   /* Number of pieces of work that a worker could take.  Spinning threads read it, so no other
    * member that threads write shares its cache line.
    */
   uint8_t before_ready[64];
   _Atomic uint32_t ready;
   uint8_t behind_ready[64];
   unsigned running; /* number of threads that run work, including the helper and the relief */
   uint64_t changed; /* time when `running` last changed, in ns */
   bool pressure;    /* batches use much memory, so late work goes first */
   uint64_t random;  /* state of the random selection of work; 0: the oldest goes first */
   struct sgd_share *shares;
   _Atomic unsigned open_shares; /* number of shares whose queue exists */
   unsigned waiting_shares;      /* number of shares with ready work */
   uint64_t turn_ns;             /* highest used_ns of a share when its work was taken */

   unsigned engines, engines_busy; /* number of raster engines, and of busy ones */
   unsigned sleeping, busy;        /* number of workers that sleep, and of threads that compute */
   unsigned spinning;              /* number of threads that spin before they sleep */
   unsigned dozing;                /* number of sleeping workers that wake up soon on their own */
   bool waking;                    /* a sleeping worker was woken and does not run yet */
   uint64_t piece_ns[SGD_WORK_HEAPS]; /* recent maximum time of a piece of work, in ns */
   struct sgd_waiter *helper;         /* thread that runs work while it waits, or NULL */
   uint64_t help_end;                 /* time (sgd_time_ns) from which the helper lets signals in */
   bool started, stopping;
   bool paused;                 /* no thread may take work, because of a fork */
   unsigned num_threads;        /* number of workers */
   struct sgd_thread *threads;  /* num_threads workers, the helper, and the relief */
   struct sgd_watch *watch;     /* the watch (sgd_watch.c), or NULL if it was not requested */
   unsigned wanted_threads;     /* number of workers to start */
   unsigned virtual_slow;       /* 0 for workers in real time; otherwise for sgd_virtual_create() */
   struct sgd_virtual *virtual; /* simulated time of the workers, or NULL */
   uint64_t watchdog;           /* maximum number of instructions that a warp may issue */
   const struct sgpu_observer *observer;  /* observer, or NULL */
   const uint8_t *memory;                 /* host address of device address 0, for the observer */
   struct sgd_trace *trace;               /* time line, or NULL */
   uint64_t counters[SGPU_COUNTER_COUNT]; /* sums over all workers, updated when work ends */
};

/* `memory` is the host address of device address 0. */
void sgd_sched_init(struct sgd_sched *s, const struct sgpu_device_params *params,
                    const uint8_t *memory);
/* Called when no work is left and no worker runs. */
void sgd_sched_finish(struct sgd_sched *s);

/* The following functions are called with the lock held. */
/* Reserves space for n more pieces of work, which sgd_sched_push() needs.  Returns false if out of
 * memory.
 */
bool sgd_sched_reserve(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
void sgd_sched_release(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
/* Updates s->ready, after a member that it depends on has changed. */
void sgd_sched_update_ready(struct sgd_sched *s);
/* Makes work ready, which must not be ready yet. */
void sgd_sched_push(struct sgd_sched *s, struct sgd_work *work, uint64_t key);
/* Takes the next work.  Returns NULL if no work is ready, or if it needs an engine and none is
 * free.
 */
struct sgd_work *sgd_sched_pop(struct sgd_sched *s);
/* Returns the oldest ready work of a heap without taking it, so that a piece of work can run more
 * of the same kind.  Returns NULL if there is none, or if work is taken in random order.
 */
struct sgd_work *sgd_sched_next(const struct sgd_sched *s, enum sgd_work_heap heap);
/* Takes ready work, which the caller runs as a part of its own piece of work. */
void sgd_sched_take(struct sgd_sched *s, struct sgd_work *work);
/* Takes the oldest work of a share.  Returns NULL if there is none. */
struct sgd_work *sgd_sched_pop_share(struct sgd_sched *s, const struct sgd_share *share);
/* Returns a share for a new queue, or NULL if out of memory. */
struct sgd_share *sgd_share_open(struct sgd_sched *s);
/* Gives back the share of a queue that ends. */
void sgd_share_close(struct sgd_sched *s, struct sgd_share *share);
static inline bool
sgd_work_ready(const struct sgd_work *work)
{
   return work->index != 0;
}
/* Counts an item that is issued, while `under_way` items are in progress, including this one.
 * Increments counter `issued`, adds `under_way` to `sum`, and updates the maximum `most`.
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
/* Release and take the lock before and after the computation of a piece of work. */
void sgd_sched_unlock(struct sgd_sched *s);
void sgd_sched_relock(struct sgd_sched *s, struct sgd_worker *worker);
/* Do the same for work that occupies a raster engine. */
void sgd_sched_unlock_engine(struct sgd_sched *s);
void sgd_sched_relock_engine(struct sgd_sched *s, struct sgd_worker *worker);

/* sgd_pool.c */
/* Starts the workers if they do not run.  Called with the lock held.  Returns 0, -ENOMEM, or
 * -EAGAIN if no thread could be created.
 */
int sgd_pool_start(struct sgd_sched *s);
void sgd_pool_stop(struct sgd_sched *s); /* called without the lock */
/* Lets no thread take work any more, and waits until no thread runs work.  Called without the lock;
 * returns true with the lock held.  Returns false without the lock if the deadline (sgd_time_ns) is
 * over, or if the calling thread runs work itself.
 */
bool sgd_pool_pause(struct sgd_sched *s, uint64_t deadline);
/* Ends the pause and releases the lock. */
void sgd_pool_resume(struct sgd_sched *s);
/* Does the same in the child of a fork.  The child has the work but not the threads, so
 * sgd_pool_start() creates new ones.
 */
void sgd_pool_resume_child(struct sgd_sched *s);
void sgd_pool_lock(struct sgd_sched *s);
/* Releases the lock after work was pushed.  Wakes at most one thread, which wakes the next one.
 * Wakes none if a thread that is awake will take the work soon.
 */
void sgd_pool_unlock(struct sgd_sched *s);

/* Takes the lock in a thread of the application, and blocks its signals.  Signal handlers may call
 * the driver or end the process, so they run only while the thread does not hold the lock: before,
 * after, or while it sleeps in sgd_pool_wait().  *signals is the previous mask, for
 * sgd_sched_leave().
 */
void sgd_sched_enter(struct sgd_sched *s, sigset_t *signals);
void sgd_sched_leave(struct sgd_sched *s, const sigset_t *signals);
/* Blocks all signals except those for faults of the thread itself.  *old is the previous mask. */
void sgd_block_signals(sigset_t *old);

/* Lets workers in virtual time run until no work is ready.  Does nothing for workers in real time.
 * Called with the lock held, and releases it temporarily.
 */
void sgd_pool_drain(struct sgd_sched *s);
/* Returns SGPU_PARAM_VIRTUAL_LOCK if `of_lock`, or SGPU_PARAM_VIRTUAL_TIME.  Called without the
 * lock.
 */
uint64_t sgd_pool_virtual_time(struct sgd_sched *s, bool of_lock);

/* sgd_watch.c: a thread that inspects the other threads several times a second. */

/* The activity of a thread since the previous inspection. */
struct sgd_watched {
   struct sgd_worker *worker;
   uint64_t worked_ns; /* processor time of the thread, in ns */
};

/* Requests a watch, which calls `look` several times a second while there is work, with the lock
 * held.  There is no watch if the device has an observer or virtual time.  Called with the lock
 * held.  Returns 0 or -ENOMEM.
 */
int sgd_watch_want(struct sgd_sched *s,
                   void (*look)(void *data, const struct sgd_watched *watched, unsigned count),
                   void *data);
/* Wakes the watch when there is work.  Called with the lock held. */
void sgd_watch_wake(struct sgd_sched *s);

/* sgd_wait.c */
/* A thread of the application that waits for a result of work. */
struct sgd_waiter {
   sigset_t signals;        /* the thread's signal mask before sgd_sched_enter() */
   struct sgd_share *share; /* share of the queue that the thread waits for, or NULL if unknown */
   _Atomic uint32_t wakes;  /* futex word that the thread sleeps on */
   /* The wait is over.  Written with the lock held, and also read without it. */
   _Atomic bool done;
   bool sleeping;
};

/* Waits until w->done is set, or until `deadline` (sgd_time_ns; UINT64_MAX: none).  Returns
 * w->done.  Called with the lock held, which was taken by sgd_sched_enter() with w->signals.  One
 * thread at a time that waits without a deadline helps: it runs ready work in place of a sleeping
 * worker.  If several queues have work, it runs only that of its own queue.
 */
bool sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline);
/* Ends the wait of w.  Called with the lock held. */
void sgd_waiter_done(struct sgd_waiter *w);

#endif
