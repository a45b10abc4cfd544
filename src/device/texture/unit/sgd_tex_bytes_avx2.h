/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels. AVX2 version of the filters in sgd_tex_bytes.h, which
 * processes eight lanes at a time and keeps intermediate results in registers. This file contains
 * the path for arbitrary coordinates, and selects between this path and the faster ones.
 */
#ifndef SGD_TEX_BYTES_AVX2_H
#define SGD_TEX_BYTES_AVX2_H

#include "texture/unit/sgd_tex_box_avx2.h"
#include "texture/unit/sgd_tex_grid_avx2.h"
#include "texture/unit/sgd_tex_single_avx2.h"
#include "texture/unit/sgd_tex_taps_avx2.h"

/* Returns the texels of a linear filter on an axis that is already wrapped. `row` is true for the y
 * axis.
 */
static ALWAYS_INLINE struct sgd_t8_taps
sgd_t8_wrapped(const struct sgd_t8_axis *a, unsigned l, uint32_t pitch, bool tiled, bool row)
{
   const struct sgd_tex_axis *taps = a->taps;
   const __m256i i0 = sgd_t8_load(taps->i[0].v + l), i1 = sgd_t8_load(taps->i[1].v + l);
   struct sgd_t8_taps t;
   t.first = row ? sgd_t8_row(i0, pitch, tiled) : sgd_t8_column(i0, tiled);
   t.second = row ? sgd_t8_row(i1, pitch, tiled) : sgd_t8_column(i1, tiled);
   t.weight = sgd_t8_weight(taps, l);
   return t;
}

/* -- filters ------------------------------------------------------------------- */

/* Interpolates two channels between texels a and b: bytes 0 and 2 of each word, or bytes 1 and 3 if
 * `high` is set. Results are 16-bit numbers with 8 fractional bits, minus 2^15. Both halves of each
 * word in w contain the weight.
 */
static ALWAYS_INLINE __m256i
sgd_t8_mix(__m256i a, __m256i b, __m256i w, bool high)
{
   const __m256i even = _mm256_set1_epi16(0xff), odd = _mm256_set1_epi16((short)0xff00);
   const __m256i bias = _mm256_set1_epi16((short)0x8000);
   const __m256i whole = high ? _mm256_and_si256(a, odd) : _mm256_slli_epi16(a, 8);
   const __m256i a8 = high ? _mm256_srli_epi16(a, 8) : _mm256_and_si256(a, even);
   const __m256i b8 = high ? _mm256_srli_epi16(b, 8) : _mm256_and_si256(b, even);
   const __m256i step = _mm256_mullo_epi16(_mm256_sub_epi16(b8, a8), w);
   return _mm256_add_epi16(_mm256_xor_si256(whole, bias), step);
}

/* Interpolates channels r and r + 2 between two rows and stores them. w contains the weights of
 * both rows.
 */
static ALWAYS_INLINE void
sgd_t8_mix_rows(const struct sgd_t8 *b, unsigned r, unsigned l, __m256i upper, __m256i lower,
                __m256i w)
{
   if (b->dst[r]) {
      const __m256i rows = _mm256_blend_epi16(upper, _mm256_slli_epi32(lower, 16), 0xaa);
      sgd_t8_store(b, r, l, sgd_t8_raised(_mm256_madd_epi16(rows, w), b->scale), false);
   }
   if (b->dst[r + 2]) {
      const __m256i rows = _mm256_blend_epi16(_mm256_srli_epi32(upper, 16), lower, 0xaa);
      sgd_t8_store(b, r + 2, l, sgd_t8_raised(_mm256_madd_epi16(rows, w), b->scale), false);
   }
}

/* Filters eight lanes. t[n] are the texels of tap n; fx and fy are weights in units of 1/256. */
static ALWAYS_INLINE void
sgd_t8_filter(const struct sgd_t8 *b, unsigned l, const __m256i t[4], __m256i fx, __m256i fy)
{
   const __m256i wx = _mm256_or_si256(fx, _mm256_slli_epi32(fx, 16));
   /* 256 - w in the low half of each word, w in the high half */
   const __m256i wy = _mm256_add_epi32(_mm256_sub_epi32(_mm256_set1_epi32(256), fy),
                                       _mm256_slli_epi32(fy, 16));
   if (b->dst[0] || b->dst[2])
      sgd_t8_mix_rows(b, 0, l, sgd_t8_mix(t[0], t[1], wx, false), sgd_t8_mix(t[2], t[3], wx, false),
                      wy);
   if (b->dst[1] || b->dst[3])
      sgd_t8_mix_rows(b, 1, l, sgd_t8_mix(t[0], t[1], wx, true), sgd_t8_mix(t[2], t[3], wx, true),
                      wy);
}

/* Filters all lanes. fx and fy are sgd_t8_fixed() coordinates, or NULL if the axes are already
 * wrapped.
 */
static ALWAYS_INLINE void
sgd_t8_loop_linear(const struct sgd_t8 *b, const __m256i *fx, const __m256i *fy, bool tiled)
{
   const uint8_t *base = b->base;
   const uint32_t pitch = b->pitch;
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const unsigned k = l / SGD_T8;
      struct sgd_t8_taps x = fx ? sgd_t8_linear(&b->x, fx[k], pitch, tiled, false)
                                : sgd_t8_wrapped(&b->x, l, pitch, tiled, false);
      struct sgd_t8_taps y = fy ? sgd_t8_linear(&b->y, fy[k], pitch, tiled, true)
                                : sgd_t8_wrapped(&b->y, l, pitch, tiled, true);
      if (b->z) {
         const __m256i stride = _mm256_set1_epi32((int32_t)b->layer_stride);
         const __m256i z = _mm256_mullo_epi32(sgd_t8_load(b->z + l), stride);
         x.first = _mm256_add_epi32(x.first, z);
         x.second = _mm256_add_epi32(x.second, z);
      }
      const __m256i t[4] = {
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.first, x.first)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.first, x.second)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.second, x.first)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.second, x.second)),
      };
      sgd_t8_filter(b, l, t, x.weight, y.weight);
   }
}

