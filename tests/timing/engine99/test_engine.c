/* SPDX-License-Identifier: MIT */
/*
 * Tests the 1999 engine: cycles that can be computed by hand, accounts, time series, errors, and
 * the DRAM model behind the accelerators.
 */
#include "scene.h"
#include "engine99/sgt_perfect.h"

#include <stdlib.h>
#include <string.h>

#include "random_trace.h"
#include "util/macros.h"

static struct scene_run run, other;

/* Makes `num` boxes of 20x5 pixels in columns that do not touch. */
static void
make_disjoint(struct scene *s, unsigned num)
{
   scene_begin(s);
   scene_operation(s, false, SGT_ORDER_LOWEST, 0);
   for (unsigned i = 0; i < num; i++)
      scene_box(s, i % 40 * 24, i / 40 * 8, 20, 5);
   scene_end(s);
}

static void
disjoint_boxes_fill_all_accelerators(void **state)
{
   static const unsigned counts[] = { 1, 2, 5, 16 };
   for (unsigned i = 0; i < ARRAY_SIZE(counts); i++) {
      const unsigned accelerators = counts[i], rounds = 6;
      struct scene s;
      struct sgt_engine_params p;
      make_disjoint(&s, accelerators * rounds);
      scene_params(&p, accelerators, accelerators * 8);
      scene_run(&run, s.trace, &p);
      /* The first slice issues at cycle 1, another one in each following cycle, and then no
       * accelerator is ever idle.
       */
      assert_int_equal(run.result.cycles, accelerators + rounds * 100);
      assert_int_equal(run.result.work, accelerators * rounds * 100);
      assert_int_equal(run.result.pixels, accelerators * rounds * 100);
      assert_int_equal(run.result.spans, accelerators * rounds * 5);
      assert_int_equal(run.result.states[SGT_STATE_WAW], 0);
      scene_drop(&run);

      /* Setup, spans and the pipeline add time to each slice. */
      p.setup = 7;
      p.span = 3;
      p.depth = 11;
      p.pixel_rate = 3;
      scene_run(&run, s.trace, &p);
      assert_int_equal(run.result.cycles, accelerators + rounds * (7 + 5 * 3 + 34 + 11));
      scene_drop(&run);
      scene_finish(&s);
   }
}

static void
stacked_boxes_run_one_by_one(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, true, SGT_ORDER_PROGRAM, 0);
   for (unsigned i = 0; i < 50; i++)
      scene_box(&s, 0, 0, 20, 5);
   scene_end(&s);
   for (unsigned in_order = 0; in_order < 2; in_order++) {
      scene_params(&p, 16, 128);
      p.order = in_order ? SGT_ISSUE_ORDER_IN_ORDER : SGT_ISSUE_ORDER_OUT_OF_ORDER;
      scene_run(&run, s.trace, &p);
      assert_int_equal(run.result.cycles, 1 + 50 * 100);
      assert_int_equal(run.result.work, 50 * 100);
      for (unsigned i = 0; i < 50; i++)
         assert_int_equal(run.slices[i].start, 1 + i * 100);
      scene_drop(&run);
   }
   scene_finish(&s);
}

