/* SPDX-License-Identifier: MIT */
/*
 * Fast paths of 3D textures (`volume` views), and of layers and faces (`slice`), compared bit by bit
 * with the general path.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "paths.h"
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_unit.h"

/* Size in bits of the numbers of a format that can be infinities, or 0. */
struct format {
   enum sgpu_format format;
   unsigned floats;
};

static enum sgpu_wrap
random_wrap(uint64_t *rng)
{
   const enum sgpu_wrap often = tex_rand(rng) % 2 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE;
   return tex_rand(rng) % 2 ? often : tex_rand(rng) % (SGPU_WRAP_MIRROR_CLAMP_TO_BORDER + 1);
}

/* Sets a random sampler and operation. */
static void
set_random(uint64_t *rng, enum sgpu_tex_target target, struct sgd_sampler *s, struct sgd_tex_op *op)
{
   static const enum sgpu_opcode ops[] = { SGPU_OP_TEX, SGPU_OP_TXB, SGPU_OP_TXL, SGPU_OP_TXD };
   *s = tex_sampler(SGPU_WRAP_REPEAT, tex_rand(rng) % 3 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST);
   *op = tex_op(tex_rand(rng) % 2 ? SGPU_OP_TEX : ops[tex_rand(rng) % 4], target);
   s->desc.wrap_s = random_wrap(rng);
   s->desc.wrap_t = random_wrap(rng);
   s->desc.wrap_r = random_wrap(rng);
   s->desc.border_0 = s->desc.border_2 = 0x3f000000;
   s->desc.seamless = tex_rand(rng) % 2;
   s->desc.mip_filter = tex_rand(rng) % 3;
   if (tex_rand(rng) % 4 == 0)
      s->desc.mag_filter = SGPU_FILTER_LINEAR;
   s->desc.max_anisotropy = tex_rand(rng) % 16 ? 0 : 4;
   op->mask = tex_rand(rng) % 2 ? 15 : tex_rand(rng) % 16;
   op->offset[0] = tex_rand(rng) % 16 ? 0 : 1;
}

static void
set_some_swizzle(struct tex_params *p, uint64_t *rng)
{
   for (unsigned c = 0; tex_rand(rng) % 2 && c < 4; c++)
      p->swizzle[c] = SGPU_CHANNEL_X + tex_rand(rng) % 6;
}

/* Moves inactive lanes to any place, and sets numbers for levels and gradients. */
static void
set_rest(uint64_t *rng, uint32_t active, struct sgd_vec *src0, struct sgd_vec *src1)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      if (!(active >> l & 1))
         tex_put(src0, tex_rand(rng) % 3, l, tex_rand(rng) % 8 ? tex_rand_range(rng, -9, 9) : NAN);
      for (unsigned c = 0; c < 4; c++)
         tex_put(src1, c, l, tex_rand_range(rng, -0.1, 0.1));
   }
}

static void
volumes_of(const struct format *f, const uint32_t size[3], bool linear_layout, uint64_t *rng)
{
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_3D, f->format, size[0], size[1]);
   p.linear_layout = linear_layout;
   p.depth = size[2];
   if (tex_rand(rng) % 2) {
      for (uint32_t n = size[0] > size[1] ? size[0] : size[1]; n > 1; n >>= 1)
         p.levels++;
   }
   set_some_swizzle(&p, rng);
   struct tex *t = tex_create(&p, rng);
   assert_true(((const struct sgd_tex_unit *)t->texture.unit)->volume);
   if (f->floats && tex_rand(rng) % 2)
      spoil_floats(t, f->floats, rng);
   for (unsigned k = 0; k < TEST_ROUNDS(96); k++) {
      struct sgd_sampler s;
      struct sgd_tex_op op;
      struct sgd_vec src0, src1 = { { { 0 } } }, fast;
      set_random(rng, SGPU_TEX_TARGET_3D, &s, &op);
      const double unit[2] = { 1.0 / size[0], 1.0 / size[1] };
      const struct plane plane = random_plane(rng, size, k % 3 == 0);
      const uint32_t active = tex_rand(rng) % 3 ? ~0u : tex_rand(rng);
      const double at = tex_rand_range(rng, -0.5, 1.5), steep = tex_rand(rng) % 3 ? 0.3 : 2;
      const double right = tex_rand_range(rng, -steep, steep) / size[2];
      const double down = tex_rand_range(rng, -steep, steep) / size[2];
      if (tex_rand(rng) % 8)
         set_plane(&plane, unit, &src0);
      else
         set_coordinates(rng, false, &src0);
      for (unsigned l = 0; l < SGD_WARP; l++)
         tex_put(&src0, 2, l, at + sgd_lane_x(l) * right + sgd_lane_y(l) * down);
      if (tex_rand(rng) % 8 == 0)
         disturb(rng, &src0);
      set_rest(rng, active, &src0, &src1);
      expect_general(t, tex_rand(rng) % 4 == 0, &s, &op, &src0, &src1, active, &fast);
      if (op.op == SGPU_OP_TEX)
         expect_in_place(t, &s, &op, &src0, active, &fast);
   }
   tex_destroy(t);
}

