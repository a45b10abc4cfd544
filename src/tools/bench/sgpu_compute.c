/* SPDX-License-Identifier: MIT */
/*
 * Runs compute benchmarks on any OpenGL 4.3 driver.
 *
 *    sgpu-compute [-w SECONDS] [-s SECONDS] NAME
 *
 * Checks the results of the first frames of benchmark NAME, runs more frames for a warm-up
 * (-w, default 0.5 s), then runs and counts frames (-s, default 2 s).  Waits for each
 * frame.  Prints the number of frames and their total time in seconds, as in sgpu-shot.
 * Without a name, prints the list of benchmarks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_compute.h"

static const struct bench *const benches[] = { &bench_particles, &bench_blur, &bench_reduction,
                                               &bench_matrix, &bench_scan };
#define BENCHES (sizeof(benches) / sizeof(benches[0]))

int
main(int argc, char **argv)
{
   double warm_up = 0.5, seconds = 2.0, elapsed;
   int option;

   while ((option = getopt(argc, argv, "w:s:")) != -1) {
      if (option == 'w')
         warm_up = atof(optarg);
      else if (option == 's')
         seconds = atof(optarg);
      else
         return 2;
   }
   if (optind == argc) {
      for (unsigned i = 0; i < BENCHES; i++)
         printf("%-10s %s\n", benches[i]->name, benches[i]->text);
      return 0;
   }
   for (unsigned i = 0; i < BENCHES; i++) {
      const struct bench *bench = benches[i];
      if (strcmp(bench->name, argv[optind]))
         continue;
      bench_make_context(4, 3);
      bench->prepare();
      if (!bench->check())
         bench_fail("the results are wrong");
      bench_run(bench->frame, warm_up, &elapsed);
      const unsigned frames = bench_run(bench->frame, seconds, &elapsed);
      if (glGetError() != GL_NO_ERROR)
         bench_fail("an OpenGL error");
      printf("%u %.6f\n", frames, elapsed);
      return 0;
   }
   bench_fail("there is no such benchmark; without a name, sgpu-compute lists them");
}