/* Runs two slices of 100 cycles on two accelerators.  The second one waits for the first. */
static void
expect_stall(uint32_t write, uint32_t read, uint32_t next_write, uint32_t next_read, bool blends,
             enum sgt_state kind)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, blends, SGT_ORDER_LOWEST, 0);
   scene_reads(&s, read % 4, 0, 0, read < 4 ? 20 : 0, 5);
   scene_item(&s, SGT_ITEM_TRIANGLE, write, 0, 0, 20, 5);
   scene_operation(&s, blends, SGT_ORDER_LOWEST, 0);
   scene_reads(&s, next_read % 4, 0, 0, next_read < 4 ? 20 : 0, 5);
   scene_item(&s, SGT_ITEM_TRIANGLE, next_write, 0, 0, 20, 5);
   scene_end(&s);
   scene_params(&p, 2, 4);
   p.breaking = SGT_BREAK_PAPER;
   p.interval = 7;
   scene_run(&run, s.trace, &p);
   const struct sgt_engine_result *r = &run.result;
   assert_int_equal(r->cycles, 201);
   assert_int_equal(r->states[SGT_STATE_BUSY], 200);
   /* Cycle 0: the first slice enters.  Cycle 1: it issues, and the second one enters. */
   assert_int_equal(r->states[SGT_STATE_STARVED], 2 + 1);
   assert_int_equal(r->states[kind], 99);
   assert_int_equal(r->states[SGT_STATE_DRAIN], 100);
   assert_int_equal(r->fetch[SGT_FETCH_ENTERED], 2);
   assert_int_equal(r->fetch[SGT_FETCH_EMPTY], 199);
   assert_int_equal(r->issue[SGT_ISSUE_ISSUED], 2);
   assert_int_equal(
      r->issue[kind == SGT_STATE_CONFLICT ? SGT_ISSUE_CONFLICT : SGT_ISSUE_DEPENDENCE], 99);
   assert_int_equal(r->issue[SGT_ISSUE_EMPTY], 1 + 99);
   assert_int_equal(r->operations[0].blocks, 99);
   assert_int_equal(r->operations[1].stalls[kind], 99);
   assert_int_equal(r->operations[0].busy, 100);
   assert_int_equal(r->operations[1].first, 101);
   assert_int_equal(r->operations[1].last, 200);
   /* Each interval has its cycles, and the last one has the rest. */
   assert_int_equal(r->intervals, 29);
   for (uint32_t i = 0; i < r->intervals; i++) {
      uint64_t sum = 0;
      for (unsigned j = 0; j < SGT_STATES; j++)
         sum += r->series[i * SGT_STATES + j];
      assert_int_equal(sum, 2 * (i < 28 ? 7 : 5));
   }
   assert_int_equal(r->series[SGT_STATE_STARVED], 3);
   assert_int_equal(r->series[kind], 5);
   assert_int_equal(r->series[10 * SGT_STATES + kind], 7);
   scene_drop(&run);
   scene_finish(&s);
}

static void
stalls_have_their_cause(void **state)
{
   expect_stall(0, 4, 0, 4, true, SGT_STATE_WAW);
   expect_stall(0, 4, 0, 4, false, SGT_STATE_CONFLICT);
   expect_stall(0, 4, 1, 0, false, SGT_STATE_RAW);
   expect_stall(0, 1, 1, 4, false, SGT_STATE_WAR);
}

static void
small_windows_are_full(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   /* In each pair, the second item depends on the first, so the single candidate buffer is blocked.
    */
   scene_begin(&s);
   scene_operation(&s, true, SGT_ORDER_PROGRAM, 0);
   for (unsigned i = 0; i < 20; i++)
      for (unsigned j = 0; j < 2; j++)
         scene_box(&s, i * 24, 0, 20, 5);
   scene_end(&s);
   scene_params(&p, 4, 1);
   scene_run(&run, s.trace, &p);
   assert_true(run.result.states[SGT_STATE_WINDOW_FULL] > 1000);
   assert_true(run.result.fetch[SGT_FETCH_NO_CANDIDATE] > 1000);
   assert_int_equal(run.result.max_candidates, 1);
   const uint64_t narrow = run.result.cycles;
   scene_drop(&run);
   p.candidates = 8;
   scene_run(&run, s.trace, &p);
   assert_true(run.result.cycles < narrow);
   scene_drop(&run);
   p.destinations = 2;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.result.max_stations, 2);
   assert_true(run.result.fetch[SGT_FETCH_NO_DESTINATION] > 1000);
   scene_drop(&run);
   scene_finish(&s);
}

static void
source_stations_bound_the_window(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
   scene_item(&s, SGT_ITEM_TRIANGLE, 1, 0, 0, 10, 10);
   for (unsigned i = 0; i < 8; i++) {
      scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
      if (i < 7) {
         scene_reads(&s, 1, 0, 0, 10, 10);
      } else {
         /* Use three regions, more than there are source stations. */
         struct sgt_region regions[3];
         for (unsigned j = 0; j < 3; j++)
            regions[j] = (struct sgt_region){ .set = s.targets[1], .rect = { 0, 0, 5 + j, 5 } };
         sgt_trace_builder_sources(s.builder, regions, 3);
      }
      scene_box(&s, i * 24, 0, 20, 5);
   }
   scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
   scene_box(&s, 300, 0, 20, 5);
   scene_end(&s);
   scene_params(&p, 8, 16);
   p.sources = 2;
   scene_run(&run, s.trace, &p);
   /* Only two slices can read at the same time; others wait for a source station. */
   for (unsigned i = 1; i < 8; i++) {
      unsigned beside = 0;
      for (unsigned j = 1; j < 8; j++)
         beside += run.slices[j].start <= run.slices[i].start &&
                   run.slices[i].start <= run.slices[j].end;
      assert_in_range(beside, 1, 2);
   }
   assert_true(run.result.fetch[SGT_FETCH_NO_SOURCE] > 100);
   /* The slice with three regions runs alone. */
   assert_true(run.result.fetch[SGT_FETCH_ALONE] >= 100);
   for (unsigned i = 0; i < 8; i++)
      assert_true(run.slices[i].end < run.slices[8].enter);
   assert_true(run.slices[9].enter > run.slices[8].end);
   scene_drop(&run);
   scene_finish(&s);
}

