/* SPDX-License-Identifier: MIT */
/*
 * Fast paths of the texture unit, compared bit by bit with the general path: views of `bytes`
 * formats, and the same views without this property, on random coordinates, infinities and NaNs.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "paths.h"
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_unit.h"

struct view {
   enum sgpu_format format;
   enum sgpu_texture_type type;
   enum sgpu_tex_target target;
   uint32_t width, height;
   bool linear_layout;
};

static void
run_view(const struct view *v, uint64_t *rng)
{
   static const uint8_t channels[] = { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z,
                                       SGPU_CHANNEL_W, SGPU_CHANNEL_0, SGPU_CHANNEL_1 };
   const bool cube = v->type == SGPU_TEXTURE_TYPE_CUBE;
   struct tex_params p = tex_params(v->type, v->format, v->width, cube ? v->width : v->height);
   p.linear_layout = v->linear_layout;
   p.depth = v->type == SGPU_TEXTURE_TYPE_3D ? 5 : 1;
   p.array = v->target == SGPU_TEX_TARGET_2D_ARRAY;
   p.layers = p.array ? 3 : p.layers;
   for (uint32_t n = p.width > p.height ? p.width : p.height; n > 1; n >>= 1)
      p.levels++;
   for (unsigned c = 0; tex_rand(rng) % 2 && c < 4; c++)
      p.swizzle[c] = channels[tex_rand(rng) % ARRAY_SIZE(channels)];
   struct tex *t = tex_create(&p, rng);
   struct sgd_tex_unit *u = t->texture.unit;
   assert_true(u->bytes || u->wide);

   for (unsigned k = 0; k < 24; k++) {
      struct sgd_sampler s = tex_sampler(tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT
                                                           : SGPU_WRAP_CLAMP_TO_EDGE,
                                         SGPU_FILTER_LINEAR);
      struct sgd_vec src0, src1, fast;
      struct sgd_tex_op op = tex_op(k % 8 == 7 ? SGPU_OP_TXB : SGPU_OP_TEX, v->target);
      s.desc.mip_filter = k % 3;
      s.desc.wrap_t = tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
      s.desc.mag_filter = tex_rand(rng) % 4 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST;
      if (tex_rand(rng) % 4 == 0)
         s.desc.min_filter = s.desc.mag_filter = SGPU_FILTER_NEAREST;
      s.desc.unnormalized = v->target == SGPU_TEX_TARGET_2D && tex_rand(rng) % 8 == 0;
      s.desc.max_anisotropy = k & 4 ? 4 : 0;
      s.desc.lod_bias = tex_rand(rng) % 2 ? 0.0f : 0.5f;
      op.offset[0] = tex_rand(rng) % 8 ? 0 : 1;
      set_coordinates(rng, k % 5 == 0, &src0);
      set_coordinates(rng, k % 5 == 0, &src1);
      const uint32_t active = k % 4 ? ~0u : tex_rand(rng);

      /* both methods of fetching, independent of the host's preference */
      expect_general(t, k & 1, &s, &op, &src0, &src1, active, &fast);
   }
   tex_destroy(t);
}

static void
test_bytes(void **state)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8_UNORM,   SGPU_FORMAT_A8_UNORM,   SGPU_FORMAT_L8_UNORM,
      SGPU_FORMAT_R8G8_UNORM, SGPU_FORMAT_L8A8_UNORM, SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_DXT1_RGB,   SGPU_FORMAT_DXT5_RGBA,
   };
   static const struct {
      enum sgpu_texture_type type;
      enum sgpu_tex_target target;
   } kinds[] = {
      { SGPU_TEXTURE_TYPE_2D, SGPU_TEX_TARGET_2D },
      { SGPU_TEXTURE_TYPE_2D, SGPU_TEX_TARGET_2D_ARRAY },
      { SGPU_TEXTURE_TYPE_3D, SGPU_TEX_TARGET_3D },
      { SGPU_TEXTURE_TYPE_CUBE, SGPU_TEX_TARGET_CUBE },
   };
   static const uint32_t sizes[][2] = { { 1, 1 },  { 2, 3 },   { 3, 1 },
                                        { 17, 9 }, { 64, 32 }, { 0, 0 } };
   uint64_t rng = 1607;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      const bool block = formats[f] == SGPU_FORMAT_DXT1_RGB || formats[f] == SGPU_FORMAT_DXT5_RGBA;
      for (unsigned n = 0; n < ARRAY_SIZE(kinds) * ARRAY_SIZE(sizes) * 2; n++) {
         const uint32_t *size = sizes[n / 2 % ARRAY_SIZE(sizes)];
         const unsigned kind = n / 2 / ARRAY_SIZE(sizes);
         const struct view v = {
            formats[f],
            kinds[kind].type,
            kinds[kind].target,
            size[0] ? size[0] : 1 + tex_rand(&rng) % 17,
            size[1] ? size[1] : 1 + tex_rand(&rng) % 17,
            n & 1,
         };
         if (!(block && v.type == SGPU_TEXTURE_TYPE_3D))
            run_view(&v, &rng);
      }
   }
}

