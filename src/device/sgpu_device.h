/* SPDX-License-Identifier: MIT */
/*
 * The device's public interface, in the shape of a kernel driver's uAPI:
 * buffer objects at device addresses, asynchronous submission of command
 * streams on queues, fences, counters.  The winsys (through the capture
 * layer), the replayer and the tests use nothing else of the device.
 *
 * All functions may be called from any thread unless they say otherwise.
 * Errors are negative errno values.
 */
#ifndef SGPU_DEVICE_H
#define SGPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SGPU_PAGE_SIZE 4096u

struct sgpu_device;
struct sgpu_bo;
struct sgpu_queue;

enum sgpu_dispatch_policy {
   SGPU_DISPATCH_INORDER,
   SGPU_DISPATCH_OOO,
   SGPU_DISPATCH_OOO_SPLIT,
};

/* x86-64's levels, for which the engines are compiled. */
enum sgpu_host_level {
   SGPU_HOST_BASELINE,     /* x86-64-v2, or any other host */
   SGPU_HOST_V3,           /* AVX2 */
   SGPU_HOST_V4,           /* AVX-512 */
   SGPU_HOST_BEST,         /* what the host has */
};

struct sgpu_device_params {
   unsigned threads;                   /* workers; 0: CPUs by affinity and quota */
   enum sgpu_dispatch_policy dispatch;
   enum sgpu_host_level host;          /* at most; what the host lacks is not used */
   unsigned engines;                   /* raster engines; 0: default.  The bits are the same */
   uint64_t shuffle_seed;              /* not 0: pick ready work at random, for tests */
   uint64_t watchdog_instructions;     /* a warp that issues more is stopped; 0: default */
   uint64_t watchdog_vertices;         /* a draw of more, in all, is refused; 0: default */
   bool poison;                        /* fill new storage with a pattern instead of zeros */
   bool print_commands;                /* print each submission to stderr */
};

/* Defaults, then SGPU_THREADS, SGPU_DISPATCH, SGPU_DEBUG as README.md and
 * docs/debugging.md have them.  Returns false, with a message on stderr, for a
 * value that is not understood; the default stays.
 */
bool sgpu_device_params_from_env(struct sgpu_device_params *params);

enum sgpu_param {
   SGPU_PARAM_THREADS,
   SGPU_PARAM_ENGINES,
   SGPU_PARAM_HOST_LEVEL,         /* enum sgpu_host_level in use */
   SGPU_PARAM_MEMORY_SIZE,        /* bytes of device address space */
   SGPU_PARAM_MEMORY_USED,        /* bytes in buffer objects */
   SGPU_PARAM_TIMESTAMP,          /* nanoseconds, the clock of timer queries */
   SGPU_PARAM_DISPATCH,
};

/* Threads start with the first submission, not here. */
int sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
/* Waits for all work.  Queues and buffers that are left (a program may close its
 * display before it destroys its contexts) are not to be used any more.
 */
void sgpu_device_destroy(struct sgpu_device *dev);
uint64_t sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param);

/*
 * Buffer objects.  Memory is mapped for the life of the object, reads as zero
 * at first, and is the very memory that the device works on.
 */
/* `size`: bytes, not 0; the memory goes on to a multiple of SGPU_PAGE_SIZE.
 * `label`: a name for tools, or NULL.  -ENOMEM: no memory, or no addresses.
 */
int sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                   struct sgpu_bo **out);
/* The same at an address of the caller's choice, for replays; -EBUSY where
 * something else is, or was used by a submission that has not ended.
 */
int sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size,
                      const char *label, struct sgpu_bo **out);
/* An object over memory that others see too, a shared mapping of the process
 * (shmat, MAP_SHARED) from a page boundary on: the device works on the same pages
 * at the object's own addresses, until the object goes.  -EINVAL where the
 * memory is not of this kind.  Whoever else writes it orders that by himself.
 */
int sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size,
                          const char *label, struct sgpu_bo **out);
/* The object goes when the submissions that name it have ended. */
void sgpu_bo_destroy(struct sgpu_bo *bo);
void *sgpu_bo_map(struct sgpu_bo *bo);
uint64_t sgpu_bo_address(const struct sgpu_bo *bo);
uint64_t sgpu_bo_size(const struct sgpu_bo *bo);         /* as it was asked for */

/* Fences are points on a queue: everything submitted up to `seqno` has ended. */
struct sgpu_fence {
   struct sgpu_queue *queue;
   uint64_t seqno;
};

struct sgpu_bo_range {
   struct sgpu_bo *bo;
   uint64_t offset, size;          /* bytes */
};

struct sgpu_submit {
   uint64_t address;               /* of the stream; in a buffer of the list */
   uint32_t words;                 /* 32-bit words; the stream may end earlier by END */
   struct sgpu_bo *const *bos;     /* every buffer that the stream may reach */
   unsigned num_bos;
   const struct sgpu_fence *waits; /* fences of other queues */
   unsigned num_waits;
   /* What the stream may write.  The device does not look at it; a capture
    * layer stores no contents that the device will write again.
    */
   const struct sgpu_bo_range *writes;
   unsigned num_writes;
};

/* Order within a queue is program order.  Across queues only fences order. */
int sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
/* Waits for the queue's work. */
void sgpu_queue_destroy(struct sgpu_queue *queue);
/* Returns once the submission is queued; *seqno is its fence. -EINVAL where
 * the stream is in no buffer of the list, or a fence to wait for was not
 * submitted yet.  The stream's buffer must not be written until the fence has
 * passed.  Each submission begins with no state set; queries that count go on
 * from one to the next.
 */
int sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit,
                      uint64_t *seqno);
/* 0, or -ETIME.  timeout in nanoseconds, UINT64_MAX: no limit, 0: ask. */
int sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
/* Highest seqno that has passed. */
uint64_t sgpu_queue_completed(struct sgpu_queue *queue);
/* Waits for all submissions, of any queue, that name the buffer. */
int sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_bo_busy(struct sgpu_bo *bo);

enum sgpu_reset_status {
   SGPU_RESET_NONE,
   SGPU_RESET_GUILTY,       /* a shader of this queue ran too long, or a packet was bad */
   SGPU_RESET_INNOCENT,
};
/* Since the last call.  `message`, where not NULL, gets the first error's text
 * (queue-owned, valid until the next call), naming submission, packet and word.
 */
enum sgpu_reset_status sgpu_queue_reset_status(struct sgpu_queue *queue, const char **message);

/* Work counters, summed over workers up to the last ended submission.  Names
 * and units: sgpu_counter_infos, made from src/device/sgpu_counters.py.
 */
struct sgpu_counter_info {
   const char *name;
   const char *unit;
   const char *description;
};
unsigned sgpu_counter_count(void);
const struct sgpu_counter_info *sgpu_counter_get_info(unsigned index);
/* sgpu_counter_count() of them to `values`. */
void sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values);

/* fork(): the child has the buffers' memory but no workers; its calls fail
 * with -ENODEV, and waits return at once.
 */

#ifdef __cplusplus
}
#endif
#endif
