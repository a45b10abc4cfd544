/* SPDX-License-Identifier: MIT */
/*
 * Tests the cache: results that were computed by hand, and random streams in lockstep with the
 * reference.
 */
#include "../../unit.h"
#include "cache_reference.h"
#include "kernel/sgt_random.h"
#include "kernel/sgt_stats.h"
#include "chip_memory/sgt_tags.h"
#include "unit_rig.h"
#include "util/bitscan.h"
#include "util/macros.h"

static const struct sgt_cache_params small = {
   .line_bytes = 64,
   .sets = 4,
   .ways = 4,
   .mshrs = 2,
   .waiters = 3,
};

static void
start(struct sgt_cache *c, const struct sgt_cache_params *p)
{
   char error[128] = "";
   sgt_cache_check(p, "cache", error, sizeof(error));
   assert_string_equal(error, "");
   assert_true(sgt_cache_init(c, p));
}

static void
check_stats(const struct sgt_cache *c)
{
   struct sgt_stats s;
   sgt_stats_init(&s);
   sgt_cache_register(c, &s, "cache");
   unit_rig_check(&s);
   assert_int_equal(unit_rig_stat(&s, "cache", "fetched"), c->stats.fetched);
   sgt_stats_finish(&s);
}

static enum sgt_cache_outcome
fetch_now(struct sgt_cache *c, uint64_t address, uint32_t sectors)
{
   const enum sgt_cache_outcome probe = sgt_cache_probe(c, address, sectors);
   const struct sgt_cache_result r = sgt_cache_lookup(c, address, sectors, 0);
   uint32_t tag;
   assert_int_equal(r.outcome, probe);
   if (r.outcome == SGT_CACHE_MISS) {
      sgt_cache_fill(c, address, r.fetch);
      assert_true(sgt_cache_pop(c, &tag));
   }
   return r.outcome;
}

/* As many lines as a set has ways always hit.  One more line, in cyclic order, never hits. */
static void
lru_in_turn(void **state)
{
   struct sgt_cache c;
   start(&c, &small);
   for (unsigned extra = 0; extra < 2; extra++) {
      for (unsigned round = 0; round < 10; round++) {
         for (unsigned i = 0; i < 4 + extra; i++) {
            const bool hit = round && !extra;
            if (extra && !round)
               fetch_now(&c, i * 256 + 64, 1);
            else
               assert_int_equal(fetch_now(&c, i * 256 + 64, 1),
                                hit ? SGT_CACHE_HIT : SGT_CACHE_MISS);
         }
      }
   }
   check_stats(&c);
   sgt_cache_finish(&c);
}

/* In a stream of sectors, each sector misses once, and each line is allocated once. */
static void
sectors_of_a_stream(void **state)
{
   struct sgt_cache c;
   start(&c, &small);
   for (unsigned i = 0; i < 256; i++)
      assert_int_equal(fetch_now(&c, i / 2 * 64, 1u << i % 2), SGT_CACHE_MISS);
   assert_int_equal(c.stats.allocations, 128);
   assert_int_equal(c.stats.evictions, 112);
   assert_int_equal(c.stats.fetched, 256);
   assert_int_equal(c.stats.filled, 256);
   assert_int_equal(c.stats.write_backs, 0);
   check_stats(&c);
   sgt_cache_finish(&c);
}

static void
merges_and_stalls(void **state)
{
   struct sgt_cache c;
   uint32_t tag;
   start(&c, &small);
   assert_int_equal(sgt_cache_lookup(&c, 0, 1, 10).outcome, SGT_CACHE_MISS);
   assert_int_equal(sgt_cache_lookup(&c, 32, 1, 11).outcome, SGT_CACHE_MERGED);
   /* The other sector is an additional request of the same MSHR. */
   const struct sgt_cache_result r = sgt_cache_lookup(&c, 0, 3, 12);
   assert_int_equal(r.outcome, SGT_CACHE_MISS);
   assert_int_equal(r.fetch, 2);
   assert_int_equal(sgt_cache_lookup(&c, 0, 1, 13).outcome, SGT_CACHE_STALL);
   assert_int_equal(c.stats.stalls[SGT_CACHE_STALL_WAITER], 1);
   assert_int_equal(sgt_cache_lookup(&c, 64, 1, 20).outcome, SGT_CACHE_MISS);
   assert_int_equal(sgt_cache_lookup(&c, 128, 1, 30).outcome, SGT_CACHE_STALL);
   assert_int_equal(c.stats.stalls[SGT_CACHE_STALL_MSHR], 1);
   assert_int_equal(c.stats.max_mshrs, 2);
   assert_false(sgt_cache_idle(&c));

   assert_false(sgt_cache_pop(&c, &tag));
   sgt_cache_fill(&c, 0, 1);
   for (unsigned i = 10; i < 12; i++) {
      assert_true(sgt_cache_pop(&c, &tag));
      assert_int_equal(tag, i);
   }
   assert_false(sgt_cache_pop(&c, &tag));
   assert_int_equal(sgt_cache_lookup(&c, 0, 1, 13).outcome, SGT_CACHE_HIT);
   sgt_cache_fill(&c, 64, 1);
   sgt_cache_fill(&c, 0, 2);
   assert_true(sgt_cache_pop(&c, &tag) && tag == 20);
   assert_true(sgt_cache_pop(&c, &tag) && tag == 12);
   assert_true(sgt_cache_idle(&c));
   check_stats(&c);
   sgt_cache_finish(&c);
}

