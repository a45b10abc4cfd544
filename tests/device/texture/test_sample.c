/* SPDX-License-Identifier: MIT */
/*
 * Sampling against the oracle: wraps, filters, offsets, borders, levels of
 * detail, cubes, arrays, comparison, gathering, queries.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sgpu_fp.h"
#include "texture.h"

static void
put(struct sgd_vec *v, unsigned c, unsigned l, double value)
{
   v->c[c][l] = sgpu_f2bits((float)value);
}

static double
get(const struct sgd_vec *v, unsigned c, unsigned l)
{
   return sgpu_bits2f(v->c[c][l]);
}

static unsigned
coords_of(const struct sgd_tex_op *op)
{
   return sgpu_tex_target_infos[op->target].coords;
}

/* Whether a nearest filter at this coordinate could go either way. */
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

static void
expect(const struct sgd_vec *got, unsigned l, const double want[4], const double coord[4],
       double tolerance, const char *what)
{
   for (unsigned c = 0; c < 4; c++) {
      const double v = get(got, c, l);
      if (!(fabs(v - want[c]) <= tolerance)) {
         fail_msg("%s at (%.9g, %.9g, %.9g, %.9g): %c is %.9g, should be %.9g", what, coord[0],
                  coord[1], coord[2], coord[3], "xyzw"[c], v, want[c]);
      }
   }
}

struct setup {
   struct tex *t;
   struct sgd_sampler s;
   struct sgd_tex_op op;
   double middle, range;  /* coordinates are no further from `middle` than `range` */
   bool faces;            /* directions: one component is 1 or -1 */
   double tolerance;
   const char *what;
};

