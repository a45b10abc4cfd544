/* SPDX-License-Identifier: MIT */
/*
 * Runs the engine and its reference in lockstep: the same events at the same cycles with the same
 * tags, and the same accounts, on random traces with random parameters.
 *
 * usage: test_lockstep [SECONDS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random_trace.h"
#include "issue_reference.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

enum event_kind { ENTER, START, END };
static const char *const kind_names[] = { "enters", "starts", "ends" };

struct event {
   enum event_kind kind;
   uint64_t cycle;
   uint32_t tag, accelerator;
   struct sgt_slice slice;
};

struct log {
   struct event *events;
   uint32_t num, room;
};

static void
add(struct log *log, enum event_kind kind, uint64_t cycle, uint32_t tag, uint32_t accelerator,
    const struct sgt_slice *slice)
{
   if (log->num == log->room) {
      log->room = log->room ? log->room * 2 : 4096;
      log->events = realloc(log->events, log->room * sizeof(*log->events));
      if (!log->events)
         abort();
   }
   struct event *e = &log->events[log->num++];
   memset(e, 0, sizeof(*e));
   e->kind = kind;
   e->cycle = cycle;
   e->tag = tag;
   e->accelerator = accelerator;
   e->slice = *slice;
}

static void
on_enter(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice)
{
   add(data, ENTER, cycle, tag, 0, slice);
}

static void
on_start(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
         const struct sgt_slice *slice)
{
   add(data, START, cycle, tag, accelerator, slice);
}

static void
on_end(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
       const struct sgt_slice *slice)
{
   add(data, END, cycle, tag, accelerator, slice);
}

static struct sgt_engine_observer
observer(struct log *log)
{
   log->num = 0;
   return (struct sgt_engine_observer){
      .data = log,
      .enter = on_enter,
      .start = on_start,
      .end = on_end,
   };
}

static void
print_event(const char *who, const struct log *log, uint32_t i)
{
   if (i >= log->num) {
      printf("  %s: ends before\n", who);
      return;
   }
   const struct event *e = &log->events[i];
   printf("  %s: cycle %" PRIu64 ": tag %u %s, accelerator %u, item %u, slice %u\n", who, e->cycle,
          e->tag, kind_names[e->kind], e->accelerator, e->slice.item, e->slice.number);
}

static bool
same_events(const struct log *engine, const struct log *reference)
{
   const uint32_t num = MIN2(engine->num, reference->num);
   uint32_t i = 0;
   while (i < num && !memcmp(&engine->events[i], &reference->events[i], sizeof(*engine->events)))
      i++;
   if (i == engine->num && i == reference->num)
      return true;
   printf("event %u:\n", i);
   print_event("engine", engine, i);
   print_event("reference", reference, i);
   return false;
}

static bool
same_arrays(const char *name, const void *a, const void *b, size_t bytes)
{
   if (!memcmp(a, b, bytes))
      return true;
   const uint64_t *x = a, *y = b;
   for (size_t i = 0; i < bytes / sizeof(*x); i++)
      if (x[i] != y[i])
         printf("%s[%zu]: engine %" PRIu64 ", reference %" PRIu64 "\n", name, i, x[i], y[i]);
   return false;
}

#define SAME(member) same_arrays(#member, &a->member, &b->member, sizeof(a->member))

static bool
same_results(const struct sgt_engine_result *a, const struct sgt_engine_result *b)
{
   return SAME(cycles) & SAME(work) & SAME(states) & SAME(fetch) & SAME(issue) & SAME(items) &
          SAME(dropped_items) & SAME(split_items) & SAME(slices) & SAME(pixels) & SAME(spans) &
          SAME(raw) & SAME(waw) & SAME(war) & SAME(conflicts) & SAME(overtakes) &
          SAME(work_longest) & SAME(slice_cycles) & SAME(slice_wait) & SAME(wait) &
          (a->max_candidates == b->max_candidates) & (a->max_stations == b->max_stations) &
          same_arrays("busy_cycles", a->busy_cycles, b->busy_cycles,
                      (a->accelerators + 1) * sizeof(uint64_t)) &
          same_arrays("candidate_cycles", a->candidate_cycles, b->candidate_cycles,
                      (a->candidates + 1) * sizeof(uint64_t)) &
          same_arrays("operations", a->operations, b->operations,
                      a->num_operations * sizeof(*a->operations));
}

/* Checks conditions that hold in every run. */
static bool
is_sound(const struct sgt_engine_result *r, char *error, size_t error_size)
{
   struct sgt_stats stats;
   sgt_stats_init(&stats);
   sgt_engine_result_register(r, &stats);
   bool ok = !stats.out_of_memory && sgt_stats_check(&stats, error, error_size);
   sgt_stats_finish(&stats);
   uint64_t series = 0, longest = 0;
   for (uint32_t i = 0; i < r->intervals * SGT_STATES; i++)
      series += r->series[i];
   for (uint32_t i = 0; i < r->num_operations; i++)
      longest += r->operations[i].busy;
   if (!ok)
      return false;
   snprintf(error, error_size, "series, operations or bounds of cycles");
   return series == r->cycles * r->accelerators && longest == r->work &&
          r->cycles * r->accelerators >= r->work && r->cycles >= r->slices &&
          r->cycles >= r->work_longest &&
          r->intervals == (r->cycles + r->interval - 1) / r->interval;
}

