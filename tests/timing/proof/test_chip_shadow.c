/* SPDX-License-Identifier: MIT */
/*
 * Tests --verify of the Tesla chip on random scenes.  Each configuration must produce the device's
 * memory contents, and the proof must fail for each part of the order that a chip omits.
 */
#include "schedule.h"

#include "proof/sgt_chip_shadow.h"
#include "util/macros.h"

static uint32_t
pick(uint64_t *seed, uint32_t low, uint32_t high)
{
   return low + rop_below(seed, high - low + 1);
}

static void
random_params(struct sgt_chip_params *p, uint64_t *seed)
{
   sgt_chip_params_init(p);
   p->core = pick(seed, 0, 3) ? SGT_CORE_SM : SGT_CORE_EU;
   const struct sgt_core_params core = sgt_chip_core_params(p);
   const struct sgt_core_room room = sgt_core_room(&core);
   p->front.dist.sm_warps = room.warps;
   p->front.dist.sm_threads = room.threads;
   p->front.dist.sm_groups = room.groups;
   p->front.dist.tpcs = pick(seed, 1, 8);
   p->front.dist.tpc_sms = pick(seed, 1, 2);
   p->front.raster.early_queue = 1 << pick(seed, 0, 5);
   p->front.raster.early_rate = pick(seed, 1, 4);
   p->output.warps = 1 << pick(seed, 0, 5);
   p->output.rate = pick(seed, 1, 4);
   p->rop.queue = pick(seed, 1, 16);
   p->rop.waiting = pick(seed, 1, 16);
   p->rop.latency = pick(seed, 1, 80);
   p->rop.cache_sets = 1 << pick(seed, 0, 4);
   p->rop.cache_ways = pick(seed, 2, 4);
   p->rop.compression = pick(seed, 0, 1);
   p->transfer.fast_clear = pick(seed, 0, 1);
   p->transfer.reads = pick(seed, 1, 32);
   p->transfer.writes = pick(seed, 1, 32);
   p->memory.xbar.partitions = pick(seed, 1, 6);
   p->rop_cycles = pick(seed, 1, 30);
   p->shuffle = pick(seed, 0, 1);
   p->shuffle_seed = *seed;
   p->max_cycles = 10000000;
}

static void
run(const struct scene *s, struct sgt_chip_params *p, struct sgt_shadow_report *report, bool print)
{
   char error[512] = "";

   struct sgt_chip_shadow *shadow = sgt_chip_shadow_create(s->plan, s->image, NULL, s->work, p,
                                                           error, sizeof(error));
   assert_string_equal(error, "");
   p->observer = sgt_chip_shadow_observer(shadow);
   struct sgt_chip *chip = sgt_chip_create(p, s->trace, s->work, error, sizeof(error));
   assert_string_equal(error, "");
   assert_non_null(chip);
   sgt_chip_run(chip, error, sizeof(error));
   assert_string_equal(error, "");
   struct sgt_shadow *model = sgt_chip_shadow_end(shadow);
   assert_true(sgt_shadow_finish(model, report));
   if (print && !report->proved)
      sgt_shadow_print(model, report, stderr);
   sgt_chip_destroy(chip);
   sgt_chip_shadow_destroy(shadow);
}

static void
every_configuration_is_proved(void **state)
{
   uint64_t seed = 5;

   for (unsigned i = 0; i < 40; i++) {
      struct sgt_shadow_report report;
      struct sgt_chip_params params;
      struct scene scene;
      uint64_t hash = 0;
      scene_begin(&scene, SCENE_CHIP, 16, 100 + i);
      for (unsigned k = 0; k < 4; k++) {
         random_params(&params, &seed);
         run(&scene, &params, &report, true);
         hash = k ? hash : report.hash;
         assert_true(report.proved && report.values && report.hash == hash);
         assert_int_equal(report.fragments.poisoned, 0);
         assert_true(report.fragments.passed > 0);
      }
      scene_end(&scene);
   }
}

/* Returns the number of scenes that reveal the fault. */
static unsigned
shown_by(enum sgt_chip_fault fault, unsigned scenes, enum sgt_hazard hazard, unsigned *hazards)
{
   unsigned shown = 0;
   uint64_t seed = 9;

   *hazards = 0;
   for (unsigned i = 0; i < scenes; i++) {
      struct sgt_shadow_report report;
      struct sgt_chip_params params;
      struct scene scene;
      scene_begin(&scene, SCENE_CHIP, 24, 500 + i);
      random_params(&params, &seed);
      params.fault = fault;
      params.rop.latency = 60; /* much work is outstanding */
      run(&scene, &params, &report, false);
      shown += !report.proved;
      *hazards += report.violations[hazard].count != 0;
      scene_end(&scene);
   }
   return shown;
}

static void
each_fault_is_found(void **state)
{
   /* Kind of hazard that a fault causes, even if no value is wrong. */
   static const struct {
      const char *name;
      enum sgt_chip_fault fault;
      enum sgt_hazard hazard;
   } faults[] = {
      { "order", SGT_CHIP_FAULT_ORDER, SGT_HAZARD_WAW },
      { "tests", SGT_CHIP_FAULT_TESTS, SGT_HAZARDS },
      { "early", SGT_CHIP_FAULT_EARLY, SGT_HAZARDS },
      { "late", SGT_CHIP_FAULT_LATE, SGT_HAZARD_RAW },
      { "barrier", SGT_CHIP_FAULT_BARRIER, SGT_HAZARD_RAW },
      { "hazard", SGT_CHIP_FAULT_HAZARD, SGT_HAZARD_RAW },
      { "textures", SGT_CHIP_FAULT_TEXTURES, SGT_HAZARD_RAW },
   };
   static_assert(ARRAY_SIZE(faults) == SGT_CHIP_FAULTS - 1, "each fault");

   for (unsigned i = 0; i < ARRAY_SIZE(faults); i++) {
      unsigned hazards;
      const bool has = faults[i].hazard != SGT_HAZARDS;
      const unsigned shown = shown_by(faults[i].fault, 12, has ? faults[i].hazard : 0, &hazards);
      print_message("without %s: %u of 12 scenes, %u by hazard\n", faults[i].name, shown, hazards);
      assert_true(shown && (hazards || !has));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_configuration_is_proved),
      cmocka_unit_test(each_fault_is_found),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
