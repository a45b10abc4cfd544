/* SPDX-License-Identifier: MIT */
/*
 * What a run of a chip records for each operation of its trace: when it began and ended, its share
 * of the cycles, and what the units did in that share. This is plain data, which outlives the chip.
 *
 * Operations overlap, so the run is divided at their ends. The share of an operation is the time
 * from the latest end of all earlier operations of the trace to its own end. It is the time that
 * timer queries after each operation would measure. An operation that ends while an earlier one is
 * still running has a share of 0.
 *
 *    cycles = sum of operations[i].cycles + rest
 *
 * A stack has, for each class of units, the cycles of its units by state, in cycles of the class's
 * clock. The stacks of all operations and of the rest add up to the statistics of the run.
 */
#ifndef SGT_CHIP_RESULT_H
#define SGT_CHIP_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* A class: units of one kind, whose states are counted together. */
struct sgt_chip_class {
   const char *name; /* name, for example "sm" */
   const char *text; /* description, one sentence */
   uint32_t units;   /* number of units; for a network, of its output ports */
   uint32_t mhz;     /* frequency of the units' clock in MHz */
   /* index of the class's first state in a row of values; number of its states */
   uint32_t first, num;
   const char *const *states; /* names of the states */
   uint32_t work;             /* bit mask of the states in which a unit works */
   /* index of the state in which a unit has nothing to do; in other states that are not in `work`,
    * the unit waits
    */
   uint32_t idle;
};

/* A counter other than the cycles of states. */
struct sgt_chip_counter {
   const char *name; /* name, for example "pixel-instructions" */
   const char *of;   /* what it counts, for example "instructions" */
};

struct sgt_chip_operation {
   uint64_t begin; /* core cycle in which the host interface issued the operation */
   /* number of core cycles until the host interface received the message that everything is written
    */
   uint64_t end;
   uint64_t cycles; /* the operation's share, in core cycles */
};

struct sgt_chip_result {
   uint64_t cycles, sm_cycles, ns; /* length of the run in core cycles, SM cycles and nanoseconds */

   uint32_t num_operations; /* number of operations of the trace */
   struct sgt_chip_operation *operations;
   uint64_t rest; /* core cycles after the last operation's end */

   /* Classes and counters. A row has num_values values: first the states of all classes, then the
    * counters.
    */
   uint32_t num_classes, num_counters, num_states, num_values;
   struct sgt_chip_class *classes;
   struct sgt_chip_counter *counters;

   /* [num_operations + 1] rows; the last is for the rest; NULL if not requested */
   uint64_t *stacks;

   /* Values over time. */
   uint64_t interval;  /* length of an interval in core cycles, or 0 if not requested */
   uint64_t intervals; /* number of intervals; the last may be shorter */
   uint64_t *series;   /* one row for each interval */
};

/* What a run records in addition to its cycles and the start and end of operations. */
struct sgt_chip_observe {
   bool stacks;       /* record stacks and counters of each operation */
   uint64_t interval; /* core cycles between rows over time, or 0 for none */
   /* Limit on the number of intervals, an even number, or 0 for no limit. When it is reached, pairs
    * of intervals are merged and the interval doubles.
    */
   uint64_t max_intervals;
   /* Called at the end of each operation, or NULL. */
   void (*ended)(void *data, uint32_t operation);
   /* Called at the end of each share and interval with the number of warps that have ended so far,
    * or NULL.
    */
   void (*warps)(void *data, uint64_t warps);
   void *data; /* first argument of ended() and warps() */
};

/* Returns the row of an operation, or of the rest if `operation` is num_operations. */
static inline const uint64_t *
sgt_chip_result_stack(const struct sgt_chip_result *r, uint32_t operation)
{
   return r->stacks + (uint64_t)operation * r->num_values;
}

/* Adds up the rows of all operations and of the rest to `row`, which has num_values elements. */
void sgt_chip_result_total(const struct sgt_chip_result *r, uint64_t *row);
/* Returns the class with the name, or NULL if the chip has none. */
const struct sgt_chip_class *sgt_chip_result_class(const struct sgt_chip_result *r,
                                                   const char *name);
void sgt_chip_result_finish(struct sgt_chip_result *r);

#endif
