/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: sleep of a thread on a word.  A sleeper reads the word with the lock held and
 * gives the lock back before it sleeps; whatever wakes it changes the word with the lock
 * held, so that a wake is never lost.  (glibc's conditions lose one at times with several
 * sleepers, up to 2.40: its bug 25847.)
 */
#ifndef SGD_FUTEX_H
#define SGD_FUTEX_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/futex.h"

/* Until the word is not `value`, a wake, a signal's handler has run, or the deadline
 * (sgd_time_ns; UINT64_MAX: none) has come, for which it returns true.
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

static inline void
sgd_futex_wake(_Atomic uint32_t *word, int count)
{
   futex_wake((uint32_t *)word, count);
}

#endif
