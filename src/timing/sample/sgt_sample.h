/* SPDX-License-Identifier: MIT */
/*
 * Sampling: which units of a program (frames) to simulate, and what they say of the whole.
 *
 * A stratified sample with a regression on what is known of all units without a simulation
 * (Cochran, "Sampling Techniques", 1977, chapters 5 and 7).  All numbers are integers: the same units
 * are chosen and the same estimate is made on every host.
 */
#ifndef SGT_SAMPLE_H
#define SGT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* Limits; sums of squares then fit. */
#define SGT_SAMPLE_UNITS (UINT32_C(1) << 20)
#define SGT_SAMPLE_CYCLES (UINT64_C(1) << 34) /* of a unit */
#define SGT_SAMPLE_STRATA 64

#define SGT_SAMPLE_SIZES 2

struct sgt_sample_unit {
   uint32_t stratum;
   bool simulated;  /* cycles is known */
   uint64_t cycles; /* below SGT_SAMPLE_CYCLES */
   /* What cycles may grow with; known of all units, below SGT_SAMPLE_CYCLES. */
   uint64_t sizes[SGT_SAMPLE_SIZES];
};

/* Units with similar work are in one stratum.  work: [num][stride], of which `dims` are used: what
 * a unit has of each kind of work; a change by the same factor counts the same.  Makes at most
 * `max` strata, numbered in the order of their first units, by bisection: that of the greatest
 * scatter, at the mean of its kind of the greatest scatter, until each has work that is equal
 * within about 5 %.  Returns their number; 0: out of memory.
 */
uint32_t sgt_strata_make(const uint32_t *work, uint32_t num, uint32_t stride, uint32_t dims,
                         uint32_t max, uint32_t *strata);

/* Adds units of the stratum to those that are chosen, until it has `wanted` of them or all.  They
 * are spread over the stratum's units in their order, from a place that the seed chooses; the
 * first n are the same for every `wanted`.
 */
void sgt_sample_choose(const struct sgt_sample_unit *units, uint32_t num, uint32_t stratum,
                       uint32_t wanted, uint64_t seed, bool *chosen);

/* Shares are times this. */
#define SGT_SAMPLE_ONE (INT64_C(1) << 20)

struct sgt_sample_stratum {
   uint32_t units, simulated;
   uint64_t cycles; /* estimate of all of its units */
   /* Estimated standard deviation of what the regression leaves of a unit's cycles by the mean,
    * from differences between one unit of the sample and the next (successive
    * differences; Wolter, "Introduction to Variance Estimation", 2007, chapter 8), as neighbours are
    * alike and the sample is spread evenly.
    */
   uint64_t spread;
};

struct sgt_sample_estimate {
   uint64_t cycles; /* of all units */
   uint64_t error;  /* half of the interval in which the true number is with 95 % confidence; 0: all
                     * are simulated */
   bool known;      /* there are enough units for `error` */
   uint32_t simulated;
   /* By what share cycles grow where a size grows by its mean; 0: it is not used. */
   int64_t slopes[SGT_SAMPLE_SIZES];
   struct sgt_sample_stratum strata[SGT_SAMPLE_STRATA];
};

/* Each stratum has a unit that is simulated.  Cycles are corrected by what the sizes of those that
 * are simulated differ from those of all units of their stratum, with slopes that all strata share,
 * where enough units are simulated to fit them.  A stratum with few units borrows from the spread of
 * the others.  The interval is that of Student's t with Satterthwaite's degrees of freedom.
 */
void sgt_sample_estimate(const struct sgt_sample_unit *units, uint32_t num, uint32_t strata,
                         struct sgt_sample_estimate *e);

/* How many units of each stratum to simulate so that the error is at most `error` cycles, by the
 * spread of the estimate (Neyman's allocation): at least as many as are, at least one more in all,
 * and at most twice as many in a stratum.
 */
void sgt_sample_more(const struct sgt_sample_estimate *e, uint32_t strata, uint64_t error,
                     uint32_t *wanted);

#endif
