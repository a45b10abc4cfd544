/* SPDX-License-Identifier: MIT */
/*
 * ROP: parameters.
 */
#include "sgt_rop.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

void
sgt_rop_params_init(struct sgt_rop_params *p)
{
   *p = (struct sgt_rop_params){
      .pixels = 4,
      .depth_pixels = 8,
      .blend_pixels = 2,
      .pixel_bytes = 4,
      .queue = 16,
      .waiting = 64,
      .latency = 16,
      .cache_sets = 16,
      .cache_ways = 4,
      .mshrs = 32,
      .memory_queue = 64,
      .decompress = 8,
      .clear_tiles = 1024,
      .partitions = 6,
      .compression = true,
   };
}

bool
sgt_rop_params_check(const struct sgt_rop_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "pixels", p->pixels, 1, 64 },
      { "depth_pixels", p->depth_pixels, 1, 64 },
      { "blend_pixels", p->blend_pixels, 1, 64 },
      { "pixel_bytes", p->pixel_bytes, 1, 32 },
      { "queue", p->queue, 1, 4096 },
      { "waiting", p->waiting, 1, 4096 },
      { "latency", p->latency, 1, 4096 },
      { "cache_sets", p->cache_sets, 1, 4096 },
      { "cache_ways", p->cache_ways, 1, SGT_CACHE_MAX_WAYS },
      { "mshrs", p->mshrs, 1, 4096 },
      { "memory_queue", p->memory_queue, 16, 4096 },
      { "decompress", p->decompress, 0, 4096 },
      { "clear_tiles", p->clear_tiles, 1, 1 << 20 },
      { "partitions", p->partitions, 1, 64 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "rop.%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   if (p->cache_sets & (p->cache_sets - 1)) {
      snprintf(error, error_size, "rop.cache_sets: %" PRIu32 " is not a power of 2", p->cache_sets);
      return false;
   }
   return true;
}
