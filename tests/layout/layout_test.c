/* SPDX-License-Identifier: MIT */
/* The layout of surfaces: order of elements, sizes, strides, refused parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_layout.h"

/* One format for each element size. */
static const enum sgpu_format by_size[] = {
   SGPU_FORMAT_R8_UNORM,        SGPU_FORMAT_B5G6R5_UNORM,
   SGPU_FORMAT_R8G8B8_UNORM,    SGPU_FORMAT_R8G8B8A8_UNORM,
   SGPU_FORMAT_R16G16B16_FLOAT, SGPU_FORMAT_R16G16B16A16_FLOAT,
   SGPU_FORMAT_R32G32B32_FLOAT, SGPU_FORMAT_R32G32B32A32_FLOAT,
   SGPU_FORMAT_R64G64B64_FLOAT, SGPU_FORMAT_R64G64B64A64_FLOAT,
   SGPU_FORMAT_DXT1_RGB,        SGPU_FORMAT_DXT5_RGBA,
   SGPU_FORMAT_FXT1_RGB,        SGPU_FORMAT_UYVY,
};

#define NUM_FORMATS (sizeof by_size / sizeof by_size[0])

static void
test_tile(void **state)
{
   static const uint8_t order[4][8] = {
      { 0, 1, 4, 5, 8, 9, 12, 13 },
      { 2, 3, 6, 7, 10, 11, 14, 15 },
      { 16, 17, 20, 21, 24, 25, 28, 29 },
      { 18, 19, 22, 23, 26, 27, 30, 31 },
   };

   (void)state;
   for (uint32_t y = 0; y < 64; y++) {
      for (uint32_t x = 0; x < 64; x++) {
         const uint32_t e = order[y % 4][x % 8];
         assert_int_equal(sgpu_tile_element(x, y), e);
         assert_int_equal(sgpu_tile_element_x(x) + sgpu_tile_element_y(y), e);
         assert_int_equal(sgpu_tiled_offset(x, y, 4096, 4), y / 4 * 4096 + x / 8 * 128 + e * 4);
      }
   }
   /* Offsets of 4 GiB and more. */
   assert_true(sgpu_tiled_offset(16383, 16383, 16384 * 4 * 16, 16) == (1ull << 32) - 16);
   assert_true(sgpu_linear_offset(16383, 16383, 16384 * 32, 32) == (1ull << 33) - 32);
}

/* Marks the bytes of every element. All must be inside, aligned, and part of one element only. */
static void
check_elements(const struct sgpu_layout *l)
{
   uint8_t *used = calloc(1, l->size);
   const uint32_t align = l->block_bytes & -l->block_bytes;

   assert_non_null(used);
   for (uint32_t level = 0; level < l->levels; level++) {
      const uint32_t columns = sgpu_elements(l->level[level].width, l->block_width);
      const uint32_t rows = sgpu_elements(l->level[level].height, l->block_height);
      for (uint32_t layer = 0; layer < sgpu_layout_layers(l, level); layer++) {
         for (uint32_t sample = 0; sample < l->samples; sample++) {
            for (uint32_t y = 0; y < rows; y++) {
               for (uint32_t x = 0; x < columns; x++) {
                  const uint64_t at = sgpu_layout_offset(l, level, layer, sample, x, y);
                  assert_true(at + l->block_bytes <= l->size);
                  assert_true(at % align == 0);
                  for (unsigned b = 0; b < l->block_bytes; b++)
                     assert_int_equal(used[at + b]++, 0);
               }
            }
         }
      }
   }
   free(used);
}

static void
check_strides(const struct sgpu_layout *l)
{
   uint64_t end = 0;

   assert_true(l->size > 0 && l->size % 64 == 0);
   for (uint32_t i = 0; i < l->levels; i++) {
      const struct sgpu_layout_level *v = &l->level[i];
      assert_true(v->offset == end);
      assert_true(v->offset % 64 == 0);
      assert_true(v->sample_stride % 64 == 0);
      assert_true(v->layer_stride == v->sample_stride * l->samples);
      assert_true(v->sample_stride >= (uint64_t)v->pitch * v->rows);
      assert_int_equal(v->width, sgpu_minify(l->width, i));
      assert_int_equal(v->height, sgpu_minify(l->height, i));
      assert_int_equal(v->depth, sgpu_minify(l->depth, i));
      end = v->offset + v->layer_stride * sgpu_layout_layers(l, i);
   }
   assert_true(l->size == end);
}

