/* SPDX-License-Identifier: MIT */
/*
 * Sampling: chooses the units (frames) of a program that are simulated, and estimates the cycles of
 * all units from them.
 *
 * The method is a stratified sample with a regression on sizes, which are known of all units
 * without a simulation (Cochran, "Sampling Techniques", 1977, chapters 5 and 7). All calculations
 * use integers, so that choices and estimates are the same on every host.
 */
#ifndef SGT_SAMPLE_H
#define SGT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* Limits, within which sums of squares do not overflow: numbers of units, cycles and strata. */
#define SGT_SAMPLE_UNITS (UINT32_C(1) << 20)
#define SGT_SAMPLE_CYCLES (UINT64_C(1) << 34) /* cycles of a unit */
#define SGT_SAMPLE_STRATA 64

/* Number of sizes of a unit. */
#define SGT_SAMPLE_SIZES 2

struct sgt_sample_unit {
   uint32_t stratum; /* number of the unit's stratum */
   bool simulated;   /* `cycles` is known */
   uint64_t cycles;  /* simulated cycles, below SGT_SAMPLE_CYCLES */
   /* Amounts that the cycles may be proportional to. They are known of all units, and below
    * SGT_SAMPLE_CYCLES.
    */
   uint64_t sizes[SGT_SAMPLE_SIZES];
};

/* Divides units into at most `max` strata of similar work. work[] is an array [num][stride] with
 * the amounts of `dims` kinds of work for each unit; they are compared on a logarithmic scale. The
 * stratum with the greatest scatter is divided at the mean of its kind of work with the greatest
 * scatter. This is repeated until the work in each stratum is equal within about 5 %. Strata are
 * numbered in the order of their first units. Returns the number of strata, or 0 if out of memory.
 */
uint32_t sgt_strata_make(const uint32_t *work, uint32_t num, uint32_t stride, uint32_t dims,
                         uint32_t max, uint32_t *strata);

/* Chooses further units of a stratum, until `wanted` or all of its units are chosen. They are
 * spread evenly over the units of the stratum in their order, starting at a place that depends on
 * the seed. The first n units are the same for every `wanted`.
 */
void sgt_sample_choose(const struct sgt_sample_unit *units, uint32_t num, uint32_t stratum,
                       uint32_t wanted, uint64_t seed, bool *chosen);

/* The value 1 of shares, slopes and spreads, which are fixed-point numbers. */
#define SGT_SAMPLE_ONE (INT64_C(1) << 20)

struct sgt_sample_stratum {
   uint32_t units, simulated; /* numbers of units, and of simulated units */
   uint64_t cycles;           /* estimated cycles of all units of the stratum */
   /* Estimated standard deviation of the residuals of the regression, as shares of the mean cycles
    * of a unit. It is computed from differences between successive units of the sample (Wolter,
    * "Introduction to Variance Estimation", 2007, chapter 8), because neighbours are similar and
    * the sample is spread evenly.
    */
   uint64_t spread;
};

struct sgt_sample_estimate {
   uint64_t cycles; /* estimated cycles of all units */
   /* Half of the interval that contains the true number of cycles with 95 % confidence. It is 0 if
    * all units are simulated.
    */
   uint64_t error;
   bool known;         /* enough units are simulated to compute `error` */
   uint32_t simulated; /* number of simulated units */
   /* Relative increase of cycles if a size increases by its mean, or 0 if the size is not used. */
   int64_t slopes[SGT_SAMPLE_SIZES];
   struct sgt_sample_stratum strata[SGT_SAMPLE_STRATA];
};

/* Estimates the cycles of all units. Each stratum must have at least one simulated unit. The
 * regression corrects for differences between the sizes of simulated units and the sizes of all
 * units of a stratum. All strata have the same slopes, which are fitted if enough units are
 * simulated. The spread of a stratum with few units also depends on the spread of all strata. The
 * interval uses Student's t distribution with Satterthwaite's degrees of freedom.
 */
void sgt_sample_estimate(const struct sgt_sample_unit *units, uint32_t num, uint32_t strata,
                         struct sgt_sample_estimate *e);

/* Computes how many units of each stratum must be simulated to reduce the error to at most `error`
 * cycles, from the spreads of an estimate (Neyman allocation). The numbers are not below the
 * present ones, and the sum is at least one more. No number is more than twice the present one.
 */
void sgt_sample_more(const struct sgt_sample_estimate *e, uint32_t strata, uint64_t error,
                     uint32_t *wanted);

#endif
