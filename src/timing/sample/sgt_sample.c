/* SPDX-License-Identifier: MIT */
/*
 * Sampling: chooses units, and computes the estimate and its confidence interval. Deviations are
 * relative to the mean of their stratum and scaled by ONE. Variances are scaled by ONE^2.
 */
#include "sample/sgt_sample.h"

#include <string.h>

#include "kernel/sgt_random.h"
#include "util/macros.h"

#define ONE_BITS 20
#define ONE SGT_SAMPLE_ONE
/* Weight of the common variance of all strata when it is averaged with the variance of one stratum.
 * The weight of the stratum's variance is its number of degrees of freedom.
 */
#define BORROWED 1
/* Minimum of the common variance, which corresponds to a spread of 1 %. A smaller variance is not
 * trusted, because units can be equal by coincidence.
 */
#define LEAST_VARIANCE ((ONE / 100) * (ONE / 100))
/* Minimum number of degrees of freedom for which the slopes are fitted. */
#define SLOPE_FREEDOM 6

typedef unsigned __int128 wide;

/* Reverses the order of the bits of a word. */
static uint32_t
sample_reverse(uint32_t v)
{
   uint32_t r = 0;

   for (unsigned i = 0; i < 32; i++)
      r |= (v >> i & 1) << (31 - i);
   return r;
}

/* Returns the integer square root, rounded down. */
static uint64_t
sample_root(wide v)
{
   wide r = 0;

   for (int bit = 62; bit >= 0; bit--) {
      const wide more = r | (wide)1 << bit;
      if (more * more <= v)
         r = more;
   }
   return r;
}

void
sgt_sample_choose(const struct sgt_sample_unit *units, uint32_t num, uint32_t stratum,
                  uint32_t wanted, uint64_t seed, bool *chosen)
{
   struct sgt_random random = { seed + stratum };
   const uint32_t offset = sgt_random_next(&random) >> 32;
   uint32_t size = 0, have = 0;

   for (uint32_t i = 0; i < num; i++) {
      size += units[i].stratum == stratum;
      have += units[i].stratum == stratum && chosen[i];
   }
   wanted = MIN2(wanted, size);
   for (uint32_t index = 0; have < wanted; index++) {
      /* Choose positions in the stratum with the van der Corput sequence, which spreads them
       * evenly.
       */
      uint32_t place = (uint64_t)(sample_reverse(index) + offset) * size >> 32;
      uint32_t at = 0;
      for (uint32_t i = 0; i < num; i++) {
         if (units[i].stratum == stratum && place-- == 0)
            at = i;
      }
      if (!chosen[at]) {
         chosen[at] = true;
         have++;
      }
   }
}

/* -- estimate ---------------------------------------------------------------------------------- */

/* Sums over the units of a stratum. */
struct sums {
   wide cycles;                  /* total cycles of the simulated units */
   wide sizes[SGT_SAMPLE_SIZES]; /* total sizes of the simulated units */
   wide all[SGT_SAMPLE_SIZES];   /* total sizes of all units */
   /* latest: residual of the regression for the last unit;
    * squares: sum of the halved squared differences between the residuals of successive units
    */
   int64_t latest;
   wide squares;
   bool any; /* `latest` is valid */
};

/* Returns the relative deviation of a value from the mean sum / num, scaled by ONE. */
static int64_t
sample_deviation(uint64_t value, wide sum, uint32_t num)
{
   if (!sum)
      return 0;
   const wide scaled = ((wide)value * num << ONE_BITS) / sum;
   return (int64_t)scaled - ONE;
}

static void
add_up(const struct sgt_sample_unit *units, uint32_t num, struct sgt_sample_estimate *e,
       struct sums *sums)
{
   for (uint32_t i = 0; i < num; i++) {
      const struct sgt_sample_unit *u = &units[i];
      struct sums *s = &sums[u->stratum];
      e->strata[u->stratum].units++;
      e->strata[u->stratum].simulated += u->simulated;
      s->cycles += u->simulated ? u->cycles : 0;
      for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++) {
         s->sizes[k] += u->simulated ? u->sizes[k] : 0;
         s->all[k] += u->sizes[k];
      }
   }
}

/* Fits slopes, which all strata share, to the deviations by least squares. Returns the number of
 * nonzero slopes.
 */