static void
transfers_and_empty_items(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_PROGRAM, 0);
   scene_item(&s, SGT_ITEM_CLEAR, 0, 0, 0, 640, 480);
   scene_item(&s, SGT_ITEM_COPY, 1, 0, 0, 100, 10);
   scene_box(&s, 700, 700, 0, 0);
   scene_item(&s, SGT_ITEM_LINE, 0, 0, 600, 10, 1);
   scene_end(&s);
   scene_params(&p, 4, 8);
   p.clear_rate = 16;
   p.copy_rate = 3;
   p.transfer_setup = 20;
   p.setup = 5;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.slices[0].end + 1 - run.slices[0].start, 20 + 640 * 480 / 16);
   assert_int_equal(run.slices[1].end + 1 - run.slices[1].start, 20 + 334);
   assert_int_equal(run.slices[2].end + 1 - run.slices[2].start, 5);
   assert_int_equal(run.slices[3].end + 1 - run.slices[3].start, 5 + 10);
   scene_drop(&run);

   /* An empty item without setup takes one cycle, or does not enter at all. */
   p.setup = 0;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.slices[2].end, run.slices[2].start);
   scene_drop(&run);
   p.drop_empty = true;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.result.slices, 3);
   assert_int_equal(run.result.dropped_items, 1);
   scene_drop(&run);

   /* All accelerators share a split clear, but a copy is never split. */
   p.split = SGT_SPLIT_GRID;
   p.slice_width = p.slice_height = 160;
   p.split_transfers = true;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.result.slices, 12 + 2);
   assert_int_equal(run.result.pixels, 640 * 480 + 1000 + 10);
   assert_true(run.result.cycles < 640 * 480 / 16 / 2);
   scene_drop(&run);
   scene_finish(&s);
}

static bool
refuse_progress(void *data, uint64_t cycle, uint32_t items)
{
   *(uint32_t *)data = items;
   return false;
}

static void
errors_name_their_cause(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   struct sgt_engine_result r;
   char error[256];
   make_disjoint(&s, 40);
   scene_params(&p, 0, 4);
   assert_false(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "issue.accelerators: 0 is not from 1 to 1024");
   scene_params(&p, 4, 4);
   p.destinations = 9;
   assert_false(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "issue.destinations: 9 is not from 0 to 8");
   scene_params(&p, 4, 4);
   p.memory = SGT_MEMORY_DRAM;
   p.dram.interleave = 48;
   assert_false(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "dram.interleave: 48 is not a multiple of 32");

   scene_params(&p, 4, 4);
   p.max_cycles = 500;
   assert_false(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));
   assert_non_null(strstr(error, "max_cycles"));
   /* 40 boxes of 100 cycles on 4 accelerators. */
   p.max_cycles = 4 + 1000;
   assert_true(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));
   sgt_engine_result_finish(&r);
   p.max_cycles--;
   assert_false(sgt_engine_run(s.trace, &p, NULL, &r, error, sizeof(error)));

   uint32_t items = 0;
   const struct sgt_engine_observer observer = { .data = &items,
                                                 .progress = refuse_progress,
                                                 .progress_items = 10 };
   p.max_cycles = 0;
   assert_false(sgt_engine_run(s.trace, &p, &observer, &r, error, sizeof(error)));
   assert_non_null(strstr(error, "stopped"));
   assert_int_equal(items, 10);
   scene_finish(&s);
}

/* Makes random boxes with textures of another target, and transfers. */
static void
make_random(struct scene *s, uint64_t seed, unsigned num)
{
   struct sgt_random r = { seed };
   scene_begin(s);
   scene_operation(s, false, SGT_ORDER_PROGRAM, 0);
   scene_item(s, SGT_ITEM_CLEAR, 0, 0, 0, 256, 256);
   scene_item(s, SGT_ITEM_CLEAR, 1, 0, 0, 64, 64);
   for (unsigned i = 0; i < num; i++) {
      if (i % 10 == 0) {
         const bool blends = sgt_random_below(&r, 2);
         scene_operation(s, blends, blends ? SGT_ORDER_PROGRAM : SGT_ORDER_LOWEST, 0);
         scene_reads(s, 1, 0, 0, sgt_random_below(&r, 2) ? 64 : 0, 64);
      }
      const uint32_t kind = sgt_random_below(&r, 20) ? SGT_ITEM_TRIANGLE : SGT_ITEM_COPY;
      const uint32_t target = sgt_random_below(&r, 10) == 0;
      scene_item(s, kind, target, sgt_random_below(&r, 200), sgt_random_below(&r, 200),
                 1 + sgt_random_below(&r, 40), 1 + sgt_random_below(&r, 40));
   }
   scene_end(s);
}

