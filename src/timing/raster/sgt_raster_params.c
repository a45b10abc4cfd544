/* SPDX-License-Identifier: MIT */
/*
 * Parameters of setup, raster and zcull: defaults and ranges.
 */
#include "sgt_raster_params.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

void
sgt_raster_params_init(struct sgt_raster_params *p)
{
   *p = (struct sgt_raster_params){
      .setup = 1,
      .setup_latency = 10,
      .setup_queue = 32,
      .coarse = 1,
      .zcull = 1,
      .zcull_latency = 5,
      .zcull_queue = 16,
      .fine = 2,
      .fine_latency = 4,
      .fine_queue = 16,
      .block_queue = 16,
      .early_queue = 256,
      .early_rate = 4,
      .release_queue = 16,
   };
}

bool
sgt_raster_params_check(const struct sgt_raster_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, high;
   } ranges[] = {
      { "setup", p->setup, 64 },
      { "setup_latency", p->setup_latency, 1024 },
      { "setup_queue", p->setup_queue, 65536 },
      { "coarse", p->coarse, 64 },
      { "zcull", p->zcull, 64 },
      { "zcull_latency", p->zcull_latency, 1024 },
      { "zcull_queue", p->zcull_queue, 65536 },
      { "fine", p->fine, 64 },
      { "fine_latency", p->fine_latency, 1024 },
      { "fine_queue", p->fine_queue, 65536 },
      { "block_queue", p->block_queue, 65536 },
      { "early_queue", p->early_queue, 65536 },
      { "early_rate", p->early_rate, 64 },
      { "release_queue", p->release_queue, 65536 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= 1 && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "raster.%s: %" PRIu32 " is not from 1 to %" PRIu32,
               ranges[i].name, ranges[i].value, ranges[i].high);
      return false;
   }
   return true;
}
