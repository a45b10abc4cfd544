/* SPDX-License-Identifier: MIT */
/*
 * Tests setup, raster and zcull: the published rates, and the extent of tiles.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

/* 600 Mprimitive/s at 600 MHz (Lindholm et al.  2008): one primitive per cycle, here with one block
 * each.
 */
static void
a_primitive_a_cycle(void **state)
{
   struct rig r;
   rig_begin(&r);
   const uint32_t n = 20000;
   rig_draw(&r, n / 32);
   for (uint32_t i = 0; i < n; i++)
      rig_item(&r, 0, 8 * (i % 64), 4 * (i / 64 % 64), 8, 4, false);
   rig_run(&r);
   const uint64_t span = (r.last_block - r.first_block) / r.machine.period + 1;
   assert_true(span >= n && span <= n + n / 100);
   assert_int_equal(rig_stat(&r, "setup", "primitives"), n);
   assert_int_equal(rig_stat(&r, "coarse", "tiles"), n);
   rig_end(&r);
}

/* 153.6 Gpixel/s at 600 MHz: 256 pixels per cycle are dropped. */
static void
zcull_drops_256_pixels_a_cycle(void **state)
{
   struct rig r;
   rig_begin(&r);
   rig_draw(&r, 1);
   for (unsigned i = 0; i < 4; i++)
      rig_item(&r, 0, 0, 0, 1024, 1024, true);
   rig_run(&r);
   const uint64_t pixels = 4 * 1024 * 1024;
   assert_int_equal(rig_stat(&r, "zcull", "pixels-dropped"), pixels);
   assert_int_equal(rig_stat(&r, "zcull", "tiles-dropped"), pixels / 256);
   assert_int_equal(r.blocks, 0);
   const struct sgt_stat *states = sgt_stats_find(&r.stats, "zcull", "states");
   assert_int_equal(states->values[SGT_ZCULL_DROPPED], pixels / 256);
   assert_true(r.cycles_run >= pixels / 256 && r.cycles_run <= pixels / 256 * 101 / 100);
   rig_end(&r);
}

static void
fine_raster_reaches_its_rate(void **state)
{
   for (uint32_t rate = 1; rate <= 4; rate *= 2) {
      struct rig r;
      rig_begin(&r);
      r.params.raster.fine = rate;
      rig_draw(&r, 1);
      rig_item(&r, 0, 0, 0, 1024, 512, false);
      rig_run(&r);
      const uint64_t blocks = 1024 * 512 / 32;
      assert_int_equal(r.blocks, blocks);
      assert_int_equal(rig_stat(&r, "fine", "quads"), blocks * 8);
      assert_int_equal((r.last_block - r.first_block) / r.machine.period + 1, blocks / rate);
      rig_end(&r);
   }
}

/* Tiles are aligned, so a square of 16x16 pixels with an offset of one block covers parts of four
 * tiles.
 */
static void
tiles_are_aligned(void **state)
{
   struct rig r;
   rig_begin(&r);
   rig_draw(&r, 1);
   rig_item(&r, 0, 32, 32, 16, 16, false);
   rig_item(&r, 0, 40, 36, 16, 16, false);
   rig_item(&r, 0, 0, 0, 0, 0, false);
   rig_run(&r);
   assert_int_equal(rig_stat(&r, "coarse", "tiles"), 5);
   assert_int_equal(rig_stat(&r, "coarse", "full-tiles"), 1);
   assert_int_equal(rig_stat(&r, "coarse", "max-tiles"), 4);
   assert_int_equal(rig_stat(&r, "coarse", "empty"), 1);
   assert_int_equal(rig_stat(&r, "coarse", "blocks"), 16);
   rig_end(&r);
}

/* The part of a tile that zcull drops is not rasterized. */
static void
zcull_cuts_tiles(void **state)
{
   struct rig r;
   rig_begin(&r);
   rig_draw(&r, 1);
   rig_item(&r, 0, 0, 0, 16, 8, true);
   for (uint32_t y = 8; y < 16; y += 4)
      sgt_trace_builder_block(r.builder, 8, y, 0x80000001, false);
   rig_run(&r);
   assert_int_equal(rig_stat(&r, "zcull", "tiles-cut"), 1);
   assert_int_equal(rig_stat(&r, "zcull", "blocks-dropped"), 4);
   assert_int_equal(rig_stat(&r, "fine", "blocks"), 2);
   assert_int_equal(rig_stat(&r, "fine", "pixels"), 4);
   assert_int_equal(rig_stat(&r, "fine", "quads"), 4);
   rig_end(&r);
}

/* A warp with quads of two primitives starts when the later one was rasterized. */
static void
the_last_block_releases_a_warp(void **state)
{
   struct rig r;
   rig_begin(&r);
   const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, 8, 4);
   rig_draw(&r, 1);
   const uint32_t a = rig_item(&r, 0, 0, 0, 8, 4, false);
   rig_item(&r, 0, 0, 0, 256, 256, false); /* 1024 blocks in between */
   const uint32_t b = rig_item(&r, 0, 8, 0, 8, 4, false);
   rig_pixels(&r, ps, a, 0, 0);
   rig_pixels(&r, ps, a, 0, 0);
   r.quads[r.work.num_quads - 3].item = b;
   r.quads[r.work.num_quads - 3].x += 8;
   rig_run(&r);
   assert_true(r.started[1] >= r.rastered[a] && r.started[1] < r.rastered[b]);
   assert_true(r.started[2] >= r.rastered[b]);
   rig_end(&r);
}

/* A warp of a tile list must not overtake the previous one, which has a quad of the last block. */
static void
warps_of_a_list_keep_their_order(void **state)
{
   struct rig r;
   rig_begin(&r);
   const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, 8, 4);
   rig_draw(&r, 1);
   const uint32_t item = rig_item(&r, 0, 0, 0, 64, 64, false);
   rig_pixels(&r, ps, item, 56, 60);
   rig_pixels(&r, ps, item, 0, 0);
   rig_pixels(&r, ps, item, 0, 0);
   r.warps[3].group = 1;
   rig_run(&r);
   assert_true(r.started[1] >= r.rastered[item] && r.started[2] >= r.rastered[item]);
   assert_true(r.written[2] > r.written[1]);
   assert_true(r.started[3] < r.rastered[item]);
   rig_end(&r);
}

static void
wrong_work_is_refused(void **state)
{
   for (unsigned i = 0; i < 3; i++) {
      struct rig r;
      char error[256] = "";
      rig_begin(&r);
      const uint32_t ps = rig_program(&r, SGPU_STAGE_PIXEL, i == 2 ? 1000 : 8, 4);
      rig_draw(&r, 1);
      const uint32_t item = rig_item(&r, 0, 0, 0, 8, 4, i == 1);
      rig_pixels(&r, ps, item, i == 0 ? 8 : 0, 0);
      assert_false(rig_try(&r, error, sizeof(error)));
      assert_non_null(strstr(error, i == 2 ? "32000 registers" : "does not cover"));
      rig_end(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_primitive_a_cycle),
      cmocka_unit_test(zcull_drops_256_pixels_a_cycle),
      cmocka_unit_test(fine_raster_reaches_its_rate),
      cmocka_unit_test(tiles_are_aligned),
      cmocka_unit_test(zcull_cuts_tiles),
      cmocka_unit_test(the_last_block_releases_a_warp),
      cmocka_unit_test(warps_of_a_list_keep_their_order),
      cmocka_unit_test(wrong_work_is_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
