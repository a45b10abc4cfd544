/* SPDX-License-Identifier: MIT */
/*
 * Pseudorandom numbers for the driver's tests.  They are the same in every run.
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

#define RANDOM_START 88172645463325252ull
static uint64_t random_state = RANDOM_START;

/* Makes below() return the same numbers again as at the start. */
static inline void
random_restart(void)
{
   random_state = RANDOM_START;
}

/* Returns a number from 0 to n - 1. */
static inline uint32_t
below(uint32_t n)
{
   uint64_t x = random_state;

   x ^= x << 13;
   x ^= x >> 7;
   x ^= x << 17;
   random_state = x;
   return (x >> 20) % n;
}

#endif
