/* SPDX-License-Identifier: MIT */
/*
 * Public interface of the device, modelled on the uAPI of a kernel driver: buffer objects at device
 * addresses, asynchronous submission of command streams to queues, fences and counters.
 *
 * The winsys (through the capture layer), the capture tools and the tests only use the device
 * through this interface. All functions may be called from any thread unless their comment says
 * otherwise. Errors are negative errno values.
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
/* Returns the name of the policy as used in SGPU_DISPATCH: inorder, ooo, ... */
const char *sgpu_dispatch_name(enum sgpu_dispatch_policy policy);
/* Looks up a policy by name. Returns false if there is no such policy. */
bool sgpu_dispatch_find(const char *name, enum sgpu_dispatch_policy *policy);
/* All policy names, for error messages. */
#define SGPU_DISPATCH_NAMES "inorder, ooo, ooo+split or ooo+split+break"

/* x86-64 microarchitecture levels that the engines are compiled for. */
enum sgpu_host_level {
   SGPU_HOST_BASELINE, /* x86-64-v2, or any other host */
   SGPU_HOST_V3,       /* x86-64-v3, with AVX2 */
   SGPU_HOST_V4,       /* x86-64-v4, with AVX-512 */
   SGPU_HOST_BEST,     /* highest level that the host supports */
};

/* How shader programs are executed. The mode doesn't affect results. */
enum sgpu_exec {
   SGPU_EXEC_INTERP, /* always use the interpreter */
   SGPU_EXEC_JIT,    /* run machine code where possible; needs AVX2 */
   /* start in the interpreter, and switch to machine code once a background thread has translated a
    * hot program
    */
   SGPU_EXEC_AUTO,
};
/* Looks up a mode by name. Returns false if there is no such mode. */
bool sgpu_exec_find(const char *name, enum sgpu_exec *exec);
#define SGPU_EXEC_NAMES "interp, jit or auto"

/* Reason why an operation waits for an earlier operation. */
enum sgpu_dependence {
   SGPU_DEPENDENCE_RAW, /* reads memory that the earlier operation writes */
   SGPU_DEPENDENCE_WAW, /* writes memory that the earlier operation writes */
   SGPU_DEPENDENCE_WAR, /* writes memory that the earlier operation reads */
   SGPU_DEPENDENCE_XFB, /* RAW, WAW or WAR hazard on a transform feedback buffer or counter */
   /* its render condition depends on query results of the earlier operation */
   SGPU_DEPENDENCE_PREDICATE,
   /* stores a query result: the earlier operation's counts, or the time when it ends */
   SGPU_DEPENDENCE_QUERY,
   SGPU_DEPENDENCE_INORDER, /* policy inorder runs one operation at a time */
};

/* Plan of a draw: how the engines draw with its state (docs/architecture.md, "Plan of a draw"). A
 * fact is a property of the state. A path is code that is faster than the general code, and that
 * the facts allow. The names of both are in sgpu_paths.h.
 */
struct sgpu_draw_plan {
   uint64_t facts; /* bitmask of facts (SGPU_FACT_*) about the state */
   uint32_t paths; /* bitmask of the paths (enum sgpu_path) in the plan */
   /* bitmask of paths that the state allows, but all or part of the draw doesn't use */
   uint32_t left;
   uint8_t samples;  /* number of samples per pixel of the render targets */
   bool shades;      /* the pixel program must run */
   bool early, late; /* depth/stencil tests run before or after the pixel program */
   bool per_sample;  /* the pixel program runs once per sample */
   uint8_t order;    /* role in fragment ordering, enum sgd_order_role */
   uint32_t draw;    /* 1-based index of the draw packet in its submission */
   /* number of consecutive draws with this plan, starting with draw packet `draw` */
   uint32_t draws;
};
/* Prints a plan to a FILE on one line, without the newline. */
void sgpu_draw_plan_print(void *file, const struct sgpu_draw_plan *plan);
/* Returns true if the plans are equal except for `draw` and `draws`. */
bool sgpu_draw_plan_equals(const struct sgpu_draw_plan *a, const struct sgpu_draw_plan *b);

