/* SPDX-License-Identifier: MIT */
/*
 * The device's public interface, in the shape of a kernel driver's uAPI:
 * buffer objects at device addresses, asynchronous submission of command
 * streams on queues, fences, counters.  The winsys (through the capture
 * layer), the capture tools and the tests use the device only through it.
 *
 * All functions may be called from any thread unless their comment says
 * otherwise.  Errors are negative errno values.
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
struct sgpu_observer; /* sgpu_observer.h */
struct sgpu_bo;
struct sgpu_queue;

enum sgpu_dispatch_policy {
   SGPU_DISPATCH_INORDER,
   SGPU_DISPATCH_OOO,
   SGPU_DISPATCH_OOO_SPLIT,
   SGPU_DISPATCH_OOO_SPLIT_BREAK,
   SGPU_DISPATCH_POLICIES, /* their number */
};
/* As SGPU_DISPATCH has it: inorder, ooo, ... */
const char *sgpu_dispatch_name(enum sgpu_dispatch_policy policy);
/* False where no policy has the name. */
bool sgpu_dispatch_find(const char *name, enum sgpu_dispatch_policy *policy);
/* All names, for messages: "inorder, ooo or ..." */
#define SGPU_DISPATCH_NAMES "inorder, ooo, ooo+split or ooo+split+break"

/* Levels of x86-64 that the engines are compiled for. */
enum sgpu_host_level {
   SGPU_HOST_BASELINE, /* x86-64-v2, or any other host */
   SGPU_HOST_V3,       /* AVX2 */
   SGPU_HOST_V4,       /* AVX-512 */
   SGPU_HOST_BEST,     /* the highest level of the host */
};

/* How programs are executed; the results are the same. */
enum sgpu_exec {
   SGPU_EXEC_INTERP, /* by the interpreter */
   SGPU_EXEC_JIT,    /* what can be, by machine code of the host, where it has AVX2 */
   SGPU_EXEC_AUTO,   /* by the interpreter at first; hot programs as JIT, when a thread in the
                      * background has translated them */
};
/* False where no mode has the name. */
bool sgpu_exec_find(const char *name, enum sgpu_exec *exec);
#define SGPU_EXEC_NAMES "interp, jit or auto"

/* Why an operation waits for earlier ones. */
enum sgpu_dependence {
   SGPU_DEPENDENCE_RAW,       /* it reads what they write */
   SGPU_DEPENDENCE_WAW,       /* it writes what they write */
   SGPU_DEPENDENCE_WAR,       /* it writes what they read */
   SGPU_DEPENDENCE_XFB,       /* any of these, of buffers and counters of transform feedback */
   SGPU_DEPENDENCE_PREDICATE, /* they decide whether it does anything */
   SGPU_DEPENDENCE_QUERY,     /* it stores their counts, or the time of their end */
   SGPU_DEPENDENCE_INORDER,   /* the policy: one operation after the other */
};

struct sgpu_device_params {
   unsigned threads; /* workers; 0: CPUs by affinity and quota */
   enum sgpu_dispatch_policy dispatch;
   enum sgpu_host_level host; /* upper limit, besides the host's own level */
   enum sgpu_exec exec;
   unsigned engines;               /* raster engines; 0: default; no effect on results */
   uint64_t shuffle_seed;          /* if not 0, run ready work in random order (tests) */
   uint64_t watchdog_instructions; /* limit per warp; 0: default */
   uint64_t watchdog_vertices;     /* limit of a draw, or lanes of a grid; 0: default */
   uint64_t budget_ns;             /* of all queues with a budget; 0: each its own; UINT64_MAX:
                                    * no limit */
   bool poison;                    /* fill new storage with a pattern instead of zeros */
   bool print_commands;            /* print each submission to stderr */
   bool print_translations;        /* print machine code of programs to stderr */
   bool perf_map;                  /* name it in /tmp/perf-PID.map */
   bool virtual_threads;           /* workers take turns on one processor, and their time is
                                    * simulated: SGPU_PARAM_VIRTUAL_TIME.  For tools: they
                                    * run only while a thread waits for them */
   unsigned virtual_slow;          /* of these, the second half takes so much times as long;
                                    * 0: as 1 */
   bool separate_draws;            /* small draws that follow one another are not joined */
   bool unordered;                 /* programs whose results depend on the order of atomic
                                    * operations run in any order, and in parallel */
   uint32_t drop_dependences;      /* mask of enum sgpu_dependence, RAW to XFB: operations do
                                    * not wait.  For tests that must see wrong results */
   char trace[256];                /* file for the time line of the threads; "": none */
   /* NULL, or what is told of the device's work; lives as long as the device. */
   const struct sgpu_observer *observer;
};

