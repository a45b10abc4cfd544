/* SPDX-License-Identifier: MIT */
/*
 * Runs the multiprocessor and its reference in lockstep, on random works with random parameters:
 * the same operations of the same warps at the same cycles, and the same accounts, for any order
 * of units.
 *
 * usage: test_lockstep [ROUNDS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_work.h"
#include "scene.h"
#include "util/macros.h"

static void
print_issue(const char *who, const struct machine_result *r, uint32_t i)
{
   if (i >= r->num_issues) {
      printf("  %s: ends before\n", who);
      return;
   }
   const struct issue *e = &r->issues[i];
   printf("  %s: cycle %" PRIu64 ": slot %u, warp %u, operation %u%s, %s\n", who, e->cycle, e->slot,
          e->warp, e->op, e->prologue ? " of the prologue" : "", sgt_sm_state_names[e->state]);
}

static bool
same_issues(const struct machine_result *a, const struct machine_result *b)
{
   const uint32_t num = MIN2(a->num_issues, b->num_issues);
   uint32_t i = 0;
   while (i < num && !memcmp(&a->issues[i], &b->issues[i], sizeof(*a->issues)))
      i++;
   if (i == a->num_issues && i == b->num_issues)
      return true;
   printf("issue %u:\n", i);
   print_issue("unit", a, i);
   print_issue("reference", b, i);
   return false;
}

#define SAME(member) same(#member, &a->member, &b->member, sizeof(a->member))
static bool
same(const char *name, const void *x, const void *y, size_t bytes)
{
   const uint64_t *a = x, *b = y;
   if (!memcmp(x, y, bytes))
      return true;
   for (size_t i = 0; i < bytes / sizeof(*a); i++)
      if (a[i] != b[i])
         printf("%s[%zu]: unit %" PRIu64 ", reference %" PRIu64 "\n", name, i, a[i], b[i]);
   return false;
}

static bool
same_stats(const struct sgt_sm_stats *a, const struct sgt_sm_stats *b)
{
   if (!memcmp(a, b, sizeof(*a)))
      return true;
   return SAME(cycles) & SAME(states) & SAME(waits) & SAME(residence) & SAME(occupancy) &
          SAME(active) & SAME(warps) & SAME(done) & SAME(ops) & SAME(instrs) & SAME(lanes) &
          SAME(unit_ops) & SAME(prologue) & SAME(alu_busy) & SAME(sfu_busy) & SAME(shared_busy) &
          SAME(const_busy) & SAME(bank_conflicts) & SAME(shared_conflicts) & SAME(urgent) &
          SAME(jumps) & SAME(flushed) & SAME(fetches) & SAME(fetched) & SAME(icache) &
          SAME(constants) & SAME(accesses) & SAME(lines) & SAME(requests) & SAME(icache_requests) &
          SAME(const_requests) & SAME(texture_wait) & SAME(memory_wait) & SAME(texture_max) &
          SAME(memory_max) & SAME(barriers) & SAME(barrier_releases) & SAME(groups_max) &
          SAME(warp_cycles) & false;
}

static bool
same_ends(const struct machine_result *a, const struct machine_result *b)
{
   return a->num_done == b->num_done && !memcmp(a->done, b->done, a->num_done * sizeof(*a->done)) &&
          !memcmp(a->done_at, b->done_at, a->num_done * sizeof(*a->done_at));
}

/* Makes random work.  Half of the works come from instructions with branches and loops; the others
 * have operations of all kinds with accesses of all shapes.
 */
static struct sgt_work *
make_work(struct sgt_random *r)
{
   static const enum sgpu_stage stages[] = { SGPU_STAGE_VERTEX, SGPU_STAGE_PIXEL,
                                             SGPU_STAGE_COMPUTE };
   if (sgt_random_below(r, 2))
      return random_work(r);
   struct test_random_params p = {
      .seed = sgt_random_next(r),
      .stage = stages[sgt_random_below(r, 3)],
      .programs = 1 + sgt_random_below(r, 3),
      .length = 5 + sgt_random_below(r, 60),
      .lines = 1 + sgt_random_below(r, 500),
   };
   p.group_warps = p.stage == SGPU_STAGE_COMPUTE ? 1 + sgt_random_below(r, 4) : 0;
   p.warps = MAX2(p.group_warps, 1) * (1 + sgt_random_below(r, 12));
   return test_random_work(&p);
}

int
main(int argc, char **argv)
{
   const uint32_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 60;
   const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   uint64_t issues = 0, cycles = 0, states[SGT_SM_STATES] = { 0 }, urgent = 0, releases = 0;
   for (uint32_t round = 0; round < rounds; round++) {
      struct sgt_random random = { seed * 1000003 + round };
      struct sgt_sm_params params;
      struct machine_params m;
      struct machine_result a, b, c;
      struct sgt_work *work = make_work(&random);
      random_params(&params, &random);
      machine_defaults(&m);
      m.tex_latency = 1 + sgt_random_below(&random, 400);
      m.mem_latency = 1 + sgt_random_below(&random, 400);
      m.spread = sgt_random_below(&random, 200);
      m.tex_rate = sgt_random_below(&random, 2);
      m.mem_rate = sgt_random_below(&random, 2);
      m.capacity = 1 + sgt_random_below(&random, 8);
      m.late_responses = sgt_random_below(&random, 2);
      m.log = true;
      machine_run(work, &params, &m, &a);
      m.shuffle = round + 1;
      machine_run(work, &params, &m, &c);
      m.reference = true;
      machine_run(work, &params, &m, &b);
      const bool ok = !a.error[0] && same_issues(&a, &b) && same_ends(&a, &b) &&
                      same_stats(&a.stats, &b.stats) && same_issues(&c, &a) &&
                      same_stats(&c.stats, &a.stats) && machine_sound(work, &params, &a);
      if (!ok) {
         printf("%sround %u of seed %" PRIu64 "\n", a.error, round, seed);
         return 1;
      }
      issues += a.num_issues;
      cycles += a.stats.cycles;
      urgent += a.stats.urgent;
      releases += a.stats.barrier_releases;
      for (uint32_t i = 0; i < SGT_SM_STATES; i++)
         states[i] += a.stats.states[i];
      machine_finish(&a);
      machine_finish(&b);
      machine_finish(&c);
      sgt_work_destroy(work);
   }
   printf("%u works, %" PRIu64 " operations, %" PRIu64 " cycles, the same\n", rounds, issues,
          cycles);
   /* The works must reach all states. */
   bool all = urgent && releases;
   for (uint32_t i = 0; i < SGT_SM_STATES; i++) {
      if (!states[i])
         printf("never: %s\n", sgt_sm_state_names[i]);
      all &= states[i] != 0;
   }
   return all ? 0 : 1;
}
