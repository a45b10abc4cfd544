/* SPDX-License-Identifier: MIT */
/*
 * Single texels: gathers, fetches, buffers and samples, queries of textures, and accesses out of
 * bounds.
 */
#include <math.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"

/* Half way between four texels, the linear filter gives their mean. Each index wraps separately (GL
 * 4.6, 8.14.2): at an edge, two of them may be the same texel.
 */
static void
test_gather(void **state)
{
   static const enum sgpu_wrap wraps[] = {
      SGPU_WRAP_REPEAT,          SGPU_WRAP_MIRROR_REPEAT,        SGPU_WRAP_CLAMP_TO_EDGE,
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
            tex_put(&src0, a, l, tex_rand_range(&rng, -2, 2));
            off[l][a] = op.reg_offset ? (int)(tex_rand(&rng) % 64) - 32 : 0;
            src1.c[2 + a][l] = (uint32_t)off[l][a];
         }
      }
      tex_run(t, &s, &op, &src0, &src1, ~0u, &dst);
      static const int order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned c = 0; c < 4; c++) {
            const double u = nearbyint(tex_get(&src0, 0, l) * 12 * 256) / 256;
            const double v = nearbyint(tex_get(&src0, 1, l) * 10 * 256) / 256;
            const double i = floor(u - 0.5) + order[c][0] + off[l][0];
            const double j = floor(v - 0.5) + order[c][1] + off[l][1];
            const double at[4] = { (i + 0.5) / 12, (j + 0.5) / 10 };
            double want[4];
            oracle_sample(t, &s, &one, at, 0, 0, want);
            assert_true(fabs(tex_get(&dst, c, l) - want[op.gather_comp]) < 1e-5);
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

/* No texture, a texture of another type, any coordinates: results are defined, and no access is out
 * of bounds, which the sanitizers of the debug build check.
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
      cmocka_unit_test(test_gather),
      cmocka_unit_test(test_texels),
      cmocka_unit_test(test_buffers_and_samples),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_hostile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