/* Sets the defaults, then applies SGPU_THREADS, SGPU_DISPATCH, SGPU_EXEC, SGPU_TIMEOUT and SGPU_DEBUG
 * (README.md, docs/debugging.md).  For an invalid value it prints a message to
 * stderr, keeps the default and returns false.
 */
bool sgpu_device_params_from_env(struct sgpu_device_params *params);

enum sgpu_param {
   SGPU_PARAM_THREADS,
   SGPU_PARAM_ENGINES,
   SGPU_PARAM_HOST_LEVEL,  /* enum sgpu_host_level in use */
   SGPU_PARAM_MEMORY_SIZE, /* bytes of device address space */
   SGPU_PARAM_MEMORY_USED, /* bytes in buffer objects */
   SGPU_PARAM_TIMESTAMP,   /* nanoseconds, the clock of timer queries */
   SGPU_PARAM_DISPATCH,
   SGPU_PARAM_VIRTUAL_TIME, /* ns in which a worker worked, of params.virtual_threads; else 0 */
   SGPU_PARAM_VIRTUAL_LOCK, /* of these, summed over workers, those of waits for the lock */
   SGPU_PARAM_DEAD,         /* 1: in the child of a fork, a device that does not go on */
};

/* Threads start with the first submission, not here. */
int sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
/* Waits for all work.  Queues and buffers that still exist (a program may close
 * its display before it destroys its contexts) must not be used afterwards.
 */
void sgpu_device_destroy(struct sgpu_device *dev);
uint64_t sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param);
/* Notes on the time line, if there is one, that the calling thread did `name` from `start`
 * (SGPU_PARAM_TIMESTAMP) till now.
 */
void sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start);

/*
 * Buffer objects.  Memory is mapped for the life of the object, is zero at
 * first, and is shared with the device: there are no copies.  Touching a page
 * that the host cannot back kills the process.
 */
/* `size`: bytes, not 0; the memory is rounded up to a multiple of SGPU_PAGE_SIZE.
 * `label`: a name for tools, or NULL.  -ENOMEM: out of memory or of addresses.
 */
int sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out);
/* The same at an address that the caller chooses, for replays.  -EBUSY if another
 * object is there, or a submission that has not ended uses the range.
 */
int sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                      struct sgpu_bo **out);
/* An object over a shared mapping of the process (shmat, MAP_SHARED) that begins
 * at a page boundary: the device uses the same pages, at the object's addresses,
 * until the object is freed.  -EINVAL for other memory.  The caller must
 * synchronize other writers.
 */
int sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out);
/* An object over memory of the process that begins at a page boundary: the device
 * works in it, and it must stay mapped until the submissions that name the object
 * have ended.  -EINVAL: it is not mapped, or has no device address (it lies below
 * the device's memory or in it); -EBUSY: another such object has a part of its pages.
 * One that begins there and has as many pages is given again.
 */
int sgpu_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                        struct sgpu_bo **out);
/* Frees the object when the submissions that name it have ended. */
void sgpu_bo_destroy(struct sgpu_bo *bo);
void *sgpu_bo_map(struct sgpu_bo *bo);
uint64_t sgpu_bo_address(const struct sgpu_bo *bo);
uint64_t sgpu_bo_size(const struct sgpu_bo *bo); /* as requested */

