/* SPDX-License-Identifier: MIT */
/*
 * Texels of one word (`word` views): comparison, layers, and all numbers of small formats, by the
 * fast paths and by the general one.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "paths.h"
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_unit.h"

/* Returns a random reference, often equal or near to the depth of a texel. */
static float
random_reference(const struct tex *t, uint64_t *rng)
{
   static const float odd[] = { 0, -0.0f, 1, 1e-40f, 0.5f, -3, 7, INFINITY, -INFINITY, NAN };
   const int width = (int)t->texture.desc.width, height = (int)t->texture.desc.height;
   uint32_t rgba[4];
   if (tex_rand(rng) % 8 == 0)
      return odd[tex_rand(rng) % ARRAY_SIZE(odd)];
   if (tex_rand(rng) % 4 == 0)
      return (float)tex_rand_range(rng, -0.2, 1.2);
   const int x = (int)(tex_rand(rng) % (uint32_t)width),
             y = (int)(tex_rand(rng) % (uint32_t)height);
   tex_texel(t, 0, 0, 0, x, y, rgba);
   const float depth = sgpu_bits2f(rgba[0]);
   return tex_rand(rng) % 3 == 0 ? nextafterf(depth, 2)
          : tex_rand(rng) % 2    ? nextafterf(depth, -1)
                                 : depth;
}

/* Sets few different depths, so that references are often equal to them. */
static void
set_depths(struct tex *t, uint64_t *rng)
{
   const unsigned bytes = sgpu_format_info(t->texture.desc.format)->block_bytes;
   uint8_t some[4][8];
   for (unsigned n = 0; n < 4; n++) {
      for (unsigned k = 0; k < bytes; k++)
         some[n][k] = t->memory[tex_rand(rng) % (t->size / bytes) * bytes + k];
   }
   for (uint64_t i = 0; i < t->size; i += bytes) {
      if (tex_rand(rng) % 2)
         memcpy(t->memory + i, some[tex_rand(rng) % 4], bytes);
   }
}

struct depth {
   enum sgpu_format format;
   unsigned floats;
};

