/* SPDX-License-Identifier: MIT */
/*
 * Tests the memory of a chip (network, partitions and DRAM) with answers that can be computed by
 * hand, and on random requests.
 */
#include "../../unit.h"
#include "memory_driver.h"
#include "kernel/sgt_random.h"
#include "kernel/sgt_stats.h"

static void
places_are_a_bijection(void **state)
{
   const uint32_t nums[] = { 1, 2, 3, 6, 8, 64 }, interleaves[] = { 64, 256, 4096 };
   for (unsigned i = 0; i < ARRAY_SIZE(nums); i++)
      for (unsigned k = 0; k < ARRAY_SIZE(interleaves); k++) {
         struct sgt_partition_map map;
         uint64_t next[64] = { 0 };
         sgt_partition_map_init(&map, nums[i], interleaves[k]);
         /* The addresses of each partition are consecutive, without gaps. */
         for (uint64_t a = 0; a < 200 * interleaves[k]; a += 32) {
            const struct sgt_partition_place place = sgt_partition_find(&map, a);
            assert_int_equal(place.partition, a / interleaves[k] % nums[i]);
            assert_int_equal(place.address, next[place.partition]);
            next[place.partition] += 32;
            assert_int_equal(sgt_partition_address(&map, place), a);
         }
         struct sgt_random r = { 1 };
         for (unsigned n = 0; n < 1000; n++) {
            const uint64_t a = sgt_random_next(&r) % ((uint64_t)interleaves[k] << 32);
            const struct sgt_partition_place place = sgt_partition_find(&map, a);
            assert_int_equal(place.partition, a / interleaves[k] % nums[i]);
            assert_int_equal(sgt_partition_address(&map, place), a);
         }
      }
}

/* A single read takes the sum of its parts, whether it misses, hits, or bypasses the cache. */
static void
latency_is_the_sum(void **state)
{
   struct machine *m = machine_create(1, false);
   const struct sgt_partition_params *p = &m->params.partition;
   const struct sgt_xbar_params *x = &m->params.xbar;
   for (unsigned i = 0; i < 4; i++)
      m->mhz[i] = 1; /* sums of clocks */
   driver_add(&m->clients[0], 0, SGT_MEM_READ, 0, 3, 0);
   driver_add(&m->clients[0], 1000, SGT_MEM_READ, 0, 3, 0);
   machine_run(m, 0);
   /* The channel, a transfer of one clock, and the wires; on the way back, a transfer of 64 bytes.
    */
   const uint64_t to = 1 + x->latency, back = 1 + 1 + x->latency;
   const uint64_t hit = p->tag_clocks + p->data_clocks;
   /* The burst of the second sector follows that of the first. */
   const uint64_t miss = hit + sgt_gddr_latency(&m->memory.partitions[0].gddr) + p->gddr.t_ccd;
   const struct driver_request *list = m->clients[0].list;
   assert_int_equal(list[0].answered - list[0].sent, to + miss + back);
   assert_int_equal(list[1].answered - list[1].sent, to + hit + back);
   assert_int_equal(m->memory.partitions[0].stats.latency, miss + hit);
   machine_finish(m);

   /* A read that bypasses the cache takes as long as a miss, and the second one finds its row open.
    */
   m->params.partition.uncached = 1;
   machine_run(m, 0);
   assert_int_equal(list[0].answered - list[0].sent, to + miss + back);
   assert_int_equal(list[1].answered - list[1].sent, to + miss + back - p->gddr.t_rcd);
   machine_finish(m);
   machine_destroy(m);
}

