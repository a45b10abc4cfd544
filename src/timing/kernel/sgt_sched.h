/* SPDX-License-Identifier: MIT */
/*
 * Scheduler for the units of a model. It uses timing wheels, each for units with the same clock
 * period.
 *
 * A unit's tick() function does the work of one clock edge and returns the time of its next call. A
 * channel (sgt_channel.h) can cause an earlier call. Units only interact through channels, and a
 * channel hides everything that happens on a clock edge until that edge is over. Therefore, the
 * order of calls at the same time must not affect the results. The `shuffle` option tests this. A
 * unit may be called when it has no work, so its statistics must not count calls.
 */
#ifndef SGT_SCHED_H
#define SGT_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sgt_clock.h"
#include "kernel/sgt_random.h"

struct sgt_channel;
struct sgt_wheel;

/* Number of inputs that have an entry in sgt_unit::arrivals. All other inputs of a unit are in a
 * linked list.
 */
#define SGT_UNIT_ARRIVALS 63

struct sgt_unit {
   const char *name;
   const struct sgt_clock *clock;
   /* Called on an edge of `clock` at time `now`. Returns the time of the next call, which must be
    * later than `now`, or SGT_NEVER.
    */
   uint64_t (*tick)(struct sgt_unit *unit, uint64_t now);

   /* The following members are private to the scheduler and the channels. A unit must be
    * initialized before its channels.
    */
   uint64_t next; /* time of the next call, or SGT_NEVER */
   /* bitmask of inputs with messages; bit 63 is set if the `more` list is not empty */
   uint64_t waiting;
   struct sgt_wheel *wheel;
   /* bit: index of the unit in wheel->units
    * slot: index of the next call in wheel->slots, or UINT8_MAX if the next call is after the last
    * slot
    */
   uint8_t bit, slot;
   uint32_t num_inputs;                  /* number of channels that this unit receives from */
   struct sgt_channel *more;             /* linked list of inputs without an entry in `arrivals` */
   uint64_t arrivals[SGT_UNIT_ARRIVALS]; /* arrival time of the oldest message of each input */
};

/* Number of clock cycles that a wheel covers. */
#define SGT_WHEEL_SLOTS 64

/* A timing wheel for up to 64 units with the same clock period. `slots` is a ring buffer with a
 * slot for each clock edge: the slot with index `slot` is the edge at time `base`, and the
 * following slots are the next edges. `base` is never later than the current time. Several wheels
 * can have the same period.
 */
struct sgt_wheel {
   uint64_t due; /* lower bound for the time of the next call, or SGT_NEVER */
   /* base: time of the current edge in ticks
    * period: clock period in ticks
    */
   uint64_t base, period;
   uint64_t edge;           /* index of the current edge: base / period */
   uint64_t exact, inverse; /* n / period is n * inverse >> 32 for all n < exact */
   uint64_t full;           /* bitmask of slots with units */
   uint64_t far;            /* bitmask of units whose next call is after the last slot */
   uint64_t far_next;       /* lower bound for the next call of the units in `far`, or SGT_NEVER */
   uint32_t slot;           /* index in `slots` of the current edge */
   uint32_t num_units;
   uint64_t slots[SGT_WHEEL_SLOTS]; /* bitmask of the units to call on each edge */
   struct sgt_unit *units[64];
};

struct sgt_sched {
   uint64_t now; /* current time in ticks */
   struct sgt_wheel **wheels;
   uint32_t num_wheels, num_units;
   struct sgt_unit **due;    /* units to call at the current time; array of num_units elements */
   bool shuffle;             /* true if units are called in random order */
   struct sgt_random random; /* random number generator for `shuffle` */
   uint64_t calls;           /* number of tick() calls so far */
};

/* Initializes a scheduler without units, at time 0. */
void sgt_sched_init(struct sgt_sched *s);
void sgt_sched_finish(struct sgt_sched *s);

/* Randomizes the order of calls at the same time, for tests. */
void sgt_sched_shuffle(struct sgt_sched *s, uint64_t seed);

/* Adds a unit. It will be called on its first clock edge at time `first` or later. Returns false if
 * allocation fails.
 */
bool sgt_sched_add(struct sgt_sched *s, struct sgt_unit *unit, uint64_t first);

/* Returns the index of the current edge of the unit's clock. Only valid inside tick(). */
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

/* Slow path of sgt_sched_wake(), for a `time` before the unit's next call. */
void sgt_sched_wake_earlier(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time);

/* Schedules a call of the unit on its first clock edge at `time` or later, unless an earlier call
 * is already scheduled. `time` must be later than the current time, except before the simulation
 * starts.
 */
static inline void
sgt_sched_wake(struct sgt_sched *s, struct sgt_unit *unit, uint64_t time)
{
   if (time < unit->next)
      sgt_sched_wake_earlier(s, unit, time);
}

/* Advances to the next time for which calls are scheduled, and makes these calls. Returns false if
 * no call is scheduled up to and including time `limit`.
 */
bool sgt_sched_step(struct sgt_sched *s, uint64_t limit);

/* Returns true if any call is scheduled. */
bool sgt_sched_pending(const struct sgt_sched *s);

#endif