static struct sgpu_layout_params
one(enum sgpu_format format, enum sgpu_memory_layout mode, uint32_t width, uint32_t height)
{
   return (struct sgpu_layout_params){ format, mode, width, height, 1, 1, 1, 1, 0 };
}

static void
test_bijective(void **state)
{
   static const uint32_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67 };
   const unsigned n = sizeof sizes / sizeof sizes[0];

   (void)state;
   for (unsigned f = 0; f < NUM_FORMATS; f++) {
      for (unsigned mode = 0; mode < 2; mode++) {
         for (unsigned i = 0; i < n * n; i++) {
            struct sgpu_layout l;
            const struct sgpu_layout_params p = one(by_size[f], (enum sgpu_memory_layout)mode,
                                                    sizes[i / n], sizes[i % n]);
            const bool good = mode == SGPU_LAYOUT_LINEAR || sgpu_layout_can_tile(by_size[f]);
            assert_true(sgpu_layout_init(&l, &p) == good);
            if (good) {
               check_strides(&l);
               check_elements(&l);
            }
         }
      }
   }
}

static uint32_t
levels_of(uint32_t size)
{
   uint32_t n = 1;
   while (size >>= 1)
      n++;
   return n;
}

static uint32_t random_state = 1;

static uint32_t
random_below(uint32_t end)
{
   random_state = random_state * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)random_state * end >> 32);
}

static struct sgpu_layout_params
random_params(uint32_t max_size)
{
   struct sgpu_layout_params p = one(by_size[random_below(NUM_FORMATS)], SGPU_LAYOUT_LINEAR,
                                     1 + random_below(max_size), 1 + random_below(max_size));
   if (sgpu_layout_can_tile(p.format))
      p.mode = (enum sgpu_memory_layout)random_below(2);
   switch (random_below(4)) {
   case 0:
      p.depth = 1 + random_below(9);
      break;
   case 1:
      p.layers = 1 + random_below(9);
      break;
   case 2:
      if (sgpu_format_info(p.format)->block_width == 1)
         p.samples = 1u << random_below(5);
      break;
   default:
      if (p.mode == SGPU_LAYOUT_LINEAR)
         p.pitch = sgpu_elements(p.width, sgpu_format_info(p.format)->block_width) *
                   (uint32_t)sgpu_format_info(p.format)->block_bytes * (1 + random_below(3));
      break;
   }
   if (p.samples == 1 && p.pitch == 0)
      p.levels = 1 + random_below(levels_of(p.width | p.height | p.depth));
   return p;
}

static void
test_resources(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 300; i++) {
      const struct sgpu_layout_params p = random_params(70);
      struct sgpu_layout l;
      assert_true(sgpu_layout_init(&l, &p));
      check_strides(&l);
      check_elements(&l);
   }
}

static void
test_sizes(void **state)
{
   static const struct {
      struct sgpu_layout_params p;
      uint64_t size;
   } rows[] = {
      /* A mip chain of 256x256, in KiB: 256, 64, 16, 4, 1, then 8x8 pixels, and three levels of one
       * micro tile of 128 bytes.
       */
      { { SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_LAYOUT_TILED, 256, 256, 1, 1, 9, 1, 0 },
        262144 + 65536 + 16384 + 4096 + 1024 + 256 + 128 + 128 + 128 },
      { { SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 1, 1, 1, 1, 0 }, 128 },
      { { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 9, 5, 1, 1, 1, 1, 0 }, 2 * 32 * 2 },
      /* Layers of one micro tile of 32 bytes are padded to 64. */
      { { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 4, 4, 1, 6, 3, 1, 0 }, 3 * 6 * 64 },
      { { SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_LAYOUT_TILED, 300, 200, 1, 1, 1, 4, 0 },
        38 * 128 * 50 * 4 },
      { { SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_LAYOUT_TILED, 16, 8, 5, 1, 3, 1, 0 },
        5 * 4 * 256 + 2 * 256 + 256 },
      /* 33x33 pixels are 9x9 blocks, in 2x3 micro tiles of 256 bytes. */
      { { SGPU_FORMAT_DXT1_RGB, SGPU_LAYOUT_TILED, 33, 33, 1, 1, 1, 1, 0 }, 2 * 3 * 256 },
      { { SGPU_FORMAT_R8G8B8_UNORM, SGPU_LAYOUT_LINEAR, 100, 1, 1, 1, 7, 1, 0 },
        320 + 192 + 128 + 64 * 4 },
      { { SGPU_FORMAT_R8G8B8_UNORM, SGPU_LAYOUT_LINEAR, 100, 3, 1, 2, 1, 1, 301 }, 2 * 960 },
      { { SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_LAYOUT_TILED, 16384, 16384, 1, 1, 1, 1, 0 },
        1ull << 32 },
      { { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 16384, 16384, 1, 2048, 1, 1, 0 }, 1ull << 39 },
      { { SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_LAYOUT_TILED, 2048, 2048, 2048, 1, 1, 1, 0 },
        1ull << 35 },
   };

   (void)state;
   for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      struct sgpu_layout l;
      assert_true(sgpu_layout_init(&l, &rows[i].p));
      check_strides(&l);
      if (l.size != rows[i].size)
         fail_msg("row %u: %llu bytes, not %llu", i, (unsigned long long)l.size,
                  (unsigned long long)rows[i].size);
   }
}

