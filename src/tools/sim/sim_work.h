/* SPDX-License-Identifier: MIT */
/* Runs work on threads, with progress on stderr.  The work consists of units, which are numbered
 * from 0.  Each unit is a run of a model.
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
   /* Runs a unit on any thread.  If the callback sets `error` and returns false, no further units
    * are started.
    */
   bool (*run)(struct sim_work *w, uint64_t unit, char *error, size_t error_size);
   /* Called once for each unit, in order and never concurrently, when this unit and all earlier
    * units have run.  May be NULL.
    */
   void (*done)(struct sim_work *w, uint64_t unit);
   /* Total number of parts in all units, for progress that run() reports with sim_work_parts().  If
    * 0, progress is counted in units.
    */
   uint64_t parts;

   /* Results of sim_work_run(). */
   uint64_t run_ns;             /* CPU time in ns that all threads spent in run() */
   uint64_t failed;             /* lowest index of a failed unit, or UINT64_MAX */
   char error[SGT_ERROR_BYTES]; /* error message of unit `failed` */

   /* Private members. */
   /* Protects the members below, except for atomic ones. */
   pthread_mutex_t lock;
   atomic_uint_fast64_t next, parts_done;
   bool *has_run; /* for each unit: whether it has run successfully */
   uint64_t told; /* number of units for which done() has been called, in order */
   /* Number of finished units, and times of the start and of the last progress message in ns. */
   uint64_t units_done, begin_ns, told_ns;
};

/* Runs all units.  Returns false after printing a message on allocation failure, or with w->failed
 * and w->error set.
 */
bool sim_work_run(struct sim_work *w);
/* Must be called by run() when `parts` more parts of a unit are done. */
void sim_work_parts(struct sim_work *w, uint64_t parts);

/* Returns the CPU time used by the calling thread in ns. */
uint64_t sim_thread_ns(void);

#endif
