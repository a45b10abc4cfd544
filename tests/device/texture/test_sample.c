/* SPDX-License-Identifier: MIT */
/*
 * Sampling with explicit levels of detail, compared with the oracle: wraps, filters, offsets,
 * borders, cubes, arrays, comparison.
 */
#include <math.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"

/* Returns whether the coordinate is so near to a border of texels that a nearest filter may take
 * either.
 */
static bool
near_edge(const struct tex *t, const struct sgd_sampler *s, const double c[4], unsigned dims)
{
   for (unsigned n = 0; n < t->texture.layout.levels; n++) {
      const struct sgpu_layout_level *l = &t->texture.layout.level[n];
      const double size[3] = { l->width, l->height, l->depth };
      for (unsigned a = 0; a < dims; a++) {
         const double u = s->desc.unnormalized ? c[a] : c[a] * size[a];
         if (fabs(u - nearbyint(u)) < 1e-3)
            return true;
      }
   }
   return false;
}

struct setup {
   struct tex *t;
   struct sgd_sampler s;
   struct sgd_tex_op op;
   double middle, range; /* coordinates are in middle +- range */
   bool faces;           /* coordinates are directions: one component is 1 or -1 */
   double tolerance;
   const char *what;
};

/* Compares operations with explicit levels of detail, a different one for each lane. */
static void
check_explicit(const struct setup *c, uint64_t *rng)
{
   struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[c->op.target];
   const unsigned dims = info->coords - info->array;
   const bool cube = c->op.target == SGPU_TEX_TARGET_CUBE ||
                     c->op.target == SGPU_TEX_TARGET_CUBE_ARRAY;
   double coord[SGD_WARP][4] = { { 0 } }, ref[SGD_WARP], lod[SGD_WARP];

   for (unsigned l = 0; l < SGD_WARP; l++) {
      do {
         for (unsigned a = 0; a < dims; a++)
            coord[l][a] = (float)(c->middle + tex_rand_range(rng, -c->range, c->range));
         if (c->faces)
            coord[l][tex_rand(rng) % 3] = tex_rand(rng) % 2 ? 1 : -1;
         if (info->array)
            coord[l][dims] = (float)tex_rand_range(rng, -1, 5);
      } while (!cube && near_edge(c->t, &c->s, coord[l], dims));
      if (info->array && fabs(coord[l][dims] - floor(coord[l][dims]) - 0.5) < 1e-3)
         coord[l][dims] = 0;
      ref[l] = (float)tex_rand_range(rng, -0.2, 1.2);
      lod[l] = (float)tex_rand_range(rng, -1, 6);
      for (unsigned a = 0; a < 4; a++)
         tex_put(&src0, a, l, coord[l][a]);
      if (c->op.shadow && c->op.target == SGPU_TEX_TARGET_CUBE_ARRAY)
         tex_put(&src1, 1, l, ref[l]);
      else if (c->op.shadow)
         tex_put(&src0, 3, l, ref[l]);
      tex_put(&src1, 0, l, lod[l]);
   }
   tex_run(c->t, &c->s, &c->op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      double want[4];
      const double bias = c->s.desc.lod_bias;
      /* Near the change between two levels or two filters, rounding may decide. */
      const double half = fabs(lod[l] + bias - floor(lod[l] + bias) - 0.5);
      if (half < 1e-4 || half > 0.5 - 1e-4)
         continue;
      if (oracle_sample(c->t, &c->s, &c->op, coord[l], ref[l], lod[l] + bias, want))
         tex_expect(&dst, l, want, coord[l], c->tolerance, c->what);
   }
}

static const struct {
   enum sgpu_tex_target target;
   enum sgpu_texture_type type;
   bool array;
} plain_targets[] = {
   { SGPU_TEX_TARGET_1D, SGPU_TEXTURE_TYPE_1D, false },
   { SGPU_TEX_TARGET_2D, SGPU_TEXTURE_TYPE_2D, false },
   { SGPU_TEX_TARGET_3D, SGPU_TEXTURE_TYPE_3D, false },
   { SGPU_TEX_TARGET_1D_ARRAY, SGPU_TEXTURE_TYPE_1D, true },
   { SGPU_TEX_TARGET_2D_ARRAY, SGPU_TEXTURE_TYPE_2D, true },
};

static struct tex *
make(unsigned n, enum sgpu_format format, uint32_t w, uint32_t h, uint32_t levels, uint64_t *rng)
{
   struct tex_params p = tex_params(plain_targets[n].type, format, w,
                                    plain_targets[n].type == SGPU_TEXTURE_TYPE_1D ? 1 : h);
   p.array = plain_targets[n].array;
   p.layers = p.array ? 5 : 1;
   p.depth = p.type == SGPU_TEXTURE_TYPE_3D ? 6 : 1;
   p.levels = levels;
   return tex_create(&p, rng);
}