/* Explicit levels of detail, each lane its own. */
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
         put(&src0, a, l, coord[l][a]);
      if (c->op.shadow && c->op.target == SGPU_TEX_TARGET_CUBE_ARRAY)
         put(&src1, 1, l, ref[l]);
      else if (c->op.shadow)
         put(&src0, 3, l, ref[l]);
      put(&src1, 0, l, lod[l]);
   }
   tex_run(c->t, &c->s, &c->op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      double want[4];
      const double bias = c->s.desc.lod_bias;
      /* Between two levels, or two filters, rounding may decide. */
      const double half = fabs(lod[l] + bias - floor(lod[l] + bias) - 0.5);
      if (half < 1e-4 || half > 0.5 - 1e-4)
         continue;
      oracle_sample(c->t, &c->s, &c->op, coord[l], ref[l], lod[l] + bias, want);
      expect(&dst, l, want, coord[l], c->tolerance, c->what);
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
                  /* Filters with GL_CLAMP and mirroring clamps with offsets are
                   * nobody's.
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
                           c.op.target, sizes[z][0], wrap, filter, c.op.offset[0],
                           c.op.offset[1]);
                  for (unsigned k = 0; k < 6; k++) {
                     /* whole warps that reach no edge, too */
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
      SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_B8G8R8A8_UNORM, SGPU_FORMAT_B8G8R8X8_UNORM,
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
         struct tex_params p =
            tex_params(SGPU_TEXTURE_TYPE_CUBE, SGPU_FORMAT_R8G8B8A8_UNORM, size, size);
         p.array = array;
         p.layers = array ? 18 : 6;
         struct setup c = { .tolerance = 2e-4, .range = 1, .what = what };
         c.t = tex_create(&p, &rng);
         c.op = tex_op(SGPU_OP_TXL,
                       array ? SGPU_TEX_TARGET_CUBE_ARRAY : SGPU_TEX_TARGET_CUBE);
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

/* Levels of detail from a pixel's row and column: LODQ, and TEX, TXB where the
 * level shows.
 */
static void
test_derivatives(void **state)
{
   static const enum sgpu_tex_target targets[] = { SGPU_TEX_TARGET_1D, SGPU_TEX_TARGET_2D,
                                                   SGPU_TEX_TARGET_3D, SGPU_TEX_TARGET_CUBE };
   uint64_t rng = 7;
   for (unsigned n = 0; n < ARRAY_SIZE(targets); n++) {
      const enum sgpu_texture_type type = n + 1;
      struct tex_params p = tex_params(type, SGPU_FORMAT_R8G8B8A8_UNORM, 64, n == 0 ? 1 : 64);
      p.levels = 7;
      p.depth = n == 2 ? 16 : 1;
      struct tex *t = tex_create(&p, &rng);
      struct sgd_sampler s = tex_sampler(SGPU_WRAP_CLAMP_TO_EDGE, SGPU_FILTER_LINEAR);
      s.desc.mip_filter = SGPU_MIP_FILTER_LINEAR;
      s.desc.lod_bias = 0.25f;
      struct sgd_tex_op lodq = tex_op(SGPU_OP_LODQ, targets[n]);
      struct sgd_tex_op tex = tex_op(SGPU_OP_TEX, targets[n]);
      struct sgd_tex_op txb = tex_op(SGPU_OP_TXB, targets[n]);
      lodq.mask = 3;
      for (unsigned k = 0; k < 60; k++) {
         struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst, colour, biased;
         double c[SGD_WARP][4] = { { 0 } };
         for (unsigned q = 0; q < 8; q++) {
            const double step = exp2(tex_rand_range(&rng, -8, 0));
            for (unsigned a = 0; a < coords_of(&tex); a++) {
               const double at = tex_rand_range(&rng, -1, 1);
               const double dx = tex_rand_range(&rng, -step, step);
               const double dy = tex_rand_range(&rng, -step, step);
               const double bend = tex_rand_range(&rng, -step, step) * 0.2;
               for (unsigned l = 0; l < 4; l++)
                  c[4 * q + l][a] = (float)(at + (l & 1) * dx + (l >> 1) * dy + (l == 3) * bend);
            }
            for (unsigned l = 0; l < 4; l++) {
               for (unsigned a = 0; a < 4; a++)
                  put(&src0, a, 4 * q + l, c[4 * q + l][a]);
               put(&src1, 0, 4 * q + l, 0.5 * l);
            }
         }
         tex_run(t, &s, &lodq, &src0, &src1, ~0u, &dst);
         tex_run(t, &s, &tex, &src0, &src1, ~0u, &colour);
         tex_run(t, &s, &txb, &src0, &src1, ~0u, &biased);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            double want[4], right[4], down[4];
            for (unsigned a = 0; a < 4; a++) {
               right[a] = c[l][a] + c[l | 1][a] - c[l & ~1u][a];
               down[a] = c[l][a] + c[l | 2][a] - c[l & ~2u][a];
            }
            const double lod = 0.25 + oracle_lod(t, &s, &tex, c[l], right, down);
            assert_true(fabs(get(&dst, 1, l) - lod) < 2e-3);
            assert_true(fabs(get(&dst, 0, l) - fmax(0, fmin(6, lod))) < 2e-3);
            /* with the device's own level: the filter is what is compared */
            oracle_sample(t, &s, &tex, c[l], 0, get(&dst, 1, l), want);
            expect(&colour, l, want, c[l], 1e-3, "TEX");
            oracle_sample(t, &s, &tex, c[l], 0, get(&dst, 1, l) + 0.5 * (l & 3), want);
            expect(&biased, l, want, c[l], 1e-3, "TXB");
         }
      }
      tex_destroy(t);
   }
}

static void
test_gradients(void **state)
{
   uint64_t rng = 8;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 32);
   p.levels = 6;
   struct tex *t = tex_create(&p, &rng);
   struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_LINEAR);
   s.desc.mip_filter = SGPU_MIP_FILTER_LINEAR;
   const struct sgd_tex_op op = tex_op(SGPU_OP_TXD, SGPU_TEX_TARGET_2D);
   for (unsigned k = 0; k < 50; k++) {
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned a = 0; a < 2; a++)
            put(&src0, a, l, tex_rand_range(&rng, -1, 1));
         const double step = exp2(tex_rand_range(&rng, -8, 0));
         for (unsigned a = 0; a < 4; a++)
            put(&src1, a, l, tex_rand_range(&rng, -step, step));
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         double want[4];
         const double c0[4] = { get(&src0, 0, l), get(&src0, 1, l) };
         const double c1[4] = { c0[0] + get(&src1, 0, l), c0[1] + get(&src1, 1, l) };
         const double c2[4] = { c0[0] + get(&src1, 2, l), c0[1] + get(&src1, 3, l) };
         oracle_sample(t, &s, &op, c0, 0, oracle_lod(t, &s, &op, c0, c1, c2), want);
         expect(&dst, l, want, c0, 3e-3, "TXD");
      }
   }
   tex_destroy(t);
}

