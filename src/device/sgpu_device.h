/* SPDX-License-Identifier: MIT */
/*
 * Public interface of the device. It resembles the uAPI of a kernel driver: there are buffer
 * objects with device addresses, queues to which command streams are submitted, fences, and
 * counters.
 *
 * The driver's winsys (through the capture layer), the tools for captures and the tests access the
 * device only through this interface. Functions may be called from any thread, unless their comment
 * says otherwise. Errors are negative errno values.
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
struct sgpu_observer; /* defined in sgpu_observer.h */
struct sgpu_bo;
struct sgpu_queue;

enum sgpu_dispatch_policy {
   SGPU_DISPATCH_INORDER,
   SGPU_DISPATCH_OOO,
   SGPU_DISPATCH_OOO_SPLIT,
   SGPU_DISPATCH_OOO_SPLIT_BREAK,
   SGPU_DISPATCH_POLICIES, /* number of policies */
};
/* Returns the policy's name, as the environment variable SGPU_DISPATCH accepts it. */
const char *sgpu_dispatch_name(enum sgpu_dispatch_policy policy);
/* Finds the policy with this name. Returns false if there is none. */
bool sgpu_dispatch_find(const char *name, enum sgpu_dispatch_policy *policy);
/* List of all policies for error messages. */
#define SGPU_DISPATCH_NAMES "inorder, ooo, ooo+split or ooo+split+break"

/* Levels of the x86-64 instruction set for which the engines are compiled. */
enum sgpu_host_level {
   SGPU_HOST_BASELINE, /* x86-64-v2, or any other host */
   SGPU_HOST_V3,       /* x86-64-v3, with AVX2 */
   SGPU_HOST_V4,       /* x86-64-v4, with AVX-512 */
   SGPU_HOST_BEST,     /* the best level that the CPU supports */
};

/* How shader programs are executed. This has no effect on results. */
enum sgpu_exec {
   SGPU_EXEC_INTERP, /* always use the interpreter */
   SGPU_EXEC_JIT,    /* use machine code where possible, which requires AVX2 */
   /* Start with the interpreter. Programs that are executed often are translated to machine code by
    * a background thread.
    */
   SGPU_EXEC_AUTO,
};
/* Finds the mode with this name. Returns false if there is none. */
bool sgpu_exec_find(const char *name, enum sgpu_exec *exec);
#define SGPU_EXEC_NAMES "interp, jit or auto"

/* The reason why an operation must wait for an earlier operation. */
enum sgpu_dependence {
   SGPU_DEPENDENCE_RAW, /* it reads memory that the earlier operation writes */
   SGPU_DEPENDENCE_WAW, /* it writes memory that the earlier operation writes */
   SGPU_DEPENDENCE_WAR, /* it writes memory that the earlier operation reads */
   SGPU_DEPENDENCE_XFB, /* RAW, WAW or WAR on a transform feedback buffer or its byte counter */
   /* it is conditional, and the earlier operation determines the predicate */
   SGPU_DEPENDENCE_PREDICATE,
   /* it needs the counts of the earlier operation, or the time at which that operation ends */
   SGPU_DEPENDENCE_QUERY,
   SGPU_DEPENDENCE_INORDER, /* with policy inorder, only one operation runs at a time */
};

/* Plan of a draw: how the engines draw with the current state (docs/architecture.md, "Plan of a
 * draw"). A fact is a property of the state. A path is faster code for states with certain facts.
 * sgpu_paths.h has the names of facts and paths.
 */
