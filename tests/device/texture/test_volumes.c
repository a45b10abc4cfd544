/* SPDX-License-Identifier: MIT */
/*
 * Fast paths of 3D textures (`volume` views), and of layers and faces (`slice`), compared bit by bit
 * with the general path, and fetches of single texels (`texels`).
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

/* How many operations must have a fast path, have it although the border is in reach, have it at all,
 * and have none.
 */
static struct {
   unsigned sure, near_border, fast, general;
} taken;

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
   set_border(rng, s);
   if (tex_rand(rng) % 8 == 0)
      s->desc.reduction = 1 + tex_rand(rng) % 2;
   s->desc.seamless = tex_rand(rng) % 2;
   s->desc.mip_filter = tex_rand(rng) % 3;
   if (tex_rand(rng) % 4 == 0)
      s->desc.mag_filter = SGPU_FILTER_LINEAR;
   s->desc.max_anisotropy = tex_rand(rng) % 16 ? 0 : 4;
   op->mask = tex_rand(rng) % 2 ? 15 : tex_rand(rng) % 16;
   for (unsigned a = 0; a < sgpu_tex_target_infos[target].offsets; a++)
      op->offset[a] = tex_rand(rng) % 24 ? 0 : (int)(tex_rand(rng) % 16) - 8;
}

static bool
has_offset(const struct sgd_tex_op *op)
{
   return op->reg_offset || op->offset[0] || op->offset[1] || op->offset[2];
}

/* Returns true if no filter of the first `dims` axes reads the border color. */
static bool
stays_inside(const struct SGPU_SAMPLER *s, unsigned dims, bool mirrors)
{
   const uint32_t inside = 1u << SGPU_WRAP_REPEAT | 1u << SGPU_WRAP_CLAMP_TO_EDGE |
                           (mirrors ? 1u << SGPU_WRAP_MIRROR_REPEAT : 0);
   const enum sgpu_wrap wraps[3] = { s->wrap_s, s->wrap_t, s->wrap_r };
   bool all = true;
   for (unsigned a = 0; a < dims; a++)
      all &= inside >> wraps[a] & 1;
   return all;
}

/* Checks that the operation takes the fast path if `sure`. */
static void
expect_taken(const struct tex *t, const struct sgd_sampler *s, const struct sgd_tex_op *op,
             const struct sgd_vec *src0, const struct sgd_vec *src1, uint32_t active, bool sure)
{
   const bool fast = takes_fast_path(t, s, op, src0, src1, active);
   const bool may = !has_offset(op) && op->op != SGPU_OP_TG4 && !s->desc.reduction;
   const bool reads = active && op->mask;
   assert_true(fast || !(sure && may));
   taken.sure += sure && may && reads;
   taken.near_border += fast && may && reads && !stays_inside(&s->desc, 3, true);
   taken.fast += fast && may && reads;
   taken.general += !fast;
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
      expect_taken(t, &s, &op, &src0, &src1, active, stays_inside(&s.desc, 3, true));
      if (op.op == SGPU_OP_TEX)
         expect_in_place(t, &s, &op, &src0, active, &fast);
   }
   tex_destroy(t);
}

/* Checks that many operations had the fast path, and some had not. */
static void
expect_all_ways(bool sure)
{
   struct tex_level levels[3];
   if (tex_levels(levels) > 1) {
      assert_true(!sure || taken.sure > 100);
      assert_true(taken.fast > 100);
      assert_true(taken.near_border > 20);
      assert_true(taken.general > 100);
   }
   memset(&taken, 0, sizeof(taken));
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
      { SGPU_FORMAT_R9G9B9E5_FLOAT },
   };
   static const uint32_t sizes[][3] = { { 1, 1, 1 },   { 2, 3, 2 },  { 41, 41, 11 },
                                        { 17, 9, 33 }, { 64, 3, 1 }, { 1, 24, 7 } };
   uint64_t rng = 3141;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned n = 0; n < 4 * ARRAY_SIZE(sizes); n++)
         volumes_of(&formats[f], sizes[n / 4], n & 1, &rng);
   }
   expect_all_ways(true);
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

enum shape { LAYERS, CUBE, CUBES };

/* Returns a random target of operations on the view. */
static enum sgpu_tex_target
random_target(uint64_t *rng, enum shape shape)
{
   if (shape == CUBE)
      return SGPU_TEX_TARGET_CUBE;
   if (shape == CUBES)
      return SGPU_TEX_TARGET_CUBE_ARRAY;
   return tex_rand(rng) % 4   ? SGPU_TEX_TARGET_2D_ARRAY
          : tex_rand(rng) % 2 ? SGPU_TEX_TARGET_2D
                              : SGPU_TEX_TARGET_RECT;
}

