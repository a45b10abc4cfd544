/* SPDX-License-Identifier: MIT */
/*
 * Tests GDDR3: times that can be computed by hand, and all pairs of commands of random streams.
 */
#include "../../unit.h"
#include "gddr_check.h"
#include "kernel/sgt_random.h"
#include "kernel/sgt_stats.h"
#include "unit_rig.h"
#include "util/bitscan.h"

#define MAX_REQUESTS 40000

/* Sends a list of requests in order, each as early as there is space, but not before its clock. */
struct driver {
   struct sgt_unit unit;
   struct sgt_gddr gddr;
   struct gddr_check check;
   uint32_t mhz[2]; /* clocks of the driver and of the memory, in MHz */
   struct unit_rig rig;
   bool nags;           /* calls the channel at each clock edge */
   uint64_t slow_until; /* time until which no responses are taken */
   struct {
      uint64_t at; /* earliest clock of the driver */
      struct sgt_gddr_request request;
      uint32_t gone;     /* number of sectors that a column command has moved */
      uint32_t answered; /* number of answered sectors */
      uint64_t answer;   /* time of the latest answer */
   } list[MAX_REQUESTS];
   uint32_t num, sent;
   uint32_t first; /* all requests before this one are complete */
   uint64_t end;   /* time of the latest answer */
};

static uint64_t
driver_tick(struct sgt_unit *unit, uint64_t now)
{
   struct driver *d = container_of(unit, struct driver, unit);
   const uint64_t period = unit->clock->period;
   const struct sgt_gddr_response *response;
   while (now >= d->slow_until && (response = sgt_channel_peek(&d->gddr.responses, now))) {
      assert_int_equal(d->list[response->tag].request.address, response->address);
      assert_false(d->list[response->tag].answered & response->sectors);
      d->list[response->tag].answered |= response->sectors;
      d->list[response->tag].answer = d->end = now;
      sgt_channel_take(&d->gddr.responses, now);
   }
   uint64_t next = now < d->slow_until ? d->slow_until : SGT_NEVER;
   if (d->sent < d->num) {
      const uint64_t at = d->list[d->sent].at * period;
      if (at <= now && sgt_channel_can_send(&d->gddr.requests, now)) {
         d->list[d->sent].request.tag = d->sent;
         sgt_channel_send(&d->gddr.requests, now, &d->list[d->sent++].request);
      }
      if (d->sent < d->num)
         next = MIN2(next, MAX2(d->list[d->sent].at * period, now + period));
   }
   if (d->nags && !sgt_gddr_idle(&d->gddr)) {
      sgt_sched_wake(&d->rig.sched, &d->gddr.unit, now + 1);
      next = now + period;
   }
   return next;
}

/* Checks that bursts to the same address are in the order in which they were sent. */
static void
log_command(void *data, enum sgt_gddr_command command, uint32_t bank, uint64_t what, uint64_t clock)
{
   struct driver *d = data;
   gddr_check_command(&d->check, command, bank, what, clock);
   if (command != SGT_GDDR_COLUMN_READ && command != SGT_GDDR_COLUMN_WRITE)
      return;
   const bool wide = d->gddr.burst_bytes == 64;
   for (uint32_t i = d->first; i < d->num; i++) {
      const struct sgt_gddr_request *r = &d->list[i].request;
      const uint32_t sectors = wide ? r->sectors : r->sectors & 1u << what / 32 % 2;
      if (r->address != (what & ~63ull) || !(sectors & ~d->list[i].gone))
         continue;
      assert_int_equal(r->write, command == SGT_GDDR_COLUMN_WRITE);
      d->list[i].gone |= sectors;
      while (d->first < d->num && d->list[d->first].gone == d->list[d->first].request.sectors)
         d->first++;
      return;
   }
   fail();
}

static struct driver *
new_driver(void)
{
   struct driver *d = calloc(1, sizeof(*d));
   assert_non_null(d);
   d->mhz[0] = d->mhz[1] = 1;
   return d;
}

static void
add(struct driver *d, uint64_t at, uint64_t address, bool write, uint32_t sectors)
{
   assert_true(d->num < MAX_REQUESTS);
   d->list[d->num].at = at;
   d->list[d->num++].request = (struct sgt_gddr_request){ .address = address,
                                                          .write = write,
                                                          .sectors = sectors };
}