/* Formats with fast paths for whole operations, their kinds for the paths `wide` and `word`, and
 * the size in bits of numbers that can be infinities.
 */
static const struct {
   enum sgpu_format format;
   enum sgd_tex_wide wide;
   enum sgd_tex_word word;
   unsigned floats;
} plain_formats[] = {
   { SGPU_FORMAT_R8G8B8A8_UNORM },
   { SGPU_FORMAT_R8G8B8A8_SRGB, .wide = SGD_TEX_WIDE_TABLES },
   { SGPU_FORMAT_B8G8R8X8_SRGB, .wide = SGD_TEX_WIDE_TABLES },
   { SGPU_FORMAT_R16G16B16A16_FLOAT, .wide = SGD_TEX_WIDE_HALVES, .floats = 16 },
   { SGPU_FORMAT_R16G16B16A16_UNORM, .wide = SGD_TEX_WIDE_CODES },
   { SGPU_FORMAT_R16G16B16A16_SNORM, .wide = SGD_TEX_WIDE_SIGNED },
   { SGPU_FORMAT_R32G32_FLOAT, .wide = SGD_TEX_WIDE_PAIRS, .floats = 32 },
   { SGPU_FORMAT_R32G32B32A32_FLOAT, .wide = SGD_TEX_WIDE_FLOATS, .floats = 32 },
   { SGPU_FORMAT_B5G6R5_UNORM, .wide = SGD_TEX_WIDE_PACKED },
   { SGPU_FORMAT_B5G5R5A1_UNORM, .wide = SGD_TEX_WIDE_PACKED },
   { SGPU_FORMAT_B4G4R4A4_UNORM, .wide = SGD_TEX_WIDE_PACKED },
   { SGPU_FORMAT_Z24X8_UNORM, .word = SGD_TEX_WORD_CODES },
   { SGPU_FORMAT_S8_UINT_Z24_UNORM, .word = SGD_TEX_WORD_CODES },
   { SGPU_FORMAT_Z32_UNORM, .word = SGD_TEX_WORD_LONG },
   { SGPU_FORMAT_Z16_UNORM, .word = SGD_TEX_WORD_CODES },
   { SGPU_FORMAT_Z32_FLOAT, .word = SGD_TEX_WORD_FLOATS, .floats = 32 },
   { SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, .word = SGD_TEX_WORD_FLOATS, .floats = 32 },
   { SGPU_FORMAT_R16G16_UNORM, .word = SGD_TEX_WORD_CODES },
   { SGPU_FORMAT_R16G16_SNORM, .word = SGD_TEX_WORD_SIGNED },
   { SGPU_FORMAT_R16_SNORM, .word = SGD_TEX_WORD_SIGNED },
   { SGPU_FORMAT_R8G8B8A8_SNORM, .word = SGD_TEX_WORD_SIGNED },
   { SGPU_FORMAT_R10G10B10A2_UNORM, .word = SGD_TEX_WORD_CODES },
   { SGPU_FORMAT_R16G16_FLOAT, .word = SGD_TEX_WORD_HALVES, .floats = 16 },
   { SGPU_FORMAT_L16_FLOAT, .word = SGD_TEX_WORD_HALVES, .floats = 16 },
   { SGPU_FORMAT_R11G11B10_FLOAT, .word = SGD_TEX_WORD_HALVES },
   { SGPU_FORMAT_R9G9B9E5_FLOAT, .word = SGD_TEX_WORD_SHARED },
};

