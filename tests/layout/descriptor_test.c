/* SPDX-License-Identifier: MIT */
/*
 * The device computes the driver's layout from the packed words of a descriptor, and refuses
 * inconsistent descriptors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_layout.h"
#include "sgpu_packets_unpack.h"

#define BASE 0x7000000000c0ull

static struct sgpu_layout_params
params(enum sgpu_format format, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
       uint32_t levels, uint32_t samples)
{
   return (struct sgpu_layout_params){
      format, sgpu_layout_choose(format, false), width, height, depth, layers, levels, samples, 0,
   };
}

static const enum sgpu_format formats[] = {
   SGPU_FORMAT_R8_UNORM,           SGPU_FORMAT_R8G8B8_UNORM, SGPU_FORMAT_B8G8R8A8_UNORM,
   SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_DXT1_RGB,     SGPU_FORMAT_RGTC2_UNORM,
};

static const struct {
   uint32_t width, height, depth, layers, levels, samples;
} sizes[] = {
   { 1, 1, 1, 1, 1, 1 },          { 300, 200, 1, 1, 1, 1 },   { 300, 200, 1, 1, 9, 1 },
   { 64, 64, 1, 6, 7, 1 },        { 17, 9, 5, 1, 5, 1 },      { 2048, 2048, 2048, 1, 12, 1 },
   { 16384, 16384, 1, 1, 15, 1 }, { 128, 16, 1, 2048, 8, 1 }, { 300, 200, 1, 1, 1, 4 },
   { 300, 200, 1, 7, 1, 16 },     { 16384, 1, 1, 1, 15, 1 },
};

static void
check_surface(const struct sgpu_layout *l, uint32_t level, uint32_t first, uint32_t layers)
{
   struct SGPU_SURFACE s, packed;
   uint32_t words[SGPU_SURFACE_LENGTH];
   uint64_t size;

   assert_true(sgpu_layout_fill_surface(l, BASE, l->format, level, first, layers, &packed));
   SGPU_SURFACE_pack(words, &packed);
   assert_null(SGPU_SURFACE_unpack(words, &s));
   assert_null(sgpu_surface_check(&s, &size));

   const uint32_t x = sgpu_elements(l->level[level].width, l->block_width) - 1;
   const uint32_t y = sgpu_elements(l->level[level].height, l->block_height) - 1;
   const uint64_t at = sgpu_surface_address(&s, layers - 1, l->samples - 1, x, y, l->block_bytes);
   assert_true(at == BASE + sgpu_layout_offset(l, level, first + layers - 1, l->samples - 1, x, y));
   assert_true(at + l->block_bytes <= s.address + size);
   assert_true(s.address + size <= BASE + l->size);
}

static void
test_from_descriptors(void **state)
{
   (void)state;
   for (unsigned f = 0; f < sizeof formats / sizeof formats[0]; f++) {
      for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
         const struct sgpu_layout_params p = params(formats[f], sizes[i].width, sizes[i].height,
                                                    sizes[i].depth, sizes[i].layers,
                                                    sizes[i].levels, sizes[i].samples);
         struct sgpu_layout l, found;
         uint32_t words[SGPU_TEXTURE_LENGTH];
         struct SGPU_TEXTURE t;
         uint64_t size;

         if (sizes[i].samples > 1 && sgpu_format_info(p.format)->block_width > 1)
            continue;
         assert_true(sgpu_layout_init(&l, &p));
         sgpu_pack(words, TEXTURE, cfg) {
            sgpu_layout_fill_texture(&l, &cfg);
            cfg.address = BASE;
            cfg.format = l.format;
            cfg.type = l.depth > 1 ? SGPU_TEXTURE_TYPE_3D : SGPU_TEXTURE_TYPE_2D;
            cfg.last_level = l.levels - 1;
            cfg.last_layer = l.layers - 1;
            cfg.valid = true;
         }
         assert_null(SGPU_TEXTURE_unpack(words, &t));
         assert_null(sgpu_texture_check(&t, &found, &size));
         assert_memory_equal(&l, &found, sizeof l);
         assert_true(size == l.size);

         for (uint32_t level = 0; level < l.levels; level++) {
            const uint32_t layers = sgpu_layout_layers(&l, level);
            check_surface(&l, level, 0, 1);
            check_surface(&l, level, 0, layers);
            check_surface(&l, level, layers - 1, 1);
         }
         struct SGPU_SURFACE s;
         assert_false(sgpu_layout_fill_surface(&l, BASE, l.format, l.levels, 0, 1, &s));
         assert_false(sgpu_layout_fill_surface(&l, BASE, l.format, 0, 0, 0, &s));
         assert_false(sgpu_layout_fill_surface(&l, BASE, l.format, 0, UINT32_MAX, 2, &s));
         assert_false(sgpu_layout_fill_surface(&l, BASE, l.format, 0, 1, UINT32_MAX, &s));
         assert_false(sgpu_layout_fill_surface(&l, BASE, SGPU_FORMAT_R16_UNORM, 0, 0, 1, &s));
      }
   }
}

/* Compressed blocks in an integer format, for copies. */
static void
test_block_views(void **state)
{
   struct sgpu_layout l;
   struct SGPU_SURFACE s;
   uint64_t size;
   const struct sgpu_layout_params p = params(SGPU_FORMAT_DXT5_RGBA, 61, 30, 1, 1, 6, 1);

   (void)state;
   assert_true(sgpu_layout_init(&l, &p));
   assert_true(sgpu_layout_fill_surface(&l, BASE, SGPU_FORMAT_R32G32B32A32_UINT, 1, 0, 1, &s));
   assert_int_equal(s.width, 8);
   assert_int_equal(s.height, 4);
   assert_null(sgpu_surface_check(&s, &size));
   assert_int_equal(size, 512);
}

