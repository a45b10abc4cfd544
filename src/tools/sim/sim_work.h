/* SPDX-License-Identifier: MIT */
/*
 * Work on threads, with progress on stderr.  Units are numbers from 0, each a run of a model.
 */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_work {
   uint64_t count;
   unsigned threads; /* at most */
   bool quiet;
   void *data;
   /* On any thread.  False, with a message: the lowest unit that fails is told, and no other
    * begins.
    */
   bool (*run)(struct sim_work *w, uint64_t unit, char *error, size_t error_size);
   /* For each unit in their order, once it and all before it have run, one at a time; or
    * NULL.
    */
   void (*done)(struct sim_work *w, uint64_t unit);
   uint64_t parts; /* of all units, which runs tell of; 0: progress goes by units */

   /* Results. */
   uint64_t run_ns; /* time of threads in `run` */
   uint64_t failed; /* UINT64_MAX: none */
   char error[512];

   /* Private. */
   pthread_mutex_t lock;
   atomic_uint_fast64_t next, parts_done;
   bool *has_run;
   uint64_t told; /* units that `done` was told of */
   uint64_t units_done, begin_ns, told_ns;
};

/* Runs all units.  False: memory ran out, after a message, or w->failed and w->error say what. */
bool sim_work_run(struct sim_work *w);
/* By a run: so many parts more are over. */
void sim_work_parts(struct sim_work *w, uint64_t parts);

/* Nanoseconds of CPU time of the calling thread. */
uint64_t sim_thread_ns(void);

#endif
