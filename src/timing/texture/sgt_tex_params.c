/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: parameters.
 */
#include "sgt_tex.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

void
sgt_tex_params_init(struct sgt_tex_params *p)
{
   *p = (struct sgt_tex_params){
      .addresses = 4,
      .filters = 8,
      .texel_bytes = 4,
      .lookups = 4,
      .line_bytes = 128,
      .sets = 8,
      .ways = 5,
      .fifo = 128,
      .fills = 128,
      .memory_queue = 16,
      .latency = 64,
   };
}

bool
sgt_tex_params_check(const struct sgt_tex_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, low, high;
      bool power;
   } ranges[] = {
      { "addresses", p->addresses, 1, 64, false },
      { "filters", p->filters, 1, 64, false },
      { "texel_bytes", p->texel_bytes, 1, 32, false },
      { "lookups", p->lookups, 1, 64, false },
      { "line_bytes", p->line_bytes, 64, 1024, true },
      { "sets", p->sets, 1, 65536, true },
      { "ways", p->ways, 1, 64, false },
      { "fifo", p->fifo, 1, 4096, false },
      { "fills", p->fills, 1, 4096, false },
      { "memory_queue", p->memory_queue, 1, 4096, false },
      { "latency", p->latency, 1, 4096, false },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      const uint32_t value = ranges[i].value;
      if (value < ranges[i].low || value > ranges[i].high) {
         snprintf(error, error_size, "texture.%s: %" PRIu32 " is not from %" PRIu32 " to %" PRIu32,
                  ranges[i].name, value, ranges[i].low, ranges[i].high);
         return false;
      }
      if (ranges[i].power && value & (value - 1)) {
         snprintf(error, error_size, "texture.%s: %" PRIu32 " is not a power of 2", ranges[i].name,
                  value);
         return false;
      }
   }
   if (p->memory_queue < p->line_bytes / 64) {
      snprintf(error, error_size,
               "texture.memory_queue: %" PRIu32 " is less than the %" PRIu32 " requests of a line",
               p->memory_queue, p->line_bytes / 64);
      return false;
   }
   return true;
}
