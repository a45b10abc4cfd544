/* SPDX-License-Identifier: MIT */
/*
 * The constant cache: answers by hand, and random threads and changes against the plain meaning
 * of contexts and versions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sgt_config.h"
#include "sgt_const_cache.h"
#include "sgt_random.h"
#include "sgt_stats.h"

#define LINE SGT_CONST_LINE

static struct sgt_const_cache *
create(const struct sgt_const_params *p)
{
   char error[100];

   assert_true(sgt_const_params_check(p, error, sizeof(error)));
   struct sgt_const_cache *c = sgt_const_cache_create(p);
   assert_non_null(c);
   return c;
}

static void
destroy(struct sgt_const_cache *c)
{
   struct sgt_stats stats;
   char error[100];

   assert_null(sgt_const_cache_check(c));
   sgt_stats_init(&stats);
   sgt_const_cache_register(c, &stats, "constants");
   assert_false(stats.out_of_memory);
   assert_true(sgt_stats_check(&stats, error, sizeof(error)));
   assert_non_null(sgt_stats_find(&stats, "constants", "requests"));
   /* Little's law, when nothing is left in it. */
   assert_true(sgt_const_counts(c)->fifo_occupancy == sgt_const_counts(c)->fifo_residence);
   sgt_stats_finish(&stats);
   sgt_const_cache_destroy(c);
}

/* A request that must hit: it is ready after the latency, and taken then. */
static uint64_t
hit(struct sgt_const_cache *c, int context, uint32_t version, uint32_t address, uint64_t now,
    uint32_t latency)
{
   struct sgt_const_fill fill;

   sgt_const_cycle(c, now);
   assert_int_equal(sgt_const_lookup(c, context, version, address, 200, now, &fill), SGT_CONST_HIT);
   assert_true(sgt_const_ready(c, 200) == now + latency);
   return sgt_const_take(c, 200, now + latency);
}

/* A request that must miss, and its line at once. */
static uint64_t
miss(struct sgt_const_cache *c, int context, uint32_t version, uint32_t address, uint64_t value,
     uint64_t now)
{
   struct sgt_const_fill fill;

   sgt_const_cycle(c, now);
   assert_int_equal(sgt_const_lookup(c, context, version, address, 200, now, &fill),
                    SGT_CONST_MISS);
   assert_true(sgt_const_ready(c, 200) == UINT64_MAX);
   sgt_const_filled(c, fill.id, value);
   assert_false(sgt_const_cycle(c, now + 1));
   assert_true(sgt_const_ready(c, 200) == now + 2);
   return sgt_const_take(c, 200, now + 2);
}

/* A miss on its way does not keep others from hitting; requests of its line join it. */
static void
hit_under_miss(void **state)
{
   struct sgt_const_params p;
   struct sgt_const_fill fill[3];

   sgt_const_params_init(&p);
   struct sgt_const_cache *c = create(&p);
   const int x = sgt_const_open(c, 1, 0, 0x10000, 256);
   const uint32_t v = sgt_const_acquire(c, x);

   assert_int_equal(miss(c, x, v, 0, 70, 0), 70);
   assert_int_equal(sgt_const_lookup(c, x, v, 3 * LINE + 16, 0, 10, &fill[0]), SGT_CONST_MISS);
   assert_true(fill[0].address == 0x10000 + 3 * LINE);
   assert_int_equal(sgt_const_lookup(c, x, v, 3 * LINE + 48, 1, 11, &fill[1]), SGT_CONST_MERGED);
   assert_int_equal(sgt_const_lookup(c, x, v, 2 * LINE, 2, 12, &fill[2]), SGT_CONST_MISS);
   for (uint64_t now = 13; now < 40; now += p.latency)
      assert_int_equal(hit(c, x, v, 16, now, p.latency), 70);

   /* The second line comes first.  One constant enters the FIFO in a cycle. */
   sgt_const_filled(c, fill[2].id, 72);
   sgt_const_filled(c, fill[0].id, 73);
   assert_true(sgt_const_cycle(c, 50));
   assert_int_equal(sgt_const_lookup(c, x, v, 0, 3, 50, &fill[1]), SGT_CONST_PORT);
   assert_true(sgt_const_cycle(c, 51));
   assert_false(sgt_const_cycle(c, 52));
   assert_true(sgt_const_ready(c, 2) == 51);
   assert_true(sgt_const_ready(c, 0) == 52);
   assert_true(sgt_const_ready(c, 1) == 53);
   assert_int_equal(sgt_const_take(c, 1, 60), 73); /* in any order */
   assert_int_equal(sgt_const_take(c, 2, 60), 72);
   assert_int_equal(sgt_const_take(c, 0, 60), 73);
   sgt_const_release(c, x, v);

   const struct sgt_const_counts *n = sgt_const_counts(c);
   assert_int_equal(n->results[SGT_CONST_HIT], 14);
   assert_int_equal(n->results[SGT_CONST_MISS], 3);
   assert_int_equal(n->results[SGT_CONST_MERGED], 1);
   assert_int_equal(n->results[SGT_CONST_PORT], 1);
   assert_int_equal(n->delivered, 18);
   assert_int_equal(n->fills, 3);
   /* 0 to 2, 10 to 52, 11 to 53, 12 to 51, and the hits. */
   assert_int_equal(n->request_latency, 2 + 42 + 42 + 39 + 14 * p.latency);
   destroy(c);
}