static void
run_driver(struct driver *d, const struct sgt_gddr_params *p)
{
   char error[256] = "";
   sgt_gddr_params_check(p, error, sizeof(error));
   assert_string_equal(error, "");
   unit_rig_begin_clocks(&d->rig, d->mhz, 2, 0);
   unit_rig_add(&d->rig, &d->unit, "driver", driver_tick);
   assert_true(sgt_gddr_init(&d->gddr, &d->rig.sched, &d->rig.clock[1], p, &d->unit, 0, 8, 8));
   gddr_check_init(&d->check, &d->gddr);
   d->gddr.log = log_command;
   d->gddr.log_data = d;
   d->sent = d->first = 0;
   d->end = 0;
   for (unsigned i = 0; i < d->num; i++)
      d->list[i].answered = d->list[i].gone = 0;
   unit_rig_run(&d->rig);
   assert_true(sgt_gddr_idle(&d->gddr));
   uint64_t bursts[2] = { 0 };
   for (unsigned i = 0; i < d->num; i++) {
      const struct sgt_gddr_request *r = &d->list[i].request;
      assert_int_equal(d->list[i].answered, r->write ? 0 : r->sectors);
      bursts[r->write] += d->gddr.burst_bytes == 64 ? 1 : util_bitcount(r->sectors);
   }
   /* Conservation: each burst occurs once, and Little's law holds for the queue. */
   sgt_gddr_account(&d->gddr, d->rig.sched.now + d->rig.clock[1].period);
   const struct sgt_gddr_stats *s = &d->gddr.stats;
   assert_int_equal(s->bursts[0], bursts[0]);
   assert_int_equal(s->bursts[1], bursts[1]);
   assert_int_equal(s->occupancy, s->wait[0] + s->wait[1]);
   assert_int_equal(s->states[SGT_GDDR_READ], bursts[0] * p->burst / 2);
   assert_int_equal(s->states[SGT_GDDR_WRITE], bursts[1] * p->burst / 2);
   assert_int_equal(s->activates, d->check.commands[SGT_GDDR_ACTIVATE]);
   assert_int_equal(s->precharges,
                    d->check.commands[SGT_GDDR_PRECHARGE] + d->check.commands[SGT_GDDR_CLOSE]);
   struct sgt_stats stats;
   sgt_stats_init(&stats);
   sgt_gddr_register(&d->gddr, &stats, "gddr");
   unit_rig_check(&stats);
   uint32_t counters = 0;
   for (unsigned i = 0; i < stats.num; i++)
      counters += stats.stats[i].num;
   assert_true(counters >= 60 || p->banks < 8);
   sgt_stats_finish(&stats);
}

static void
finish_driver(struct driver *d)
{
   sgt_gddr_finish(&d->gddr);
   unit_rig_end(&d->rig);
}

static void
end_driver(struct driver *d)
{
   finish_driver(d);
   free(d);
}

static void
plain_params(struct sgt_gddr_params *p)
{
   sgt_gddr_params_init(p);
   p->t_refi = 0;
}

/* A single read takes the sum of its parts, also with different clocks. */
static void
latency_is_the_sum(void **state)
{
   struct sgt_gddr_params p;
   plain_params(&p);
   struct driver *d = new_driver();
   add(d, 100, 4096, false, 1);
   run_driver(d, &p);
   /* The way to the queue, a clock in it, activate, read, data, and the way back. */
   const uint32_t parts = p.pipe + 1 + p.t_rcd + p.t_cl + 2 + p.pipe;
   assert_int_equal(d->end, 100 + parts);
   assert_int_equal(sgt_gddr_latency(&d->gddr), parts);
   assert_int_equal(d->gddr.stats.rows[0][SGT_GDDR_EMPTY], 1);
   finish_driver(d);

   d->mhz[0] = 600;
   d->mhz[1] = 1080;
   run_driver(d, &p);
   /* A tick is a cycle of 5400 MHz, so edges are at multiples of 9 and of 5. */
   const uint64_t sent = 100 * 9, arrives = (sent + p.pipe * 5 + 4) / 5 * 5;
   const uint64_t back = arrives + (parts - p.pipe) * 5;
   assert_int_equal(d->end, (back + 8) / 9 * 9);
   end_driver(d);
}