static void
compare_on(const struct depth *d, const uint32_t size[2], unsigned variant, uint64_t *rng)
{
   const bool array = variant & 2;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, d->format, size[0], size[1]);
   p.linear_layout = variant & 1;
   p.array = array;
   p.layers = array ? 3 : 1;
   for (uint32_t n = size[0] > size[1] ? size[0] : size[1]; variant & 4 && n > 1; n >>= 1)
      p.levels++;
   for (unsigned c = 0; tex_rand(rng) % 2 && c < 4; c++)
      p.swizzle[c] = SGPU_CHANNEL_X + tex_rand(rng) % 6;
   struct tex *t = tex_create(&p, rng);
   const struct sgd_tex_unit *u = t->texture.unit;
   assert_true(u->word);
   set_depths(t, rng);
   if (d->floats && variant & 1)
      spoil_floats(t, d->floats, rng);
   for (unsigned k = 0; k < TEST_ROUNDS(192); k++) {
      static const enum sgpu_opcode ops[] = { SGPU_OP_TEX, SGPU_OP_TXB, SGPU_OP_TXL, SGPU_OP_TXD };
      struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, tex_rand(rng) % 3 ? SGPU_FILTER_LINEAR
                                                                             : SGPU_FILTER_NEAREST);
      struct sgd_tex_op op = tex_op(tex_rand(rng) % 2 ? SGPU_OP_TEX : ops[tex_rand(rng) % 4],
                                    array ? SGPU_TEX_TARGET_2D_ARRAY : SGPU_TEX_TARGET_2D);
      s.desc.wrap_s = tex_rand(rng) % 2
                         ? tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE
                         : tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
      s.desc.wrap_t = tex_rand(rng) % 2 ? SGPU_WRAP_CLAMP_TO_EDGE
                                        : tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
      set_border(rng, &s);
      s.desc.compare = k % 8;
      s.desc.compare_enable = tex_rand(rng) % 8 != 0;
      s.desc.mip_filter = tex_rand(rng) % 3;
      if (tex_rand(rng) % 4 == 0)
         s.desc.mag_filter = SGPU_FILTER_LINEAR;
      s.desc.max_anisotropy = tex_rand(rng) % 16 ? 0 : 4;
      s.desc.unnormalized = !array && tex_rand(rng) % 8 == 0;
      if (s.desc.unnormalized)
         op.target = SGPU_TEX_TARGET_RECT;
      op.shadow = tex_rand(rng) % 8 != 0;
      op.mask = tex_rand(rng) % 2 ? 15 : tex_rand(rng) % 16;
      op.offset[0] = tex_rand(rng) % 16 ? 0 : 1;
      const bool whole = s.desc.unnormalized;
      const double unit[2] = { whole ? 1 : 1.0 / size[0], whole ? 1 : 1.0 / size[1] };
      const struct plane plane = random_plane(rng, size, k % 3 == 0);
      const uint32_t active = tex_rand(rng) % 3 ? ~0u : tex_rand(rng);
      struct sgd_vec src0, src1 = { { { 0 } } }, fast;
      if (tex_rand(rng) % 4)
         set_plane(&plane, unit, &src0);
      else
         set_coordinates(rng, false, &src0);
      if (tex_rand(rng) % 8 == 0)
         disturb(rng, &src0);
      const double layer = tex_rand_range(rng, -1, 4);
      const bool layers = tex_rand(rng) % 2;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         tex_put(&src0, 2, l, layers && active >> l & 1 ? tex_rand_range(rng, -1, 4) : layer);
         if (!(active >> l & 1))
            tex_put(&src0, k % 3, l, tex_rand(rng) % 8 ? tex_rand_range(rng, -9, 9) : NAN);
         src0.c[3][l] = sgpu_f2bits(random_reference(t, rng));
         for (unsigned c = 0; c < 4; c++)
            tex_put(&src1, c, l, tex_rand_range(rng, -0.1, 0.1));
      }
      expect_general(t, tex_rand(rng) % 4 == 0, &s, &op, &src0, &src1, active, &fast);
      if (op.op == SGPU_OP_TEX)
         expect_in_place(t, &s, &op, &src0, active, &fast);
   }
   tex_destroy(t);
}

static void
test_compare(void **state)
{
   static const struct depth depths[] = {
      { SGPU_FORMAT_Z24X8_UNORM },       { SGPU_FORMAT_X8Z24_UNORM },
      { SGPU_FORMAT_Z24_UNORM_S8_UINT }, { SGPU_FORMAT_S8_UINT_Z24_UNORM },
      { SGPU_FORMAT_Z32_UNORM },         { SGPU_FORMAT_Z16_UNORM },
      { SGPU_FORMAT_Z32_FLOAT, 32 },     { SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, 32 },
      { SGPU_FORMAT_R16_UNORM },         { SGPU_FORMAT_R16_SNORM },
      { SGPU_FORMAT_R11G11B10_FLOAT },   { SGPU_FORMAT_R16G16_FLOAT, 16 },
   };
   static const uint32_t sizes[][2] = { { 64, 48 }, { 37, 21 }, { 4, 4 }, { 1, 3 }, { 9, 70 } };
   uint64_t rng = 2413;
   for (unsigned f = 0; f < ARRAY_SIZE(depths); f++) {
      for (unsigned n = 0; n < 8 * ARRAY_SIZE(sizes); n++)
         compare_on(&depths[f], sizes[n / 8], n % 8, &rng);
   }
}

/* Makes a texture with one row of texels of 4 bytes, or of 2. */
static struct tex *
create_row(enum sgpu_format format, const uint32_t codes[SGD_WARP], uint64_t *rng)
{
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, format, SGD_WARP, 1);
   const unsigned bytes = sgpu_format_info(format)->block_bytes;
   p.linear_layout = true;
   struct tex *t = tex_create(&p, rng);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint16_t half = (uint16_t)codes[l];
      memcpy(t->memory + bytes * l, bytes == 2 ? (const void *)&half : (const void *)&codes[l],
             bytes);
   }
   return t;
}

