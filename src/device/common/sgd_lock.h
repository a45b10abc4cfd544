/* SPDX-License-Identifier: MIT */
/*
 * Locks that are taken before a fork, and conditions with a deadline.
 */
#ifndef SGD_LOCK_H
#define SGD_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "common/sgd_time.h"

/* Time in ns between two attempts of sgd_lock_before(). */
#define SGD_LOCK_POLL_NS 50000

/* Initializes a condition whose deadlines are in the time of sgd_time_ns(). */
static inline void
sgd_cond_init(pthread_cond_t *cond)
{
   pthread_condattr_t attr;

   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(cond, &attr);
   pthread_condattr_destroy(&attr);
}

/* Takes the lock. Returns false if it was still held at the deadline (in the time of
 * sgd_time_ns()). The owner may be the calling thread: a signal handler may fork, and may
 * have interrupted the owner.
 */
static inline bool
sgd_lock_before(pthread_mutex_t *lock, uint64_t deadline)
{
   const struct timespec poll = { .tv_nsec = SGD_LOCK_POLL_NS };

   while (pthread_mutex_trylock(lock)) {
      if (sgd_time_ns() >= deadline)
         return false;
      nanosleep(&poll, NULL);
   }
   return true;
}

#endif