static void
test_volumes(void **state)
{
   static const struct format formats[] = {
      { SGPU_FORMAT_R8_UNORM },          { SGPU_FORMAT_R8G8_UNORM },
      { SGPU_FORMAT_R8G8B8A8_UNORM },    { SGPU_FORMAT_L8A8_UNORM },
      { SGPU_FORMAT_R8G8B8A8_SNORM },    { SGPU_FORMAT_B5G6R5_UNORM },
      { SGPU_FORMAT_R10G10B10A2_UNORM }, { SGPU_FORMAT_R16_UNORM },
      { SGPU_FORMAT_R16G16_SNORM },      { SGPU_FORMAT_R16G16B16A16_UNORM },
      { SGPU_FORMAT_R16_FLOAT, 16 },     { SGPU_FORMAT_R16G16B16A16_FLOAT, 16 },
      { SGPU_FORMAT_R11G11B10_FLOAT },   { SGPU_FORMAT_R32_FLOAT, 32 },
      { SGPU_FORMAT_R32G32_FLOAT, 32 },  { SGPU_FORMAT_R32G32B32A32_FLOAT, 32 },
   };
   static const uint32_t sizes[][3] = { { 1, 1, 1 },   { 2, 3, 2 },  { 41, 41, 11 },
                                        { 17, 9, 33 }, { 64, 3, 1 }, { 1, 24, 7 } };
   uint64_t rng = 3141;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned n = 0; n < 4 * ARRAY_SIZE(sizes); n++)
         volumes_of(&formats[f], sizes[n / 4], n & 1, &rng);
   }
}

/* Sets directions near one of a face's points, sometimes across its edges. */
static void
set_directions(uint64_t *rng, struct sgd_vec *coord)
{
   const unsigned major = tex_rand(rng) % 3;
   const double sign = tex_rand(rng) % 2 ? 1 : -1, far = tex_rand(rng) % 2 ? 0.7 : 1.1;
   const double s = tex_rand_range(rng, -far, far), t = tex_rand_range(rng, -far, far);
   const double step = exp2(tex_rand_range(rng, -9, -2));
   for (unsigned l = 0; l < SGD_WARP; l++) {
      tex_put(coord, major, l, sign);
      tex_put(coord, (major + 1) % 3, l, s + step * sgd_lane_x(l));
      tex_put(coord, (major + 2) % 3, l, t - step * sgd_lane_y(l));
      tex_put(coord, 3, l, 0.5);
   }
}

static void
slices_of(const struct format *f, bool cube, uint32_t size, unsigned variant, uint64_t *rng)
{
   const enum sgpu_tex_target target = cube ? SGPU_TEX_TARGET_CUBE : SGPU_TEX_TARGET_2D_ARRAY;
   const uint32_t sizes[2] = { size, cube ? size : 1 + size / 2 };
   struct tex_params p = tex_params(cube ? SGPU_TEXTURE_TYPE_CUBE : SGPU_TEXTURE_TYPE_2D, f->format,
                                    sizes[0], sizes[1]);
   p.linear_layout = variant & 1;
   p.array = !cube;
   p.layers = cube ? p.layers : 3;
   for (uint32_t n = size; variant & 2 && n > 1; n >>= 1)
      p.levels++;
   set_some_swizzle(&p, rng);
   struct tex *t = tex_create(&p, rng);
   assert_non_null(((const struct sgd_tex_unit *)t->texture.unit)->slice);
   if (f->floats && tex_rand(rng) % 2)
      spoil_floats(t, f->floats, rng);
   for (unsigned k = 0; k < TEST_ROUNDS(96); k++) {
      struct sgd_sampler s;
      struct sgd_tex_op op;
      struct sgd_vec src0, src1 = { { { 0 } } }, fast;
      set_random(rng, target, &s, &op);
      s.desc.compare_enable = tex_rand(rng) % 2;
      s.desc.compare = k % 8;
      op.shadow = tex_rand(rng) % 2;
      const double unit[2] = { 1.0 / sizes[0], 1.0 / sizes[1] };
      const struct plane plane = random_plane(rng, sizes, k % 3 == 0);
      const uint32_t active = tex_rand(rng) % 3 ? ~0u : tex_rand(rng);
      const double layer = tex_rand_range(rng, -1, 4);
      const bool one_layer = tex_rand(rng) % 4;
      if (cube)
         set_directions(rng, &src0);
      else if (tex_rand(rng) % 8)
         set_plane(&plane, unit, &src0);
      else
         set_coordinates(rng, false, &src0);
      for (unsigned l = 0; !cube && l < SGD_WARP; l++)
         tex_put(&src0, 2, l, one_layer ? layer : tex_rand_range(rng, -1, 4));
      if (tex_rand(rng) % 8 == 0)
         disturb(rng, &src0);
      set_rest(rng, active, &src0, &src1);
      expect_general(t, tex_rand(rng) % 4 == 0, &s, &op, &src0, &src1, active, &fast);
      if (op.op == SGPU_OP_TEX)
         expect_in_place(t, &s, &op, &src0, active, &fast);
   }
   tex_destroy(t);
}

static void
test_slices(void **state)
{
   static const struct format formats[] = {
      { SGPU_FORMAT_R8G8B8A8_UNORM },         { SGPU_FORMAT_R8G8B8A8_SRGB },
      { SGPU_FORMAT_B5G6R5_UNORM },           { SGPU_FORMAT_R16G16B16A16_FLOAT, 16 },
      { SGPU_FORMAT_R32G32B32A32_FLOAT, 32 }, { SGPU_FORMAT_R11G11B10_FLOAT },
      { SGPU_FORMAT_R16G16_FLOAT, 16 },       { SGPU_FORMAT_Z24X8_UNORM },
   };
   static const uint32_t sizes[] = { 1, 4, 21, 64 };
   uint64_t rng = 2718;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned n = 0; n < 8 * ARRAY_SIZE(sizes); n++)
         slices_of(&formats[f], n & 4, sizes[n / 8], n % 4, &rng);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_volumes),
      cmocka_unit_test(test_slices),
   };
   return cmocka_run_group_tests_name("texture volumes", tests, NULL, NULL);
}
