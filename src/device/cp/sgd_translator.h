/* SPDX-License-Identifier: MIT */
/*
 * Translation of a device's programs to machine code: which, when, and by which thread.
 */
#ifndef SGD_TRANSLATOR_H
#define SGD_TRANSLATOR_H

#include <pthread.h>

#include "sgd_shader.h"
#include "sgd_worker.h"
#include "sgpu_device.h"

struct sgd_translator {
   const struct sgd_arch_ops *ops; /* of the workers' host level */
   enum sgpu_exec exec;            /* INTERP where the host has no code */
   bool print, perf_map;           /* SGPU_DEBUG=jit,perfmap */

   /* AUTO: a thread of low priority translates programs that are hot. */
   pthread_mutex_t lock; /* a leaf, held for some instructions; workers do not wait for it */
   pthread_cond_t wake;
   struct list_head waiting;   /* struct sgd_heat, each with a reference to its program */
   struct sgd_shader *current; /* in translation, with a reference; or NULL */
   pthread_t thread;
   bool started, stopping;

   uint64_t programs, regions, bytes, time_ns; /* atomic */
};

/* `level` is the workers'. */
void sgd_translator_init(struct sgd_translator *t, const struct sgpu_device_params *params,
                         enum sgpu_host_level level, const struct sgd_arch_ops *ops);
/* When no worker runs any more.  Waits for the program in translation, drops the others. */
void sgd_translator_finish(struct sgd_translator *t);

/* A program that no worker has yet: translates it, or will when it is hot.  Without memory it
 * stays with the interpreter.
 */
void sgd_translator_add(struct sgd_translator *t, struct sgd_shader *shader);

/* Around a fork, while no worker runs.  The program in translation is not waited for: it is one
 * that waits, in the child, which has no thread.  False: the lock was not free before the
 * deadline (sgd_time_ns).
 */
bool sgd_translator_before_fork(struct sgd_translator *t, uint64_t deadline);
void sgd_translator_after_fork(struct sgd_translator *t);
void sgd_translator_after_fork_child(struct sgd_translator *t);

/* Sets the translator's counters in `values`. */
void sgd_translator_count(const struct sgd_translator *t, uint64_t *values);

#endif