static void
locked_lines_stay(void **state)
{
   struct sgt_cache c;
   start(&c, &small);
   uint32_t lines[4];
   for (unsigned i = 0; i < 4; i++) {
      const struct sgt_cache_result r = sgt_cache_lookup(&c, i * 256, 3, 0);
      uint32_t tag;
      sgt_cache_fill(&c, i * 256, 3);
      assert_true(sgt_cache_pop(&c, &tag));
      sgt_cache_lock(&c, lines[i] = r.line);
   }
   assert_int_equal(sgt_cache_lookup(&c, 4 * 256, 1, 0).outcome, SGT_CACHE_STALL);
   assert_int_equal(c.stats.stalls[SGT_CACHE_STALL_SET], 1);
   sgt_cache_unlock(&c, lines[2]);
   const struct sgt_cache_result r = sgt_cache_lookup(&c, 4 * 256, 1, 0);
   assert_int_equal(r.line, lines[2]);
   assert_int_equal(r.evicted, 2 * 256);
   sgt_cache_finish(&c);
}

/* Bytes that add up to a whole sector need no fetch.  The rest of a partial sector is fetched when
 * it is read.
 */
static void
bytes_of_a_sector(void **state)
{
   struct sgt_cache_params p = small;
   struct sgt_cache_result r;
   struct sgt_cache c;
   p.writes = SGT_CACHE_BACK_BYTES;
   start(&c, &p);
   r = sgt_cache_write(&c, 0, 1, 0x0000ffff, 0);
   assert_int_equal(r.outcome, SGT_CACHE_MISS);
   assert_int_equal(r.fetch, 0);
   assert_false(sgt_cache_has(&c, r.line, 1));
   r = sgt_cache_write(&c, 0, 1, 0xffff0000, 0);
   assert_int_equal(r.outcome, SGT_CACHE_HIT);
   assert_true(sgt_cache_has(&c, r.line, 1));
   assert_int_equal(sgt_cache_lookup(&c, 0, 1, 0).outcome, SGT_CACHE_HIT);

   sgt_cache_write(&c, 0, 2, 1, 0);
   r = sgt_cache_lookup(&c, 0, 3, 7);
   assert_int_equal(r.outcome, SGT_CACHE_MISS);
   assert_int_equal(r.fetch, 2);
   sgt_cache_fill(&c, 0, 2);
   sgt_cache_write(&c, 64, 3, 0xff, 0);

   assert_true(sgt_cache_flush(&c, &r));
   assert_int_equal(r.evicted, 0);
   assert_int_equal(r.write_back, 3);
   assert_int_equal(r.partial, 0);
   assert_true(sgt_cache_flush(&c, &r));
   assert_int_equal(r.evicted, 64);
   assert_int_equal(r.write_back, 3);
   assert_int_equal(r.partial, 3);
   assert_false(sgt_cache_flush(&c, &r));
   assert_int_equal(c.stats.written_back, 4);
   assert_int_equal(c.stats.partial_back, 2);
   /* The byte mask was dropped together with the data. */
   sgt_cache_write(&c, 64, 1, 0xffffff00, 0);
   assert_int_equal(sgt_cache_probe(&c, 64, 1), SGT_CACHE_MISS);
   sgt_cache_finish(&c);
}