/* Filters texels that the caller has already fetched, on axes that the caller has wrapped. */
static void
sgd_t8_loop_words(const struct sgd_t8 *b)
{
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const __m256i t[4] = {
         sgd_t8_load(b->words[0] + l),
         sgd_t8_load(b->words[1] + l),
         sgd_t8_load(b->words[2] + l),
         sgd_t8_load(b->words[3] + l),
      };
      sgd_t8_filter(b, l, t, sgd_t8_weight(b->x.taps, l), sgd_t8_weight(b->y.taps, l));
   }
}

static ALWAYS_INLINE void
sgd_t8_loop_nearest(const struct sgd_t8 *b, bool tiled)
{
   const uint8_t *base = b->base;
   const uint32_t pitch = b->pitch;
   __m256i w[SGD_WARP / SGD_T8];
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const __m256i i = sgd_t8_nearest(&b->x, _mm256_loadu_ps(b->x.s + l));
      const __m256i j = sgd_t8_nearest(&b->y, _mm256_loadu_ps(b->y.s + l));
      const __m256i x = sgd_t8_column(i, tiled);
      __m256i y = sgd_t8_row(j, pitch, tiled);
      if (b->z) {
         const __m256i stride = _mm256_set1_epi32((int32_t)b->layer_stride);
         y = _mm256_add_epi32(y, _mm256_mullo_epi32(sgd_t8_load(b->z + l), stride));
      }
      w[l / SGD_T8] = sgd_t8_fetch(base, b->gather, _mm256_add_epi32(x, y));
   }
   sgd_t8_put_texels(b, w, 1.0f);
}

/* Linear filter on axes that the caller has wrapped. The caller may also have fetched the texels.
 */
static void
sgd_tex_bytes_linear_taps(const struct sgd_tex_bytes *b)
{
   struct sgd_t8 t;
   sgd_t8_init(&t, b, 256.0f, 0.5f, 0x1p-16f);
   if (b->words)
      sgd_t8_loop_words(&t);
   else if (b->unit->tiled)
      sgd_t8_loop_linear(&t, NULL, NULL, true);
   else
      sgd_t8_loop_linear(&t, NULL, NULL, false);
}

/* The remaining functions are inlined, so that struct sgd_t8 stays in registers. */
static ALWAYS_INLINE void
sgd_t8_linear_at(const struct sgd_t8 *t, bool windows, bool tiled)
{
   const bool flat = !t->z;
   if (flat && sgd_t8_is_grid(t)) {
      sgd_t8_grid_linear(t, tiled);
      return;
   }
   __m256i x[SGD_WARP / SGD_T8], y[SGD_WARP / SGD_T8];
   for (unsigned k = 0; k < SGD_WARP / SGD_T8; k++) {
      x[k] = sgd_t8_fixed(&t->x, _mm256_loadu_ps(t->x.s + k * SGD_T8));
      y[k] = sgd_t8_fixed(&t->y, _mm256_loadu_ps(t->y.s + k * SGD_T8));
   }
   if (flat) {
      if (unlikely(t->active != ~0u)) {
         sgd_t8_move_inactive(t->active, x);
         sgd_t8_move_inactive(t->active, y);
      }
      const struct sgd_t8_box box = sgd_t8_find_box(x, y);
      if (sgd_t8_box_linear(t, x, y, &box, tiled))
         return;
      /* A window (sgd_tex_window_avx2.h) is faster than single loads, and than the gathers below.
       */
      if (windows && tiled && sgd_t8_window_linear(t, x, y, &box))
         return;
   }
   sgd_t8_loop_linear(t, x, y, tiled);
}

/* Linear filter at coordinates. If `windows`, a compile-time constant, is set, tries to load the
 * footprint as a window (sgd_tex_window_avx2.h).
 */
static ALWAYS_INLINE void
sgd_tex_bytes_linear(const struct sgd_tex_bytes *b, bool windows)
{
   struct sgd_t8 t;
   sgd_t8_init(&t, b, 256.0f, 0.5f, 0x1p-16f);
   if (b->unit->tiled)
      sgd_t8_linear_at(&t, windows, true);
   else
      sgd_t8_linear_at(&t, windows, false);
}

static ALWAYS_INLINE void
sgd_t8_nearest_at(const struct sgd_t8 *t, bool tiled)
{
   if (!t->z && sgd_t8_is_grid(t))
      sgd_t8_grid_nearest(t, tiled);
   else
      sgd_t8_loop_nearest(t, tiled);
}

static ALWAYS_INLINE void
sgd_tex_bytes_nearest(const struct sgd_tex_bytes *b)
{
   struct sgd_t8 t;
   sgd_t8_init(&t, b, 1.0f, 0.0f, 1.0f);
   if (b->unit->tiled)
      sgd_t8_nearest_at(&t, true);
   else
      sgd_t8_nearest_at(&t, false);
}

#endif
