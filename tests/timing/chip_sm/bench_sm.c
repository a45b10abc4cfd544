/* SPDX-License-Identifier: MIT */
/*
 * Measures how many cycles of a multiprocessor are simulated per second of CPU time.
 *
 * usage: bench_sm [SECONDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scene.h"
#include "util/macros.h"

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Makes programs of `num` operations.  One of `texture` operations is a texture access, and one of
 * `sfu` is a special function.  Each operation depends on one of the three previous ones.
 */
static struct sgt_work *
mix(uint32_t num, uint32_t texture, uint32_t sfu, uint32_t warps)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct sgt_random r = { 7 };
   struct program_builder b;
   program_begin(&b, SGPU_STAGE_PIXEL);
   b.program->num_inputs = 6;
   uint32_t textures = 0;
   for (uint32_t i = 0; i < num; i++) {
      const uint32_t dst = i % 32, src = (i + 32 - 1 - sgt_random_below(&r, 3)) % 32;
      if (texture && i % texture == texture - 1) {
         program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TEX, dst, src, SGT_REG_NONE);
         textures++;
      } else if (sfu && i % sfu == sfu - 1) {
         program_op(&b, SGT_PIPE_SFU, SGPU_OP_RCP, dst, src, SGT_REG_NONE);
      } else {
         program_op(&b, SGT_PIPE_ALU, i % 3 ? SGPU_OP_MAD : SGPU_OP_MUL, dst, src, (src + 7) % 32);
      }
   }
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   for (uint32_t i = 0; i < warps; i++) {
      sgt_work_builder_warp(w, program, UINT32_MAX, i);
      const struct sgt_access a = { .kind = SGT_ACCESS_TEXTURE, .lanes = 32, .work = 32 };
      for (uint32_t n = 0; n < textures; n++)
         sgt_work_builder_access(w, &a, NULL, 0);
   }
   struct sgt_work *work = sgt_work_builder_finish(w);
   sgt_work_builder_destroy(w);
   if (!work)
      abort();
   return work;
}

int
main(int argc, char **argv)
{
   const double least = argc > 1 ? atof(argv[1]) : 1;
   const struct {
      const char *name;
      uint32_t num, texture, sfu, warps;
   } mixes[] = {
      { "MAD and MUL", 200, 0, 0, 2000 },
      { "with special functions", 200, 0, 10, 2000 },
      { "with textures", 200, 20, 10, 2000 },
      { "short, textures", 20, 5, 10, 20000 },
   };
   struct sgt_sm_params params;
   struct machine_params m;
   sgt_sm_params_init(&params);
   machine_defaults(&m);
   m.limit = 1000000000;
   m.tex_latency = 300;
   printf("%-24s %12s %8s %8s %12s\n", "", "cycles", "IPC", "busy %", "Mcycles/s");
   for (unsigned i = 0; i < ARRAY_SIZE(mixes); i++) {
      struct sgt_work *work = mix(mixes[i].num, mixes[i].texture, mixes[i].sfu, mixes[i].warps);
      struct machine_result r;
      const double begin = seconds();
      uint64_t cycles = 0, ops = 0, waits = 0;
      do {
         machine_run(work, &params, &m, &r);
         cycles += r.stats.cycles;
         ops += r.stats.ops[SGT_SM_PIXEL];
         for (uint32_t s = SGT_SM_STALL; s < SGT_SM_STATES; s++)
            waits += r.stats.states[s];
         machine_finish(&r);
      } while (seconds() - begin < least);
      printf("%-24s %12" PRIu64 " %8.3f %8.1f %12.2f\n", mixes[i].name, cycles,
             (double)ops / cycles, 100.0 - 100.0 * waits / cycles,
             cycles / (seconds() - begin) * 1e-6);
      sgt_work_destroy(work);
   }
   return 0;
}
