/* SPDX-License-Identifier: MIT */
/*
 * Public interface of the device, in the form of a kernel driver's uAPI: buffer objects
 * at device addresses, asynchronous submission of command streams on queues, fences,
 * counters. The winsys (through the capture layer), the capture tools and the tests use
 * the device only through this interface.
 *
 * All functions may be called from any thread unless their comment says otherwise. Errors
 * are negative errno values.
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
   SGPU_DISPATCH_POLICIES, /* number of policies */
};
/* Returns the name that SGPU_DISPATCH uses: inorder, ooo, ... */
const char *sgpu_dispatch_name(enum sgpu_dispatch_policy policy);
/* Returns false if no policy has this name. */
bool sgpu_dispatch_find(const char *name, enum sgpu_dispatch_policy *policy);
/* All names, for messages. */
#define SGPU_DISPATCH_NAMES "inorder, ooo, ooo+split or ooo+split+break"

/* Levels of x86-64 that the engines are compiled for. */
enum sgpu_host_level {
   SGPU_HOST_BASELINE, /* x86-64-v2, or any other host */
   SGPU_HOST_V3,       /* x86-64-v3, with AVX2 */
   SGPU_HOST_V4,       /* x86-64-v4, with AVX-512 */
   SGPU_HOST_BEST,     /* the highest level of the host */
};

/* How programs are executed. Results do not depend on it. */
enum sgpu_exec {
   SGPU_EXEC_INTERP, /* execute by the interpreter */
   SGPU_EXEC_JIT,    /* execute by machine code where possible; needs AVX2 */
   SGPU_EXEC_AUTO,   /* execute by the interpreter at first, and by machine code when a background
                      * thread has translated a hot program */
};
/* Returns false if no mode has this name. */
bool sgpu_exec_find(const char *name, enum sgpu_exec *exec);
#define SGPU_EXEC_NAMES "interp, jit or auto"

/* Reason why an operation waits for earlier ones. */
enum sgpu_dependence {
   SGPU_DEPENDENCE_RAW,       /* it reads memory that they write */
   SGPU_DEPENDENCE_WAW,       /* it writes memory that they write */
   SGPU_DEPENDENCE_WAR,       /* it writes memory that they read */
   SGPU_DEPENDENCE_XFB,       /* one of these, through transform feedback's buffers or counters */
   SGPU_DEPENDENCE_PREDICATE, /* their query results decide whether it has any effect */
   SGPU_DEPENDENCE_QUERY,     /* it stores their counts, or the time when they end */
   SGPU_DEPENDENCE_INORDER,   /* policy inorder: one operation after the other */
};

/* Plan of a draw (docs/architecture.md, "Plan of a draw"). sgpu_paths.h has the names. */
struct sgpu_draw_plan {
   uint64_t facts;   /* mask of SGPU_FACT_* */
   uint32_t paths;   /* bit n: the plan has path n (enum sgpu_path) */
   uint32_t left;    /* bit n: path n is possible, but left by all or a part of the draw */
   uint8_t samples;  /* samples of the targets */
   bool shades;      /* the pixel program runs */
   bool early, late; /* depth and stencil are tested before, after the program */
   bool per_sample;  /* the program runs for each sample */
   uint8_t order;    /* enum sgd_order_role */
   uint32_t draw;    /* number of the draw packet in its submission, from 1 */
   uint32_t draws;   /* number of draws from that packet on that have the same plan */
};
/* Prints a plan to a FILE, as a line without its end. */
void sgpu_draw_plan_print(void *file, const struct sgpu_draw_plan *plan);
/* Returns true if the plans differ only in the numbers of their draws. */
bool sgpu_draw_plan_equals(const struct sgpu_draw_plan *a, const struct sgpu_draw_plan *b);

