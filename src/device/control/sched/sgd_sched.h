/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: keeps ready work in two heaps, oldest first, and runs it on a pool of worker threads.
 *
 * A work item is just a function to call, so the scheduler doesn't depend on operations, tiles or
 * queues. Its lock protects the data of the dispatch unit and of the queues, too. The function is
 * called with the lock held, and releases the lock during long computations, with
 * sgd_sched_unlock() and sgd_sched_relock().
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
   SGD_WORK_EARLY, /* command processors and front ends, which create more work */
   SGD_WORK_LATE,  /* work for a raster engine: tiles, batches, and operations without tiles */
   SGD_WORK_HEAPS,
};

/* Accounts for the worker time that a queue uses. When a queue is destroyed, its share is kept for
 * another queue.
 */
struct sgd_share {
   uint32_t ready;   /* number of work items that are ready */
   uint32_t running; /* number of work items that are running */
   /* Time in ns that the work of the queue has taken. When the share gets work after it had none,
    * this becomes at least turn_ns.
    */
   uint64_t used_ns;
   /* time (sgd_time_ns) at which a work item last started, or the first one became ready */
   uint64_t since;
   bool open;              /* false if the queue was destroyed, so the share can be reused */
   struct sgd_share *next; /* next share in s->shares */
};

/* A work item. It is part of another structure, such as a tile or a queue. */
struct sgd_work {
   /* Does the work. The lock is held when this is called and when it returns. */
   void (*run)(struct sgd_work *work, struct sgd_worker *worker);
   const char *name; /* name in the timeline trace */
   enum sgd_work_heap heap;
   uint32_t index;          /* 1-based index in the heap, or 0 if the work isn't ready */
   uint64_t key;            /* position in program order; the lowest key runs first */
   struct sgd_share *share; /* share that is charged for the work, or NULL */
};

struct sgd_heap {
   struct sgd_work **work;
   uint32_t count, capacity;
   /* number of work items that space was reserved for; at most `capacity` */
   uint32_t reserved;
};

struct sgd_sched {
   pthread_mutex_t lock;
   _Atomic uint32_t wakes; /* futex word of idle workers */
   /* futex word on which sgd_pool_pause() sleeps while work is running */
   _Atomic uint32_t stills;
   struct sgd_heap heap[SGD_WORK_HEAPS];
   /* Number of work items that threads could take now. Spinning threads read this all the time, so
    * it has its own cache line.
    */
   uint8_t before_ready[64];
   _Atomic uint32_t ready;
   uint8_t behind_ready[64];
   /* number of threads that are running a work item, including the helper and the relief thread */
   unsigned running;
   uint64_t changed; /* time in ns of the last change of `running` */
   bool pressure;    /* batches use too much memory, so run late work first */
   uint64_t random;  /* state of the random number generator, or 0 if work isn't shuffled */
   struct sgd_share *shares;
   _Atomic unsigned open_shares; /* number of shares that belong to a queue */
   unsigned waiting_shares;      /* number of shares that have ready work */
   uint64_t turn_ns;             /* maximum used_ns of all shares from which work was taken */

   /* engines: number of raster engines; engines_busy: how many of them are busy */
   unsigned engines, engines_busy;
   /* sleeping: number of workers that sleep; busy: number of threads that are computing */
   unsigned sleeping, busy;
   unsigned spinning; /* number of idle threads that are still spinning */
   unsigned dozing;   /* number of sleeping workers whose sleep ends with a timeout */
   bool waking;       /* true from the time a worker is woken until it runs */
   /* recent maximum of the time that a work item takes, in ns, for each heap */
   uint64_t piece_ns[SGD_WORK_HEAPS];
   struct sgd_waiter *helper; /* application thread that runs work during its wait, or NULL */
   uint64_t help_end;         /* time (sgd_time_ns) when the helper must unblock signals */
   bool started, stopping;
   bool paused;          /* a fork is in progress, so no thread may take work */
   unsigned num_threads; /* number of workers */
   /* array of num_threads workers, followed by the helper and the relief thread */
   struct sgd_thread *threads;
   struct sgd_watch *watch; /* the watch thread (see sgd_watch.c), or NULL if there is none */
   unsigned wanted_threads; /* number of workers that sgd_pool_start() creates */
   /* 0, or the argument of sgd_virtual_create() if the workers run in virtual time */
   unsigned virtual_slow;
   struct sgd_virtual *virtual; /* clocks of workers in virtual time, or NULL */
   uint64_t watchdog;           /* maximum number of instructions that a warp may execute */
   const struct sgpu_observer *observer; /* observer, or NULL */
   const uint8_t *memory;       /* host address of device address 0, which the observer needs */
   struct sgd_trace *trace;     /* file for the timeline of all threads, or NULL */
   struct sgd_profile *profile; /* the process's profiler, or NULL */
   /* Totals of all workers. Each worker adds its counts at the end of a work item. */
   uint64_t counters[SGPU_COUNTER_COUNT];
};