struct sgpu_draw_plan {
   uint64_t facts; /* bitmask of the facts about the state (SGPU_FACT_*) */
   uint32_t paths; /* bitmask of the paths that the draw uses (enum sgpu_path) */
   /* bitmask of paths that the draw doesn't use: a fact excludes them, or they are disabled */
   uint32_t left;
   uint8_t samples; /* number of samples per pixel in the render targets */
   bool shades;     /* the pixel program must run */
   /* depth and stencil are tested before the pixel program (early) or after it (late) */
   bool early, late;
   bool per_sample; /* the pixel program runs once per sample */
   uint8_t order;   /* enum sgd_order_role: when fragments may be shaded */
   uint32_t draw;   /* 1-based index of the draw packet in its submission */
   /* number of joined draws that have this plan; the first one is `draw` */
   uint32_t draws;
};
/* Prints a plan as a single line to a FILE. Doesn't print a newline. */
void sgpu_draw_plan_print(void *file, const struct sgpu_draw_plan *plan);
/* Compares everything in the plans except for `draw` and `draws`. */
bool sgpu_draw_plan_equals(const struct sgpu_draw_plan *a, const struct sgpu_draw_plan *b);

struct sgpu_device_params {
   /* Number of worker threads. 0 means one for each CPU that the process may use, according to its
    * affinity mask and cgroup quota.
    */
   unsigned threads;
   enum sgpu_dispatch_policy dispatch;
   /* highest x86-64 level whose code may run; the CPU may not support it */
   enum sgpu_host_level host;
   enum sgpu_exec exec;
   /* number of raster engines, which has no effect on results; 0 means the default */
   unsigned engines;
   /* for tests: random seed to run ready work in random order; 0 disables this */
   uint64_t shuffle_seed;
   /* maximum number of instructions per warp; 0 means the default */
   uint64_t watchdog_instructions;
   /* maximum number of vertices per draw, or of invocations per grid; 0 means the default */
   uint64_t watchdog_vertices;
   /* If not 0, overrides the time budget (in ns) of queues that have one. UINT64_MAX means no
    * limit.
    */
   uint64_t budget_ns;
   /* fill new memory with a pattern instead of zeros */
   bool poison;
   /* print each submission to stderr */
   bool print_commands;
   /* print the plan of each draw to stderr, but equal plans only once */
   bool print_plans;
   /* Called with the plan of each draw, or of several draws that were joined; may be NULL. Called
    * on a worker thread, in the order of the draws of a queue.
    */
   void (*plan)(void *data, const struct sgpu_draw_plan *plan);
   void *plan_data;
   /* print the machine code of translated programs to stderr */
   bool print_translations;
   /* write the file /tmp/perf-PID.map, in which perf finds the machine code */
   bool perf_map;
   /* For tools: simulate one CPU per worker. In reality, only one worker runs at a time, and only
    * while the application waits. SGPU_PARAM_VIRTUAL_TIME returns the simulated time.
    */
   bool virtual_threads;
   /* With virtual_threads, half of the workers are slower by this factor. 0 means 1. */
   unsigned virtual_slow;
   /* bitmask of paths (enum sgpu_path) that draws must not use; this has no effect on results */
   uint32_t no_paths;
   /* Run invocations in parallel and in any order, even if the results of atomic operations depend
    * on the order.
    */
   bool unordered;
   /* For tests that provoke wrong results: bitmask of dependences that operations ignore. Each bit
    * is 1 << enum sgpu_dependence, from RAW to XFB.
    */
   uint32_t drop_dependences;
   /* file name for a timeline of all threads, or "" for none */
   char trace[256];
   /* folder for the profiler's files, or "" for no profiler */
   char profile[256];
   /* Observes what the device does, if not NULL. Must exist longer than the device. */
   const struct sgpu_observer *observer;
};

/* Initializes all parameters with their defaults, and then with the values of the environment
 * variables SGPU_THREADS, SGPU_DISPATCH, SGPU_EXEC, SGPU_TIMEOUT and SGPU_DEBUG (README.md,
 * docs/debugging.md). If a value is invalid, prints a message, uses the default and returns false.
 */
bool sgpu_device_params_from_env(struct sgpu_device_params *params);

