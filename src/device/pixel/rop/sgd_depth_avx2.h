/* SPDX-License-Identifier: MIT */
/*
 * ROP: AVX2 version of the depth test in sgd_zs.c. It processes eight lanes at a time and keeps
 * them in registers between load and store. Its results are bit-identical to those of the loops in
 * sgd_zs.c.
 */
#ifndef SGD_DEPTH_AVX2_H
#define SGD_DEPTH_AVX2_H

#include <immintrin.h>

#include "pixel/rop/sgd_depth_codec_avx2.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "common/sgd_rop_state.h"
#include "sgpu_fp.h"
#include "util/macros.h"

/* Vector masks (all ones or all zeros) of the comparison results for which the depth test passes.
 */
struct sgd_v8_func {
   __m256i less, equal, greater, unordered;
};

static ALWAYS_INLINE __m256i
sgd_v8_all(bool yes)
{
   return _mm256_set1_epi32(yes ? -1 : 0);
}

static inline struct sgd_v8_func
sgd_v8_func(enum sgpu_compare func)
{
   const bool always = func == SGPU_COMPARE_ALWAYS, not_equal = func == SGPU_COMPARE_NOTEQUAL;
   const bool less = func == SGPU_COMPARE_LESS || func == SGPU_COMPARE_LEQUAL;
   const bool greater = func == SGPU_COMPARE_GREATER || func == SGPU_COMPARE_GEQUAL;
   const bool equal = func == SGPU_COMPARE_EQUAL || func == SGPU_COMPARE_LEQUAL ||
                      func == SGPU_COMPARE_GEQUAL;

   return (struct sgd_v8_func){
      .less = sgd_v8_all(always || not_equal || less),
      .equal = sgd_v8_all(always || equal),
      .greater = sgd_v8_all(always || not_equal || greater),
      .unordered = sgd_v8_all(always || not_equal),
   };
}

/* Returns true if sgd_v8_compare() returns the lanes that fail, because AVX2 has no integer
 * comparison for LEQUAL.
 */
static ALWAYS_INLINE bool
sgd_v8_gives_fails(enum sgd_zs_path path, enum sgpu_compare func)
{
   return path != SGD_ZS_Z32F && func == SGPU_COMPARE_LEQUAL;
}

/* Returns the lanes in which "a func b" is true, or in which it is false if sgd_v8_gives_fails()
 * returns true. `func` must be a compile-time constant. Comparisons without specialized code pass
 * SGPU_COMPARE_NEVER, and describe the comparison in `any`. 32-bit integers must have their sign
 * bit inverted, since the vector comparison is signed.
 */
static ALWAYS_INLINE __m256i
sgd_v8_compare(__m256i a, __m256i b, enum sgd_zs_path path, enum sgpu_compare func,
               const struct sgd_v8_func *any)
{
   const bool floats = path == SGD_ZS_Z32F;
   /* Subnormal floats are treated as zeros by the comparison (see sgpu_fp_enter()). */
   const __m256 x = _mm256_castsi256_ps(a), y = _mm256_castsi256_ps(b);

   switch (func) {
   case SGPU_COMPARE_ALWAYS:
      return sgd_v8_all(true);
   case SGPU_COMPARE_LESS:
      return floats ? _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_LT_OQ))
                    : _mm256_cmpgt_epi32(b, a);
   case SGPU_COMPARE_LEQUAL:
      return floats ? _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_LE_OQ))
                    : _mm256_cmpgt_epi32(a, b);
   default:
      break;
   }
   __m256i less, equal, greater, unordered = _mm256_setzero_si256();
   if (floats) {
      less = _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_LT_OQ));
      equal = _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_EQ_OQ));
      greater = _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_GT_OQ));
      unordered = _mm256_and_si256(_mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_UNORD_Q)),
                                   any->unordered);
   } else {
      less = _mm256_cmpgt_epi32(b, a);
      equal = _mm256_cmpeq_epi32(a, b);
      greater = _mm256_cmpgt_epi32(a, b);
   }
   less = _mm256_and_si256(less, any->less);
   equal = _mm256_and_si256(equal, any->equal);
   greater = _mm256_and_si256(greater, any->greater);
   return _mm256_or_si256(_mm256_or_si256(less, equal), _mm256_or_si256(greater, unordered));
}

/* Loads the elements of the quads at q[0] and q[1] as 32-bit words. */
static ALWAYS_INLINE __m256i
sgd_v8_elements(uint8_t *const q[2], unsigned bytes)
{
   if (bytes == 2) {
      const __m128i low = _mm_loadl_epi64((const __m128i *)q[0]);
      const __m128i high = _mm_loadl_epi64((const __m128i *)q[1]);
      return _mm256_cvtepu16_epi32(_mm_unpacklo_epi64(low, high));
   }
   return _mm256_loadu2_m128i((const __m128i *)q[1], (const __m128i *)q[0]);
}

static ALWAYS_INLINE __m256i
sgd_v8_run_elements(const uint8_t *run, unsigned bytes)
{
   if (bytes == 2)
      return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)run));
   return _mm256_loadu_si256((const __m256i *)run);
}

