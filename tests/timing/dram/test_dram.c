/* SPDX-License-Identifier: MIT */
/*
 * Tests banked DRAM: times that can be computed by hand, and order.
 */
#include "../../unit.h"
#include "dram/sgt_dram_unit.h"
#include "kernel/sgt_dump.h"
#include "unit_rig.h"
#include "util/macros.h"

#define MAX_REQUESTS 2048

/* A port that sends a list of requests, at most one per cycle. */
struct port {
   struct sgt_unit unit;
   struct sgt_dram_port *port;
   struct sgt_dram_request requests[MAX_REQUESTS];
   uint32_t num, sent, answered;
   uint64_t answer[MAX_REQUESTS]; /* times in ticks */
};

static uint64_t
port_tick(struct sgt_unit *unit, uint64_t now)
{
   struct port *p = container_of(unit, struct port, unit);
   const struct sgt_dram_response *response;
   while ((response = sgt_channel_peek(&p->port->responses, now))) {
      assert_int_equal(p->answer[response->id], 0);
      assert_int_equal(response->write, p->requests[response->id].write);
      p->answer[response->id] = now;
      p->answered++;
      sgt_channel_take(&p->port->responses, now);
   }
   if (p->sent < p->num && sgt_channel_can_send(&p->port->requests, now)) {
      p->requests[p->sent].id = p->sent;
      sgt_channel_send(&p->port->requests, now, &p->requests[p->sent++]);
   }
   return p->sent < p->num ? now + unit->clock->period : SGT_NEVER;
}

struct machine {
   struct unit_rig rig;
   struct sgt_dram dram;
   struct port ports[4];
   uint64_t end; /* end of the run in cycles, which are ticks */
};

static void
start_machine(struct machine *m, const struct sgt_dram_params *params, unsigned ports)
{
   char error[256] = "";
   sgt_dram_params_check(params, error, sizeof(error));
   assert_string_equal(error, "");
   unit_rig_begin_alone(&m->rig, 1, 0);
   assert_true(sgt_dram_init(&m->dram, &m->rig.sched, m->rig.clock, params, ports));
   for (unsigned i = 0; i < ports; i++) {
      struct port *p = &m->ports[i];
      unit_rig_add(&m->rig, &p->unit, "port", port_tick);
      p->port = &m->dram.ports[i];
      p->sent = p->answered = 0;
      memset(p->answer, 0, sizeof(p->answer));
      assert_true(sgt_dram_connect(&m->dram, &m->rig.sched, &p->unit, 1, MAX_REQUESTS));
   }
}

static void
run_machine(struct machine *m, const struct sgt_dram_params *params, unsigned ports)
{
   start_machine(m, params, ports);
   unit_rig_run(&m->rig);
   m->end = m->rig.cycles;
   assert_true(sgt_dram_idle(&m->dram));
   for (unsigned i = 0; i < ports; i++)
      assert_int_equal(m->ports[i].answered, m->ports[i].num);
}

static void
finish_machine(struct machine *m)
{
   sgt_dram_finish(&m->dram);
   unit_rig_end(&m->rig);
}

static void
slow_params(struct sgt_dram_params *p)
{
   sgt_dram_params_init(p);
   p->channels = 1;
   p->banks = 4;
   p->row_bytes = 1024;
   p->interleave = 1024;
   p->bus_bytes = 16; /* 2 clocks per request */
   p->queue = 8;
   p->t_cas = 5;
   p->t_rcd = 4;
   p->t_rp = 3;
   p->t_ras = 10;
   p->t_wr = 6;
   p->t_turn = 2;
}

static struct machine *
new_machine(void)
{
   struct machine *m = calloc(1, sizeof(*m));
   assert_non_null(m);
   return m;
}

static void
addresses_are_spread(void **state)
{
   struct sgt_dram_params p;
   sgt_dram_params_init(&p);
   p.channels = 4;
   p.banks = 2;
   p.row_bytes = 512;
   p.interleave = 128;
   /* Each place occurs once: 4 channels x 2 banks x 3 rows of 16 requests. */
   unsigned seen[4][2][3] = { 0 };
   for (uint64_t a = 0; a < 4 * 2 * 3 * 512; a += 32) {
      const struct sgt_dram_place place = sgt_dram_find(&p, a);
      assert_true(place.channel < 4 && place.bank < 2 && place.row < 3);
      seen[place.channel][place.bank][place.row]++;
      assert_int_equal(place.channel, a / 128 % 4);
   }
   for (unsigned i = 0; i < 24; i++)
      assert_int_equal((&seen[0][0][0])[i], 16);
}

