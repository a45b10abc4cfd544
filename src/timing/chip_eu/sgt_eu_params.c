/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: checks of parameters that depend on other parameters.
 */
#include <stdio.h>

#include "chip_eu/sgt_eu.h"

static bool
eu_expect(bool ok, const char *name, uint64_t value, const char *expected, char *error, size_t size)
{
   if (!ok)
      snprintf(error, size, "eu.%s = %llu: expected %s", name, (unsigned long long)value, expected);
   return ok;
}

bool
sgt_eu_params_check(const struct sgt_eu_params *p, char *error, size_t size)
{
   return sgt_eu_params_ranges(p, error, size) &&
          sgt_eu_const_params_check(&p->constants, error, size) &&
          eu_expect(!(p->threads & 1), "threads", p->threads, "an even number", error, size) &&
          eu_expect(p->threads * p->width >= 32, "threads", p->threads,
                    "slots for the threads of a warp: 32 / eu.width", error, size);
}