/* What was found and not taken fills the FIFO; misses have a limit of their own. */
static void
full(void **state)
{
   struct sgt_const_params p;
   struct sgt_const_fill fill[4];

   sgt_const_params_init(&p);
   p.fifo = 2;
   p.misses = 2;
   struct sgt_const_cache *c = create(&p);
   const int x = sgt_const_open(c, 0, 0, 0, 1024);
   const uint32_t v = sgt_const_acquire(c, x);

   miss(c, x, v, 0, 7, 0);
   assert_int_equal(sgt_const_lookup(c, x, v, 0, 0, 10, fill), SGT_CONST_HIT);
   assert_int_equal(sgt_const_lookup(c, x, v, 0, 1, 10, fill), SGT_CONST_PORT);
   assert_int_equal(sgt_const_lookup(c, x, v, 0, 1, 11, fill), SGT_CONST_HIT);
   assert_int_equal(sgt_const_lookup(c, x, v, 0, 2, 12, fill), SGT_CONST_FIFO_FULL);
   /* Misses need no place in the FIFO. */
   assert_int_equal(sgt_const_lookup(c, x, v, LINE, 2, 12, &fill[0]), SGT_CONST_MISS);
   assert_int_equal(sgt_const_lookup(c, x, v, 2 * LINE, 3, 12, &fill[1]), SGT_CONST_MISS);
   assert_int_equal(sgt_const_lookup(c, x, v, 3 * LINE, 4, 12, &fill[2]), SGT_CONST_MISSES_FULL);
   sgt_const_filled(c, fill[0].id, 8);
   assert_true(sgt_const_cycle(c, 13)); /* no place */
   assert_true(sgt_const_ready(c, 2) == UINT64_MAX);
   sgt_const_take(c, 0, 14);
   assert_false(sgt_const_cycle(c, 14));
   assert_true(sgt_const_ready(c, 2) == 15);
   sgt_const_take(c, 1, 15);
   sgt_const_take(c, 2, 15);
   sgt_const_filled(c, fill[1].id, 9);
   sgt_const_cycle(c, 16);
   assert_int_equal(sgt_const_take(c, 3, 17), 9);
   assert_int_equal(sgt_const_counts(c)->fifo_most, 2);
   destroy(c);
}

/* Draws by turns with two contexts: with room for both only the first time misses, with room for
 * one each switch empties the cache.
 */
