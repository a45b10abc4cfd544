/* SPDX-License-Identifier: MIT */
/*
 * The same images everywhere: draws each scene and compares the hash of the result with a list. For
 * each host level of this machine, there are devices with every policy, 1, 2, 4 and 8 threads, 1, 3
 * and 64 raster engines, and a random order of ready work.
 *
 *    device_hash [--quick | --emulated | --threaded] LIST [SCENE...]
 *    device_hash --paths LIST [SCENE...]
 *    device_hash --write [SCENE...] >LIST
 *    device_hash --save FOLDER [SCENE...]
 *
 * --quick: one device of the lowest host level for each policy, with different numbers of threads
 * and engines. Each scene runs on two of them, in turns with and without metadata.
 * --emulated: of these devices, those with the first and the last policy. Each scene runs on one.
 * --threaded: each scene runs on one of the devices with several threads.
 * --paths: devices without one of the paths (src/device/sgpu_paths.py), and one without any path.
 * A device draws the scenes in which some draw has the path.
 * --write prints the list for a device with the parameters of the environment (SGPU_THREADS,
 * SGPU_DISPATCH, SGPU_DEBUG).
 * --save writes the hashed bytes to FOLDER/SCENE, to compare two devices.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "sgpu_counters.h"
#include "sgpu_paths.h"

#define MAX_SCENES 256

static const char *const hosts[] = { "v2", "v3", "v4" };

static const struct scene_info *scenes[MAX_SCENES];
static uint64_t expected[MAX_SCENES];
static bool known[MAX_SCENES];
static unsigned num_scenes;

static void
add_scenes(const struct scene_info *info, char **names, int count)
{
   for (; info->name; info++) {
      bool wanted = count == 0;
      for (int i = 0; i < count; i++)
         wanted |= !strcmp(names[i], info->name);
      if (wanted && num_scenes < MAX_SCENES)
         scenes[num_scenes++] = info;
   }
}

static void
read_list(const char *path)
{
   char name[64];
   uint64_t hash;
   FILE *f = fopen(path, "r");
   if (!f)
      scene_fail("cannot read %s", path);
   while (fscanf(f, "%" SCNx64 " %63s", &hash, name) == 2) {
      for (unsigned i = 0; i < num_scenes; i++) {
         if (!strcmp(scenes[i]->name, name)) {
            expected[i] = hash;
            known[i] = true;
         }
      }
   }
   fclose(f);
   for (unsigned i = 0; i < num_scenes; i++) {
      if (!known[i])
         scene_fail("%s has no line for %s", path, scenes[i]->name);
   }
}

static uint64_t
run(struct sgpu_device *dev, unsigned scene, FILE *save)
{
   static struct scene s;
   scene_begin(&s, dev);
   scene_run(&s, scenes[scene]);
   return scene_end(&s, save);
}

/* Writes the hashes of one device with the environment's parameters. If folder is not NULL, saves
 * the hashed bytes of each scene there.
 */
static void
write_list(const char *folder)
{
   struct sgpu_device_params params;
   if (!sgpu_device_params_from_env(&params))
      scene_fail("parameters");
   struct sgpu_device *dev = scene_device_of(&params);
   for (unsigned i = 0; i < num_scenes; i++) {
      FILE *f = NULL;
      if (folder) {
         char path[512];
         snprintf(path, sizeof(path), "%s/%s", folder, scenes[i]->name);
         f = fopen(path, "wb");
         if (!f)
            scene_fail("cannot write %s", path);
      }
      const uint64_t hash = run(dev, i, f);
      if (f)
         fclose(f);
      printf("%016" PRIx64 " %s\n", hash, scenes[i]->name);
      fflush(stdout);
   }
   sgpu_device_destroy(dev);
}

static bool all_scenes;

/* Prints counters of metadata and dispatch that are 0, and returns their number. The comparison
 * would not test what they count.
 */
static unsigned
unused(struct sgpu_device *dev)
{
   static const char *const names[] = {
      "tiles_cleared",      "tiles_expanded",
      "zcull_slices",       "zcull_blocks",
      "operations",         "entries",
      "stall_order",        "stall_depend",
      "stall_raw",          "stall_waw",
      "stall_war",          "window_operations",
      "window_entries",     "window_operations_max",
      "window_entries_max", "engine_ns",
      "engines_max",        "busy_ns",
      "busy_max",
   };
   uint64_t values[256];
   unsigned count = 0;

   sgpu_device_read_counters(dev, values);
   for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
      for (unsigned i = 0; i < sgpu_counter_count(); i++) {
         if (strcmp(sgpu_counter_get_info(i)->name, names[n]) || values[i])
            continue;
         printf("%s is 0\n", names[n]);
         count++;
      }
   }
   return count;
}