/* A stream moves a burst in each slot of the bus, and the opening of rows is hidden. */
static void
a_stream_fills_the_bus(void **state)
{
   struct sgt_gddr_params p;
   for (unsigned write = 0; write < 2; write++) {
      for (unsigned wide = 0; wide < 2; wide++) {
         struct driver *d = new_driver();
         plain_params(&p);
         p.bus_bits = wide ? 128 : 64; /* bursts of 64 or 32 bytes */
         for (unsigned i = 0; i < 20480; i++)
            add(d, 0, i * 64, write, 3);
         run_driver(d, &p);
         const struct sgt_gddr_stats *s = &d->gddr.stats;
         const uint64_t bursts = wide ? 20480 : 40960;
         assert_int_equal(s->rows[write][SGT_GDDR_EMPTY] + s->rows[write][SGT_GDDR_MISS],
                          20480 * 64 / p.row_bytes);
         const uint64_t start = p.pipe + 1 + p.t_rcd;
         assert_int_equal(s->states[SGT_GDDR_READ] + s->states[SGT_GDDR_WRITE], bursts * 2);
         assert_in_range(s->clocks, bursts * 2 + start, bursts * 2 + start + 60);
         end_driver(d);
      }
   }
}

/* Requests to other rows of one bank take a row cycle each. */
static void
misses_take_the_row_cycle(void **state)
{
   struct sgt_gddr_params p;
   for (unsigned write = 0; write < 2; write++) {
      for (unsigned rc = 30; rc <= 60; rc += 10) {
         struct driver *d = new_driver();
         plain_params(&p);
         p.t_rc = rc;
         for (unsigned i = 0; i < 40; i++)
            add(d, 0, (uint64_t)i * p.row_bytes * p.banks, write, 1);
         run_driver(d, &p);
         const unsigned used = write ? p.t_rcd + p.t_wl + 2 + p.t_wr : p.t_rcd + p.t_rtp;
         const unsigned cycle = MAX2(MAX2(used, p.t_ras) + p.t_rp, rc);
         const uint64_t first = p.pipe + 1 + p.t_rcd;
         if (!write) {
            for (unsigned i = 0; i < 40; i++)
               assert_int_equal(d->list[i].answer, first + p.t_cl + 2 + p.pipe + cycle * i);
         }
         const struct sgt_gddr_stats *s = &d->gddr.stats;
         assert_int_equal(d->check.last - 1, first + cycle * 39);
         assert_int_equal(s->rows[write][SGT_GDDR_MISS], 39);
         assert_int_equal(s->states[SGT_GDDR_ROW], 1 + p.t_rcd + 39 * (cycle - 2));
         end_driver(d);
      }
   }
}

/* Alternating reads and writes: each pair costs both turnarounds. */
static void
turning_the_bus_costs(void **state)
{
   struct sgt_gddr_params p;
   plain_params(&p);
   p.run_limit = 1;
   p.write_high = 1;
   p.write_low = 0;
   p.queue = 64;
   struct driver *d = new_driver();
   for (unsigned i = 0; i < 60; i++)
      add(d, 0, i * 64, i & 1, 1);
   run_driver(d, &p);
   const struct sgt_gddr_stats *s = &d->gddr.stats;
   const unsigned to_write = p.t_cl + 2 + p.t_rtw - p.t_wl, to_read = p.t_wl + 2 + p.t_cdlr;
   assert_int_equal(s->turns[1], 30);
   assert_int_equal(s->turns[0], 29);
   const uint64_t first = p.pipe + 1 + p.t_rcd;
   assert_int_equal(d->check.write, first + 30 * to_write + 29 * to_read);
   assert_int_equal(s->states[SGT_GDDR_TURN], 30 * (to_write - 2) + 29 * (to_read - 2));
   finish_driver(d);

   /* If they are grouped into runs, the same requests turn the bus only a few times. */
   p.run_limit = 64;
   p.write_high = 16;
   run_driver(d, &p);
   assert_in_range(s->turns[1], 1, 4);
   end_driver(d);
}

