/* SPDX-License-Identifier: MIT */
/*
 * Measures the speed of the memory of a chip with 8 clients and 6 partitions: network clocks per
 * second on one core.
 *
 * usage: bench_memory [REQUESTS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "chip_memory/sgt_memory.h"
#include "kernel/sgt_random.h"
#include "util/macros.h"

#define CLIENTS 8

static const struct stream {
   const char *name;
   uint32_t random; /* percentage of requests that jump to a random address */
   uint32_t writes; /* percentage of writes */
   uint32_t bytes;  /* size of the memory that is accessed */
   uint32_t gap;    /* maximum number of clocks between requests of a client */
} streams[] = {
   { "reads, one after the other", 0, 0, 1 << 26, 0 },
   { "a third writes", 10, 33, 1 << 26, 0 },
   { "random reads", 100, 0, 1 << 26, 0 },
   { "reads that hit", 10, 0, 1 << 17, 0 },
   { "light", 10, 33, 1 << 24, 60 },
   { "sparse", 10, 33, 1 << 24, 2000 },
};

struct client {
   struct sgt_unit unit;
   struct sgt_xbar_port *port;
   const struct stream *stream;
   struct sgt_random random;
   struct sgt_mem_request next;
   uint64_t at;
   uint32_t left;
};

static void
choose(struct client *c, uint64_t now)
{
   const struct stream *s = c->stream;
   c->next.address = sgt_random_below(&c->random, 100) < s->random
                        ? sgt_random_below(&c->random, s->bytes / 64) * 64ull
                        : (c->next.address + CLIENTS * 64) % s->bytes;
   c->next.kind = sgt_random_below(&c->random, 100) < s->writes ? SGT_MEM_WRITE : SGT_MEM_READ;
   c->at = now + c->unit.clock->period * sgt_random_below(&c->random, s->gap + 1);
}

static uint64_t
tick(struct sgt_unit *unit, uint64_t now)
{
   struct client *c = container_of(unit, struct client, unit);
   while (sgt_channel_peek(&c->port->responses, now))
      sgt_channel_take(&c->port->responses, now);
   if (!c->left)
      return SGT_NEVER;
   if (c->at > now)
      return c->at;
   if (!sgt_channel_can_send(&c->port->requests, now))
      return SGT_NEVER;
   sgt_channel_send(&c->port->requests, now, &c->next);
   c->left--;
   choose(c, now);
   return MAX2(c->at, now + unit->clock->period);
}

static bool
run(const struct stream *stream, uint32_t requests)
{
   struct sgt_clock clocks[2] = { { 600 }, { 1080 } };
   struct client clients[CLIENTS];
   struct sgt_memory_params params;
   struct sgt_memory m;
   struct sgt_sched sched;
   sgt_memory_params_init(&params);
   params.xbar.clients = CLIENTS;
   sgt_sched_init(&sched);
   if (!sgt_clocks_init(clocks, 2) ||
       !sgt_memory_init(&m, &sched, &clocks[0], &clocks[0], &clocks[1], &params))
      return false;
   for (uint32_t i = 0; i < CLIENTS; i++) {
      struct client *c = &clients[i];
      *c = (struct client){
         .unit = { .name = "client", .clock = &clocks[0], .tick = tick },
         .port = &m.xbar.ports[i],
         .stream = stream,
         .random = { i },
         .next = { .address = i * 64, .sectors = 3 },
         .left = requests / CLIENTS,
      };
      choose(c, 0);
      if (!sgt_xbar_connect(&m.xbar, &sched, i, &c->unit, 8) || !sgt_sched_add(&sched, &c->unit, 0))
         return false;
   }
   const clock_t start = clock();
   while (sgt_sched_step(&sched, UINT64_MAX - 1))
      ;
   const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
   const uint64_t cycles = sched.now / clocks[0].period;
   printf("%-28s %12" PRIu64 " %8.1f %8.1f %8.2f %8.2f\n", stream->name, cycles,
          requests * 64.0 / cycles, (double)sched.calls / requests, cycles / seconds / 1e6,
          requests / seconds / 1e6);
   sgt_memory_finish(&m);
   sgt_sched_finish(&sched);
   return true;
}

int
main(int argc, char **argv)
{
   const uint32_t requests = argc > 1 ? atoi(argv[1]) : 1000000;
   printf("%-28s %12s %8s %8s %8s %8s\n", "stream", "clocks", "B/clk", "calls/rq", "Mclk/s",
          "Mreq/s");
   for (unsigned i = 0; i < ARRAY_SIZE(streams); i++)
      if (!run(&streams[i], requests))
         return 1;
   return 0;
}