static bool
same(const struct sgt_engine_result *a, const struct sgt_engine_result *b)
{
   return a->cycles == b->cycles && a->work == b->work &&
          !memcmp(a->states, b->states, sizeof(a->states)) &&
          !memcmp(a->fetch, b->fetch, sizeof(a->fetch)) &&
          !memcmp(a->issue, b->issue, sizeof(a->issue)) &&
          !memcmp(&a->dram, &b->dram, sizeof(a->dram)) && a->intervals == b->intervals &&
          !memcmp(a->series, b->series, a->intervals * SGT_STATES * sizeof(*a->series)) &&
          !memcmp(a->operations, b->operations, a->num_operations * sizeof(*a->operations));
}

static void
the_order_of_units_does_not_matter(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   make_random(&s, 1, 150);
   scene_params(&p, 8, 32);
   p.select = SGT_SELECT_RANDOM;
   p.breaking = SGT_BREAK_EXACT;
   p.split = SGT_SPLIT_HEIGHT;
   p.slice_height = 16;
   p.memory = SGT_MEMORY_DRAM;
   p.dram.channels = 2;
   p.dram.core_mhz = 125;
   p.dram.memory_mhz = 166;
   p.dram.queue = 4;
   p.dram.texture_bytes = 4;
   scene_run(&run, s.trace, &p);
   assert_true(run.result.states[SGT_STATE_MEMORY] > 1000);
   assert_true(run.result.dram.queue_full > 100);
   for (unsigned seed = 0; seed < 8; seed++) {
      p.shuffle = true;
      p.shuffle_seed = seed;
      scene_run(&other, s.trace, &p);
      assert_true(same(&run.result, &other.result));
      scene_drop(&other);
   }
   scene_drop(&run);
   scene_finish(&s);
}

/* Dependences must hold whatever the memory does. */
static void
dram_keeps_the_order(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   for (uint64_t seed = 1; seed < 6; seed++) {
      make_random(&s, seed, 100);
      scene_params(&p, 6, 24);
      p.memory = SGT_MEMORY_DRAM;
      p.select = SGT_SELECT_RANDOM;
      p.seed = seed;
      p.depth = seed;
      p.setup = 3;
      p.dram.color_read_always = seed & 1;
      scene_run(&run, s.trace, &p);
      for (uint32_t i = 0; i < run.num; i++) {
         for (uint32_t j = i + 1; j < run.num; j++) {
            const struct sgt_item *a = &s.trace->items[run.slices[i].slice.item];
            const struct sgt_item *b = &s.trace->items[run.slices[j].slice.item];
            if (sgt_regions_meet(s.trace, &a->destination, &b->destination))
               assert_true(run.slices[j].start > run.slices[i].end);
         }
         /* A slice is never faster than with ideal memory. */
         const uint64_t cycles = run.slices[i].end + 1 - run.slices[i].start;
         assert_true(cycles >= run.slices[i].slice.pixels);
      }
      const struct sgt_dram_stats *d = &run.result.dram;
      assert_int_equal(d->row_hits + d->row_empty + d->row_misses, d->reads + d->writes);
      assert_int_equal(d->bus_busy, (d->reads + d->writes) * 2);
      assert_true(d->bus_busy <= d->clocks * p.dram.channels);
      assert_true(run.result.states[SGT_STATE_MEMORY] > 0);
      scene_drop(&run);
      scene_finish(&s);
   }
}

/* Tests random machines, down to queues of 1 and clocks of 1 to 300.  None may deadlock, accounts
 * must add up, the order of units must not matter, and dependent slices must wait.
 */
