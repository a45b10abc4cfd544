/* SPDX-License-Identifier: MIT */
/*
 * Compares slices with counts pixel by pixel: every pixel of an item must be in exactly one slice,
 * and boxes, pixels and rows must be correct.
 */
#include <stdlib.h>
#include <string.h>

#include "random_trace.h"
#include "scene.h"
#include "util/bitscan.h"
#include "util/macros.h"

static bool
covered(const struct sgt_trace *t, const struct sgt_item *item, int32_t x, int32_t y)
{
   for (uint32_t i = 0; i < item->num_blocks; i++) {
      const struct sgt_block *b = &t->blocks[item->first_block + i];
      const int32_t dx = x - b->x, dy = y - b->y;
      if (dx < 0 || dx >= 8 || dy < 0 || dy >= 4)
         continue;
      /* 2x2 quads, four in a row (sgpu_layout.h). */
      const unsigned lane = (dy / 2 * 4 + dx / 2) * 4 + dy % 2 * 2 + dx % 2;
      return b->mask >> lane & 1;
   }
   return false;
}

static bool
inside(const struct sgt_rect *r, int32_t x, int32_t y)
{
   return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
}

static void
check_slice(const struct sgt_trace *t, const struct sgt_split_params *p,
            const struct sgt_slice *slice)
{
   const struct sgt_item *item = &t->items[slice->item];
   uint32_t pixels = 0, spans = 0;
   struct sgt_rect box = { INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN };
   for (int32_t y = 0; y < RANDOM_SCREEN; y++) {
      uint32_t row = 0;
      for (int32_t x = 0; x < RANDOM_SCREEN; x++) {
         if (!inside(&slice->cut, x, y) || !covered(t, item, x, y))
            continue;
         row++;
         box = (struct sgt_rect){ MIN2(box.x0, x), MIN2(box.y0, y), MAX2(box.x1, x + 1),
                                  MAX2(box.y1, y + 1) };
      }
      pixels += row;
      spans += row != 0;
   }
   assert_int_equal(slice->pixels, pixels);
   assert_int_equal(slice->spans, spans);
   if (slice->count == 1)
      return;
   assert_true(pixels > 0);
   assert_true(slice->cut.y1 - slice->cut.y0 <= p->height);
   if (p->mode == SGT_SPLIT_GRID)
      assert_true(slice->cut.x1 - slice->cut.x0 <= p->width);
   const struct sgt_rect *expected = p->box == SGT_SLICE_BOX_COVERAGE ? &box : &slice->cut;
   assert_memory_equal(&slice->rect, expected, sizeof(*expected));
}

static void
slices_have_each_pixel_once(void **state)
{
   struct random_trace *t = calloc(1, sizeof(*t));
   struct sgt_random r = { 1 };
   unsigned split = 0;
   assert_non_null(t);
   for (unsigned round = 0; round < 1000; round++) {
      random_trace_make(t, &r);
      struct sgt_engine_params params;
      random_params_make(&params, &r);
      const struct sgt_split_params p = sgt_engine_split_params(&params);
      struct sgt_splitter s;
      sgt_splitter_init(&s, &t->trace, &p);
      for (uint32_t i = 0; i < t->trace.num_items; i++) {
         const struct sgt_item *item = &t->items[i];
         assert_true(sgt_splitter_item(&s, i));
         assert_true(s.num >= 1);
         split += s.num > 1;
         uint32_t pixels = 0;
         for (uint32_t j = 0; j < s.num; j++) {
            const struct sgt_slice *slice = &s.slices[j];
            assert_int_equal(slice->item, i);
            assert_int_equal(slice->number, j);
            assert_int_equal(slice->count, s.num);
            pixels += slice->pixels;
            if (sgt_item_is_primitive(item))
               check_slice(&t->trace, &p, slice);
            for (uint32_t k = 0; k < j; k++)
               assert_false(sgt_rects_meet(&slice->cut, &s.slices[k].cut));
         }
         assert_int_equal(pixels, item->pixels);
         const bool fixed = p.mode == SGT_SPLIT_NONE || item->kind == SGT_ITEM_COPY ||
                            item->kind == SGT_ITEM_DIRECT ||
                            (!sgt_item_is_primitive(item) && !p.transfers);
         if (fixed)
            assert_int_equal(s.num, 1);
      }
      sgt_splitter_finish(&s);
   }
   assert_true(split > 500);
   free(t);
}

static void
cuts_are_where_they_should_be(void **state)
{
   struct scene s;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_PROGRAM, 0);
   scene_box(&s, 10, 10, 70, 70);
   scene_box(&s, 10, 10, 5, 32); /* not taller than a slice */
   scene_end(&s);
   struct sgt_split_params p = { .mode = SGT_SPLIT_HEIGHT, .width = 32, .height = 32 };
   struct sgt_splitter splitter;
   sgt_splitter_init(&splitter, s.trace, &p);
   assert_true(sgt_splitter_item(&splitter, 0));
   assert_int_equal(splitter.num, 3);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(splitter.slices[i].cut.y0, 10 + 32 * i);
      assert_int_equal(splitter.slices[i].cut.y1, i < 2 ? 42 + 32 * i : 80);
      assert_int_equal(splitter.slices[i].pixels, (i < 2 ? 32 : 6) * 70);
   }
   assert_true(sgt_splitter_item(&splitter, 1));
   assert_int_equal(splitter.num, 1);
   /* Aligned to multiples of 32, the slices begin at 10, 32 and 64. */
   splitter.params.aligned = true;
   assert_true(sgt_splitter_item(&splitter, 1));
   assert_int_equal(splitter.num, 2);
   assert_int_equal(splitter.slices[0].spans, 22);
   assert_int_equal(splitter.slices[1].cut.y0, 32);
   splitter.params.mode = SGT_SPLIT_GRID;
   assert_true(sgt_splitter_item(&splitter, 0));
   assert_int_equal(splitter.num, 9);
   assert_int_equal(splitter.slices[4].pixels, 32 * 32);
   assert_int_equal(splitter.slices[4].cut.x0, 32);
   sgt_splitter_finish(&splitter);
   scene_finish(&s);
}

static void
masks_are_cut_by_lanes(void **state)
{
   struct sgt_random r = { 5 };
   for (unsigned round = 0; round < 2000; round++) {
      const uint32_t mask = sgt_random_next(&r);
      const int32_t x0 = sgt_random_below(&r, 12), y0 = sgt_random_below(&r, 8);
      const struct sgt_rect rect = { x0, y0, x0 + (int32_t)sgt_random_below(&r, 12),
                                     y0 + (int32_t)sgt_random_below(&r, 8) };
      const uint32_t cut = sgt_block_cut(mask, 4, 2, &rect);
      uint32_t expected = 0;
      for (unsigned lane = 0; lane < 32; lane++) {
         const int32_t x = 4 + lane / 4 % 4 * 2 + lane % 2;
         const int32_t y = 2 + lane / 16 * 2 + lane % 4 / 2;
         expected |= inside(&rect, x, y) ? mask & 1u << lane : 0;
         /* Bits of a row start at the left. */
         const uint32_t row = sgt_block_row(mask, y - 2);
         assert_int_equal(row >> (x - 4) & 1, mask >> lane & 1);
      }
      assert_int_equal(cut, expected);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_have_each_pixel_once),
      cmocka_unit_test(cuts_are_where_they_should_be),
      cmocka_unit_test(masks_are_cut_by_lanes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