static void
hits_fill_the_bus(void **state)
{
   struct machine *m = new_machine();
   struct sgt_dram_params p;
   slow_params(&p);
   m->ports[0].num = 32;
   for (unsigned i = 0; i < 32; i++)
      m->ports[0].requests[i].address = i * 32;
   run_machine(m, &p, 1);
   assert_int_equal(m->dram.stats.row_hits, 31);
   assert_int_equal(m->dram.stats.row_empty, 1);
   assert_int_equal(m->dram.stats.row_misses, 0);
   /* The first request is sent at 0 and in the queue at 1.  It activates at 2, its column command
    * is at 6, its data come from 11 to 13, and it is answered at 14.  Each following request takes
    * 2 clocks.
    */
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(m->ports[0].answer[i], 14 + 2 * i);
   assert_int_equal(m->dram.stats.bus_busy, 64);
   finish_machine(m);
   free(m);
}

/* Each request is to another row of the same bank, so the row cycle is the limit. */
static void
misses_take_the_row_cycle(void **state)
{
   struct sgt_dram_params p;
   slow_params(&p);
   for (unsigned write = 0; write < 2; write++) {
      for (unsigned ras = 0; ras < 30; ras += 10) {
         struct machine *m = new_machine();
         p.t_ras = ras;
         m->ports[0].num = 40;
         for (unsigned i = 0; i < 40; i++)
            m->ports[0].requests[i] = (struct sgt_dram_request){ .address = (i % 2) * 4 * 1024,
                                                                 .write = write };
         p.hit_limit = 0;
         run_machine(m, &p, 1);
         const unsigned column = p.t_rcd, burst = 2;
         const unsigned used = write ? column + p.t_cas + burst + p.t_wr : column + burst;
         const unsigned cycle = MAX2(used, ras) + p.t_rp;
         for (unsigned i = 0; i < 40; i++)
            assert_int_equal(m->ports[0].answer[i], 14 + cycle * i);
         assert_int_equal(m->dram.stats.row_misses, 39);
         finish_machine(m);

         /* With four banks used cyclically, they share the row cycle, and the bus is the limit. */
         for (unsigned i = 0; i < 40; i++)
            m->ports[0].requests[i].address = (i % 4) * 1024 + i / 4 * 4 * 1024;
         p.hit_limit = 16;
         run_machine(m, &p, 1);
         assert_in_range(m->end, 14 + MAX2(cycle * 9, 39 * 2), 14 + (cycle + 2) * 10);
         finish_machine(m);
         free(m);
      }
   }
}

static void
hits_go_first_up_to_the_limit(void **state)
{
   struct machine *m = new_machine();
   struct sgt_dram_params p;
   slow_params(&p);
   /* One request to another row among hits. */
   m->ports[0].num = 12;
   for (unsigned i = 0; i < 12; i++)
      m->ports[0].requests[i].address = i == 1 ? 4096 : i * 32;
   p.hit_limit = 100;
   run_machine(m, &p, 1);
   for (unsigned i = 2; i < 12; i++)
      assert_true(m->ports[0].answer[i] < m->ports[0].answer[1]);
   finish_machine(m);
   p.hit_limit = 3;
   run_machine(m, &p, 1);
   unsigned before = 0;
   for (unsigned i = 2; i < 12; i++)
      before += m->ports[0].answer[i] < m->ports[0].answer[1];
   assert_int_equal(before, 3);
   finish_machine(m);
   p.hit_limit = 0;
   run_machine(m, &p, 1);
   for (unsigned i = 1; i < 12; i++)
      assert_true(m->ports[0].answer[i] > m->ports[0].answer[i - 1]);
   finish_machine(m);
   free(m);
}

static void
turning_the_bus_costs(void **state)
{
   struct machine *m = new_machine();
   struct sgt_dram_params p;
   slow_params(&p);
   m->ports[0].num = 20;
   for (unsigned i = 0; i < 20; i++)
      m->ports[0].requests[i] = (struct sgt_dram_request){ .address = i * 32, .write = i & 1 };
   p.hit_limit = 0;
   run_machine(m, &p, 1);
   for (unsigned i = 0; i < 20; i++)
      assert_int_equal(m->ports[0].answer[i], 14 + (2 + p.t_turn) * i);
   finish_machine(m);
   free(m);
}

