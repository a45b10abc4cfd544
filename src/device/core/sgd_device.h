/* SPDX-License-Identifier: MIT */
/*
 * The device as a whole: its parts, from the memory up, and its queues.
 *
 * Locks, in the order in which they may be taken:
 *    sched.lock      queues, operations, tiles, ready work; held for some hundred
 *                    instructions per batch or tile, never while pixels are made
 *    memory.lock     the address space
 *    cache.lock      decoded programs
 *    arenas.lock     blocks of memory for batches
 *    translator.lock programs that wait for their translation; workers only try it
 */
#ifndef SGD_DEVICE_H
#define SGD_DEVICE_H

#include "sgd_cp.h"
#include "sgd_dispatch.h"
#include "sgd_memory.h"
#include "sgd_sched.h"
#include "sgd_shader_cache.h"
#include "sgd_translator.h"
#include "sgpu_device.h"

/* What a fork has made of the device, in the child. */
enum sgd_fork {
   SGD_FORK_NONE,
   SGD_FORK_CHILD, /* its workers are to be started where work is under way */
   SGD_FORK_DEAD,  /* its records may not fit together: nothing but its memory is used */
};

struct sgpu_device {
   struct sgpu_device_params params;
   enum sgpu_host_level level;
   _Atomic enum sgd_fork fork;
   bool paused; /* for a fork: no worker runs */
   struct sgd_memory memory;
   struct sgd_translator translator;
   struct sgd_shader_cache cache;
   struct sgd_sched sched;
   struct sgd_dispatch dispatch;
   struct list_head queues;
   pthread_cond_t done;      /* submissions ended: for all but the waiters */
   struct list_head waiters; /* struct sgd_fence_waiter */
   struct list_head link;    /* of the process's devices, for fork */
};

/* A submission with its place in the queue. */
struct sgd_queued {
   struct sgd_submission sub;
   struct list_head link; /* queue->submissions, in order */
   struct sgpu_fence *waits;
   unsigned num_waits;
};

/* A thread that waits for a queue's submission, or for a buffer that none names any more. */
struct sgd_fence_waiter {
   struct sgd_waiter waiter;
   struct list_head link;          /* dev->waiters */
   const struct sgpu_queue *queue; /* NULL: for the buffer */
   uint64_t seqno;
   struct sgpu_bo *bo;
};

/* Errors that a queue keeps until they are taken. */
#define SGD_MAX_ERRORS 16

struct sgpu_queue {
   struct sgpu_device *dev;
   struct sgd_client client;
   struct list_head link;        /* dev->queues */
   struct list_head submissions; /* struct sgd_queued that have not ended */
   struct sgd_queued *parsing;   /* first one that is not parsed, or NULL */
   uint64_t last_seqno;
   _Atomic uint64_t completed;                     /* also read without the lock */
   struct sgd_cp *cp;                              /* used by the worker that runs `work` */
   struct sgd_work work;                           /* parses */
   bool taken;                                     /* a worker parses */
   struct sgpu_queue_error errors[SGD_MAX_ERRORS]; /* not taken, oldest first */
   _Atomic unsigned num_errors;                    /* also read without the lock */
};

/* The slow path of sgd_device_dead. */
bool sgd_device_stays_dead(struct sgpu_device *dev);
/* Lock not held.  Whether calls do nothing; a device that goes on in the child of a fork goes on
 * with the first call.
 */
static inline bool
sgd_device_dead(struct sgpu_device *dev)
{
   return dev->fork != SGD_FORK_NONE && sgd_device_stays_dead(dev);
}

/* Lock not held: waits for all work of all queues. */
void sgd_queues_abandon(struct sgpu_device *dev);
/* Lock held, and what w waits for has not happened.  Waits at most until `deadline`
 * (sgd_time_ns; UINT64_MAX: without end); false: in vain.
 */
bool sgd_device_wait(struct sgpu_device *dev, struct sgd_fence_waiter *w, uint64_t deadline);
/* The deadline that a time-out from now on means. */
uint64_t sgd_deadline(uint64_t timeout_ns);

#endif
