/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: ready work in two heaps, oldest first, and the pool of workers
 * that take it.  A piece of work knows how to run itself; the scheduler knows
 * nothing of operations, tiles or queues.
 *
 * The scheduler's lock guards everything of the dispatch unit and the queues as
 * well.  Work runs with the lock held and drops it for as long as it computes
 * (sgd_sched_unlock, sgd_sched_relock).
 */
#ifndef SGD_SCHED_H
#define SGD_SCHED_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sgd_worker.h"
#include "sgpu_device.h"

enum sgd_work_heap {
   SGD_WORK_EARLY, /* makes work for the tiles: command processors, front ends */
   SGD_WORK_LATE,  /* needs a raster engine: tiles, batches, operations without tiles */
   SGD_WORK_HEAPS,
};

/* A part of the workers' time: that of a queue, whose work is one of several queues'.  Kept until
 * the scheduler ends, and used again.
 */
struct sgd_share {
   uint32_t ready;         /* pieces of its work that are ready */
   uint32_t running;       /* that threads run */
   uint64_t used_ns;       /* by its pieces; one that begins anew has used as much as others */
   uint64_t since;         /* sgd_time_ns: ready work waits, of which none was taken since then */
   bool open;              /* of a queue that exists */
   struct sgd_share *next; /* s->shares */
};

/* Lives inside its owner. */
struct sgd_work {
   /* Lock held on entry and on return. */
   void (*run)(struct sgd_work *work, struct sgd_worker *worker);
   const char *name; /* for the time line */
   enum sgd_work_heap heap;
   uint32_t index;          /* in its heap, plus 1; 0: not ready */
   uint64_t key;            /* program order: the lowest runs first */
   struct sgd_share *share; /* NULL: of none */
};

struct sgd_heap {
   struct sgd_work **work;
   uint32_t count, capacity;
   uint32_t reserved; /* pieces of work that may be ready at once; at most capacity */
};

struct sgd_sched {
   pthread_mutex_t lock;
   _Atomic uint32_t wakes;  /* of sleeping workers, for ready work: they sleep on it */
   _Atomic uint32_t stills; /* sgd_pool_pause sleeps on it until no thread runs work */
   struct sgd_heap heap[SGD_WORK_HEAPS];
   /* Pieces of work that a worker could take: those that spin read it, and nothing else that
    * the others write is on its line.
    */
   uint8_t before_ready[64];
   _Atomic uint32_t ready;
   uint8_t behind_ready[64];
   unsigned running; /* threads that run work: at most num_threads, the helper included */
   uint64_t changed; /* sgd_time_ns when `running` last changed */
   bool pressure;    /* batches take much memory: late work first */
   uint64_t random;  /* not 0: state of the shuffle */
   struct sgd_share *shares;
   _Atomic unsigned open_shares; /* of queues that exist */
   unsigned waiting_shares;      /* with ready work */
   uint64_t turn_ns;             /* what the share of the latest piece had used */

   unsigned engines, engines_busy;    /* raster engines */
   unsigned sleeping, busy;           /* workers */
   unsigned spinning;                 /* threads that look for work before they sleep */
   unsigned dozing;                   /* of those that sleep: they look by themselves soon */
   bool waking;                       /* a sleeper was woken and does not run yet */
   uint64_t piece_ns[SGD_WORK_HEAPS]; /* how long pieces of work take lately, at most */
   struct sgd_waiter *helper;         /* the thread that waits and runs work meanwhile, or NULL */
   uint64_t help_end;                 /* sgd_time_ns: it lets signals in behind its piece then */
   bool started, stopping;
   bool paused; /* no thread takes work: a fork is under way */
   unsigned num_threads;
   struct sgd_thread *threads; /* num_threads, the helper's, and the relief's */
   struct sgd_watch *watch;    /* sgd_watch.c; NULL: not wanted */
   unsigned wanted_threads;
   unsigned virtual_slow;       /* 0: workers in real time; else as of sgd_virtual_create */
   struct sgd_virtual *virtual; /* the workers' time is simulated, or NULL */
   uint64_t watchdog;           /* instructions a warp may issue */
   const struct sgpu_observer *observer;  /* NULL: none */
   const uint8_t *memory;                 /* for the observer: device address 0 */
   struct sgd_trace *trace;               /* the time line, or NULL */
   uint64_t counters[SGPU_COUNTER_COUNT]; /* of all workers, summed when work ends */
};

/* memory: host address of device address 0. */
void sgd_sched_init(struct sgd_sched *s, const struct sgpu_device_params *params,
                    const uint8_t *memory);
/* No work is left and no worker runs. */
void sgd_sched_finish(struct sgd_sched *s);

