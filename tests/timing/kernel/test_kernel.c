/* SPDX-License-Identifier: MIT */
/*
 * Tests the kernel of the timing model: clocks, scheduler, channels, statistics.
 */
#include "../../unit.h"
#include "kernel/sgt_channel.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

static void
clocks_meet_at_whole_ticks(void **state)
{
   struct sgt_clock c[3] = { { .mhz = 1500 }, { .mhz = 600 }, { .mhz = 1080 } };
   assert_true(sgt_clocks_init(c, 3));
   /* The least common multiple is 27000 MHz. */
   assert_int_equal(c[0].period, 18);
   assert_int_equal(c[1].period, 45);
   assert_int_equal(c[2].period, 25);
   assert_int_equal(sgt_clock_edge(&c[1], 0), 0);
   assert_int_equal(sgt_clock_edge(&c[1], 1), 45);
   assert_int_equal(sgt_clock_edge(&c[1], 45), 45);
   assert_true(sgt_clock_edge(&c[1], SGT_NEVER) == SGT_NEVER);
   struct sgt_clock none = { .mhz = 0 };
   assert_false(sgt_clocks_init(&none, 1));
   struct sgt_clock primes[2] = { { .mhz = 99991 }, { .mhz = 99989 } };
   assert_false(sgt_clocks_init(primes, 2));
}

/* A unit that requests calls at random times, near and far.  It checks that each call is at the
 * requested time.
 */
struct sleeper {
   struct sgt_unit unit;
   struct sgt_random random;
   uint64_t expected, calls;
};

static uint64_t
sleep_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sleeper *s = container_of(unit, struct sleeper, unit);
   assert_true(now == s->expected);
   assert_int_equal(now % unit->clock->period, 0);
   const uint32_t far = sgt_random_below(&s->random, 20) == 0 ? 100000 : 300;
   const uint64_t next = now + 1 + sgt_random_below(&s->random, far);
   s->calls++;
   s->expected = sgt_clock_edge(unit->clock, next);
   return next;
}

static void
units_are_called_when_they_want(void **state)
{
   struct sgt_clock clocks[2] = { { .mhz = 3 }, { .mhz = 5 } };
   assert_true(sgt_clocks_init(clocks, 2));
   struct sgt_sched sched;
   sgt_sched_init(&sched);
   struct sleeper sleepers[150]; /* more units with the same period than a wheel has */
   for (unsigned i = 0; i < ARRAY_SIZE(sleepers); i++) {
      sleepers[i] = (struct sleeper){
         .unit = { .name = "sleeper", .clock = &clocks[i % 2], .tick = sleep_tick },
         .random = { i },
         .expected = sgt_clock_edge(&clocks[i % 2], i * 100),
      };
      assert_true(sgt_sched_add(&sched, &sleepers[i].unit, i * 100));
   }
   const uint64_t end = 3000000;
   uint64_t before = 0;
   while (sgt_sched_step(&sched, end)) {
      assert_true(sched.now > before || !before);
      assert_true(sched.now <= end);
      before = sched.now;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(sleepers); i++) {
      assert_true(sleepers[i].calls > 100);
      assert_true(sleepers[i].expected > end);
   }
   sgt_sched_finish(&sched);
}

/* A unit that other units wake. */
struct woken {
   struct sgt_unit unit;
   uint64_t times[8];
   unsigned calls;
};

static uint64_t
woken_tick(struct sgt_unit *unit, uint64_t now)
{
   struct woken *w = container_of(unit, struct woken, unit);
   w->times[w->calls++] = now;
   return SGT_NEVER;
}

