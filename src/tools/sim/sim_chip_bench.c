/* SPDX-License-Identifier: MIT */
/* sgpu bench sim with chip.model=g80: measures memory use, and how many cycles one thread simulates
 * per second of CPU time.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "config/sgt_config.h"
#include "kernel/sgt_dump.h"
#include "sim.h"
#include "util/macros.h"

/* Each frame runs up to MAX_RUNS times, and the fastest run is reported. No further run starts
 * after MAX_NS ns of CPU time.
 */
#define MAX_RUNS 3
#define MAX_NS 10000000000u

struct measured {
   /* core cycles, SM cycles and CPU time in ns of the fastest run */
   uint64_t cycles, sm_cycles, ns;
   uint64_t bytes; /* bytes of memory that the chip uses at the end of a run */
   uint32_t cores; /* number of multiprocessors or execution units */
};

/* Simulated SM cycles per microsecond for each frame, summed over all multiprocessors. */
struct rates {
   double *rates;
   uint32_t num;
};

static uint64_t
heap_bytes(void)
{
#if __GLIBC_PREREQ(2, 33)
   const struct mallinfo2 m = mallinfo2();
#else
   const struct mallinfo m = mallinfo();
#endif
   return m.uordblks + m.hblkhd;
}

static bool
run_frame(const struct sim_frame *frame, const struct sgt_chip_params *params, struct measured *m)
{
   char error[SGT_ERROR_BYTES] = "the frame has no record of what programs do";
   const uint64_t heap = heap_bytes(), begin = sim_thread_ns();
   struct sgt_chip *chip = frame->work ? sgt_chip_create(params, frame->trace, frame->work, error,
                                                         sizeof error)
                                       : NULL;
   const bool ok = chip && sgt_chip_run(chip, error, sizeof error);

   if (ok) {
      const uint64_t ns = sim_thread_ns() - begin;
      m->cycles = sgt_chip_cycles(chip);
      m->sm_cycles = sgt_chip_sm_cycles(chip);
      m->ns = MIN2(m->ns, MAX2(ns, 1));
      m->bytes = heap_bytes() - heap;
   } else {
      fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frame->number, error);
   }
   sgt_chip_destroy(chip);
   return ok;
}

static bool
measure(const struct sim_frame *frame, const struct sgt_chip_params *params, struct measured *m)
{
   const uint64_t begin = sim_thread_ns();

   *m = (struct measured){
      .ns = UINT64_MAX,
      .cores = params->front.dist.tpcs * params->front.dist.tpc_sms,
   };
   for (unsigned n = 0; n < MAX_RUNS && (!n || sim_thread_ns() - begin < MAX_NS); n++) {
      if (!run_frame(frame, params, m))
         return false;
   }
   return true;
}

static bool
add_rate(struct rates *r, double rate)
{
   double *more = realloc(r->rates, (r->num + 1) * sizeof *more);

   if (!more) {
      fprintf(stderr, "sgpu: out of memory\n");
      return false;
   }
   r->rates = more;
   more[r->num++] = rate;
   return true;
}

static bool
bench_capture(const struct sim_options *o, const struct sgt_chip_params *params, const char *path,
              sim_load *load, struct rates *rates)
{
   const uint64_t heap = heap_bytes();
   struct sim_frames frames;
   struct measured m;
   bool ok = sim_frames_load(&frames, o, path, load);
   const uint64_t trace = ok ? (heap_bytes() - heap) / frames.count : 0;

   for (uint32_t f = 0; ok && f < frames.count; f++) {
      ok = measure(&frames.frames[f], params, &m);
      if (!ok)
         break;
      const double rate = m.sm_cycles * m.cores * 1e3 / m.ns;
      printf("%-32s %6" PRIu64 " %12" PRIu64 " %12" PRIu64 " %9.2f %9.3f %9.3f %9.3f %9.1f %9.1f\n",
             sim_base_name(path), frames.frames[f].number, m.cycles, m.sm_cycles, m.ns / 1e9,
             m.cycles * 1e3 / m.ns, m.sm_cycles * 1e3 / m.ns, rate, trace / 1e6, m.bytes / 1e6);
      fflush(stdout);
      ok = add_rate(rates, rate);
   }
   sim_frames_free(&frames);
   return ok;
}

static int
compare(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

int
sim_chip_bench(const struct sim_options *o, sim_load *load)
{
   struct rates rates = { .num = 0 };
   struct sgt_chip_params params;
   char error[512];
   bool ok = true;

   if (!sgt_config_chip(&o->config, &params, error, sizeof error)) {
      fprintf(stderr, "sgpu: sim: %s\n", error);
      return 2;
   }
   /* Columns "core" and "SM" count cycles of the core clock and the SM clock.  "SMs" is "SM" times
    * the number of multiprocessors or execution units.
    */
   printf("%-32s %6s %12s %12s %9s %29s %19s\n%-32s %6s %12s %12s %9s %9s %9s %9s %9s %9s\n", "",
          "", "", "", "CPU", "million a second", "MB of a frame", "capture", "frame", "core cycles",
          "SM cycles", "seconds", "core", "SM", "SMs", "trace", "chip");
   for (unsigned i = 0; ok && i < o->num_captures; i++)
      ok = bench_capture(o, &params, o->captures[i], load, &rates);
   if (ok && rates.num > 1) {
      qsort(rates.rates, rates.num, sizeof *rates.rates, compare);
      const double cores = params.front.dist.tpcs * params.front.dist.tpc_sms;
      const double median = rates.rates[rates.num / 2], least = rates.rates[0];
      printf("million cycles a second: SM, median %.3f, least %.3f; SMs, median %.3f, least %.3f\n",
             median / cores, least / cores, median, least);
   }
   free(rates.rates);
   return ok ? 0 : 1;
}