/* Lock held: */
/* Room for n more pieces of work, which sgd_sched_push needs; false: out of memory. */
bool sgd_sched_reserve(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
void sgd_sched_release(struct sgd_sched *s, enum sgd_work_heap heap, uint32_t n);
/* The number of pieces that could be taken, after `running` has changed. */
void sgd_sched_update_ready(struct sgd_sched *s);
/* Makes work ready that is not. */
void sgd_sched_push(struct sgd_sched *s, struct sgd_work *work, uint64_t key);
/* Takes the next work; NULL: none is ready, or none that an engine is free for. */
struct sgd_work *sgd_sched_pop(struct sgd_sched *s);
/* The oldest ready work of a heap, in an order that a piece may rely on to run more of them;
 * NULL: none, or the order is random.
 */
struct sgd_work *sgd_sched_next(const struct sgd_sched *s, enum sgd_work_heap heap);
/* Takes ready work, which is to run as a part of the caller's piece. */
void sgd_sched_take(struct sgd_sched *s, struct sgd_work *work);
/* Takes the next work of a share, or NULL. */
struct sgd_work *sgd_sched_pop_share(struct sgd_sched *s, const struct sgd_share *share);
/* The share of a new queue, and its end; NULL: out of memory. */
struct sgd_share *sgd_share_open(struct sgd_sched *s);
void sgd_share_close(struct sgd_sched *s, struct sgd_share *share);
static inline bool
sgd_work_ready(const struct sgd_work *work)
{
   return work->index != 0;
}
/* Counts one that is issued, while `under_way` are, it included: their number, the sum of
 * those under way, and the most of them.
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
/* Around the computation of a piece of work. */
void sgd_sched_unlock(struct sgd_sched *s);
void sgd_sched_relock(struct sgd_sched *s, struct sgd_worker *worker);
/* The same for work that occupies a raster engine. */
void sgd_sched_unlock_engine(struct sgd_sched *s);
void sgd_sched_relock_engine(struct sgd_sched *s, struct sgd_worker *worker);

/* sgd_pool.c */
/* Lock held.  Starts the workers if they do not run; -ENOMEM, -EAGAIN: no thread. */
int sgd_pool_start(struct sgd_sched *s);
void sgd_pool_stop(struct sgd_sched *s); /* not held */
/* Not held, and held on return: no thread takes work any more, and none runs work.  False, and
 * not held: that was not so before the deadline (sgd_time_ns), or could not be, as the caller's
 * thread runs work itself.
 */
bool sgd_pool_pause(struct sgd_sched *s, uint64_t deadline);
/* Ends the pause and gives the lock back. */
void sgd_pool_resume(struct sgd_sched *s);
/* The same in the child of a fork, which has the work and not the threads: sgd_pool_start makes
 * new ones.
 */
void sgd_pool_resume_child(struct sgd_sched *s);
void sgd_pool_lock(struct sgd_sched *s);
/* Gives the lock back, after work was pushed, and wakes one thread, which wakes the next; none
 * where one that is awake will look soon enough.
 */
void sgd_pool_unlock(struct sgd_sched *s);

/* Takes the lock as a thread of the program, whose signal handlers may call the driver, or end
 * the program: they run before, after, or while it sleeps in sgd_pool_wait.  `signals` is for
 * sgd_sched_leave.
 */
void sgd_sched_enter(struct sgd_sched *s, sigset_t *signals);
void sgd_sched_leave(struct sgd_sched *s, const sigset_t *signals);
/* Blocks all signals but those of the thread's own faults. */
void sgd_block_signals(sigset_t *old);

/* Lock held, and dropped meanwhile.  Workers in virtual time run work as long as some is ready;
 * others do so anyway.
 */
void sgd_pool_drain(struct sgd_sched *s);
/* Not held: SGPU_PARAM_VIRTUAL_TIME, or SGPU_PARAM_VIRTUAL_LOCK. */
uint64_t sgd_pool_virtual_time(struct sgd_sched *s, bool of_lock);

/* sgd_watch.c: a thread that looks at the others from time to time. */

/* What a thread has done since the look before. */
struct sgd_watched {
   struct sgd_worker *worker;
   uint64_t worked_ns; /* of a processor's time */
};

/* Lock held.  Has a watch from now on, which calls `look` some times a second while work is under
 * way, with the lock held.  None where there is an observer, or virtual time.  -ENOMEM.
 */
int sgd_watch_want(struct sgd_sched *s,
                   void (*look)(void *data, const struct sgd_watched *watched, unsigned count),
                   void *data);
/* Lock held: there is work. */
void sgd_watch_wake(struct sgd_sched *s);

/* sgd_wait.c: a thread of the program that waits for something that work brings about. */
struct sgd_waiter {
   sigset_t signals;        /* of the thread, as sgd_sched_enter found them */
   struct sgd_share *share; /* of the queue that it waits for; NULL: not known */
   _Atomic uint32_t wakes;  /* it sleeps on it */
   /* Set with the lock held, by whatever it waits for; also read without it. */
   _Atomic bool done;
   bool sleeping;
};

/* Lock held, by sgd_sched_enter with w->signals.  Waits until w->done, at most until `deadline`
 * (sgd_time_ns; UINT64_MAX: without end), and returns it.  A thread that waits without end runs
 * ready work in place of a worker that sleeps, one thread at a time; its own queue's where others
 * have work, too.
 */
bool sgd_pool_wait(struct sgd_sched *s, struct sgd_waiter *w, uint64_t deadline);
/* Lock held: what w waits for has happened. */
void sgd_waiter_done(struct sgd_waiter *w);

#endif
