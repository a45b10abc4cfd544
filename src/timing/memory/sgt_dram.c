/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM: parameters.
 */
#include "sgt_dram.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

void
sgt_dram_params_init(struct sgt_dram_params *p)
{
   *p = (struct sgt_dram_params){
      .core_mhz = 100,
      .memory_mhz = 100,
      .channels = 16,
      .banks = 4,
      .row_bytes = 2048,
      .interleave = 128,
      .bus_bytes = 16,
      .queue = 16,
      .hit_limit = 16,
      .t_cas = 3,
      .t_rcd = 3,
      .t_rp = 3,
      .t_ras = 6,
      .t_wr = 2,
      .t_turn = 1,
      .ahead = 8,
      .write_queue = 32,
      .latency = 4,
      .depth_bytes = 4,
      .color_bytes = 4,
      .color_read_always = true,
   };
}

bool
sgt_dram_params_check(const struct sgt_dram_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "core_mhz", p->core_mhz, 1, 100000 },
      { "memory_mhz", p->memory_mhz, 1, 100000 },
      { "channels", p->channels, 1, SGT_DRAM_MAX_CHANNELS },
      { "banks", p->banks, 1, SGT_DRAM_MAX_BANKS },
      { "row_bytes", p->row_bytes, SGT_DRAM_BURST, 1 << 24 },
      { "interleave", p->interleave, SGT_DRAM_BURST, p->row_bytes },
      { "bus_bytes", p->bus_bytes, 1, SGT_DRAM_BURST },
      { "queue", p->queue, 1, 4096 },
      { "hit_limit", p->hit_limit, 0, 1 << 20 },
      { "t_cas", p->t_cas, 1, 1000 },
      { "t_rcd", p->t_rcd, 1, 1000 },
      { "t_rp", p->t_rp, 1, 1000 },
      { "t_ras", p->t_ras, 0, 1000 },
      { "t_wr", p->t_wr, 0, 1000 },
      { "t_turn", p->t_turn, 0, 1000 },
      { "ahead", p->ahead, 1, 4096 },
      { "write_queue", p->write_queue, 8, 4096 },
      { "latency", p->latency, 1, 100000 },
      { "depth_bytes", p->depth_bytes, 0, 4 },
      { "color_bytes", p->color_bytes, 0, 4 },
      { "texture_bytes", p->texture_bytes, 0, 64 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "dram.%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   const struct {
      const char *name;
      uint32_t value, unit;
   } multiples[] = {
      { "interleave", p->interleave, SGT_DRAM_BURST },
      { "row_bytes", p->row_bytes, p->interleave },
      { "depth_bytes", p->depth_bytes, 4 },
      { "color_bytes", p->color_bytes, 4 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(multiples); i++) {
      if (multiples[i].value % multiples[i].unit == 0)
         continue;
      snprintf(error, error_size, "dram.%s: %" PRIu32 " is not a multiple of %" PRIu32,
               multiples[i].name, multiples[i].value, multiples[i].unit);
      return false;
   }
   return true;
}