/* Stores the words of sixteen lanes, of which lane l is the first. */
static ALWAYS_INLINE void
sgd_v8_store_elements(uint8_t *run, const struct sgd_quad_memory *m, unsigned l, unsigned bytes,
                      bool block, __m256i low, __m256i high)
{
   uint8_t *const *q = &m->quad[l / 4];

   if (bytes == 4 && block) {
      _mm256_storeu_si256((__m256i *)(run + 4 * l), low);
      _mm256_storeu_si256((__m256i *)(run + 4 * l + 32), high);
   } else if (bytes == 4) {
      _mm256_storeu2_m128i((__m128i *)q[1], (__m128i *)q[0], low);
      _mm256_storeu2_m128i((__m128i *)q[3], (__m128i *)q[2], high);
   } else {
      const __m256i half = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
      if (block) {
         _mm256_storeu_si256((__m256i *)(run + 2 * l), half);
      } else {
         const __m128i last = _mm256_extracti128_si256(half, 1);
         _mm_storel_epi64((__m128i *)q[0], _mm256_castsi256_si128(half));
         _mm_storeh_pd((double *)q[1], _mm256_castpd256_pd128(_mm256_castsi256_pd(half)));
         _mm_storel_epi64((__m128i *)q[2], last);
         _mm_storeh_pd((double *)q[3], _mm_castsi128_pd(last));
      }
   }
}

/* Depth words of eight lanes before (old) and after the test (in). `pass` is a mask of the lanes
 * that pass, or that fail if sgd_v8_gives_fails() returns true.
 */
struct sgd_v8_depths {
   __m256i old, in, pass;
};

static ALWAYS_INLINE struct sgd_v8_depths
sgd_v8_depth_lanes(__m256i old, __m256 z, uint32_t lanes, enum sgd_zs_path path,
                   enum sgpu_compare func, const struct sgd_v8_func *any, bool whole, bool upper)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i depth = _mm256_set1_epi32(0xffffff), sign = _mm256_set1_epi32(INT32_MIN);
   __m256i in, pass;

   switch (path) {
   case SGD_ZS_Z24:
      in = upper ? _mm256_add_epi32(sgd_v8_depth_upper(z, 24), _mm256_set1_epi32(1 << 23))
                 : sgd_v8_depth_unorm(z, 24);
      pass = sgd_v8_compare(in, _mm256_and_si256(old, depth), path, func, any);
      in = _mm256_or_si256(in, _mm256_andnot_si256(depth, old));
      break;
   case SGD_ZS_Z16:
      in = sgd_v8_depth_unorm(z, 16);
      pass = sgd_v8_compare(in, old, path, func, any);
      break;
   case SGD_ZS_Z32:
      in = upper ? sgd_v8_depth_upper(z, 32) : _mm256_xor_si256(sgd_v8_depth_unorm(z, 32), sign);
      pass = sgd_v8_compare(in, _mm256_xor_si256(old, sign), path, func, any);
      in = _mm256_xor_si256(in, sign);
      break;
   default:
      in = sgd_v8_depth_float(z);
      pass = sgd_v8_compare(in, old, path, func, any);
      break;
   }
   if (!whole) {
      const __m256i on = _mm256_and_si256(_mm256_set1_epi32(lanes), bit);
      const __m256i covered = _mm256_cmpeq_epi32(on, bit);
      pass = sgd_v8_gives_fails(path, func) ? _mm256_andnot_si256(pass, covered)
                                            : _mm256_and_si256(pass, covered);
   }
   return (struct sgd_v8_depths){ old, in, pass };
}

/* Runs the depth test for a group of quads and stores the passing depths. `whole` is set if all
 * lanes are covered, `upper` if all depths are at least 1/2, and `four` if only the first four
 * quads have lanes.
 */
static ALWAYS_INLINE uint32_t
sgd_v8_depth_group(const struct sgd_state *st, const struct sgd_quads *quads,
                   const float z[SGD_WARP], uint32_t lanes, enum sgd_zs_path path,
                   enum sgpu_compare func, bool block, bool whole, bool upper, bool four)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const unsigned bytes = path == SGD_ZS_Z16 ? 2 : 4;
   const bool fails = whole && sgd_v8_gives_fails(path, func);
   struct sgd_v8_func any = { 0 };
   struct sgd_quad_memory m;
   uint8_t *run = NULL;
   uint32_t passed = 0;

   if (block)
      run = sgd_block_memory(&st->zs, quads, bytes);
   else
      sgd_v8_place_first(&m, &st->zs, quads, lanes, bytes, four ? 4 : SGD_QUADS);
   if (func == SGPU_COMPARE_NEVER)
      any = sgd_v8_func(p->func);
   /* Use separate variables instead of an array, so that they stay in registers. */
   struct sgd_v8_depths d0, d1, d2, d3;
