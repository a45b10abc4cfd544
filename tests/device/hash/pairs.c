/* SPDX-License-Identifier: MIT */
/*
 * Scenes that are drawn in two ways have the same pictures, with every policy and order of work:
 * programs that read stored pixels and blending; states and what they stand for.
 */
#include <inttypes.h>
#include <stdio.h>

#include "scene.h"

/* Returns the number of pairs with different pictures. */
static unsigned
compare(struct sgpu_device *dev, unsigned way, const struct scene_pair *pairs)
{
   unsigned differences = 0;

   for (const struct scene_pair *p = pairs; p->name; p++) {
      const uint64_t with = scene_pair_picture(dev, p, true);
      const uint64_t without = scene_pair_picture(dev, p, false);
      if (with != without) {
         printf("%s, way %u: %016" PRIx64 ", not %016" PRIx64 "\n", p->name, way, with, without);
         differences++;
      }
   }
   return differences;
}

int
main(void)
{
   unsigned differences = 0;

   for (unsigned way = 0; way < SCENE_WAYS; way += 2) {
      struct sgpu_device *dev = scene_way_device(way);
      differences += compare(dev, way, scene_fetch_pairs);
      differences += compare(dev, way, scene_state_pairs);
      sgpu_device_destroy(dev);
   }
   printf("%u differences\n", differences);
   return differences != 0;
}
