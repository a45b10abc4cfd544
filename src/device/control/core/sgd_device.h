/* SPDX-License-Identifier: MIT */
/*
 * The device: its units and its queues.
 *
 * Locks, in the order in which they must be acquired, and the data that they protect:
 *    sched.lock      queues, operations, tiles and ready work; held for a few hundred instructions
 *                    per batch or tile, and never while pixels are computed
 *    memory.lock     the address space
 *    cache.lock      decoded programs
 *    arenas.lock     pool of memory blocks for batches
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

/* State of the device in a forked child process. */
enum sgd_fork {
   SGD_FORK_NONE,  /* the device works */
   SGD_FORK_CHILD, /* the next call must start the workers if there is work */
   SGD_FORK_DEAD,  /* data may be inconsistent, so only the memory may be used */
};

struct sgpu_device {
   struct sgpu_device_params params;
   enum sgpu_host_level level;
   _Atomic enum sgd_fork fork;
   bool paused; /* a fork is in progress, and no worker is running */
   struct sgd_memory memory;
   struct sgd_translator translator;
   struct sgd_shader_cache cache;
   struct sgd_sched sched;
   struct sgd_dispatch dispatch;
   struct list_head queues;
   pthread_cond_t done; /* signaled when submissions end, for threads that are not in `waiters` */
   struct list_head waiters; /* list of struct sgd_fence_waiter */
   struct list_head link;    /* link in the process's list of devices, for forks */
};

/* A submission in a queue. */
struct sgd_queued {
   struct sgd_submission sub;
   struct list_head link;    /* link in queue->submissions, in order */
   struct sgpu_fence *waits; /* fences to wait for */
   unsigned num_waits;
};

/* A thread that waits for a submission of a queue, or until no submission uses a buffer. */
struct sgd_fence_waiter {
   struct sgd_waiter waiter;
   struct list_head link;          /* link in dev->waiters */
   const struct sgpu_queue *queue; /* queue to wait for, or NULL to wait for a buffer */
   uint64_t seqno;                 /* seqno of the submission */
   struct sgpu_bo *bo;             /* buffer to wait for, if queue is NULL */
};

/* Maximum number of errors that a queue stores until the client takes them. */
#define SGD_MAX_ERRORS 16

struct sgpu_queue {
   struct sgpu_device *dev;
   struct sgd_client client;
   struct list_head link;        /* link in dev->queues */
   struct list_head submissions; /* submissions that have not ended, struct sgd_queued, in order */
   struct sgd_queued *parsing;   /* first submission that is not completely parsed, or NULL */
   uint64_t last_seqno;          /* seqno of the latest submission */
   /* seqno of the last submission that has ended; also read without the lock */
   _Atomic uint64_t completed;
   struct sgd_cp *cp;    /* command processor, used by the worker that runs `work` */
   struct sgd_work work; /* piece of work that parses submissions */
   bool taken;           /* a worker is running `work` */
   /* errors that have not been taken, oldest first */
   struct sgpu_queue_error errors[SGD_MAX_ERRORS];
   _Atomic unsigned num_errors; /* number of errors; also read without the lock */
};

/* Slow path of sgd_device_dead(). */
bool sgd_device_stays_dead(struct sgpu_device *dev);
/* Returns true if calls must not do anything. In a forked child, the first call restarts the device
 * if it can continue. Called without the lock.
 */
static inline bool
sgd_device_dead(struct sgpu_device *dev)
{
   return dev->fork != SGD_FORK_NONE && sgd_device_stays_dead(dev);
}

/* Waits for all work of all queues. Called without the lock. */
void sgd_queues_abandon(struct sgpu_device *dev);
/* Waits for the submission or buffer of w, which must not be done yet. Returns false if it is not
 * done at `deadline` (sgd_time_ns; UINT64_MAX: none). Called with the lock held.
 */
bool sgd_device_wait(struct sgpu_device *dev, struct sgd_fence_waiter *w, uint64_t deadline);
/* Returns the deadline (sgd_time_ns) of a time-out that starts now. */
uint64_t sgd_deadline(uint64_t timeout_ns);

#endif
