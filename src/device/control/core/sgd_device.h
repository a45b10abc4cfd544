/* SPDX-License-Identifier: MIT */
/*
 * The device: its memory, scheduler, caches and queues.
 *
 * Locks, in the order in which they must be acquired, and what they protect:
 *    sched.lock      queues, operations, tiles and ready work; held for a few hundred instructions
 *                    per batch or tile, and never while pixels are computed
 *    memory.lock     the address space
 *    cache.lock      decoded programs
 *    arenas.lock     the pool of memory blocks for batches
 *    translator.lock programs that wait for translation; workers never block on this lock
 */
#ifndef SGD_DEVICE_H
#define SGD_DEVICE_H

#include "control/cp/sgd_cp.h"
#include "control/dispatch/sgd_dispatch.h"
#include "control/memory/sgd_memory.h"
#include "control/sched/sgd_sched.h"
#include "control/cp/sgd_shader_cache.h"
#include "control/cp/sgd_translator.h"
#include "sgpu_device.h"

/* State of the device after a fork. */
enum sgd_fork {
   SGD_FORK_NONE,  /* the device works */
   SGD_FORK_CHILD, /* forked child; the next call restarts the workers if there is work */
   /* forked child whose data may be inconsistent, so only buffer memory may be used */
   SGD_FORK_DEAD,
};

struct sgpu_device {
   struct sgpu_device_params params;
   enum sgpu_host_level level;
   _Atomic enum sgd_fork fork;
   bool paused; /* true during a fork, while no worker is running */
   struct sgd_memory memory;
   struct sgd_translator translator;
   struct sgd_shader_cache cache;
   struct sgd_sched sched;
   struct sgd_dispatch dispatch;
   struct list_head queues;
   /* signaled when submissions end; for threads that are not in the list `waiters` */
   pthread_cond_t done;
   struct list_head waiters; /* list of struct sgd_fence_waiter */
   struct list_head link;    /* link in the process's list of devices, which fork handlers use */
   uint64_t profiled[SGPU_COUNTER_COUNT]; /* counters that the profiler has */
};

/* A submission in a queue. */
struct sgd_queued {
   struct sgd_submission sub;
   struct list_head link;    /* link in queue->submissions, in order */
   struct sgpu_fence *waits; /* fences to wait for */
   unsigned num_waits;
};

/* A thread that waits for the end of a submission, or until no submission uses a buffer anymore. */
struct sgd_fence_waiter {
   struct sgd_waiter waiter;
   struct list_head link;          /* link in dev->waiters */
   const struct sgpu_queue *queue; /* queue to wait for, or NULL to wait for a buffer */
   uint64_t seqno;                 /* seqno of the submission */
   struct sgpu_bo *bo;             /* buffer to wait for, if queue is NULL */
};

/* Maximum number of errors that a queue keeps until sgpu_queue_take_error() removes them. */
#define SGD_MAX_ERRORS 16

struct sgpu_queue {
   struct sgpu_device *dev;
   struct sgd_client client;
   struct list_head link;        /* link in dev->queues */
   struct list_head submissions; /* struct sgd_queued: submissions that have not ended, in order */
   struct sgd_queued *parsing;   /* first submission that is not fully parsed yet, or NULL */
   uint64_t last_seqno;          /* seqno of the latest submission */
   /* seqno of the last submission that has ended; can be read without the lock */
   _Atomic uint64_t completed;
   struct sgd_cp *cp;    /* command processor; only used by the worker that runs `work` */
   struct sgd_work work; /* the work item that parses submissions */
   bool taken;           /* a worker is running `work` */
   /* errors that the client has not taken yet, oldest first */
   struct sgpu_queue_error errors[SGD_MAX_ERRORS];
   _Atomic unsigned num_errors; /* number of elements in `errors`; can be read without the lock */
};

/* Slow path of sgd_device_dead(). */
bool sgd_device_stays_dead(struct sgpu_device *dev);
/* Returns true if calls must do nothing, because this is a forked child whose copy of the device
 * can't be used. If the copy can be used, the first call in the child restarts it. Called without
 * the lock.
 */
static inline bool
sgd_device_dead(struct sgpu_device *dev)
{
   return dev->fork != SGD_FORK_NONE && sgd_device_stays_dead(dev);
}

/* Waits until all queues have finished their submissions. Called without the lock. */
void sgd_queues_abandon(struct sgpu_device *dev);
/* Waits for the submission or the buffer in `w`, which must still be busy. Returns false if it is
 * still busy at `deadline`, a time of sgd_time_ns() or UINT64_MAX for no deadline. Called with the
 * lock held.
 */
bool sgd_device_wait(struct sgpu_device *dev, struct sgd_fence_waiter *w, uint64_t deadline);
/* Converts a timeout that starts now to a deadline in the time of sgd_time_ns(). */
uint64_t sgd_deadline(uint64_t timeout_ns);

#endif
