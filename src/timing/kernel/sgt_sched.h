/* SPDX-License-Identifier: MIT */
/*
 * Scheduler of units: a time wheel.
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

#include "sgt_clock.h"
#include "sgt_random.h"

struct sgt_channel;

struct sgt_unit {
   const char *name;
   const struct sgt_clock *clock;
   /* At an edge of `clock`; returns a time after `now`, or SGT_NEVER. */
   uint64_t (*tick)(struct sgt_unit *unit, uint64_t now);

   /* Private to scheduler and channels, which are made after the unit is set up. */
   struct sgt_channel *inputs;
   uint32_t index;
   uint64_t next; /* the edge at which it is called; SGT_NEVER: none */
   struct sgt_unit *after, **link;
};

/* A multiple of 64, up to 64 * 64: the summary has a bit for each word of slots. */
#define SGT_WHEEL_SLOTS 1024

struct sgt_sched {
   uint64_t now; /* ticks */
   struct sgt_unit *slots[SGT_WHEEL_SLOTS];
   uint64_t full[SGT_WHEEL_SLOTS / 64]; /* slots with units */
   uint64_t summary;                    /* words of `full` that are not 0 */
   struct sgt_unit *far;                /* at now + SGT_WHEEL_SLOTS or later */
   uint64_t far_next;                   /* not later than the first of them */
   struct sgt_unit **units;             /* by index */
   struct sgt_unit **due;               /* room for all */
   uint32_t num_units;
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

/* Calls the unit at its first edge at `time` or later, or earlier where it has an earlier
 * call.  `time` is after the present one, but for the first call of a unit.
 */
void sgt_sched_wake(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time);

/* Runs all calls of the next time that has some.  False: none is left, or the next is after
 * `limit`.
 */
bool sgt_sched_step(struct sgt_sched *s, uint64_t limit);

#endif
