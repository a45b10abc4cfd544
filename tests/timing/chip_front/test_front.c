/* SPDX-License-Identifier: MIT */
/*
 * Tests the input assembler and work distribution: rates, placement, order, limits, barriers.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

/* 8 scalars per cycle: 32 vertices with 16 attributes take 64 cycles. */
static void
scalars_bound_the_assembler(void **state)
{
   struct rig r;
   rig_begin(&r);
   const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
   rig_operation(&r, 0, 0);
   rig_warps(&r, vs, 100, 0, 16, 0);
   rig_run(&r);
   const struct sgt_stat *states = sgt_stats_find(&r.stats, "assembler", "states");
   assert_int_equal(states->values[SGT_IA_ASSEMBLE], 100 * 64);
   assert_int_equal(rig_stat(&r, "front", "scalars"), 100 * 32 * 16);
   assert_int_equal(rig_stat(&r, "front", "scalar-bound"), 100);
   for (uint32_t i = 1; i < 100; i++) {
      const int64_t between = r.started[i] - r.started[i - 1] - 64 * r.machine.period;
      assert_true(llabs(between) < r.machine.period); /* edges of another clock */
   }
   rig_end(&r);
}

/* One primitive per cycle, if there are fewer scalars. */
static void
primitives_bound_the_assembler(void **state)
{
   struct rig r;
   rig_begin(&r);
   rig_draw(&r, 10);
   for (unsigned i = 0; i < 1000; i++)
      rig_item(&r, 0, 0, 0, 0, 0, false);
   rig_run(&r);
   const struct sgt_stat *states = sgt_stats_find(&r.stats, "assembler", "states");
   assert_int_equal(states->values[SGT_IA_ASSEMBLE], 1000);
   assert_int_equal(rig_stat(&r, "front", "primitive-bound"), 10);
   rig_end(&r);
}

/* If only one warp is read ahead, the latency adds to each warp.  With more, the rate of lines is
 * the limit.
 */
static void
lines_are_read_ahead(void **state)
{
   uint64_t cycles[2];
   for (unsigned i = 0; i < 2; i++) {
      struct rig r;
      rig_begin(&r);
      r.params.ia.ahead = i ? 16 : 1;
      r.params.ia.fetch_open = 256;
      r.memory_cycles = 100;
      const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
      rig_operation(&r, 0, 0);
      rig_warps(&r, vs, 50, 0, 4, 20);
      rig_run(&r);
      assert_int_equal(rig_stat(&r, "front", "lines"), 1000);
      assert_true(rig_stat(&r, "front", "max-lines") <= 256);
      cycles[i] = r.cycles_run;
      rig_end(&r);
   }
   assert_true(cycles[0] >= 50 * (100 + 20));
   assert_true(cycles[1] >= 1000 && cycles[1] < 1000 + 200);
}

static void
vertex_warps_go_round(void **state)
{
   struct rig r;
   rig_begin(&r);
   rig_draw(&r, 64);
   rig_run(&r);
   for (uint32_t i = 0; i < 64; i++) {
      assert_int_equal(r.sm_of[i] / 2, i % 8);
      /* The SM with more free warps in a TPC is chosen: they alternate while no warp ends. */
      if (i >= 8 && i < 16)
         assert_int_equal(r.sm_of[i], r.sm_of[i - 8] ^ 1);
   }
   rig_end(&r);
}

static void
pixels_go_by_tile(void **state)
{
   struct rig r;
   rig_begin(&r);
   r.params.dist.tile = 128;
   r.params.dist.tile_skew = 3;
   const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, 8, 4);
   rig_draw(&r, 1);
   const uint32_t item = rig_item(&r, 0, 0, 0, 512, 256, false);
   for (uint32_t y = 0; y < 256; y += 4)
      for (uint32_t x = 0; x < 512; x += 8)
         rig_pixels(&r, ps, item, x, y);
   rig_run(&r);
   for (uint32_t i = 0; i < 64 * 64; i++) {
      const uint32_t x = i % 64 * 8, y = i / 64 * 4;
      assert_int_equal(r.sm_of[1 + i] / 2, (x / 128 + 3 * (y / 128)) % 8);
   }
   assert_int_equal(rig_stat(&r, "distribution", "pixels"), 512 * 256);
   assert_int_equal(rig_stat(&r, "distribution", "pixel-ended"), 64 * 64);
   rig_end(&r);
}