static void
contexts(void **state)
{
   for (uint32_t num = 1; num <= 2; num++) {
      struct sgt_const_params p;
      sgt_const_params_init(&p);
      p.contexts = num;
      struct sgt_const_cache *c = create(&p);
      uint64_t now = 0;

      for (uint32_t draw = 0; draw < 20; draw++) {
         const uint32_t id = draw % 2;
         const int x = sgt_const_open(c, 0, id, 0x1000 * (id + 1), 8 * LINE);
         assert_true(x >= 0);
         const uint32_t v = sgt_const_acquire(c, x);
         for (uint32_t line = 0; line < 8; line++, now += 10) {
            const uint64_t value = 100 * id + line;
            if (num == 1 || draw < 2)
               assert_int_equal(miss(c, x, v, line * LINE, value, now), value);
            else
               assert_int_equal(hit(c, x, v, line * LINE, now, p.latency), value);
         }
         sgt_const_release(c, x, v);
      }
      const struct sgt_const_counts *n = sgt_const_counts(c);
      assert_int_equal(n->fills, num == 1 ? 160 : 16);
      assert_int_equal(n->evicted, num == 1 ? 19 : 0);
      assert_int_equal(n->opened, num == 1 ? 20 : 2);
      assert_int_equal(n->reopened, num == 1 ? 0 : 18);

      /* Held by a thread, the context stays. */
      const int x = sgt_const_open(c, 0, 0, 0x1000, 8 * LINE);
      const uint32_t v = sgt_const_acquire(c, x);
      const int other = sgt_const_open(c, 0, 1, 0x2000, 8 * LINE);
      assert_int_equal(other < 0, num == 1);
      assert_int_equal(n->no_context, num == 1);
      sgt_const_release(c, x, v);
      assert_true(sgt_const_open(c, 1, 0, 0x2000, 8 * LINE) >= 0);
      destroy(c);
   }
}

/* A constant changes under a running thread: it keeps the old value, threads that start later
 * have the new one; when the old ones have ended, the new value is at the constant's own place.
 */
static void
versions(void **state)
{
   struct sgt_const_params p;
   struct sgt_const_fill fill;

   sgt_const_params_init(&p);
   p.versions = 3;
   struct sgt_const_cache *c = create(&p);
   const struct sgt_const_counts *n = sgt_const_counts(c);
   const int x = sgt_const_open(c, 2, 5, 0x4000, 4 * LINE);

   /* Nobody runs: nothing to keep. */
   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_CHANGED);
   assert_int_equal(n->in_place, 1);
   const uint32_t a = sgt_const_acquire(c, x);
   assert_int_equal(miss(c, x, a, 0, 10, 0), 10);
   assert_int_equal(miss(c, x, a, LINE, 11, 10), 11);

   assert_int_equal(sgt_const_change(c, x, 16, &fill), SGT_CONST_CHANGED);
   assert_int_equal(sgt_const_change(c, x, 32, &fill), SGT_CONST_CHANGED); /* the same line */
   const uint32_t b = sgt_const_acquire(c, x);
   assert_int_equal(b, a + 1);
   assert_int_equal(n->versions, 1);
   assert_int_equal(hit(c, x, a, 0, 20, p.latency), 10);
   assert_int_equal(miss(c, x, b, 0, 20, 30), 20);
   assert_int_equal(hit(c, x, a, 0, 40, p.latency), 10);
   assert_int_equal(hit(c, x, b, 0, 50, p.latency), 20);
   assert_int_equal(hit(c, x, b, LINE, 60, p.latency), 11); /* unchanged: one for both */

   /* A line that is not there must come before memory changes. */
   assert_int_equal(sgt_const_change(c, x, 2 * LINE, &fill), SGT_CONST_FETCH);
   assert_true(fill.address == 0x4000 + 2 * LINE);
   assert_int_equal(sgt_const_change(c, x, 2 * LINE, &fill), SGT_CONST_CHANGED);
   const uint32_t d = sgt_const_acquire(c, x);
   assert_int_equal(d, a + 2);
   sgt_const_filled(c, fill.id, 12);
   assert_int_equal(hit(c, x, a, 2 * LINE, 70, p.latency), 12);
   assert_int_equal(hit(c, x, b, 2 * LINE, 80, p.latency), 12);
   assert_int_equal(miss(c, x, d, 2 * LINE, 32, 90), 32);

   /* Three versions have threads. */
   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_NO_VERSION);
   sgt_const_release(c, x, b);
   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_NO_VERSION);
   sgt_const_release(c, x, a);
   assert_int_equal(n->merged, 2);
   assert_null(sgt_const_cache_check(c));
   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_CHANGED);
   assert_int_equal(hit(c, x, d, 0, 100, p.latency), 20);
   assert_int_equal(hit(c, x, d, 2 * LINE, 110, p.latency), 32);
   sgt_const_release(c, x, d);
   assert_int_equal(n->merged, 3);
   const uint32_t e = sgt_const_acquire(c, x);
   assert_int_equal(miss(c, x, e, 0, 40, 120), 40);
   destroy(c);
}

/* A line that is on its way when it changes, and nobody runs who needs the old value: what comes
 * does not stay.
 */
