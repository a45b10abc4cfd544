/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: threads that sleep on a word. A thread reads the word with the lock held, and releases
 * the lock before it sleeps. The waking thread changes the word with the lock held, so that no
 * wake-up is lost. (glibc condition variables up to version 2.40 can lose a wake-up if there are
 * several waiters: glibc bug 25847.)
 */
#ifndef SGD_FUTEX_H
#define SGD_FUTEX_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/futex.h"

/* Sleeps until the word differs from `value`, the thread is woken, a signal handler has run, or the
 * deadline is reached (sgd_time_ns; UINT64_MAX: none). Returns true at the deadline, false
 * otherwise.
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
