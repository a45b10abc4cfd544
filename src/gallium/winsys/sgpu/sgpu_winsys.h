/* SPDX-License-Identifier: MIT */
/* The driver's interface to the device: one device per process, memory buffers, rings (queues of
 * submissions) and syncs (points on a ring).
 *
 * Buffers and rings are reference counted.  The memory of an unreferenced buffer is recycled when
 * the device no longer uses it.  The queue of a ring is destroyed with its context.  The ring lives
 * as long as syncs and buffers refer to it.  If a ring no longer has a queue, all of its
 * submissions have ended.
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
   struct sgt_live *live; /* timing model of SGPU_TIMING that runs along with the device, or NULL */
   struct pb_cache cache;
   struct pb_slabs slabs;
   /* Number of bytes that buffers can use: the size of the device's memory, or less if the host or
    * the process's control groups have less memory.
    */
   uint64_t memory;
   uint64_t other; /* number of bytes that the process was using when the device was created */
   /* atomic: when the total size of buffers exceeds this number of bytes, fits() reads the memory
    * use of the process again
    */
   uint64_t room;
   uint32_t next_id;   /* atomic: ID of the latest buffer */
   bool work_reported; /* atomic: set when sgpu_report_work() was called */
};

/* Returns a reference to the only instance in the process, and creates it on the first call.
 * Returns NULL if the device can't be created.  A forked child gets a new instance if its device is
 * dead.  Objects of the dead instance can still be used and destroyed, but calls have no effect.
 */
struct sgpu_winsys *sgpu_winsys_get(void);
void sgpu_winsys_put(struct sgpu_winsys *ws);
bool sgpu_winsys_dead(const struct sgpu_winsys *ws);

/* Rings: reference-counted wrappers around the device's queues. */
struct sgpu_ring {
   struct pipe_reference reference;
   /* only valid for the owner, and between sgpu_ring_use() and sgpu_ring_unuse() */
   struct sgpu_queue *queue;
   int32_t users; /* atomic: number of users of the queue, including the owner */
   /* atomic: seqno of the latest submission that is known to have ended */
   uint64_t completed;
};

/* Tell sgpu-require, if the program runs below it, that the process has made a device, or has
 * submitted a draw, a clear or a grid.  Calls after the first one of a process have no effect.
 */
void sgpu_report_screen(void);
void sgpu_report_work(struct sgpu_winsys *ws);

/* Returns the number of bytes that new buffers can use, given the current memory use. */
uint64_t sgpu_winsys_available(const struct sgpu_winsys *ws);

/* Must be called after each submission if SGPU_TIMING is set.  Waits for the end of the submission,
 * so that the results that the driver and the application read from the device don't depend on the
 * speed of the host.
 */
void sgpu_winsys_submitted(struct sgpu_winsys *ws, struct sgpu_ring *ring, uint64_t seqno);

/* Creates a ring for the caller, which becomes its owner.  Only the owner may submit.  The owner
 * can use the queue without sgpu_ring_use().
 */
struct sgpu_ring *sgpu_ring_create(struct sgpu_winsys *ws);
/* Limits the time that one operation may take.  See sgpu_queue_set_budget(). */
void sgpu_ring_set_budget(struct sgpu_ring *ring, uint64_t budget_ns);
/* Waits for the last submission and drops the owner's reference.  Only the owner may call this. */
void sgpu_ring_close(struct sgpu_ring **ring, uint64_t last_seqno);
void sgpu_ring_reference(struct sgpu_ring **dst, struct sgpu_ring *src);
/* Keeps the queue alive until sgpu_ring_unuse().  Returns false if the queue has been destroyed, in
 * which case all submissions of the ring have ended.
 */
bool sgpu_ring_use(struct sgpu_ring *ring);
void sgpu_ring_unuse(struct sgpu_ring *ring);
/* Returns true if submission `seqno` has ended. */
bool sgpu_ring_passed(struct sgpu_ring *ring, uint64_t seqno);
/* Waits for the end of submission `seqno`.  Returns false after timeout_ns nanoseconds.  UINT64_MAX
 * means no timeout.
 */
bool sgpu_ring_wait(struct sgpu_ring *ring, uint64_t seqno, uint64_t timeout_ns);

/* A submission that has failed, or a draw whose shader was stopped. */
struct sgpu_ring_error {
   uint64_t seqno;
   unsigned draw;    /* number of the draw in the submission, starting at 1; 0 if unknown */
   uint64_t program; /* device address of the shader program, or 0 if unknown */
   char text[192];   /* cause of the error, as reported by the device */
};
/* Removes and returns the oldest error of the ring.  Returns false if there are no more errors.
 * Only the owner may call this.
 */
bool sgpu_ring_take_error(struct sgpu_ring *ring, struct sgpu_ring_error *error);