static void
overtaken(void **state)
{
   struct sgt_const_params p;
   struct sgt_const_fill fill, other;

   sgt_const_params_init(&p);
   struct sgt_const_cache *c = create(&p);
   const int x = sgt_const_open(c, 0, 0, 0, LINE);
   const uint32_t v = sgt_const_acquire(c, x);

   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_FETCH);
   sgt_const_release(c, x, v);
   assert_int_equal(sgt_const_change(c, x, 0, &other), SGT_CONST_CHANGED);
   assert_null(sgt_const_cache_check(c));
   const uint32_t w = sgt_const_acquire(c, x);
   assert_int_equal(sgt_const_lookup(c, x, w, 0, 0, 5, &other), SGT_CONST_MISS);
   sgt_const_filled(c, fill.id, 1);
   sgt_const_filled(c, other.id, 2);
   sgt_const_cycle(c, 9);
   assert_int_equal(sgt_const_take(c, 0, 10), 2);
   assert_int_equal(hit(c, x, w, 0, 20, p.latency), 2);
   destroy(c);
}

/* The context that nobody has used for longest leaves. */
static void
least_recent(void **state)
{
   struct sgt_const_params p;

   sgt_const_params_init(&p);
   p.contexts = 3;
   struct sgt_const_cache *c = create(&p);
   for (uint32_t id = 0; id < 3; id++) {
      const int x = sgt_const_open(c, 0, id, 0x1000 * id, LINE);
      sgt_const_release(c, x, sgt_const_acquire(c, x));
   }
   sgt_const_open(c, 0, 0, 0, LINE);
   sgt_const_open(c, 0, 3, 0x3000, LINE); /* instead of 1 */
   assert_int_equal(sgt_const_counts(c)->reopened, 1);
   sgt_const_open(c, 0, 0, 0, LINE);
   sgt_const_open(c, 0, 2, 0x2000, LINE);
   assert_int_equal(sgt_const_counts(c)->reopened, 3);
   assert_int_equal(sgt_const_counts(c)->evicted, 1);
   destroy(c);
}

/* Without a mapping table, or with one version, a change waits until threads have ended. */
static void
no_versions(void **state)
{
   for (uint32_t way = 0; way < 2; way++) {
      struct sgt_const_params p;
      struct sgt_const_fill fill;
      sgt_const_params_init(&p);
      p.mapping = way ? 0 : p.mapping;
      p.versions = way ? 2 : 1;
      struct sgt_const_cache *c = create(&p);
      const int x = sgt_const_open(c, 0, 0, 0, LINE);
      const uint32_t v = sgt_const_acquire(c, x), w = sgt_const_acquire(c, x);

      miss(c, x, v, 0, 1, 0);
      assert_int_equal(sgt_const_change(c, x, 0, &fill),
                       way ? SGT_CONST_NO_MAPPING : SGT_CONST_NO_VERSION);
      sgt_const_release(c, x, v);
      assert_int_equal(sgt_const_change(c, x, 0, &fill),
                       way ? SGT_CONST_NO_MAPPING : SGT_CONST_NO_VERSION);
      sgt_const_release(c, x, w);
      assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_CHANGED);
      const uint32_t u = sgt_const_acquire(c, x);
      assert_int_equal(miss(c, x, u, 0, 2, 10), 2);
      destroy(c);
   }
}

/* A context that is larger than its share: lines take turns at a place, except where a version
 * needs the old one.
 */