static void
the_earliest_wake_counts(void **state)
{
   struct sgt_clock clock = { .mhz = 1 };
   assert_true(sgt_clocks_init(&clock, 1));
   struct sgt_sched sched;
   sgt_sched_init(&sched);
   struct woken w = { .unit = { .name = "woken", .clock = &clock, .tick = woken_tick } };
   assert_true(sgt_sched_add(&sched, &w.unit, 0));
   assert_true(sgt_sched_step(&sched, SGT_NEVER - 1));
   sgt_sched_wake(&sched, &w.unit, 1000000); /* far away */
   sgt_sched_wake(&sched, &w.unit, 20);
   sgt_sched_wake(&sched, &w.unit, 10);
   sgt_sched_wake(&sched, &w.unit, 30);
   assert_true(sgt_sched_step(&sched, SGT_NEVER - 1));
   assert_false(sgt_sched_step(&sched, SGT_NEVER - 1));
   sgt_sched_wake(&sched, &w.unit, 5000);
   assert_false(sgt_sched_step(&sched, 4999));
   assert_true(sgt_sched_step(&sched, 5000));
   assert_int_equal(w.calls, 3);
   assert_int_equal(w.times[1], 10);
   assert_int_equal(w.times[2], 5000);
   sgt_sched_finish(&sched);
}

/* A ring of units, each with a queue.  Messages circulate, each unit takes a random time for a
 * message, and there are few places.  What each unit sees must not depend on the order of units.
 */
#define RING 8

struct station {
   struct sgt_unit unit;
   struct sgt_channel *in, *out;
   struct sgt_random random;
   uint32_t held[4], num_held;
   uint64_t free_at; /* time in ticks */
   uint64_t hash, passed;
};

static uint64_t
station_tick(struct sgt_unit *unit, uint64_t now)
{
   struct station *s = container_of(unit, struct station, unit);
   const uint64_t period = unit->clock->period;
   const uint32_t *message = sgt_channel_peek(s->in, now);
   if (message && s->num_held < ARRAY_SIZE(s->held)) {
      s->held[s->num_held++] = *message;
      sgt_channel_take(s->in, now);
      s->hash = (s->hash ^ *message ^ now) * 0x100000001b3ull;
   }
   if (s->num_held && now >= s->free_at && sgt_channel_can_send(s->out, now)) {
      const uint32_t next = s->held[0] * 7 + 1;
      sgt_channel_send(s->out, now, &next);
      memmove(s->held, s->held + 1, --s->num_held * sizeof(s->held[0]));
      s->free_at = now + period * (1 + sgt_random_below(&s->random, 5));
      s->passed++;
   }
   /* Space in a full output wakes the unit, but a message that waits at the input does not. */
   if (s->free_at > now && s->num_held)
      return sgt_channel_peek(s->in, now) ? now + period : s->free_at;
   return sgt_channel_peek(s->in, now) && s->num_held < ARRAY_SIZE(s->held) ? now + period
                                                                            : SGT_NEVER;
}

static uint64_t
run_ring(bool shuffle, uint64_t seed, uint64_t *passed, uint64_t *residence, uint32_t *used)
{
   struct sgt_clock clocks[2] = { { .mhz = 2 }, { .mhz = 3 } };
   assert_true(sgt_clocks_init(clocks, 2));
   struct sgt_sched sched;
   sgt_sched_init(&sched);
   if (shuffle)
      sgt_sched_shuffle(&sched, seed);
   struct station stations[RING] = { 0 };
   struct sgt_channel channels[RING];
   for (unsigned i = 0; i < RING; i++) {
      stations[i].unit = (struct sgt_unit){ .name = "s",
                                            .clock = &clocks[i % 2],
                                            .tick = station_tick };
   }
   for (unsigned i = 0; i < RING; i++) {
      struct station *next = &stations[(i + 1) % RING];
      assert_true(sgt_channel_init(&channels[i], &sched, &stations[i].unit, &next->unit,
                                   sizeof(uint32_t), 1 + i % 3, 1 + i % 4));
      stations[i].out = &channels[i];
      next->in = &channels[i];
   }
   for (unsigned i = 0; i < RING; i++) {
      struct station *s = &stations[i];
      s->random.state = i;
      s->num_held = 2;
      s->held[0] = 2 * i;
      s->held[1] = 2 * i + 1;
      assert_true(sgt_sched_add(&sched, &s->unit, 0));
   }
   while (sgt_sched_step(&sched, 20000))
      ;
   uint64_t hash = 0;
   *passed = *residence = 0;
   *used = 0;
   uint64_t messages = 0;
   for (unsigned i = 0; i < RING; i++) {
      hash = (hash ^ stations[i].hash) * 0x100000001b3ull;
      *passed += stations[i].passed;
      *residence += channels[i].residence;
      *used = MAX2(*used, channels[i].max_used);
      assert_true(channels[i].max_used <= channels[i].capacity);
      messages += stations[i].num_held + (channels[i].sent - channels[i].taken);
      sgt_channel_finish(&channels[i]);
   }
   /* No message is lost or duplicated. */
   assert_int_equal(messages, 2 * RING);
   sgt_sched_finish(&sched);
   return hash;
}

