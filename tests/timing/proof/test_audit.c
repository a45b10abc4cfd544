/* SPDX-License-Identifier: MIT */
/*
 * Compares the audit with all pairs of slices.  It must report nothing for legal schedules, and
 * must find every schedule in which slices that share a pixel are in the wrong order or run at the
 * same time.  Legal schedules must produce the device's memory contents.
 */
#include "../../rounds.h"
#include "schedule.h"

#define SEEDS (TEST_ROUNDS_DIVISOR == 1 ? 120 : 40)

static const enum sgt_breaking breakings[] = { SGT_BREAK_NONE, SGT_BREAK_EXACT };

struct tally {
   unsigned runs, illegal, found, picture;
};

static void
run(const struct scene *scene, enum sgt_breaking breaking, enum dependence dropped, uint64_t seed,
    struct tally *tally)
{
   struct sgt_shadow *shadow = sgt_shadow_create(scene->plan, scene->image, NULL, breaking);
   struct sgt_shadow_report report;
   uint64_t rects, pixels;
   struct schedule s;

   assert_non_null(shadow);
   schedule_begin(&s, scene->trace, breaking, 1 + seed % 9, dropped, seed);
   schedule_check(&s, &rects, &pixels);
   schedule_run(&s, shadow);
   assert_true(sgt_shadow_finish(shadow, &report));
   const uint64_t found = report.violations_total;
   if (dropped == DEPENDENCE_NONE)
      assert_int_equal(rects, 0);
   if (!rects && !report.proved) {
      sgt_shadow_print(shadow, &report, stdout);
      fail_msg("seed %lu, breaking %u: a legal schedule is not proved", (unsigned long)seed,
               breaking);
   }
   if (pixels && !found)
      fail_msg("seed %lu, breaking %u, without %u: %lu pairs are wrong, and none is found",
               (unsigned long)seed, breaking, dropped, (unsigned long)pixels);
   assert_int_equal(report.violations[SGT_HAZARD_PARTS].count, 0);
   tally->runs++;
   tally->illegal += pixels != 0;
   tally->found += found != 0;
   tally->picture += report.wrong.pixels != 0 || report.poison_in_order != 0;
   schedule_end(&s);
   sgt_shadow_destroy(shadow);
}

static void
test_schedules(void **state)
{
   static const char *const names[DEPENDENCES] = { "none", "RAW", "WAW", "WAR", "conflict" };
   struct tally tally[DEPENDENCES] = { { 0 } };

   for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct scene scene;
      scene_begin(&scene,
                  seed % 3   ? SCENE_MIXED
                  : seed % 2 ? SCENE_OPAQUE
                             : SCENE_BLENDED,
                  14, seed);
      for (unsigned b = 0; b < ARRAY_SIZE(breakings); b++) {
         for (unsigned dropped = 0; dropped < DEPENDENCES; dropped++) {
            for (unsigned n = 0; n < 2; n++)
               run(&scene, breakings[b], dropped, 100 * seed + n, &tally[dropped]);
         }
      }
      scene_end(&scene);
   }
   for (unsigned i = 0; i < DEPENDENCES; i++)
      print_message("dropped %s: %u schedules, %u illegal, %u found by the audit, %u with a wrong "
                    "picture\n",
                    names[i], tally[i].runs, tally[i].illegal, tally[i].found, tally[i].picture);
   for (unsigned i = 1; i < DEPENDENCES; i++)
      assert_true(tally[i].illegal > 10);
   assert_true(tally[DEPENDENCE_WAW].picture > 10);
}

/* Tests a part that is omitted, and a part that is executed twice. */
static void
test_parts(void **state)
{
   struct sgt_shadow_report report;
   struct scene scene;

   scene_begin(&scene, SCENE_BLENDED, 4, 1);
   for (unsigned n = 0; n < 3; n++) {
      struct sgt_shadow *shadow = sgt_shadow_create(scene.plan, NULL, NULL, SGT_BREAK_NONE);
      for (uint32_t i = 0; i < scene.trace->num_items; i++) {
         const struct sgt_rect *r = &scene.trace->items[i].destination.rect;
         for (unsigned k = 0; k < (i == 3 ? n : 1); k++) {
            sgt_shadow_start(shadow, i, i, r, r);
            sgt_shadow_end(shadow, i, i, r);
         }
      }
      assert_true(sgt_shadow_finish(shadow, &report));
      assert_int_equal(report.violations_total, n == 1 ? 0 : 1);
      assert_int_equal(report.violations[SGT_HAZARD_PARTS].count, n == 1 ? 0 : 1);
      if (n != 1)
         assert_int_equal(report.violations[SGT_HAZARD_PARTS].item, 3);
      assert_int_equal(report.proved, n == 1);
      sgt_shadow_destroy(shadow);
   }
   scene_end(&scene);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_schedules),
      cmocka_unit_test(test_parts),
   };
   return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