/* Makes the operation a gather, sometimes with offsets in registers. */
static void
set_gather(uint64_t *rng, struct sgd_tex_op *op, struct sgd_vec *src1)
{
   const unsigned offsets = sgpu_tex_target_infos[op->target].offsets;
   op->op = SGPU_OP_TG4;
   op->gather_comp = tex_rand(rng) % 4;
   op->reg_offset = offsets && !has_offset(op) && tex_rand(rng) % 2;
   for (unsigned l = 0; op->reg_offset && l < SGD_WARP; l++) {
      src1->c[2][l] = (uint32_t)(tex_rand(rng) % 64) - 32;
      src1->c[3][l] = (uint32_t)(tex_rand(rng) % 64) - 32;
   }
}

static void
slices_of(const struct format *f, enum shape shape, uint32_t size, unsigned variant, uint64_t *rng)
{
   const bool cube = shape != LAYERS;
   const uint32_t sizes[2] = { size, cube ? size : 1 + size / 2 };
   struct tex_params p = tex_params(cube ? SGPU_TEXTURE_TYPE_CUBE : SGPU_TEXTURE_TYPE_2D, f->format,
                                    sizes[0], sizes[1]);
   p.linear_layout = variant & 1;
   p.array = shape != CUBE;
   p.layers = shape == CUBES ? 18 : cube ? p.layers : 3;
   for (uint32_t n = size; variant & 2 && n > 1; n >>= 1)
      p.levels++;
   set_some_swizzle(&p, rng);
   struct tex *t = tex_create(&p, rng);
   const struct sgd_tex_unit *slice = ((const struct sgd_tex_unit *)t->texture.unit)->slice;
   assert_non_null(slice);
   if (f->floats && tex_rand(rng) % 2)
      spoil_floats(t, f->floats, rng);
   for (unsigned k = 0; k < TEST_ROUNDS(96); k++) {
      const enum sgpu_tex_target target = random_target(rng, shape);
      struct sgd_sampler s;
      struct sgd_tex_op op;
      struct sgd_vec src0, src1 = { { { 0 } } }, fast;
      set_random(rng, target, &s, &op);
      s.desc.compare_enable = tex_rand(rng) % 2;
      s.desc.compare = k % 8;
      s.desc.unnormalized = target == SGPU_TEX_TARGET_RECT;
      op.shadow = tex_rand(rng) % 2;
      const bool whole = s.desc.unnormalized;
      const double unit[2] = { whole ? 1 : 1.0 / sizes[0], whole ? 1 : 1.0 / sizes[1] };
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
      const unsigned at = cube ? 3 : 2; /* the component that has the layer */
      for (unsigned l = 0; shape != CUBE && l < SGD_WARP; l++)
         tex_put(&src0, at, l, one_layer ? layer : tex_rand_range(rng, -1, 4));
      if (tex_rand(rng) % 8 == 0)
         disturb(rng, &src0);
      set_rest(rng, active, &src0, &src1);
      if (tex_rand(rng) % 16 == 0)
         set_gather(rng, &op, &src1);
      expect_general(t, tex_rand(rng) % 4 == 0, &s, &op, &src0, &src1, active, &fast);
      const bool compares = op.shadow && s.desc.compare_enable;
      const bool filters = slice->word || (slice->wide && !compares);
      expect_taken(t, &s, &op, &src0, &src1, active,
                   !cube && filters && (one_layer || target != SGPU_TEX_TARGET_2D_ARRAY) &&
                      stays_inside(&s.desc, 2, false));
      /* This takes both sources from the same registers. */
      if (op.op == SGPU_OP_TEX && !(shape == CUBES && compares))
         expect_in_place(t, &s, &op, &src0, active, &fast);
   }
   tex_destroy(t);
}

/* Tests views of all formats. */
static void
slices(enum shape shape)
{
   static const struct format formats[] = {
      { SGPU_FORMAT_R8G8B8A8_UNORM },         { SGPU_FORMAT_R8G8B8A8_SRGB },
      { SGPU_FORMAT_B5G6R5_UNORM },           { SGPU_FORMAT_R16G16B16A16_FLOAT, 16 },
      { SGPU_FORMAT_R32G32B32A32_FLOAT, 32 }, { SGPU_FORMAT_R11G11B10_FLOAT },
      { SGPU_FORMAT_R16G16_FLOAT, 16 },       { SGPU_FORMAT_Z24X8_UNORM },
      { SGPU_FORMAT_R9G9B9E5_FLOAT },
   };
   static const uint32_t sizes[] = { 1, 4, 21, 64 };
   uint64_t rng = 2718;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned n = 0; n < 4 * ARRAY_SIZE(sizes); n++)
         slices_of(&formats[f], shape, sizes[n / 4], n % 4, &rng);
   }
   expect_all_ways(shape == LAYERS);
}

static void
test_layers(void **state)
{
   slices(LAYERS);
}

static void
test_cubes(void **state)
{
   slices(CUBE);
}

static void
test_arrays_of_cubes(void **state)
{
   slices(CUBES);
}

/* -- TXF ------------------------------------------------------------------------- */