/* Probes of a pixel, by the angle of its ellipse's longer axis. */
static unsigned
oracle_probes(const double dx[2], const double dy[2], double limit, double axis[2], double *lod,
              bool *sure)
{
   const double uu = dx[0] * dx[0] + dy[0] * dy[0], vv = dx[1] * dx[1] + dy[1] * dy[1];
   const double uv = dx[0] * dx[1] + dy[0] * dy[1];
   const double angle = 0.5 * atan2(2 * uv, uu - vv), c = cos(angle), s = sin(angle);
   const double longer = sqrt(uu * c * c + 2 * uv * c * s + vv * s * s);
   const double shorter = sqrt(fmax(uu * s * s - 2 * uv * c * s + vv * c * c, 0));
   const double ratio = longer / fmax(shorter, 1) - 1.0 / 16;
   const double n = fmin(fmax(ceil(ratio), 1), limit);
   axis[0] = longer * c;
   axis[1] = longer * s;
   *lod = log2(fmax(shorter, longer / n));
   *sure = fabs(ratio - nearbyint(ratio)) > 1e-4 || ratio > limit + 0.5 || ratio < 0.5;
   return (unsigned)n;
}

static void
test_anisotropy(void **state)
{
   uint64_t rng = 14;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 32);
   p.levels = 7;
   struct tex *t = tex_create(&p, &rng);
   struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_LINEAR);
   s.desc.mip_filter = SGPU_MIP_FILTER_LINEAR;
   unsigned compared = 0, counts[17] = { 0 };
   for (unsigned k = 0; k < 200; k++) {
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
      const bool quads = k & 1;
      const struct sgd_tex_op op = tex_op(quads ? SGPU_OP_TEX : SGPU_OP_TXD, SGPU_TEX_TARGET_2D);
      s.desc.max_anisotropy = k & 2 ? 16 : 2 + k / 4 % 15;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const double angle = tex_rand_range(&rng, 0, 6.28), turn = tex_rand_range(&rng, 0, 6.28);
         const double len = exp2(tex_rand_range(&rng, -8, -1));
         const double other = tex_rand(&rng) % 4 ? len * exp2(tex_rand_range(&rng, -5, 0)) : len;
         const double dx[2] = { len * cos(turn), other * sin(turn) };
         const double dy[2] = { -len * sin(turn), other * cos(turn) };
         const bool first = !quads || l % 4 == 0;
         const double bend = l & 2 ? 1.2 : 1;
         for (unsigned a = 0; a < 2; a++) {
            const double rotated[2] = { a ? sin(angle) : cos(angle), a ? cos(angle) : -sin(angle) };
            put(&src1, a, l, rotated[0] * dx[0] + rotated[1] * dx[1]);
            put(&src1, 2 + a, l, rotated[0] * dy[0] + rotated[1] * dy[1]);
            put(&src0, a, l, tex_rand_range(&rng, -1, 1));
            /* A quad whose rows differ */
            if (!first)
               put(&src0, a, l, get(&src0, a, l & ~3u) + get(&src1, a, l & ~3u) * (l & 1) * bend +
                                   get(&src1, 2 + a, l & ~3u) * (l >> 1 & 1));
         }
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         double dx[2], dy[2], axis[2], lod, want[4] = { 0 };
         const double at[4] = { get(&src0, 0, l), get(&src0, 1, l) };
         bool sure;
         for (unsigned a = 0; a < 2; a++) {
            const double size = a ? 32 : 64;
            dx[a] = quads ? get(&src0, a, l | 1) - get(&src0, a, l & ~1u) : get(&src1, a, l);
            dy[a] = quads ? get(&src0, a, l | 2) - get(&src0, a, l & ~2u) : get(&src1, 2 + a, l);
            dx[a] *= size;
            dy[a] *= size;
         }
         const unsigned n = oracle_probes(dx, dy, s.desc.max_anisotropy, axis, &lod, &sure);
         if (!sure)
            continue;
         for (unsigned i = 0; i < n; i++) {
            const double f = (i + 0.5) / n - 0.5;
            const double c[4] = { at[0] + f * axis[0] / 64, at[1] + f * axis[1] / 32 };
            double one[4];
            oracle_sample(t, &s, &op, c, 0, lod, one);
            for (unsigned v = 0; v < 4; v++)
               want[v] += one[v] / n;
         }
         expect(&dst, l, want, at, 3e-3, "anisotropic");
         compared++;
         counts[n]++;
      }
   }
   assert_true(compared > 6000);
   for (unsigned n = 1; n <= 16; n++)
      assert_true(counts[n] > 10);
   tex_destroy(t);
}

