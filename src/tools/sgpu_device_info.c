/* SPDX-License-Identifier: MIT */
/* sgpu-device: prints the parameters of the device, or the names of its counters. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sgpu_device.h"
#include "sgpu_version.h"

static void
usage(FILE *f)
{
   fputs("usage: sgpu-device [--counters]\n\n"
         "Prints the parameters of the device as SGPU_THREADS, SGPU_DISPATCH and\n"
         "SGPU_DEBUG set them, or the names of its counters.\n"
         "\n"
         "  --counters  print the names of the counters, with unit and meaning\n"
         "  --help      print this text\n"
         "  --version   print the version\n",
         f);
}

int
main(int argc, char **argv)
{
   static const char *const levels[] = { "baseline (x86-64-v2, or another host)",
                                         "x86-64-v3 (AVX2)", "x86-64-v4 (AVX-512)" };

   if (argc > 1 && !strcmp(argv[1], "--help")) {
      usage(stdout);
      return 0;
   }
   if (argc > 1 && !strcmp(argv[1], "--version")) {
      puts("sgpu-device " SGPU_VERSION);
      return 0;
   }
   if (argc > 1 && !strcmp(argv[1], "--counters")) {
      for (unsigned i = 0; i < sgpu_counter_count(); i++) {
         const struct sgpu_counter_info *info = sgpu_counter_get_info(i);
         printf("%-20s %-12s %s\n", info->name, info->unit, info->description);
      }
      return 0;
   }
   if (argc > 1) {
      usage(stderr);
      return 2;
   }

   struct sgpu_device_params params;
   struct sgpu_device *dev;
   if (!sgpu_device_params_from_env(&params))
      return 1;
   const int ret = sgpu_device_create(&params, &dev);
   if (ret) {
      fprintf(stderr, "sgpu-device: no device: %s\n", strerror(-ret));
      return 1;
   }
   printf("workers: %" PRIu64 "\n", sgpu_device_get_param(dev, SGPU_PARAM_THREADS));
   printf("raster engines: %" PRIu64 "\n", sgpu_device_get_param(dev, SGPU_PARAM_ENGINES));
   printf("dispatch: %s\n", sgpu_dispatch_name(sgpu_device_get_param(dev, SGPU_PARAM_DISPATCH)));
   printf("engines built for: %s\n", levels[sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL)]);
   printf("address space: %" PRIu64 " GiB\n",
          sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_SIZE) >> 30);
   sgpu_device_destroy(dev);
   return 0;
}
