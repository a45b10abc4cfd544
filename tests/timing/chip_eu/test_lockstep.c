/* SPDX-License-Identifier: MIT */
/*
 * Runs the execution unit and its slow reference: each event must be in the same cycle, for random
 * programs and parameters.  The cycles must be the same for every order of units.
 *
 * usage: test_lockstep [SECONDS [SEED]]
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../rounds.h"
#include "eu_reference.h"
#include "random_work.h"
#include "chip_eu/sgt_eu_alone.h"
#include "util/macros.h"

#define LIMIT 400000

struct compare {
   struct sgt_eu_log log;
   const struct eu_reference *reference;
   uint32_t at;
   bool differs;
};

static const char *const names[] = { "launch", "output",    "issue", "const", "attr", "regs",
                                     "decode", "broadcast", "fetch", "join",  "end" };

static void
compare_event(struct sgt_eu_log *log, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
              uint32_t pc)
{
   struct compare *c = container_of(log, struct compare, log);
   const struct eu_reference *r = c->reference;
   if (c->differs)
      return;
   const struct eu_reference_event *e = &r->events[c->at++];
   if (c->at <= r->num && e->cycle == cycle && e->event == event && e->thread == thread &&
       e->pc == pc)
      return;
   c->differs = true;
   printf("event %u: cycle %" PRIu64 " %s thread %u pc %u, the reference has ", c->at - 1, cycle,
          names[event], thread, pc);
   if (c->at > r->num)
      printf("none\n");
   else
      printf("cycle %" PRIu64 " %s thread %u pc %u\n", e->cycle, names[e->event], e->thread, e->pc);
}

static bool
same(const char *what, const uint64_t *ours, const uint64_t *theirs, unsigned num)
{
   for (unsigned i = 0; i < num; i++)
      if (ours[i] != theirs[i]) {
         printf("%s[%u] is %" PRIu64 ", the reference has %" PRIu64 "\n", what, i, ours[i],
                theirs[i]);
         return false;
      }
   return true;
}

static bool
check(const struct sgt_eu_params *p, const struct sgt_work *work, uint32_t memory, uint32_t texture,
      uint64_t shuffle, const struct eu_reference *reference)
{
   struct sgt_eu_alone alone;
   struct compare compare = { .log.event = compare_event, .reference = reference };
   struct sgt_stats stats;
   char error[256];

   bool ok = sgt_eu_alone_init(&alone, p, work, memory, texture);
   assert(ok);
   alone.eu.log = &compare.log;
   if (shuffle)
      sgt_sched_shuffle(&alone.sched, shuffle);
   if (!sgt_eu_alone_run(&alone, LIMIT) && !compare.differs) {
      printf("%u of %u warps ended\n", alone.ended, alone.num);
      ok = false;
   }
   ok = ok && !compare.differs;
   if (ok && compare.at != reference->num) {
      printf("%u events, the reference has %u\n", compare.at, reference->num);
      ok = false;
   }
   const struct sgt_eu_stats *s = &alone.eu.stats;
   sgt_eu_settle(&alone.eu, reference->cycles);
   ok = ok && same("cycles", &s->cycles, &reference->cycles, 1) &&
        same("threads", s->thread, reference->thread_states, SGT_EU_THREAD_STATES) &&
        same("operations", s->operations, reference->operations, SGT_EU_OPERATIONS + 1);
   for (unsigned a = 0; ok && a < p->alus; a++)
      ok = same("alu", s->alu[a], reference->alu_states[a], SGT_EU_THREAD_STATES);
   sgt_stats_init(&stats);
   sgt_eu_stats_add(&alone.eu, &stats, "eu");
   if (ok && !sgt_stats_check(&stats, error, sizeof(error))) {
      printf("%s\n", error);
      ok = false;
   }
   sgt_stats_finish(&stats);
   sgt_eu_alone_finish(&alone);
   return ok;
}

static bool
one(uint64_t seed, uint64_t *events)
{
   struct sgt_random r = { seed };
   struct sgt_eu_params p;
   struct eu_reference reference;
   char error[256];

   random_params(&r, &p);
   struct sgt_work *work = random_work(&r, &p);
   const uint32_t memory = 2 + sgt_random_below(&r, 40), texture = 2 + sgt_random_below(&r, 60);
   bool ok = sgt_eu_params_check(&p, error, sizeof(error)) &&
             sgt_eu_work_check(&p, work, error, sizeof(error));
   if (!ok) {
      printf("%s\n", error);
   } else {
      eu_reference_run(&reference, &p, work, memory, texture, LIMIT);
      ok = check(&p, work, memory, texture, 0, &reference) &&
           check(&p, work, memory, texture, seed | 1, &reference);
      *events += reference.num;
      free(reference.events);
   }
   if (!ok)
      printf("seed %" PRIu64 "\n", seed);
   sgt_work_destroy(work);
   return ok;
}

int
main(int argc, char **argv)
{
   const double seconds = argc > 1 ? atof(argv[1]) : 0;
   uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, events = 0;
   const uint64_t first = seed;
   const clock_t begin = clock();

   while (seed < first + TEST_ROUNDS(200) || (double)(clock() - begin) / CLOCKS_PER_SEC < seconds) {
      if (!one(seed, &events))
         return 1;
      if (argc > 2 && !seconds)
         break;
      seed++;
   }
   printf("%" PRIu64 " works, %" PRIu64 " events\n", seed - first, events);
   return 0;
}