static struct tex *
create_plain(const struct tex_params *p, unsigned f, uint64_t *rng)
{
   struct tex *t = tex_create(p, rng);
   const struct sgd_tex_unit *u = t->texture.unit;
   assert_int_equal(u->wide, plain_formats[f].wide);
   assert_int_equal(u->word, plain_formats[f].word);
   assert_true(u->simple || u->wide || u->word);
   if (plain_formats[f].floats)
      spoil_floats(t, plain_formats[f].floats, rng);
   return t;
}

/* Warps along the axes and small footprints, which have separate paths. */
static void
planes_of(unsigned f, uint64_t *rng)
{
   static const uint32_t sizes[][2] = { { 1, 1 },  { 2, 3 },   { 3, 1 },   { 4, 4 },
                                        { 9, 17 }, { 64, 32 }, { 40, 24 }, { 33, 65 } };
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(sizes); n++) {
      const uint32_t *size = sizes[n / 2];
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, plain_formats[f].format, size[0],
                                       size[1]);
      p.linear_layout = n & 1;
      struct tex *t = create_plain(&p, f, rng);
      for (unsigned k = 0; k < TEST_ROUNDS(400); k++) {
         struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, tex_rand(rng) % 3
                                                                 ? SGPU_FILTER_LINEAR
                                                                 : SGPU_FILTER_NEAREST);
         struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
         s.desc.wrap_s = tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         s.desc.wrap_t = tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         if (tex_rand(rng) % 4 == 0)
            s.desc.wrap_s = tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
         if (tex_rand(rng) % 4 == 0)
            s.desc.wrap_t = tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
         set_border(rng, &s);
         s.desc.unnormalized = tex_rand(rng) % 8 == 0;
         op.mask = tex_rand(rng) % 4 ? 15 : tex_rand(rng) % 16;
         const bool whole = s.desc.unnormalized;
         const double unit[2] = { whole ? 1 : 1.0 / size[0], whole ? 1 : 1.0 / size[1] };
         const struct plane plane = random_plane(rng, size, k % 2);
         const uint32_t active = tex_rand(rng) % 4 ? ~0u : tex_rand(rng);
         struct sgd_vec src0, src1 = { { { 0 } } }, fast;
         set_plane(&plane, unit, &src0);
         if (tex_rand(rng) % 8 == 0)
            disturb(rng, &src0);

         expect_general(t, tex_rand(rng) % 2, &s, &op, &src0, &src1, active, &fast);
      }
      tex_destroy(t);
   }
}

static void
test_planes(void **state)
{
   uint64_t rng = 8004;
   for (unsigned f = 0; f < ARRAY_SIZE(plain_formats); f++)
      planes_of(f, &rng);
}

/* Neighbouring pixels read neighbouring texels, in the same order or upside down, from any texel
 * on. The weights are those of a copy, of one axis, of both axes, or differ in some columns.
 */
static void
test_shifted(void **state)
{
   static const uint32_t sizes[][2] = { { 40, 24 }, { 9, 5 }, { 21, 13 }, { 8, 4 }, { 7, 3 } };
   static const double fractions[] = { 0.5, 0.5, 0.75, 0.25, 0.503 };
   uint64_t rng = 361;
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(sizes); n++) {
      const uint32_t *size = sizes[n / 2];
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, size[0],
                                       size[1]);
      for (unsigned c = 0; n % 2 && c < 4; c++)
         p.swizzle[c] = n % 4 == 1 ? SGPU_CHANNEL_W - c : SGPU_CHANNEL_1 - (c & 2);
      struct tex *t = tex_create(&p, &rng);
      struct sgd_tex_unit *u = t->texture.unit;
      assert_true(u->simple && u->tiled);
      for (unsigned k = 0; k < TEST_ROUNDS(500); k++) {
         struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT,
                                            k % 4 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST);
         struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
         s.desc.wrap_s = tex_rand(&rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         s.desc.wrap_t = tex_rand(&rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         op.mask = tex_rand(&rng) % 2 ? 15 : tex_rand(&rng) % 16;
         const uint32_t active = tex_rand(&rng) % 16 ? ~0u : tex_rand(&rng);
         const double unit[2] = { 1.0 / size[0], 1.0 / size[1] };
         const bool back = tex_rand(&rng) % 3 == 0;
         struct plane plane = { .right = { 1, 0 }, .down = { 0, back ? -1 : 1 } };
         plane.x = (int)(tex_rand(&rng) % (size[0] + 4)) - 4 +
                   fractions[tex_rand(&rng) % ARRAY_SIZE(fractions)];
         plane.y = (int)(tex_rand(&rng) % (size[1] + 4)) - (back ? 0 : 4) +
                   fractions[tex_rand(&rng) % ARRAY_SIZE(fractions)];
         if (tex_rand(&rng) % 8 == 0)
            plane.right[0] += tex_rand_range(&rng, -0.01, 0.01);
         if (tex_rand(&rng) % 8 == 0)
            plane.down[1] += tex_rand_range(&rng, -0.01, 0.01);
         struct sgd_vec src0, src1 = { { { 0 } } }, fast;
         set_plane(&plane, unit, &src0);
         if (tex_rand(&rng) % 16 == 0)
            disturb(&rng, &src0);

         expect_general(t, u->gather, &s, &op, &src0, &src1, active, &fast);
         expect_in_place(t, &s, &op, &src0, active, &fast);
      }
      tex_destroy(t);
   }
}

