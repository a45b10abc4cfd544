/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: threads that sleep on a word.  A thread reads the word with the lock held, and
 * releases the lock before it sleeps.  The thread that wakes it changes the word with the lock
 * held, so no wake is lost.  (Condition variables of glibc up to 2.40 can lose one if there are
 * several sleepers: glibc bug 25847.)
 */
#ifndef SGD_FUTEX_H
#define SGD_FUTEX_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/futex.h"

/* Sleeps until the word is not `value`, until a wake, until a signal handler has run, or until the
 * deadline (sgd_time_ns; UINT64_MAX: none).  Returns true for the deadline, false otherwise.
 */
static inline bool
sgd_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline)
{
   const struct timespec t = {
      .tv_sec = (time_t)(deadline / 1000000000u),
      .tv_nsec = (long)(deadline % 1000000000u),
   };
   return futex_wait((uint32_t *)word, (int32_t)value, deadline == UINT64_MAX ? NULL : &t) &&
          errno == ETIMEDOUT;
}

/* Wakes at most `count` threads that sleep on the word. */
static inline void
sgd_futex_wake(_Atomic uint32_t *word, int count)
{
   futex_wake((uint32_t *)word, count);
}

#endif
