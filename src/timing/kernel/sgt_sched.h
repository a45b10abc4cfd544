/* SPDX-License-Identifier: MIT */
/*
 * Scheduler of units, with timing wheels: a wheel has the units of one clock period.
 *
 * The function tick() of a unit does the work of one clock edge, and returns the time of its
 * next call. A channel (sgt_channel.h) may cause an earlier call. Units interact only through
 * channels, and a channel hides what happens at an edge until that edge is over. So the order
 * of calls at the same time must not change results; the option `shuffle` tests this. A unit
 * may be called when it has nothing to do, so its statistics must not count calls.
 */
#ifndef SGT_SCHED_H
#define SGT_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sgt_clock.h"
#include "kernel/sgt_random.h"

struct sgt_channel;
struct sgt_wheel;

/* Number of inputs whose arrival times are in the unit. Further inputs are in a list. */
#define SGT_UNIT_ARRIVALS 63

struct sgt_unit {
   const char *name;
   const struct sgt_clock *clock;
   /* Called at an edge of `clock`, at time `now`. Returns the time of the next call, which is
    * after `now`, or SGT_NEVER.
    */
   uint64_t (*tick)(struct sgt_unit *unit, uint64_t now);

   /* The other members belong to the scheduler and the channels. Channels must be initialized
    * after the unit.
    */
   uint64_t next;    /* time of the edge of the next call, or SGT_NEVER */
   uint64_t waiting; /* bit mask of inputs with messages; bit 63: the list `more` is not empty */
   struct sgt_wheel *wheel;
   /* Index of the unit in wheel->units, and index in wheel->slots of its next call, which is
    * UINT8_MAX if the call is after the last slot.
    */
   uint8_t bit, slot;
   uint32_t num_inputs;                  /* number of channels to this unit */
   struct sgt_channel *more;             /* list of the inputs that do not fit in `arrivals` */
   uint64_t arrivals[SGT_UNIT_ARRIVALS]; /* per input: arrival time of the oldest message */
};

/* Number of clock cycles that a wheel covers. */
#define SGT_WHEEL_SLOTS 64

/* Up to 64 units of the same clock period. Several wheels may have the same period. The slots are
 * a ring: the slot with index `slot` is the edge at time `base`, the following slots are the next
 * edges. `base` is not after the present time.
 */
struct sgt_wheel {
   uint64_t due;            /* lower bound of the time of the next call, or SGT_NEVER */
   uint64_t base, period;   /* time of the current edge, and clock period, in ticks */
   uint64_t edge;           /* number of the current edge: base / period */
   uint64_t exact, inverse; /* n / period is n * inverse >> 32 for n < exact */
   uint64_t full;           /* bit mask of slots with units */
   uint64_t far;            /* bit mask of units whose next call is after the last slot */
   uint64_t far_next;       /* lower bound of the times of the next calls of these units */
   uint32_t slot;           /* index of the slot of the current edge */
   uint32_t num_units;
   uint64_t slots[SGT_WHEEL_SLOTS]; /* per slot: bit mask of units that are called then */
   struct sgt_unit *units[64];
};

struct sgt_sched {
   uint64_t now; /* present time, in ticks */
   struct sgt_wheel **wheels;
   uint32_t num_wheels, num_units;
   struct sgt_unit **due;    /* units that are called at the present time; num_units elements */
   bool shuffle;             /* units are called in random order */
   struct sgt_random random; /* generator for `shuffle` */
   uint64_t calls;           /* number of calls of units so far */
};

/* Initializes a scheduler without units, at time 0. */
void sgt_sched_init(struct sgt_sched *s);
void sgt_sched_finish(struct sgt_sched *s);

/* Makes the order of calls at the same time random, for tests. */
void sgt_sched_shuffle(struct sgt_sched *s, uint64_t seed);

/* Adds a unit. Its first call is at its first edge at time `first` or later. Returns false if out
 * of memory.
 */
bool sgt_sched_add(struct sgt_sched *s, struct sgt_unit *unit, uint64_t first);

/* Returns the number of the current edge of the unit's clock. Valid only inside tick(). */
static inline uint64_t
sgt_unit_edge(const struct sgt_unit *unit)
{
   return unit->wheel->edge;
}

/* Converts a duration in ticks to whole cycles of the unit's clock, rounded down. */
static inline uint64_t
sgt_unit_cycles(const struct sgt_unit *unit, uint64_t ticks)
{
   const struct sgt_wheel *w = unit->wheel;
   return ticks < w->exact ? ticks * w->inverse >> 32 : ticks / w->period;
}

/* Helper of sgt_sched_wake() for a `time` before the unit's next call. */
void sgt_sched_wake_earlier(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time);

/* Schedules a call of the unit for its first edge at `time` or later, unless an earlier call is
 * scheduled already. `time` must be after the present time, except before the first step.
 */
static inline void
sgt_sched_wake(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time)
{
   if (time < unit->next)
      sgt_sched_wake_earlier(s, unit, time);
}

/* Advances to the next time at which units are scheduled, and calls them. Returns false if no
 * call is scheduled up to time `limit`.
 */
bool sgt_sched_step(struct sgt_sched *s, uint64_t limit);

/* Returns whether a call of a unit is scheduled. */
bool sgt_sched_pending(const struct sgt_sched *s);

#endif
