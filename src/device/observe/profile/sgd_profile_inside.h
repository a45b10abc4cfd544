/* SPDX-License-Identifier: MIT */
/*
 * Profiler: what its files share.
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
   int text, samples;          /* file descriptors */
   _Atomic uint64_t allocated; /* number of samples that have space on the disk */
   uint64_t space;             /* size of the disk space of the file in bytes */
   bool is_full;               /* set if there is no space for more samples */
   _Atomic uint64_t text_size; /* size of all lines, also of those that were left out */
   _Atomic int signal;         /* 0 if it is not known yet, -1 if there is none */
   /* for `checker`, `thread`, `left_out`, counters, the names of spans, and new shapes */
   pthread_mutex_t lock;
   int checker;          /* thread that makes the checks, and is not sampled */
   unsigned num_threads; /* number of threads so far; records are not used again */
   struct sgd_profiled thread[SGD_PROFILE_THREADS];
   uint64_t left_out[1 << 16]; /* a bit for each thread without a record, by its number */
   const char *name[SGD_PROFILE_SPANS];
   uint64_t shape[2 * SGD_PROFILE_SHAPES];       /* hash table: hashes of shapes, or 0 */
   uint32_t shape_index[2 * SGD_PROFILE_SHAPES]; /* the shapes' indices */
   uint64_t maps;                                /* hash of the mappings that were written last */
};

/* Returns the process's profiler, or NULL if it has not started. */
struct sgd_profile *sgd_profile_started(void);

/* Functions in sgd_profile_store.c: */
/* Makes the files. Prints a message, leaves no file, and returns false if that is not possible. */
bool sgd_profile_open(struct sgd_profile *profile, const char *folder);
/* Takes more disk space if little is left. Called by one thread at a time. */
void sgd_profile_grow(struct sgd_profile *profile);
/* Takes SGD_PROFILE_CHUNK samples, from index *first on. Returns false if there is no space. */
bool sgd_profile_take(struct sgd_profile *profile, uint64_t *first);

/* Functions in sgd_profile_proc.c: */
/* Reads a small file of /proc. Returns a string that the caller must free, or NULL. */
char *sgd_profile_read(const char *path);
/* Writes the executable mappings of files if they have changed. */
void sgd_profile_write_maps(struct sgd_profile *profile);
/* Writes a line about the process. */
void sgd_profile_write_process(struct sgd_profile *profile);

/* Functions in sgd_profile_threads.c: */
/* Returns the record of a thread, and makes one if there is none. The lock must be held. Returns
 * NULL if there are too many threads.
 */
struct sgd_profiled *sgd_profile_find(struct sgd_profile *profile, int tid);
/* Looks for new and ended threads. Called for the n-th time, from 0 on. */
void sgd_profile_check(struct sgd_profile *profile, unsigned n);
/* Starts the thread that makes the checks. */
bool sgd_profile_start_checker(struct sgd_profile *profile);

/* Functions in sgd_profile_sample.c: */
/* Starts to sample a thread. Returns the CPU time in ns that a sample stands for, or 0. */
uint64_t sgd_profile_sample_start(struct sgd_profile *profile, unsigned slot, int tid);
void sgd_profile_sample_end(struct sgd_profile *profile, unsigned slot);

/* Brings the CPU time of a thread in the file up to date. The thread itself and the thread that
 * makes the checks do this, and one of them can come late with an older time.
 */
static inline void
sgd_profile_raise_cpu(const struct sgd_profiled *t, uint64_t cpu)
{
   _Atomic uint64_t *at = &t->profile->file->slot[t->slot].cpu_ns;
   uint64_t old = atomic_load_explicit(at, memory_order_relaxed);

   while (cpu > t->cpu_before && cpu - t->cpu_before > old &&
          !atomic_compare_exchange_weak_explicit(at, &old, cpu - t->cpu_before,
                                                 memory_order_relaxed, memory_order_relaxed))
      continue;
}

#endif
