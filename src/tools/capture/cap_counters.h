/* SPDX-License-Identifier: MIT */
/*
 * The device's counters, for tools.
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
/* A line for each counter: name, value, unit, meaning; then the means of sums. */
void cap_counters_print(FILE *fp, const struct cap_counters *c);
/* {NAME: N, ...}: what workers have counted since `before`, other than 0. */
void cap_counters_json(FILE *fp, const struct cap_counters *before, const struct cap_counters *c);

#endif
