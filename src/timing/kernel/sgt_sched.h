/* SPDX-License-Identifier: MIT */
/*
 * Scheduler of units: a time wheel for each period.
 *
 * A unit's tick does the work of one edge of its clock and returns the time at which it
 * wants to be called next; channels (sgt_channel.h) wake it earlier.  Units touch each
 * other through channels alone, and a channel shows nothing of an edge within that edge.
 * So the order of units with an edge at the same time changes nothing, and `shuffle` tests
 * that it does not.  A unit may be called without a reason; its statistics must not count
 * calls.
 */
#ifndef SGT_SCHED_H
#define SGT_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sgt_clock.h"
#include "kernel/sgt_random.h"

struct sgt_channel;
struct sgt_wheel;

/* Inputs whose arrivals are in the unit; others are in a list. */
#define SGT_UNIT_ARRIVALS 63

struct sgt_unit {
   const char *name;
   const struct sgt_clock *clock;
   /* At an edge of `clock`; returns a time after `now`, or SGT_NEVER. */
   uint64_t (*tick)(struct sgt_unit *unit, uint64_t now);

   /* Private to scheduler and channels, which are made after the unit is set up. */
   uint64_t next;    /* the edge at which it is called; SGT_NEVER: none */
   uint64_t waiting; /* bits: inputs that have messages; bit 63: there is a list of more inputs */
   struct sgt_wheel *wheel;
   uint8_t bit, slot; /* in the wheel */
   uint32_t num_inputs;
   struct sgt_channel *more;             /* inputs that have no place in `arrivals` */
   uint64_t arrivals[SGT_UNIT_ARRIVALS]; /* when the oldest message of an input can be taken */
};

/* Cycles, and units: bits of a word. */
#define SGT_WHEEL_SLOTS 64

/* Units of one period, up to 64; there may be several wheels of a period.  `slots` has the cycles
 * from the edge `base` on, which is not after the present time.
 */
struct sgt_wheel {
   uint64_t due; /* not later than the next call; SGT_NEVER: there is none */
   uint64_t base, period;
   uint64_t edge;           /* number of `base`: base / period */
   uint64_t exact, inverse; /* n / period is n * inverse >> 32 for n < exact */
   uint64_t full;           /* bits: slots with units */
   uint64_t far;            /* bits: units that are due behind all slots */
   uint64_t far_next;       /* not later than the first of them */
   uint32_t slot;           /* of `base` */
   uint32_t num_units;
   uint64_t slots[SGT_WHEEL_SLOTS]; /* bits: units */
   struct sgt_unit *units[64];
};

struct sgt_sched {
   uint64_t now; /* ticks */
   struct sgt_wheel **wheels;
   uint32_t num_wheels, num_units;
   struct sgt_unit **due; /* those of the present time; room for all */
   bool shuffle;
   struct sgt_random random; /* of shuffling */
   uint64_t calls;
};

/* No units, time 0. */
void sgt_sched_init(struct sgt_sched *s);
void sgt_sched_finish(struct sgt_sched *s);

/* Units are called in a random order at each time. */
void sgt_sched_shuffle(struct sgt_sched *s, uint64_t seed);

/* Adds a unit, whose first call is at the edge at `first` or later.  False: no memory. */
bool sgt_sched_add(struct sgt_sched *s, struct sgt_unit *unit, uint64_t first);

/* In the unit's tick: `now` in cycles of its clock. */
static inline uint64_t
sgt_unit_edge(const struct sgt_unit *unit)
{
   return unit->wheel->edge;
}

/* Whole cycles of the unit's clock in `ticks`. */
static inline uint64_t
sgt_unit_cycles(const struct sgt_unit *unit, uint64_t ticks)
{
   const struct sgt_wheel *w = unit->wheel;
   return ticks < w->exact ? ticks * w->inverse >> 32 : ticks / w->period;
}

/* Of sgt_sched_wake: `time` is before the unit's next call. */
void sgt_sched_wake_earlier(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time);

/* Calls the unit at its first edge at `time` or later, or earlier where it has an earlier
 * call.  `time` is after the present one, but for the first call of a unit.
 */
static inline void
sgt_sched_wake(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time)
{
   if (time < unit->next)
      sgt_sched_wake_earlier(s, unit, time);
}

/* Runs all calls of the next time that has some.  False: none is left, or the next is after
 * `limit`.
 */
bool sgt_sched_step(struct sgt_sched *s, uint64_t limit);

/* Whether a unit is to be called. */
bool sgt_sched_pending(const struct sgt_sched *s);

#endif
