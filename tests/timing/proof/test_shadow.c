/* SPDX-License-Identifier: MIT */
/*
 * Tests that the engine's schedules produce the device's memory contents with any parameters.  Each
 * dependence that the engine ignores must be found by the audit or be visible in the picture.  The
 * paper's rule for breaking must cause wrong pixels, and the exact rule none.
 */
#include "schedule.h"

#include "engine99/sgt_engine.h"

static void
run(const struct scene *scene, const struct sgt_engine_params *params,
    struct sgt_shadow_report *report, bool must)
{
   struct sgt_shadow *shadow = sgt_shadow_create(scene->plan, scene->image, NULL, params->breaking);
   const struct sgt_engine_observer observer = sgt_shadow_observer(shadow);
   struct sgt_engine_result result;
   char error[200];

   if (!sgt_engine_run(scene->trace, params, &observer, &result, error, sizeof(error)))
      fail_msg("%s: in order %u, accelerators %u, candidates %u, issue %u, entry %u, select %u, "
               "split %u %ux%u, transfers %u, box %u, breaking %u, memory %u",
               error, params->order == SGT_ISSUE_ORDER_IN_ORDER, params->accelerators,
               params->candidates, params->issue_rate, params->entry_rate, params->select,
               params->split, params->slice_width, params->slice_height, params->split_transfers,
               params->slice_box, params->breaking, params->memory);
   sgt_engine_result_finish(&result);
   assert_true(sgt_shadow_finish(shadow, report));
   if (must && !report->proved) {
      sgt_shadow_print(shadow, report, stdout);
      fail_msg("not proved: in_order %u, split %u %ux%u, breaking %u, %u accelerators",
               params->order == SGT_ISSUE_ORDER_IN_ORDER, params->split, params->slice_width,
               params->slice_height, params->breaking, params->accelerators);
   }
   sgt_shadow_destroy(shadow);
}

static void
test_in_order(void **state)
{
   for (uint64_t seed = 1; seed <= 30; seed++) {
      struct sgt_shadow_report report;
      struct scene scene;
      scene_begin(&scene, SCENE_MIXED, 20, seed);
      struct sgt_shadow *shadow = sgt_shadow_create(scene.plan, scene.image, NULL, SGT_BREAK_NONE);
      sgt_shadow_run_in_order(shadow);
      assert_true(sgt_shadow_finish(shadow, &report));
      if (!report.proved)
         sgt_shadow_print(shadow, &report, stdout);
      assert_true(report.proved && report.values);
      assert_int_equal(report.fragments.poisoned, 0);
      sgt_shadow_destroy(shadow);
      scene_end(&scene);
   }
}

static void
random_params(struct sgt_engine_params *p, uint64_t *seed)
{
   static const uint32_t sizes[] = { 5, 8, 16, 32, 64 };

   sgt_engine_params_init(p);
   p->order = rop_below(seed, 4) ? SGT_ISSUE_ORDER_OUT_OF_ORDER : SGT_ISSUE_ORDER_IN_ORDER;
   p->accelerators = 1 + rop_below(seed, 16);
   p->candidates = 1 + rop_below(seed, 64);
   p->issue_rate = 1 + rop_below(seed, 4);
   p->entry_rate = 1 + rop_below(seed, 4);
   p->select = rop_below(seed, 3);
   p->split = rop_below(seed, 3);
   p->slice_width = sizes[rop_below(seed, ARRAY_SIZE(sizes))];
   p->slice_height = sizes[rop_below(seed, ARRAY_SIZE(sizes))];
   p->slice_aligned = rop_below(seed, 2);
   p->split_transfers = rop_below(seed, 2);
   p->slice_box = rop_below(seed, 2);
   p->breaking = rop_below(seed, 2) ? SGT_BREAK_EXACT : SGT_BREAK_NONE;
   p->memory = rop_below(seed, 4) == 0 ? SGT_MEMORY_DRAM : SGT_MEMORY_PERFECT;
   p->seed = rop_random(seed);
}

static void
test_engine(void **state)
{
   for (uint64_t seed = 1; seed <= 60; seed++) {
      struct scene scene;
      uint64_t random = seed;
      scene_begin(&scene, seed % 3, 24, seed);
      for (unsigned n = 0; n < 8; n++) {
         struct sgt_engine_params params;
         struct sgt_shadow_report report;
         random_params(&params, &random);
         run(&scene, &params, &report, true);
      }
      scene_end(&scene);
   }
}

