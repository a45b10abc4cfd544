/* SPDX-License-Identifier: MIT */
/*
 * Measures the simulated cycles per second of the vertex engine of 2001.
 *
 * usage: bench_nv20 [INSTRUCTIONS [ATTRIBUTES [VERTICES]]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nv20/sgt_nv20.h"

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

int
main(int argc, char **argv)
{
   const struct sgt_vertex_program program = {
      .base = true,
      .outputs = 4,
      .instructions = argc > 1 ? atoi(argv[1]) : 20,
   };
   const uint32_t attributes = argc > 2 ? atoi(argv[2]) : 4;
   const uint64_t vertices = argc > 3 ? strtoull(argv[3], NULL, 0) : 200000;
   struct sgt_vertex_stream stream;
   struct sgt_nv20_params params;
   struct sgt_nv20_result result;
   char error[200] = "out of memory";

   sgt_vertex_stream_init(&stream);
   bool ok = sgt_vertex_stream_program(&stream, &program);
   for (uint64_t i = 0; ok && i < vertices; i++)
      ok = sgt_vertex_stream_add_mask(&stream, (1u << attributes) - 1);
   sgt_nv20_params_init(&params);
   const double begin = seconds();
   ok = ok && sgt_nv20_run(&stream, &params, NULL, &result, error, sizeof(error));
   const double time = seconds() - begin;
   if (ok)
      printf("%" PRIu64 " cycles, %.2f a vertex, %.1f million cycles a second\n", result.cycles,
             (double)result.cycles / vertices, result.cycles / time / 1e6);
   else
      printf("%s\n", error);
   sgt_vertex_stream_finish(&stream);
   return !ok;
}
