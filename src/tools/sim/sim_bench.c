/* SPDX-License-Identifier: MIT */
/* sgpu bench sim: measures how many cycles one thread simulates per second of CPU time. */
#include <inttypes.h>
#include <stdlib.h>

#include "kernel/sgt_dump.h"
#include "sim.h"
#include "util/macros.h"

#define MIN_NS 1000000000u
#define MIN_RUNS 3

/* Runs a frame, and verifies it if `verify` is true.  Adds its cycles to *cycles.  Returns the CPU
 * time in ns.  On failure, prints a message and returns 0.
 */
static uint64_t
run_frame(const struct sim_frame *frame, const struct sgt_config *config,
          const struct sgt_engine_params *params, bool verify, uint64_t *cycles)
{
   struct sgt_engine_observer observer;
   struct sgt_engine_result result;
   struct sgt_shadow_report report = { .proved = true };
   struct sgt_shadow *shadow = NULL;
   char error[SGT_ERROR_BYTES] = "out of memory";
   uint64_t begin = sim_thread_ns();

   if (verify) {
      shadow = sgt_shadow_create(frame->plan, frame->image, frame->trace->states, params->breaking);
      if (shadow)
         observer = sgt_shadow_observer(shadow);
   }
   bool ok = (shadow || !verify) &&
             sgt_engine_run(sim_frame_trace(frame, config), params, shadow ? &observer : NULL,
                            &result, error, sizeof error);
   if (ok) {
      *cycles += result.cycles;
      sgt_engine_result_finish(&result);
   }
   if (ok && shadow && (!sgt_shadow_finish(shadow, &report) || !report.proved)) {
      snprintf(error, sizeof error, "verification failed (see sgpu sim --verify)");
      ok = false;
   }
   sgt_shadow_destroy(shadow);
   begin = sim_thread_ns() - begin;
   if (!ok)
      fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frame->number, error);
   return ok ? MAX2(begin, 1) : 0;
}

/* Runs all frames several times.  Returns the number of cycles per second in the fastest run.  On
 * failure, prints a message and returns 0.
 */
static double
measure(const struct sim_frames *frames, const struct sgt_config *config,
        const struct sgt_engine_params *params, bool verify, uint64_t *cycles)
{
   uint64_t best = UINT64_MAX, total = 0;

   for (unsigned n = 0; n < MIN_RUNS || total < MIN_NS; n++) {
      uint64_t sum = 0;
      *cycles = 0;
      for (uint32_t f = 0; f < frames->count; f++) {
         const uint64_t ns = run_frame(&frames->frames[f], config, params, verify, cycles);
         if (!ns)
            return 0;
         sum += ns;
      }
      total += sum;
      best = MIN2(sum, best);
   }
   return *cycles * 1e9 / best;
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
   printf("million cycles a second of one thread\n%-32s %7s %12s %12s%s\n", "capture", "frames",
          "cycles", "simulated", o->verify ? "     verified" : "");
   for (unsigned i = 0; i < o->num_captures; i++) {
      struct sim_frames frames;
      uint64_t cycles = 0;
      bool ok = sim_frames_load(&frames, o, o->captures[i], load) &&
                sim_frames_filter(&frames, &o->config) &&
                (!o->verify || sim_verify_prepare(&frames));
      const double rate = ok ? measure(&frames, &o->config, &params, false, &cycles) : 0;
      if (rate)
         printf("%-32s %7u %12" PRIu64 " %12.2f", o->captures[i], frames.count, cycles, rate / 1e6);
      ok = rate != 0;
      if (ok && o->verify) {
         const double verified = measure(&frames, &o->config, &params, true, &cycles);
         ok = verified != 0;
         if (ok)
            printf(" %12.2f", verified / 1e6);
      }
      if (rate)
         putchar('\n');
      sim_frames_free(&frames);
      if (!ok)
         return 1;
   }
   return 0;
}