static const struct SGPU_SURFACE good_surface = {
   .address = BASE,
   .format = SGPU_FORMAT_B8G8R8A8_UNORM,
   .layout = SGPU_LAYOUT_TILED,
   .samples_log2 = 1,
   .valid = true,
   .width = 20,
   .height = 10,
   .pitch = 3 * 128,
   .layer_stride = 6 * 3 * 128,
   .sample_stride = 3 * 3 * 128,
   .first_layer = 1,
   .layers = 2,
};

#define EXPECT_SURFACE(what, change)                     \
   do {                                                  \
      struct SGPU_SURFACE s = good_surface;              \
      uint64_t size;                                     \
      change;                                            \
      const char *error = sgpu_surface_check(&s, &size); \
      assert_non_null(error);                            \
      assert_string_equal(error, "SURFACE: " what);      \
      assert_true(size == 0);                            \
   } while (0)

static void
test_surface_check(void **state)
{
   struct SGPU_SURFACE s = good_surface;
   uint64_t size;

   (void)state;
   assert_null(sgpu_surface_check(&s, &size));
   assert_int_equal(size, 3 * 6 * 3 * 128);
   EXPECT_SURFACE("no format", s.format = SGPU_FORMAT_NONE);
   EXPECT_SURFACE("no format", s.format = (enum sgpu_format)4095);
   EXPECT_SURFACE("empty", s.width = 0);
   EXPECT_SURFACE("empty", s.height = 0);
   EXPECT_SURFACE("empty", s.layers = 0);
   EXPECT_SURFACE("tiles cannot hold the format", s.format = SGPU_FORMAT_R8G8B8_UNORM);
   EXPECT_SURFACE("address or pitch not aligned to tiles", s.address += 32);
   EXPECT_SURFACE("address or pitch not aligned to tiles", s.pitch += 64);
   EXPECT_SURFACE("pitch less than a row", s.pitch = 2 * 128);
   EXPECT_SURFACE("pitch less than a row", s.width = 25);
   EXPECT_SURFACE("samples overlap", s.height = 13);
   EXPECT_SURFACE("layers overlap", s.samples_log2 = 2);
   EXPECT_SURFACE("layers overlap", s.layer_stride -= 64);
   EXPECT_SURFACE("samples", s.samples_log2 = 5);
   EXPECT_SURFACE("samples", (s.format = SGPU_FORMAT_DXT1_RGB, s.pitch = 256));

   s.layout = SGPU_LAYOUT_LINEAR;
   s.samples_log2 = 0;
   s.pitch = 84;
   assert_null(sgpu_surface_check(&s, &size));
   assert_int_equal(size, 2 * 6 * 3 * 128 + 9 * 84 + 80);
   s.address += 2;
   assert_string_equal(sgpu_surface_check(&s, &size),
                       "SURFACE: address or pitch not aligned to elements");
   s.address += 2;
   s.pitch = 82;
   assert_string_equal(sgpu_surface_check(&s, &size),
                       "SURFACE: address or pitch not aligned to elements");
   s.pitch = 76;
   assert_string_equal(sgpu_surface_check(&s, &size), "SURFACE: pitch less than a row");
   /* A single row needs no pitch, and bytes need no alignment. */
   s.height = 1;
   s.pitch = 0;
   s.format = SGPU_FORMAT_R8G8B8_UNORM;
   s.address += 1;
   s.layers = 1;
   s.first_layer = 0;
   assert_null(sgpu_surface_check(&s, &size));
   assert_int_equal(size, 60);
}