static void
test_wraps(void **state)
{
   static const uint32_t sizes[][2] = { { 16, 8 }, { 13, 7 }, { 1, 1 }, { 33, 2 } };
   uint64_t rng = 1;
   char what[80];
   for (unsigned n = 0; n < ARRAY_SIZE(plain_targets); n++) {
      for (unsigned z = 0; z < ARRAY_SIZE(sizes); z++) {
         struct setup c = { .tolerance = 1e-4, .range = 3, .what = what };
         c.t = make(n, SGPU_FORMAT_R8G8B8A8_UNORM, sizes[z][0], sizes[z][1], 1, &rng);
         for (unsigned wrap = 0; wrap < 8; wrap++) {
            for (unsigned filter = 0; filter < 2; filter++) {
               for (unsigned offset = 0; offset < 2; offset++) {
                  c.s = tex_sampler(wrap, filter);
                  c.s.desc.border_0 = sgpu_f2bits(0.25f);
                  c.s.desc.border_1 = sgpu_f2bits(2.0f);
                  c.s.desc.border_2 = sgpu_f2bits(-1.0f);
                  c.s.desc.border_3 = sgpu_f2bits(0.5f);
                  c.op = tex_op(SGPU_OP_TXL, plain_targets[n].target);
                  /* No API has linear filters with GL_CLAMP, or mirrored clamps, together with
                   * offsets.
                   */
                  const bool ok = wrap == SGPU_WRAP_REPEAT || wrap == SGPU_WRAP_MIRROR_REPEAT ||
                                  wrap == SGPU_WRAP_CLAMP_TO_EDGE ||
                                  wrap == SGPU_WRAP_CLAMP_TO_BORDER ||
                                  (filter == SGPU_FILTER_NEAREST &&
                                   (wrap == SGPU_WRAP_CLAMP || wrap == SGPU_WRAP_MIRROR_CLAMP));
                  if (offset && !ok)
                     continue;
                  for (unsigned a = 0; offset && a < 3; a++)
                     c.op.offset[a] = (int8_t)(tex_rand(&rng) % 16) - 8;
                  snprintf(what, sizeof(what), "target %u size %u wrap %u filter %u offset %d,%d",
                           c.op.target, sizes[z][0], wrap, filter, c.op.offset[0], c.op.offset[1]);
                  for (unsigned k = 0; k < 6; k++) {
                     /* some whole warps are inside the texture */
                     c.middle = k < 4 ? 0 : 0.5;
                     c.range = k < 4 ? 3 : 0.2;
                     check_explicit(&c, &rng);
                  }
               }
            }
         }
         tex_destroy(c.t);
      }
   }
}

static void
test_rect(void **state)
{
   uint64_t rng = 2;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_B8G8R8A8_UNORM, 19, 11);
   struct setup c = { .tolerance = 1e-4, .range = 30, .what = "RECT" };
   c.t = tex_create(&p, &rng);
   static const uint8_t wraps[] = { SGPU_WRAP_CLAMP, SGPU_WRAP_CLAMP_TO_EDGE,
                                    SGPU_WRAP_CLAMP_TO_BORDER };
   for (unsigned wrap = 0; wrap < 3; wrap++) {
      for (unsigned filter = 0; filter < 2; filter++) {
         c.s = tex_sampler(wraps[wrap], filter);
         c.s.desc.unnormalized = true;
         c.op = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_RECT);
         for (unsigned k = 0; k < 20; k++)
            check_explicit(&c, &rng);
      }
   }
   tex_destroy(c.t);
}

static void
test_mipmaps(void **state)
{
   uint64_t rng = 3;
   char what[80];
   for (unsigned n = 0; n < ARRAY_SIZE(plain_targets); n++) {
      struct setup c = { .tolerance = 1e-4, .range = 2, .what = what };
      c.t = make(n, SGPU_FORMAT_R8G8B8A8_UNORM, 24, 32, 5, &rng);
      for (unsigned mip = 0; mip < 3; mip++) {
         for (unsigned filters = 0; filters < 4; filters++) {
            for (unsigned clamp = 0; clamp < 3; clamp++) {
               c.s = tex_sampler(SGPU_WRAP_REPEAT, filters & 1);
               c.s.desc.mag_filter = filters >> 1;
               c.s.desc.mip_filter = mip;
               c.s.desc.min_lod = clamp == 1 ? 1.25f : clamp == 2 ? -1.0f : 0.0f;
               c.s.desc.max_lod = clamp == 1 ? 2.75f : 1000.0f;
               c.s.desc.lod_bias = clamp == 2 ? -0.7f : 0.0f;
               c.op = tex_op(SGPU_OP_TXL, plain_targets[n].target);
               snprintf(what, sizeof(what), "target %u mip %u filters %u clamp %u", c.op.target,
                        mip, filters, clamp);
               for (unsigned k = 0; k < 5; k++)
                  check_explicit(&c, &rng);
            }
         }
      }
      tex_destroy(c.t);
   }
}