/* What anisotropic filtering is for: a pixel one texel wide and sixteen long is
 * the mean of sixteen texels of the base level.
 */
static void
test_anisotropic_detail(void **state)
{
   uint64_t rng = 16;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);
   p.levels = 7;
   struct tex *t = tex_create(&p, &rng);
   struct sgd_sampler s = tex_sampler(SGPU_WRAP_REPEAT, SGPU_FILTER_LINEAR);
   const struct sgd_tex_op op = tex_op(SGPU_OP_TXD, SGPU_TEX_TARGET_2D);
   struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
   s.desc.mip_filter = SGPU_MIP_FILTER_LINEAR;
   s.desc.max_anisotropy = 16;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      put(&src0, 0, l, tex_rand_range(&rng, 0, 1));
      put(&src0, 1, l, tex_rand_range(&rng, 0, 1));
      put(&src1, 0, l, l & 1 ? 1.0 / 64 : 0);
      put(&src1, 1, l, l & 1 ? 0 : 16.0 / 64);
      put(&src1, 2, l, l & 1 ? 0 : 1.0 / 64);
      put(&src1, 3, l, l & 1 ? 16.0 / 64 : 0);
   }
   tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      /* sixteen texels at their places in the base level */
      double want[4] = { 0 };
      const double at[4] = { get(&src0, 0, l), get(&src0, 1, l) };
      for (unsigned i = 0; i < 16; i++) {
         const double c[4] = { at[0], at[1] + (i - 7.5) / 64 };
         double one[4];
         oracle_sample(t, &s, &op, c, 0, 0, one);
         for (unsigned v = 0; v < 4; v++)
            want[v] += one[v] / 16;
      }
      expect(&dst, l, want, at, 1e-3, "sixteen texels");
   }
   tex_destroy(t);
}

/* The four texels are those whose mean the linear filter gives half way, each by the
 * wrapping of its own index (GL 4.6, 8.14.2): at an edge one may be there twice.
 */
static void
test_gather(void **state)
{
   static const enum sgpu_wrap wraps[] = {
      SGPU_WRAP_REPEAT, SGPU_WRAP_MIRROR_REPEAT, SGPU_WRAP_CLAMP_TO_EDGE,
      SGPU_WRAP_CLAMP_TO_BORDER, SGPU_WRAP_MIRROR_CLAMP_TO_EDGE,
   };
   uint64_t rng = 9;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 12, 10);
   struct tex *t = tex_create(&p, &rng);
   for (unsigned k = 0; k < 200; k++) {
      struct sgd_sampler s = tex_sampler(wraps[k / 8 % 5], SGPU_FILTER_NEAREST);
      struct sgd_tex_op op = tex_op(SGPU_OP_TG4, SGPU_TEX_TARGET_2D);
      struct sgd_tex_op one = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_2D);
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
      int off[SGD_WARP][2];
      op.gather_comp = k % 4;
      op.reg_offset = k & 4;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned a = 0; a < 2; a++) {
            put(&src0, a, l, tex_rand_range(&rng, -2, 2));
            off[l][a] = op.reg_offset ? (int)(tex_rand(&rng) % 64) - 32 : 0;
            src1.c[2 + a][l] = (uint32_t)off[l][a];
         }
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      static const int order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned c = 0; c < 4; c++) {
            const double i = floor(get(&src0, 0, l) * 12 - 0.5) + order[c][0] + off[l][0];
            const double j = floor(get(&src0, 1, l) * 10 - 0.5) + order[c][1] + off[l][1];
            const double at[4] = { (i + 0.5) / 12, (j + 0.5) / 10 };
            double want[4];
            oracle_sample(t, &s, &one, at, 0, 0, want);
            assert_true(fabs(get(&dst, c, l) - want[op.gather_comp]) < 1e-5);
         }
      }
   }
   tex_destroy(t);
}