static void
the_order_of_units_does_not_matter(void **state)
{
   uint64_t passed, residence, p, r;
   uint32_t used, u;
   const uint64_t hash = run_ring(false, 0, &passed, &residence, &used);
   /* The ring has not stopped. */
   assert_true(passed > 5000);
   for (uint64_t seed = 0; seed < 100; seed++) {
      assert_true(run_ring(true, seed, &p, &r, &u) == hash);
      assert_true(p == passed && r == residence && u == used);
   }
}

/* A unit with more inputs than it has arrival slots.  Senders send at random times with random
 * delays.
 */
#define SENDERS 100

struct sender {
   struct sgt_unit unit;
   struct sgt_channel channel;
   struct sgt_random random;
   uint64_t sent;
};

struct collector {
   struct sgt_unit unit;
   struct sender *senders;
   uint64_t taken, hash;
};

static uint64_t
send_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sender *s = container_of(unit, struct sender, unit);
   if (sgt_channel_can_send(&s->channel, now)) {
      sgt_channel_send(&s->channel, now, &now);
      s->sent++;
   }
   return now + 1 + sgt_random_below(&s->random, 2000);
}

/* Takes messages that have arrived, from at most two of its inputs, and is called again for the
 * rest.
 */
static uint64_t
collect_tick(struct sgt_unit *unit, uint64_t now)
{
   struct collector *c = container_of(unit, struct collector, unit);
   unsigned taken = 0;
   for (unsigned i = 0; i < SENDERS; i++) {
      struct sgt_channel *channel = &c->senders[i].channel;
      const uint64_t *sent = sgt_channel_peek(channel, now);
      assert_true(!sent == (sgt_channel_arrival(channel) > now));
      if (!sent)
         continue;
      assert_true(*sent + channel->delay <= now);
      if (taken == 2)
         return now + unit->clock->period;
      c->hash = (c->hash ^ (*sent * SENDERS + i) ^ now) * 0x100000001b3ull;
      sgt_channel_take(channel, now);
      c->taken++;
      taken++;
   }
   return SGT_NEVER;
}

