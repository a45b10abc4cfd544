/* SPDX-License-Identifier: MIT */
/*
 * Clock domains.  Time is an integer of ticks, whose frequency is the least common multiple
 * of those of all domains, so that every clock edge is at a whole tick.
 */
#ifndef SGT_CLOCK_H
#define SGT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Later than every time. */
#define SGT_NEVER UINT64_MAX

struct sgt_clock {
   uint32_t mhz;
   uint64_t period; /* ticks; edges are at its multiples */
};

/* Sets the periods for the frequencies `clocks[i].mhz`.  False: a frequency is 0, or the
 * least common multiple is 2^32 MHz or more.
 */
bool sgt_clocks_init(struct sgt_clock *clocks, unsigned num);

/* The first edge at `time` or later. */
static inline uint64_t
sgt_clock_edge(const struct sgt_clock *clock, uint64_t time)
{
   const uint64_t rest = time % clock->period;
   return rest && time != SGT_NEVER ? time + (clock->period - rest) : time;
}

#endif
