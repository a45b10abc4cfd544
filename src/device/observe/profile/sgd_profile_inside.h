/* SPDX-License-Identifier: MIT */
/*
 * Profiler: what its two files share.
 */
#ifndef SGD_PROFILE_INSIDE_H
#define SGD_PROFILE_INSIDE_H

#include <pthread.h>
#include <time.h>

#include "observe/profile/sgd_profile.h"
#include "observe/profile/sgd_profile_file.h"

/* A thread that the profiler knows. The signal handler of the thread reads this. */
struct sgd_profiled {
   struct sgd_profile *profile;
   int tid;
   unsigned slot;
   int fd;        /* perf event, or -1 */
   timer_t timer; /* if has_timer is set */
   bool has_timer;
   bool seen; /* set if the thread existed at the last check */
   /* worker as which the thread runs work, or NULL */
   struct sgd_worker *_Atomic worker;
   uint64_t next, end;  /* indices of the samples that the thread has taken and not used yet */
   uint64_t cpu_before; /* CPU time of the thread when it was first seen */
};

struct sgd_profile {
   struct sgd_profile_file *file;
   int text, samples;  /* file descriptors */
   uint64_t allocated; /* number of samples that have space on the disk */
   uint64_t space;     /* size of the disk space of the file in bytes */
   int signal;
   pthread_mutex_t lock; /* for `thread`, the names of spans, and new shapes */
   struct sgd_profiled thread[SGD_PROFILE_THREADS];
   const char *name[SGD_PROFILE_SPANS];
   uint64_t shape[2 * SGD_PROFILE_SHAPES];       /* hash table: hashes of shapes, or 0 */
   uint32_t shape_index[2 * SGD_PROFILE_SHAPES]; /* the shapes' indices */
   uint64_t maps;                                /* hash of the mappings that were written last */
   pthread_t checker;
};

/* Returns the process's profiler, which must have started. */
struct sgd_profile *sgd_profile_started(void);

#endif
