/* SPDX-License-Identifier: MIT */
/*
 * The recorded result of a run: for each operation of the trace, when it started and ended, its
 * share of the cycles, and what the units did during that share. The result is plain data that
 * outlives the chip.
 *
 * Since operations overlap, their cycles are counted in shares that don't overlap. The share of an
 * operation starts when all earlier operations of the trace have ended, and lasts until the
 * operation ends. This is the time that timer queries after each operation would measure. If an
 * operation ends while an earlier one is still running, its share is 0.
 *
 * cycles = sum of operations[i].cycles + rest
 *
 * `rest` is the time after the end of the last operation.
 *
 * A stack contains the number of cycles that the units of each class spend in each state, in clock
 * cycles of the class. The stacks of all operations and the stack of `rest` add up to the
 * statistics of the run.
 */
#ifndef SGT_CHIP_RESULT_H
#define SGT_CHIP_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* A class consists of all units of the same kind. Their states are counted together. */
struct sgt_chip_class {
   const char *name; /* name of the class, e.g. "sm" */
   const char *text; /* one-sentence description */
   uint32_t units;   /* number of units, or number of output ports if the class is a network */
   uint32_t mhz;     /* clock frequency of the units in MHz */
   /* first: index of the class's first state in a row of `stacks` or `series`;
    * num: number of states of the class
    */
   uint32_t first, num;
   const char *const *states; /* names of the states */
   uint32_t work;             /* bitmask of the states in which a unit is working */
   /* Index of the idle state in `states`. In all states that are neither idle nor in `work`, the
    * unit is waiting.
    */
   uint32_t idle;
};

/* A counter of events. The cycles that units spend in their states are recorded separately. */
struct sgt_chip_counter {
   const char *name; /* name of the counter, e.g. "pixel-instructions" */
   const char *of;   /* what is counted, e.g. "instructions" */
};

struct sgt_chip_operation {
   uint64_t begin; /* core cycle in which the host interface started the operation */
   /* Number of core cycles from the start of the run until the host interface was notified that all
    * results of the operation had been written.
    */
   uint64_t end;
   uint64_t cycles; /* the operation's share of the run, in core cycles */
};

struct sgt_chip_result {
   /* length of the run in core cycles, in SM cycles and in nanoseconds */
   uint64_t cycles, sm_cycles, ns;

   uint32_t num_operations; /* number of operations in the trace */
   struct sgt_chip_operation *operations;
   uint64_t rest; /* number of core cycles after the end of the last operation */

   /* Each row of `stacks` and `series` describes a period of the run with num_values values: the
    * cycles in each of the num_states states of all classes, followed by the num_counters counters.
    */
   uint32_t num_classes, num_counters, num_states, num_values;
   struct sgt_chip_class *classes;
   struct sgt_chip_counter *counters;

   /* Rows of values: one for the share of each operation, followed by one for `rest`. NULL if not
    * requested.
    */
   uint64_t *stacks;

   /* The following members record how the values change over time, with one row per interval. */
   uint64_t interval;  /* length of an interval in core cycles, or 0 if not requested */
   uint64_t intervals; /* number of intervals, the last of which may be shorter */
   uint64_t *series;   /* [intervals] rows */
};

/* Selects what a run records in addition to the start, the end and the share of each operation. */
struct sgt_chip_observe {
   bool stacks; /* true to record a stack and counters for each operation */
   /* Length of an interval in core cycles. If 0, values over time are not recorded. */
   uint64_t interval;
   /* Maximum number of intervals, which must be even, or 0 for no limit. When the limit is reached,
    * adjacent intervals are merged in pairs, and the interval length doubles.
    */
   uint64_t max_intervals;
   /* Called when an operation has ended. Can be NULL. */
   void (*ended)(void *data, uint32_t operation);
   /* Called at the end of each operation's share and of each interval. `warps` is the number of
    * warps that have ended so far. Can be NULL.
    */
   void (*warps)(void *data, uint64_t warps);
   void *data; /* first argument of ended() and warps() */
};

/* Returns the stack of an operation, or the stack of `rest` if `operation` is num_operations. */
static inline const uint64_t *
sgt_chip_result_stack(const struct sgt_chip_result *r, uint32_t operation)
{
   return r->stacks + (uint64_t)operation * r->num_values;
}

/* Adds up the stacks of all operations and the stack of `rest`. `row` receives the sum and must
 * have room for num_values elements.
 */
void sgt_chip_result_total(const struct sgt_chip_result *r, uint64_t *row);
/* Returns the class called `name`, or NULL if the chip has no units of this class. */
const struct sgt_chip_class *sgt_chip_result_class(const struct sgt_chip_result *r,
                                                   const char *name);
void sgt_chip_result_finish(struct sgt_chip_result *r);

#endif
