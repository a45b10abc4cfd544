/* SPDX-License-Identifier: MIT */
/*
 * The device's clock.
 */
#ifndef SGD_TIME_H
#define SGD_TIME_H

#include <stdint.h>
#include <time.h>

/* Returns the time of CLOCK_MONOTONIC in ns. Timer queries and timeouts use this clock. */
static inline uint64_t
sgd_time_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

#endif