/* A point on a queue: it has passed when all submissions up to `seqno` have ended. */
struct sgpu_fence {
   struct sgpu_queue *queue;
   uint64_t seqno;
};

struct sgpu_bo_range {
   struct sgpu_bo *bo;
   uint64_t offset, size; /* bytes */
};

struct sgpu_submit {
   uint64_t address;           /* of the stream; in a buffer of the list */
   uint32_t words;             /* 32-bit words; END may end the stream earlier */
   struct sgpu_bo *const *bos; /* every buffer that the stream may access */
   unsigned num_bos;
   const struct sgpu_fence *waits; /* fences of other queues */
   unsigned num_waits;
   /* Ranges that the stream may write.  The device ignores them; the capture
    * layer does not store contents that a replay writes again.
    */
   const struct sgpu_bo_range *writes;
   unsigned num_writes;
};

/* Submissions of a queue run in order; fences order submissions of different queues. */
int sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
/* From now on, operations of the queue that take more of a processor's time than `budget_ns` end,
 * with their submission and all that were submitted behind it; the queue has an error.  Until then
 * any time is allowed, so that results do not depend on it.  0: any time; but queues take turns
 * all the same, where one has long work and another waits.  Neither for a device with an observer
 * or virtual threads.  -ENOMEM, -ENODEV.
 */
int sgpu_queue_set_budget(struct sgpu_queue *queue, uint64_t budget_ns);
/* Waits for the queue's work. */
void sgpu_queue_destroy(struct sgpu_queue *queue);
/* Queues the submission and returns; *seqno is its fence.  -EINVAL if no buffer of
 * the list has the stream, or if a fence in `waits` was not submitted yet.  The
 * stream's buffer must not be written until the fence has passed.  A submission
 * begins without state; queries continue from one submission to the next.
 */
int sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno);
/* 0, or -ETIME.  Nanoseconds; UINT64_MAX: no limit; 0: returns at once. */
int sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
/* Highest seqno that has passed. */
uint64_t sgpu_queue_completed(struct sgpu_queue *queue);
/* Waits for all submissions, of any queue, that name the buffer. */
int sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_bo_busy(struct sgpu_bo *bo);

/* An error of a queue: a submission that ended before its stream did, or a draw
 * of which warps were stopped because they issued more instructions than the
 * watchdog allows.  The queue goes on with the next submission, or the next draw.
 */
struct sgpu_queue_error {
   uint64_t seqno;       /* the submission */
   uint32_t packet;      /* its number in the stream, from 0 */
   uint32_t draw;        /* number of the draw packet in the stream, from 1; 0: no draw */
   uint64_t program;     /* SHADER.Address of the program that was stopped; 0: none */
   uint32_t instruction; /* at which it was stopped */
   char message[192];
};
/* Takes the oldest error that was not taken; false: there is none.  A queue keeps
 * the first 16 that are not taken.
 */
bool sgpu_queue_take_error(struct sgpu_queue *queue, struct sgpu_queue_error *error);

/* Work counters, summed over the workers, of all submissions that have ended.
 * src/device/sgpu_counters.py has names and units.
 */
struct sgpu_counter_info {
   const char *name;
   const char *unit;
   const char *description;
   bool maximum; /* the largest value so far; else a sum */
};
unsigned sgpu_counter_count(void);
const struct sgpu_counter_info *sgpu_counter_get_info(unsigned index);
/* Writes sgpu_counter_count() values. */
void sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values);

/* A fork waits for the running pieces of work.  The child gets its own copy of the device, with
 * the same buffers, queues and pending work.  The copy resumes at the child's next call.
 * Shared memory of buffers stays shared.  The child writes no time line.
 *
 * It has none, so that calls fail with -ENODEV and waits return at once, where the device has an
 * observer or simulated time; where a piece of work takes more than 3 s; and where a worker
 * forks (as a handler of SIGSEGV).
 */

#ifdef __cplusplus
}
#endif
#endif
