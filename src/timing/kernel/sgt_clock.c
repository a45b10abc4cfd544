/* SPDX-License-Identifier: MIT */
/*
 * Clock domains: computes the periods in ticks.
 */
#include "kernel/sgt_clock.h"

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
   while (b) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

bool
sgt_clocks_init(struct sgt_clock *clocks, unsigned num)
{
   uint64_t multiple = 1;
   for (unsigned i = 0; i < num; i++) {
      const uint64_t mhz = clocks[i].mhz;
      if (!mhz)
         return false;
      multiple *= mhz / greatest_common_divisor(multiple, mhz);
      if (multiple > UINT32_MAX)
         return false;
   }
   for (unsigned i = 0; i < num; i++)
      clocks[i].period = multiple / clocks[i].mhz;
   return true;
}
