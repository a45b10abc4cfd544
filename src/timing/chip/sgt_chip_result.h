/* SPDX-License-Identifier: MIT */
/*
 * What a run of a chip tells of each operation of its trace: when it began and ended, its share
 * of the cycles, and what the units did in that share.  Plain data, which outlives the chip.
 *
 * Operations overlap, so their ends divide the run: the share of an operation is what its end
 * is later than the ends of all operations ahead of it in the trace, as a query of the time after
 * each would tell.  One that ends while an earlier one is under way has none.
 *
 *    cycles = sum of operations[i].cycles + rest
 *
 * A stack has, for each class of units, cycles of its units by state; cycles are those of the
 * class's clock.  Stacks of all operations and of the rest add up to the statistics of the run.
 */
#ifndef SGT_CHIP_RESULT_H
#define SGT_CHIP_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* Units of a kind, whose states are counted together. */
struct sgt_chip_class {
   const char *name; /* "sm" */
   const char *text; /* one sentence */
   uint32_t units;   /* of a network: its output ports */
   uint32_t mhz;
   uint32_t first, num; /* states, in a row of values */
   const char *const *states;
   uint32_t work; /* bits of states: the unit works */
   uint32_t idle; /* state: it has nothing to do; in the others it waits */
};

/* What is counted beside states. */
struct sgt_chip_counter {
   const char *name; /* "pixel-instructions" */
   const char *of;   /* "instructions" */
};

struct sgt_chip_operation {
   uint64_t begin;  /* core cycle at which the host interface sent it on */
   uint64_t end;    /* core cycles until the host interface knew that all is written */
   uint64_t cycles; /* its share */
};

struct sgt_chip_result {
   uint64_t cycles, sm_cycles, ns; /* of the run */

   uint32_t num_operations; /* those of the trace */
   struct sgt_chip_operation *operations;
   uint64_t rest; /* core cycles after the last end */

   /* Classes and counters, and rows of values: states of all classes, then counters. */
   uint32_t num_classes, num_counters, num_states, num_values;
   struct sgt_chip_class *classes;
   struct sgt_chip_counter *counters;

   uint64_t *stacks; /* [num_operations + 1]: rows, the last that of the rest; NULL: not wanted */

   /* Over time. */
   uint64_t interval;  /* core cycles of a row; 0: not wanted */
   uint64_t intervals; /* the last may be shorter */
   uint64_t *series;   /* rows */
};

/* What a run is to tell beside cycles, begins and ends. */
struct sgt_chip_observe {
   bool stacks;       /* stacks and counters of operations */
   uint64_t interval; /* core cycles between rows over time; 0: none */
   /* With so many intervals, an even number, pairs of them become one and the interval doubles;
    * 0: no limit.
    */
   uint64_t max_intervals;
   /* Called at the end of each operation; NULL: not wanted. */
   void (*ended)(void *data, uint32_t operation);
   /* Called where a share or an interval ends: warps that have ended so far; NULL: not wanted. */
   void (*warps)(void *data, uint64_t warps);
   void *data;
};

/* Of an operation; `operation` = num_operations: of the rest. */
static inline const uint64_t *
sgt_chip_result_stack(const struct sgt_chip_result *r, uint32_t operation)
{
   return r->stacks + (uint64_t)operation * r->num_values;
}

/* Adds up the rows of all operations and of the rest; num_values long. */
void sgt_chip_result_total(const struct sgt_chip_result *r, uint64_t *row);
/* The class of the name; NULL: the chip has none. */
const struct sgt_chip_class *sgt_chip_result_class(const struct sgt_chip_result *r,
                                                   const char *name);
void sgt_chip_result_finish(struct sgt_chip_result *r);

#endif