/* Sequential reads: all channels reach the rate of their pins, 103.7 GB/s in total. */
static void
peak_of_the_memory(void **state)
{
   const uint32_t clients = 8, each = 12000;
   for (unsigned refresh = 0; refresh < 2; refresh++) {
      struct machine *m = machine_create(clients, false);
      m->params.partition.gddr.t_refi = refresh ? 4212 : 0;
      for (uint32_t i = 0; i < clients; i++)
         for (uint32_t k = 0; k < each; k++)
            driver_add(&m->clients[i], 0, SGT_MEM_READ, (k * (uint64_t)clients + i) * 64, 3, 0);
      machine_run(m, 0);
      /* Exclude the time before the first and after the last data. */
      uint64_t clocks = 0, busy = 0;
      for (unsigned i = 0; i < 6; i++) {
         const struct sgt_gddr_stats *s = &m->memory.partitions[i].gddr.stats;
         busy += s->states[SGT_GDDR_READ];
         clocks += s->clocks - s->states[SGT_GDDR_IDLE];
         assert_int_equal(m->memory.partitions[i].stats.read_sectors, clients * each / 6 * 2);
      }
      const uint64_t bytes = (uint64_t)clients * each * 64;
      assert_int_equal(busy * 16, bytes);
      const uint64_t ticks = m->end; /* ticks of 5400 MHz */
      /* The rate in MB/s; 1080 MHz x 16 bytes x 6 is 103680. */
      const uint64_t rate = bytes * 5400 / ticks;
      print_message("%s refresh: %llu MB/s, bus busy %llu of 1000\n", refresh ? "with" : "without",
                    (unsigned long long)rate, (unsigned long long)(busy * 1000 / clocks));
      if (!refresh)
         assert_in_range(rate, 103680 * 99 / 100, 103680);
      else /* tRP + tRFC + tRCD of each tREFI, and a little for draining */
         assert_in_range(rate, 103680 * 97 / 100, 103680 - 103680 * 79 / 4212);
      machine_finish(m);
      machine_destroy(m);
   }
}

/* Atomics of all lanes on one address are executed one after the other, whatever their sender. */
static void
atomics_on_one_address(void **state)
{
   for (unsigned writes = 0; writes < 2; writes++) {
      struct machine *m = machine_create(4, false);
      m->params.partition.l2.writes = writes ? SGT_CACHE_BACK : SGT_CACHE_THROUGH;
      m->params.partition.atomic_clocks = 3;
      for (unsigned i = 0; i < 4; i++)
         for (unsigned k = 0; k < 50; k++)
            driver_add(&m->clients[i], 0, SGT_MEM_ATOMIC, 64, 1, 5);
      machine_run(m, 0);
      const struct sgt_partition *p = &m->memory.partitions[0];
      assert_int_equal(p->stats.atomics, 200);
      assert_int_equal(p->stats.lanes, 1000);
      assert_int_equal(p->stats.atomic_busy, 3000);
      /* They wait for the data once; then they execute one after the other. */
      const uint64_t first = p->stats.atomic_wait;
      assert_in_range(first, p->gddr.params.t_rcd, 200);
      uint64_t last = 0;
      for (unsigned i = 0; i < 4; i++)
         last = MAX2(last, m->clients[i].last);
      const struct sgt_xbar_params *x = &m->params.xbar;
      const uint64_t clocks = 1 + x->latency + first + 3000 + m->params.partition.data_clocks + 1 +
                              x->latency;
      assert_int_equal(last / m->rig.period, clocks);
      assert_int_equal(p->stats.fetched, 1);
      assert_int_equal(p->stats.written_through, writes ? 0 : 200);
      machine_finish(m);
      machine_destroy(m);
   }
}

/* Written lines are sent to the DRAM once each when they are evicted, or at each write. */
static void
writes_through_and_back(void **state)
{
   for (unsigned back = 0; back < 2; back++) {
      struct machine *m = machine_create(1, false);
      m->params.xbar.partitions = 1;
      m->params.partition.l2.writes = back ? SGT_CACHE_BACK : SGT_CACHE_THROUGH;
      /* Write each sector of 64 kB twice, then read as many other lines. */
      for (unsigned k = 0; k < 1024; k++)
         for (unsigned twice = 0; twice < 2; twice++)
            driver_add(&m->clients[0], 0, SGT_MEM_WRITE, k * 64, 3, 0);
      for (unsigned k = 0; k < 1024; k++)
         driver_add(&m->clients[0], 0, SGT_MEM_READ, 65536 + k * 64, 3, 0);
      machine_run(m, 0);
      const struct sgt_gddr_stats *g = &m->memory.partitions[0].gddr.stats;
      assert_int_equal(g->bursts[1], back ? 2048 : 4096);
      assert_int_equal(g->bursts[0], 2048);
      assert_int_equal(m->memory.partitions[0].stats.written_back, back ? 2048 : 0);
      machine_finish(m);
      machine_destroy(m);
   }
}

