/* SPDX-License-Identifier: MIT */
/* Runs work on threads, and prints progress to stderr.  The work consists of units, which are
 * numbered from 0.  Each unit is one run of a model.
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
   bool quiet;       /* don't print progress */
   void *data;
   /* Runs a unit.  Called on any thread.  If the callback sets `error` and returns false, no
    * further units are started.
    */
   bool (*run)(struct sim_work *w, uint64_t unit, char *error, size_t error_size);
   /* Called once for each unit, after this unit and all earlier units have run.  Calls are in order
    * and never concurrent.  May be NULL.
    */
   void (*done)(struct sim_work *w, uint64_t unit);
   /* Total number of parts of all units, if run() reports progress with sim_work_parts().  If 0,
    * progress is counted in units.
    */
   uint64_t parts;

   /* Results of sim_work_run(). */
   uint64_t run_ns;             /* CPU time in ns that all threads spent in run() */
   uint64_t failed;             /* lowest index of a failed unit, or UINT64_MAX */
   char error[SGT_ERROR_BYTES]; /* error message of unit `failed` */

   /* Private members. */
   /* Protects the members below, except for the atomic ones. */
   pthread_mutex_t lock;
   atomic_uint_fast64_t next, parts_done;
   bool *has_run; /* for each unit: true if it has run successfully */
   uint64_t told; /* number of units for which done() has been called */
   /* units_done: number of finished units; begin_ns, told_ns: times in ns of the start and of the
    * last progress message
    */
   uint64_t units_done, begin_ns, told_ns;
};

/* Runs all units.  If a unit fails, sets w->failed and w->error and returns false.  If allocation
 * fails, prints a message and returns false.
 */
bool sim_work_run(struct sim_work *w);
/* run() must call this when it has finished `parts` more parts of a unit. */
void sim_work_parts(struct sim_work *w, uint64_t parts);

/* Returns the CPU time used by the calling thread in ns. */
uint64_t sim_thread_ns(void);

#endif
