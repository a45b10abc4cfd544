/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: planes with AVX2.
 *
 * Quads of several primitives, two quads and up to four planes at a time: the gradients
 * of four planes of a primitive are one load; what is stored is as wide as what is loaded
 * next.  Blocks of one primitive, at the centres of pixels, a plane at a time: the two
 * products of a plane's formula depend on the column or the row alone.
 */
#ifndef SGD_INTERPOLATE_AVX2_H
#define SGD_INTERPOLATE_AVX2_H

#include <immintrin.h>

/* Four floats at `offset` in the primitives of quads q and q + 1. */
static ALWAYS_INLINE __m256
sgd_v8_pair(const struct sgd_pixels *pixels, unsigned q, size_t offset)
{
   const uint8_t *p0 = (const uint8_t *)pixels->prim[q] + offset;
   const uint8_t *p1 = (const uint8_t *)pixels->prim[q + 1] + offset;

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

/* `n` flat values, `offset` bytes from the primitive. */
static ALWAYS_INLINE void
sgd_quads_flat(const struct sgd_pixels *pixels, size_t offset, float *const out[4], unsigned n)
{
   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      if (n == 4) {
         const __m256 v = sgd_v8_pair(pixels, q, offset);
         _mm256_storeu_ps(&out[0][4 * q], SGD_V8_PICK(v, 0));
         _mm256_storeu_ps(&out[1][4 * q], SGD_V8_PICK(v, 1));
         _mm256_storeu_ps(&out[2][4 * q], SGD_V8_PICK(v, 2));
         _mm256_storeu_ps(&out[3][4 * q], SGD_V8_PICK(v, 3));
         continue;
      }
      /* Behind the last ones there may be no memory. */
      const float *p0 = (const float *)((const uint8_t *)pixels->prim[q] + offset);
      const float *p1 = (const float *)((const uint8_t *)pixels->prim[q + 1] + offset);
      for (unsigned i = 0; i < n; i++) {
         const __m256 v = _mm256_castps128_ps256(_mm_broadcast_ss(&p0[i]));
         _mm256_storeu_ps(&out[i][4 * q], _mm256_insertf128_ps(v, _mm_broadcast_ss(&p1[i]), 1));
      }
   }
}

/* Sampling points of quads (sgd_lane_positions). */
static ALWAYS_INLINE void
sgd_quads_positions(const struct sgd_pixels *pixels, float at_x, float at_y, float *rx, float *ry)
{
#define EACH(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#define X(q) pixels->prim[q]->ox
#define Y(q) pixels->prim[q]->oy
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

/* -- blocks ------------------------------------------------------------------------- */

/* Sampling points of a block (sgd_lane_positions) at the centres of its pixels: its lanes 0 to
 * 7 have left, upper; then right, upper; left, lower; right, lower.
 */
struct sgd_v8_block {
   __m256 left, right, upper, lower;
};

static ALWAYS_INLINE struct sgd_v8_block
sgd_v8_block(const struct sgd_pixels *pixels)
{
   const struct sgd_prim *prim = pixels->prim[0];
   const __m256 x = _mm256_set1_ps((float)(int32_t)pixels->quads.x[0] + 0.5f - prim->ox);
   const __m256 y = _mm256_set1_ps((float)(int32_t)pixels->quads.y[0] + 0.5f - prim->oy);

   return (struct sgd_v8_block){
      .left = _mm256_add_ps(x, _mm256_setr_ps(0, 1, 0, 1, 2, 3, 2, 3)),
      .right = _mm256_add_ps(x, _mm256_setr_ps(4, 5, 4, 5, 6, 7, 6, 7)),
      .upper = _mm256_add_ps(y, _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1)),
      .lower = _mm256_add_ps(y, _mm256_setr_ps(2, 2, 3, 3, 2, 2, 3, 3)),
   };
}

/* Lanes 0 to 7, 8 to 15, 16 to 23, 24 to 31. */
struct sgd_v8_warp {
   __m256 a, b, c, d;
};