static bool
compare(uint64_t seed, struct random_trace *trace, struct log *logs, uint64_t *slices,
        uint64_t *cycles)
{
   struct sgt_random r = { seed };
   random_trace_make(trace, &r);
   struct sgt_engine_params params;
   random_params_make(&params, &r);
   params.shuffle = seed & 1;
   params.shuffle_seed = seed;

   struct sgt_engine_result results[2];
   char error[256] = "";
   const struct sgt_engine_observer engine = observer(&logs[0]), reference = observer(&logs[1]);
   if (!sgt_engine_run(&trace->trace, &params, &engine, &results[0], error, sizeof(error))) {
      printf("engine: %s\n", error);
      return false;
   }
   if (!issue_reference_run(&trace->trace, &params, &reference, &results[1]))
      return false;
   bool ok = same_events(&logs[0], &logs[1]);
   ok = ok && same_results(&results[0], &results[1]);
   /* Rates can be above 1. */
   results[0].slices = DIV_ROUND_UP(results[0].slices, params.entry_rate);
   if (ok && !is_sound(&results[0], error, sizeof(error))) {
      printf("accounts: %s\n", error);
      ok = false;
   }
   *slices += results[1].slices;
   *cycles += results[1].cycles;
   sgt_engine_result_finish(&results[0]);
   sgt_engine_result_finish(&results[1]);
   return ok;
}

int
main(int argc, char **argv)
{
   const double seconds = argc > 1 ? atof(argv[1]) : 0;
   const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   struct random_trace *trace = calloc(1, sizeof(*trace));
   struct log logs[2] = { 0 };
   uint64_t seed = first, slices = 0, cycles = 0;
   struct timespec begin, now;
   if (!trace)
      return 1;
   clock_gettime(CLOCK_MONOTONIC, &begin);
   do {
      for (unsigned i = 0; i < 4000; i++, seed++) {
         if (!compare(seed, trace, logs, &slices, &cycles)) {
            printf("different: test_lockstep 0 %" PRIu64 "\n", seed);
            return 1;
         }
      }
      clock_gettime(CLOCK_MONOTONIC, &now);
   } while (now.tv_sec - begin.tv_sec + (now.tv_nsec - begin.tv_nsec) * 1e-9 < seconds);
   printf("%" PRIu64 " traces, %" PRIu64 " slices, %" PRIu64 " cycles: the same\n", seed - first,
          slices, cycles);
   free(logs[0].events);
   free(logs[1].events);
   free(trace);
   return 0;
}