#define TEST(i)                                                                                  \
   d##i = sgd_v8_depth_lanes(block ? sgd_v8_run_elements(run + 8 * (i)*bytes, bytes)             \
                                   : sgd_v8_elements(&m.quad[2 * (i)], bytes),                   \
                             _mm256_loadu_ps(z + 8 * (i)), lanes >> (8 * (i)), path, func, &any, \
                             whole, upper);                                                      \
   passed |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(d##i.pass)) << (8 * (i));
   TEST(0)
   TEST(1)
   if (four) {
      d2 = d3 = d1;
   } else {
      TEST(2)
      TEST(3)
   }
#undef TEST
   if (fails)
      passed = ~passed;
   if (!p->write || !passed)
      return passed;
   /* Keep the old depths of failing lanes. Most warps skip this, because all of their lanes pass.
    */
   if (!whole || passed != ~0u) {
#define KEEP(d) \
   d.in = fails ? _mm256_blendv_epi8(d.in, d.old, d.pass) : _mm256_blendv_epi8(d.old, d.in, d.pass);
      KEEP(d0)
      KEEP(d1)
      KEEP(d2)
      KEEP(d3)
#undef KEEP
   }
   sgd_v8_store_elements(run, &m, 0, bytes, block, d0.in, d1.in);
   if (!four)
      sgd_v8_store_elements(run, &m, 16, bytes, block, d2.in, d3.in);
   return passed;
}

/* Calls the depth test with a constant comparison if the comparison is a common one. */
static ALWAYS_INLINE uint32_t
sgd_v8_depth_func(const struct sgd_state *st, const struct sgd_quads *quads, const float *z,
                  uint32_t lanes, enum sgd_zs_path path, bool block, bool whole, bool upper,
                  bool four)
{
#define DEPTH_FUNC(f)                                                                             \
   case SGPU_COMPARE_##f:                                                                         \
      return sgd_v8_depth_group(st, quads, z, lanes, path, SGPU_COMPARE_##f, block, whole, upper, \
                                four);
   switch ((enum sgpu_compare)st->plan.rop.zs.func) {
      DEPTH_FUNC(LESS)
      DEPTH_FUNC(LEQUAL)
      DEPTH_FUNC(ALWAYS)
   case SGPU_COMPARE_NEVER:
      return 0;
   default:
      return sgd_v8_depth_group(st, quads, z, lanes, path, SGPU_COMPARE_NEVER, block, whole, upper,
                                four);
   }
#undef DEPTH_FUNC
}

/* Calls the depth test with a faster conversion if all depths of the group are at least 1/2, which
 * is the most frequent case.
 */
static ALWAYS_INLINE uint32_t
sgd_v8_depth_range(const struct sgd_state *st, const struct sgd_quads *quads, const float *z,
                   uint32_t lanes, enum sgd_zs_path path, bool block, bool whole, bool four)
{
   if ((path == SGD_ZS_Z24 || path == SGD_ZS_Z32) && sgd_v8_depths_upper(z))
      return sgd_v8_depth_func(st, quads, z, lanes, path, block, whole, true, four);
   return sgd_v8_depth_func(st, quads, z, lanes, path, block, whole, false, four);
}

/* Quads that aren't a block have a separate function per path, because the compiler must keep their
 * addresses in memory. Quads are filled in order, and small triangles often fill only the first
 * four.
 */
#define SGD_V8_QUADS(name, path)                                                           \
   static __attribute__((noinline)) uint32_t name(const struct sgd_state *st,              \
                                                  const struct sgd_quads *quads,           \
                                                  const float z[SGD_WARP], uint32_t lanes) \
   {                                                                                       \
      if (lanes <= 0xffff)                                                                 \
         return sgd_v8_depth_range(st, quads, z, lanes, path, false, false, true);         \
      return sgd_v8_depth_range(st, quads, z, lanes, path, false, false, false);           \
   }
SGD_V8_QUADS(sgd_v8_quads_z24, SGD_ZS_Z24)
SGD_V8_QUADS(sgd_v8_quads_z16, SGD_ZS_Z16)
SGD_V8_QUADS(sgd_v8_quads_z32, SGD_ZS_Z32)
SGD_V8_QUADS(sgd_v8_quads_z32f, SGD_ZS_Z32F)
#undef SGD_V8_QUADS

static ALWAYS_INLINE uint32_t
sgd_depth_group(const struct sgd_state *st, const struct sgd_quads *quads, enum sgd_zs_path path,
                const float z[SGD_WARP], uint32_t lanes)
{
   if (!quads->block)
      return path == SGD_ZS_Z24   ? sgd_v8_quads_z24(st, quads, z, lanes)
             : path == SGD_ZS_Z16 ? sgd_v8_quads_z16(st, quads, z, lanes)
             : path == SGD_ZS_Z32 ? sgd_v8_quads_z32(st, quads, z, lanes)
                                  : sgd_v8_quads_z32f(st, quads, z, lanes);
   if (lanes != ~0u)
      return sgd_v8_depth_range(st, quads, z, lanes, path, true, false, false);
   return sgd_v8_depth_range(st, quads, z, lanes, path, true, true, false);
}

#endif