static const struct SGPU_TEXTURE good_texture = {
   .address = BASE,
   .format = SGPU_FORMAT_R8G8B8A8_SRGB,
   .type = SGPU_TEXTURE_TYPE_CUBE,
   .layout = SGPU_LAYOUT_TILED,
   .valid = true,
   .array = true,
   .width = 64,
   .height = 64,
   .depth = 1,
   .resource_layers = 18,
   .resource_levels = 7,
   .first_level = 1,
   .last_level = 6,
   .first_layer = 6,
   .last_layer = 17,
   .resource_format = SGPU_FORMAT_R8G8B8A8_UNORM,
};

#define EXPECT_TEXTURE(what, change)                         \
   do {                                                      \
      struct SGPU_TEXTURE t = good_texture;                  \
      struct sgpu_layout l;                                  \
      uint64_t size;                                         \
      change;                                                \
      const char *error = sgpu_texture_check(&t, &l, &size); \
      assert_non_null(error);                                \
      assert_string_equal(error, "TEXTURE: " what);          \
      assert_true(size == 0);                                \
   } while (0)

static void
test_texture_check(void **state)
{
   struct SGPU_TEXTURE t = good_texture;
   struct sgpu_layout l;
   uint64_t size;

   (void)state;
   assert_null(sgpu_texture_check(&t, &l, &size));
   EXPECT_TEXTURE("no format", t.format = SGPU_FORMAT_NONE);
   EXPECT_TEXTURE("address not aligned", t.address += 16);
   EXPECT_TEXTURE("format of another block size than the resource's",
                  t.format = SGPU_FORMAT_R8_UNORM);
   EXPECT_TEXTURE("format of another block size than the resource's",
                  (t.format = SGPU_FORMAT_DXT1_RGB, t.resource_format = SGPU_FORMAT_R32G32_UINT));
   EXPECT_TEXTURE("not a legal size", t.width = 0);
   EXPECT_TEXTURE("not a legal size", t.width = 16385);
   EXPECT_TEXTURE("not a legal size", t.resource_levels = 8);
   EXPECT_TEXTURE("not a legal size", t.samples_log2 = 7);
   EXPECT_TEXTURE("not a legal size", t.pitch = 256);
   EXPECT_TEXTURE("levels that the resource does not have", t.first_level = 7);
   EXPECT_TEXTURE("levels that the resource does not have", t.last_level = 7);
   EXPECT_TEXTURE("layers that the resource does not have", t.last_layer = 18);
   EXPECT_TEXTURE("layers that the resource does not have", t.last_layer = 5);
   EXPECT_TEXTURE("not a legal cube", t.last_layer = 16);
   EXPECT_TEXTURE("not a legal cube", t.height = 63);
   EXPECT_TEXTURE("1D view of rows or samples", t.type = SGPU_TEXTURE_TYPE_1D);
   EXPECT_TEXTURE("3D view of layers or samples", t.type = SGPU_TEXTURE_TYPE_3D);
   EXPECT_TEXTURE("not a legal buffer texture", t.type = SGPU_TEXTURE_TYPE_BUFFER);

   /* A slice of a 3D resource as a 2D texture. It must have one level, which contains the slice. */
   t.type = SGPU_TEXTURE_TYPE_2D;
   t.resource_layers = 1;
   t.depth = 32;
   t.first_level = t.last_level = 1;
   t.first_layer = t.last_layer = 15;
   assert_null(sgpu_texture_check(&t, &l, &size));
   t.last_layer = 16;
   assert_non_null(sgpu_texture_check(&t, &l, &size));
   t.last_layer = 15;
   t.first_level = 0;
   assert_non_null(sgpu_texture_check(&t, &l, &size));

   t = (struct SGPU_TEXTURE){
      .address = BASE,
      .format = SGPU_FORMAT_R32G32B32_FLOAT,
      .type = SGPU_TEXTURE_TYPE_BUFFER,
      .layout = SGPU_LAYOUT_LINEAR,
      .width = UINT32_MAX,
   };
   assert_null(sgpu_texture_check(&t, &l, &size));
   assert_true(size == 12ull * UINT32_MAX);
   t.width = 0;
   assert_non_null(sgpu_texture_check(&t, &l, &size));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_from_descriptors),
      cmocka_unit_test(test_block_views),
      cmocka_unit_test(test_surface_check),
      cmocka_unit_test(test_texture_check),
   };
   return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
