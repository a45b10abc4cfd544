/* SPDX-License-Identifier: MIT */
/*
 * Clock domains. Time is an integer number of ticks. The frequency of ticks is the least common
 * multiple of the frequencies of all domains, so that every clock edge is at a whole tick.
 */
#ifndef SGT_CLOCK_H
#define SGT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A time that never comes, later than all others. */
#define SGT_NEVER UINT64_MAX

struct sgt_clock {
   uint32_t mhz;    /* frequency */
   uint64_t period; /* cycle time in ticks; edges are at multiples of it */
};

/* Computes `period` of each clock from the frequencies `mhz`. Returns false if a frequency is 0,
 * or if the least common multiple is 2^32 MHz or more.
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
