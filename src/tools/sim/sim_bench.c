/* SPDX-License-Identifier: MIT */
/*
 * sgpu bench sim: simulated cycles a second of CPU time, on one thread.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim.h"

#define MIN_NS 1000000000u
#define MIN_RUNS 3

/* Runs all frames again and again; the best of the runs.  Returns cycles a second, 0 after a
 * message.
 */
static double
measure(const struct sim_frames *frames, const struct sgt_config *config,
        const struct sgt_engine_params *params, uint64_t *cycles)
{
   uint64_t best = UINT64_MAX, total = 0;
   char error[512];

   for (unsigned n = 0; n < MIN_RUNS || total < MIN_NS; n++) {
      uint64_t ns = 0;
      *cycles = 0;
      for (uint32_t f = 0; f < frames->count; f++) {
         struct sgt_engine_result result;
         const uint64_t begin = sim_thread_ns();
         if (!sgt_engine_run(sim_frame_trace(&frames->frames[f], config), params, NULL, &result,
                             error, sizeof error)) {
            fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frames->frames[f].number, error);
            return 0;
         }
         ns += sim_thread_ns() - begin;
         *cycles += result.cycles;
         sgt_engine_result_finish(&result);
      }
      total += ns;
      best = ns < best ? ns : best;
   }
   return *cycles * 1e9 / (best ? best : 1);
}

int
sim_bench(const struct sim_options *o, sim_load *load)
{
   struct sgt_engine_params params;
   char error[512];

   if (!sgt_config_engine(&o->config, &params, error, sizeof error)) {
      fprintf(stderr, "sgpu: sim: %s\n", error);
      return 2;
   }
   printf("%-32s %7s %12s %14s\n", "capture", "frames", "cycles", "cycles/s");
   for (unsigned i = 0; i < o->num_captures; i++) {
      struct sim_frames frames;
      uint64_t cycles = 0;
      const double rate = sim_frames_load(&frames, o, o->captures[i], load) &&
                                sim_frames_filter(&frames, &o->config)
                             ? measure(&frames, &o->config, &params, &cycles)
                             : 0;
      if (rate)
         printf("%-32s %7u %12" PRIu64 " %12.2f M\n", o->captures[i], frames.count, cycles,
                rate / 1e6);
      sim_frames_free(&frames);
      if (!rate)
         return 1;
   }
   return 0;
}
