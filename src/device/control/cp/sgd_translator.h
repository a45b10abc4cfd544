/* SPDX-License-Identifier: MIT */
/*
 * Decides which programs of a device are translated to machine code, when, and by which thread.
 */
#ifndef SGD_TRANSLATOR_H
#define SGD_TRANSLATOR_H

#include <pthread.h>

#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_device.h"

struct sgd_translator {
   const struct sgd_arch_ops *ops; /* functions of the workers' host level */
   enum sgpu_exec exec;            /* SGPU_EXEC_INTERP if the host cannot run machine code */
   bool print, perf_map;           /* SGPU_DEBUG=jit,perfmap */

   /* For SGPU_EXEC_AUTO: a thread of low priority that translates hot programs. */
   pthread_mutex_t lock;     /* leaf lock, held for few instructions; workers do not wait for it */
   pthread_cond_t wake;      /* signalled for a new waiting program, and for `stopping` */
   struct list_head waiting; /* struct sgd_heat, each with a reference to its program */
   struct sgd_shader *current; /* program in translation, with a reference, or NULL */
   pthread_t thread;
   bool started, stopping; /* `thread` runs; it must end */

   /* Counters, atomic: numbers of translated programs and regions, bytes of machine code, and time
    * spent in ns.
    */
   uint64_t programs, regions, bytes, time_ns;
};

/* `level` is the host level of the workers. */
void sgd_translator_init(struct sgd_translator *t, const struct sgpu_device_params *params,
                         enum sgpu_host_level level, const struct sgd_arch_ops *ops);
/* Stops the thread, after workers have ended.  Waits for the program in translation, and drops
 * the waiting programs.
 */
void sgd_translator_finish(struct sgd_translator *t);

/* Adds a program that no worker runs yet.  Translates it now, or later when it is hot.  The
 * interpreter runs the program if out of memory.
 */
void sgd_translator_add(struct sgd_translator *t, struct sgd_shader *shader);

/* Called before and after a fork, while no worker runs.  A fork does not wait for the program in
 * translation.  The child has no translator's thread, so that program and all waiting programs
 * become hot again there.  Returns false if the lock was not free before the deadline
 * (sgd_time_ns).
 */
bool sgd_translator_before_fork(struct sgd_translator *t, uint64_t deadline);
void sgd_translator_after_fork(struct sgd_translator *t);
void sgd_translator_after_fork_child(struct sgd_translator *t);

/* Sets the translator's counters in `values`. */
void sgd_translator_count(const struct sgd_translator *t, uint64_t *values);

#endif