enum choice { ALL, QUICK, EMULATED, THREADED };

/* Returns whether a device with the policy draws the scene with metadata, or without. */
static bool
chosen(enum choice choice, unsigned scene, enum sgpu_dispatch_policy policy, bool metadata)
{
   const unsigned turn = scene + policy;

   switch (choice) {
   case ALL:
      return true;
   case THREADED: /* the last three policies take turns */
      return policy && turn % 3 == 0 && metadata == (turn / 3 & 1);
   default: /* every other policy, in turns */
      return turn % 2 == 0 && metadata == (turn / 2 & 1);
   }
}

/* Returns the number of scenes that differ. */
static unsigned
compare(const struct sgpu_device_params *params, enum choice choice)
{
   unsigned differ = 0;
   struct sgpu_device *dev = scene_device_of(params);

   for (unsigned i = 0; i < 2 * num_scenes; i++) {
      scene_metadata = i & 1;
      if (!chosen(choice, i / 2, params->dispatch, scene_metadata))
         continue;
      const uint64_t hash = run(dev, i / 2, NULL);
      if (hash == expected[i / 2])
         continue;
      printf("%s: %016" PRIx64 ", expected %016" PRIx64
             " (host %s, %u threads, %u engines, %s, shuffle %" PRIu64 "%s)\n",
             scenes[i / 2]->name, hash, expected[i / 2], hosts[params->host], params->threads,
             params->engines, sgpu_dispatch_name(params->dispatch), params->shuffle_seed,
             scene_metadata ? ", metadata" : "");
      differ++;
   }
   if (all_scenes)
      differ += unused(dev);
   sgpu_device_destroy(dev);
   return differ;
}

/* Returns whether the machine has the level. `sgpu test` reports the printed line as a skip. */
static bool
has_host(enum sgpu_host_level level)
{
   const struct sgpu_device_params params = { .threads = 1, .host = level };
   struct sgpu_device *dev = scene_device_of(&params);
   const bool has = sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) == level;
   sgpu_device_destroy(dev);
#if defined(__x86_64__)
   if (!has)
      printf("skipped: host level %s, which this machine or build does not have\n", hosts[level]);
#endif
   return has;
}

static unsigned
compare_all(enum choice choice)
{
   static const unsigned threads[] = { 1, 2, 4, 8 };
   static const unsigned engines[] = { 1, 3, 64 };
   const bool quick = choice != ALL;
   unsigned differ = 0, seed = 0;
   for (unsigned h = SGPU_HOST_BASELINE; h < (quick ? 1 : SGPU_HOST_BEST); h++) {
      if (!has_host(h))
         continue;
      for (unsigned policy = 0; policy < SGPU_DISPATCH_POLICIES; policy++) {
         if (choice == EMULATED && policy && policy != SGPU_DISPATCH_POLICIES - 1)
            continue;
         if (choice == THREADED && !policy)
            continue;
         /* Each policy has one number of threads at each level, and two numbers at the lowest
          * level.
          */
         for (unsigned t = 0; t < (h == SGPU_HOST_BASELINE && !quick ? 2 : 1); t++) {
            seed++;
            /* Two of three devices pick ready work at random, even with one thread. */
            const struct sgpu_device_params params = {
               .threads = threads[(policy + h + 2 * t) % 4],
               .engines = engines[(policy + h + t) % 3],
               .dispatch = policy,
               .host = h,
               .shuffle_seed = seed % 3 ? seed : 0,
            };
            differ += compare(&params, choice);
         }
      }
   }
   return differ;
}

/* Sets bit n of uses[scene] if a draw of the scene has path n. */
static void
find_uses(const struct sgpu_device_params *params, uint32_t *uses)
{
   uint64_t before[SGPU_COUNTER_COUNT], after[SGPU_COUNTER_COUNT];
   struct sgpu_device *dev = scene_device_of(params);

   for (unsigned i = 0; i < num_scenes; i++) {
      sgpu_device_read_counters(dev, before);
      run(dev, i, NULL);
      sgpu_device_read_counters(dev, after);
      uses[i] = 0;
      for (unsigned n = 0; n < SGPU_PATHS; n++) {
         const unsigned c = SGPU_COUNTER_DRAWS_JOIN + n;
         uses[i] |= (uint32_t)(after[c] != before[c]) << n;
      }
   }
   sgpu_device_destroy(dev);
}

