/* SPDX-License-Identifier: MIT */
/*
 * Fills the result of a chip's run from the statistics that its units register: at each end of
 * an operation and each interval, what states and counters have become.
 */
#ifndef SGT_RECORDER_H
#define SGT_RECORDER_H

#include "chip/sgt_chip_result.h"
#include "kernel/sgt_stats.h"

/* Units of the registry whose statistic is counted.  '#' in `unit` stands for a number. */
struct sgt_recorder_class {
   const char *name, *unit, *stat, *text;
   uint32_t work;   /* as in struct sgt_chip_class */
   uint32_t idle;   /* likewise; SGT_RECORDER_LAST: the last one */
   uint32_t domain; /* of clocks */
   bool ticks;      /* during the run, the values are ticks of that domain */
};
#define SGT_RECORDER_LAST UINT32_MAX
struct sgt_recorder_counter {
   const char *name, *unit, *stat;
};

struct sgt_recorder_source {
   const uint64_t *values;
   uint32_t first, num; /* in a row */
};

struct sgt_recorder {
   struct sgt_chip_result *result;
   struct sgt_chip_observe observe;
   uint64_t period; /* ticks of a core cycle */
   uint64_t end;    /* core cycles at which the latest share ended */
   uint32_t next;   /* operation; those ahead of it have ended */
   uint32_t owner;  /* of the share that ends at `mark` */
   uint64_t mark;   /* ticks; SGT_NEVER: none */
   struct sgt_recorder_source *sources;
   uint32_t num_sources;
   uint32_t *divisors;    /* of each value of a row */
   uint64_t *now;         /* row */
   uint64_t *share;       /* row at the latest end */
   uint64_t *begin;       /* row at the begin of the interval */
   uint64_t interval_end; /* ticks; SGT_NEVER: none */
   uint64_t room;         /* rows of result->series */
   bool out_of_memory;
};

/* Of the statistics, whose arrays must stay, those of the tables are counted; a class or a
 * counter that no unit has is left out.  mhz and periods are by domain, that of core cycles
 * first.  False: no memory.
 */
bool sgt_recorder_init(struct sgt_recorder *r, struct sgt_chip_result *result,
                       const struct sgt_chip_observe *observe, uint32_t num_operations,
                       const struct sgt_stats *stats, const struct sgt_recorder_class *classes,
                       uint32_t num_classes, const struct sgt_recorder_counter *counters,
                       uint32_t num_counters, const uint32_t *mhz, const uint64_t *periods);
void sgt_recorder_finish(struct sgt_recorder *r);
/* Counts other values in place of those of a statistic. */
void sgt_recorder_replace(struct sgt_recorder *r, const uint64_t *values,
                          const uint64_t *replacement);

/* At the time `now` in ticks. */
void sgt_recorder_begins(struct sgt_recorder *r, uint32_t operation, uint64_t now);
void sgt_recorder_ends(struct sgt_recorder *r, uint32_t operation, uint64_t now);

/* The next time at which sgt_recorder_take() is due; SGT_NEVER: none is known. */
uint64_t sgt_recorder_due(const struct sgt_recorder *r);
/* At a time that was due.  The statistics have all cycles that began before it, and no other. */
void sgt_recorder_take(struct sgt_recorder *r, uint64_t time);
/* Likewise at the end of the run.  False: memory ran out, and the result has not everything. */
bool sgt_recorder_end(struct sgt_recorder *r, uint64_t time);

#endif
