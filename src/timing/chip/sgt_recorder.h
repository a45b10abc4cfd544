/* SPDX-License-Identifier: MIT */
/*
 * Recorder that fills in the result of a run (struct sgt_chip_result). At the end of each operation
 * and of each interval, it reads the statistics that the units have registered, and records how
 * much they have increased.
 *
 * The current values of all recorded statistics form a row.
 */
#ifndef SGT_RECORDER_H
#define SGT_RECORDER_H

#include "chip/sgt_chip_result.h"
#include "kernel/sgt_stats.h"

/* A class of units whose states are recorded. '#' in `unit` matches any number. */
struct sgt_recorder_class {
   /* name: name of the class;
    * unit: pattern that the names of the units match;
    * stat: name of the statistic that counts the states;
    * text: description of the class
    */
   const char *name, *unit, *stat, *text;
   uint32_t work; /* bitmask of the states in which a unit is working */
   /* index of the idle state, or SGT_RECORDER_LAST for the last state */
   uint32_t idle;
   uint32_t domain; /* index of the clock domain of the units */
   /* true if the units count ticks during the run, false if they count cycles of the clock domain
    */
   bool ticks;
};
/* Value of sgt_recorder_class.idle if the last state is the idle state. */
#define SGT_RECORDER_LAST UINT32_MAX
/* A counter in the result, i.e. the sum of a statistic over all matching units. */
struct sgt_recorder_counter {
   /* name: name of the counter;
    * unit: pattern that the names of the units match;
    * stat: name of the statistic
    */
   const char *name, *unit, *stat;
};

/* Values of one unit that are added to each row. */
struct sgt_recorder_source {
   const uint64_t *values;
   uint32_t first, num; /* first: index of the first value in the row; num: number of values */
};

struct sgt_recorder {
   struct sgt_chip_result *result;
   struct sgt_chip_observe observe;
   uint64_t period; /* length of a core cycle in ticks */
   uint64_t end;    /* core cycle in which the most recent share ended */
   uint32_t next;   /* index of the first operation that has not ended */
   uint32_t owner;  /* index of the operation whose share (sgt_chip_result.h) ends at `mark` */
   /* time in ticks when the share of `owner` ends, or SGT_NEVER if no end is pending */
   uint64_t mark;
   struct sgt_recorder_source *sources;
   uint32_t num_sources;
   uint32_t *divisors; /* for each value of a row, the divisor that converts ticks to cycles */
   uint64_t *now;      /* current row */
   uint64_t *share;    /* values at the end of the most recent share */
   uint64_t *begin;    /* values at the start of the current interval */
   /* end of the current interval in ticks, or SGT_NEVER if no intervals are recorded */
   uint64_t interval_end;
   uint64_t room; /* number of rows that are allocated in result->series */
   bool out_of_memory;
};

/* Prepares a recorder and an empty result. `classes` and `counters` name the statistics in `stats`
 * to record. Classes and counters without matching units are omitted. The arrays of the statistics
 * must outlive the recorder. `mhz` and `periods` (in ticks) are indexed by clock domain, and domain
 * 0 must be the core clock. Returns false on allocation failure.
 */
bool sgt_recorder_init(struct sgt_recorder *r, struct sgt_chip_result *result,
                       const struct sgt_chip_observe *observe, uint32_t num_operations,
                       const struct sgt_stats *stats, const struct sgt_recorder_class *classes,
                       uint32_t num_classes, const struct sgt_recorder_counter *counters,
                       uint32_t num_counters, const uint32_t *mhz, const uint64_t *periods);
void sgt_recorder_finish(struct sgt_recorder *r);
/* Makes the recorder read a statistic from the array `replacement` instead of its original array
 * `values`.
 */
void sgt_recorder_replace(struct sgt_recorder *r, const uint64_t *values,
                          const uint64_t *replacement);

/* The following functions record the start and the end of an operation at time `now`, in ticks. */
void sgt_recorder_begins(struct sgt_recorder *r, uint32_t operation, uint64_t now);
void sgt_recorder_ends(struct sgt_recorder *r, uint32_t operation, uint64_t now);

/* Returns the time of the next required call to sgt_recorder_take(), or SGT_NEVER if that time is
 * not known yet.
 */
uint64_t sgt_recorder_due(const struct sgt_recorder *r);
/* Records the row that is due at `time`, which must have been returned by sgt_recorder_due(). The
 * units must have counted exactly those cycles that start before `time`.
 */
void sgt_recorder_take(struct sgt_recorder *r, uint64_t time);
/* Records the last row at the end of the run. Returns false if memory has run out, in which case
 * the result is incomplete.
 */
bool sgt_recorder_end(struct sgt_recorder *r, uint64_t time);

#endif