static void
conflicts(void **state)
{
   struct sgt_const_params p;
   struct sgt_const_fill fill;

   sgt_const_params_init(&p);
   p.lines = 4;
   struct sgt_const_cache *c = create(&p);
   const struct sgt_const_counts *n = sgt_const_counts(c);
   const int x = sgt_const_open(c, 0, 0, 0, 8 * LINE);
   const int y = sgt_const_open(c, 0, 1, 0x1000, 8 * LINE);
   const uint32_t v = sgt_const_acquire(c, x);

   assert_true(y >= 0);
   miss(c, x, v, 0, 1, 0);
   miss(c, x, v, 2 * LINE, 2, 10); /* the same place */
   assert_int_equal(n->replaced, 1);
   miss(c, x, v, 0, 1, 20);
   assert_int_equal(sgt_const_change(c, x, 0, &fill), SGT_CONST_CHANGED);
   /* The old line 0 stays for its thread, so line 2 goes by. */
   assert_int_equal(miss(c, x, v, 2 * LINE, 2, 30), 2);
   assert_int_equal(miss(c, x, v, 2 * LINE, 2, 40), 2);
   assert_int_equal(n->bypassed, 2);
   assert_int_equal(hit(c, x, v, 0, 50, p.latency), 1);
   assert_int_equal(sgt_const_change(c, x, 2 * LINE, &fill), SGT_CONST_PINNED);
   assert_int_equal(sgt_const_change(c, x, 3 * LINE, &fill), SGT_CONST_FETCH);
   sgt_const_filled(c, fill.id, 3);
   assert_int_equal(sgt_const_change(c, x, 3 * LINE, &fill), SGT_CONST_CHANGED);
   sgt_const_release(c, x, v);
   destroy(c);
}

/* -- random ------------------------------------------------------------------------------- */

#define CONTEXTS 5
#define LINES 9
#define THREADS 12

/* The plain meaning: every version of a context is a copy of its lines. */
struct model {
   uint64_t memory[CONTEXTS][LINES];
   struct {
      bool runs;
      int context; /* the cache's */
      uint32_t id, version;
      uint64_t lines[LINES]; /* as they were when it started */
      bool waits;
      uint32_t line;
   } threads[THREADS];
   struct {
      uint64_t at, value;
      uint32_t id;
   } fills[SGT_CONST_MAX_MISSES];
   uint32_t num_fills;
};

static void
send(struct model *m, struct sgt_random *r, const struct sgt_const_fill *fill, uint64_t now)
{
   const uint32_t id = fill->address / 0x1000, line = fill->address % 0x1000 / LINE;

   assert_true(id < CONTEXTS && line < LINES && m->num_fills < SGT_CONST_MAX_MISSES);
   m->fills[m->num_fills].at = now + 1 + sgt_random_below(r, 40);
   m->fills[m->num_fills].value = m->memory[id][line];
   m->fills[m->num_fills++].id = fill->id;
}

static void
random_step(struct sgt_const_cache *c, struct model *m, struct sgt_random *r, uint64_t now,
            uint64_t *stamp, bool drain)
{
   struct sgt_const_fill fill;

   for (uint32_t i = 0; i < m->num_fills;) {
      if (m->fills[i].at > now) {
         i++;
         continue;
      }
      sgt_const_filled(c, m->fills[i].id, m->fills[i].value);
      m->fills[i] = m->fills[--m->num_fills];
   }
   sgt_const_cycle(c, now);
   for (uint32_t t = 0; t < THREADS; t++) {
      if (m->threads[t].waits && sgt_const_ready(c, t) <= now && sgt_random_below(r, 3)) {
         assert_true(sgt_const_take(c, t, now) == m->threads[t].lines[m->threads[t].line]);
         m->threads[t].waits = false;
      }
   }

   const uint32_t t = sgt_random_below(r, THREADS), id = sgt_random_below(r, CONTEXTS);
   if (!m->threads[t].runs && !drain) {
      const int x = sgt_const_open(c, id % 2, id, 0x1000ull * id, (2 + id) * LINE);
      if (x >= 0) {
         m->threads[t].runs = true;
         m->threads[t].context = x;
         m->threads[t].id = id;
         m->threads[t].version = sgt_const_acquire(c, x);
         memcpy(m->threads[t].lines, m->memory[id], sizeof(m->memory[id]));
      }
   } else if (m->threads[t].runs && !m->threads[t].waits) {
      if (drain || !sgt_random_below(r, 6)) {
         sgt_const_release(c, m->threads[t].context, m->threads[t].version);
         m->threads[t].runs = false;
      } else {
         m->threads[t].line = sgt_random_below(r, 2 + m->threads[t].id);
         const enum sgt_const_result result =
            sgt_const_lookup(c, m->threads[t].context, m->threads[t].version,
                             m->threads[t].line * LINE + sgt_random_below(r, LINE), t, now, &fill);
         m->threads[t].waits = result <= SGT_CONST_MERGED;
         if (result == SGT_CONST_MISS)
            send(m, r, &fill, now);
      }
   }
   if (!drain && !sgt_random_below(r, 8)) {
      const int x = sgt_const_open(c, id % 2, id, 0x1000ull * id, (2 + id) * LINE);
      const uint32_t line = sgt_random_below(r, 2 + id);
      if (x >= 0) {
         const enum sgt_const_change change = sgt_const_change(c, x, line * LINE, &fill);
         if (change == SGT_CONST_FETCH)
            send(m, r, &fill, now);
         else if (change == SGT_CONST_CHANGED)
            m->memory[id][line] = ++*stamp;
      }
   }
}