enum sgpu_param {
   SGPU_PARAM_THREADS,
   SGPU_PARAM_ENGINES,
   SGPU_PARAM_HOST_LEVEL,  /* the host level in use (enum sgpu_host_level) */
   SGPU_PARAM_MEMORY_SIZE, /* size of the device's address space in bytes */
   SGPU_PARAM_MEMORY_USED, /* total size of all buffer objects in bytes */
   SGPU_PARAM_TIMESTAMP,   /* current time in ns, from the same clock as timer queries */
   SGPU_PARAM_DISPATCH,
   /* simulated time in ns in which any worker was busy; 0 without params.virtual_threads */
   SGPU_PARAM_VIRTUAL_TIME,
   /* simulated time in ns that all workers together waited for the scheduler's lock */
   SGPU_PARAM_VIRTUAL_LOCK,
   SGPU_PARAM_DEAD, /* 1 if the process is a forked child that can't use the device */
};

/* Creates a device. The first submission starts its threads. */
int sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
/* Waits until all work is done, and destroys the device. Its queues and buffers can't be used
 * anymore, even if they were not destroyed. This is because some applications close the display
 * before they destroy their contexts.
 */
void sgpu_device_destroy(struct sgpu_device *dev);
uint64_t sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param);
/* Adds an activity of the calling thread to the timeline trace, if there is one. The activity
 * lasted from `start` until now, in the time of SGPU_PARAM_TIMESTAMP.
 */
void sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start);
/* Called when a frame is presented. The profiler counts them. */
void sgpu_device_presented(struct sgpu_device *dev);

/*
 * Buffer objects. Their memory is shared by the device and the process, so data is never copied. It
 * starts with zeros and stays mapped until the object is freed. If the host runs out of memory when
 * a page is first accessed, the process is killed.
 */
/* Creates a buffer object with `size` bytes, which must not be 0. The size is rounded up to a
 * multiple of SGPU_PAGE_SIZE. `label` is a name for debugging, or NULL. Returns -ENOMEM if there is
 * not enough memory or address space.
 */
int sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out);
/* Creates a buffer object at a given address, for replaying captures. Returns -EBUSY if any other
 * object overlaps the range, even one that was destroyed but is still used by a submission.
 */
int sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                      struct sgpu_bo **out);
/* Creates a buffer object from a shared mapping of the process (shmat, or mmap with MAP_SHARED),
 * which must be page-aligned. The device maps the same pages a second time. The caller must
 * synchronize accesses to the memory. Returns -EINVAL if it isn't a shared mapping.
 */
int sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out);
/* Creates a buffer object from a user pointer, i.e. page-aligned memory of the application. The
 * device accesses this memory directly, so it must stay mapped until all submissions that use the
 * object have ended. Returns -EINVAL if the memory isn't mapped, or has no device address because
 * it isn't above the device's own memory. If there already is a user object at this address with at
 * least as many pages, returns this object again. Returns -EBUSY if the memory overlaps any other
 * user object.
 */
int sgpu_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                        struct sgpu_bo **out);
/* Frees the object when all submissions that use it have ended. */
void sgpu_bo_destroy(struct sgpu_bo *bo);
void *sgpu_bo_map(struct sgpu_bo *bo);
uint64_t sgpu_bo_address(const struct sgpu_bo *bo);
/* Returns the size that was passed at creation, without rounding. */
uint64_t sgpu_bo_size(const struct sgpu_bo *bo);

/* A point in time on a queue. The fence is signaled when submission `seqno` and all earlier ones
 * have ended.
 */
struct sgpu_fence {
   struct sgpu_queue *queue;
   uint64_t seqno;
};

struct sgpu_bo_range {
   struct sgpu_bo *bo;
   uint64_t offset, size; /* offset and size in bytes */
};

