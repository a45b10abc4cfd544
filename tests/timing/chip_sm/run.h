/* SPDX-License-Identifier: MIT */
/*
 * For cmocka tests: a run of the multiprocessor.
 */
#ifndef SM_RUN_H
#define SM_RUN_H

#include <stdio.h>

#include "../../unit.h"
#include "scene.h"
#include "chip_memory/sgt_mem.h"
#include "util/macros.h"

#define NONE SGT_REG_NONE

struct run {
   struct sgt_sm_params params;
   struct machine_params machine;
   struct machine_result result;
   struct sgt_work *work;
};

/* Begins a run with the default parameters, but with a memory that answers after 10 cycles. */
static inline void
begin(struct run *run)
{
   memset(run, 0, sizeof(*run));
   sgt_sm_params_init(&run->params);
   machine_defaults(&run->machine);
   run->machine.mem_latency = 10;
   run->machine.log = true;
}

static inline void
execute(struct run *run, struct sgt_work *work)
{
   run->work = work;
   machine_run(work, &run->params, &run->machine, &run->result);
   assert_string_equal(run->result.error, "");
   assert_true(machine_sound(work, &run->params, &run->result));
}

static inline void
finish(struct run *run)
{
   machine_finish(&run->result);
   sgt_work_destroy(run->work);
}

/* Returns the number of cycles from the first issue to the last. */
static inline uint64_t
window(const struct machine_result *r)
{
   return r->issues[r->num_issues - 1].cycle - r->issues[0].cycle;
}

/* Returns the cycle in which the operation of a warp was issued for the `time`th time, counted from
 * 0.
 */
static inline uint64_t
cycle_of(const struct machine_result *r, uint32_t warp, uint32_t op, uint32_t time)
{
   for (uint32_t i = 0; i < r->num_issues; i++) {
      const struct issue *e = &r->issues[i];
      if (e->warp == warp && e->op == op && !e->prologue && time-- == 0)
         return e->cycle;
   }
   fail_msg("operation %u of warp %u has not issued", op, warp);
   return 0;
}

static inline struct sgt_work *
finish_work(struct sgt_work_builder *b)
{
   struct sgt_work *work = sgt_work_builder_finish(b);
   sgt_work_builder_destroy(b);
   assert_non_null(work);
   return work;
}

#endif
