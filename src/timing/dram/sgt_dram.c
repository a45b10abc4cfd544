/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM: checks the parameters.
 */
#include "dram/sgt_dram.h"

#include <inttypes.h>
#include <stdio.h>

#include "params/sgt_range.h"
#include "util/macros.h"

bool
sgt_dram_params_check(const struct sgt_dram_params *p, char *error, size_t error_size)
{
   const struct sgt_range ranges[] = {
      { "dram.interleave", p->interleave, SGT_DRAM_BURST, p->row_bytes },
   };
   if (!sgt_dram_params_ranges(p, error, error_size) ||
       !sgt_ranges_check(ranges, ARRAY_SIZE(ranges), error, error_size))
      return false;
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