/* Footprints larger than boxes: windows of one level, also across the end of a period, and larger
 * ones. Inactive lanes have any coordinates.
 */
static void
windows_of(unsigned f, uint64_t *rng)
{
   static const uint32_t sizes[][2] = { { 128, 96 }, { 64, 64 },  { 42, 27 },  { 16, 8 },
                                        { 5, 70 },   { 1, 9000 }, { 16384, 1 } };
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(sizes); n++) {
      const uint32_t *size = sizes[n / 2];
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, plain_formats[f].format, size[0],
                                       size[1]);
      p.swizzle[n % 4] = n % 2 ? SGPU_CHANNEL_1 - n / 4 : p.swizzle[n % 4];
      struct tex *t = create_plain(&p, f, rng);
      for (unsigned k = 0; k < TEST_ROUNDS(500); k++) {
         struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_LINEAR);
         struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
         s.desc.wrap_s = tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         s.desc.wrap_t = tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         op.mask = tex_rand(rng) % 2 ? 15 : tex_rand(rng) % 16;
         const uint32_t active = tex_rand(rng) % 2 ? ~0u : tex_rand(rng);
         const double unit[2] = { 1.0 / size[0], 1.0 / size[1] };
         struct plane plane = random_plane(rng, size, false);
         if (tex_rand(rng) % 2) {
            /* Middles of texels in a rotated warp. */
            plane.right[1] = (double)(tex_rand(rng) % 3) - 1;
            plane.down[0] = (double)(tex_rand(rng) % 3) - 1;
         }
         struct sgd_vec src0, src1 = { { { 0 } } }, fast;
         set_plane(&plane, unit, &src0);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (!(active >> l & 1))
               tex_put(&src0, k % 2, l, tex_rand(rng) % 8 ? tex_rand_range(rng, -9, 9) : NAN);
         }
         if (tex_rand(rng) % 16 == 0)
            disturb(rng, &src0);

         /* Windows replace single loads. */
         expect_general(t, k % 4 == 3, &s, &op, &src0, &src1, active, &fast);
         expect_in_place(t, &s, &op, &src0, active, &fast);
      }
      tex_destroy(t);
   }
}

static void
test_windows(void **state)
{
   uint64_t rng = 77;
   for (unsigned f = 0; f < ARRAY_SIZE(plain_formats); f++)
      windows_of(f, &rng);
}

static void
limits_of(enum sgpu_format format, uint64_t *rng)
{
   /* The memory of the first one ends with its last texel. */
   static const uint32_t sizes[][2] = { { 8, 8 }, { 9, 5 }, { 64, 32 }, { 1, 3 } };
   for (unsigned n = 0; n < ARRAY_SIZE(sizes); n++) {
      const struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, format, sizes[n][0],
                                             sizes[n][1]);
      struct tex *t = tex_create(&p, rng);
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, fast;
      for (unsigned m = 0; m < 8; m++) {
         struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT,
                                            m & 4 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST);
         const struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
         s.desc.wrap_s = m & 1 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         s.desc.wrap_t = m & 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
         for (unsigned k = 0; set_limits(k, sizes[n], &src0); k++) {
            expect_general(t, false, &s, &op, &src0, &src1, ~0u, &fast);
            expect_general(t, true, &s, &op, &src0, &src1, ~0u, &fast);
         }
      }
      tex_destroy(t);
   }
}