struct sgpu_submit {
   uint64_t address; /* device address of the command stream, which must be in one of `bos` */
   /* maximum length of the stream in 32-bit words; it can end earlier with an END packet */
   uint32_t words;
   struct sgpu_bo *const *bos; /* every buffer that the stream may access */
   unsigned num_bos;
   /* fences of other queues that must be signaled before the stream is executed */
   const struct sgpu_fence *waits;
   unsigned num_waits;
   /* Memory that the stream may write. The device doesn't use this, but the capture layer can leave
    * out contents that a replay will write again.
    */
   const struct sgpu_bo_range *writes;
   unsigned num_writes;
};

/* Creates a queue, which runs its submissions in order. Submissions to different queues are only
 * ordered by fences.
 */
int sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
/* Limits the CPU time of each following operation on the queue to `budget_ns`. If an operation
 * exceeds the limit, it is stopped, its submission and all later ones of the queue fail, and the
 * queue gets an error. Without this call, there is no limit, so results never depend on time.
 *
 * `budget_ns` can also be 0, for no limit. Queues with long operations then still take turns with
 * other queues. Has no effect on a device with an observer or virtual threads. Returns 0, -ENOMEM
 * or -ENODEV.
 */
int sgpu_queue_set_budget(struct sgpu_queue *queue, uint64_t budget_ns);
/* Waits for all submissions of the queue, and destroys it. */
void sgpu_queue_destroy(struct sgpu_queue *queue);
/* Adds a submission to the queue, and returns without waiting for it. *seqno is set to its number,
 * which can be used for fences. Returns -EINVAL if the stream isn't inside any of the buffers, or
 * if one of the fences has not been submitted yet. The command stream must not be modified until
 * the submission has ended. Submissions start with default state, but queries can continue across
 * several of them.
 */
int sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno);
/* Waits until a fence is signaled, and returns 0. Returns -ETIME after `timeout_ns`. UINT64_MAX
 * means no time-out. 0 doesn't wait at all.
 */
int sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
/* Returns the number of the last submission that has ended. All earlier ones have ended, too. */
uint64_t sgpu_queue_completed(struct sgpu_queue *queue);
/* Waits until no submission of any queue uses the buffer. */
int sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_bo_busy(struct sgpu_bo *bo);

/* An error of a queue. If there is an error in a command stream, the rest of the submission is not
 * executed, and the queue continues with the next one. If the watchdog stops warps of a draw
 * because they have executed too many instructions, the queue continues with the next draw.
 */
struct sgpu_queue_error {
   uint64_t seqno;  /* seqno of the submission */
   uint32_t packet; /* index of the packet in the stream, starting at 0 */
   /* index of the draw packet in the stream, starting at 1; 0 for other packets */
   uint32_t draw;
   uint64_t program;     /* SHADER.Address of the program that was stopped, or 0 if none was */
   uint32_t instruction; /* index of the instruction at which the program stopped */
   char message[192];
};
/* Takes the oldest error from the queue. Returns false if there is none. If a queue has 16 errors,
 * it ignores further errors.
 */
bool sgpu_queue_take_error(struct sgpu_queue *queue, struct sgpu_queue_error *error);

/* Performance counters. They are totals of all workers and of all submissions that have ended. They
 * are defined in src/device/sgpu_counters.py.
 */
struct sgpu_counter_info {
   const char *name;
   const char *unit;
   const char *description;
   bool maximum; /* the counter is a maximum and not a sum */
};
unsigned sgpu_counter_count(void);
const struct sgpu_counter_info *sgpu_counter_get_info(unsigned index);
/* Writes sgpu_counter_count() values to `values`. */
void sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values);

/* Forks. A fork waits until the workers are idle. The child gets a copy of the device, with the
 * same buffers, queues and unfinished work, which continues at the first call. If memory of a
 * buffer is shared, it stays shared. The child doesn't write a timeline trace.
 *
 * In some cases, the child can't use the device: if it has an observer or simulated time, if the
 * fork has to wait for more than 3 s, or if a worker forks in a SIGSEGV handler. In the child,
 * functions then return -ENODEV, and waits return immediately.
 */

#ifdef __cplusplus
}
#endif
#endif