/* A sync stands for the end of a submission that may still be under construction.  `seqno` is valid
 * once `submitted` is signalled.
 */
struct sgpu_sync {
   struct pipe_reference reference;
   struct sgpu_ring *ring;
   uint64_t seqno;
   struct util_queue_fence submitted;
};

/* Returns true if a fence is signalled.  If it is, the caller also sees all memory writes that the
 * signalling thread made before.  util_queue_fence_is_signalled() doesn't guarantee this.
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

/* Waits for a fence, with the same memory ordering as sgpu_signalled().  Returns false on timeout.
 */
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
/* Ties the sync to submission `seqno`, or to the previous submission if that one failed, and
 * signals sync->submitted.
 */
void sgpu_sync_submit(struct sgpu_sync *sync, uint64_t seqno);
/* Waits until the submission of the sync has ended.  Returns false at time abs_timeout (see
 * os_time_get_nano()).
 */
bool sgpu_sync_wait(struct sgpu_sync *sync, int64_t abs_timeout);

/* Flags for the creation of a buffer, which is either a whole buffer object or a slice of one. */
enum sgpu_buffer_flags {
   /* the buffer reads as zero; without this flag, it may have old contents */
   SGPU_BUFFER_ZERO = 1 << 0,
   SGPU_BUFFER_ALONE = 1 << 1,  /* the buffer is a whole buffer object */
   SGPU_BUFFER_STREAM = 1 << 2, /* the buffer holds a command stream; implies SGPU_BUFFER_ALONE */
   SGPU_BUFFER_DEVICE = 1 << 3, /* the CPU does not access the buffer, except to clear it */
};

/* A buffer can record the latest submissions of this number of rings. */
#define SGPU_BUFFER_USES 4

/* The latest submissions of a ring that use the buffer (seqno) and that write to it (write_seqno),
 * or 0 if there are none.
 */
struct sgpu_use {
   struct sgpu_ring *ring;
   uint64_t seqno, write_seqno;
};

struct sgpu_buffer {
   struct pb_buffer_lean base; /* reference count and size */
   struct sgpu_winsys *ws;
   struct sgpu_bo *bo;
   /* buffer that this buffer is a slice of, or NULL for a whole buffer object */
   struct sgpu_buffer *parent;
   uint64_t address; /* device address */
   uint8_t *map;     /* CPU pointer to the memory */
   uint32_t id;      /* unique ID, which slices and recycled buffers keep */
   bool dirty;       /* set if the memory may hold data of an earlier buffer */
   bool shared;      /* set if the device does not own the memory, which is then never recycled */
   bool written;     /* atomic: set if a stream writes or has written the buffer */

   simple_mtx_t lock; /* protects `uses` */
   struct sgpu_use uses[SGPU_BUFFER_USES];

   union {
      struct pb_cache_entry cache_entry;
      struct pb_slab_entry slab_entry;
   };
};

/* Returns a new buffer, or NULL on allocation failure.  Captures show `label` as the name of the
 * buffer.
 */
struct sgpu_buffer *sgpu_buffer_create(struct sgpu_winsys *ws, uint64_t size, unsigned flags,
                                       const char *label);
/* Creates a buffer over a shared mapping of the process (see sgpu_bo_create_shared()).  Other
 * processes may map the same memory.  Returns NULL if the device can't use the memory.
 */
struct sgpu_buffer *sgpu_buffer_create_shared(struct sgpu_winsys *ws, void *memory, uint64_t size,
                                              const char *label);
/* Returns true if buffers over user memory are supported.  Captures don't support them, because the
 * application may write to the memory at any time.  SGPU_TIMING doesn't support them, because their
 * addresses differ from run to run.
 */
bool sgpu_winsys_has_user_memory(const struct sgpu_winsys *ws);
/* Like sgpu_buffer_create_shared(), but for any memory of the process. */
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

/* Returns true if a submission that has not ended uses the buffer.  Streams under construction
 * don't count.
 */
bool sgpu_buffer_busy(struct sgpu_buffer *buf);
/* Waits for all submissions that use the buffer.  Returns false on timeout. */
bool sgpu_buffer_wait(struct sgpu_buffer *buf, uint64_t timeout_ns);
/* Records that submission `seqno` of `ring` uses the buffer.  `write` must be true if the
 * submission writes to the buffer.
 */
void sgpu_buffer_add_use(struct sgpu_buffer *buf, struct sgpu_ring *ring, uint64_t seqno,
                         bool write);

/* Initializes the buffer cache.  If `recycle` is true, freed buffer objects are kept for some time
 * and reused.
 */
bool sgpu_buffers_init(struct sgpu_winsys *ws, bool recycle);
void sgpu_buffers_fini(struct sgpu_winsys *ws);

#endif
