/* SPDX-License-Identifier: MIT */
/*
 * ROP: AVX2 version of the depth conversions in sgd_depth_format.h. Each function converts eight
 * depths.
 */
#ifndef SGD_DEPTH_CODEC_AVX2_H
#define SGD_DEPTH_CODEC_AVX2_H

#include <immintrin.h>
#include <stdbool.h>

#include "common/sgd_arch.h"
#include "util/macros.h"

/* Vector version of sgd_depth_unorm_float(). */
static ALWAYS_INLINE __m256i
sgd_v8_depth_unorm(__m256 z, unsigned bits)
{
   const __m256 one = _mm256_set1_ps(1.0f), half = _mm256_set1_ps(0.5f);
   const __m256 two31 = _mm256_set1_ps(0x1p31f);
   __m256 top = _mm256_setzero_ps(), large = _mm256_setzero_ps();

   /* max() returns its second operand if one operand is NaN or if both are zeros, so the result is
    * +0 in these cases.
    */
   z = _mm256_max_ps(z, _mm256_setzero_ps());
   if (bits < 32) {
      z = _mm256_min_ps(z, one);
   } else {
      top = _mm256_cmp_ps(z, one, _CMP_GE_OQ);
      z = _mm256_andnot_ps(top, z);
   }
   __m256 scaled = _mm256_mul_ps(z,
                                 _mm256_set1_ps(bits < 32 ? (float)(1u << (bits & 31)) : 0x1p32f));
   if (bits == 32) {
      large = _mm256_cmp_ps(scaled, two31, _CMP_GE_OQ);
      scaled = _mm256_sub_ps(scaled, _mm256_and_ps(large, two31));
   }
   const __m256i n = _mm256_cvttps_epi32(scaled);
   const __m256 f = _mm256_sub_ps(scaled, _mm256_cvtepi32_ps(n));
   const __m256 up = _mm256_cmp_ps(_mm256_sub_ps(f, half), z, _CMP_GE_OQ);
   const __m256 down = _mm256_cmp_ps(_mm256_sub_ps(z, half), f, _CMP_GT_OQ);
   __m256i stored = n;
   if (bits == 32)
      stored = _mm256_xor_si256(stored, _mm256_slli_epi32(_mm256_castps_si256(large), 31));
   stored = _mm256_add_epi32(_mm256_sub_epi32(stored, _mm256_castps_si256(up)),
                             _mm256_castps_si256(down));
   return bits == 32 ? _mm256_or_si256(stored, _mm256_castps_si256(top)) : stored;
}

/* Vector version of sgd_depth_unorm_float() for depths of at least 1/2 and 24 or 32 bits. The
 * result lacks its highest bit, 2^(bits - 1), which the caller must add.
 *
 * z * 2^bits is an integer, so the stored depth is z * 2^bits, minus one if z > 1/2. The bits below
 * the highest one are in the mantissa. For 1.0, the difference is 2^(bits - 1), and subtracting one
 * sets all of them.
 */
static ALWAYS_INLINE __m256i
sgd_v8_depth_upper(__m256 z, unsigned bits)
{
   const __m256 half = _mm256_set1_ps(0.5f);
   z = _mm256_min_ps(z, _mm256_set1_ps(1.0f));
   const __m256i down = _mm256_castps_si256(_mm256_cmp_ps(z, half, _CMP_GT_OQ));
   const __m256i above = _mm256_sub_epi32(_mm256_castps_si256(z), _mm256_castps_si256(half));
   return _mm256_add_epi32(_mm256_slli_epi32(above, bits - 24), down);
}

/* Returns true if all depths are at least 1/2 and none is NaN. */
static ALWAYS_INLINE bool
sgd_v8_depths_upper(const float z[SGD_WARP])
{
   const __m256 half = _mm256_set1_ps(0.5f);
   const __m256 a = _mm256_cmp_ps(_mm256_loadu_ps(z), half, _CMP_GE_OQ);
   const __m256 b = _mm256_cmp_ps(_mm256_loadu_ps(z + 8), half, _CMP_GE_OQ);
   const __m256 c = _mm256_cmp_ps(_mm256_loadu_ps(z + 16), half, _CMP_GE_OQ);
   const __m256 d = _mm256_cmp_ps(_mm256_loadu_ps(z + 24), half, _CMP_GE_OQ);
   return _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(a, b), _mm256_and_ps(c, d))) == 0xff;
}

/* Vector version of sgd_depth_float(). */
static ALWAYS_INLINE __m256i
sgd_v8_depth_float(__m256 z)
{
   const __m256i exponent = _mm256_set1_epi32(0x7f800000);
   z = _mm256_max_ps(z, _mm256_setzero_ps());
   const __m256i bits = _mm256_castps_si256(_mm256_min_ps(z, _mm256_set1_ps(1.0f)));
   const __m256i tiny = _mm256_cmpeq_epi32(_mm256_and_si256(bits, exponent),
                                           _mm256_setzero_si256());
   return _mm256_andnot_si256(tiny, bits);
}

#endif