/* Ports send requests to random addresses.  Nothing may be lost, requests to the same address must
 * keep their order, and all ports must make progress.
 */
static void
random_requests(void **state)
{
   struct machine *m = new_machine();
   struct sgt_random r = { 3 };
   struct sgt_dram_params p;
   for (unsigned round = 0; round < 30; round++) {
      slow_params(&p);
      p.channels = 1 + sgt_random_below(&r, 4);
      p.queue = 1 + sgt_random_below(&r, 10);
      p.hit_limit = sgt_random_below(&r, 20);
      p.interleave = 64;
      const unsigned ports = 1 + sgt_random_below(&r, 4);
      for (unsigned i = 0; i < ports; i++) {
         m->ports[i].num = 200;
         for (unsigned j = 0; j < 200; j++)
            m->ports[i].requests[j] = (struct sgt_dram_request){
               .address = sgt_random_below(&r, 1000) * 32, .write = sgt_random_below(&r, 2)
            };
      }
      run_machine(m, &p, ports);
      const struct sgt_dram_stats *s = &m->dram.stats;
      assert_int_equal(s->reads + s->writes, ports * 200);
      assert_int_equal(s->row_hits + s->row_empty + s->row_misses, ports * 200);
      assert_int_equal(s->bus_busy, ports * 200 * 2);
      /* Little's law: the sum of the waiting times equals the sum of the queue lengths. */
      assert_in_range(s->queue_occupancy, s->queue_wait, s->queue_wait);
      assert_true(m->end >= s->bus_busy / p.channels);
      for (unsigned i = 0; i < ports; i++) {
         const struct port *port = &m->ports[i];
         for (unsigned j = 0; j < 200; j++)
            for (unsigned k = j + 1; k < 200; k++)
               if (port->requests[j].address == port->requests[k].address)
                  assert_true(port->answer[j] < port->answer[k]);
      }
      finish_machine(m);
   }
   free(m);
}

static void
wrong_values_are_named(void **state)
{
   struct sgt_dram_params p;
   char error[256];
   sgt_dram_params_init(&p);
   assert_true(sgt_dram_params_check(&p, error, sizeof(error)));
   p.t_rcd = 0;
   assert_false(sgt_dram_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "dram.t_rcd: 0 is not from 1 to 255");
   sgt_dram_params_init(&p);
   p.row_bytes = 192;
   assert_false(sgt_dram_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "dram.row_bytes: 192 is not a multiple of 128");
   sgt_dram_params_init(&p);
   p.depth_bytes = 2;
   assert_false(sgt_dram_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "dram.depth_bytes: 2 is not a multiple of 4");
}

/* The error of an engine that has stopped. */
static void
requests_under_way_are_told(void **state)
{
   struct machine *m = new_machine();
   struct sgt_dram_params p;
   struct sgt_dump d;
   char text[512] = "stopped";
   slow_params(&p);
   m->ports[0].num = 20;
   for (unsigned i = 0; i < 20; i++)
      m->ports[0].requests[i].address = i * 4096;
   start_machine(m, &p, 1);
   while (sgt_sched_step(&m->rig.sched, 19))
      ;
   sgt_dump_init(&d, text, sizeof(text), m->rig.sched.now);
   sgt_dram_dump(&m->dram, &d);
   assert_non_null(strstr(text, "stopped\n  dram, channel 0: requests 8 of 8, oldest 1"));
   assert_non_null(strstr(text, "\n  dram, port 0: requests "));
   unit_rig_run(&m->rig);
   *text = 0;
   sgt_dump_init(&d, text, sizeof(text), m->rig.sched.now);
   sgt_dram_dump(&m->dram, &d);
   assert_string_equal(text, "");
   finish_machine(m);
   free(m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_are_spread),      cmocka_unit_test(hits_fill_the_bus),
      cmocka_unit_test(misses_take_the_row_cycle), cmocka_unit_test(hits_go_first_up_to_the_limit),
      cmocka_unit_test(turning_the_bus_costs),     cmocka_unit_test(random_requests),
      cmocka_unit_test(wrong_values_are_named),    cmocka_unit_test(requests_under_way_are_told),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
