/* SPDX-License-Identifier: MIT */
/*
 * Fills the result of a chip's run. Reads the statistics that the units register at each end of an
 * operation and of an interval, and records how states and counters have changed.
 */
#ifndef SGT_RECORDER_H
#define SGT_RECORDER_H

#include "chip/sgt_chip_result.h"
#include "kernel/sgt_stats.h"

/* A class: units of the registry whose statistic is counted. '#' in `unit` stands for a number. */
struct sgt_recorder_class {
   /* name of the class; pattern of unit names; name of their statistic; description */
   const char *name, *unit, *stat, *text;
   uint32_t work; /* bit mask of the states in which a unit works */
   /* index of the state in which a unit has nothing to do, or SGT_RECORDER_LAST for the last state
    */
   uint32_t idle;
   uint32_t domain; /* index of the clock domain */
   bool ticks;      /* during the run, the values are ticks, not cycles of the domain */
};
/* Value of sgt_recorder_class.idle: the last state. */
#define SGT_RECORDER_LAST UINT32_MAX
/* A counter of a result, which is the sum of a statistic over units. */
struct sgt_recorder_counter {
   const char *name, *unit, *stat; /* its name; pattern of unit names; name of the statistic */
};

/* Values of one unit that are added to a row. */
struct sgt_recorder_source {
   const uint64_t *values;
   uint32_t first, num; /* index of the first value in the row; number of values */
};

struct sgt_recorder {
   struct sgt_chip_result *result;
   struct sgt_chip_observe observe;
   uint64_t period; /* length of a core cycle in ticks */
   uint64_t end;    /* time at which the latest share ended, in core cycles */
   uint32_t next;   /* index of the first operation that has not ended */
   uint32_t owner;  /* operation whose share ends at `mark` */
   uint64_t mark;   /* time at which a share ends, in ticks; SGT_NEVER if no end is pending */
   struct sgt_recorder_source *sources;
   uint32_t num_sources;
   uint32_t *divisors; /* divisor for each value of a row */
   uint64_t *now;      /* present row */
   uint64_t *share;    /* row at the end of the latest share */
   uint64_t *begin;    /* row at the start of the interval */
   /* end of the present interval in ticks; SGT_NEVER if intervals are not recorded */
   uint64_t interval_end;
   uint64_t room; /* number of rows allocated in result->series */
   bool out_of_memory;
};

/* Prepares a recorder and an empty result. From `stats`, it counts the statistics that the tables
 * name. Classes and counters that no unit has are left out. The arrays of the statistics must
 * outlive the recorder. `mhz` and `periods` (in ticks) are indexed by clock domain, and domain 0 is
 * that of core cycles. Returns false if out of memory.
 */
bool sgt_recorder_init(struct sgt_recorder *r, struct sgt_chip_result *result,
                       const struct sgt_chip_observe *observe, uint32_t num_operations,
                       const struct sgt_stats *stats, const struct sgt_recorder_class *classes,
                       uint32_t num_classes, const struct sgt_recorder_counter *counters,
                       uint32_t num_counters, const uint32_t *mhz, const uint64_t *periods);
void sgt_recorder_finish(struct sgt_recorder *r);
/* Counts the values at `replacement` instead of those at `values`, a statistic's array. */
void sgt_recorder_replace(struct sgt_recorder *r, const uint64_t *values,
                          const uint64_t *replacement);

/* Record the start and the end of an operation at the time `now`, in ticks. */
void sgt_recorder_begins(struct sgt_recorder *r, uint32_t operation, uint64_t now);
void sgt_recorder_ends(struct sgt_recorder *r, uint32_t operation, uint64_t now);

/* Returns the next time at which sgt_recorder_take() must be called, or SGT_NEVER if none is known.
 */
uint64_t sgt_recorder_due(const struct sgt_recorder *r);
/* Records a row at a time that sgt_recorder_due() returned. The statistics must include all cycles
 * that started before this time, and no others.
 */
void sgt_recorder_take(struct sgt_recorder *r, uint64_t time);
/* Records the last row, at the end of the run. Returns false if memory ran out and the result is
 * incomplete.
 */
bool sgt_recorder_end(struct sgt_recorder *r, uint64_t time);

#endif
