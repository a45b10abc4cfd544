/* SPDX-License-Identifier: MIT */
/*
 * Measures the speed of a channel of GDDR3: memory clocks per second on one core.
 *
 * usage: bench_gddr [REQUESTS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "chip_memory/sgt_gddr.h"
#include "kernel/sgt_random.h"
#include "util/macros.h"

static const struct stream {
   const char *name;
   uint32_t random; /* percentage of requests that jump to a random address */
   uint32_t writes; /* percentage of writes */
   uint32_t gap;    /* maximum number of memory clocks between requests */
} streams[] = {
   { "sequential reads", 0, 0, 0 }, { "sequential, a third writes", 0, 33, 0 },
   { "random reads", 100, 0, 0 },   { "mixed", 25, 33, 0 },
   { "mixed, light", 25, 33, 60 },  { "mixed, sparse", 25, 33, 2000 },
};

struct driver {
   struct sgt_unit unit;
   struct sgt_gddr gddr;
   struct sgt_random random;
   const struct stream *stream;
   struct sgt_gddr_request next;
   uint64_t at;
   uint32_t left;
};

static void
choose(struct driver *d, uint64_t now)
{
   const struct stream *s = d->stream;
   d->next.address = sgt_random_below(&d->random, 100) < s->random
                        ? sgt_random_below(&d->random, 1 << 20) * 64ull
                        : d->next.address + 64;
   d->next.write = sgt_random_below(&d->random, 100) < s->writes;
   d->next.sectors = 3;
   d->at = now + d->gddr.unit.clock->period * sgt_random_below(&d->random, s->gap + 1);
}

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct driver *d = container_of(unit, struct driver, unit);
   while (sgt_channel_peek(&d->gddr.responses, now))
      sgt_channel_take(&d->gddr.responses, now);
   if (!d->left)
      return SGT_NEVER;
   if (d->at > now)
      return d->at;
   if (!sgt_channel_can_send(&d->gddr.requests, now))
      return SGT_NEVER;
   sgt_channel_send(&d->gddr.requests, now, &d->next);
   d->left--;
   choose(d, now);
   return MAX2(d->at, now + unit->clock->period);
}

int
main(int argc, char **argv)
{
   const uint32_t requests = argc > 1 ? atoi(argv[1]) : 1000000;
   printf("%-28s %12s %8s %8s\n", "stream", "clocks", "bus %", "Mclk/s");
   for (unsigned i = 0; i < ARRAY_SIZE(streams); i++) {
      struct sgt_clock clocks[2] = { { 600 }, { 1080 } };
      struct driver d = { .stream = &streams[i], .random = { 1 }, .left = requests };
      struct sgt_gddr_params params;
      struct sgt_sched sched;
      sgt_gddr_params_init(&params);
      sgt_sched_init(&sched);
      d.unit = (struct sgt_unit){ .name = "driver", .clock = &clocks[0], .tick = tick };
      if (!sgt_clocks_init(clocks, 2) ||
          !sgt_gddr_init(&d.gddr, &sched, &clocks[1], &params, &d.unit, 0, 8, 8) ||
          !sgt_sched_add(&sched, &d.unit, 0))
         return 1;
      choose(&d, 0);
      const clock_t start = clock();
      while (sgt_sched_step(&sched, UINT64_MAX - 1))
         ;
      const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
      sgt_gddr_account(&d.gddr, sched.now);
      const struct sgt_gddr_stats *s = &d.gddr.stats;
      const uint64_t busy = s->states[SGT_GDDR_READ] + s->states[SGT_GDDR_WRITE];
      printf("%-28s %12" PRIu64 " %8.1f %8.1f\n", streams[i].name, s->clocks,
             100.0 * busy / s->clocks, s->clocks / seconds / 1e6);
      sgt_gddr_finish(&d.gddr);
      sgt_sched_finish(&sched);
   }
   return 0;
}
