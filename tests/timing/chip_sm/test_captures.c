/* SPDX-License-Identifier: MIT */
/*
 * Runs all warps of a capture on the multiprocessor.  Checks conditions that hold in every run, and
 * that the results are those of the reference.
 *
 * usage: test_captures [--alone] FILE.sgcap      --alone: without the reference
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_rig.h"
#include "scene.h"

int
main(int argc, char **argv)
{
   const bool alone = argc > 2 && !strcmp(argv[1], "--alone");
   struct sgt_sm_params params;
   struct machine_params m;
   struct machine_result a, b;
   struct sgt_work *work;
   capture_rig_load(argv[argc - 1], NULL, &work);
   sgt_sm_params_init(&params);
   machine_defaults(&m);
   m.limit = 1000000000;
   m.spread = 50;
   machine_run(work, &params, &m, &a);
   bool good = !a.error[0] && machine_sound(work, &params, &a);
   uint64_t ops = 0;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++)
      ops += a.stats.ops[i];
   printf("%s%u programs, %u warps, %" PRIu64 " operations, %" PRIu64 " cycles\n", a.error,
          work->num_programs, work->num_warps, ops, a.stats.cycles);
   if (good && !alone) {
      m.reference = true;
      machine_run(work, &params, &m, &b);
      good = !memcmp(&a.stats, &b.stats, sizeof(a.stats)) && a.num_done == b.num_done &&
             !memcmp(a.done, b.done, a.num_done * sizeof(*a.done)) &&
             !memcmp(a.done_at, b.done_at, a.num_done * sizeof(*a.done_at));
      if (!good)
         printf("the reference does otherwise\n");
      machine_finish(&b);
   }
   machine_finish(&a);
   sgt_work_destroy(work);
   return good ? 0 : 1;
}
