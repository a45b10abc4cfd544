/* SPDX-License-Identifier: MIT */
/*
 * Reads and prints the device's counters.
 */
#include "cap_counters.h"

#include <inttypes.h>

void
cap_counters_read(struct sgpu_device *dev, struct cap_counters *c)
{
   sgpu_device_read_counters(dev, c->value);
}

/* Prints an average. Counter `sum` is the sum of the values, and counter `count` is their number.
 */
static void
print_mean(FILE *fp, const struct cap_counters *c, const char *what, enum sgpu_counter sum,
           enum sgpu_counter count)
{
   if (c->value[count])
      fprintf(fp, "%s: %.2f\n", what, (double)c->value[sum] / c->value[count]);
}

void
cap_counters_print(FILE *fp, const struct cap_counters *c)
{
   for (unsigned i = 0; i < SGPU_COUNTER_COUNT; i++) {
      const struct sgpu_counter_info *info = sgpu_counter_get_info(i);
      fprintf(fp, "%-22s %16" PRIu64 " %-12s %s\n", info->name, c->value[i], info->unit,
              info->description);
   }
   print_mean(fp, c, "operations under way, mean", SGPU_COUNTER_WINDOW_OPERATIONS,
              SGPU_COUNTER_OPERATIONS);
   print_mean(fp, c, "tile entries in queues, mean", SGPU_COUNTER_WINDOW_ENTRIES,
              SGPU_COUNTER_ENTRIES);
   print_mean(fp, c, "lanes of a pixel warp, mean", SGPU_COUNTER_PIXEL_LANES,
              SGPU_COUNTER_PIXEL_WARPS);
}

void
cap_counters_json(FILE *fp, const struct cap_counters *before, const struct cap_counters *c)
{
   bool any = false;

   fputc('{', fp);
   for (unsigned i = 0; i < SGPU_WORKER_COUNTERS; i++) {
      if (c->value[i] == before->value[i])
         continue;
      fprintf(fp, "%s\"%s\": %" PRIu64, any ? ", " : "", sgpu_counter_get_info(i)->name,
              c->value[i] - before->value[i]);
      any = true;
   }
   fputc('}', fp);
}