struct sgpu_device_params {
   /* number of workers; 0: CPUs by affinity and quota */
   unsigned threads;
   enum sgpu_dispatch_policy dispatch;
   /* upper limit, in addition to the host's own level */
   enum sgpu_host_level host;
   enum sgpu_exec exec;
   /* raster engines; 0: default; does not affect results */
   unsigned engines;
   /* if not 0, run ready work in random order (for tests) */
   uint64_t shuffle_seed;
   /* maximum instructions per warp; 0: default */
   uint64_t watchdog_instructions;
   /* maximum vertices of a draw, or lanes of a grid; 0: default */
   uint64_t watchdog_vertices;
   /* time limit of operations of all queues with a budget; 0: each queue has its own
    * limit; UINT64_MAX: no limit
    */
   uint64_t budget_ns;
   /* fill new storage with a pattern instead of zeros */
   bool poison;
   /* print each submission to stderr */
   bool print_commands;
   /* print each new plan of a draw to stderr */
   bool print_plans;
   /* Called for each plan of a draw (or of several joined ones) by a worker, or NULL. Calls
    * for draws of a queue are in order.
    */
   void (*plan)(void *data, const struct sgpu_draw_plan *plan);
   void *plan_data;
   /* print machine code of programs to stderr */
   bool print_translations;
   /* list machine code in /tmp/perf-PID.map */
   bool perf_map;
   /* For tools: workers take turns on one processor, and their time is simulated (see
    * SGPU_PARAM_VIRTUAL_TIME). Workers run only while a thread waits for them.
    */
   bool virtual_threads;
   /* factor by which the second half of the virtual workers is slower; 0: same as 1 */
   unsigned virtual_slow;
   /* bit n: draws do not take path n (enum sgpu_path); does not affect results */
   uint32_t no_paths;
   /* run programs in any order, and in parallel, even if their results depend on the
    * order of atomic operations
    */
   bool unordered;
   /* mask of enum sgpu_dependence, RAW to XFB: operations do not wait for these (for
    * tests that must see wrong results)
    */
   uint32_t drop_dependences;
   /* file for the time line of the threads; "" for none */
   char trace[256];
   /* Observer of the device's work, or NULL. It must exist as long as the device. */
   const struct sgpu_observer *observer;
};

/* Sets the defaults, then applies SGPU_THREADS, SGPU_DISPATCH, SGPU_EXEC, SGPU_TIMEOUT
 * and SGPU_DEBUG (README.md, docs/debugging.md). For an invalid value, prints a message
 * to stderr, keeps the default and returns false.
 */
bool sgpu_device_params_from_env(struct sgpu_device_params *params);

enum sgpu_param {
   SGPU_PARAM_THREADS,
   SGPU_PARAM_ENGINES,
   SGPU_PARAM_HOST_LEVEL,  /* enum sgpu_host_level that is in use */
   SGPU_PARAM_MEMORY_SIZE, /* bytes of device address space */
   SGPU_PARAM_MEMORY_USED, /* bytes used by buffer objects */
   SGPU_PARAM_TIMESTAMP,   /* nanoseconds, on the clock of timer queries */
   SGPU_PARAM_DISPATCH,
   SGPU_PARAM_VIRTUAL_TIME, /* time in ns in which at least one worker worked, or 0 without
                             * params.virtual_threads */
   SGPU_PARAM_VIRTUAL_LOCK, /* sum of the workers' waits for the lock in this time, in ns */
   SGPU_PARAM_DEAD,         /* 1 in the child of a fork if the device cannot continue */
};

/* Creates a device. Threads start with the first submission. */
int sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
/* Waits for all work and destroys the device. Queues and buffers that still exist must
 * not be used afterwards. (A program may close its display before it destroys its
 * contexts.)
 */
void sgpu_device_destroy(struct sgpu_device *dev);
uint64_t sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param);
/* Adds to the time line, if there is one, that the calling thread did `name` from `start`
 * (SGPU_PARAM_TIMESTAMP) until now.
 */
void sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start);

/*
 * Buffer objects. Their memory is mapped as long as the object exists, is initially zero,
 * and is shared with the device, so there are no copies. An access to a page that the
 * host cannot back kills the process.
 */
/* Creates a buffer object. `size` is in bytes and must not be 0; the memory is rounded up
 * to a multiple of SGPU_PAGE_SIZE. `label` is a name for tools, or NULL. Returns -ENOMEM
 * if out of memory or addresses.
 */
int sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out);
/* Creates a buffer object at an address that the caller chooses, for replays. Returns
 * -EBUSY if another object is there, or if an unfinished submission uses the range.
 */
int sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                      struct sgpu_bo **out);
/* Creates an object over a shared mapping of the process (shmat, MAP_SHARED) that starts
 * at a page boundary. The device uses the same pages, at the object's addresses, until
 * the object is freed. Returns -EINVAL for other memory. The caller must synchronize
 * other writers.
 */
int sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out);
/* Creates an object over memory of the process that starts at a page boundary. The device
 * works in this memory, which must stay mapped until the submissions that name the object
 * have ended. Returns -EINVAL if the memory is not mapped, or has no device address
 * because it is below the device's memory or in it. Returns -EBUSY if another such object
 * overlaps its pages; but an object that starts there and has at least as many pages is
 * returned again.
 */
