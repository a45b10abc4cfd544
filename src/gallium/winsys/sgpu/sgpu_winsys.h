/* SPDX-License-Identifier: MIT */
/*
 * The driver's interface to the device: one device per process, memory buffers,
 * rings (queues of submissions) and syncs (points on a ring).
 *
 * Buffers and rings are reference counted.  The memory of a buffer without references
 * is recycled when the device no longer uses it.  The queue of a ring is destroyed with
 * its context.  The ring itself lives as long as syncs and buffers refer to it; if it no
 * longer has a queue, all of its submissions have passed.
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
   struct pipe_reference reference; /* protected by winsys_lock in sgpu_winsys.c */
   struct sgpu_device *dev;
   struct sgt_live *live; /* live timing model of SGPU_TIMING, or NULL */
   struct pb_cache cache;
   struct pb_slabs slabs;
   /* Bytes of memory that buffers may take: the size of the device's memory, limited by the
    * memory of the host and of the process's control groups.
    */
   uint64_t memory;
   uint64_t other;   /* bytes of process memory in use when the device was created */
   uint64_t room;    /* atomic: total size of buffers in bytes that is known to fit */
   uint32_t next_id; /* atomic: id of the latest buffer */
};

/* Returns a reference to the only instance of the process, which the first call creates, or NULL if
 * no device can be created.  If the device is dead in the child of a fork, the child gets another
 * instance.  Objects of the dead one can still be used and destroyed, without an effect.
 */
struct sgpu_winsys *sgpu_winsys_get(void);
void sgpu_winsys_put(struct sgpu_winsys *ws);
bool sgpu_winsys_dead(const struct sgpu_winsys *ws);

/*
 * Rings: reference-counted objects around the device's queues.
 */
struct sgpu_ring {
   struct pipe_reference reference;
   struct sgpu_queue *queue; /* valid for the owner, and between sgpu_ring_use() and _unuse() */
   int32_t users;            /* atomic: number of users of the queue, including the owner */
   uint64_t completed;       /* atomic: seqno up to which submissions are known to have passed */
};

/* Returns the number of bytes that new buffers may take, with the memory in use now. */
uint64_t sgpu_winsys_available(const struct sgpu_winsys *ws);

/* Must be called after each submission if there is live timing.  Waits for the end of the
 * submission, so that the results which the driver and the program read from the device do not
 * depend on the speed of the host.
 */
void sgpu_winsys_submitted(struct sgpu_winsys *ws, struct sgpu_ring *ring, uint64_t seqno);

/* Creates a ring.  The caller owns it: only the owner submits, and may always use the queue. */
struct sgpu_ring *sgpu_ring_create(struct sgpu_winsys *ws);
/* Limits the time that an operation may take; see sgpu_queue_set_budget(). */
void sgpu_ring_set_budget(struct sgpu_ring *ring, uint64_t budget_ns);
/* Called by the owner: waits for the last submission and drops the owner's reference. */
void sgpu_ring_close(struct sgpu_ring **ring, uint64_t last_seqno);
void sgpu_ring_reference(struct sgpu_ring **dst, struct sgpu_ring *src);
/* Keeps the queue alive until sgpu_ring_unuse().  Returns false if the queue has been destroyed,
 * which means that all submissions of the ring have passed.
 */
bool sgpu_ring_use(struct sgpu_ring *ring);
void sgpu_ring_unuse(struct sgpu_ring *ring);
/* Returns true if the submission has ended. */
bool sgpu_ring_passed(struct sgpu_ring *ring, uint64_t seqno);
/* Waits for a submission.  Returns false after timeout_ns (UINT64_MAX for no limit). */
bool sgpu_ring_wait(struct sgpu_ring *ring, uint64_t seqno, uint64_t timeout_ns);

/* A submission that ended with an error, or a draw with a shader that was stopped. */
struct sgpu_ring_error {
   uint64_t seqno;
   unsigned draw;    /* number of the draw in the submission, from 1; 0 if not known */
   uint64_t program; /* device address of the program, or 0 if not known */
   char text[192];   /* cause of the error, in the words of the device */
};
/* Called by the owner.  Returns false if there are no more errors. */
bool sgpu_ring_take_error(struct sgpu_ring *ring, struct sgpu_ring_error *error);

