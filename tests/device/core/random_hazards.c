/* SPDX-License-Identifier: MIT */
/*
 * Random streams (hazard_stream.h): with every policy, 1, 2 and 4 threads and a shuffled order of
 * work, the device must leave the same bytes in memory as a device that runs one operation at a
 * time.
 *
 *    random_hazards [--rounds N] [--seed N] [--streams N]
 *
 * --rounds: comparisons for each policy (50); --seed: seed of the first stream and of the shuffles
 * (1); --streams: number of different streams (48).
 *
 * Afterwards, the test drops each kind of dependence between regions. Memory must then differ for
 * some stream; otherwise the comparison could not fail.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hazard_stream.h"

#define OPERATIONS 40

/* Copy of the memory that a device leaves. */
struct memory {
   char *bytes;
   size_t size;
};

static struct memory
run(struct sgpu_device *dev, uint64_t seed, bool submits)
{
   static struct hazard_stream r;
   struct memory m = { NULL, 0 };

   hazard_begin(&r, dev, seed, submits);
   for (unsigned i = 0; i < OPERATIONS; i++) {
      switch (hazard_below(&r, 12)) {
      case 0:
         hazard_clear(&r);
         break;
      case 1:
         hazard_copy(&r);
         break;
      case 2:
         hazard_copy_linear(&r);
         break;
      case 3:
         hazard_blit(&r);
         break;
      case 4:
         hazard_buffers(&r);
         break;
      case 5:
         hazard_query(&r);
         break;
      case 6:
      case 7:
         hazard_grid(&r);
         break;
      default:
         hazard_draw(&r);
         break;
      }
      if (hazard_chance(&r, 8) && submits)
         scene_submit(&r.s);
   }
   FILE *f = open_memstream(&m.bytes, &m.size);
   if (!f)
      scene_fail("out of memory");
   scene_end(&r.s, f);
   fclose(f);
   return m;
}

static bool
same(const struct memory *a, const struct memory *b)
{
   return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static struct sgpu_device *
device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle, uint32_t drop)
{
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.threads = threads;
   params.dispatch = policy;
   params.shuffle_seed = shuffle;
   params.drop_dependences = drop;
   return scene_device_of(&params);
}

/* Returns the memory of each stream after a run in order on one thread. */
static struct memory *
reference(uint64_t seed, unsigned streams, bool submits)
{
   struct memory *want = calloc(streams, sizeof(*want));
   struct sgpu_device *dev = device(1, SGPU_DISPATCH_INORDER, 0, 0);
   bool differ = false;

   for (unsigned i = 0; i < streams; i++) {
      want[i] = run(dev, seed + i, submits);
      differ |= !same(&want[i], &want[0]);
   }
   sgpu_device_destroy(dev);
   if (!differ)
      scene_fail("all streams leave the same memory");
   return want;
}

static void
free_reference(struct memory *want, unsigned streams)
{
   for (unsigned i = 0; i < streams; i++)
      free(want[i].bytes);
   free(want);
}

/* Counters of all kinds of stalls. Each kind must occur; otherwise the comparison does not test it.
 */
static const char *const stalls[] = {
   "stall_order", "stall_tile",      "stall_raw",   "stall_waw",     "stall_war",
   "stall_xfb",   "stall_predicate", "stall_query", "stall_inorder", "overtakes",
};
enum { STALLS = sizeof(stalls) / sizeof(stalls[0]) };

static void
add_stalls(struct sgpu_device *dev, uint64_t sum[STALLS])
{
   uint64_t values[256];

   sgpu_device_read_counters(dev, values);
   for (unsigned i = 0; i < sgpu_counter_count(); i++) {
      for (unsigned n = 0; n < STALLS; n++) {
         if (!strcmp(sgpu_counter_get_info(i)->name, stalls[n]))
            sum[n] += values[i];
      }
   }
}

static void
compare(uint64_t seed, unsigned streams, unsigned rounds)
{
   static const enum sgpu_dispatch_policy policies[] = {
      SGPU_DISPATCH_OOO_SPLIT_BREAK,
      SGPU_DISPATCH_OOO_SPLIT,
      SGPU_DISPATCH_OOO,
      SGPU_DISPATCH_INORDER,
   };
   static const unsigned threads[] = { 1, 2, 4 };
   struct memory *want = reference(seed, streams, true);
   uint64_t stalled[STALLS] = { 0 };
   unsigned runs = 0, shuffle = 0;

   /* Each device shuffles its work with a different seed. */
   for (unsigned round = 0; round < rounds; round++) {
      for (unsigned p = 0; p < 4; p++) {
         const unsigned t = threads[(shuffle + p) % 3];
         struct sgpu_device *dev = device(t, policies[p], seed + ++shuffle, 0);
         for (unsigned i = 0; i < 2; i++, runs++) {
            const unsigned n = (shuffle * 2 + i) % streams;
            struct memory got = run(dev, seed + n, true);
            if (!same(&got, &want[n]))
               scene_fail("stream %" PRIu64 ", policy %u, %u threads, shuffle %" PRIu64
                          ": other memory",
                          seed + n, policies[p], t, seed + shuffle);
            free(got.bytes);
         }
         add_stalls(dev, stalled);
         sgpu_device_destroy(dev);
      }
   }
   printf("%u runs of %u streams, %u shuffle seeds: the same memory\n", runs, streams, shuffle);
   for (unsigned n = 0; n < STALLS; n++) {
      printf("%s %" PRIu64 "\n", stalls[n], stalled[n]);
      if (!stalled[n])
         scene_fail("%s is 0", stalls[n]);
   }
   free_reference(want, streams);
}

/* Runs the streams without a kind of dependence. One worker and one submission make the order the
 * same in each run of this test.
 */
static void
drop(const char *name, enum sgpu_dependence kind, uint64_t seed, unsigned streams)
{
   struct memory *want = reference(seed, streams, false);
   unsigned differ = 0, runs = 0;

   for (unsigned shuffle = 1; shuffle <= 3; shuffle++) {
      struct sgpu_device *dev = device(1, SGPU_DISPATCH_OOO_SPLIT, shuffle, 1u << kind);
      for (unsigned i = 0; i < streams; i++, runs++) {
         struct memory got = run(dev, seed + i, false);
         differ += !same(&got, &want[i]);
         free(got.bytes);
      }
      sgpu_device_destroy(dev);
   }
   free_reference(want, streams);
   printf("without %s: %u of %u runs differ\n", name, differ, runs);
   if (!differ)
      scene_fail("nothing shows that %s dependences are missing", name);
}

int
main(int argc, char **argv)
{
   uint64_t seed = 1;
   unsigned streams = 48;
   unsigned rounds = 50;

   for (int i = 1; i < argc; i += 2) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      char *rest;
      const uint64_t n = strtoull(value, &rest, 0);
      if (!*value || *rest)
         scene_fail("usage: random_hazards [--rounds N] [--seed N] [--streams N]");
      if (!strcmp(argv[i], "--rounds") && n > 0 && n < 1000000)
         rounds = n;
      else if (!strcmp(argv[i], "--seed"))
         seed = n;
      else if (!strcmp(argv[i], "--streams") && n > 1 && n < 10000)
         streams = n;
      else
         scene_fail("invalid argument %s %s", argv[i], value);
   }

   compare(seed, streams, rounds);
   drop("read after write", SGPU_DEPENDENCE_RAW, seed, streams);
   drop("write after write", SGPU_DEPENDENCE_WAW, seed, streams);
   drop("write after read", SGPU_DEPENDENCE_WAR, seed, streams);
   return 0;
}
