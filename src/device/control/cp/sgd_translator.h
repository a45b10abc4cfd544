/* SPDX-License-Identifier: MIT */
/*
 * Decides which programs are translated to machine code, when, and on which thread.
 */
#ifndef SGD_TRANSLATOR_H
#define SGD_TRANSLATOR_H

#include <pthread.h>

#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_device.h"

struct sgd_translator {
   const struct sgd_arch_ops *ops; /* functions of the engines that the workers use */
   enum sgpu_exec exec;            /* SGPU_EXEC_INTERP if the host can't run machine code */
   struct sgd_profile *profile;    /* the process's profiler, or NULL */
   bool print, perf_map;           /* options `jit` and `perfmap` of the SGPU_DEBUG variable */

   /* A low-priority thread translates hot programs with SGPU_EXEC_AUTO, and makes code with lookups
    * also with SGPU_EXEC_JIT.
    */
   /* Held for a few instructions and at most one allocation. No other lock is acquired while it is
    * held, and workers never block on it.
    */
   pthread_mutex_t lock;
   pthread_cond_t wake; /* signaled when a program is added to `waiting` or `stopping` is set */
   struct list_head waiting; /* hot programs, as struct sgd_heat; each entry holds a reference */
   /* program that is currently being translated, or NULL; holds a reference */
   struct sgd_shader *current;
   pthread_t thread;
   bool started, stopping; /* started: the thread exists; stopping: the thread must exit */

   /* Atomic statistics: the number of translated programs and of their regions, the size of the
    * machine code in bytes, and the time spent on translation in ns.
    */
   uint64_t programs, regions, bytes, time_ns;
};

/* Initializes the translator for workers of host level `level`. */
void sgd_translator_init(struct sgd_translator *t, const struct sgpu_device_params *params,
                         enum sgpu_host_level level, const struct sgd_arch_ops *ops);
/* Stops the translator thread, after it has finished the current program. The programs that are
 * still waiting are not translated. All workers must have exited before this is called.
 */
void sgd_translator_finish(struct sgd_translator *t);

/* Must be called for each new program before any worker runs it. Depending on the mode, translates
 * the program now, or when it is hot. If out of memory, the program stays with the interpreter.
 */
void sgd_translator_add(struct sgd_translator *t, struct sgd_shader *shader);

/* Called before and after a fork, while no worker is running. The fork doesn't wait for a
 * translation in progress. The child has no translator thread, so all programs that were waiting or
 * being translated must become hot again there. Returns false if the lock was not acquired by the
 * deadline (in the time of sgd_time_ns()).
 */
bool sgd_translator_before_fork(struct sgd_translator *t, uint64_t deadline);
void sgd_translator_after_fork(struct sgd_translator *t);
void sgd_translator_after_fork_child(struct sgd_translator *t);

/* Stores the statistics of the translator in an array of counters. */
void sgd_translator_count(const struct sgd_translator *t, uint64_t *values);

#endif