/* Warps of random length: primitives keep their order (which the replacement of the early tests
 * checks), no primitive continues before its warp has ended, and pixels of a TPC are written in
 * order.
 */
static void
order_is_kept(void **state)
{
   for (uint64_t seed = 1; seed <= 4; seed++) {
      struct rig r;
      rig_begin(&r);
      r.random_cycles = 3000;
      r.seed = seed;
      r.params.dist.reorder = 8 << seed;
      r.params.dist.pixel_order = 4 << seed;
      r.params.dist.turn = seed & 1 ? SGT_DIST_STRICT : SGT_DIST_FREE;
      r.params.dist.prefer = seed & 2 ? SGT_DIST_VERTEX : SGT_DIST_PIXEL;
      const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
      const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, 8, 4);
      uint32_t first_pixel = 0;
      for (unsigned op = 0; op < 3; op++) {
         rig_operation(&r, 0, 0);
         rig_warps(&r, vs, 100, 0, 4, 1);
         first_pixel = r.work.num_warps;
         const uint32_t first = r.num_items;
         for (unsigned i = 0; i < 200; i++)
            rig_item(&r, 0, 8 * i, 4 * i, 16, 8, false);
         for (unsigned i = 0; i < 200; i++)
            rig_pixels(&r, ps, first + i, 8 * i + 8, 4 * i);
      }
      rig_run(&r);
      for (unsigned op = 0; op < 3; op++) {
         for (unsigned i = 0; i < 200; i++) {
            const uint32_t warp = r.work_operations[op].first_warp + i / 2;
            assert_true(r.rastered[op * 200 + i] > r.ended[warp]);
         }
      }
      uint64_t latest[8] = { 0 };
      for (uint32_t i = first_pixel; i < r.work.num_warps; i++) {
         assert_true(r.written[i] > r.ended[i]);
         assert_true(r.written[i] > latest[r.sm_of[i] / 2]);
         latest[r.sm_of[i] / 2] = r.written[i];
      }
      assert_true(rig_stat(&r, "distribution", "max-held") <= 8u << seed);
      assert_true(rig_stat(&r, "distribution", "max-unwritten") <= 4u << seed);
      rig_end(&r);
   }
}

/* Geometry warps start when the vertex warps of their batch have ended.  Two batches that are each
 * larger than the output buffer must complete.
 */
static void
steps_follow_each_other(void **state)
{
   struct rig r;
   rig_begin(&r);
   r.random_cycles = 500;
   r.params.dist.reorder = 4;
   const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
   const uint32_t tc = rig_program(&r, SGPU_STAGE_TESS_CTRL, 8, 4);
   const uint32_t te = rig_program(&r, SGPU_STAGE_TESS_EVAL, 8, 4);
   const uint32_t gs = rig_program(&r, SGPU_STAGE_GEOMETRY, 8, 4);
   rig_operation(&r, 0, 0);
   for (unsigned batch = 0; batch < 3; batch++) {
      rig_warps(&r, vs, 20, batch, 4, 0);
      rig_warps(&r, tc, 10, 777, 0, 0);
      rig_warps(&r, te, 30, batch, 0, 0);
      rig_warps(&r, gs, 5, batch, 0, 0);
   }
   for (unsigned i = 0; i < 30; i++)
      rig_item(&r, 0, 0, 0, 8, 4, false);
   rig_run(&r);
   static const uint32_t ends[] = { 20, 30, 60, 65 };
   for (unsigned batch = 0; batch < 3; batch++) {
      for (unsigned step = 1; step < 4; step++) {
         uint64_t end = 0, begin = SGT_NEVER;
         for (uint32_t i = step < 2 ? 0 : ends[step - 2]; i < ends[step - 1]; i++)
            end = MAX2(end, r.ended[batch * 65 + i]);
         for (uint32_t i = ends[step - 1]; i < ends[step]; i++)
            begin = MIN2(begin, r.started[batch * 65 + i]);
         assert_true(begin > end);
      }
   }
   for (unsigned i = 0; i < 30; i++)
      assert_true(r.rastered[i] > r.ended[i / 10 * 65 + 60 + i / 2 % 5]);
   assert_int_equal(rig_stat(&r, "distribution", "steps"), 9);
   assert_int_equal(rig_stat(&r, "distribution", "geometry-warps"), 15);
   rig_end(&r);
}