/* Fetches of texels inside one level, of some outside, and of several levels. */
static void
fetches_of(const struct format *f, const struct tex_params *p, enum sgpu_tex_target target,
           uint64_t *rng)
{
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[target];
   const unsigned dims = info->coords - info->array;
   const struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_NEAREST);
   struct tex *t = tex_create(p, rng);
   assert_true(((const struct sgd_tex_unit *)t->texture.unit)->texels);
   if (f->floats)
      spoil_floats(t, f->floats, rng);
   for (unsigned k = 0; k < TEST_ROUNDS(64); k++) {
      struct sgd_tex_op op = tex_op(SGPU_OP_TXF, target);
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, fast;
      const uint32_t active = tex_rand(rng) % 3 ? ~0u : tex_rand(rng);
      const uint32_t level = info->levels ? tex_rand(rng) % p->levels : 0;
      const bool leaves = k % 8 == 0, levels = k % 8 == 1;
      const uint32_t size[3] = { sgpu_minify(p->width, level), sgpu_minify(p->height, level),
                                 sgpu_minify(p->depth, level) };
      op.mask = tex_rand(rng) % 2 ? 15 : tex_rand(rng) % 16;
      for (unsigned a = 0; a < info->offsets; a++)
         op.offset[a] = tex_rand(rng) % 2 ? 0 : (int)(tex_rand(rng) % 16) - 8;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const bool out = !(active >> l & 1) || (leaves && tex_rand(rng) % 8 == 0);
         for (unsigned a = 0; a < info->coords; a++) {
            const uint32_t n = a < dims ? size[a] : p->layers;
            src0.c[a][l] = tex_rand(rng) % (out ? 2 * n : n) - (a < dims ? op.offset[a] : 0);
         }
         src1.c[0][l] = levels || !(active >> l & 1) ? tex_rand(rng) % 5 - 1 : level;
      }
      expect_general(t, tex_rand(rng) % 4 == 0, &s, &op, &src0, &src1, active, &fast);
      const bool taking = takes_fast_path(t, &s, &op, &src0, &src1, active);
      const bool sure = !leaves && !(levels && info->levels);
      assert_true(taking || !sure);
      taken.sure += sure && active;
      taken.general += !taking;
   }
   tex_destroy(t);
}

static void
test_fetches(void **state)
{
   static const struct format formats[] = {
      { SGPU_FORMAT_R8_UNORM },           { SGPU_FORMAT_R8G8B8A8_UNORM },
      { SGPU_FORMAT_B5G6R5_UNORM },       { SGPU_FORMAT_R16G16B16A16_FLOAT, 16 },
      { SGPU_FORMAT_R32_FLOAT, 32 },      { SGPU_FORMAT_R32G32B32A32_FLOAT, 32 },
      { SGPU_FORMAT_R32G32_UINT },        { SGPU_FORMAT_R8G8B8A8_SINT },
      { SGPU_FORMAT_R16G16B16A16_SNORM },
   };
   static const struct {
      enum sgpu_texture_type type;
      enum sgpu_tex_target target;
      uint32_t height, depth, layers, levels;
   } views[] = {
      { SGPU_TEXTURE_TYPE_1D, SGPU_TEX_TARGET_1D, 1, 1, 1, 3 },
      { SGPU_TEXTURE_TYPE_2D, SGPU_TEX_TARGET_2D, 13, 1, 1, 3 },
      { SGPU_TEXTURE_TYPE_2D, SGPU_TEX_TARGET_RECT, 13, 1, 1, 1 },
      { SGPU_TEXTURE_TYPE_2D, SGPU_TEX_TARGET_2D_ARRAY, 13, 1, 5, 2 },
      { SGPU_TEXTURE_TYPE_3D, SGPU_TEX_TARGET_3D, 13, 9, 1, 3 },
      { SGPU_TEXTURE_TYPE_BUFFER, SGPU_TEX_TARGET_BUFFER, 1, 1, 1, 1 },
   };
   uint64_t rng = 1618;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned n = 0; n < 2 * ARRAY_SIZE(views); n++) {
         struct tex_params p = tex_params(views[n / 2].type, formats[f].format, 37,
                                          views[n / 2].height);
         p.linear_layout = n & 1;
         p.depth = views[n / 2].depth;
         p.layers = views[n / 2].layers;
         p.levels = views[n / 2].levels;
         p.array = p.layers > 1;
         set_some_swizzle(&p, &rng);
         fetches_of(&formats[f], &p, views[n / 2].target, &rng);
      }
   }
   struct tex_level levels[3];
   if (tex_levels(levels) > 1) {
      assert_true(taken.sure > 100);
      assert_true(taken.general > 100);
   }
   memset(&taken, 0, sizeof(taken));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_volumes), cmocka_unit_test(test_layers),
      cmocka_unit_test(test_cubes),   cmocka_unit_test(test_arrays_of_cubes),
      cmocka_unit_test(test_fetches),
   };
   return cmocka_run_group_tests_name("texture volumes", tests, NULL, NULL);
}