int sgpu_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                        struct sgpu_bo **out);
/* Frees the object when the submissions that name it have ended. */
void sgpu_bo_destroy(struct sgpu_bo *bo);
void *sgpu_bo_map(struct sgpu_bo *bo);
uint64_t sgpu_bo_address(const struct sgpu_bo *bo);
uint64_t sgpu_bo_size(const struct sgpu_bo *bo); /* Returns the size that was requested. */

/* A point on a queue. The fence has passed when all submissions up to `seqno` have ended. */
struct sgpu_fence {
   struct sgpu_queue *queue;
   uint64_t seqno;
};

struct sgpu_bo_range {
   struct sgpu_bo *bo;
   uint64_t offset, size; /* offset and size in bytes */
};

struct sgpu_submit {
   uint64_t address;           /* address of the stream, in a buffer of the list */
   uint32_t words;             /* number of 32-bit words; END may end the stream earlier */
   struct sgpu_bo *const *bos; /* all buffers that the stream may access */
   unsigned num_bos;
   const struct sgpu_fence *waits; /* fences of other queues to wait for */
   unsigned num_waits;
   /* Ranges that the stream may write. The device ignores them. The capture layer does
    * not store contents that a replay writes again.
    */
   const struct sgpu_bo_range *writes;
   unsigned num_writes;
};

/* Creates a queue. Submissions of a queue run in order; fences order submissions of
 * different queues.
 */
int sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
/* Limits the processor time of the queue's operations to `budget_ns` from now on. An
 * operation that takes longer ends, with its submission and all later submissions, and
 * the queue gets an error. Without this call the time is not limited, so that results do
 * not depend on it. 0 means any time, but queues then take turns if one has long work and
 * another waits. The limit has no effect on a device with an observer or virtual threads.
 * Returns 0, -ENOMEM or -ENODEV.
 */
int sgpu_queue_set_budget(struct sgpu_queue *queue, uint64_t budget_ns);
/* Waits for the queue's work and destroys the queue. */
void sgpu_queue_destroy(struct sgpu_queue *queue);
/* Queues the submission and returns. *seqno becomes its number for fences. Returns
 * -EINVAL if no buffer of the list contains the stream, or if a fence in `waits` has not
 * been submitted yet. The stream's buffer must not be written until the fence has passed.
 * A submission starts without state; queries continue from one submission to the next.
 */
int sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno);
/* Waits for a fence. Returns 0 or -ETIME. The time-out is in nanoseconds; UINT64_MAX
 * means no limit, and 0 returns at once.
 */
int sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
/* Returns the highest seqno that has passed. */
uint64_t sgpu_queue_completed(struct sgpu_queue *queue);
/* Waits for all submissions, of any queue, that name the buffer. */
int sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_bo_busy(struct sgpu_bo *bo);

/* An error of a queue: a submission that ended before its stream did, or a draw with
 * warps that were stopped because they issued more instructions than the watchdog allows.
 * The queue continues with the next submission, or the next draw.
 */
struct sgpu_queue_error {
   uint64_t seqno;       /* number of the submission */
   uint32_t packet;      /* number of the packet in the stream, from 0 */
   uint32_t draw;        /* number of the draw packet in the stream, from 1; 0 if it is no draw */
   uint64_t program;     /* SHADER.Address of the stopped program; 0 if there is none */
   uint32_t instruction; /* number of the instruction at which it was stopped */
   char message[192];
};
/* Takes the oldest error of the queue. Returns false if there is none. A queue keeps the
 * first 16 errors that have not been taken.
 */
bool sgpu_queue_take_error(struct sgpu_queue *queue, struct sgpu_queue_error *error);

/* Work counters of all submissions that have ended, summed over the workers.
 * src/device/sgpu_counters.py has names and units.
 */
struct sgpu_counter_info {
   const char *name;
   const char *unit;
   const char *description;
   bool maximum; /* the value is a maximum; if not set, it is a sum */
};
unsigned sgpu_counter_count(void);
const struct sgpu_counter_info *sgpu_counter_get_info(unsigned index);
/* Writes sgpu_counter_count() values. */
void sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values);

/* Forks: a fork waits for the pieces of work that run. The child gets its own copy of the
 * device, with the same buffers, queues and pending work. The copy resumes at the child's
 * next call. Shared memory of buffers stays shared. The child writes no time line.
 *
 * The child gets no working device, so that calls fail with -ENODEV and waits return at
 * once, if the device has an observer or simulated time, if a piece of work takes more
 * than 3 s, or if a worker forks (in a handler of SIGSEGV).
 */

#ifdef __cplusplus
}
#endif
#endif