/* A view of some levels and layers, with a swizzle. */
static void
test_views(void **state)
{
   uint64_t rng = 4;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 32, 16);
   p.array = true;
   p.layers = 7;
   p.levels = 5;
   p.first_level = 1;
   p.last_level = 3;
   p.first_layer = 2;
   p.last_layer = 5;
   p.swizzle[0] = SGPU_CHANNEL_W;
   p.swizzle[1] = SGPU_CHANNEL_1;
   p.swizzle[2] = SGPU_CHANNEL_X;
   p.swizzle[3] = SGPU_CHANNEL_0;
   struct setup c = { .tolerance = 1e-4, .range = 2, .what = "view" };
   c.t = tex_create(&p, &rng);
   c.s = tex_sampler(SGPU_WRAP_MIRROR_REPEAT, SGPU_FILTER_LINEAR);
   c.s.desc.mip_filter = SGPU_MIP_FILTER_LINEAR;
   c.op = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_2D_ARRAY);
   for (unsigned k = 0; k < 20; k++)
      check_explicit(&c, &rng);
   tex_destroy(c.t);
}

/* One level of a 2D texture: each format of bytes, both layouts, any swizzle. */
static void
test_plain_views(void **state)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_B8G8R8A8_UNORM,
      SGPU_FORMAT_B8G8R8X8_UNORM,
   };
   static const uint8_t wraps[] = { SGPU_WRAP_REPEAT, SGPU_WRAP_CLAMP_TO_EDGE };
   static const uint8_t channels[] = { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z,
                                       SGPU_CHANNEL_W, SGPU_CHANNEL_0, SGPU_CHANNEL_1 };
   uint64_t rng = 41;
   for (unsigned n = 0; n < 96; n++) {
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, formats[n % 3], 37, 21);
      p.linear_layout = n & 1;
      for (unsigned c = 0; c < 4; c++)
         p.swizzle[c] = channels[tex_rand(&rng) % ARRAY_SIZE(channels)];
      struct setup c = { .tolerance = 1e-4, .range = 2, .what = "plain view" };
      c.t = tex_create(&p, &rng);
      c.s = tex_sampler(wraps[n >> 1 & 1], n & 4 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST);
      c.s.desc.wrap_t = wraps[n >> 3 & 1];
      c.op = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_2D);
      for (unsigned k = 0; k < 4; k++)
         check_explicit(&c, &rng);
      tex_destroy(c.t);
   }
}

static void
test_cubes(void **state)
{
   uint64_t rng = 5;
   char what[80];
   for (unsigned array = 0; array < 2; array++) {
      for (unsigned size = 1; size <= 9; size += 4) {
         struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_CUBE, SGPU_FORMAT_R8G8B8A8_UNORM, size,
                                          size);
         p.array = array;
         p.layers = array ? 18 : 6;
         struct setup c = { .tolerance = 2e-4, .range = 1, .what = what };
         c.t = tex_create(&p, &rng);
         c.op = tex_op(SGPU_OP_TXL, array ? SGPU_TEX_TARGET_CUBE_ARRAY : SGPU_TEX_TARGET_CUBE);
         for (unsigned seamless = 0; seamless < 2; seamless++) {
            c.s = tex_sampler(SGPU_WRAP_CLAMP_TO_EDGE, SGPU_FILTER_LINEAR);
            c.s.desc.seamless = seamless;
            snprintf(what, sizeof(what), "cube array %u size %u seamless %u", array, size,
                     seamless);
            for (unsigned k = 0; k < 40; k++) {
               c.faces = k >= 30;
               c.range = c.faces ? 0.5 : 1;
               check_explicit(&c, &rng);
            }
         }
         tex_destroy(c.t);
      }
   }
}

static void
test_shadow(void **state)
{
   static const enum sgpu_format formats[] = { SGPU_FORMAT_Z16_UNORM, SGPU_FORMAT_Z32_FLOAT,
                                               SGPU_FORMAT_Z24_UNORM_S8_UINT,
                                               SGPU_FORMAT_S8_UINT_Z24_UNORM,
                                               SGPU_FORMAT_Z32_FLOAT_S8X24_UINT };
   uint64_t rng = 6;
   char what[80];
   for (unsigned n = 0; n < ARRAY_SIZE(formats); n++) {
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, formats[n], 20, 12);
      struct setup c = { .tolerance = 1e-4, .range = 2, .what = what };
      c.t = tex_create(&p, &rng);
      c.op = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_2D);
      for (unsigned func = 0; func < 8; func++) {
         for (unsigned filter = 0; filter < 2; filter++) {
            c.s = tex_sampler(SGPU_WRAP_CLAMP_TO_BORDER, filter);
            c.s.desc.border_0 = sgpu_f2bits(0.5f);
            c.s.desc.compare_enable = true;
            c.s.desc.compare = func;
            c.op.shadow = true;
            snprintf(what, sizeof(what), "shadow format %u func %u filter %u", formats[n], func,
                     filter);
            check_explicit(&c, &rng);
            c.op.shadow = false;
            check_explicit(&c, &rng);
         }
      }
      tex_destroy(c.t);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wraps),       cmocka_unit_test(test_rect),
      cmocka_unit_test(test_mipmaps),     cmocka_unit_test(test_views),
      cmocka_unit_test(test_plain_views), cmocka_unit_test(test_cubes),
      cmocka_unit_test(test_shadow),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
