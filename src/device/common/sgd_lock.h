/* SPDX-License-Identifier: MIT */
/*
 * Locks that a fork handler acquires with a deadline, and condition variables with deadlines.
 */
#ifndef SGD_LOCK_H
#define SGD_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "common/sgd_time.h"

/* Polling interval of sgd_lock_before() in ns. */
#define SGD_LOCK_POLL_NS 50000

/* Initializes a condition variable whose deadlines use the clock of sgd_time_ns(). */
static inline void
sgd_cond_init(pthread_cond_t *cond)
{
   pthread_condattr_t attr;

   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(cond, &attr);
   pthread_condattr_destroy(&attr);
}

/* Acquires the lock, or returns false if it is still held at the deadline (on the clock of
 * sgd_time_ns()). Waiting without a deadline could hang: if a signal handler interrupts the owner
 * of the lock and forks, the owner is the calling thread itself.
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
