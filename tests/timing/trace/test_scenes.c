/* SPDX-License-Identifier: MIT */
/*
 * Tests traces of the scenes of tests/device/hash.  They must be the same for every number of
 * threads, policy, seed and back-pressure, and their sums must equal the device's counters.
 * Pictures and counters must equal those of a device that is not observed.
 *
 *    timing_trace_scenes [--quick] [--work] [--part=K/N] [SCENE...]
 *
 * --quick: fewer ways, and every other scene has metadata, instead of each scene with and without
 * metadata.  --work: also records the work of programs, and therefore accepts grids.  --part: every
 * N-th scene, starting with the K-th; K counts from 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "scene.h"

#define MAX_WAYS 8

static struct sgpu_device *devices[MAX_WAYS + 1]; /* the first device is not observed */
static struct sgt_store *stores[MAX_WAYS + 1];
static const struct events_way *the_ways = events_ways;

/* Totals of all scenes.  They show if the tests have covered nothing. */
static uint64_t blocks, zculled, sources, values, warps, runs, lines, hashes;

/* Addresses of the latest scene's buffers.  For a scene that submits and continues, they depend on
 * the time when the device frees memory.  `moved`: number of cases in which they differ.
 */
static uint64_t places, moved;

static uint64_t
draw(const struct scene_info *info, struct sgpu_device *dev)
{
   static struct scene s;

   scene_begin(&s, dev);
   scene_run(&s, info);
   places = 0;
   for (unsigned i = 0; i < s.num_bos; i++)
      places = places * 31 + sgpu_bo_address(s.bos[i]);
   return scene_end(&s, NULL);
}

static void
count(const struct sgt_trace *t)
{
   blocks += t->num_blocks;
   for (uint32_t i = 0; i < t->num_blocks; i++)
      zculled += sgt_block_zculled(t, i);
   sources += t->num_sources;
   values += t->num_values;
}

/* Traces support neither grids nor draws whose programs write memory.  Returns the expected text of
 * the error, or NULL if the scene is supported.
 */
static const char *
refused(const struct scene_info *info)
{
   static const char grid[] = " is a grid;";
   static const char memory[] = "): a program of the draw writes memory;";
   static const struct {
      const char *prefix;
      const char *why;
   } refusals[] = {
      { "compute-", grid },     { "wide-doubles", grid },    { "wide-integers", grid },
      { "fragments-", memory }, { "image-atomics", memory },
   };

   for (unsigned i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      if (!strncmp(info->name, refusals[i].prefix, strlen(refusals[i].prefix)))
         return refusals[i].why;
   }
   return NULL;
}

static bool
check_work(const struct sgt_trace *t, const struct sgt_work *work, const uint64_t *before,
           const uint64_t *after, bool first, uint64_t *hash)
{
   static uint64_t first_places;

   if (first) {
      *hash = work->hash;
      first_places = places;
      warps += work->num_warps;
      runs += work->num_runs;
      lines += work->num_lines;
      hashes = hashes * 31 + work->hash;
   }
   const bool comparable = places == first_places;
   moved += !comparable;
   if (comparable && *hash != work->hash)
      printf("work %016" PRIx64 ", expected %016" PRIx64 "\n", work->hash, *hash);
   return events_check_work(t, work, before, after) && (!comparable || *hash == work->hash);
}

