/* SPDX-License-Identifier: MIT */
/*
 * Tests strata, choice and estimate on units with known cycles.
 */
#include "../../unit.h"
#include "kernel/sgt_random.h"
#include "sample/sgt_sample.h"
#include "util/macros.h"

#define KINDS 4

static void
test_strata(void **state)
{
   uint32_t work[40][KINDS] = { 0 }, strata[40];

   /* There are 20 units with one kind of work, 15 with another kind, and 5 with twice as much of
    * it.  All vary by one percent.
    */
   for (uint32_t i = 0; i < 40; i++)
      work[i][i < 20 ? 0 : 2] = (i < 35 ? 1000 : 2000) + i % 3 * 10;
   assert_int_equal(sgt_strata_make(work[0], 40, KINDS, KINDS, 8, strata), 3);
   for (uint32_t i = 0; i < 40; i++)
      assert_int_equal(strata[i], i < 20 ? 0 : i < 35 ? 1 : 2);
   /* The largest difference is cut first. */
   assert_int_equal(sgt_strata_make(work[0], 40, KINDS, KINDS, 2, strata), 2);
   for (uint32_t i = 0; i < 40; i++)
      assert_int_equal(strata[i], i >= 20);
   assert_int_equal(sgt_strata_make(work[0], 40, KINDS, KINDS, 1, strata), 1);
   assert_int_equal(sgt_strata_make(work[0], 20, KINDS, KINDS, 8, strata), 1);
}

/* A unit at the mean has no more work than the mean, so it stays with those below. */
static void
test_strata_mean(void **state)
{
   uint32_t work[100], strata[100];

   /* Octaves 4, 8 and 12, so the mean is octave 8. */
   for (uint32_t i = 0; i < 99; i++)
      work[i] = (16u << i % 3 * 4) - 1;
   assert_int_equal(sgt_strata_make(work, 99, 1, 1, 2, strata), 2);
   for (uint32_t i = 0; i < 99; i++)
      assert_int_equal(strata[i], i % 3 == 2);

   /* All units but one are equal, and the mean, without its fraction, is their work. */
   for (uint32_t i = 0; i < 100; i++)
      work[i] = i == 40 ? 511 : 255;
   assert_int_equal(sgt_strata_make(work, 100, 1, 1, 8, strata), 2);
   for (uint32_t i = 0; i < 100; i++)
      assert_int_equal(strata[i], i == 40);
}

static void
test_choice(void **state)
{
   struct sgt_sample_unit units[300] = { 0 };
   bool few[300] = { false }, many[300] = { false };
   uint32_t count[4] = { 0 };

   for (uint32_t i = 0; i < 300; i++)
      units[i].stratum = i % 3 == 0;
   /* A choice in steps must equal a choice at once. */
   sgt_sample_choose(units, 300, 1, 4, 7, few);
   sgt_sample_choose(units, 300, 1, 8, 7, many);
   for (uint32_t i = 0; i < 300; i++) {
      assert_true(!few[i] || (many[i] && units[i].stratum == 1));
      count[i / 75] += many[i];
   }
   /* The choice is evenly spread: two units in each quarter. */
   for (uint32_t i = 0; i < 4; i++)
      assert_int_equal(count[i], 2);
   sgt_sample_choose(units, 300, 1, 8, 7, few);
   assert_memory_equal(few, many, sizeof few);
   /* Another seed selects other units. */
   memset(few, 0, sizeof few);
   sgt_sample_choose(units, 300, 1, 8, 8, few);
   assert_memory_not_equal(few, many, sizeof few);
   /* All units of the stratum, and no others. */
   sgt_sample_choose(units, 300, 1, 1000, 7, many);
   for (uint32_t i = 0; i < 300; i++)
      assert_int_equal(many[i], units[i].stratum == 1);
}

static void
test_all(void **state)
{
   struct sgt_sample_unit units[5];
   struct sgt_sample_estimate e;

   for (uint32_t i = 0; i < 5; i++)
      units[i] = (struct sgt_sample_unit){ i / 3, true, 1000000007 + i * i, { i, 1 } };
   sgt_sample_estimate(units, 5, 2, &e);
   assert_int_equal(e.cycles, 5ull * 1000000007 + 0 + 1 + 4 + 9 + 16);
   assert_int_equal(e.error, 0);
   assert_true(e.known);
   assert_int_equal(e.strata[1].cycles, 2ull * 1000000007 + 9 + 16);
}

static void
test_one(void **state)
{
   struct sgt_sample_unit units[10] = { 0 };
   struct sgt_sample_estimate e;

   units[4].simulated = true;
   units[4].cycles = 100;
   sgt_sample_estimate(units, 10, 1, &e);
   assert_int_equal(e.cycles, 1000);
   assert_false(e.known);
}

/* Computed by hand: 950 and 1050 of 4 units are -5 % and 5 % from the mean, with a variance of
 * 0.005.  The variance of the mean is 0.005 / 2 * (1 - 2 / 4), and its root is 0.035355.  With one
 * degree of freedom, t is 12.706.
 */
