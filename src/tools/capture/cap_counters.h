/* SPDX-License-Identifier: MIT */
/*
 * Reads and prints the device's counters.
 */
#ifndef CAP_COUNTERS_H
#define CAP_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

#include "sgpu_counters.h"
#include "sgpu_device.h"

struct cap_counters {
   uint64_t value[SGPU_COUNTER_COUNT];
};

void cap_counters_read(struct sgpu_device *dev, struct cap_counters *c);
/* Prints the name, value, unit and description of each counter, followed by some averages. */
void cap_counters_print(FILE *fp, const struct cap_counters *c);
/* Prints {NAME: N, ...}, where N is the increase of a worker counter since `before`. Omits counters
 * that have not increased.
 */
void cap_counters_json(FILE *fp, const struct cap_counters *before, const struct cap_counters *c);

#endif