/* Ports that all use the same output share it equally; the width of the wires is the limit. */
static void
the_network_is_fair(void **state)
{
   struct machine *m = machine_create(8, false);
   for (unsigned i = 0; i < 8; i++) {
      for (unsigned k = 0; k < 400; k++)
         driver_add(&m->clients[i], 0, SGT_MEM_READ, 0, 3, 0);
   }
   machine_run(m, 0);
   /* A response of 64 bytes takes two clocks of the single partition's port. */
   const struct sgt_switch_stats *s = &m->memory.xbar.responses.stats;
   assert_int_equal(s->states[SGT_SWITCH_BUSY], 2 * 3200);
   uint64_t first = SGT_NEVER, last = 0;
   for (unsigned i = 0; i < 8; i++) {
      first = MIN2(first, m->clients[i].last);
      last = MAX2(last, m->clients[i].last);
      assert_int_equal(s->output_messages[i], 400);
      assert_int_equal(m->memory.xbar.requests.stats.input_messages[i], 400);
   }
   const uint64_t period = m->rig.period;
   assert_in_range(last / period, 2 * 3200, 2 * 3200 + 150);
   /* All clients end within one round. */
   assert_in_range((last - first) / period, 0, 8 * 2 * 2);
   machine_finish(m);

   /* Pairs of a client and a partition do not affect each other. */
   for (unsigned i = 0; i < 8; i++)
      m->clients[i].num = 0;
   for (unsigned i = 0; i < 6; i++)
      for (unsigned k = 0; k < 400; k++)
         driver_add(&m->clients[i], 0, SGT_MEM_READ, i * 256, 3, 0);
   machine_run(m, 0);
   assert_int_equal(s->conflicts, 0);
   for (unsigned i = 0; i < 6; i++)
      assert_int_equal(m->clients[i].last, m->clients[0].last);
   assert_in_range(m->clients[0].last / period, 2 * 400, 2 * 400 + 150);
   machine_finish(m);
   machine_destroy(m);
}

/* A client that takes no responses for a long time blocks only itself. */
static void
a_deaf_client_stops_itself(void **state)
{
   struct machine *m = machine_create(2, false);
   for (unsigned k = 0; k < 20; k++)
      driver_add(&m->clients[0], 0, SGT_MEM_READ, k * 64, 3, 0);
   for (unsigned k = 0; k < 200; k++)
      driver_add(&m->clients[1], 0, SGT_MEM_READ, 1 << 20 | k * 64, 3, 0);
   machine_run(m, 0);
   const uint64_t alone = m->clients[1].last;
   machine_finish(m);
   m->clients[0].deaf_until = 20000;
   machine_run(m, 0);
   assert_in_range(m->clients[1].last, alone - 30 * m->rig.period, alone + 30 * m->rig.period);
   assert_true(m->clients[0].last >= 20000 * m->rig.period);
   machine_finish(m);
   machine_destroy(m);
}

/* Both sources of a partition hit in each clock, so the pipe serves them alternately. */
static void
rop_and_network_in_turn(void **state)
{
   struct machine *m = machine_create(1, true);
   m->params.xbar.partitions = 1;
   m->params.partition.rop_cached = true;
   struct driver *const drivers[2] = { &m->clients[0], &m->rops[0] };
   for (unsigned i = 0; i < 2; i++) {
      driver_add(drivers[i], 0, SGT_MEM_READ, 0, 1, 0);
      for (unsigned k = 0; k < 1000; k++)
         driver_add(drivers[i], 500, SGT_MEM_READ, 0, 1, 0);
   }
   machine_run(m, 0);
   const struct sgt_partition_stats *s = &m->memory.partitions[0].stats;
   assert_int_equal(s->states[SGT_PARTITION_READ], 1001);
   assert_int_equal(s->states[SGT_PARTITION_ROP], 1001);
   const uint64_t period = m->rig.period;
   for (unsigned i = 0; i < 2; i++)
      assert_in_range(drivers[i]->last / period, 500 + 2000, 500 + 2000 + 80);
   machine_finish(m);
   machine_destroy(m);
}

