/* SPDX-License-Identifier: MIT */
/*
 * Decides which programs of a device are translated to machine code, when, and on which thread.
 */
#ifndef SGD_TRANSLATOR_H
#define SGD_TRANSLATOR_H

#include <pthread.h>

#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_device.h"

struct sgd_translator {
   const struct sgd_arch_ops *ops; /* entry points of the workers' host level */
   enum sgpu_exec exec;  /* execution mode; SGPU_EXEC_INTERP if the host can't run machine code */
   bool print, perf_map; /* options jit and perfmap of SGPU_DEBUG */

   /* For SGPU_EXEC_AUTO: a low-priority thread that translates hot programs. */
   /* leaf lock, only held for a few instructions; workers never block on it */
   pthread_mutex_t lock;
   pthread_cond_t wake; /* signaled when a program starts to wait, and when `stopping` is set */
   struct list_head waiting;   /* list of struct sgd_heat, each with a reference to its program */
   struct sgd_shader *current; /* program that is being translated, with a reference, or NULL */
   pthread_t thread;
   bool started, stopping; /* the thread is running; the thread must exit */

   /* Atomic counters: number of translated programs, number of translated regions, bytes of machine
    * code, and translation time in ns.
    */
   uint64_t programs, regions, bytes, time_ns;
};

/* Initializes the translator. `level` is the host level of the workers. */
void sgd_translator_init(struct sgd_translator *t, const struct sgpu_device_params *params,
                         enum sgpu_host_level level, const struct sgd_arch_ops *ops);
/* Stops the thread. Must be called after all workers have ended. Waits for the program that is
 * being translated, and drops the waiting programs.
 */
void sgd_translator_finish(struct sgd_translator *t);

/* Adds a program that no worker runs yet. Translates it immediately, or once it is hot. On
 * allocation failure, the interpreter keeps running the program.
 */
void sgd_translator_add(struct sgd_translator *t, struct sgd_shader *shader);

/* Called before and after a fork, while no worker runs. A fork doesn't wait for the program that is
 * being translated. The child has no translator thread, so this program and all waiting programs
 * must become hot again there. Returns false if the lock couldn't be acquired before the deadline
 * (sgd_time_ns).
 */
bool sgd_translator_before_fork(struct sgd_translator *t, uint64_t deadline);
void sgd_translator_after_fork(struct sgd_translator *t);
void sgd_translator_after_fork_child(struct sgd_translator *t);

/* Stores the translator's counters in `values`. */
void sgd_translator_count(const struct sgd_translator *t, uint64_t *values);

#endif