static void
test_limits(void **state)
{
   static const enum sgpu_format bytes[] = { SGPU_FORMAT_R8_UNORM, SGPU_FORMAT_R8G8_UNORM,
                                             SGPU_FORMAT_DXT1_RGB };
   uint64_t rng = 500;
   for (unsigned f = 0; f < ARRAY_SIZE(plain_formats); f++)
      limits_of(plain_formats[f].format, &rng);
   for (unsigned f = 0; f < ARRAY_SIZE(bytes); f++)
      limits_of(bytes[f], &rng);
}

/* Warps whose lanes are all magnified need no level of detail. TXB does not test for this, so with
 * a bias of 0 it takes the general path. Steps are near one texel, where the filter changes.
 * Slightly above, one of the filters still reads the base level only.
 */
static void
test_magnified(void **state)
{
   static const float odd_limits[] = { 0, -2, 0.5f };
   uint64_t rng = 99;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 32, 32);
   p.levels = 6;
   struct tex *t = tex_create(&p, &rng);
   const struct sgd_tex_op tex = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
   const struct sgd_tex_op txb = tex_op(SGPU_OP_TXB, SGPU_TEX_TARGET_2D);
   for (unsigned k = 0; k < TEST_ROUNDS(1000); k++) {
      struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_NEAREST);
      s.desc.mag_filter = SGPU_FILTER_LINEAR;
      const bool one_filter = tex_rand(&rng) % 2;
      s.desc.min_filter = one_filter ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST;
      s.desc.mip_filter = one_filter && k % 4 ? SGPU_MIP_FILTER_LINEAR : k % 3;
      s.desc.max_anisotropy = k & 8 && !one_filter ? 8 : 0;
      s.desc.min_lod = odd_limits[k / 16 % 3];
      s.desc.lod_bias = odd_limits[k / 48 % 3];
      s.desc.max_lod = k % 7 ? 1000.0f : -1.0f;
      struct sgd_vec src0, src1 = { { { 0 } } }, quick, general;
      const double shortest = one_filter ? 1.0005 : 0.7, longest = one_filter ? 1.0025 : 1.05;
      const double near = tex_rand(&rng) % 2 ? tex_rand_range(&rng, shortest, longest) : 1;
      const double angle = tex_rand(&rng) % 2 ? tex_rand_range(&rng, 0, 6.3) : 0;
      const double ratio = tex_rand(&rng) % 2 ? tex_rand_range(&rng, 0, 1) : 1;
      const double x = tex_rand_range(&rng, 0, 1), y = tex_rand_range(&rng, 0, 1);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const double right = near / 32 * (l & 1), down = ratio * near / 32 * (l >> 1 & 1);
         tex_put(&src0, 0, l, x + right * cos(angle) - down * sin(angle));
         tex_put(&src0, 1, l, y + right * sin(angle) + down * cos(angle));
         if (k % 50 == 0)
            src0.c[l & 1][l] = 0x7fc00000;
      }
      tex_run(t, &s, &tex, &src0, &src1, ~0u, &quick);
      tex_run(t, &s, &txb, &src0, &src1, ~0u, &general);
      assert_memory_equal(&quick, &general, sizeof(quick));
   }
   tex_destroy(t);
}

