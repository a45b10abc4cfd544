/* SPDX-License-Identifier: MIT */
/*
 * Tests traces of a capture.  They must be the same for every number of threads, policy, seed and
 * back-pressure, and their sums must equal the device's counters.
 *
 *    timing_trace_captures [--quick | --print | --class=N | --events | --refused=TEXT | --work]
 *                          FILE.sgcap
 *
 * --print prints sizes and times for each class of events.  --class=N replays once with one
 * worker and this class, for counts of instructions; 4: without an observer; 5: coverage and
 * work.  --events prints all records, as one worker makes them.  --refused: the store must refuse
 * the capture with an error that contains TEXT, in every way of replay.  --work: the same test with
 * the work of programs; the trace must be the same as without it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cap_player.h"
#include "events.h"

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

struct replayed {
   struct sgt_trace *trace;
   struct sgt_work *work;
   uint64_t counters[EVENTS_MAX_COUNTERS];
   uint64_t frames;
   double time;
   char error[256]; /* error of the store */
};

/* Replays all submissions.  With a store, they form one trace. observer: used instead of the store.
 */
static bool
replay_observed(const char *path, const struct events_way *way, struct sgt_store *store,
                const struct sgpu_observer *observer, struct replayed *out)
{
   struct sgpu_device_params params = events_params(way, store);
   struct sgcap_record rec;
   struct cap_player p;
   bool good = true;

   params.observer = observer ? observer : params.observer;
   memset(out, 0, sizeof(*out));
   if (!cap_player_open(&p, path, &params, true))
      return false;
   if (store)
      sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   const double begin = seconds();
   while (good && cap_player_next(&p, &rec)) {
      if (rec.type == SGCAP_SUBMIT)
         good = cap_player_submit(&p, &rec);
      if (rec.type == SGCAP_FRAME) {
         out->frames++;
         if (store)
            sgt_store_submissions(store, SGT_STORE_RECORD, rec.u.frame.number);
      }
   }
   cap_player_wait(&p);
   out->time = seconds() - begin;
   events_counters(p.dev, out->counters);
   if (sgcap_error(p.reader) && !sgcap_unclosed(p.reader)) {
      printf("%s\n", sgcap_error(p.reader));
      good = false;
   }
   cap_player_close(&p);
   if (store && good) {
      out->trace = sgt_store_finish(store, out->error, sizeof(out->error));
      if (!out->trace)
         printf("%s\n", out->error);
      good = out->trace != NULL;
      out->work = sgt_store_work(store);
   }
   return good;
}

static bool
replay(const char *path, const struct events_way *way, struct sgt_store *store,
       struct replayed *out)
{
   return replay_observed(path, way, store, NULL, out);
}

static void
print_chunk(void *data, const struct sgpu_chunk *chunk)
{
   static const char *const kinds[] = {
      "batch", "tile", "operation", "warps of batch", "warps of tile", "warps of groups",
   };

   printf("%s of submission %" PRIu64 ", operation %u, batch %u.%u, tile %u, %u, layer %u, "
          "group %" PRIu64 "\n",
          kinds[chunk->kind], chunk->submission, chunk->operation, chunk->batch, chunk->part,
          chunk->tx, chunk->ty, chunk->layer, chunk->group);
   for (uint64_t at = 0; at < chunk->num_words;) {
      const unsigned words = sgpu_event_print(stdout, chunk->words + at, chunk->num_words - at);
      at += words ? words : chunk->num_words;
   }
}

static int
print_events(const char *path)
{
   static const struct events_way way = { 1, SGPU_DISPATCH_INORDER, 0, 0, 0 };
   const struct sgpu_observer observer = {
      .classes = SGPU_OBSERVE_VALUES,
      .work = true,
      .chunk = print_chunk,
   };
   struct replayed r;

   return !replay_observed(path, &way, NULL, &observer, &r);
}

/* Values instead of a class: no observer; coverage and work. */
#define CLASSES_NONE 4
#define CLASSES_WORK 5

