/* SPDX-License-Identifier: MIT */
/*
 * The driver's view of the device: one device per process, memory buffers,
 * rings (queues of submissions) and syncs (points on a ring).
 *
 * Lifetimes: a buffer lives while there is a reference to it; its memory is
 * recycled once the device is done with it.  A ring's queue lives as long as its
 * context.  The ring itself lives while a sync or a buffer refers to it; without a
 * queue, all of its submissions have passed.
 */
#ifndef SGPU_WINSYS_H
#define SGPU_WINSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/sgpu_layer.h"
#include "device/sgpu_device.h"
#include "pipebuffer/pb_buffer.h"
#include "pipebuffer/pb_cache.h"
#include "pipebuffer/pb_slab.h"
#include "util/os_time.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "util/u_queue.h"

struct sgt_live;

struct sgpu_winsys {
   struct pipe_reference reference; /* guarded by the lock of the one instance */
   struct sgpu_device *dev;
   struct sgt_live *live; /* SGPU_TIMING; NULL: no timing */
   struct pb_cache cache;
   struct pb_slabs slabs;
   uint64_t memory; /* bytes: of the device, but no more than the host and its groups have */
   uint64_t other;  /* bytes of the process's memory before there were buffers */
   uint64_t room;   /* atomic: up to this many bytes in buffers are known to fit */
   uint32_t next_id;
};

/* The process' one instance, created with the first caller; NULL if there is
 * no device.  The child of a fork whose device is dead gets another one; what belongs to the old
 * one may be used and destroyed, without an effect.
 */
struct sgpu_winsys *sgpu_winsys_get(void);
void sgpu_winsys_put(struct sgpu_winsys *ws);
bool sgpu_winsys_dead(const struct sgpu_winsys *ws);

/*
 * Rings: the device's queues, counted.
 */
struct sgpu_ring {
   struct pipe_reference reference;
   struct sgpu_queue *queue; /* for its users alone */
   int32_t users;            /* atomic: the owner, and waiters */
   uint64_t completed;       /* atomic: highest seqno known to have passed */
};

/* Bytes that buffers may still take, with the process's other memory of now. */
uint64_t sgpu_winsys_available(const struct sgpu_winsys *ws);

/* With timing, after each submission: waits for its end, so that nothing that the driver or the
 * program learns from the device depends on the host's time.
 */
void sgpu_winsys_submitted(struct sgpu_winsys *ws, struct sgpu_ring *ring, uint64_t seqno);

/* The caller owns the ring: it may submit, and use the queue as it likes. */
struct sgpu_ring *sgpu_ring_create(struct sgpu_winsys *ws);
/* The time that an operation may take (sgpu_queue_set_budget). */
void sgpu_ring_set_budget(struct sgpu_ring *ring, uint64_t budget_ns);
/* The owner's reference ends: waits for the last submission, and the queue goes. */
void sgpu_ring_close(struct sgpu_ring **ring, uint64_t last_seqno);
void sgpu_ring_reference(struct sgpu_ring **dst, struct sgpu_ring *src);
/* Holds the queue until sgpu_ring_unuse; false: all of the ring has passed. */
bool sgpu_ring_use(struct sgpu_ring *ring);
void sgpu_ring_unuse(struct sgpu_ring *ring);
/* Whether a submission has ended.  Asks the device only if it is not known. */
bool sgpu_ring_passed(struct sgpu_ring *ring, uint64_t seqno);
/* False if it has not after that time (UINT64_MAX: no limit). */
bool sgpu_ring_wait(struct sgpu_ring *ring, uint64_t seqno, uint64_t timeout_ns);

/* A submission that ended with an error, or a draw with a shader that was stopped. */
struct sgpu_ring_error {
   uint64_t seqno;
   unsigned draw;    /* of the submission, the first is 1; 0: not known */
   uint64_t program; /* device address; 0: none is named */
   char text[192];   /* the device's, about the cause alone */
};
/* For the owner: the next error since the last call, if there is one. */
bool sgpu_ring_take_error(struct sgpu_ring *ring, struct sgpu_ring_error *error);

/*
 * Syncs: the end of a submission that may still be under construction.
 * `seqno` is valid once `submitted` is signalled.
 */
struct sgpu_sync {
   struct pipe_reference reference;
   struct sgpu_ring *ring;
   uint64_t seqno;
   struct util_queue_fence submitted;
};

/* Memory written before the signal is seen after these; Mesa's own test of a
 * fence does not order reads.
 */
static inline bool
sgpu_signalled(struct util_queue_fence *fence)
{
#ifdef UTIL_QUEUE_FENCE_FUTEX
   return p_atomic_read(&fence->val) == 0;
#else
   return p_atomic_read(&fence->signalled) != 0;
#endif
}