/* Draws the scenes that use one of the paths on a device that has none of these paths. Returns the
 * number of scenes that differ.
 */
static unsigned
compare_without(const struct sgpu_device_params *params, uint32_t paths, const uint32_t *uses,
                const char *name)
{
   struct sgpu_device_params without = *params;
   uint64_t counters[SGPU_COUNTER_COUNT];
   unsigned differ = 0, drawn = 0;

   without.no_paths = paths;
   struct sgpu_device *dev = scene_device_of(&without);
   for (unsigned i = 0; i < num_scenes; i++) {
      if (!(uses[i] & paths))
         continue;
      drawn++;
      const uint64_t hash = run(dev, i, NULL);
      if (hash == expected[i])
         continue;
      printf("%s: %016" PRIx64 ", expected %016" PRIx64 " (without %s, host %s)\n", scenes[i]->name,
             hash, expected[i], name, hosts[params->host]);
      differ++;
   }
   sgpu_device_read_counters(dev, counters);
   sgpu_device_destroy(dev);
   for (unsigned n = 0; n < SGPU_PATHS; n++) {
      if (!(paths >> n & 1) || !counters[SGPU_COUNTER_DRAWS_JOIN + n])
         continue;
      printf("draws have the path %s, which is turned off\n", sgpu_paths[n].name);
      differ++;
   }
   if (all_scenes && !drawn) {
      printf("no scene has the path %s\n", name);
      differ++;
   }
   return differ;
}

/* Compares devices without paths. Under the last policy, fragments may wait. With a random order of
 * work, they wait in each tile where this is possible.
 */
static unsigned
compare_paths(void)
{
   const uint32_t all = (uint32_t)((UINT64_C(1) << SGPU_PATHS) - 1);
   static uint32_t uses[MAX_SCENES];
   unsigned differ = 0;

   scene_metadata = true;
   for (unsigned h = SGPU_HOST_BASELINE; h < SGPU_HOST_BEST; h++) {
      const struct sgpu_device_params params = {
         .threads = 2,
         .dispatch = SGPU_DISPATCH_OOO_SPLIT_BREAK,
         .host = h,
         .shuffle_seed = 1,
         .exec = SGPU_EXEC_JIT,
      };
      /* v4 has the paths of v3. */
      if (h == SGPU_HOST_V4 || !has_host(h))
         continue;
      find_uses(&params, uses);
      for (unsigned n = 0; n < SGPU_PATHS; n++)
         differ += compare_without(&params, 1u << n, uses, sgpu_paths[n].name);
      differ += compare_without(&params, all, uses, "any path");
   }
   return differ;
}

int
main(int argc, char **argv)
{
   const bool write = argc > 1 && !strcmp(argv[1], "--write");
   const bool save = argc > 1 && !strcmp(argv[1], "--save");
   static const char *const options[] = {
      [QUICK] = "--quick", [EMULATED] = "--emulated", [THREADED] = "--threaded"
   };
   enum choice choice = ALL;
   for (unsigned i = QUICK; i <= THREADED; i++)
      choice = argc > 1 && !strcmp(argv[1], options[i]) ? i : choice;
   const bool paths = argc > 1 && !strcmp(argv[1], "--paths");
   const int first = save || choice || paths ? 3 : 2;
   if (argc < first) {
      fprintf(stderr, "usage: device_hash [--quick | --emulated | --threaded | --paths] LIST | "
                      "--write | --save FOLDER [SCENE...]\n");
      return 2;
   }
   for (unsigned i = 0; scene_lists[i]; i++)
      add_scenes(scene_lists[i], argv + first, argc - first);
   if (!num_scenes)
      scene_fail("no such scene");

   if (write || save) {
      write_list(save ? argv[2] : NULL);
      return 0;
   }
   read_list(argv[first - 1]);
   all_scenes = argc == first;
   const unsigned differ = paths ? compare_paths() : compare_all(choice);
   printf("%u scenes, %u differences\n", num_scenes, differ);
   return differ != 0;
}