/* Returns true if activities of threads are recorded. The caller then measures them. */
static inline bool
sgd_sched_records(const struct sgd_sched *s)
{
   return s->trace || s->profile;
}
/* Records an activity of the calling thread, from `start` to `end` (sgd_time_ns). `number`
 * identifies the operation, buffer or fence. The name must be a literal.
 */
void sgd_sched_record(const struct sgd_sched *s, const char *name, uint64_t start, uint64_t end,
                      uint64_t number);

/* Initializes the scheduler. `memory` is the host address of device address 0. */
void sgd_sched_init(struct sgd_sched *s, const struct sgpu_device_params *params,
                    const uint8_t *memory);
/* Frees all data. No work may be left, and the workers must have exited. */
void sgd_sched_finish(struct sgd_sched *s);

/* The lock must be held for the following functions. */
/* Reserves space in the heap for `n` additional work items, so that sgd_sched_push() can't fail.
 * Returns false if out of memory.
 */
bool sgd_sched_reserve(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
void sgd_sched_release(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
/* Updates s->ready. Must be called when anything that it depends on has changed. */
void sgd_sched_update_ready(struct sgd_sched *s);
/* Adds a work item to its heap. It must not be ready yet. */
void sgd_sched_push(struct sgd_sched *s, struct sgd_work *work, uint64_t key);
/* Takes the work item that should run next. Returns NULL if nothing is ready, or if all that is
 * ready needs a raster engine and none is free.
 */
struct sgd_work *sgd_sched_pop(struct sgd_sched *s);
/* Returns the oldest work item in a heap, but doesn't take it. This is for work items that can run
 * others of the same kind with less overhead. Returns NULL if the heap is empty, or if work is
 * shuffled.
 */
struct sgd_work *sgd_sched_next(const struct sgd_sched *s, enum sgd_work_heap heap);
/* Takes this work item out of the heap. The caller must run it as part of its own work. */
void sgd_sched_take(struct sgd_sched *s, struct sgd_work *work);
/* Takes the oldest work item of a share. Returns NULL if none can run. */
struct sgd_work *sgd_sched_pop_share(struct sgd_sched *s, const struct sgd_share *share);
/* Returns a share for a new queue, or NULL if out of memory. */
struct sgd_share *sgd_share_open(struct sgd_sched *s);
/* Gives the share of a destroyed queue back to the scheduler. */
void sgd_share_close(struct sgd_sched *s, struct sgd_share *share);
static inline bool
sgd_work_ready(const struct sgd_work *work)
{
   return work->index != 0;
}
/* Updates three counters when an item is added to a window of items in flight. `under_way` is the
 * new number of items. `issued` counts the items, `sum` adds up `under_way`, and `most` is its
 * maximum.
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
/* Work items release the lock before a computation, and acquire it again afterwards. */
void sgd_sched_unlock(struct sgd_sched *s);
void sgd_sched_relock(struct sgd_sched *s, struct sgd_worker *worker);
/* Like sgd_sched_unlock() and sgd_sched_relock(), for a computation that needs a raster engine. */
void sgd_sched_unlock_engine(struct sgd_sched *s);
void sgd_sched_relock_engine(struct sgd_sched *s, struct sgd_worker *worker);

/* Functions in sgd_pool.c: */
/* Starts the workers if they aren't running yet. The lock must be held. Returns 0, -ENOMEM, or
 * -EAGAIN if not a single thread could be created.
 */
int sgd_pool_start(struct sgd_sched *s);
void sgd_pool_stop(struct sgd_sched *s); /* the lock must not be held */
/* Stops all threads from taking work, and waits until none is running any. Called without the lock,
 * but returns with the lock held. On failure, returns false without the lock. This happens at the
 * deadline (sgd_time_ns), or if the calling thread is running work itself.
 */
bool sgd_pool_pause(struct sgd_sched *s, uint64_t deadline);
/* Lets threads take work again, and releases the lock. */
void sgd_pool_resume(struct sgd_sched *s);
/* Like sgd_pool_resume(), for the child after a fork. The child has the same work but no workers,
 * so sgd_pool_start() must be called to create them.
 */
void sgd_pool_resume_child(struct sgd_sched *s);
void sgd_pool_lock(struct sgd_sched *s);
/* Releases the lock after work has become ready. Usually wakes one thread, which then wakes the
 * next one. Wakes none if a thread that is awake will take the work soon.
 */
void sgd_pool_unlock(struct sgd_sched *s);

/* For application threads: blocks the thread's signals and acquires the lock. A signal handler may
 * call the driver or end the process, so handlers must not run while the thread holds the lock.
 * They can run during sgd_pool_wait(), which restores the previous signal mask. This mask is
 * returned in *signals.
 */
void sgd_sched_enter(struct sgd_sched *s, sigset_t *signals);
void sgd_sched_leave(struct sgd_sched *s, const sigset_t *signals);
/* Blocks all signals of the thread except for its own faults. *old is set to the previous mask. */
void sgd_block_signals(sigset_t *old);

/* With virtual time, runs the workers until no work is ready. Does nothing otherwise. The lock must
 * be held, but is temporarily released.
 */
void sgd_pool_drain(struct sgd_sched *s);
/* Returns SGPU_PARAM_VIRTUAL_LOCK if `of_lock` is true, and SGPU_PARAM_VIRTUAL_TIME otherwise. The
 * lock must not be held.
 */
uint64_t sgd_pool_virtual_time(struct sgd_sched *s, bool of_lock);

/* The watch (sgd_watch.c): a thread that checks on the other threads several times a second. */

/* What a thread has done since the last check. */
struct sgd_watched {
   struct sgd_worker *worker;
   uint64_t worked_ns; /* CPU time that the thread has used, in ns */
};

/* Requests a watch thread. It calls `look` several times a second while there is work, with the
 * lock held. Does nothing if the device has an observer or virtual time. The lock must be held.
 * Returns 0 or -ENOMEM.
 */
int sgd_watch_want(struct sgd_sched *s,
                   void (*look)(void *data, const struct sgd_watched *watched, unsigned count),
                   void *data);
/* Wakes the watch thread because there is work. Called with the lock held. */
void sgd_watch_wake(struct sgd_sched *s);

/* Functions in sgd_wait.c: */
/* An application thread that is waiting until some work is done. */
struct sgd_waiter {
   sigset_t signals;        /* signal mask that is restored during the sleep */
   struct sgd_share *share; /* share of the queue to wait for, or NULL if it is unknown */
   _Atomic uint32_t wakes;  /* futex word on which the thread sleeps */
   /* The thread can stop waiting. Only written with the lock held. */
   _Atomic bool done;
   bool sleeping;
};

/* Waits until w->done is true, or until `deadline` (sgd_time_ns; UINT64_MAX means none). Returns
 * w->done. The lock must be held, and the caller must have used w->signals for sgd_sched_enter().
 *
 * If there is no deadline, the thread can become the helper, which runs ready work during its wait.
 * Only one thread at a time is the helper. If several queues have work, it only runs work of the
 * queue that it waits for.
 */
bool sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline);
/* Ends the wait of this thread. The caller must hold the lock. */
void sgd_waiter_done(struct sgd_waiter *w);

#endif