struct sgpu_device_params {
   /* number of worker threads; 0: number of CPUs, by affinity mask and cgroup quota */
   unsigned threads;
   enum sgpu_dispatch_policy dispatch;
   /* highest host level to use; levels that the host doesn't support are never used */
   enum sgpu_host_level host;
   enum sgpu_exec exec;
   /* number of raster engines, which doesn't affect results; 0: default */
   unsigned engines;
   /* if not 0, random seed for running ready work in random order (for tests) */
   uint64_t shuffle_seed;
   /* maximum number of instructions per warp; 0: default */
   uint64_t watchdog_instructions;
   /* maximum number of vertices per draw, or of invocations per grid; 0: default */
   uint64_t watchdog_vertices;
   /* Time limit in ns that replaces the budget of each queue that has one. 0 leaves these budgets
    * unchanged, and UINT64_MAX means no limit.
    */
   uint64_t budget_ns;
   /* fill newly allocated memory with a pattern instead of zeros */
   bool poison;
   /* print each submission to stderr */
   bool print_commands;
   /* print each distinct draw plan to stderr */
   bool print_plans;
   /* Callback for each draw plan, or NULL. A plan may cover several joined draws. The callback runs
    * on a worker; calls for draws of the same queue are in order.
    */
   void (*plan)(void *data, const struct sgpu_draw_plan *plan);
   void *plan_data;
   /* print the machine code of translated programs to stderr */
   bool print_translations;
   /* list the machine code in /tmp/perf-PID.map */
   bool perf_map;
   /* For tools: workers take turns on one CPU, and their time is simulated (see
    * SGPU_PARAM_VIRTUAL_TIME). Workers only run while a thread waits for them.
    */
   bool virtual_threads;
   /* slowdown factor of the second half of the virtual workers; 0 means 1 */
   unsigned virtual_slow;
   /* bitmask of paths (enum sgpu_path) that draws must not use; doesn't affect results */
   uint32_t no_paths;
   /* run invocations in any order and in parallel, even if results depend on the order of atomic
    * operations
    */
   bool unordered;
   /* bitmask of dependences (enum sgpu_dependence, RAW to XFB) that operations don't wait for; only
    * for tests that must see wrong results
    */
   uint32_t drop_dependences;
   /* path of the trace file with the timeline of all threads; "" for no trace */
   char trace[256];
   /* Observer of the device's work, or NULL. Must outlive the device. */
   const struct sgpu_observer *observer;
};

/* Sets the defaults, then applies the environment variables SGPU_THREADS, SGPU_DISPATCH, SGPU_EXEC,
 * SGPU_TIMEOUT and SGPU_DEBUG (README.md, docs/debugging.md). If a value is invalid, prints a
 * message to stderr, keeps the default and returns false.
 */
bool sgpu_device_params_from_env(struct sgpu_device_params *params);

enum sgpu_param {
   SGPU_PARAM_THREADS,
   SGPU_PARAM_ENGINES,
   SGPU_PARAM_HOST_LEVEL,  /* host level in use, enum sgpu_host_level */
   SGPU_PARAM_MEMORY_SIZE, /* size of the device address space in bytes */
   SGPU_PARAM_MEMORY_USED, /* memory used by buffer objects, in bytes */
   SGPU_PARAM_TIMESTAMP,   /* current time in ns, on the clock of timer queries */
   SGPU_PARAM_DISPATCH,
   /* time in ns during which at least one worker was busy; 0 without params.virtual_threads */
   SGPU_PARAM_VIRTUAL_TIME,
   /* total time in ns that workers waited for the scheduler's lock during that time */
   SGPU_PARAM_VIRTUAL_LOCK,
   SGPU_PARAM_DEAD, /* 1 in a forked child process whose copy of the device can't continue */
};

/* Creates a device. Its threads start at the first submission. */
int sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
/* Waits for all work, then destroys the device. Queues and buffers that still exist must not be
 * used afterwards. (An application may close its display before it destroys its contexts.)
 */
void sgpu_device_destroy(struct sgpu_device *dev);
uint64_t sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param);
/* Adds an interval of the calling thread to the trace, if there is one: activity `name`, from
 * `start` (a value of SGPU_PARAM_TIMESTAMP) until now.
 */
void sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start);

/*
 * Buffer objects. The memory is mapped for the lifetime of the object, is initially zero, and is
 * shared with the device, so that no copies are needed. An access to a page that the host can't
 * back kills the process.
 */
/* Creates a buffer object. `size` is in bytes and must not be 0; the allocation is rounded up to a
 * multiple of SGPU_PAGE_SIZE. `label` is a debug name, or NULL. Returns -ENOMEM if memory or
 * address space runs out.
 */
int sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out);
/* Creates a buffer object at an address chosen by the caller, for replays. Returns -EBUSY if
 * another object overlaps the range, or if an unfinished submission uses it.
 */
int sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                      struct sgpu_bo **out);
/* Creates a buffer object over a page-aligned shared mapping of the process (shmat, MAP_SHARED).
 * The device accesses the same pages through the object's device address until the object is freed.
 * Returns -EINVAL for other kinds of memory. The caller must synchronize with other writers of the
 * pages.
 */
int sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out);
/* Creates a buffer object over page-aligned memory of the process (a user pointer). The device
 * works directly in this memory, which must stay mapped until all submissions that use the object
 * have ended. Returns -EINVAL if the memory is not mapped, or has no device address because it is
 * below or inside the device's memory. If an existing user object starts at the same address and
 * has at least as many pages, returns that object again. Returns -EBUSY if any other user object
 * overlaps the pages.
 */