/* Tests each kind of dependence that the engine can ignore. */
static void
test_mutations(void **state)
{
   static const struct {
      const char *name;
      enum sgt_state hazard;
      enum scene_kind kind;
      enum sgt_breaking breaking;
   } kinds[] = {
      { "RAW", SGT_STATE_RAW, SCENE_MIXED, SGT_BREAK_NONE },
      { "WAW", SGT_STATE_WAW, SCENE_BLENDED, SGT_BREAK_NONE },
      { "WAR", SGT_STATE_WAR, SCENE_MIXED, SGT_BREAK_NONE },
      { "conflict", SGT_STATE_CONFLICT, SCENE_OPAQUE, SGT_BREAK_EXACT },
   };

   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++) {
      unsigned audit = 0, picture = 0;
      const unsigned seeds = 20;
      for (uint64_t seed = 1; seed <= seeds; seed++) {
         struct sgt_shadow_report report;
         struct sgt_engine_params params;
         struct scene scene;
         scene_begin(&scene, kinds[k].kind, 24, seed);
         sgt_engine_params_init(&params);
         params.breaking = kinds[k].breaking;
         params.seed = seed;
         run(&scene, &params, &report, true);
         params.drop_hazard = kinds[k].hazard;
         run(&scene, &params, &report, false);
         audit += report.violations_total != 0;
         picture += report.wrong.pixels != 0 || report.poison_in_order != 0;
         scene_end(&scene);
      }
      print_message("engine without %s: of %u scenes the audit finds %u, the picture %u\n",
                    kinds[k].name, seeds, audit, picture);
      assert_int_equal(audit, seeds);
   }
}

/* Tests equal depths.  The exact rule gives the device's memory contents; the paper's rule gives
 * wrong pixels, all of which the picture must mark.
 */
static void
test_rules(void **state)
{
   uint8_t *rgba = malloc(SCENE_WIDTH * SCENE_HEIGHT * 4);
   uint64_t wrong = 0;

   for (uint64_t seed = 1; seed <= 10; seed++) {
      struct sgt_shadow_report report;
      struct sgt_engine_params params;
      struct scene scene;
      scene_begin(&scene, SCENE_OPAQUE, 30, seed);
      sgt_engine_params_init(&params);
      params.breaking = SGT_BREAK_EXACT;
      run(&scene, &params, &report, true);
      params.breaking = SGT_BREAK_PAPER;
      struct sgt_shadow *shadow = sgt_shadow_create(scene.plan, scene.image, NULL, SGT_BREAK_PAPER);
      const struct sgt_engine_observer observer = sgt_shadow_observer(shadow);
      struct sgt_engine_result result;
      char error[200];
      assert_true(sgt_engine_run(scene.trace, &params, &observer, &result, error, sizeof(error)));
      sgt_engine_result_finish(&result);
      assert_true(sgt_shadow_finish(shadow, &report));
      assert_int_equal(report.violations_total, 0);
      wrong += report.wrong.pixels;

      uint64_t marked = 0;
      for (unsigned i = 0; i < sgpu_shadow_image_num_surfaces(scene.image); i++) {
         struct sgpu_shadow_surface surface;
         sgpu_shadow_image_surface(scene.image, i, &surface);
         const uint64_t count = sgt_shadow_picture(shadow, i, 0, rgba);
         if (surface.depth) {
            assert_true(count == UINT64_MAX);
            continue;
         }
         for (unsigned p = 0; p < SCENE_WIDTH * SCENE_HEIGHT; p++) {
            const uint8_t *c = rgba + 4 * p;
            marked += c[0] == 255 && c[1] == 0 && c[2] == 0;
         }
         assert_int_equal(count, marked);
      }
      /* The depths of ties are equal. */
      assert_int_equal(marked, report.wrong.pixels);
      sgt_shadow_destroy(shadow);
      scene_end(&scene);
   }
   print_message("the paper's rule: %lu wrong pixels\n", (unsigned long)wrong);
   assert_true(wrong > 0);
   free(rgba);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_in_order),
      cmocka_unit_test(test_engine),
      cmocka_unit_test(test_mutations),
      cmocka_unit_test(test_rules),
   };
   return cmocka_run_group_tests_name("shadow", tests, NULL, NULL);
}
