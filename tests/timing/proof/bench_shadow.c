/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of verification: simulated cycles per second of the 1999 engine on a frame of
 * 640x480 pixels, without and with shadow memory.
 *
 *    sgt_bench_shadow [OPERATIONS [RUNS]]
 */
#include <time.h>

#include "scene.h"
#include "engine99/sgt_engine.h"

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
run(const struct scene *scene, enum scene_kind kind, bool verify, unsigned runs)
{
   struct sgt_engine_params params;
   struct sgt_shadow_report report = { 0 };
   uint64_t cycles = 0, pixels = 0;
   double finish = 0;

   sgt_engine_params_init(&params);
   params.breaking = kind == SCENE_OPAQUE ? SGT_BREAK_EXACT : SGT_BREAK_NONE;
   const double begin = seconds();
   for (unsigned i = 0; i < runs; i++) {
      struct sgt_shadow *shadow = NULL;
      struct sgt_engine_observer observer = { 0 };
      struct sgt_engine_result result;
      char error[200];
      if (verify) {
         shadow = sgt_shadow_create(scene->plan, scene->image, NULL, params.breaking);
         observer = sgt_shadow_observer(shadow);
      }
      assert_true(sgt_engine_run(scene->trace, &params, &observer, &result, error, sizeof(error)));
      cycles += result.cycles;
      pixels += result.pixels;
      sgt_engine_result_finish(&result);
      const double at = seconds();
      if (verify) {
         assert_true(sgt_shadow_finish(shadow, &report) && report.proved);
         sgt_shadow_destroy(shadow);
      }
      finish += seconds() - at;
   }
   const double time = seconds() - begin;
   printf("  %s: %.2f M cycles/s, %.2f M pixels/s, %.1f ms a frame, of these %.1f ms at its end\n",
          verify ? "verified" : "engine  ", cycles / time / 1e6, pixels / time / 1e6,
          time / runs * 1e3, finish / runs * 1e3);
}

int
main(int argc, char **argv)
{
   static const char *const names[] = { "mixed", "opaque, broken exactly", "blended" };
   const unsigned operations = argc > 1 ? atoi(argv[1]) : 700;
   const unsigned runs = argc > 2 ? atoi(argv[2]) : 5;

   for (enum scene_kind kind = SCENE_MIXED; kind <= SCENE_BLENDED; kind++) {
      struct scene scene;
      scene_begin_sized(&scene, kind, 640, 480, operations, 1);
      printf("%s: %u items, %u blocks\n", names[kind], scene.trace->num_items,
             scene.trace->num_blocks);
      run(&scene, kind, false, runs);
      run(&scene, kind, true, runs);
      scene_end(&scene);
   }
   return 0;
}