static struct events_way
way_of(unsigned classes, unsigned threads)
{
   return (struct events_way){
      .threads = threads,
      .policy = SGPU_DISPATCH_OOO_SPLIT,
      .classes = classes == CLASSES_WORK ? SGPU_OBSERVE_COVERAGE : classes,
      .work = classes == CLASSES_WORK,
   };
}

static uint64_t
work_bytes(const struct sgt_work *w)
{
   return w->num_warps * sizeof(*w->warps) + w->num_runs * sizeof(*w->runs) +
          w->num_accesses * sizeof(*w->accesses) + w->num_quads * sizeof(*w->quads) +
          w->num_lines * sizeof(*w->lines) + w->num_operations * sizeof(*w->operations);
}

static void
print_sizes(const char *path)
{
   static const struct events_way alone = { 2, SGPU_DISPATCH_OOO_SPLIT, 0, 0, 0 };
   struct replayed r;

   if (!replay(path, &alone, NULL, &r))
      exit(1);
   const double time = r.time;
   printf("not observed: %.3f s, %" PRIu64 " frames\n", time, r.frames);
   for (unsigned classes = SGPU_OBSERVE_OPERATIONS; classes <= CLASSES_WORK; classes++) {
      const struct events_way way = way_of(classes, 2);
      if (classes == CLASSES_NONE)
         continue;
      struct sgt_store *store = events_store(&way);
      uint64_t all, most;
      if (!replay(path, &way, store, &r))
         exit(1);
      const struct sgt_trace *t = r.trace;
      const uint64_t bytes = t->num_operations * sizeof(*t->operations) +
                             t->num_items * sizeof(*t->items) +
                             t->num_sources * sizeof(*t->sources) +
                             t->num_blocks * sizeof(*t->blocks) +
                             t->num_values * sizeof(*t->values) + t->num_words * sizeof(*t->words);
      sgt_store_bytes(store, &all, &most);
      printf("classes %u: %.3f s (%.2f times), chunks %.2f MB (most at once %.2f), trace %.2f MB: "
             "%u operations, %u items, %u sources, %u blocks, %u values, %u sets, hash %016" PRIx64
             "\n",
             classes, r.time, r.time / time, all / 1e6, most / 1e6, bytes / 1e6, t->num_operations,
             t->num_items, t->num_sources, t->num_blocks, t->num_values, t->num_sets, t->hash);
      if (r.work)
         printf("   work %.2f MB\n", work_bytes(r.work) / 1e6);
      sgt_trace_destroy(r.trace);
      sgt_work_destroy(r.work);
      sgt_store_destroy(store);
   }
}

static int
replay_once(const char *path, unsigned classes)
{
   const struct events_way way = way_of(classes, 1);
   struct sgt_store *store = classes != CLASSES_NONE ? events_store(&way) : NULL;
   struct replayed r;
   const bool good = replay(path, &way, store, &r);

   sgt_trace_destroy(r.trace);
   sgt_work_destroy(r.work);
   sgt_store_destroy(store);
   return !good;
}

static int
check_refused(const char *path, const char *text)
{
   for (unsigned i = 0; i < 3; i++) {
      struct sgt_store *store = events_store(&events_ways[i]);
      struct replayed r;
      if (replay(path, &events_ways[i], store, &r) || !strstr(r.error, text)) {
         printf("way %u: not refused with \"%s\"\n", i, text);
         return 1;
      }
      sgt_store_destroy(store);
   }
   return 0;
}