static void
test_refused(void **state)
{
   static const struct sgpu_layout_params rows[] = {
      { SGPU_FORMAT_NONE, SGPU_LAYOUT_LINEAR, 1, 1, 1, 1, 1, 1, 0 },
      { (enum sgpu_format)31, SGPU_LAYOUT_LINEAR, 1, 1, 1, 1, 1, 1, 0 },
      { (enum sgpu_format)4000, SGPU_LAYOUT_LINEAR, 1, 1, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, (enum sgpu_memory_layout)2, 1, 1, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 0, 1, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 0, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 0, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 1, 0, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 1, 1, 0, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 1, 1, 1, 0, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 16385, 1, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 16385, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 2049, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 1, 1, 1, 2049, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, UINT32_MAX, UINT32_MAX, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 2, 2, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 5, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 16384, 1, 1, 1, 16, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 16384, 1, 1, 1, UINT32_MAX, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 3, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 32, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 2, 4, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 2, 1, 1, 4, 0 },
      { SGPU_FORMAT_DXT1_RGB, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 4, 0 },
      { SGPU_FORMAT_R8G8B8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R64G64B64A64_FLOAT, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_TILED, 8, 8, 1, 1, 1, 1, 256 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_LINEAR, 8, 8, 1, 1, 1, 1, 7 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_LINEAR, 8, 8, 1, 1, 2, 1, 64 },
      { SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_LAYOUT_LINEAR, 8, 8, 1, 1, 1, 1, 34 },
      /* More than 1 TiB. */
      { SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_LAYOUT_TILED, 16384, 16384, 1, 2048, 1, 1, 0 },
      { SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_LAYOUT_LINEAR, 16384, 16384, 2048, 1, 1, 1, 0 },
      { SGPU_FORMAT_R8_UNORM, SGPU_LAYOUT_LINEAR, 1, 16384, 1, 2048, 1, 1, UINT32_MAX },
   };

   (void)state;
   for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      struct sgpu_layout l, zero;
      memset(&zero, 0, sizeof zero);
      memset(&l, 0xa5, sizeof l);
      if (sgpu_layout_init(&l, &rows[i]))
         fail_msg("row %u is accepted", i);
      assert_memory_equal(&l, &zero, sizeof l);
   }
}

static void
test_choice(void **state)
{
   (void)state;
   assert_int_equal(sgpu_layout_choose(SGPU_FORMAT_B8G8R8A8_UNORM, false), SGPU_LAYOUT_TILED);
   assert_int_equal(sgpu_layout_choose(SGPU_FORMAT_DXT5_RGBA, false), SGPU_LAYOUT_TILED);
   assert_int_equal(sgpu_layout_choose(SGPU_FORMAT_B8G8R8A8_UNORM, true), SGPU_LAYOUT_LINEAR);
   assert_int_equal(sgpu_layout_choose(SGPU_FORMAT_R32G32B32_FLOAT, false), SGPU_LAYOUT_LINEAR);
   assert_false(sgpu_layout_can_tile(SGPU_FORMAT_NONE));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tile),      cmocka_unit_test(test_bijective),
      cmocka_unit_test(test_resources), cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_refused),   cmocka_unit_test(test_choice),
   };
   return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
