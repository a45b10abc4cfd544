/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: AVX2 version of zcull. Results are identical to those of the loops in sgd_zcull.c.
 */
#ifndef SGD_ZCULL_AVX2_H
#define SGD_ZCULL_AVX2_H

#include <immintrin.h>

#include "pixel/raster/sgd_zcull.h"
#include "pixel/rop/sgd_depth_codec_avx2.h"
#include "util/macros.h"

/* Depth formats with specialized code for computing bounds. */
enum sgd_v8_bounds {
   SGD_V8_BOUNDS_NONE,
   SGD_V8_BOUNDS_16,
   SGD_V8_BOUNDS_24, /* depth in the low 24 bits of each word */
   SGD_V8_BOUNDS_32,
   SGD_V8_BOUNDS_FLOAT,
};

static inline enum sgd_v8_bounds
sgd_v8_bounds_of(const struct sgd_zs_format *f)
{
   if (f->bytes == 2)
      return SGD_V8_BOUNDS_16;
   if (f->bytes != 4 || f->depth_shift != 0)
      return SGD_V8_BOUNDS_NONE;
   return f->is_float           ? SGD_V8_BOUNDS_FLOAT
          : f->depth_bits == 32 ? SGD_V8_BOUNDS_32
                                : SGD_V8_BOUNDS_24;
}

/* Updates the per-element bounds with 32 bytes of depth elements. 16-bit elements are processed as
 * two per 32-bit word.
 */
static ALWAYS_INLINE void
sgd_v8_bound(enum sgd_v8_bounds kind, const uint8_t *p, __m256i *low, __m256i *high)
{
   const __m256i zero = _mm256_setzero_si256();
   __m256i e = _mm256_loadu_si256((const __m256i *)p);

   if (kind == SGD_V8_BOUNDS_16) {
      *low = _mm256_min_epu16(*low, e);
      *high = _mm256_max_epu16(*high, e);
      return;
   }
   if (kind == SGD_V8_BOUNDS_24) {
      e = _mm256_and_si256(e, _mm256_set1_epi32(0xffffff));
   } else if (kind == SGD_V8_BOUNDS_FLOAT) {
      const __m256i exponent = _mm256_and_si256(e, _mm256_set1_epi32(0x7f800000));
      e = _mm256_andnot_si256(_mm256_cmpeq_epi32(exponent, zero), e);
      e = _mm256_xor_si256(e,
                           _mm256_or_si256(_mm256_srai_epi32(e, 31), _mm256_set1_epi32(INT32_MIN)));
   }
   *low = _mm256_min_epu32(*low, e);
   *high = _mm256_max_epu32(*high, e);
}

/* Computes the bounds of the depth keys (sgd_depth_key()) in `across` by `down` micro tiles,
 * starting at p. `pitch` is the distance between rows of micro tiles in bytes.
 */
static ALWAYS_INLINE void
sgd_v8_bounds(enum sgd_v8_bounds kind, const uint8_t *p, size_t pitch, unsigned across,
              unsigned down, uint32_t *least, uint32_t *greatest)
{
   const __m256i zero = _mm256_setzero_si256();
   const unsigned size = SGD_WARP * (kind == SGD_V8_BOUNDS_16 ? 2 : 4);
   __m256i low = _mm256_set1_epi32(-1), high = zero;

   for (unsigned j = 0; j < down; j++, p += pitch) {
      for (unsigned i = 0; i < across; i++) {
         const uint8_t *tile = p + i * size;
#pragma GCC unroll 4
         for (unsigned at = 0; at < size; at += sizeof(low))
            sgd_v8_bound(kind, tile + at, &low, &high);
      }
   }
   __m128i l, h;
   if (kind == SGD_V8_BOUNDS_16) {
      /* Combine both halves of each word into one 32-bit element. */
      low = _mm256_min_epu32(_mm256_blend_epi16(low, zero, 0xaa), _mm256_srli_epi32(low, 16));
      high = _mm256_max_epu32(_mm256_blend_epi16(high, zero, 0xaa), _mm256_srli_epi32(high, 16));
   }
   l = _mm_min_epu32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
   h = _mm_max_epu32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
   l = _mm_min_epu32(l, _mm_shuffle_epi32(l, _MM_SHUFFLE(1, 0, 3, 2)));
   h = _mm_max_epu32(h, _mm_shuffle_epi32(h, _MM_SHUFFLE(1, 0, 3, 2)));
   l = _mm_min_epu32(l, _mm_shuffle_epi32(l, _MM_SHUFFLE(2, 3, 0, 1)));
   h = _mm_max_epu32(h, _mm_shuffle_epi32(h, _MM_SHUFFLE(2, 3, 0, 1)));
   *least = _mm_cvtsi128_si32(l);
   *greatest = _mm_cvtsi128_si32(h);
}