static void
test_texels(void **state)
{
   uint64_t rng = 10;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 12, 10);
   p.array = true;
   p.layers = 3;
   p.levels = 3;
   struct tex *t = tex_create(&p, &rng);
   const struct sgd_sampler s = tex_sampler(0, 0);
   for (unsigned k = 0; k < 60; k++) {
      struct sgd_tex_op op = tex_op(SGPU_OP_TXF, SGPU_TEX_TARGET_2D_ARRAY);
      struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
      op.offset[0] = k & 1 ? (int8_t)(tex_rand(&rng) % 16) - 8 : 0;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         src0.c[0][l] = tex_rand(&rng) % 16 - 2;
         src0.c[1][l] = tex_rand(&rng) % 14 - 2;
         src0.c[2][l] = tex_rand(&rng) % 5 - 1;
         src1.c[0][l] = tex_rand(&rng) % 5 - 1;
         if (tex_rand(&rng) % 20 == 0)
            src0.c[tex_rand(&rng) % 3][l] = tex_rand(&rng);
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const int64_t n = (int32_t)src1.c[0][l];
         const int64_t x = (int64_t)(int32_t)src0.c[0][l] + op.offset[0];
         const int64_t y = (int32_t)src0.c[1][l], z = (int32_t)src0.c[2][l];
         uint32_t want[4] = { 0 };
         if (n >= 0 && n < 3 && x >= 0 && x < 12 >> n && y >= 0 && y < 10 >> n && z >= 0 && z < 3)
            tex_texel(t, n, z, 0, x, y, want);
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(dst.c[c][l], want[c]);
      }
   }
   tex_destroy(t);
}

static void
test_buffers_and_samples(void **state)
{
   uint64_t rng = 11;
   const struct sgd_sampler s = tex_sampler(0, 0);
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_BUFFER, SGPU_FORMAT_R32G32B32_FLOAT, 77, 1);
   p.linear_layout = true;
   struct tex *t = tex_create(&p, &rng);
   struct sgd_tex_op op = tex_op(SGPU_OP_TXF, SGPU_TEX_TARGET_BUFFER);
   struct sgd_vec src0 = { { { 0 } } }, src1 = { { { 0 } } }, dst;
   for (unsigned l = 0; l < SGD_WARP; l++)
      src0.c[0][l] = l < 28 ? l * 3 : l == 28 ? 76 : l == 29 ? 77 : l == 30 ? ~0u : 0x80000000;
   tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t want[4] = { 0 };
      if (src0.c[0][l] < 77)
         tex_texel(t, 0, 0, 0, src0.c[0][l], 0, want);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(dst.c[c][l], want[c]);
   }
   op = tex_op(SGPU_OP_TXQ, SGPU_TEX_TARGET_BUFFER);
   tex_run(t, &s, &op, &src0, &src1, 1, &dst);
   assert_int_equal(dst.c[0][0], 77);
   tex_destroy(t);

   p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 9, 5);
   p.samples = 4;
   t = tex_create(&p, &rng);
   op = tex_op(SGPU_OP_TXF, SGPU_TEX_TARGET_2D_MS);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      src0.c[0][l] = tex_rand(&rng) % 10;
      src0.c[1][l] = tex_rand(&rng) % 6;
      src1.c[0][l] = tex_rand(&rng) % 5;
   }
   tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t want[4] = { 0 };
      if (src0.c[0][l] < 9 && src0.c[1][l] < 5 && src1.c[0][l] < 4)
         tex_texel(t, 0, 0, src1.c[0][l], src0.c[0][l], src0.c[1][l], want);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(dst.c[c][l], want[c]);
   }
   op = tex_op(SGPU_OP_TXQS, SGPU_TEX_TARGET_2D_MS);
   tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
   assert_int_equal(dst.c[0][7], 4);
   tex_destroy(t);
}