/* Warps on mipmaps that read one level, two levels, or several pairs of levels. */
static void
mipmaps_of(unsigned f, uint64_t *rng)
{
   static const uint32_t sizes[][2] = { { 256, 136 }, { 64, 64 }, { 40, 24 }, { 2, 1 }, { 1, 9 } };
   static const float odd_limits[] = { 0, -2, 0.5f, 3 };
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(sizes); n++) {
      const uint32_t *size = sizes[n / 2];
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, plain_formats[f].format, size[0],
                                       size[1]);
      p.linear_layout = n & 1;
      for (uint32_t most = size[0] > size[1] ? size[0] : size[1]; most > 1; most >>= 1)
         p.levels++;
      p.swizzle[n % 4] = n % 3 ? SGPU_CHANNEL_1 - n / 4 : p.swizzle[n % 4];
      struct tex *t = create_plain(&p, f, rng);
      for (unsigned k = 0; k < TEST_ROUNDS(150); k++) {
         struct sgd_sampler s = tex_sampler(tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT
                                                              : SGPU_WRAP_CLAMP_TO_EDGE,
                                            SGPU_FILTER_LINEAR);
         struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
         s.desc.mip_filter = 1 + k % 2;
         s.desc.min_lod = odd_limits[tex_rand(rng) % ARRAY_SIZE(odd_limits)];
         s.desc.lod_bias = odd_limits[tex_rand(rng) % ARRAY_SIZE(odd_limits)];
         s.desc.max_lod = tex_rand(rng) % 4 ? 1000.0f : 1.5f;
         op.mask = tex_rand(rng) % 4 ? 15 : tex_rand(rng) % 16;
         const uint32_t active = tex_rand(rng) % 4 ? ~0u : tex_rand(rng);
         const double scale = exp2(tex_rand_range(rng, -2, 6));
         const double bend = tex_rand(rng) % 2 ? tex_rand_range(rng, 0, 0.3) : 0;
         const double unit[2] = { scale / size[0], scale / size[1] };
         const struct plane plane = random_plane(rng, size, false);
         struct sgd_vec src0, src1 = { { { 0 } } }, fast;
         set_plane(&plane, unit, &src0);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const double far = 1 / (1 + bend * sgd_lane_x(l));
            for (unsigned a = 0; a < 2; a++)
               tex_put(&src0, a, l, (double)sgpu_bits2f(src0.c[a][l]) * far);
         }
         if (tex_rand(rng) % 4 == 0)
            disturb(rng, &src0);

         expect_general(t, true, &s, &op, &src0, &src1, active, &fast);
         expect_in_place(t, &s, &op, &src0, active, &fast);
      }
      tex_destroy(t);
   }
}

static void
test_mipmaps(void **state)
{
   uint64_t rng = 4711;
   for (unsigned f = 0; f < ARRAY_SIZE(plain_formats); f++)
      mipmaps_of(f, &rng);
}

/* All 65536 half floats, in both halves of a word, at every host level. */
static void
test_halves(void **state)
{
   uint64_t rng = 16;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R16G16_FLOAT, 256, 256);
   p.linear_layout = true;
   struct tex *t = tex_create(&p, &rng);
   const struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_NEAREST);
   const struct sgd_tex_op op = tex_op(SGPU_OP_TXF, SGPU_TEX_TARGET_2D);
   const uint32_t pitch = t->texture.layout.level[0].pitch;
   for (uint32_t i = 0; i < 1 << 16; i++) {
      const uint32_t both = i | (0xffff - i) << 16;
      memcpy(t->memory + (i >> 8) * pitch + (i & 255) * 4, &both, 4);
   }
   for (uint32_t i = 0; i < 1 << 16; i += SGD_WARP) {
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         src0.c[0][l] = (i + l) & 255;
         src0.c[1][l] = i >> 8;
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      const uint64_t saved = sgpu_fp_enter();
      for (unsigned l = 0; l < SGD_WARP; l++) {
         assert_int_equal(dst.c[0][l], sgpu_f2bits(sgpu_h2f(i + l)));
         assert_int_equal(dst.c[1][l], sgpu_f2bits(sgpu_h2f(0xffff - i - l)));
      }
      sgpu_fp_leave(saved);
   }
   tex_destroy(t);
}

/* A warp is magnified if no squared length of a step is above 1. LG2 must agree with this
 * comparison.
 */
static void
test_logarithm(void **state)
{
   const uint64_t saved = sgpu_fp_enter();
   for (uint32_t i = 0; i < 1 << 16; i++) {
      assert_true(sgpu_flg2(sgpu_bits2f(SGPU_FP_ONE_BITS - i)) <= 0.0f);
      assert_true(sgpu_flg2(sgpu_bits2f(i * (SGPU_FP_ONE_BITS >> 16))) <= 0.0f);
   }
   sgpu_fp_leave(saved);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes),     cmocka_unit_test(test_planes),
      cmocka_unit_test(test_mipmaps),   cmocka_unit_test(test_halves),
      cmocka_unit_test(test_magnified), cmocka_unit_test(test_logarithm),
      cmocka_unit_test(test_shifted),   cmocka_unit_test(test_limits),
      cmocka_unit_test(test_windows),
   };
   return cmocka_run_group_tests_name("texture paths", tests, NULL, NULL);
}