/* Compares each byte of p[0..15] with `least`. Bit i of the result is set if p[i] >= least. */
static ALWAYS_INLINE uint32_t
sgd_v16_least(const uint8_t *p, uint8_t least)
{
   const __m128i v = _mm_loadu_si128((const __m128i *)p);

   return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8((char)least)), v));
}

/* Vector version of sgd_zcull_key(). */
static ALWAYS_INLINE __m256i
sgd_v8_zcull_key(const struct sgd_zs_format *f, __m256 z)
{
   if (f->is_float)
      return _mm256_xor_si256(sgd_v8_depth_float(z), _mm256_set1_epi32(INT32_MIN));
   return f->depth_bits == 24   ? sgd_v8_depth_unorm(z, 24)
          : f->depth_bits == 32 ? sgd_v8_depth_unorm(z, 32)
                                : sgd_v8_depth_unorm(z, 16);
}

/* Evaluates sgd_zcull_fails() for the 16x16 blocks in rows `row` and `row` + 1 of the tile. Bit k
 * of the result is block 4 * row + k. x0, y0, x1, y1 is the primitive's bounding box in the tile.
 * Bits of blocks outside the box are undefined.
 */
static ALWAYS_INLINE uint32_t
sgd_v8_zcull_fails(const struct sgd_raster *r, const struct sgd_prim *prim, unsigned row,
                   unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
   const __m256i first_x = _mm256_setr_epi32(0, 16, 32, 48, 0, 16, 32, 48);
   const __m256i first_y = _mm256_add_epi32(_mm256_set1_epi32(row * SGD_META_BLOCK),
                                            _mm256_setr_epi32(0, 0, 0, 0, 16, 16, 16, 16));
   const __m256i last = _mm256_set1_epi32(SGD_META_BLOCK - 1);
   const __m256i x = prim->z.dx > 0.0f
                        ? _mm256_max_epi32(first_x, _mm256_set1_epi32(x0))
                        : _mm256_min_epi32(_mm256_add_epi32(first_x, last), _mm256_set1_epi32(x1));
   const __m256i y = prim->z.dy > 0.0f
                        ? _mm256_max_epi32(first_y, _mm256_set1_epi32(y0))
                        : _mm256_min_epi32(_mm256_add_epi32(first_y, last), _mm256_set1_epi32(y1));
   /* Vector version of sgd_zcull_depth(). */
   const __m256 fx = _mm256_cvtepi32_ps(_mm256_add_epi32(x, _mm256_set1_epi32(r->x)));
   const __m256 fy = _mm256_cvtepi32_ps(_mm256_add_epi32(y, _mm256_set1_epi32(r->y)));
   const __m256 rx = _mm256_sub_ps(_mm256_add_ps(fx, _mm256_set1_ps(SGD_SAMPLE_CENTER.x)),
                                   _mm256_set1_ps(prim->ox));
   const __m256 ry = _mm256_sub_ps(_mm256_add_ps(fy, _mm256_set1_ps(SGD_SAMPLE_CENTER.y)),
                                   _mm256_set1_ps(prim->oy));
   const __m256 z = _mm256_add_ps(_mm256_set1_ps(prim->z.v0),
                                  _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(prim->z.dx), rx),
                                                _mm256_mul_ps(_mm256_set1_ps(prim->z.dy), ry)));
   const __m256i sign = _mm256_set1_epi32(INT32_MIN);
   const __m256i least = _mm256_xor_si256(sgd_v8_zcull_key(&r->pixel.state->plan.rop.zs.format, z),
                                          sign);
   const __m256i stored = _mm256_loadu_si256((const __m256i *)&r->zcull.high[4 * row]);
   const __m256i high = _mm256_xor_si256(stored, sign);

   /* The maximum stored key needs no special case here, since no fragment has a greater key. */
   if (r->pixel.state->plan.rop.zs.func == SGPU_COMPARE_LEQUAL)
      return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(least, high)));
   return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(high, least))) ^ 0xff;
}

#endif