static void
test_interval(void **state)
{
   struct sgt_sample_unit units[4] = { 0 };
   struct sgt_sample_estimate e;

   units[0] = (struct sgt_sample_unit){ .simulated = true, .cycles = 950000 };
   units[3] = (struct sgt_sample_unit){ .simulated = true, .cycles = 1050000 };
   sgt_sample_estimate(units, 4, 1, &e);
   assert_int_equal(e.cycles, 4000000);
   assert_true(e.known);
   assert_in_range(e.error, 1796000, 1798000);        /* 4000000 * 0.035355 * 12.706 = 1796886 */
   assert_in_range(e.strata[0].spread, 74142, 74151); /* 0.070711 * 2^20 = 74146 */

   /* Equal units get half of the variance that a spread of 1 % has, 0.0001 / 2, since the variance
    * of the stratum itself is 0.
    */
   units[0].cycles = units[3].cycles = 1000000;
   sgt_sample_estimate(units, 4, 1, &e);
   assert_in_range(e.strata[0].spread, 7410, 7415); /* 0.0070711 * 2^20 = 7414.6 */
}

static void
test_more(void **state)
{
   struct sgt_sample_estimate e = { .cycles = 2000000, .simulated = 8 };
   uint32_t wanted[2];

   /* With equal cycles and three times the spread, a stratum needs three times as many units. */
   e.strata[0] = (struct sgt_sample_stratum){ 1000, 4, 1000000, SGT_SAMPLE_ONE / 100 };
   e.strata[1] = (struct sgt_sample_stratum){ 1000, 4, 1000000, SGT_SAMPLE_ONE * 3 / 100 };
   /* n = 40000^2 / (10000^2 + ...) = 16: 4 and 12, but at most twice as many as before */
   sgt_sample_more(&e, 2, 20000, wanted);
   assert_int_equal(wanted[0], 4);
   assert_int_equal(wanted[1], 8);
   /* At least one more unit, in the stratum with the largest contribution. */
   sgt_sample_more(&e, 2, 2000000, wanted);
   assert_int_equal(wanted[0], 4);
   assert_int_equal(wanted[1], 5);
}

/* Cycles that depend only on the sizes are known without a simulation. */
static void
test_regression(void **state)
{
   struct sgt_sample_unit units[200];
   struct sgt_sample_estimate e;
   struct sgt_random random = { 5 };
   uint64_t cycles = 0;

   for (uint32_t i = 0; i < 200; i++) {
      const uint64_t a = 1000 + sgt_random_below(&random, 1000);
      const uint64_t b = 5000 + sgt_random_below(&random, 5000);
      units[i] = (struct sgt_sample_unit){ .simulated = i % 20 == 0,
                                           .cycles = 100000 + 70 * a + 20 * b,
                                           .sizes = { a, b } };
      cycles += units[i].cycles;
   }
   sgt_sample_estimate(units, 200, 1, &e);
   assert_int_equal(e.simulated, 10);
   assert_in_range(e.cycles, cycles - cycles / 100000, cycles + cycles / 100000);
   assert_true(e.slopes[0] && e.slopes[1]);

   /* One size that has no effect, and one that equals the other size. */
   for (uint32_t i = 0; i < 200; i++)
      units[i].cycles = 100000 + 70 * units[i].sizes[0], units[i].sizes[1] = 3;
   sgt_sample_estimate(units, 200, 1, &e);
   assert_true(e.slopes[0] && !e.slopes[1]);
   for (uint32_t i = 0; i < 200; i++)
      units[i].sizes[1] = units[i].sizes[0];
   sgt_sample_estimate(units, 200, 1, &e);
   assert_true(!e.slopes[0] != !e.slopes[1]);
}

/* The interval must contain the true value about as often as it claims, for a program with three
 * phases, a drift, a wave and noise.
 */
static void
test_coverage(void **state)
{
   static struct sgt_sample_unit units[1200];
   static bool chosen[1200];
   struct sgt_sample_estimate e;
   uint32_t covered = 0, runs = 100, far = 0;

   for (uint64_t seed = 1; seed <= runs; seed++) {
      struct sgt_random random = { seed * 1000 };
      uint64_t cycles = 0;
      memset(chosen, 0, sizeof chosen);
      for (uint32_t i = 0; i < 1200; i++) {
         const uint32_t phase = i < 500 ? 0 : i < 600 ? 1 : 2;
         const uint64_t size = 900 + i / 6 + sgt_random_below(&random, 50);
         uint64_t c = (phase + 1) * 20000 + size * 30 + (i / 40 % 2) * 1000;
         for (unsigned k = 0; k < 4; k++)
            c += sgt_random_below(&random, 1000);
         units[i] = (struct sgt_sample_unit){ phase, false, c, { size, 7 } };
         cycles += c;
      }
      for (uint32_t h = 0; h < 3; h++)
         sgt_sample_choose(units, 1200, h, h == 1 ? 3 : 8, seed, chosen);
      for (uint32_t i = 0; i < 1200; i++)
         units[i].simulated = chosen[i];
      sgt_sample_estimate(units, 1200, 3, &e);
      const uint64_t error = e.cycles > cycles ? e.cycles - cycles : cycles - e.cycles;
      covered += error <= e.error;
      far += error * 50 > cycles;
      /* The error is below 2 %, so the interval is meaningful. */
      assert_true(e.error * 50 < cycles);
   }
   assert_in_range(covered, 90, 100);
   assert_int_equal(far, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strata),   cmocka_unit_test(test_strata_mean),
      cmocka_unit_test(test_choice),   cmocka_unit_test(test_all),
      cmocka_unit_test(test_one),      cmocka_unit_test(test_interval),
      cmocka_unit_test(test_more),     cmocka_unit_test(test_regression),
      cmocka_unit_test(test_coverage),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
