/* SPDX-License-Identifier: MIT */
/*
 * Tests what a run records for each operation: shares, stacks and intervals of an artificial run.
 */
#include "../../unit.h"
#include "kernel/sgt_clock.h"
#include "chip/sgt_recorder.h"
#include "util/macros.h"

#define PERIOD 5 /* ticks per core cycle */

/* Statistics of a unit with the core clock, whose states count ticks, and of two units with another
 * clock, and a counter for each of the latter.
 */
struct units {
   uint64_t core[2], other[2][3], counts[2];
   struct sgt_stats stats;
   struct sgt_recorder recorder;
   struct sgt_chip_result result;
};

static void
begin(struct units *u, const struct sgt_chip_observe *observe)
{
   static const char *const core[] = { "busy", "empty" }, *const other[] = { "a", "b", "c" };
   static const struct sgt_recorder_class classes[] = {
      { "core", "core", "states", "", 1, 1, 0, true },
      { "none", "none#", "states", "", 1, 1, 0, true },
      { "other", "other#x", "states", "", 3, SGT_RECORDER_LAST, 1, false },
   };
   static const struct sgt_recorder_counter counters[] = { { "things", "other#x", "things" } };
   static const uint32_t mhz[] = { 600, 750 };
   static const uint64_t periods[] = { PERIOD, 4 };
   sgt_stats_init(&u->stats);
   sgt_stats_add_parts(&u->stats, "core", "states", "cycles", "", 2, u->core, core, 0);
   sgt_stats_add_parts(&u->stats, "other0x", "states", "cycles", "", 3, u->other[0], other, 0);
   sgt_stats_add_count(&u->stats, "other0x", "things", "things", "", &u->counts[0]);
   sgt_stats_add_parts(&u->stats, "other12x", "states", "cycles", "", 3, u->other[1], other, 0);
   sgt_stats_add_count(&u->stats, "other12x", "things", "things", "", &u->counts[1]);
   sgt_stats_add_parts(&u->stats, "other", "states", "cycles", "", 3, u->other[1], other, 0);
   assert_true(sgt_recorder_init(&u->recorder, &u->result, observe, 4, &u->stats, classes,
                                 ARRAY_SIZE(classes), counters, ARRAY_SIZE(counters), mhz,
                                 periods));
}

static void
end(struct units *u)
{
   sgt_recorder_finish(&u->recorder);
   sgt_chip_result_finish(&u->result);
   sgt_stats_finish(&u->stats);
}

/* Operation 1 ends before operation 0, and 2 ends with it; 3 is the last one. */
static void
ends_divide_the_run(void **state)
{
   struct units u = { 0 };
   struct sgt_recorder *r = &u.recorder;
   begin(&u, &(struct sgt_chip_observe){ .stacks = true });
   assert_int_equal(u.result.num_classes, 2);
   assert_int_equal(u.result.classes[1].units, 2);
   assert_int_equal(u.result.classes[1].first, 2);
   assert_int_equal(u.result.classes[1].mhz, 750);
   assert_int_equal(u.result.classes[1].work, 3);
   assert_int_equal(u.result.classes[1].idle, 2);
   assert_int_equal(u.result.num_values, 6);
   for (uint32_t op = 0; op < 4; op++)
      sgt_recorder_begins(r, op, op * 2 * PERIOD);
   sgt_recorder_ends(r, 1, 5 * PERIOD);
   assert_true(sgt_recorder_due(r) == SGT_NEVER);

   sgt_recorder_ends(r, 2, 9 * PERIOD);
   sgt_recorder_ends(r, 0, 9 * PERIOD);
   assert_int_equal(sgt_recorder_due(r), 10 * PERIOD);
   u.core[0] = 7 * PERIOD;
   u.core[1] = 3 * PERIOD;
   u.other[0][0] = 12;
   u.other[1][2] = 11;
   u.counts[1] = 100;
   sgt_recorder_take(r, 10 * PERIOD);
   assert_true(sgt_recorder_due(r) == SGT_NEVER);

   sgt_recorder_ends(r, 3, 24 * PERIOD);
   u.core[1] = 18 * PERIOD;
   u.other[0][1] = 18;
   u.counts[0] = 7;
   sgt_recorder_take(r, 25 * PERIOD);

   u.core[0] = 12 * PERIOD;
   assert_true(sgt_recorder_end(r, 30 * PERIOD));
   assert_int_equal(u.result.cycles, 30);
   assert_int_equal(u.result.rest, 5);
   const struct sgt_chip_operation expected[4] = {
      { 0, 10, 10 }, { 2, 6, 0 }, { 4, 10, 0 }, { 6, 25, 15 }
   };
   assert_memory_equal(u.result.operations, expected, sizeof(expected));
   const uint64_t stacks[5][6] = {
      { 7, 3, 12, 0, 11, 100 }, /* of operation 0 */
      { 0 },                    /* of operation 1 */
      { 0 },                    /* of operation 2 */
      { 0, 15, 0, 18, 0, 7 },   /* of operation 3 */
      { 5 },                    /* of the rest of the run */
   };
   assert_memory_equal(u.result.stacks, stacks, sizeof(stacks));
   uint64_t all[6];
   sgt_chip_result_total(&u.result, all);
   assert_memory_equal(all, ((const uint64_t[6]){ 12, 18, 12, 18, 11, 107 }), sizeof(all));
   assert_ptr_equal(sgt_chip_result_class(&u.result, "other"), &u.result.classes[1]);
   assert_null(sgt_chip_result_class(&u.result, "none"));
   end(&u);
}

/* After 4 rows of 3 cycles, 2 rows of 6 cycles are left. */
static void
intervals_double(void **state)
{
   struct units u = { 0 };
   struct sgt_recorder *r = &u.recorder;
   begin(&u, &(struct sgt_chip_observe){ .interval = 3, .max_intervals = 4 });
   const uint32_t due[] = { 3, 6, 9, 12, 18 };
   for (unsigned i = 0; i < ARRAY_SIZE(due); i++) {
      assert_int_equal(sgt_recorder_due(r), due[i] * PERIOD);
      u.core[0] = due[i] * PERIOD;
      sgt_recorder_take(r, due[i] * PERIOD);
   }
   u.core[1] = 2 * PERIOD;
   assert_true(sgt_recorder_end(r, 20 * PERIOD));
   assert_int_equal(u.result.interval, 12);
   assert_int_equal(u.result.intervals, 2);
   assert_int_equal(u.result.series[0], 12);
   assert_int_equal(u.result.series[6], 6);
   assert_int_equal(u.result.series[7], 2);
   end(&u);
}

/* If no rows are recorded, there is nothing to count. */
static void
begins_and_ends_alone_are_cheap(void **state)
{
   struct units u = { 0 };
   begin(&u, &(struct sgt_chip_observe){ 0 });
   sgt_recorder_begins(&u.recorder, 0, 3 * PERIOD);
   sgt_recorder_ends(&u.recorder, 0, 4 * PERIOD);
   sgt_recorder_take(&u.recorder, 5 * PERIOD);
   assert_true(sgt_recorder_end(&u.recorder, 5 * PERIOD));
   assert_int_equal(u.result.operations[0].begin, 3);
   assert_int_equal(u.result.operations[0].cycles, 5);
   assert_null(u.recorder.sources);
   assert_null(u.result.stacks);
   end(&u);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_divide_the_run),
      cmocka_unit_test(intervals_double),
      cmocka_unit_test(begins_and_ends_alone_are_cheap),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
