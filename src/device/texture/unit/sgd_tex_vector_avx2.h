/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: vectors of SGD_TN 32-bit lanes, which are 8 with AVX2 and 16 with AVX-512. The
 * functions do the same on each 128-bit block of both.
 */
#ifndef SGD_TEX_VECTOR_AVX2_H
#define SGD_TEX_VECTOR_AVX2_H

#include <immintrin.h>

#include "texture/unit/sgd_tex_bytes.h"

#if defined(__AVX512BW__) && defined(__AVX512DQ__)

#define SGD_TN 16
typedef __m512i sgd_tn_int;
typedef __m512 sgd_tn_float;
#define SGD_TN_INT(op) _mm512_##op
#define SGD_TN_BITS(op) _mm512_##op##_si512
#define SGD_TN_FLOATS(v) _mm512_castsi512_ps(v)
#define SGD_TN_INTS(v) _mm512_castps_si512(v)
#define SGD_TN_BLOCKS(v) _mm512_broadcast_i32x4(v)

static ALWAYS_INLINE sgd_tn_float
sgd_tn_floor(sgd_tn_float v)
{
   return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/* Looks up one of eight words by the low three bits of each index. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_look_up(__m256i table, sgd_tn_int index)
{
   return _mm512_permutexvar_epi32(index, _mm512_broadcast_i32x8(table));
}

/* Returns 0 where a and b are equal, and v elsewhere. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_unless_equal(sgd_tn_int a, sgd_tn_int b, sgd_tn_int v)
{
   return _mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(a, b), v);
}

/* Returns a where f is 0, and b elsewhere. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_if_zero(sgd_tn_int f, sgd_tn_int a, sgd_tn_int b)
{
   return _mm512_mask_mov_epi32(a, _mm512_test_epi32_mask(f, f), b);
}

/* Returns v where a < b, and 0 elsewhere. */
static ALWAYS_INLINE sgd_tn_float
sgd_tn_if_less(sgd_tn_float a, sgd_tn_float b, sgd_tn_float v)
{
   return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), v);
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_gather(const uint8_t *base, sgd_tn_int offset)
{
   return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, offset, base, 1);
}

/* Stores the lanes of v that are in the low bits of `lanes`. */
static ALWAYS_INLINE void
sgd_tn_store_lanes(float *to, sgd_tn_float v, uint32_t lanes)
{
   _mm512_mask_storeu_ps(to, (__mmask16)lanes, v);
}

#else

#define SGD_TN 8
typedef __m256i sgd_tn_int;
typedef __m256 sgd_tn_float;
#define SGD_TN_INT(op) _mm256_##op
#define SGD_TN_BITS(op) _mm256_##op##_si256
#define SGD_TN_FLOATS(v) _mm256_castsi256_ps(v)
#define SGD_TN_INTS(v) _mm256_castps_si256(v)
#define SGD_TN_BLOCKS(v) _mm256_broadcastsi128_si256(v)

static ALWAYS_INLINE sgd_tn_float
sgd_tn_floor(sgd_tn_float v)
{
   return _mm256_floor_ps(v);
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_look_up(__m256i table, sgd_tn_int index)
{
   return _mm256_permutevar8x32_epi32(table, index);
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_unless_equal(sgd_tn_int a, sgd_tn_int b, sgd_tn_int v)
{
   return _mm256_andnot_si256(_mm256_cmpeq_epi32(a, b), v);
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_if_zero(sgd_tn_int f, sgd_tn_int a, sgd_tn_int b)
{
   return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi32(f, _mm256_setzero_si256()));
}

static ALWAYS_INLINE sgd_tn_float
sgd_tn_if_less(sgd_tn_float a, sgd_tn_float b, sgd_tn_float v)
{
   return _mm256_and_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ), v);
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_gather(const uint8_t *base, sgd_tn_int offset)
{
   const __m256i none = _mm256_setzero_si256();
   return _mm256_mask_i32gather_epi32(none, (const int *)base, offset,
                                      _mm256_cmpeq_epi32(none, none), 1);
}

static ALWAYS_INLINE void
sgd_tn_store_lanes(float *to, sgd_tn_float v, uint32_t lanes)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32((int32_t)lanes), bit);
   const __m256 mask = _mm256_castsi256_ps(_mm256_cmpeq_epi32(on, bit));
   _mm256_storeu_ps(to, _mm256_blendv_ps(_mm256_loadu_ps(to), v, mask));
}

#endif

/* Mask of the lanes of a vector. */
#define SGD_TN_ALL ((1u << SGD_TN) - 1)

static ALWAYS_INLINE sgd_tn_int
sgd_tn_set(int32_t v)
{
   return SGD_TN_INT(set1_epi32)(v);
}

/* Returns a constant of sgd_tex_taps_words. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_word(unsigned n)
{
   return sgd_tn_set((int32_t)sgd_tex_taps_words[n]);
}

/* Looks up one of four words by the low two bits of each index. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_pick(__m128i table, sgd_tn_int index)
{
   return SGD_TN_INTS(SGD_TN_INT(permutevar_ps)(SGD_TN_FLOATS(SGD_TN_BLOCKS(table)), index));
}

#endif