static uint64_t
run_collector(uint64_t seed)
{
   struct sgt_clock clocks[3] = { { .mhz = 3 }, { .mhz = 4 }, { .mhz = 7 } };
   assert_true(sgt_clocks_init(clocks, 3));
   struct sgt_sched sched;
   sgt_sched_init(&sched);
   if (seed)
      sgt_sched_shuffle(&sched, seed);
   struct sender senders[SENDERS] = { 0 };
   struct collector c = { .unit = { .name = "c", .clock = &clocks[2], .tick = collect_tick },
                          .senders = senders };
   for (unsigned i = 0; i < SENDERS; i++) {
      senders[i].unit = (struct sgt_unit){ .name = "s",
                                           .clock = &clocks[i % 2],
                                           .tick = send_tick };
      senders[i].random.state = i;
      assert_true(sgt_channel_init(&senders[i].channel, &sched, &senders[i].unit, &c.unit,
                                   sizeof(uint64_t), 1 + i % 3, 1 + i % 90));
      assert_true(sgt_sched_add(&sched, &senders[i].unit, i));
   }
   assert_true(sgt_sched_add(&sched, &c.unit, 0));
   while (sgt_sched_step(&sched, 80000))
      ;
   uint64_t sent = 0, left = 0;
   for (unsigned i = 0; i < SENDERS; i++) {
      sent += senders[i].sent;
      left += senders[i].channel.sent - senders[i].channel.taken;
      /* All available messages were taken, except for those that the latest call left. */
      if (!sgt_channel_empty(&senders[i].channel))
         assert_true(sgt_channel_arrival(&senders[i].channel) + 100 * clocks[2].period > sched.now);
      sgt_channel_finish(&senders[i].channel);
   }
   assert_true(sent > 5000);
   assert_int_equal(c.taken + left, sent);
   sgt_sched_finish(&sched);
   return c.hash;
}

static void
a_unit_has_many_inputs(void **state)
{
   const uint64_t hash = run_collector(0);
   for (uint64_t seed = 1; seed < 10; seed++)
      assert_true(run_collector(seed) == hash);
}

/* An end of a channel: sends as often as it can, or receives. */
struct end {
   struct sgt_unit unit;
   struct sgt_channel *channel;
   bool sends;
   uint64_t times[16];
   unsigned num, from; /* number of messages; time at which the receiver begins */
};

static uint64_t
end_tick(struct sgt_unit *unit, uint64_t now)
{
   struct end *e = container_of(unit, struct end, unit);
   if (e->num == ARRAY_SIZE(e->times))
      return SGT_NEVER;
   if (e->sends && sgt_channel_can_send(e->channel, now)) {
      sgt_channel_send(e->channel, now, &now);
      e->times[e->num++] = now;
   } else if (!e->sends && now >= e->from && sgt_channel_peek(e->channel, now)) {
      assert_true(*(const uint64_t *)sgt_channel_peek(e->channel, now) + e->channel->delay <= now);
      sgt_channel_take(e->channel, now);
      e->times[e->num++] = now;
   }
   return e->sends ? SGT_NEVER : now + 1;
}

static void
a_channel_has_delay_and_capacity(void **state)
{
   struct sgt_clock clock = { .mhz = 1 };
   assert_true(sgt_clocks_init(&clock, 1));
   struct sgt_sched sched;
   sgt_sched_init(&sched);
   struct sgt_channel channel;
   struct end a = { .unit = { .name = "a", .clock = &clock, .tick = end_tick }, .sends = true };
   struct end b = { .unit = { .name = "b", .clock = &clock, .tick = end_tick }, .from = 10 };
   a.channel = b.channel = &channel;
   assert_true(sgt_channel_init(&channel, &sched, &a.unit, &b.unit, sizeof(uint64_t), 2, 3));
   assert_true(sgt_sched_add(&sched, &a.unit, 0));
   assert_true(sgt_sched_add(&sched, &b.unit, 0));
   /* The sender sends one message; the test wakes it for the next ones. */
   for (uint64_t t = 1; t < 10; t++) {
      while (sched.now < t && sgt_sched_step(&sched, t))
         ;
      sgt_sched_wake(&sched, &a.unit, t + 1);
   }
   assert_int_equal(a.num, 2);
   assert_int_equal(b.num, 0);
   while (b.num < 6 && sgt_sched_step(&sched, 1000))
      ;
   /* Both messages are available at 10 and 11.  The first place is free from 11 on, and the sender
    * is called for it; its message arrives 3 ticks later.
    */
   assert_int_equal(b.times[0], 10);
   assert_int_equal(b.times[1], 11);
   assert_int_equal(a.times[2], 11);
   assert_int_equal(b.times[2], 14);
   assert_int_equal(channel.max_used, 2);
   sgt_channel_finish(&channel);
   sgt_sched_finish(&sched);
}

