/* SPDX-License-Identifier: MIT */
/*
 * The device's own structures: address space and buffers, queues and their
 * submissions, the pool of workers.
 *
 * Locks, in the order in which they may be taken:
 *    device->lock         queues, operations, tiles, ready work: everything of
 *                         the dispatch unit; held for some hundred
 *                         instructions per batch or tile, never while pixels
 *                         are made
 *    device->bo_lock      the address space
 *    device->cache_lock   decoded programs
 */
#ifndef SGD_DEVICE_H
#define SGD_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "sgd_dispatch.h"
#include "sgd_holes.h"
#include "sgd_worker.h"
#include "sgpu_device.h"
#include "util/list.h"

struct sgd_thread {
   struct sgd_worker worker;
   pthread_t thread;
   struct sgd_core core;
};

struct sgpu_device {
   struct sgpu_device_params params;
   const struct sgd_arch_ops *ops;
   enum sgpu_host_level level;
   _Atomic bool dead;                  /* in the child of a fork */

   /* address space */
   pthread_mutex_t bo_lock;
   struct sgd_holes holes;
   uint8_t *space;                     /* host address of device address 0 */
   uint64_t space_size;
   _Atomic uint64_t memory_used;

   /* decoded programs */
   pthread_mutex_t cache_lock;
   struct hash_table_u64 *shaders;
   struct list_head shader_list;
   unsigned num_shaders;

   /* dispatch */
   pthread_mutex_t lock;
   pthread_cond_t work;                /* ready work for sleeping workers */
   pthread_cond_t done;                /* submissions ended */
   struct sgd_dispatch dispatch;
   struct list_head queues;

   bool started, stopping;
   unsigned num_threads;
   struct sgd_thread *threads;
   unsigned sleeping, busy;
   _Atomic uint32_t ready_count;       /* what spinning workers look at */
   uint64_t counters[SGPU_COUNTER_COUNT];   /* under lock: summed when work ends */
   struct list_head link;              /* of the process's devices, for fork */
};

struct sgpu_bo {
   struct sgpu_device *dev;
   uint64_t address, size;             /* size rounded up to pages */
   uint64_t requested;
   _Atomic uint32_t refs;
   _Atomic uint32_t busy;              /* submissions that name it */
   char label[32];
   /* operations not yet ended that read or write it; device->lock */
   struct list_head readers, writers;
   uint32_t reader_stamp, writer_stamp;        /* change when one is added */
   uint32_t num_writers, num_targets;          /* targets: writers that are target_grid's tiles */
   struct sgd_grid *target_grid;
   struct sgd_event *read_event, *write_event; /* over the readers, the writers, as of ... */
   uint32_t read_event_stamp, write_event_stamp;
   uint64_t read_event_region[2], write_event_region[2];
   _Atomic bool bound;                 /* was once bound as vertex, index or constant buffer */
};

struct sgd_submission {
   struct list_head link;              /* of the queue, in order */
   struct sgpu_queue *queue;
   uint64_t seqno;
   uint64_t address;
   uint32_t words;
   struct sgpu_bo **bos;               /* by address */
   unsigned num_bos;
   struct sgpu_fence *waits;
   unsigned num_waits;
   uint32_t outstanding;               /* parsing, operations, queries; device->lock */
};

#define SGD_QUERY_SLOTS (SGPU_BEGIN_QUERY_SLOT_MAX + 1)
static_assert(SGPU_END_QUERY_SLOT_MAX == SGPU_BEGIN_QUERY_SLOT_MAX, "");

struct sgpu_queue {
   struct sgpu_device *dev;
   struct list_head link;
   struct list_head submissions;       /* not yet ended */
   struct sgd_submission *parsing;     /* first one that is not parsed, or NULL */
   uint64_t last_seqno, completed;
   struct sgd_cp *cp;                  /* parser; owned by whoever holds the queue's role */
   struct sgd_item item;               /* the command processor role of this queue */
   bool taken;                         /* a worker has the role */
   _Atomic bool lost;                  /* an error ended it: further work is skipped */
   enum sgpu_reset_status status;
   char message[256], reported[256];
   struct sgd_query *slots[SGD_QUERY_SLOTS];
   struct list_head nodes;             /* operations not yet ended, in order */
   uint32_t in_flight;
};

/* sgd_bo.c */
int sgd_space_init(struct sgpu_device *dev);
void sgd_space_finish(struct sgpu_device *dev);
void sgd_bo_ref(struct sgpu_bo *bo);
void sgd_bo_unref(struct sgpu_bo *bo);
static inline uint8_t *
sgd_bo_host(const struct sgpu_bo *bo)
{
   return bo->dev->space + bo->address;
}

/* The buffer of the submission that holds [address, address + size), or NULL. */
struct sgpu_bo *sgd_submission_find(const struct sgd_submission *sub, uint64_t address,
                                    uint64_t size);

/* sgd_pool.c: workers */
int sgd_pool_start(struct sgpu_device *dev);      /* lock held; starts at first use */
void sgd_pool_stop(struct sgpu_device *dev);
void sgd_pool_wake(struct sgpu_device *dev);      /* lock held, after work was added */

/* sgd_queue.c; lock held */
/* The queue is lost; the first message is kept, headed by the submission's number. */
void sgd_queue_fail(struct sgpu_queue *queue, struct sgd_submission *sub, const char *message);
void sgd_submission_put(struct sgd_submission *sub);    /* drops one `outstanding` */
void sgd_queues_abandon(struct sgpu_device *dev);       /* not held: waits for all work */
void sgd_queue_schedule(struct sgpu_queue *queue);      /* makes the role ready if there is work */

/* sgd_cp.c */
struct sgd_cp *sgd_cp_create(struct sgpu_queue *queue);
void sgd_cp_destroy(struct sgd_cp *cp);
/* Parses packets of the queue's current submission until it ends (true), or
 * until enough operations are under way.  Called without the lock, by the
 * holder of the queue's role.
 */
bool sgd_cp_run(struct sgd_cp *cp, struct sgd_worker *worker);

uint64_t sgd_time_ns(void);

#endif