static void
refreshes_are_kept(void **state)
{
   struct sgt_gddr_params p;
   sgt_gddr_params_init(&p);
   struct driver *d = new_driver();
   for (unsigned i = 0; i < 20000; i++)
      add(d, 0, i * 64, false, 3);
   run_driver(d, &p);
   const struct sgt_gddr_stats *s = &d->gddr.stats;
   assert_int_equal(s->refreshes, s->clocks / p.t_refi);
   assert_int_equal(d->check.commands[SGT_GDDR_REFRESH_ALL], s->refreshes);
   /* Each refresh interrupts the stream from the precharge to the next column command. */
   const uint64_t cost = p.t_rp + p.t_rfc + p.t_rcd;
   assert_in_range(s->clocks, 80000 + s->refreshes * cost, 80000 + s->refreshes * (cost + 20) + 60);
   finish_driver(d);

   /* While the queue is empty, the same number of refreshes takes place. */
   d->num = 0;
   add(d, 10, 0, false, 1);
   add(d, 50 * p.t_refi + 10, 0, false, 1);
   run_driver(d, &p);
   assert_int_equal(s->refreshes, 50);
   assert_int_equal(s->states[SGT_GDDR_REFRESH], 50 * p.t_rfc + p.t_rp);
   /* The request arrives in the middle of the last refresh. */
   assert_int_equal(d->end, 50 * p.t_refi + p.t_rfc + p.t_rcd + p.t_cl + 2 + p.pipe);
   end_driver(d);
}

/* Younger hits are preferred up to a limit; the rest is in order. */
static void
hits_go_first_up_to_the_limit(void **state)
{
   struct sgt_gddr_params p;
   const unsigned limits[] = { 100, 3, 0 };
   for (unsigned k = 0; k < ARRAY_SIZE(limits); k++) {
      plain_params(&p);
      p.hit_limit = limits[k];
      struct driver *d = new_driver();
      for (unsigned i = 0; i < 14; i++)
         add(d, 0, i == 1 ? p.row_bytes * p.banks : i * 64, false, 1);
      run_driver(d, &p);
      unsigned before = 0;
      for (unsigned i = 2; i < 14; i++)
         before += d->list[i].answer < d->list[1].answer;
      assert_int_equal(before, MIN2(limits[k], 12));
      assert_int_equal(d->gddr.stats.overtakes, before);
      end_driver(d);
   }
}

static void
places_are_a_bijection(void **state)
{
   struct sgt_gddr_params p;
   for (unsigned hash = 0; hash < 2; hash++) {
      plain_params(&p);
      p.hash = hash;
      p.row_bytes = 1024;
      struct driver *d = new_driver();
      run_driver(d, &p);
      /* There are 32 rows in 8 banks, and each row has each of its 16 lines. */
      uint32_t seen[8][32] = { 0 };
      unsigned equal = 0;
      for (uint64_t a = 0; a < 8 * 32 * 1024; a += 64) {
         const struct sgt_gddr_place place = sgt_gddr_find(&d->gddr, a);
         const uint32_t bit = 1u << a / 64 % 16;
         assert_true(place.bank < 8 && place.row < 32);
         assert_false(seen[place.bank][place.row] & bit);
         seen[place.bank][place.row] |= bit;
         equal += place.bank == a / 1024 % 8;
      }
      assert_int_equal(equal, 8 * 32 * 16 / (hash ? 8 : 1));
      end_driver(d);
   }
}

static void
random_list(struct driver *d, struct sgt_random *r, const struct sgt_gddr_params *p)
{
   const unsigned rows = 1 + sgt_random_below(r, 6), gap = sgt_random_below(r, 30);
   const unsigned writes = sgt_random_below(r, 5), local = sgt_random_below(r, 4);
   uint64_t at = 0, address = 0;
   d->num = 0;
   for (unsigned i = 0; i < 400; i++) {
      at += sgt_random_below(r, gap + 1);
      if (sgt_random_below(r, 300) == 0)
         at += sgt_random_below(r, 3 * 4212);
      address = sgt_random_below(r, 4) < local
                   ? address + 64
                   : sgt_random_below(r, p->row_bytes * p->banks * rows / 64) * 64ull;
      add(d, at, address, sgt_random_below(r, 4) < writes, 1 + sgt_random_below(r, 3));
   }
}