/* 16384 registers are enough for 16 warps with 32 scalars per lane.  All of them start before one
 * ends.
 */
static void
registers_bound_the_warps(void **state)
{
   struct rig r;
   rig_begin(&r);
   r.cycles = 5000;
   r.params.dist.vertex_limit = 24;
   const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 32, 0);
   rig_operation(&r, 0, 0);
   rig_warps(&r, vs, 300, 0, 1, 0);
   r.params.dist.reorder = 300;
   rig_run(&r);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(r.sms[i].max_warps, 16);
   for (unsigned i = 0; i < 256; i++)
      assert_true(r.started[i] < r.ended[0]);
   assert_true(r.started[256] > r.ended[0]);
   rig_end(&r);
}

/* Inputs of a vertex warp: 32 scalars of 32 lanes are 4 KB, so an SM can have 4 warps. */
static void
inputs_take_shared_memory(void **state)
{
   for (unsigned shared = 0; shared < 2; shared++) {
      struct rig r;
      rig_begin(&r);
      r.cycles = 5000;
      r.params.dist.inputs_shared = shared;
      const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 32);
      rig_operation(&r, 0, 0);
      rig_warps(&r, vs, 192, 0, 1, 0);
      r.params.dist.reorder = 300;
      rig_run(&r);
      for (unsigned i = 0; i < 16; i++)
         assert_int_equal(r.sms[i].max_warps, shared ? 4 : 12);
      rig_end(&r);
   }
}

static void
workgroups_stay_together(void **state)
{
   struct rig r;
   rig_begin(&r);
   r.cycles = 1000;
   const uint32_t cs = rig_program(&r, SGPU_STAGE_COMPUTE, 8, 0);
   rig_operation(&r, 8192, 3);
   for (unsigned group = 0; group < 100; group++)
      rig_warps(&r, cs, 3, group, 0, 0);
   rig_run(&r);
   for (unsigned i = 0; i < 300; i++)
      assert_int_equal(r.sm_of[i], r.sm_of[i / 3 * 3]);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(r.sm_of[3 * i] / 2, i % 8);
   /* Two workgroups fill the shared memory of an SM. */
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(r.sms[i].max_warps, 6);
   assert_int_equal(rig_stat(&r, "distribution", "groups"), 100);
   /* Four rounds of 32 workgroups, of which the last one has 4. */
   assert_true(r.cycles_run > 4 * 1000 * 2 / 5 && r.cycles_run < 4 * 1000 * 2 / 5 + 400);
   rig_end(&r);
}

/* Waiting pixels restrict vertex warps to their limit; without pixels, vertex warps may use the
 * whole SM.
 */
static void
kinds_are_balanced(void **state)
{
   for (unsigned balance = 0; balance < 2; balance++) {
      struct rig r;
      rig_begin(&r);
      r.cycles = 4000;
      r.params.dist.balance = balance ? SGT_DIST_DYNAMIC : SGT_DIST_STATIC;
      r.params.dist.vertex_limit = 5;
      r.params.dist.reorder = 1000;
      const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 0);
      rig_operation(&r, 0, 0);
      rig_warps(&r, vs, 500, 0, 1, 0);
      rig_run(&r);
      for (unsigned i = 0; i < 16; i++)
         assert_int_equal(r.sms[i].max_warps, balance ? 24 : 5);
      assert_int_equal(rig_stat(&r, "distribution", "over-limit") != 0, balance);
      rig_end(&r);
   }
}

static uint64_t
first_start(const struct rig *r, uint32_t op)
{
   return r->started[r->work_operations[op].first_warp];
}

static uint64_t
last_end(const struct rig *r, uint32_t op)
{
   uint64_t end = 0;
   for (uint32_t i = 0; i < r->work_operations[op].num_warps; i++)
      end = MAX2(end, r->ended[r->work_operations[op].first_warp + i]);
   return end;
}

/* An operation that reads the target of a draw waits for it; another draw to the same pixels does
 * not wait.
 */
