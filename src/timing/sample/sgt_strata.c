/* SPDX-License-Identifier: MIT */
/*
 * Divides the units into strata by recursive bisection along the kind of work that varies most.
 */
#include <stdlib.h>
#include <string.h>

#include "sample/sgt_sample.h"
#include "util/macros.h"

/* STEPS: number of steps per octave of the logarithmic scale;
 * CLOSE: number of steps that correspond to a difference in work of about 5 %
 */
#define STEPS 64
#define CLOSE 4

struct stratum {
   uint32_t first, num; /* range of elements in order[] that contains the units of the stratum */
   uint32_t kind;       /* kind of work with the greatest scatter */
   uint64_t mean;       /* mean amount of this kind of work, in steps */
   uint64_t scatter;    /* sum of the variances of all kinds of work */
};

/* Returns log2(1 + work) in steps, with linear interpolation within an octave. */
static uint32_t
strata_scale(uint32_t work)
{
   const uint64_t w = (uint64_t)work + 1;
   const unsigned octave = 63 - __builtin_clzll(w);

   return octave * STEPS + (uint32_t)((w - (UINT64_C(1) << octave)) * STEPS >> octave);
}

static void
strata_measure(struct stratum *s, const uint16_t *scaled, const uint32_t *order, uint32_t dims)
{
   uint64_t most = 0;

   s->scatter = 0;
   s->kind = 0;
   s->mean = 0;
   for (uint32_t d = 0; d < dims; d++) {
      uint64_t sum = 0, squares = 0;
      for (uint32_t i = 0; i < s->num; i++) {
         const uint64_t v = scaled[order[s->first + i] * (uint64_t)dims + d];
         sum += v;
         squares += v * v;
      }
      /* The difference isn't negative, because num * squares >= sum * sum. Neither product
       * overflows 64 bits, because num <= 2^20 and v < 2^12.
       */
      const uint64_t scatter = (s->num * squares - sum * sum) / ((uint64_t)s->num * s->num);
      s->scatter += scatter;
      if (scatter > most) {
         most = scatter;
         s->kind = d;
         s->mean = sum / s->num;
      }
   }
}

/* Divides stratum *low. Units with more work than the mean move to *high. Both strata keep the
 * order of their units. `room` is scratch memory for `num` units.
 */
static void
strata_split(struct stratum *low, struct stratum *high, const uint16_t *scaled, uint32_t *order,
             uint32_t *room, uint32_t dims)
{
   const uint32_t kind = low->kind, num = low->num;
   uint32_t lows = 0, highs = 0;

   for (uint32_t i = 0; i < num; i++) {
      const uint32_t unit = order[low->first + i];
      if (scaled[unit * (uint64_t)dims + kind] > low->mean)
         room[highs++] = unit;
      else
         order[low->first + lows++] = unit;
   }
   memcpy(order + low->first + lows, room, highs * sizeof *order);
   low->num = lows;
   *high = (struct stratum){ .first = low->first + lows, .num = highs };
   strata_measure(low, scaled, order, dims);
   strata_measure(high, scaled, order, dims);
}

/* Numbers the strata in the order of their first units. */
static void
strata_number(const struct stratum *s, uint32_t num, const uint32_t *order, uint32_t *strata)
{
   for (uint32_t i = 0; i < num; i++) {
      uint32_t rank = 0;
      for (uint32_t k = 0; k < num; k++)
         rank += order[s[k].first] < order[s[i].first];
      for (uint32_t u = 0; u < s[i].num; u++)
         strata[order[s[i].first + u]] = rank;
   }
}

uint32_t
sgt_strata_make(const uint32_t *work, uint32_t num, uint32_t stride, uint32_t dims, uint32_t max,
                uint32_t *strata)
{
   struct stratum s[SGT_SAMPLE_STRATA];
   uint16_t *scaled = malloc((num * (uint64_t)dims + 1) * sizeof *scaled);
   uint32_t *order = malloc(num * sizeof *order), *room = malloc(num * sizeof *room);
   uint32_t count = 0;

   for (uint32_t i = 0; scaled && order && room && i < num; i++) {
      order[i] = i;
      for (uint32_t d = 0; d < dims; d++)
         scaled[i * (uint64_t)dims + d] = strata_scale(work[i * (uint64_t)stride + d]);
   }
   if (scaled && order && room) {
      max = MIN2(max, SGT_SAMPLE_STRATA);
      s[0] = (struct stratum){ .num = num };
      strata_measure(&s[0], scaled, order, dims);
      count = 1;
      while (count < max) {
         uint64_t most = 0;
         uint32_t widest = 0;
         for (uint32_t i = 0; i < count; i++) {
            if (s[i].scatter > CLOSE * CLOSE && s[i].scatter * s[i].num > most) {
               most = s[i].scatter * s[i].num;
               widest = i;
            }
         }
         if (!most)
            break;
         strata_split(&s[widest], &s[count], scaled, order, room, dims);
         count++;
      }
      strata_number(s, count, order, strata);
   }
   free(scaled);
   free(order);
   free(room);
   return count;
}
