/* SPDX-License-Identifier: MIT */
/*
 * Levels of detail that are computed from pixels or gradients, and anisotropic filters.
 */
#include <math.h>

#include "../../unit.h"
#include "texture.h"

/* Levels of detail from the derivatives in a quad: LODQ, and TEX and TXB, whose result depends on
 * the level.
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
            for (unsigned a = 0; a < sgpu_tex_target_infos[tex.target].coords; a++) {
               const double at = tex_rand_range(&rng, -1, 1);
               const double dx = tex_rand_range(&rng, -step, step);
               const double dy = tex_rand_range(&rng, -step, step);
               const double bend = tex_rand_range(&rng, -step, step) * 0.2;
               for (unsigned l = 0; l < 4; l++)
                  c[4 * q + l][a] = (float)(at + (l & 1) * dx + (l >> 1) * dy + (l == 3) * bend);
            }
            for (unsigned l = 0; l < 4; l++) {
               for (unsigned a = 0; a < 4; a++)
                  tex_put(&src0, a, 4 * q + l, c[4 * q + l][a]);
               tex_put(&src1, 0, 4 * q + l, 0.5 * l);
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
            assert_true(fabs(tex_get(&dst, 1, l) - lod) < 2e-3);
            assert_true(fabs(tex_get(&dst, 0, l) - fmax(0, fmin(6, lod))) < 2e-3);
            /* use the device's level, so that only the filter is compared */
            if (oracle_sample(t, &s, &tex, c[l], 0, tex_get(&dst, 1, l), want))
               tex_expect(&colour, l, want, c[l], 1e-3, "TEX");
            if (oracle_sample(t, &s, &tex, c[l], 0, tex_get(&dst, 1, l) + 0.5 * (l & 3), want))
               tex_expect(&biased, l, want, c[l], 1e-3, "TXB");
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
            tex_put(&src0, a, l, tex_rand_range(&rng, -1, 1));
         const double step = exp2(tex_rand_range(&rng, -8, 0));
         for (unsigned a = 0; a < 4; a++)
            tex_put(&src1, a, l, tex_rand_range(&rng, -step, step));
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         double want[4];
         const double c0[4] = { tex_get(&src0, 0, l), tex_get(&src0, 1, l) };
         const double c1[4] = { c0[0] + tex_get(&src1, 0, l), c0[1] + tex_get(&src1, 1, l) };
         const double c2[4] = { c0[0] + tex_get(&src1, 2, l), c0[1] + tex_get(&src1, 3, l) };
         if (oracle_sample(t, &s, &op, c0, 0, oracle_lod(t, &s, &op, c0, c1, c2), want))
            tex_expect(&dst, l, want, c0, 3e-3, "TXD");
      }
   }
   tex_destroy(t);
}

/* Returns the number of probes of a pixel, from the angle of the longer axis of its ellipse. */
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
            tex_put(&src1, a, l, rotated[0] * dx[0] + rotated[1] * dx[1]);
            tex_put(&src1, 2 + a, l, rotated[0] * dy[0] + rotated[1] * dy[1]);
            tex_put(&src0, a, l, tex_rand_range(&rng, -1, 1));
            /* A quad whose rows have different steps */
            if (!first)
               tex_put(&src0, a, l,
                       tex_get(&src0, a, l & ~3u) + tex_get(&src1, a, l & ~3u) * (l & 1) * bend +
                          tex_get(&src1, 2 + a, l & ~3u) * (l >> 1 & 1));
         }
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         double dx[2], dy[2], axis[2], lod, want[4] = { 0 };
         const double at[4] = { tex_get(&src0, 0, l), tex_get(&src0, 1, l) };
         bool sure;
         for (unsigned a = 0; a < 2; a++) {
            const double size = a ? 32 : 64;
            dx[a] = quads ? tex_get(&src0, a, l | 1) - tex_get(&src0, a, l & ~1u)
                          : tex_get(&src1, a, l);
            dy[a] = quads ? tex_get(&src0, a, l | 2) - tex_get(&src0, a, l & ~2u)
                          : tex_get(&src1, 2 + a, l);
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
            sure &= oracle_sample(t, &s, &op, c, 0, lod, one);
            for (unsigned v = 0; v < 4; v++)
               want[v] += one[v] / n;
         }
         if (!sure)
            continue;
         tex_expect(&dst, l, want, at, 3e-3, "anisotropic");
         compared++;
         counts[n]++;
      }
   }
   assert_true(compared > 4000);
   for (unsigned n = 1; n <= 16; n++)
      assert_true(counts[n] > 5);
   tex_destroy(t);
}

/* Anisotropic filtering: a pixel that is one texel wide and sixteen texels long is the mean of
 * sixteen texels of the base level.
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
      tex_put(&src0, 0, l, tex_rand_range(&rng, 0, 1));
      tex_put(&src0, 1, l, tex_rand_range(&rng, 0, 1));
      tex_put(&src1, 0, l, l & 1 ? 1.0 / 64 : 0);
      tex_put(&src1, 1, l, l & 1 ? 0 : 16.0 / 64);
      tex_put(&src1, 2, l, l & 1 ? 0 : 1.0 / 64);
      tex_put(&src1, 3, l, l & 1 ? 16.0 / 64 : 0);
   }
   tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      /* mean of sixteen samples of the base level */
      double want[4] = { 0 };
      bool sure = true;
      const double at[4] = { tex_get(&src0, 0, l), tex_get(&src0, 1, l) };
      for (unsigned i = 0; i < 16; i++) {
         const double c[4] = { at[0], at[1] + (i - 7.5) / 64 };
         double one[4];
         sure &= oracle_sample(t, &s, &op, c, 0, 0, one);
         for (unsigned v = 0; v < 4; v++)
            want[v] += one[v] / 16;
      }
      if (sure)
         tex_expect(&dst, l, want, at, 1e-3, "sixteen texels");
   }
   tex_destroy(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_anisotropy),
      cmocka_unit_test(test_anisotropic_detail),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
