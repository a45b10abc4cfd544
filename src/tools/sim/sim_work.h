/* SPDX-License-Identifier: MIT */
/*
 * Work on threads, with progress on stderr.  The work consists of units, each of which is a run of
 * a model, and has a number from 0 on.
 */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sgt_dump.h"

struct sim_work {
   uint64_t count;   /* number of units */
   unsigned threads; /* maximum number of threads */
   bool quiet;       /* print no progress */
   void *data;
   /* Runs a unit, on any thread.  If it returns false and sets `error`, no further unit begins. */
   bool (*run)(struct sim_work *w, uint64_t unit, char *error, size_t error_size);
   /* Called for each unit in order, one at a time, once it and all units before it have run; or
    * NULL.
    */
   void (*done)(struct sim_work *w, uint64_t unit);
   /* Number of parts of all units, which run() reports by sim_work_parts(). 0: progress is counted
    * in units.
    */
   uint64_t parts;

   /* Results. */
   uint64_t run_ns;             /* CPU time of all threads in run(), in ns */
   uint64_t failed;             /* lowest unit that has failed, or UINT64_MAX */
   char error[SGT_ERROR_BYTES]; /* error of this unit */

   /* Private. */
   /* Protects the members below that are not atomic. */
   pthread_mutex_t lock;
   atomic_uint_fast64_t next, parts_done;
   bool *has_run; /* for each unit: the unit has run without an error */
   uint64_t told; /* number of units that done() was called for */
   /* Number of units that have run; times of the start and of the latest progress, in ns. */
   uint64_t units_done, begin_ns, told_ns;
};

/* Runs all units.  Returns false after a message if out of memory, or if w->failed and w->error are
 * set.
 */
bool sim_work_run(struct sim_work *w);
/* Called by run(): `parts` more parts are done. */
void sim_work_parts(struct sim_work *w, uint64_t parts);

/* Returns the CPU time of the calling thread in ns. */
uint64_t sim_thread_ns(void);

#endif
