/* SPDX-License-Identifier: MIT */
/*
 * Scheduler: lets threads sleep until a word in memory changes. Such a thread reads the word with
 * the lock held, and releases the lock before it sleeps. The word is only changed with the lock
 * held, so that a wake-up can't be missed. Condition variables of glibc up to 2.40 can lose a
 * wake-up if several threads wait (glibc bug 25847), so they are not used here.
 */
#ifndef SGD_FUTEX_H
#define SGD_FUTEX_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/futex.h"

#if !UTIL_FUTEX_SUPPORTED
/* With ThreadSanitizer, Mesa has no futexes. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int
futex_wake(uint32_t *word, int32_t count)
{
   return (int)syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

static inline int
futex_wait(uint32_t *word, int32_t value, const struct timespec *deadline)
{
   return (int)syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, deadline, NULL,
                       FUTEX_BITSET_MATCH_ANY);
}
#endif

/* Sleeps while the word is equal to `value`. Returns false if it isn't, if the thread was woken or
 * if a signal handler has run. Returns true at the deadline (sgd_time_ns; UINT64_MAX means none).
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

/* Wakes up to `count` threads that are sleeping in sgd_futex_wait(). */
static inline void
sgd_futex_wake(_Atomic uint32_t *word, int count)
{
   futex_wake((uint32_t *)word, count);
}

#endif