static void
barriers_are_where_they_must(void **state)
{
   struct rig r;
   rig_begin(&r);
   r.cycles = 5000;
   const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
   const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, 8, 4);
   /* Draws to 0, 0, 1 with 0 as a texture, 2, 0; a copy from 0 to 3; a draw to 1. */
   static const int reads[] = { -1, -1, 0, -1, -1, 0, -1 };
   static const uint32_t writes[] = { 0, 0, 1, 2, 0, 3, 1 };
   for (unsigned op = 0; op < ARRAY_SIZE(writes); op++) {
      rig_operation(&r, 0, 0);
      if (reads[op] >= 0)
         rig_reads(&r, reads[op]);
      if (op == 5) {
         rig_transfer(&r, SGT_ITEM_COPY, writes[op]);
         continue;
      }
      rig_warps(&r, vs, 1, 0, 4, 0);
      const uint32_t item = rig_item(&r, writes[op], 0, 0, 8, 4, false);
      rig_pixels(&r, ps, item, 0, 0);
   }
   rig_run(&r);
   assert_true(first_start(&r, 1) < last_end(&r, 0));
   assert_true(first_start(&r, 2) > last_end(&r, 1));
   assert_true(r.started[4] > r.written[3]);
   assert_true(first_start(&r, 3) < last_end(&r, 2));
   /* The next draw writes to the target that draw 2 reads. */
   assert_true(first_start(&r, 4) > last_end(&r, 3));
   assert_true(r.transferred[5] > last_end(&r, 4));
   assert_true(first_start(&r, 6) < r.transferred[5] + 100 * r.machine.period);
   assert_int_equal(rig_stat(&r, "front", "barriers"), 3);
   assert_int_equal(rig_stat(&r, "front", "transfers"), 1);
   assert_int_equal(rig_stat(&r, "front", "draws"), 6);
   const struct sgt_stat *states = sgt_stats_find(&r.stats, "host", "states");
   /* The message of the write-back and its answer take one cycle each. */
   assert_int_equal(states->values[SGT_IA_HOST_FLUSH], 3 * (r.params.ia.flush + 2));
   rig_end(&r);
}

/* The pixels of a draw run at the same time as the vertices of the next draws, up to the permitted
 * number.
 */
static void
operations_overlap(void **state)
{
   for (uint32_t limit = 1; limit <= 3; limit++) {
      struct rig r;
      rig_begin(&r);
      r.cycles = 5000;
      r.params.ia.operations = limit;
      const uint32_t vs = rig_program(&r, SGPU_STAGE_VERTEX, 8, 4);
      for (unsigned op = 0; op < 9; op++) {
         rig_operation(&r, 0, 0);
         rig_warps(&r, vs, 1, 0, 4, 0);
      }
      rig_run(&r);
      for (unsigned op = limit; op < 9; op++)
         assert_true(r.started[op] > r.ended[op - limit]);
      for (unsigned op = 1; op < limit; op++)
         assert_true(r.started[op] < r.ended[0]);
      assert_int_equal(rig_stat(&r, "front", "max-operations"), limit);
      rig_end(&r);
   }
}