static void
random_params(struct sgt_gddr_params *p, struct sgt_random *r)
{
   sgt_gddr_params_init(p);
   p->bus_bits = 64 << sgt_random_below(r, 2);
   p->banks = 1 << sgt_random_below(r, 5);
   p->row_bytes = 256 << sgt_random_below(r, 4);
   p->hash = sgt_random_below(r, 2);
   p->close = sgt_random_below(r, 2);
   p->queue = 2 + sgt_random_below(r, 63);
   p->hit_limit = sgt_random_below(r, 20);
   p->write_high = 1 + sgt_random_below(r, p->queue);
   p->write_low = sgt_random_below(r, p->write_high);
   p->run_limit = 1 + sgt_random_below(r, 40);
   p->pipe = 1 + sgt_random_below(r, 20);
   uint32_t *const times[] = { &p->t_rcd, &p->t_rp,  &p->t_ras, &p->t_rc, &p->t_rrd, &p->t_cl,
                               &p->t_wl,  &p->t_rtp, &p->t_rtw, &p->t_wr, &p->t_cdlr };
   for (unsigned i = 0; i < ARRAY_SIZE(times); i++)
      *times[i] = 1 + sgt_random_below(r, 30);
   p->t_ccd = 2 + sgt_random_below(r, 3);
   p->t_refi = sgt_random_below(r, 4) ? 300 + sgt_random_below(r, 2000) : 0;
}

/* Commands must keep all times, every request must be done, and calls without a reason must change
 * nothing.
 */
static void
random_streams(void **state)
{
   struct driver *d = new_driver();
   struct sgt_random r = { 5 };
   struct sgt_gddr_params p;
   uint64_t blocked = 0, ordered = 0, limited = 0, fair = 0;
   for (unsigned round = 0; round < 150; round++) {
      random_params(&p, &r);
      random_list(d, &r, &p);
      d->mhz[0] = 1 + sgt_random_below(&r, 4);
      d->mhz[1] = 1 + sgt_random_below(&r, 4);
      d->slow_until = sgt_random_below(&r, 3) ? 0 : 3000;
      d->nags = false;
      run_driver(d, &p);
      const uint64_t end = d->end;
      struct sgt_gddr_stats first = d->gddr.stats;
      finish_driver(d);
      d->nags = true;
      run_driver(d, &p);
      assert_int_equal(d->end, end);
      first.clocks = d->gddr.stats.clocks;
      first.states[SGT_GDDR_IDLE] = d->gddr.stats.states[SGT_GDDR_IDLE];
      first.states[SGT_GDDR_REFRESH] = d->gddr.stats.states[SGT_GDDR_REFRESH];
      first.refreshes = d->gddr.stats.refreshes;
      first.precharges = d->gddr.stats.precharges;
      assert_memory_equal(&first, &d->gddr.stats, sizeof(first));
      finish_driver(d);
      blocked += first.blocked;
      ordered += first.ordered;
      limited += first.limited;
      fair += first.turns_run;
   }
   assert_true(blocked > 100 && ordered > 100 && limited > 100 && fair > 100);
   free(d);
}

static void
illegal_parameters(void **state)
{
   struct sgt_gddr_params p;
   char error[256];
   sgt_gddr_params_init(&p);
   assert_true(sgt_gddr_params_check(&p, error, sizeof(error)));
   p.burst = 16;
   p.t_ccd = 8;
   assert_false(sgt_gddr_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "gddr.burst: 16 beats of 64 bits are not 32 or 64 bytes");
   sgt_gddr_params_init(&p);
   p.write_low = 16;
   assert_false(sgt_gddr_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "gddr.write_low: 16 is not from 0 to 15");
   sgt_gddr_params_init(&p);
   p.t_refi = 100;
   assert_false(sgt_gddr_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "gddr.t_refi: 100 is not 0 or above 149");
   sgt_gddr_params_init(&p);
   p.banks = 6;
   assert_false(sgt_gddr_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "gddr.banks: 6 is not a power of 2");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(latency_is_the_sum),        cmocka_unit_test(a_stream_fills_the_bus),
      cmocka_unit_test(misses_take_the_row_cycle), cmocka_unit_test(turning_the_bus_costs),
      cmocka_unit_test(refreshes_are_kept),        cmocka_unit_test(hits_go_first_up_to_the_limit),
      cmocka_unit_test(places_are_a_bijection),    cmocka_unit_test(random_streams),
      cmocka_unit_test(illegal_parameters),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
