/* SPDX-License-Identifier: MIT */
/*
 * Programs that read stored pixels draw the same pictures as blending, with every policy and order
 * of work.
 */
#include <inttypes.h>
#include <stdio.h>

#include "scene.h"

int
main(void)
{
   unsigned differences = 0;

   for (unsigned way = 0; way < SCENE_WAYS; way += 2) {
      struct sgpu_device *dev = scene_way_device(way);
      for (const struct scene_pair *p = scene_fetch_pairs; p->name; p++) {
         const uint64_t with = scene_pair_picture(dev, p, true);
         const uint64_t without = scene_pair_picture(dev, p, false);
         if (with != without) {
            printf("%s, way %u: %016" PRIx64 ", not %016" PRIx64 "\n", p->name, way, with, without);
            differences++;
         }
      }
      sgpu_device_destroy(dev);
   }
   printf("%u differences\n", differences);
   return differences != 0;
}