static void
test_sizes(void **state)
{
   uint64_t rng = 12;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_CUBE, SGPU_FORMAT_R8G8B8A8_UNORM, 16, 16);
   p.array = true;
   p.layers = 12;
   p.levels = 4;
   p.first_level = 1;
   struct tex *t = tex_create(&p, &rng);
   const struct sgd_sampler s = tex_sampler(0, 0);
   const struct sgd_tex_op op = tex_op(SGPU_OP_TXQ, SGPU_TEX_TARGET_CUBE_ARRAY);
   struct sgd_vec src0 = { { { 0 } } }, dst;
   for (unsigned l = 0; l < SGD_WARP; l++)
      src0.c[0][l] = l;
   tex_run(t, &s, &op, &src0, &src0, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      assert_int_equal(dst.c[0][l], l < 3 ? 8 >> l : 0);
      assert_int_equal(dst.c[1][l], l < 3 ? 8 >> l : 0);
      assert_int_equal(dst.c[2][l], l < 3 ? 2 : 0);
      assert_int_equal(dst.c[3][l], l < 3 ? 3 : 0);
   }
   tex_destroy(t);
}

/* Nothing bound, a texture of another kind, wild coordinates: defined results,
 * no access out of bounds (which the sanitizers of the debug build would see).
 */
static void
test_hostile(void **state)
{
   uint64_t rng = 13;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 12, 3);
   p.levels = 3;
   struct tex *t = tex_create(&p, &rng);
   for (unsigned k = 0; k < 3000; k++) {
      struct sgd_sampler s = tex_sampler(tex_rand(&rng) % 8, tex_rand(&rng) % 2);
      s.desc.wrap_t = tex_rand(&rng) % 8;
      s.desc.wrap_r = tex_rand(&rng) % 8;
      s.desc.mag_filter = tex_rand(&rng) % 2;
      s.desc.mip_filter = tex_rand(&rng) % 3;
      s.desc.unnormalized = tex_rand(&rng) % 2;
      s.desc.lod_bias = sgpu_bits2f(tex_rand(&rng));
      s.desc.min_lod = sgpu_bits2f(tex_rand(&rng));
      s.desc.max_lod = sgpu_bits2f(tex_rand(&rng));
      s.desc.compare_enable = tex_rand(&rng) % 2;
      s.desc.max_anisotropy = tex_rand(&rng) % 17;
      struct sgd_tex_op op = tex_op(SGPU_OP_TEX + tex_rand(&rng) % 9,
                                    tex_rand(&rng) % SGPU_NUM_TEX_TARGETS);
      op.shadow = tex_rand(&rng) % 2;
      op.reg_offset = tex_rand(&rng) % 2;
      op.mask = 1 + tex_rand(&rng) % 15;
      for (unsigned a = 0; a < 3; a++)
         op.offset[a] = (int8_t)(tex_rand(&rng) % 16) - 8;
      struct sgd_vec src0, src1, dst;
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            src0.c[c][l] = tex_rand(&rng);
            src1.c[c][l] = tex_rand(&rng);
         }
      }
      tex_run(t, &s, &op, &src0, &src1, tex_rand(&rng) | 1, &dst);
   }
   tex_destroy(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wraps),
      cmocka_unit_test(test_rect),
      cmocka_unit_test(test_mipmaps),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_plain_views),
      cmocka_unit_test(test_cubes),
      cmocka_unit_test(test_shadow),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_anisotropy),
      cmocka_unit_test(test_anisotropic_detail),
      cmocka_unit_test(test_gather),
      cmocka_unit_test(test_texels),
      cmocka_unit_test(test_buffers_and_samples),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_hostile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