/* Runs a scene on all devices.  Returns the number of devices with different results. */
static unsigned
compare(const struct scene_info *info, unsigned ways)
{
   uint64_t before[EVENTS_MAX_COUNTERS], alone[EVENTS_MAX_COUNTERS], after[EVENTS_MAX_COUNTERS];
   struct sgt_trace *first = NULL, *coverage = NULL;
   uint64_t work_hash = 0;
   unsigned differ = 0;

   events_counters(devices[0], before);
   const uint64_t picture = draw(info, devices[0]);
   events_counters(devices[0], alone);
   for (unsigned i = 0; i < EVENTS_MAX_COUNTERS && i < sgpu_counter_count(); i++)
      alone[i] -= before[i];

   for (unsigned way = 0; way < ways; way++) {
      struct sgpu_device *dev = devices[way + 1];
      uint64_t grown[EVENTS_MAX_COUNTERS];
      char error[256];

      events_counters(dev, before);
      sgt_store_submissions(stores[way + 1], SGT_STORE_RECORD, 0);
      const uint64_t hash = draw(info, dev);
      events_counters(dev, after);
      struct sgt_trace *t = sgt_store_finish(stores[way + 1], error, sizeof(error));
      struct sgt_work *work = sgt_store_work(stores[way + 1]);
      if (refused(info) && !the_ways[way].work) {
         if (t || hash != picture || !strstr(error, refused(info))) {
            printf("%s: way %u: not refused, or another picture: %s\n", info->name, way,
                   t ? "" : error);
            differ++;
         }
         sgt_trace_destroy(t);
         continue;
      }
      if (!t) {
         printf("%s: way %u: %s\n", info->name, way, error);
         return differ + 1;
      }
      for (unsigned i = 0; i < sgpu_counter_count(); i++)
         grown[i] = after[i] - before[i];
      bool good = hash == picture;
      if (!good)
         printf("another picture\n");
      good &= events_check(t, before, after);
      good &= events_same_work(alone, grown);
      good &= !work || check_work(t, work, before, after, way == 0, &work_hash);
      sgt_work_destroy(work);
      struct sgt_trace **same = the_ways[way].classes == SGPU_OBSERVE_VALUES ? &first : &coverage;
      if (*same && (*same)->hash != t->hash) {
         printf("trace %016" PRIx64 ", expected %016" PRIx64 "\n", t->hash, (*same)->hash);
         good = false;
      }
      if (first && !events_same_coverage(first, t)) {
         printf("another coverage\n");
         good = false;
      }
      if (!good) {
         printf("%s: way %u%s\n", info->name, way, scene_metadata ? ", metadata" : "");
         differ++;
      }
      if (way == 0)
         count(t);
      if (*same)
         sgt_trace_destroy(t);
      else
         *same = t;
   }
   sgt_trace_destroy(first);
   sgt_trace_destroy(coverage);
   return differ;
}

static bool
wanted(const char *name, int argc, char **argv)
{
   for (int i = 0; i < argc; i++) {
      if (!strcmp(argv[i], name))
         return true;
   }
   return argc == 0;
}

/* Returns true if the next argument is the option, and removes it. */
static bool
option(const char *name, int *argc, char ***argv)
{
   const bool there = *argc > 1 && !strcmp((*argv)[1], name);
   *argc -= there;
   *argv += there;
   return there;
}

int
main(int argc, char **argv)
{
   const bool quick = option("--quick", &argc, &argv);
   const bool work = option("--work", &argc, &argv);
   const unsigned ways = quick ? 3 : work ? events_num_work_ways : events_num_ways;
   unsigned differ = 0, scenes = 0, number = 0, part = 1, parts = 1;

   if (argc > 1 && sscanf(argv[1], "--part=%u/%u", &part, &parts) == 2) {
      argc--;
      argv++;
   }
   if (!part || part > parts) {
      fprintf(stderr, "timing_trace_scenes: --part is K/N, with K from 1 to N\n");
      return 2;
   }
   argc--;
   argv++;
   the_ways = work ? events_work_ways : events_ways;
   for (unsigned i = 0; i <= ways; i++) {
      const struct events_way *way = &the_ways[i ? i - 1 : 0];
      stores[i] = i ? events_store(way) : NULL;
      const struct sgpu_device_params params = events_params(way, stores[i]);
      devices[i] = scene_device_of(&params);
   }
   for (unsigned n = 0; scene_lists[n]; n++) {
      for (const struct scene_info *info = scene_lists[n]; info->name; info++) {
         if (!wanted(info->name, argc, argv))
            continue;
         if (number++ % parts != part - 1)
            continue;
         for (unsigned metadata = 0; metadata < 2; metadata++) {
            if (quick && metadata != (number / parts & 1))
               continue;
            scene_metadata = metadata;
            differ += compare(info, ways);
            scenes++;
         }
      }
   }
   for (unsigned i = 0; i <= ways; i++) {
      sgpu_device_destroy(devices[i]);
      sgt_store_destroy(stores[i]);
   }
   printf("%u scenes, %" PRIu64 " blocks, %" PRIu64 " of them dropped by zcull, %" PRIu64
          " with values, %" PRIu64 " sources, %" PRIu64 " warps, %" PRIu64 " runs, %" PRIu64
          " lines, work %016" PRIx64 " (%" PRIu64 " moved): %u differ\n",
          scenes, blocks, zculled, values, sources, warps, runs, lines, hashes, moved, differ);
   return differ || !scenes || moved > scenes / 8 ||
          (argc == 0 && (!zculled || !sources || (work ? !runs || !lines : !values)));
}