/*
 * Syncs: an object for the end of a submission that may still be under construction.
 * `seqno` is valid once `submitted` is signalled.
 */
struct sgpu_sync {
   struct pipe_reference reference;
   struct sgpu_ring *ring;
   uint64_t seqno;
   struct util_queue_fence submitted;
};

/* Tests whether a fence is signalled.  If it is, the caller also sees the memory that the
 * signalling thread wrote before.  util_queue_fence_is_signalled() does not order reads.
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

/* Waits for a fence, with the memory order of sgpu_signalled().  Returns false on timeout. */
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
/* Ties the sync to submission `seqno` or, if that failed, to the previous submission. */
void sgpu_sync_submit(struct sgpu_sync *sync, uint64_t seqno);
/* Waits until abs_timeout (os_time_get_nano()).  Returns false if the time runs out. */
bool sgpu_sync_wait(struct sgpu_sync *sync, int64_t abs_timeout);

/*
 * Buffers: whole buffer objects, or slices of a buffer object.
 */
enum sgpu_buffer_flags {
   SGPU_BUFFER_ZERO = 1 << 0,   /* the buffer reads as zero; others may have old contents */
   SGPU_BUFFER_ALONE = 1 << 1,  /* the buffer is a whole buffer object, not a slice */
   SGPU_BUFFER_STREAM = 1 << 2, /* the buffer holds a command stream; implies ALONE */
   SGPU_BUFFER_DEVICE = 1 << 3, /* the CPU does not access the buffer, except to set it to zero */
};

/* Number of rings whose latest use a buffer records. */
#define SGPU_BUFFER_USES 4

/* Latest submission of one ring that uses the buffer, and latest one that writes it, or 0. */
struct sgpu_use {
   struct sgpu_ring *ring;
   uint64_t seqno, write_seqno;
};

struct sgpu_buffer {
   struct pb_buffer base; /* reference count and size */
   struct sgpu_winsys *ws;
   struct sgpu_bo *bo;
   struct sgpu_buffer *parent; /* for a slice, the whole buffer that it belongs to; else NULL */
   uint64_t address;           /* device address */
   uint8_t *map;               /* address for the CPU */
   uint32_t id;                /* unique number; slices and recycled buffers keep theirs */
   bool dirty;                 /* the memory was used before and may hold old contents */
   bool shared;                /* the memory is not the device's own, so it is never recycled */
   bool written;               /* atomic: a stream writes the buffer or has written it */

   simple_mtx_t lock; /* protects `uses` */
   struct sgpu_use uses[SGPU_BUFFER_USES];

   union {
      struct pb_cache_entry cache_entry;
      struct pb_slab_entry slab_entry;
   };
};

/* Returns NULL if out of memory.  `label` is the name of the buffer in captures. */
struct sgpu_buffer *sgpu_buffer_create(struct sgpu_winsys *ws, uint64_t size, unsigned flags,
                                       const char *label);
/* Creates a buffer over a shared mapping of the process, which other processes may have mapped
 * too (sgpu_bo_create_shared()).  Returns NULL if the device cannot use the memory.
 */
struct sgpu_buffer *sgpu_buffer_create_shared(struct sgpu_winsys *ws, void *memory, uint64_t size,
                                              const char *label);
/* Returns true if buffers over user memory are supported.  Captures do not support them, since
 * the program may write the memory at any time, and timing does not, since its addresses differ
 * from run to run.
 */
bool sgpu_winsys_has_user_memory(const struct sgpu_winsys *ws);
/* Version of sgpu_buffer_create_shared() for any memory of the process. */
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

/* Returns true if a submission in progress uses the buffer; open streams do not count. */
bool sgpu_buffer_busy(struct sgpu_buffer *buf);
/* Waits for all submissions that use the buffer.  Returns false if the time runs out first. */
bool sgpu_buffer_wait(struct sgpu_buffer *buf, uint64_t timeout_ns);
/* Records that submission `seqno` of `ring` uses the buffer and, with `write`, writes it. */
void sgpu_buffer_add_use(struct sgpu_buffer *buf, struct sgpu_ring *ring, uint64_t seqno,
                         bool write);

/* With `recycle`, freed buffer objects are kept for some time and used again. */
bool sgpu_buffers_init(struct sgpu_winsys *ws, bool recycle);
void sgpu_buffers_fini(struct sgpu_winsys *ws);

#endif
