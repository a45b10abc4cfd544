/* SPDX-License-Identifier: MIT */
/*
 * Validates ranges of parameters.
 */
#include "params/sgt_range.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"
#include "util/u_math.h"

bool
sgt_ranges_check(const struct sgt_range *ranges, size_t num, char *error, size_t error_size)
{
   for (size_t i = 0; i < num; i++) {
      const struct sgt_range *r = &ranges[i];
      if (r->value < r->low || r->value > r->high) {
         snprintf(error, error_size, "%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64, r->name,
                  r->value, r->low, r->high);
         return false;
      }
      if (r->power && !util_is_power_of_two_or_zero64(r->value)) {
         snprintf(error, error_size, "%s: %" PRIu64 " is not a power of 2", r->name, r->value);
         return false;
      }
   }
   return true;
}