static void
random_machine(struct machine *m, struct sgt_random *r)
{
   struct sgt_memory_params *p = &m->params;
   p->xbar.partitions = 1 + sgt_random_below(r, 7);
   p->xbar.interleave = 64 << sgt_random_below(r, 4);
   p->xbar.request_bytes = 4 << sgt_random_below(r, 5);
   p->xbar.response_bytes = 4 << sgt_random_below(r, 5);
   p->xbar.header_bytes = sgt_random_below(r, 16);
   p->xbar.queue = 1 + sgt_random_below(r, 12);
   p->xbar.latency = 1 + sgt_random_below(r, 20);
   struct sgt_partition_params *l = &p->partition;
   l->l2.line_bytes = 64 << sgt_random_below(r, 3);
   l->l2.sets = 1 << sgt_random_below(r, 3);
   l->l2.ways = 1 << sgt_random_below(r, 3);
   l->l2.mshrs = 1 + sgt_random_below(r, 8);
   l->l2.waiters = 1 + sgt_random_below(r, 4);
   l->l2.replace = sgt_random_below(r, 2);
   l->l2.writes = sgt_random_below(r, 2);
   l->accesses = 1 + sgt_random_below(r, 40);
   l->tag_clocks = 1 + sgt_random_below(r, 10);
   l->data_clocks = 1 + sgt_random_below(r, 10);
   l->atomics = 1 + sgt_random_below(r, 6);
   l->atomic_clocks = 1 + sgt_random_below(r, 4);
   l->queue = 1 + sgt_random_below(r, 10);
   l->rop_cached = sgt_random_below(r, 2);
   l->uncached = sgt_random_below(r, 4);
   l->gddr.bus_bits = 64 << sgt_random_below(r, 2);
   l->gddr.t_refi = sgt_random_below(r, 2) ? 1000 : 0;
   l->gddr.close = sgt_random_below(r, 2);
   for (unsigned i = 0; i < 4; i++)
      m->mhz[i] = 1 + sgt_random_below(r, 5);
}

static void
random_requests(struct machine *m, struct sgt_random *r)
{
   const uint32_t num = m->params.xbar.partitions;
   struct sgt_partition_map map;
   sgt_partition_map_init(&map, num, m->params.xbar.interleave);
   for (unsigned i = 0; i < m->num_clients + num; i++) {
      const bool rop = i >= m->num_clients;
      struct driver *d = rop ? &m->rops[i - m->num_clients] : &m->clients[i];
      uint64_t at = 0;
      d->num = 0;
      d->max_open = sgt_random_below(r, 20);
      d->deaf_until = sgt_random_below(r, 3) ? 0 : 800;
      for (unsigned k = 0; k < (rop ? 60 : 150); k++) {
         const uint32_t what = sgt_random_below(r, 8);
         uint64_t address = sgt_random_below(r, 256) * 64;
         if (rop)
            address = sgt_partition_address(&map, (struct sgt_partition_place){ i - m->num_clients,
                                                                                address });
         at += sgt_random_below(r, 3) ? 0 : sgt_random_below(r, 30);
         driver_add(d, at,
                    what < 5          ? SGT_MEM_READ
                    : what < 7 || rop ? SGT_MEM_WRITE
                                      : SGT_MEM_ATOMIC,
                    address & ~63ull, 1 + sgt_random_below(r, 3), 1 + sgt_random_below(r, 32));
      }
   }
}

