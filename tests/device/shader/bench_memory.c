/* SPDX-License-Identifier: MIT */
/*
 * Prints the time of memory operations on the highest host level: nanoseconds for one instruction
 * of a warp, by address pattern.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine.h"
#include "sgpu_fp.h"

#define REPEATS 64
#define RUNS 4000
#define BYTES (1 << 16)

struct pattern {
   const char *name;
   /* distances in bytes: lane l is at l % row * step + l / row * row_step */
   unsigned step, row, row_step;
};

static const struct pattern patterns[] = {
   { "one address", 0, 32, 0 }, { "words", 4, 32, 0 },         { "vectors", 16, 32, 0 },
   { "rows of 8", 4, 8, 256 },  { "a row's word", 0, 8, 256 }, { "scattered", 36, 5, 1000 },
};

static uint8_t buffer[BYTES], shared[BYTES];

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
measure(struct test_worker *tw, const struct level *level, const char *name,
        struct sgpu_instr instr, enum sgpu_stage stage, bool alone)
{
   struct code *code = malloc(sizeof(*code));
   const char *error;
   const enum sgpu_file file = stage == SGPU_STAGE_COMPUTE ? SGPU_FILE_SYS : SGPU_FILE_INPUT;
   const unsigned first = stage == SGPU_STAGE_COMPUTE ? SGPU_SYS_LOCAL_ID : 0;

   code_init(code, stage);
   code->temps = 4;
   if (instr.src[0].file != SGPU_FILE_NONE) {
      instr.src[0].file = file;
      instr.src[0].index = (int16_t)first;
   }
   for (unsigned n = 0; n < REPEATS; n++)
      code_add(code, instr);
   struct sgd_shader *shader = code_load(code, &error);
   if (!shader) {
      printf("%s: %s\n", name, error);
      return;
   }
   shader->code->execute = level->interpret;

   printf("%-14s", name);
   for (unsigned p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++) {
      const struct sgd_span buffers[SGD_MAX_BUFFERS] = { { buffer, BYTES } };
      const struct sgd_env env = { .buffers = buffers };
      struct sgd_worker *worker = test_worker_begin(tw, 0);
      struct sgd_warp *w = &worker->core->warp;
      worker->alone = alone;
      level->begin(worker, shader, &env);
      w->shared = shared;
      w->shared_size = BYTES;
      struct sgd_vec *at = stage == SGPU_STAGE_COMPUTE ? &w->sys[first] : &w->in[0];
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const struct pattern *pat = &patterns[p];
         at->c[0][l] = l % pat->row * pat->step + l / pat->row * pat->row_step;
      }
      const uint64_t saved = sgpu_fp_enter();
      double best = 1e30;
      for (unsigned k = 0; k < 5; k++) {
         const double start = now();
         for (unsigned n = 0; n < RUNS / 5; n++) {
            uint32_t live = ~0u;
            level->run(worker, shader, &env, ~0u, &live);
         }
         const double each = (now() - start) / ((double)RUNS / 5 * REPEATS);
         best = each < best ? each : best;
      }
      sgpu_fp_leave(saved);
      printf(" %14.1f", best);
   }
   printf("\n");
   sgd_shader_destroy(shader);
   free(code);
}

static struct sgpu_instr
access_of(enum sgpu_opcode op, unsigned mask, unsigned aop, bool result)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   struct sgpu_instr i = sgpu_instr_init(op);
   i.aop = aop;
   i.src[0] = src_x(SGPU_FILE_TEMP, 0, 0);
   if (info->num_srcs > 1)
      i.src[1] = src(SGPU_FILE_TEMP, 1);
   if (info->flags & SGPU_OPF_WMASK)
      i.dst.mask = mask;
   else if (result)
      i.dst = dst_m(SGPU_FILE_TEMP, 2, mask);
   return i;
}

int
main(void)
{
   struct test_worker *tw = test_worker_create();
   struct level levels[MAX_LEVELS];
   const struct level *level = &levels[test_levels(levels) - 1];
   const enum sgpu_stage p = SGPU_STAGE_PIXEL, c = SGPU_STAGE_COMPUTE;

   printf("level %s\n%-14s", level->name, "");
   for (unsigned k = 0; k < sizeof(patterns) / sizeof(patterns[0]); k++)
      printf(" %14s", patterns[k].name);
   printf("\n");
   measure(tw, level, "LDB.x", access_of(SGPU_OP_LDB, 1, 0, true), p, false);
   measure(tw, level, "LDB.xy", access_of(SGPU_OP_LDB, 3, 0, true), p, false);
   measure(tw, level, "LDB.xyz", access_of(SGPU_OP_LDB, 7, 0, true), p, false);
   measure(tw, level, "LDB", access_of(SGPU_OP_LDB, 15, 0, true), p, false);
   measure(tw, level, "STB.x", access_of(SGPU_OP_STB, 1, 0, false), p, false);
   measure(tw, level, "STB.xyz", access_of(SGPU_OP_STB, 7, 0, false), p, false);
   measure(tw, level, "STB", access_of(SGPU_OP_STB, 15, 0, false), p, false);
   measure(tw, level, "LDS.x", access_of(SGPU_OP_LDS, 1, 0, true), c, false);
   measure(tw, level, "STS.x", access_of(SGPU_OP_STS, 1, 0, false), c, false);
   measure(tw, level, "ATB.ADD _", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_ADD, false), p, false);
   measure(tw, level, "ATB.ADD", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_ADD, true), p, false);
   measure(tw, level, "ATB.UMAX _", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_UMAX, false), p, false);
   measure(tw, level, "ATB.CAS", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_CAS, true), p, false);
   measure(tw, level, "ATS.ADD _", access_of(SGPU_OP_ATS, 1, SGPU_ATOMIC_ADD, false), c, false);
   printf("of ordered draws and grids\n");
   measure(tw, level, "ATB.ADD _", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_ADD, false), p, true);
   measure(tw, level, "ATB.ADD", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_ADD, true), p, true);
   measure(tw, level, "ATB.UMAX _", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_UMAX, false), p, true);
   measure(tw, level, "ATB.CAS", access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_CAS, true), p, true);
   test_worker_destroy(tw);
   return 0;
}