static unsigned
sample_fit(const struct sgt_sample_unit *units, uint32_t num, struct sgt_sample_estimate *e,
           const struct sums *sums)
{
   __int128 xx[SGT_SAMPLE_SIZES] = { 0 }, xy[SGT_SAMPLE_SIZES] = { 0 }, cross = 0;

   for (uint32_t i = 0; i < num; i++) {
      const struct sgt_sample_unit *u = &units[i];
      const struct sums *s = &sums[u->stratum];
      const uint32_t n = e->strata[u->stratum].simulated;
      int64_t x[SGT_SAMPLE_SIZES];
      if (!u->simulated)
         continue;
      const int64_t y = sample_deviation(u->cycles, s->cycles, n);
      for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++) {
         x[k] = sample_deviation(u->sizes[k], s->sizes[k], n);
         xx[k] += (__int128)x[k] * x[k];
         xy[k] += (__int128)x[k] * y;
      }
      cross += (__int128)x[0] * x[1];
   }
   /* Scale the sums down so that the product of two sums and ONE doesn't overflow. */
   const __int128 y0 = MAX2(xy[0], -xy[0]), y1 = MAX2(xy[1], -xy[1]);
   unsigned shift = 0;
   while ((xx[0] | xx[1] | y0 | y1) >> shift >= (__int128)1 << 50)
      shift++;
   for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++) {
      xx[k] >>= shift;
      xy[k] /= (__int128)1 << shift;
   }
   cross /= (__int128)1 << shift;
   const __int128 determinant = xx[0] * xx[1] - cross * cross;
   if (determinant > xx[0] * xx[1] / 256) {
      e->slopes[0] = (xy[0] * xx[1] - xy[1] * cross) * ONE / determinant;
      e->slopes[1] = (xy[1] * xx[0] - xy[0] * cross) * ONE / determinant;
   } else {
      /* The two sizes are almost proportional, or one of them is constant. Only use the size that
       * varies more.
       */
      const unsigned k = xx[1] > xx[0];
      e->slopes[k] = xx[k] ? xy[k] * ONE / xx[k] : 0;
   }
   return (e->slopes[0] != 0) + (e->slopes[1] != 0);
}

/* Uses the regression to predict the deviation of a unit's cycles from the deviations `x` of its
 * sizes.
 */
static int64_t
sample_predict(const struct sgt_sample_estimate *e, const int64_t *x)
{
   __int128 sum = 0;

   for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++)
      sum += (__int128)e->slopes[k] * x[k];
   return sum / ONE;
}

static void
sample_measure(const struct sgt_sample_unit *units, uint32_t num,
               const struct sgt_sample_estimate *e, struct sums *sums)
{
   for (uint32_t i = 0; i < num; i++) {
      const struct sgt_sample_unit *u = &units[i];
      struct sums *s = &sums[u->stratum];
      const uint32_t n = e->strata[u->stratum].simulated;
      int64_t x[SGT_SAMPLE_SIZES];
      if (!u->simulated)
         continue;
      for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++)
         x[k] = sample_deviation(u->sizes[k], s->sizes[k], n);
      const int64_t rest = sample_deviation(u->cycles, s->cycles, n) - sample_predict(e, x);
      const __int128 step = rest - s->latest;
      s->squares += s->any ? step * step / 2 : 0;
      s->latest = rest;
      s->any = true;
   }
}

/* Estimates the total cycles of a stratum. The cycles of the simulated units are extrapolated to
 * all units, and corrected by the regression.
 */
static uint64_t
sample_extend(const struct sgt_sample_estimate *e, const struct sgt_sample_stratum *s,
              const struct sums *sums)
{
   int64_t x[SGT_SAMPLE_SIZES] = { 0 };

   for (unsigned k = 0; k < SGT_SAMPLE_SIZES; k++) {
      if (sums->sizes[k])
         x[k] = (int64_t)((sums->all[k] * s->simulated << ONE_BITS) / s->units / sums->sizes[k]) -
                ONE;
   }
   const uint64_t cycles = (uint64_t)(sums->cycles * s->units / s->simulated);
   return cycles + (int64_t)((__int128)cycles * MAX2(sample_predict(e, x), -ONE) / ONE);
}

/* Returns the variance within a stratum, averaged with `all`, which is the common variance of all
 * strata.
 */
static wide
sample_variance(wide squares, uint32_t freedom, wide all)
{
   return (squares + all * BORROWED) / (freedom + BORROWED);
}

/* Returns the 97.5 % quantile of Student's t distribution in thousandths. `freedom` is the number
 * of degrees of freedom.
 */
static uint32_t
sample_student(uint64_t freedom)
{
   static const uint16_t few[] = {
      12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228, 2201, 2179, 2160, 2145, 2131,
      2120,  2110, 2101, 2093, 2086, 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
   };

   if (freedom < 1)
      return few[0];
   if (freedom <= ARRAY_SIZE(few))
      return few[freedom - 1];
   return freedom < 60 ? 2042 : freedom < 120 ? 2000 : 1980;
}

