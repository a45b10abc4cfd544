/* SPDX-License-Identifier: MIT */
/*
 * Clock domains. Time is measured in ticks. The tick frequency is the least common multiple of the
 * frequencies of all domains, so that each clock edge is at an integer number of ticks.
 */
#ifndef SGT_CLOCK_H
#define SGT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A time that is later than all other times, for events that never happen. */
#define SGT_NEVER UINT64_MAX

struct sgt_clock {
   uint32_t mhz;    /* frequency in MHz */
   uint64_t period; /* cycle time in ticks; clock edges are at multiples of the cycle time */
};

/* Computes the period of each clock from the frequencies. Returns false if a frequency is 0 or if
 * the tick frequency would be 2^32 MHz or higher.
 */
bool sgt_clocks_init(struct sgt_clock *clocks, unsigned num);

/* Returns the time of the first clock edge at `time` or later. */
static inline uint64_t
sgt_clock_edge(const struct sgt_clock *clock, uint64_t time)
{
   const uint64_t rest = time % clock->period;
   return rest && time != SGT_NEVER ? time + (clock->period - rest) : time;
}

#endif
