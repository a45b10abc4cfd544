/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, formats of 8-bit channels with AVX2: bilinear filters of one tiled level whose
 * footprint is larger than a box (sgd_tex_box_avx2.h), and a window (sgd_tex_window_avx2.h).
 */
#ifndef SGD_TEX_SINGLE_AVX2_H
#define SGD_TEX_SINGLE_AVX2_H

#include "texture/sgd_tex_window_avx2.h"

/* The groups that a box of coordinates reads.  Returns false if they are no window. */
static ALWAYS_INLINE bool
sgd_t8_box_groups(const struct sgd_t8_level *n, const struct sgd_t8_box *box,
                  struct sgd_t8_groups *g)
{
   /* The second column of a weight of 0 is not read. */
   const int32_t right = box->i + ((box->width + 255) >> 8);
   const int32_t below = box->j + ((box->height + 256) >> 8);
   const int32_t i = box->i >> 2, j = box->j >> 1;
   const int32_t width = (right >> 2) - i + 1, height = (below >> 1) - j + 1;
   if (width > SGD_T8_WINDOW_COLUMNS / 4 || height > SGD_T8_WINDOW_PAIRS ||
       width * height > SGD_T8_SINGLE_GROUPS)
      return false;
   g->ends = _mm_setr_epi32(i, right >> 2, j, below >> 1);
   g->inside = box->i >= 0 && box->j >= 0 && right < n->width && below < n->height;
   g->small = width <= SGD_T8_SMALL_WIDTH && height <= SGD_T8_SMALL_HEIGHT;
   return likely(g->inside) || !sgd_t8_splits_groups(n);
}

/* Filters of a window; x and y: coordinates as sgd_t8_fixed has them, in periods of their own; box:
 * of these.  Returns false without effect if there is none.
 */
static ALWAYS_INLINE bool
sgd_t8_window_at(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                 const struct sgd_t8_box *box, const struct sgd_t8_results *to)
{
   struct sgd_t8_groups g;
   struct sgd_t8_window w;
   if (!sgd_t8_box_groups(n, box, &g))
      return false;
   sgd_t8_pack(x, (box->i >> 2) * 4 * 256, w.x);
   sgd_t8_pack(y, (box->j >> 1) * 2 * 256, w.y);
   sgd_t8_window_places(&w);
   sgd_t8_window_copy(n, &g, &w);
   if (likely(to->lanes == ~0u))
      sgd_t8_windows_store(to, &w, NULL, true);
   else
      sgd_t8_windows_store(to, &w, NULL, false);
   return true;
}

/* Coordinates at most half a period from that of the first lane. */
static ALWAYS_INLINE void
sgd_t8_fold(const __m256i v[4], int32_t period, __m256i out[4])
{
   const __m256i o = _mm256_broadcastd_epi32(_mm256_castsi256_si128(v[0]));
   const __m256i half = _mm256_set1_epi32(period / 2), all = _mm256_set1_epi32(period);
   for (unsigned k = 0; k < 4; k++) {
      const __m256i after = _mm256_cmpgt_epi32(_mm256_sub_epi32(v[k], o), half);
      const __m256i before = _mm256_cmpgt_epi32(_mm256_sub_epi32(o, v[k]), half);
      const __m256i less = _mm256_sub_epi32(v[k], _mm256_and_si256(after, all));
      out[k] = _mm256_add_epi32(less, _mm256_and_si256(before, all));
   }
}

/* Lanes on both sides of the end of a period. */
static ATTRIBUTE_NOINLINE bool
sgd_t8_window_across(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                     const struct sgd_t8_results *to)
{
   __m256i fx[4], fy[4];
   sgd_t8_fold(x, n->repeat_x ? n->width * 256 : INT32_MAX, fx);
   sgd_t8_fold(y, n->repeat_y ? n->height * 256 : INT32_MAX, fy);
   const struct sgd_t8_box box = sgd_t8_find_box(fx, fy);
   return sgd_t8_window_at(n, fx, fy, &box, to);
}

/* x and y: sgd_t8_fixed of all lanes; box: of these.  Returns false without effect if their texels
 * are no window.
 */
static ALWAYS_INLINE bool
sgd_t8_window_linear(const struct sgd_t8 *b, const __m256i x[4], const __m256i y[4],
                     const struct sgd_t8_box *box)
{
   const struct sgd_t8_level n = {
      .base = b->base,
      .pitch = b->pitch,
      .width = (int32_t)b->x.last + 1,
      .height = (int32_t)b->y.last + 1,
      .repeat_x = b->x.repeat,
      .repeat_y = b->y.repeat,
   };
   struct sgd_t8_results to = { .scale = b->scale, .lanes = b->active };
   _Alignas(32) float unused[SGD_WARP];
   for (unsigned r = 0; r < 4; r++)
      to.dst[r] = b->dst[r] ? (float *)b->dst[r] : unused;
   if (sgd_t8_window_at(&n, x, y, box, &to))
      return true;
   if ((n.repeat_x && box->width > n.width * 128) || (n.repeat_y && box->height > n.height * 128)) {
      const __m256i px[4] = { x[0], x[1], x[2], x[3] }, py[4] = { y[0], y[1], y[2], y[3] };
      return sgd_t8_window_across(&n, px, py, &to);
   }
   return false;
}

#endif