/* Computes the spread of each stratum and the error of the estimate. */
static void
sample_bound(struct sgt_sample_estimate *e, uint32_t strata, const struct sums *sums,
             uint32_t freedom, uint32_t rest_freedom)
{
   wide squares = 0, weights = 0, total = 0, shares[SGT_SAMPLE_STRATA] = { 0 };

   /* Weight the variance of each stratum by its cycles, because strata with few cycles are not
    * representative.
    */
   for (uint32_t h = 0; h < strata; h++) {
      const wide weight = 1 + (((wide)e->strata[h].cycles << ONE_BITS) / (e->cycles + 1));
      squares += sums[h].squares * weight;
      weights += (e->strata[h].simulated - 1) * weight;
   }
   squares = MAX2(squares / weights * freedom / rest_freedom, LEAST_VARIANCE);
   for (uint32_t h = 0; h < strata; h++) {
      struct sgt_sample_stratum *s = &e->strata[h];
      const uint64_t n = s->simulated, all = s->units;
      const wide own = sums[h].squares * freedom / rest_freedom;
      const wide spread = sample_variance(own, n - 1, squares);
      s->spread = sample_root(spread);
      const wide weight = e->cycles ? ((wide)s->cycles << ONE_BITS) / e->cycles : 0;
      shares[h] = spread * (all - n) / (all * n) * weight * weight;
      total += shares[h];
   }
   /* Compute Satterthwaite's degrees of freedom. Shift the shares to 30 bits, so that their squares
    * don't overflow.
    */
   unsigned shift = 0;
   while (total >> shift > UINT32_C(1) << 30)
      shift++;
   uint64_t parts = 0;
   for (uint32_t h = 0; h < strata; h++) {
      const uint64_t share = shares[h] >> shift;
      parts += share * share / (e->strata[h].simulated - 1 + BORROWED);
   }
   const uint64_t whole = total >> shift;
   const uint64_t effective = parts ? whole * whole / parts : freedom;
   const wide half = (wide)sample_root(total) * sample_student(MIN2(effective, freedom)) / 1000;
   e->error = (uint64_t)(e->cycles * half >> 2 * ONE_BITS);
}

void
sgt_sample_estimate(const struct sgt_sample_unit *units, uint32_t num, uint32_t strata,
                    struct sgt_sample_estimate *e)
{
   struct sums sums[SGT_SAMPLE_STRATA] = { 0 };
   uint32_t freedom = 0, rest_freedom;

   memset(e, 0, sizeof *e);
   add_up(units, num, e, sums);
   for (uint32_t h = 0; h < strata; h++) {
      e->simulated += e->strata[h].simulated;
      freedom += e->strata[h].simulated - 1;
   }
   rest_freedom = freedom;
   if (freedom >= SLOPE_FREEDOM && e->simulated < num)
      rest_freedom -= sample_fit(units, num, e, sums);
   sample_measure(units, num, e, sums);
   for (uint32_t h = 0; h < strata; h++) {
      e->strata[h].cycles = sample_extend(e, &e->strata[h], &sums[h]);
      e->cycles += e->strata[h].cycles;
   }
   e->known = e->simulated == num || freedom > 0;
   if (freedom && e->simulated < num)
      sample_bound(e, strata, sums, freedom, rest_freedom);
}

void
sgt_sample_more(const struct sgt_sample_estimate *e, uint32_t strata, uint64_t error,
                uint32_t *wanted)
{
   /* sum: sum of cycles * spread over the strata;
    * square: sum of the squares of these products, each divided by the number of units
    */
   wide sum = 0, square = 0;
   uint32_t more = 0, widest = 0;
   uint64_t most = 0;

   for (uint32_t h = 0; h < strata; h++) {
      const struct sgt_sample_stratum *s = &e->strata[h];
      const wide part = (wide)s->cycles * s->spread >> ONE_BITS;
      sum += part;
      square += part * part / s->units;
      if (s->simulated < s->units && part / s->simulated >= most) {
         most = part / s->simulated;
         widest = h;
      }
   }
   /* Approximate the quantile of Student's t distribution by 2. The number of units to simulate is
    * then n = sum^2 / ((error / 2)^2 + square).
    */
   const wide n = sum * sum / ((wide)error * error / 4 + square + 1) + 1;
   for (uint32_t h = 0; h < strata; h++) {
      const struct sgt_sample_stratum *s = &e->strata[h];
      const wide part = (wide)s->cycles * s->spread >> ONE_BITS;
      const wide want = sum ? (n * part + sum - 1) / sum : 0;
      wanted[h] = MIN3(want, s->units, 2 * s->simulated);
      wanted[h] = MAX2(wanted[h], s->simulated);
      more += wanted[h] - s->simulated;
   }
   if (!more)
      wanted[widest] = MIN2(wanted[widest] + 1, e->strata[widest].units);
}