static void
random_machines_with_dram(void **state)
{
   struct random_trace *t = calloc(1, sizeof(*t));
   assert_non_null(t);
   for (uint64_t seed = 1; seed <= 200; seed++) {
      struct sgt_random r = { seed };
      struct sgt_engine_params p;
      random_trace_make(t, &r);
      random_params_make(&p, &r);
      random_dram_make(&p.dram, &r);
      p.memory = SGT_MEMORY_DRAM;
      scene_run(&run, &t->trace, &p);
      p.shuffle = true;
      p.shuffle_seed = seed;
      scene_run(&other, &t->trace, &p);
      assert_true(same(&run.result, &other.result));
      scene_drop(&other);

      const struct sgt_dram_stats *d = &run.result.dram;
      assert_int_equal(d->row_hits + d->row_empty + d->row_misses, d->reads + d->writes);
      assert_true(d->bus_busy <= d->clocks * p.dram.channels);
      assert_true(d->queue_occupancy == d->queue_wait);
      assert_true(run.result.states[SGT_STATE_BUSY] <= run.result.work);
      for (uint32_t i = 0; i < run.num; i++) {
         const struct sgt_slice *slice = &run.slices[i].slice;
         const struct sgt_item *a = &t->items[slice->item];
         const uint64_t cycles = run.slices[i].end + 1 - run.slices[i].start;
         assert_true(cycles > sgt_perfect_cycles(&p, a, slice));
         for (uint32_t j = i + 1; j < run.num; j++) {
            const struct sgt_slice *later = &run.slices[j].slice;
            struct sgt_region first = a->destination;
            struct sgt_region second = t->items[later->item].destination;
            first.rect = slice->rect;
            second.rect = later->rect;
            if (!sgt_regions_meet(&t->trace, &first, &second))
               continue;
            assert_true(run.slices[j].start > run.slices[i].end ||
                        run.slices[i].start > run.slices[j].end);
            if (p.breaking == SGT_BREAK_NONE)
               assert_true(run.slices[j].start > run.slices[i].end);
         }
      }
      scene_drop(&run);
   }
   free(t);
}

static void
dram_moves_128_bits_a_pixel(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_PROGRAM, 0);
   for (unsigned i = 0; i < 16; i++)
      scene_box(&s, i % 4 * 64, i / 4 * 64, 64, 64);
   scene_end(&s);
   scene_params(&p, 4, 16);
   p.memory = SGT_MEMORY_DRAM;
   scene_run(&run, s.trace, &p);
   /* Depth and colour are read and written, with 4 bytes each. */
   const uint64_t bytes = 16 * 64 * 64 * 4 * 2;
   assert_int_equal(run.result.dram.reads * 32, bytes);
   assert_int_equal(run.result.dram.writes * 32, bytes);
   /* 16 channels of 16 bytes serve 4 accelerators of 16 bytes, so the pixels hardly wait. */
   assert_in_range(run.result.cycles, 4 * 64 * 64, 4 * 64 * 64 * 11 / 10);
   scene_drop(&run);

   p.dram.color_read_always = false;
   p.dram.texture_bytes = 8;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.result.dram.reads * 32, bytes / 2 + 16 * 64 * 64 * 8);
   scene_drop(&run);

   /* With one channel of 4 bytes, the bus is the bottleneck and busy nearly all the time. */
   sgt_dram_params_init(&p.dram);
   p.dram.channels = 1;
   p.dram.bus_bytes = 4;
   p.dram.queue = 64;
   p.dram.hit_limit = 64;
   scene_run(&run, s.trace, &p);
   assert_true(run.result.cycles >= 2 * bytes / 4);
   assert_true(run.result.cycles <= 2 * bytes / 4 * 5 / 4);
   assert_true(run.result.states[SGT_STATE_MEMORY] > run.result.states[SGT_STATE_BUSY]);
   const uint64_t slow = run.result.cycles;
   scene_drop(&run);

   /* Twice the clock takes about half the time. */
   p.dram.memory_mhz = 200;
   scene_run(&run, s.trace, &p);
   assert_in_range(run.result.cycles, slow * 48 / 100, slow * 55 / 100);
   scene_drop(&run);
   scene_finish(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(disjoint_boxes_fill_all_accelerators),
      cmocka_unit_test(stacked_boxes_run_one_by_one),
      cmocka_unit_test(stalls_have_their_cause),
      cmocka_unit_test(small_windows_are_full),
      cmocka_unit_test(source_stations_bound_the_window),
      cmocka_unit_test(transfers_and_empty_items),
      cmocka_unit_test(errors_name_their_cause),
      cmocka_unit_test(the_order_of_units_does_not_matter),
      cmocka_unit_test(dram_keeps_the_order),
      cmocka_unit_test(random_machines_with_dram),
      cmocka_unit_test(dram_moves_128_bits_a_pixel),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