static void
illegal_parameters(void **state)
{
   const struct {
      struct sgt_cache_params p;
      const char *error;
   } cases[] = {
      { { 48, 4, 4, 1 }, "l2.line_bytes: 48 is not a power of 2" },
      { { 16, 4, 4, 1 }, "l2.line_bytes: 16 is not from 32 to 1024" },
      { { 64, 3, 4, 1 }, "l2.sets: 3 is not a power of 2" },
      { { 64, 4, 65, 1 }, "l2.ways: 65 is not from 1 to 64" },
      { { 64, 4, 5, 1, .replace = SGT_CACHE_PLRU }, "l2.ways: 5 is not a power of 2" },
      { { 64, 4, 4, 0 }, "l2.mshrs: 0 is not from 1 to 4096" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      char error[128] = "";
      assert_false(sgt_cache_check(&cases[i].p, "l2", error, sizeof(error)));
      assert_string_equal(error, cases[i].error);
   }
}

static void
assert_results_equal(const struct sgt_cache_result *a, const struct sgt_cache_result *b)
{
   assert_int_equal(a->outcome, b->outcome);
   assert_int_equal(a->stall, b->stall);
   assert_int_equal(a->line, b->line);
   assert_int_equal(a->fetch, b->fetch);
   assert_int_equal(a->evicted, b->evicted);
   assert_int_equal(a->write_back, b->write_back);
   assert_int_equal(a->partial, b->partial);
}

struct lockstep {
   struct sgt_random random;
   struct sgt_cache c;
   struct reference r;
   uint32_t tag;
   uint64_t accesses[2], stalls;
};

static void
random_access(struct lockstep *l, uint32_t range)
{
   const struct sgt_cache_params *p = &l->c.params;
   const uint32_t sectors = p->line_bytes / SGT_CACHE_SECTOR;
   const uint64_t address = (uint64_t)sgt_random_below(&l->random, range) * p->line_bytes *
                            (1 + range % 3);
   const uint32_t mask = 1 + sgt_random_below(&l->random, (1u << sectors) - 1);
   const bool write = sgt_random_below(&l->random, 3) == 0;
   struct sgt_cache_result fast, slow;
   l->tag++;
   if (write) {
      const uint32_t bytes = sgt_random_below(&l->random, 2) ? UINT32_MAX
                                                             : sgt_random_next(&l->random) | 1;
      fast = sgt_cache_write(&l->c, address, mask, bytes, l->tag);
      slow = reference_write(&l->r, address, mask, bytes, l->tag);
   } else {
      const enum sgt_cache_outcome probe = sgt_cache_probe(&l->c, address, mask);
      fast = sgt_cache_lookup(&l->c, address, mask, l->tag);
      slow = reference_read(&l->r, address, mask, l->tag);
      assert_int_equal(probe, fast.outcome);
   }
   assert_results_equal(&fast, &slow);
   if (fast.outcome == SGT_CACHE_STALL)
      l->stalls++;
   else
      l->accesses[write]++;
}

static void
random_fill(struct lockstep *l)
{
   const struct sgt_cache_params *p = &l->c.params;
   const uint32_t lines = p->sets * p->ways, first = sgt_random_below(&l->random, lines);
   for (uint32_t i = 0; i < lines; i++) {
      const uint32_t line = (first + i) % lines;
      const uint32_t pending = l->c.lines[line].pending;
      if (!pending)
         continue;
      const uint32_t some = pending & sgt_random_next(&l->random);
      const uint64_t address = reference_line(&l->r, line)->number * p->line_bytes;
      sgt_cache_fill(&l->c, address, some ? some : pending);
      reference_fill(&l->r, address, some ? some : pending);
      return;
   }
}

static void
pop_both(struct lockstep *l)
{
   uint32_t fast = 0, slow = 0;
   assert_int_equal(sgt_cache_pop(&l->c, &fast), reference_pop(&l->r, &slow));
   assert_int_equal(fast, slow);
}

static void
random_lock(struct lockstep *l)
{
   const struct sgt_cache_params *p = &l->c.params;
   const uint32_t line = sgt_random_below(&l->random, p->sets * p->ways);
   struct reference_line *other = reference_line(&l->r, line);
   if (other->locks) {
      sgt_cache_unlock(&l->c, line);
      other->locks--;
      reference_changed(&l->r);
   } else if (other->present && sgt_random_below(&l->random, 4) == 0) {
      sgt_cache_lock(&l->c, line);
      other->locks++;
   }
}

static void
compare_ends(struct lockstep *l)
{
   const struct sgt_cache_stats *a = &l->c.stats, *b = &l->r.stats;
   for (uint32_t line = 0; line < l->c.params.sets * l->c.params.ways; line++)
      while (reference_line(&l->r, line)->locks) {
         sgt_cache_unlock(&l->c, line);
         reference_line(&l->r, line)->locks--;
      }
   while (reference_pending_lines(&l->r))
      random_fill(l);
   while (l->r.num_waiters)
      pop_both(l);
   assert_true(sgt_cache_idle(&l->c));
   assert_int_equal(a->reads[0] + a->reads[1] + a->reads[2], l->accesses[0]);
   assert_int_equal(a->written[0] + a->written[1] + a->written[2], l->accesses[1]);
   assert_true(a->stalls[0] + a->stalls[1] + a->stalls[2] <= l->stalls);
   assert_memory_equal(a->stalls, b->stalls, sizeof(a->stalls));
   assert_int_equal(a->fetched, b->fetched);
   assert_int_equal(a->filled, a->fetched);
   assert_int_equal(a->evictions, b->evictions);
   assert_int_equal(a->write_backs, b->write_backs);
   assert_int_equal(a->written_back, b->written_back);
   check_stats(&l->c);
   uint64_t dirty = 0;
   for (uint32_t line = 0; line < l->c.params.sets * l->c.params.ways; line++)
      for (unsigned i = 0; i < REFERENCE_SECTORS; i++)
         dirty += reference_line(&l->r, line)->sectors[i].dirty;
   struct sgt_cache_result r;
   while (sgt_cache_flush(&l->c, &r))
      dirty -= util_bitcount(r.write_back);
   assert_int_equal(dirty, 0);
   sgt_cache_invalidate(&l->c);
   assert_int_equal(sgt_cache_probe(&l->c, 0, 1), SGT_CACHE_MISS);
}

static void
random_streams(void **state)
{
   static struct lockstep l;
   uint64_t stalls[SGT_CACHE_STALLS] = { 0 };
   for (unsigned round = 0; round < 120; round++) {
      l = (struct lockstep){ .random = { round } };
      struct sgt_random *random = &l.random;
      const struct sgt_cache_params p = {
         .line_bytes = 32u << sgt_random_below(random, 4),
         .sets = 1u << sgt_random_below(random, 4),
         .replace = round % 2,
         .ways = round % 2 ? 1u << sgt_random_below(random, 4) : 1 + sgt_random_below(random, 8),
         .mshrs = 1 + sgt_random_below(random, 8),
         .waiters = sgt_random_below(random, 6),
         .writes = round % 3,
         .hash = round % 4 < 2,
      };
      start(&l.c, &p);
      reference_init(&l.r, &p);
      const uint32_t range = 1 + sgt_random_below(random, p.sets * p.ways * 3);
      for (unsigned i = 0; i < 1500; i++) {
         random_access(&l, range);
         if (sgt_random_below(random, 2))
            random_fill(&l);
         if (sgt_random_below(random, 2))
            pop_both(&l);
         if (sgt_random_below(random, 4) == 0)
            random_lock(&l);
      }
      compare_ends(&l);
      for (unsigned i = 0; i < SGT_CACHE_STALLS; i++)
         stalls[i] += l.c.stats.stalls[i];
      sgt_cache_finish(&l.c);
   }
   /* The streams must reach each cause of stalls. */
   for (unsigned i = 0; i < SGT_CACHE_STALLS; i++)
      assert_true(stalls[i] > 100);
}

/* Compares the tags with a simple model: lists of lines in the order of their latest use. */
static void
tags_are_lru(void **state)
{
   struct sgt_random r = { 3 };
   for (unsigned round = 0; round < 20; round++) {
      const unsigned sets = 1 << sgt_random_below(&r, 4), ways = 1 + sgt_random_below(&r, 6);
      uint64_t list[8][6];
      unsigned num[8] = { 0 };
      struct sgt_tags tags;
      assert_true(sgt_tags_init(&tags, sets, ways));
      for (unsigned i = 0; i < 3000; i++) {
         const uint64_t line = sgt_random_below(&r, 100);
         const unsigned set = line % sets;
         unsigned at = 0;
         while (at < num[set] && list[set][at] != line)
            at++;
         if (i % 7 == 0) {
            const uint32_t gone = sgt_tags_find(&tags, line);
            assert_int_equal(gone != SGT_TAGS_NONE, at < num[set]);
            if (gone != SGT_TAGS_NONE)
               sgt_tags_drop(&tags, gone);
            if (at < num[set])
               memmove(&list[set][at], &list[set][at + 1], (--num[set] - at) * sizeof(uint64_t));
            continue;
         }
         const uint32_t place = sgt_tags_find(&tags, line);
         assert_int_equal(place != SGT_TAGS_NONE, at < num[set]);
         if (place == SGT_TAGS_NONE) {
            bool evicts;
            const uint32_t got = sgt_tags_insert(&tags, line, &evicts);
            assert_int_equal(got / ways, set);
            assert_int_equal(evicts, num[set] == ways);
         } else {
            assert_int_equal(tags.lines[place], line);
         }
         if (at == num[set])
            num[set] = MIN2(num[set] + 1, ways);
         memmove(&list[set][1], &list[set][0], MIN2(at, num[set] - 1) * sizeof(uint64_t));
         list[set][0] = line;
         if (i % 1000 == 999) {
            sgt_tags_invalidate(&tags);
            memset(num, 0, sizeof(num));
         }
      }
      sgt_tags_finish(&tags);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lru_in_turn),       cmocka_unit_test(sectors_of_a_stream),
      cmocka_unit_test(merges_and_stalls), cmocka_unit_test(locked_lines_stay),
      cmocka_unit_test(bytes_of_a_sector), cmocka_unit_test(illegal_parameters),
      cmocka_unit_test(random_streams),    cmocka_unit_test(tags_are_lru),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
