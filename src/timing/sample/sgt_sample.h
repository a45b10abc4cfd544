/* SPDX-License-Identifier: MIT */
/*
 * Sampling: chooses the units (frames) of a program to simulate, and estimates the cycles of all
 * units from the simulated ones.
 *
 * This is stratified sampling with a regression on unit sizes, which are known for all units
 * without a simulation (Cochran, "Sampling Techniques", 1977, chapters 5 and 7). All calculations
 * use integers, so that choices and estimates are the same on every host.
 */
#ifndef SGT_SAMPLE_H
#define SGT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum numbers of units, of cycles per unit and of strata. Within these limits, sums of squares
 * don't overflow.
 */
#define SGT_SAMPLE_UNITS (UINT32_C(1) << 20)
#define SGT_SAMPLE_CYCLES (UINT64_C(1) << 34)
#define SGT_SAMPLE_STRATA 64

/* Number of sizes per unit. */
#define SGT_SAMPLE_SIZES 2

struct sgt_sample_unit {
   uint32_t stratum; /* index of the stratum that contains the unit */
   bool simulated;   /* true if the unit has been simulated, so that `cycles` is valid */
   uint64_t cycles;  /* simulated duration in cycles, less than SGT_SAMPLE_CYCLES */
   /* Amounts of work that the cycles can be proportional to, e.g. the number of operations. They
    * are known for all units, and are less than SGT_SAMPLE_CYCLES.
    */
   uint64_t sizes[SGT_SAMPLE_SIZES];
};

/* Divides the units into at most `max` strata of similar work. work[] is an array [num][stride]
 * with the amounts of `dims` kinds of work of each unit. Amounts are compared on a logarithmic
 * scale. In each step, the stratum with the greatest scatter is divided at the mean of its most
 * scattered kind of work, until the work within each stratum differs by no more than about 5 %.
 * Writes the stratum index of each unit to strata[]. Strata are numbered in the order of their
 * first units. Returns the number of strata, or 0 if allocation fails.
 */
uint32_t sgt_strata_make(const uint32_t *work, uint32_t num, uint32_t stride, uint32_t dims,
                         uint32_t max, uint32_t *strata);

/* Chooses units of a stratum until `wanted` or all of its units are chosen. The chosen units are
 * spread evenly over the stratum, starting at an offset that depends on the seed. The first n
 * chosen units don't depend on `wanted`.
 */
void sgt_sample_choose(const struct sgt_sample_unit *units, uint32_t num, uint32_t stratum,
                       uint32_t wanted, uint64_t seed, bool *chosen);

/* Represents 1.0 in slopes and spreads, which are fixed-point numbers. */
#define SGT_SAMPLE_ONE (INT64_C(1) << 20)

struct sgt_sample_stratum {
   uint32_t units, simulated; /* number of units, and how many of them have been simulated */
   uint64_t cycles;           /* estimated total cycles of all units in the stratum */
   /* Estimated standard deviation of the regression residuals, relative to the mean cycles of a
    * unit. It is computed from differences between successive units of the sample (Wolter,
    * "Introduction to Variance Estimation", 2007, chapter 8), because neighboring units are similar
    * and the sample is evenly spread.
    */
   uint64_t spread;
};

struct sgt_sample_estimate {
   uint64_t cycles; /* estimated total cycles of all units */
   /* Half the width of the 95 % confidence interval of `cycles`, in cycles, or 0 if all units have
    * been simulated.
    */
   uint64_t error;
   bool known;         /* true if enough units have been simulated to compute `error` */
   uint32_t simulated; /* number of simulated units */
   /* Relative increase of the cycles if a size increases by its mean, or 0 if the size is not used.
    */
   int64_t slopes[SGT_SAMPLE_SIZES];
   struct sgt_sample_stratum strata[SGT_SAMPLE_STRATA];
};

/* Estimates the cycles of all units. Each stratum must have at least one simulated unit. The
 * regression corrects for differences between the sizes of the simulated units and the sizes of all
 * units in a stratum. All strata share the same slopes, which are only fitted if enough units have
 * been simulated. The spread of a stratum with few units also depends on the common spread of all
 * strata. The confidence interval uses Student's t distribution with Satterthwaite's degrees of
 * freedom.
 */
void sgt_sample_estimate(const struct sgt_sample_unit *units, uint32_t num, uint32_t strata,
                         struct sgt_sample_estimate *e);

/* Computes how many units of each stratum must be simulated to reduce the error of an estimate to
 * `error` cycles (Neyman allocation). `wanted` receives the total number for each stratum,
 * including the units that have been simulated. It is at most twice the current number. At least
 * one more unit is requested in total.
 */
void sgt_sample_more(const struct sgt_sample_estimate *e, uint32_t strata, uint64_t error,
                     uint32_t *wanted);

#endif