/* Checks that the trace and the work are the same in all ways, and agree with the counters. */
static int
check_work(const char *path, bool quick)
{
   static const uint64_t zero[EVENTS_MAX_COUNTERS];
   uint64_t trace = 0, hash = 0;
   struct replayed alone;
   unsigned differ = 0;

   if (!replay(path, &events_work_ways[0], NULL, &alone))
      return 1;
   for (unsigned i = 0; i < (quick ? 2 : events_num_work_ways); i++) {
      struct sgt_store *store = events_store(&events_work_ways[i]);
      struct replayed r;
      if (!replay(path, &events_work_ways[i], store, &r))
         return 1;
      const struct sgt_work *w = r.work;
      bool good = events_check(r.trace, zero, r.counters);
      good &= events_check_work(r.trace, w, zero, r.counters);
      good &= events_same_work(alone.counters, r.counters);
      if (i && (trace != r.trace->hash || hash != w->hash)) {
         printf("trace %016" PRIx64 ", work %016" PRIx64 ", expected %016" PRIx64 ", %016" PRIx64
                "\n",
                r.trace->hash, w->hash, trace, hash);
         good = false;
      }
      if (!i) {
         printf("%u programs, %u warps, %u runs, %u accesses, %u quads, %" PRIu64
                " lines: work %016" PRIx64 "\n",
                w->num_programs, w->num_warps, w->num_runs, w->num_accesses, w->num_quads,
                w->num_lines, w->hash);
         trace = r.trace->hash;
         hash = w->hash;
      }
      if (!good) {
         printf("way %u\n", i);
         differ++;
      }
      sgt_trace_destroy(r.trace);
      sgt_work_destroy(r.work);
      sgt_store_destroy(store);
   }
   if (quick)
      return differ != 0;

   const struct events_way plain = { 1, SGPU_DISPATCH_INORDER, 0, SGPU_OBSERVE_COVERAGE, 0 };
   struct sgt_store *store = events_store(&plain);
   struct replayed r;
   /* Without work, the store refuses grids and programs that write memory. */
   if (replay(path, &plain, store, &r) && r.trace->hash != trace) {
      printf("trace without work %016" PRIx64 "\n", r.trace->hash);
      differ++;
   }
   sgt_trace_destroy(r.trace);
   sgt_store_destroy(store);
   return differ != 0;
}

int
main(int argc, char **argv)
{
   bool quick = false, print = false;
   struct sgt_trace *first = NULL, *coverage = NULL;
   unsigned differ = 0;

   for (; argc > 2; argc--, argv++) {
      quick |= !strcmp(argv[1], "--quick");
      print |= !strcmp(argv[1], "--print");
      if (!strcmp(argv[1], "--work"))
         return check_work(argv[argc - 1], quick);
      if (!strcmp(argv[1], "--events"))
         return print_events(argv[2]);
      if (!strncmp(argv[1], "--class=", 8))
         return replay_once(argv[2], atoi(argv[1] + 8));
      if (!strncmp(argv[1], "--refused=", 10))
         return check_refused(argv[2], argv[1] + 10);
   }
   if (argc != 2)
      return 2;
   if (print) {
      print_sizes(argv[1]);
      return 0;
   }
   static const uint64_t zero[EVENTS_MAX_COUNTERS];
   struct replayed alone;
   if (!replay(argv[1], &events_ways[0], NULL, &alone))
      return 1;
   for (unsigned i = 0; i < (quick ? 2 : events_num_ways); i++) {
      struct sgt_store *store = events_store(&events_ways[i]);
      struct replayed r;
      if (!replay(argv[1], &events_ways[i], store, &r))
         return 1;
      struct sgt_trace *t = r.trace;
      bool good = events_check(t, zero, r.counters);
      good &= events_same_work(alone.counters, r.counters);
      struct sgt_trace **same = events_ways[i].classes == SGPU_OBSERVE_VALUES ? &first : &coverage;
      if (*same && (*same)->hash != t->hash) {
         printf("trace %016" PRIx64 ", expected %016" PRIx64 "\n", t->hash, (*same)->hash);
         good = false;
      }
      if (first && !events_same_coverage(first, t)) {
         printf("another coverage\n");
         good = false;
      }
      if (!good) {
         printf("way %u\n", i);
         differ++;
      }
      if (*same)
         sgt_trace_destroy(t);
      else
         *same = t;
      sgt_store_destroy(store);
   }
   if (!first)
      return 1;
   printf("%u operations, %u items, %u blocks, %u values, %u sources, %u sets: %016" PRIx64 "\n",
          first->num_operations, first->num_items, first->num_blocks, first->num_values,
          first->num_sources, first->num_sets, first->hash);
   sgt_trace_destroy(first);
   sgt_trace_destroy(coverage);
   return differ != 0;
}