static void
parts_must_add_up(void **state)
{
   static const char *const names[] = { "a", "b" };
   uint64_t values[2] = { 3, 4 };
   struct sgt_stat stat = { .kind = SGT_STAT_PARTS,
                            .unit = "u",
                            .name = "states",
                            .of = "cycles",
                            .num = 2,
                            .values = values,
                            .names = names,
                            .total = 7 };
   struct sgt_stats stats;
   char error[100] = "";
   sgt_stats_init(&stats);
   for (unsigned i = 0; i < 100; i++)
      sgt_stats_add(&stats, &stat);
   assert_int_equal(stats.num, 100);
   assert_true(sgt_stats_check(&stats, error, sizeof(error)));
   values[0] = 4;
   assert_false(sgt_stats_check(&stats, error, sizeof(error)));
   assert_string_equal(error, "u.states: the parts are 8 cycles, the whole is 7");
   assert_ptr_equal(sgt_stats_find(&stats, "u", "states"), &stats.stats[0]);
   assert_null(sgt_stats_find(&stats, "u", "other"));
   sgt_stats_finish(&stats);
}

static void
a_series_has_each_unit_of_time_once(void **state)
{
   struct sgt_random r = { 1 };
   for (unsigned round = 0; round < 50; round++) {
      struct sgt_series s;
      uint64_t counts[2][4000] = { 0 };
      sgt_series_init(&s, 1 + sgt_random_below(&r, 120), 2);
      uint64_t t = 0;
      while (t < 3000) {
         const uint32_t each[2] = { sgt_random_below(&r, 5), sgt_random_below(&r, 5) };
         const uint64_t length = sgt_random_below(&r, sgt_random_below(&r, 4) ? 10 : 500);
         sgt_series_add(&s, t, length, each);
         for (uint64_t i = t; i < t + length; i++) {
            counts[0][i] += each[0];
            counts[1][i] += each[1];
         }
         if (length) {
            sgt_series_move(&s, t, length / 2, 0, 1);
            for (uint64_t i = t; i < t + length / 2; i++) {
               counts[0][i]--;
               counts[1][i]++;
            }
         }
         t += length;
      }
      assert_false(s.out_of_memory);
      assert_int_equal(s.intervals, (t + s.interval - 1) / s.interval);
      for (uint64_t i = 0; i < s.intervals; i++) {
         for (unsigned c = 0; c < 2; c++) {
            uint64_t sum = 0;
            for (uint64_t j = i * s.interval; j < (i + 1) * s.interval && j < t; j++)
               sum += counts[c][j];
            assert_true(s.values[i * 2 + c] == sum);
         }
      }
      sgt_series_finish(&s);
   }
}

/* The numbers must be those that SplitMix64 gives for the seed 1234567. */
static void
random_numbers_are_those_of_splitmix(void **state)
{
   struct sgt_random r = { 1234567 };
   assert_true(sgt_random_next(&r) == 6457827717110365317ull);
   assert_true(sgt_random_next(&r) == 3203168211198807973ull);
   uint32_t counts[5] = { 0 };
   for (unsigned i = 0; i < 50000; i++)
      counts[sgt_random_below(&r, 5)]++;
   for (unsigned i = 0; i < 5; i++)
      assert_in_range(counts[i], 9600, 10400);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(clocks_meet_at_whole_ticks),
      cmocka_unit_test(units_are_called_when_they_want),
      cmocka_unit_test(the_earliest_wake_counts),
      cmocka_unit_test(the_order_of_units_does_not_matter),
      cmocka_unit_test(a_unit_has_many_inputs),
      cmocka_unit_test(a_channel_has_delay_and_capacity),
      cmocka_unit_test(parts_must_add_up),
      cmocka_unit_test(a_series_has_each_unit_of_time_once),
      cmocka_unit_test(random_numbers_are_those_of_splitmix),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