/* References near a code, on both sides of the midpoint to the next code. */
static void
test_references(void **state)
{
   static const struct {
      enum sgpu_format format;
      uint32_t last;
   } formats[] = { { SGPU_FORMAT_Z24X8_UNORM, 0xffffff }, { SGPU_FORMAT_Z16_UNORM, 0xffff } };
   const struct sgd_tex_op tex = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
   uint64_t rng = 24;
   for (unsigned n = 0; n < TEST_ROUNDS(8000); n++) {
      const uint32_t last = formats[n & 1].last;
      uint32_t codes[SGD_WARP];
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const uint32_t near = (last + 1) >> tex_rand(&rng) % 24, step = tex_rand(&rng) % 5;
         codes[l] = tex_rand(&rng) % 2 ? tex_rand(&rng) & last : (near + step - 2) & last;
      }
      struct tex *t = create_row(formats[n & 1].format, codes, &rng);
      struct sgd_sampler s = tex_sampler(SGPU_WRAP_CLAMP_TO_EDGE, SGPU_FILTER_NEAREST);
      struct sgd_tex_op op = tex;
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, fast;
      s.desc.compare_enable = op.shadow = true;
      s.desc.compare = n / 2 % 8;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const double code = codes[l] + 0.5 * ((int)(tex_rand(&rng) % 5) - 2);
         float ref = (float)(code / last);
         for (unsigned k = tex_rand(&rng) % 3; k; k--)
            ref = nextafterf(ref, n & 16 ? 2 : -1);
         tex_put(&src0, 0, l, (l + 0.5) / SGD_WARP);
         tex_put(&src0, 3, l, ref);
      }
      expect_general(t, n & 32, &s, &op, &src0, &src1, ~0u, &fast);
      tex_destroy(t);
   }
}

/* All numbers of a format, at their place in the texel. */
static void
test_codes(void **state)
{
   static const struct {
      enum sgpu_format format;
      unsigned bits, shift;
   } formats[] = {
      { SGPU_FORMAT_R11G11B10_FLOAT, 11, 0 },  { SGPU_FORMAT_R11G11B10_FLOAT, 11, 11 },
      { SGPU_FORMAT_R11G11B10_FLOAT, 10, 22 }, { SGPU_FORMAT_R16_FLOAT, 16, 0 },
      { SGPU_FORMAT_R16_UNORM, 16, 0 },        { SGPU_FORMAT_R16_SNORM, 16, 0 },
      { SGPU_FORMAT_R16G16_SNORM, 16, 16 },    { SGPU_FORMAT_R10G10B10A2_UNORM, 10, 10 },
      { SGPU_FORMAT_R8G8B8A8_SNORM, 8, 24 },   { SGPU_FORMAT_R9G9B9E5_FLOAT, 14, 18 },
   };
   const struct sgd_sampler s = tex_sampler(SGPU_WRAP_CLAMP_TO_EDGE, SGPU_FILTER_NEAREST);
   const struct sgd_tex_op op = tex_op(SGPU_OP_TEX, SGPU_TEX_TARGET_2D);
   uint64_t rng = 11;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (uint32_t i = 0; i < 1u << formats[f].bits; i += SGD_WARP) {
         struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, fast;
         uint32_t codes[SGD_WARP];
         for (unsigned l = 0; l < SGD_WARP; l++) {
            codes[l] = (i + l) << formats[f].shift;
            tex_put(&src0, 0, l, (l + 0.5) / SGD_WARP);
         }
         struct tex *t = create_row(formats[f].format, codes, &rng);
         assert_true(((const struct sgd_tex_unit *)t->texture.unit)->word);
         expect_general(t, i & SGD_WARP, &s, &op, &src0, &src1, ~0u, &fast);
         tex_destroy(t);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_codes),
   };
   return cmocka_run_group_tests_name("texture words", tests, NULL, NULL);
}
