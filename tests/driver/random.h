/* SPDX-License-Identifier: MIT */
/*
 * Pseudorandom numbers for the driver's tests.  They are the same in every run.
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

/* Returns a number from 0 to n - 1. */
static inline uint32_t
below(uint32_t n)
{
   static uint64_t x = 88172645463325252ull;

   x ^= x << 13;
   x ^= x >> 7;
   x ^= x << 17;
   return (x >> 20) % n;
}

#endif
