/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: planes of quads of several primitives with AVX2, two quads and up to
 * four planes at a time.  The gradients of four planes of a primitive are one load;
 * what is stored is as wide as what is loaded next.
 */
#ifndef SGD_INTERPOLATE_AVX2_H
#define SGD_INTERPOLATE_AVX2_H

#include <immintrin.h>

/* Of quad q; of the first one where there are less. */
static ALWAYS_INLINE const struct sgd_prim *
sgd_v8_prim(const struct sgd_pixels *pixels, unsigned q)
{
   return pixels->prim[q < pixels->quads.count ? q : 0];
}

/* Four floats at `offset` in the primitives of quads q and q + 1. */
static ALWAYS_INLINE __m256
sgd_v8_pair(const struct sgd_pixels *pixels, unsigned q, size_t offset)
{
   const uint8_t *p0 = (const uint8_t *)sgd_v8_prim(pixels, q) + offset;
   const uint8_t *p1 = (const uint8_t *)sgd_v8_prim(pixels, q + 1) + offset;

   return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)p0)),
                               _mm_loadu_ps((const float *)p1), 1);
}

/* Element i of each half, for the lanes of the half. */
#define SGD_V8_PICK(v, i) _mm256_permute_ps(v, (i)*0x55)

/* v0 + (dx * rx + dy * ry) */
static ALWAYS_INLINE __m256
sgd_v8_plane(__m256 v0, __m256 dx, __m256 dy, __m256 rx, __m256 ry)
{
   return _mm256_add_ps(v0, _mm256_add_ps(_mm256_mul_ps(dx, rx), _mm256_mul_ps(dy, ry)));
}

/* A plane of the head; what follows it is part of the head, too. */
static ALWAYS_INLINE void
sgd_quads_head_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                     float *out)
{
   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      const __m256 p = sgd_v8_pair(pixels, q, offset);
      const __m256 v = sgd_v8_plane(SGD_V8_PICK(p, 0), SGD_V8_PICK(p, 1), SGD_V8_PICK(p, 2),
                                    _mm256_loadu_ps(&pos->rx[4 * q]),
                                    _mm256_loadu_ps(&pos->ry[4 * q]));
      _mm256_storeu_ps(&out[4 * q], v);
   }
}

/* 1 / rw; 1 for points. */
static ALWAYS_INLINE void
sgd_quads_invert(const struct sgd_pixels *pixels, const float *rw, float *w)
{
   const __m256 one = _mm256_set1_ps(1.0f);

   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      const __m256 x = _mm256_div_ps(one, _mm256_loadu_ps(&rw[4 * q]));
      _mm256_storeu_ps(&w[4 * q], x);
   }
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      if (unlikely(pixels->prim[q]->type == SGD_PRIM_RECT))
         _mm_storeu_ps(&w[4 * q], _mm_set1_ps(1.0f));
   }
}

/* `n` planes, `offset` bytes from the primitive, the parts of each `stride` floats apart;
 * multiplied by w unless that is NULL.  NaNs are canonical.
 */
static ALWAYS_INLINE void
sgd_quads_planes_n(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, const float *w,
                   size_t offset, size_t stride, float *const out[4], unsigned n)
{
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));

   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      const __m256 v0 = sgd_v8_pair(pixels, q, offset);
      const __m256 dx = sgd_v8_pair(pixels, q, offset + stride * sizeof(float));
      const __m256 dy = sgd_v8_pair(pixels, q, offset + 2 * stride * sizeof(float));
      const __m256 rx = _mm256_loadu_ps(&pos->rx[4 * q]), ry = _mm256_loadu_ps(&pos->ry[4 * q]);
      const __m256 factor = w ? _mm256_loadu_ps(&w[4 * q]) : rx;
#define PLANE(i)                                                                                   \
   if (n > (i)) {                                                                                  \
      __m256 v = sgd_v8_plane(SGD_V8_PICK(v0, i), SGD_V8_PICK(dx, i), SGD_V8_PICK(dy, i), rx, ry); \
      if (w)                                                                                       \
         v = _mm256_mul_ps(v, factor);                                                             \
      _mm256_storeu_ps(&out[i][4 * q],                                                             \
                       _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q)));               \
   }
      PLANE(0)
      PLANE(1)
      PLANE(2)
      PLANE(3)
#undef PLANE
   }
}

static inline void
sgd_quads_planes(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, const float *w,
                 size_t offset, size_t stride, float *const out[4], unsigned n)
{
   if (!w)
      sgd_quads_planes_n(pixels, pos, NULL, offset, stride, out, n);
   else if (n == 4)
      sgd_quads_planes_n(pixels, pos, w, offset, stride, out, 4);
   else
      sgd_quads_planes_n(pixels, pos, w, offset, stride, out, n);
}

/* Sampling points of quads (sgd_lane_positions). */
static ALWAYS_INLINE void
sgd_quads_positions(const struct sgd_pixels *pixels, float at_x, float at_y, float *rx, float *ry)
{
#define EACH(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#define X(q) sgd_v8_prim(pixels, q)->ox
#define Y(q) sgd_v8_prim(pixels, q)->oy
   const __m256 ox = _mm256_setr_ps(EACH(X)), oy = _mm256_setr_ps(EACH(Y));
#undef X
#undef Y
#undef EACH
   const __m128i qx = _mm_loadu_si128((const __m128i *)pixels->quads.x);
   const __m128i qy = _mm_loadu_si128((const __m128i *)pixels->quads.y);
   const __m256 wx = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(qx));
   const __m256 wy = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(qy));
   const __m256 x = _mm256_sub_ps(_mm256_add_ps(wx, _mm256_set1_ps(at_x)), ox);
   const __m256 y = _mm256_sub_ps(_mm256_add_ps(wy, _mm256_set1_ps(at_y)), oy);
   const __m256 right = _mm256_setr_ps(0, 1, 0, 1, 0, 1, 0, 1);
   const __m256 below = _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1);
   __m256i pick = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);

   for (unsigned i = 0; i < SGD_WARP; i += 8) {
      _mm256_storeu_ps(&rx[i], _mm256_add_ps(_mm256_permutevar8x32_ps(x, pick), right));
      _mm256_storeu_ps(&ry[i], _mm256_add_ps(_mm256_permutevar8x32_ps(y, pick), below));
      pick = _mm256_add_epi32(pick, _mm256_set1_epi32(2));
   }
}

#endif