int sgpu_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                        struct sgpu_bo **out);
/* Frees the object once all submissions that use it have ended. */
void sgpu_bo_destroy(struct sgpu_bo *bo);
void *sgpu_bo_map(struct sgpu_bo *bo);
uint64_t sgpu_bo_address(const struct sgpu_bo *bo);
uint64_t sgpu_bo_size(const struct sgpu_bo *bo); /* Returns the size that was passed at creation. */

/* A point on the timeline of a queue. The fence is signaled once all submissions up to `seqno` have
 * ended.
 */
struct sgpu_fence {
   struct sgpu_queue *queue;
   uint64_t seqno;
};

struct sgpu_bo_range {
   struct sgpu_bo *bo;
   uint64_t offset, size; /* offset and size of the range in bytes */
};

struct sgpu_submit {
   uint64_t address; /* device address of the command stream, inside one of `bos` */
   uint32_t words;   /* maximum length in 32-bit words; an END packet may end the stream earlier */
   struct sgpu_bo *const *bos; /* all buffers that the stream may access */
   unsigned num_bos;
   const struct sgpu_fence *waits; /* fences of other queues to wait for before execution */
   unsigned num_waits;
   /* Ranges that the stream may write. The device ignores them. The capture layer uses them to skip
    * contents that a replay writes again.
    */
   const struct sgpu_bo_range *writes;
   unsigned num_writes;
};

/* Creates a queue. Submissions to a queue run in order; fences order submissions to different
 * queues.
 */
int sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
/* Limits the CPU time of each operation on the queue to `budget_ns` from now on. An operation that
 * exceeds the limit is stopped, its submission and all later ones end early, and the queue gets an
 * error. Without this call, time is unlimited, so that results don't depend on it. 0 means no limit
 * either, but queues then take turns if one runs a long operation while another waits. The limit
 * has no effect on a device with an observer or virtual threads. Returns 0, -ENOMEM or -ENODEV.
 */
int sgpu_queue_set_budget(struct sgpu_queue *queue, uint64_t budget_ns);
/* Waits until the queue is idle, then destroys it. */
void sgpu_queue_destroy(struct sgpu_queue *queue);
/* Queues a submission and returns immediately. Sets *seqno to the seqno of the submission, for
 * fences. Returns -EINVAL if no buffer in the list contains the stream, or if a fence in `waits`
 * has not been submitted yet. The stream's buffer must not be modified until the fence is signaled.
 * A submission starts without state, but active queries continue from one submission to the next.
 */
int sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno);
/* Waits for a fence. Returns 0 if it is signaled, or -ETIME on time-out. A time-out of UINT64_MAX
 * means no limit, and 0 polls the fence.
 */
int sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
/* Returns the highest seqno whose fence is signaled. */
uint64_t sgpu_queue_completed(struct sgpu_queue *queue);
/* Waits for all submissions, on any queue, that use the buffer. */
int sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_bo_busy(struct sgpu_bo *bo);

/* An error on a queue: either a submission ended before the end of its stream, or a draw had warps
 * that were stopped because they exceeded the watchdog's instruction limit. The queue continues
 * with the next submission in the first case, and with the next draw in the second.
 */
struct sgpu_queue_error {
   uint64_t seqno;  /* seqno of the submission */
   uint32_t packet; /* 0-based index of the packet in the stream */
   /* 1-based index of the draw packet in the stream; 0 if the packet is not a draw */
   uint32_t draw;
   uint64_t program;     /* SHADER.Address of the stopped program, or 0 if no program was stopped */
   uint32_t instruction; /* index of the instruction at which the program was stopped */
   char message[192];
};
/* Removes the oldest error from the queue and stores it in *error. Returns false if there is none.
 * A queue holds up to 16 errors and drops later ones.
 */
bool sgpu_queue_take_error(struct sgpu_queue *queue, struct sgpu_queue_error *error);

/* Work counters, summed over all workers and all submissions that have ended. Names and units are
 * in src/device/sgpu_counters.py.
 */
struct sgpu_counter_info {
   const char *name;
   const char *unit;
   const char *description;
   bool maximum; /* the value is a maximum instead of a sum */
};
unsigned sgpu_counter_count(void);
const struct sgpu_counter_info *sgpu_counter_get_info(unsigned index);
/* Writes sgpu_counter_count() values to `values`. */
void sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values);

/* Fork support. A fork waits for running pieces of work. The child gets its own copy of the device,
 * with the same buffers, queues and pending work, which resumes at the child's first call. Shared
 * buffer memory stays shared. The child writes no trace.
 *
 * The child gets no working device if the device has an observer or simulated time, if a piece of
 * work takes more than 3 s, or if a worker forks (in a SIGSEGV handler). Its calls then fail with
 * -ENODEV, and waits return immediately.
 */

#ifdef __cplusplus
}
#endif
#endif
