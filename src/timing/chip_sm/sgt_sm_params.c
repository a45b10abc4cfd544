/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: checks of parameters that depend on other parameters.
 */
#include "params/sgt_sm_params.h"

#include <inttypes.h>
#include <stdio.h>

#include "params/sgt_range.h"
#include "util/macros.h"
#include "util/u_math.h"

bool
sgt_sm_params_check(const struct sgt_sm_params *p, char *error, size_t error_size)
{
   const struct sgt_range ranges[] = {
      { "sm.buffer", p->buffer, p->fetch_width, SGT_SM_MAX_BUFFER },
      { "sm.icache_bytes", p->icache_bytes, 64 * p->icache_ways, SGT_SM_MAX_CACHE },
      { "sm.const_bytes", p->const_bytes, 64 * p->const_ways, SGT_SM_MAX_CACHE },
   };
   if (!sgt_sm_params_ranges(p, error, error_size) ||
       !sgt_ranges_check(ranges, ARRAY_SIZE(ranges), error, error_size))
      return false;
   const struct {
      const char *name;
      uint32_t value, unit;
   } powers[] = {
      { "op_bytes", p->op_bytes, 1 },
      { "icache_bytes", p->icache_bytes, 64 * p->icache_ways },
      { "const_bytes", p->const_bytes, 64 * p->const_ways },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(powers); i++) {
      if (powers[i].value % powers[i].unit == 0 &&
          util_is_power_of_two_nonzero(powers[i].value / powers[i].unit))
         continue;
      snprintf(error, error_size, "sm.%s: %" PRIu32 " is not a power of two times %" PRIu32,
               powers[i].name, powers[i].value, powers[i].unit);
      return false;
   }
   return true;
}
