/* SPDX-License-Identifier: MIT */
/*
 * Validates ranges of parameters.
 */
#ifndef SGT_RANGE_H
#define SGT_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgt_range {
   const char *name; /* name of the key for error messages, e.g. "SECTION.KEY" */
   uint64_t value, low, high;
   bool power; /* true if the value must be a power of 2 */
};

/* Checks all ranges. If a value is invalid, returns false and writes a message about the first
 * invalid value.
 */
bool sgt_ranges_check(const struct sgt_range *ranges, size_t num, char *error, size_t error_size);

#endif