static void
random_work(struct rig *r, uint64_t seed)
{
   struct sgt_random random = { seed };
   rig_begin(r);
   r->seed = seed;
   r->random_cycles = 1 + sgt_random_below(&random, 2000);
   r->params.dist.reorder = 1 + sgt_random_below(&random, 40);
   r->params.dist.pixel_queue = 1 + sgt_random_below(&random, 16);
   r->params.dist.pixel_order = 1 + sgt_random_below(&random, 32);
   r->params.dist.turn = sgt_random_below(&random, 2);
   r->params.dist.balance = sgt_random_below(&random, 2);
   r->params.dist.prefer = sgt_random_below(&random, 2);
   r->params.dist.tpcs = 1 + sgt_random_below(&random, 9);
   r->params.dist.tpc_sms = 1 + sgt_random_below(&random, 3);
   r->params.ia.operations = 1 + sgt_random_below(&random, 8);
   r->params.ia.ahead = 1 + sgt_random_below(&random, 8);
   r->params.raster.zcull_queue = 1 + sgt_random_below(&random, 8);
   r->params.raster.release_queue = 1 + sgt_random_below(&random, 8);
   const uint32_t vs = rig_program(r, SGPU_STAGE_VERTEX, 40, 16);
   const uint32_t gs = rig_program(r, SGPU_STAGE_GEOMETRY, 80, 20);
   const uint32_t ps = rig_program(r, SGPU_STAGE_PIXEL, 20, 8);
   const uint32_t cs = rig_program(r, SGPU_STAGE_COMPUTE, 60, 0);
   for (unsigned op = 0; op < 12; op++) {
      const uint32_t kind = sgt_random_below(&random, 8);
      rig_operation(r, sgt_random_below(&random, 5000), 2);
      if (sgt_random_below(&random, 4) == 0)
         rig_reads(r, sgt_random_below(&random, RIG_TARGETS));
      const uint32_t target = sgt_random_below(&random, RIG_TARGETS);
      if (kind == 0) {
         rig_transfer(r, SGT_ITEM_CLEAR, target);
         continue;
      }
      if (kind == 1) {
         for (unsigned group = 0; group < 20; group++)
            rig_warps(r, cs, 2, group, 0, 0);
         continue;
      }
      for (unsigned batch = 0; batch < 3; batch++) {
         rig_warps(r, vs, 1 + sgt_random_below(&random, 12), batch, 8,
                   sgt_random_below(&random, 5));
         if (kind == 2)
            rig_warps(r, gs, 1 + sgt_random_below(&random, 12), batch, 0, 0);
      }
      const uint32_t num = sgt_random_below(&random, 40), first = r->num_items;
      uint32_t x[40], y[40];
      bool culled[40];
      for (unsigned i = 0; i < num; i++) {
         x[i] = 8 * sgt_random_below(&random, 60);
         y[i] = 4 * sgt_random_below(&random, 60);
         culled[i] = sgt_random_below(&random, 3) == 0;
         rig_item(r, target, x[i], y[i], 8 + 8 * sgt_random_below(&random, 8),
                  4 + 4 * sgt_random_below(&random, 8), culled[i]);
      }
      for (unsigned i = 0; i < num; i++)
         for (unsigned j = 0; !culled[i] && j < 3; j++)
            rig_pixels(r, ps, first + i, x[i], y[i]);
   }
}

/* The order of units in a cycle must not matter, and any work must complete. */
static void
shuffles_are_equal(void **state)
{
   for (uint64_t seed = 1; seed <= 12; seed++) {
      struct rig a, b;
      random_work(&a, seed);
      random_work(&b, seed);
      b.shuffle = seed;
      rig_run(&a);
      rig_run(&b);
      assert_int_equal(a.cycles_run, b.cycles_run);
      assert_memory_equal(a.started, b.started, a.work.num_warps * sizeof(*a.started));
      assert_memory_equal(a.sm_of, b.sm_of, a.work.num_warps * sizeof(*a.sm_of));
      assert_int_equal(a.stats.num, b.stats.num);
      for (uint32_t i = 0; i < a.stats.num; i++)
         assert_memory_equal(a.stats.stats[i].values, b.stats.stats[i].values,
                             a.stats.stats[i].num * sizeof(uint64_t));
      assert_true(a.stats.num >= 60);
      rig_end(&a);
      rig_end(&b);
   }
}

static void
wrong_values_are_named(void **state)
{
   struct sgt_chip_front_params p;
   char error[256];
   sgt_chip_front_params_init(&p);
   assert_true(sgt_chip_front_params_check(&p, error, sizeof(error)));
   p.dist.tile = 96;
   assert_false(sgt_chip_front_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "distribution.tile: 96 is not a power of 2");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_values_are_named),
      cmocka_unit_test(scalars_bound_the_assembler),
      cmocka_unit_test(primitives_bound_the_assembler),
      cmocka_unit_test(lines_are_read_ahead),
      cmocka_unit_test(vertex_warps_go_round),
      cmocka_unit_test(pixels_go_by_tile),
      cmocka_unit_test(order_is_kept),
      cmocka_unit_test(steps_follow_each_other),
      cmocka_unit_test(registers_bound_the_warps),
      cmocka_unit_test(inputs_take_shared_memory),
      cmocka_unit_test(workgroups_stay_together),
      cmocka_unit_test(kinds_are_balanced),
      cmocka_unit_test(barriers_are_where_they_must),
      cmocka_unit_test(operations_overlap),
      cmocka_unit_test(shuffles_are_equal),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
