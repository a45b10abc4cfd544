/* SPDX-License-Identifier: MIT */
/*
 * Devices that must leave the same bits, for tests that run on each of them.
 */
#include "scene.h"

#include <stdlib.h>

static const struct {
   unsigned threads;
   enum sgpu_dispatch_policy policy;
   uint64_t shuffle;
} ways[] = {
   { 1, SGPU_DISPATCH_INORDER, 0 },
   { 3, SGPU_DISPATCH_OOO, 2 },
   { 4, SGPU_DISPATCH_OOO_SPLIT_BREAK, 5 },
   { 2, SGPU_DISPATCH_OOO_SPLIT, 0 },
   { 1, SGPU_DISPATCH_OOO_SPLIT, 0 },
   { 4, SGPU_DISPATCH_OOO_SPLIT, 7 },
   { 2, SGPU_DISPATCH_OOO, 0 },
   { 1, SGPU_DISPATCH_OOO_SPLIT_BREAK, 0 },
   { 2, SGPU_DISPATCH_OOO_SPLIT_BREAK, 0 },
};

struct sgpu_device *
scene_way_device(unsigned way)
{
   return scene_device(ways[way].threads, ways[way].policy, ways[way].shuffle);
}

void
scene_each_way(unsigned seeds, void (*test)(struct sgpu_device *dev, uint64_t seed))
{
   for (unsigned way = 0; way < SCENE_WAYS; way++) {
      struct sgpu_device *dev = scene_way_device(way);
      for (uint64_t seed = 0; seed < seeds; seed++)
         test(dev, seed);
      sgpu_device_destroy(dev);
   }
}

void
scene_compare_ways(unsigned seeds,
                   uint64_t (*picture)(struct sgpu_device *dev, uint64_t seed, bool other))
{
   uint64_t *want = calloc(seeds, sizeof(*want)), different = 0;

   for (unsigned w = 0; w < SCENE_WAYS; w++) {
      struct sgpu_device *dev = scene_way_device(w);
      for (unsigned seed = 0; seed < seeds; seed++) {
         if (w == 0)
            want[seed] = picture(dev, seed, false);
         if (picture(dev, seed, true) != want[seed])
            scene_fail("way %u, seed %u: different picture", w, seed);
         different |= want[seed] ^ want[0];
      }
      sgpu_device_destroy(dev);
   }
   free(want);
   if (!different)
      scene_fail("all seeds have the same picture");
}