/* False if the signal is not there in time. */
static inline bool
sgpu_wait_signal(struct util_queue_fence *fence, int64_t abs_timeout)
{
   if (sgpu_signalled(fence))
      return true;
   if (abs_timeout != OS_TIMEOUT_INFINITE)
      return util_queue_fence_wait_timeout(fence, abs_timeout) && sgpu_signalled(fence);
   util_queue_fence_wait(fence);
   return sgpu_signalled(fence);
}

struct sgpu_sync *sgpu_sync_create(struct sgpu_ring *ring);
void sgpu_sync_reference(struct sgpu_sync **dst, struct sgpu_sync *src);
/* The sync signals after the submission `seqno`; if that failed, after the one before it. */
void sgpu_sync_submit(struct sgpu_sync *sync, uint64_t seqno);
/* False if the time runs out first; absolute time as os_time_get_nano(). */
bool sgpu_sync_wait(struct sgpu_sync *sync, int64_t abs_timeout);

/*
 * Buffers: whole buffer objects, or slices of one.
 */
enum sgpu_buffer_flags {
   SGPU_BUFFER_ZERO = 1 << 0,   /* reads as zero; else recycled contents */
   SGPU_BUFFER_ALONE = 1 << 1,  /* not a slice: can be waited for by itself */
   SGPU_BUFFER_STREAM = 1 << 2, /* a command stream; implies ALONE */
   SGPU_BUFFER_DEVICE = 1 << 3, /* the CPU touches it for ZERO alone */
};

#define SGPU_BUFFER_USES 4

/* The latest uses of a buffer on one ring; 0: none. */
struct sgpu_use {
   struct sgpu_ring *ring;
   uint64_t seqno, write_seqno;
};

struct sgpu_buffer {
   struct pb_buffer base; /* reference and size */
   struct sgpu_winsys *ws;
   struct sgpu_bo *bo;
   struct sgpu_buffer *parent; /* the buffer that this is a slice of */
   uint64_t address;
   uint8_t *map;
   uint32_t id;  /* never reused while the process lives */
   bool dirty;   /* recycled: may hold old contents */
   bool shared;  /* memory of others: never recycled */
   bool written; /* atomic: a stream has written it since its creation */

   simple_mtx_t lock; /* of uses */
   struct sgpu_use uses[SGPU_BUFFER_USES];

   union {
      struct pb_cache_entry cache_entry;
      struct pb_slab_entry slab_entry;
   };
};

/* NULL when memory is exhausted. `label` names it in captures. */
struct sgpu_buffer *sgpu_buffer_create(struct sgpu_winsys *ws, uint64_t size, unsigned flags,
                                       const char *label);
/* A buffer over a shared mapping of the process, which others may have mapped too
 * (sgpu_bo_create_shared); NULL where the device cannot have it.
 */
struct sgpu_buffer *sgpu_buffer_create_shared(struct sgpu_winsys *ws, void *memory, uint64_t size,
                                              const char *label);
/* Captures cannot have memory that the program writes at any time, nor timing memory whose
 * addresses differ from run to run.
 */
bool sgpu_winsys_has_user_memory(const struct sgpu_winsys *ws);
/* A buffer over any memory of the process (sgpu_bo_create_user); NULL where the device cannot
 * have it.
 */
struct sgpu_buffer *sgpu_buffer_create_user(struct sgpu_winsys *ws, void *memory, uint64_t size,
                                            const char *label);
void sgpu_buffer_destroy(struct sgpu_buffer *buf);

static inline void
sgpu_buffer_reference(struct sgpu_buffer **dst, struct sgpu_buffer *src)
{
   struct sgpu_buffer *old = *dst;

   if (pipe_reference(old ? &old->base.reference : NULL, src ? &src->base.reference : NULL))
      sgpu_buffer_destroy(old);
   *dst = src;
}

/* Whether the device uses it, by submissions made; streams under construction
 * do not count.
 */
bool sgpu_buffer_busy(struct sgpu_buffer *buf);
/* Waits for all submissions that use it. */
bool sgpu_buffer_wait(struct sgpu_buffer *buf, uint64_t timeout_ns);
/* Records that the submission `seqno` of `ring` uses it. */
void sgpu_buffer_add_use(struct sgpu_buffer *buf, struct sgpu_ring *ring, uint64_t seqno,
                         bool write);

/* recycle: whole buffers that are free are kept for others for a time. */
bool sgpu_buffers_init(struct sgpu_winsys *ws, bool recycle);
void sgpu_buffers_fini(struct sgpu_winsys *ws);

#endif