/* The plane at p, whose parts are `stride` floats apart. */
static ALWAYS_INLINE struct sgd_v8_warp
sgd_v8_block_plane(const struct sgd_v8_block *at, const float *p, size_t stride)
{
   const __m256 v0 = _mm256_set1_ps(p[0]);
   const __m256 dx = _mm256_set1_ps(p[stride]), dy = _mm256_set1_ps(p[2 * stride]);
   const __m256 left = _mm256_mul_ps(dx, at->left), right = _mm256_mul_ps(dx, at->right);
   const __m256 upper = _mm256_mul_ps(dy, at->upper), lower = _mm256_mul_ps(dy, at->lower);

   return (struct sgd_v8_warp){
      .a = _mm256_add_ps(v0, _mm256_add_ps(left, upper)),
      .b = _mm256_add_ps(v0, _mm256_add_ps(right, upper)),
      .c = _mm256_add_ps(v0, _mm256_add_ps(left, lower)),
      .d = _mm256_add_ps(v0, _mm256_add_ps(right, lower)),
   };
}

static ALWAYS_INLINE void
sgd_v8_store_warp(float *out, const struct sgd_v8_warp *v)
{
   _mm256_storeu_ps(out, v->a);
   _mm256_storeu_ps(out + 8, v->b);
   _mm256_storeu_ps(out + 16, v->c);
   _mm256_storeu_ps(out + 24, v->d);
}

/* A plane of the head. */
static ALWAYS_INLINE void
sgd_block_head_plane(const struct sgd_pixels *pixels, size_t offset, float *out)
{
   const struct sgd_v8_block at = sgd_v8_block(pixels);
   const float *p = (const float *)((const uint8_t *)pixels->prim[0] + offset);
   const struct sgd_v8_warp v = sgd_v8_block_plane(&at, p, 1);

   sgd_v8_store_warp(out, &v);
}

/* Planes `first` to `end` of the pixel program's inputs to `in`, times w unless that is NULL.
 * NaNs are not canonical: the result is whether there are some.
 */
static ALWAYS_INLINE bool
sgd_v8_block_planes(const struct sgd_varyings *varyings, const struct sgd_prim *prim,
                    const struct sgd_v8_block *at, unsigned first, unsigned end,
                    const struct sgd_v8_warp *w, struct sgd_vec *in)
{
   __m256 nan = _mm256_setzero_ps();

   for (unsigned k = first; k < end; k++) {
      const struct sgd_varying_ref *ref = &varyings->ref[k];
      if (!ref->used)
         continue;
      struct sgd_v8_warp v = sgd_v8_block_plane(at, prim->attr + k, varyings->num_planes);
      if (w) {
         v.a = _mm256_mul_ps(v.a, w->a);
         v.b = _mm256_mul_ps(v.b, w->b);
         v.c = _mm256_mul_ps(v.c, w->c);
         v.d = _mm256_mul_ps(v.d, w->d);
      }
      nan = _mm256_or_ps(nan, _mm256_or_ps(_mm256_cmp_ps(v.a, v.b, _CMP_UNORD_Q),
                                           _mm256_cmp_ps(v.c, v.d, _CMP_UNORD_Q)));
      sgd_v8_store_warp((float *)in[ref->input].c[ref->comp], &v);
   }
   return _mm256_movemask_ps(nan) != 0;
}

/* The planes of a block at the centres of its pixels.  `divides`: those before
 * varyings->linear are divided by 1/w.  Result as above.
 */
static ALWAYS_INLINE bool
sgd_block_planes(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels, bool divides,
                 struct sgd_vec *in)
{
   const struct sgd_prim *prim = pixels->prim[0];
   const struct sgd_v8_block at = sgd_v8_block(pixels);
   const __m256 one = _mm256_set1_ps(1.0f);

   if (!divides)
      return sgd_v8_block_planes(varyings, prim, &at, 0, varyings->num_planes, NULL, in);

   struct sgd_v8_warp w = sgd_v8_block_plane(&at, &prim->rw.v0, 1);
   w.a = _mm256_div_ps(one, w.a);
   w.b = _mm256_div_ps(one, w.b);
   w.c = _mm256_div_ps(one, w.c);
   w.d = _mm256_div_ps(one, w.d);
   return sgd_v8_block_planes(varyings, prim, &at, 0, varyings->linear, &w, in) |
          sgd_v8_block_planes(varyings, prim, &at, varyings->linear, varyings->num_planes, NULL,
                              in);
}

#endif