static void
random_threads(void **state)
{
   uint64_t seen[SGT_CONST_RESULTS] = { 0 }, changed[SGT_CONST_CHANGES] = { 0 };
   uint64_t merged = 0, superseded = 0, bypassed = 0, evicted = 0;

   for (uint32_t seed = 0; seed < 60; seed++) {
      struct sgt_random r = { seed };
      const struct sgt_const_params p = {
         .contexts = 1 + sgt_random_below(&r, 5),
         .versions = 1 + sgt_random_below(&r, 4),
         .lines = 4 + sgt_random_below(&r, 30),
         .mapping = sgt_random_below(&r, 7),
         .fifo = 1 + sgt_random_below(&r, 4),
         .misses = 1 + sgt_random_below(&r, 6),
         .latency = 1 + sgt_random_below(&r, 4),
      };
      struct sgt_const_cache *c = create(&p);
      static struct model m;
      uint64_t stamp = 0, now = 0;

      memset(&m, 0, sizeof(m));
      for (uint32_t i = 0; i < CONTEXTS; i++) {
         for (uint32_t k = 0; k < LINES; k++)
            m.memory[i][k] = ++stamp;
      }
      for (; now < 3000; now++) {
         random_step(c, &m, &r, now, &stamp, false);
         assert_null(sgt_const_cache_check(c));
      }
      for (; now < 6000; now++)
         random_step(c, &m, &r, now, &stamp, true);
      assert_int_equal(m.num_fills, 0);
      for (uint32_t t = 0; t < THREADS; t++)
         assert_false(m.threads[t].runs);
      const struct sgt_const_counts *n = sgt_const_counts(c);
      for (unsigned i = 0; i < SGT_CONST_RESULTS; i++)
         seen[i] += n->results[i];
      for (unsigned i = 0; i < SGT_CONST_CHANGES; i++)
         changed[i] += n->changes[i];
      assert_true(n->delivered == n->results[SGT_CONST_HIT] + n->results[SGT_CONST_MISS] +
                                     n->results[SGT_CONST_MERGED]);
      assert_true(n->fills == n->results[SGT_CONST_MISS] + n->changes[SGT_CONST_FETCH]);
      merged += n->merged;
      superseded += n->superseded;
      bypassed += n->bypassed;
      evicted += n->evicted;
      destroy(c);
   }
   /* Nothing was left out. */
   for (unsigned i = 0; i < SGT_CONST_RESULTS; i++)
      assert_true(seen[i] > 20);
   for (unsigned i = 0; i < SGT_CONST_CHANGES; i++)
      assert_true(changed[i] > 5);
   assert_true(merged > 100 && superseded > 5 && bypassed > 20 && evicted > 100);
}

static void
params(void **state)
{
   struct sgt_const_params p;
   char error[100];

   sgt_const_params_init(&p);
   assert_true(sgt_const_params_check(&p, error, sizeof(error)));
   p.fifo = 0;
   assert_false(sgt_const_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "fifo = 0: expected 1 to 64");

   /* The configuration's defaults are the model's. */
   struct sgt_const_params configured;
   struct sgt_config config;
   sgt_config_init(&config);
   sgt_config_const(&config, &configured);
   sgt_const_params_init(&p);
   assert_memory_equal(&p, &configured, sizeof(p));
   assert_true(sgt_config_set(&config, "constants.fifo=3", error, sizeof(error)));
   sgt_config_const(&config, &configured);
   assert_int_equal(configured.fifo, 3);
   sgt_const_cache_destroy(NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(hit_under_miss), cmocka_unit_test(full),
      cmocka_unit_test(contexts),       cmocka_unit_test(versions),
      cmocka_unit_test(no_versions),    cmocka_unit_test(overtaken),
      cmocka_unit_test(least_recent),   cmocka_unit_test(conflicts),
      cmocka_unit_test(random_threads), cmocka_unit_test(params),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