/* Returns a hash of the times of all answers, and of all counters except for calls. */
static uint64_t
fingerprint(const struct machine *m)
{
   uint64_t hash = 0xcbf29ce484222325ull;
   for (unsigned i = 0; i < m->num_clients + m->memory.num; i++) {
      const struct driver *d = i < m->num_clients ? &m->clients[i] : &m->rops[i - m->num_clients];
      for (unsigned k = 0; k < d->num; k++)
         hash = (hash ^ d->list[k].answered ^ d->list[k].sent << 20) * 0x100000001b3ull;
   }
   struct sgt_stats s;
   sgt_stats_init(&s);
   sgt_memory_register(&m->memory, &s);
   for (unsigned i = 0; i < s.num; i++)
      for (unsigned k = 0; k < s.stats[i].num; k++)
         hash = (hash ^ s.stats[i].values[k]) * 0x100000001b3ull;
   sgt_stats_finish(&s);
   return hash;
}

/* Everything must be answered and conserved with any parameters.  Neither the order of units nor
 * calls without a reason may change anything.
 */
static void
random_machines(void **state)
{
   struct sgt_random r = { 11 };
   uint64_t states[SGT_PARTITION_STATES] = { 0 }, blocked = 0, waits = 0;
   for (unsigned round = 0; round < 60; round++) {
      struct machine *m = machine_create(1 + sgt_random_below(&r, 5), true);
      random_machine(m, &r);
      random_requests(m, &r);
      machine_run(m, 0);
      const uint64_t end = m->end, answers = fingerprint(m);
      for (unsigned i = 0; i < m->memory.num; i++)
         for (unsigned k = 0; k < SGT_PARTITION_STATES; k++)
            states[k] += m->memory.partitions[i].stats.states[k];
      blocked += m->memory.xbar.requests.stats.states[SGT_SWITCH_BLOCKED];
      waits += m->memory.xbar.requests.stats.states[SGT_SWITCH_WAIT];
      machine_finish(m);
      for (unsigned i = 1; i < 3; i++) {
         machine_run(m, i + round);
         assert_int_equal(m->end, end);
         assert_true(fingerprint(m) == answers);
         machine_finish(m);
      }
      /* The time of the last event differs, and so does the number of idle clocks at the end. */
      uint64_t last[64];
      for (unsigned i = 0; i < m->num_clients; i++)
         last[i] = m->clients[i].last;
      m->nags = true;
      machine_run(m, 0);
      for (unsigned i = 0; i < m->num_clients; i++)
         assert_int_equal(m->clients[i].last, last[i]);
      machine_finish(m);
      machine_destroy(m);
   }
   for (unsigned k = 0; k < SGT_PARTITION_STATES; k++)
      assert_true(states[k] > 10);
   assert_true(blocked > 50 && waits > 50);
}

static void
illegal_parameters(void **state)
{
   struct sgt_memory_params p;
   char error[256];
   sgt_memory_params_init(&p);
   assert_true(sgt_memory_params_check(&p, error, sizeof(error)));
   p.xbar.interleave = 96;
   assert_false(sgt_memory_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "xbar.interleave: 96 is not a power of 2");
   sgt_memory_params_init(&p);
   p.partition.l2.line_bytes = 32;
   assert_false(sgt_memory_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "l2.line_bytes: 32 is not from 64 to 1024");
   sgt_memory_params_init(&p);
   p.partition.l2.sets = 3;
   assert_false(sgt_memory_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "l2.sets: 3 is not a power of 2");
   sgt_memory_params_init(&p);
   p.partition.gddr.mhz = 0;
   assert_false(sgt_memory_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "gddr.mhz: 0 is not from 1 to 100000");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_a_bijection),
      cmocka_unit_test(latency_is_the_sum),
      cmocka_unit_test(peak_of_the_memory),
      cmocka_unit_test(atomics_on_one_address),
      cmocka_unit_test(writes_through_and_back),
      cmocka_unit_test(the_network_is_fair),
      cmocka_unit_test(a_deaf_client_stops_itself),
      cmocka_unit_test(rop_and_network_in_turn),
      cmocka_unit_test(random_machines),
      cmocka_unit_test(illegal_parameters),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
