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
/* Prints a line for each counter, with its name, value, unit and description, and then the
 * means that follow from them.
 */
void cap_counters_print(FILE *fp, const struct cap_counters *c);
/* Prints {NAME: N, ...} with the increases of the workers' counters since `before`; counters
 * that have not changed are left out.
 */
void cap_counters_json(FILE *fp, const struct cap_counters *before, const struct cap_counters *c);

#endif
