/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Bilinear filtering of a single tiled level,
 * for footprints that are too large for the tables of sgd_tex_box_avx2.h, but fit in a window
 * (sgd_tex_window_avx2.h).
 */
#ifndef SGD_TEX_SINGLE_AVX2_H
#define SGD_TEX_SINGLE_AVX2_H

#include "texture/unit/sgd_tex_window_avx2.h"

/* Copies texels to a window and filters them. x and y are sgd_t8_fixed() coordinates, but may be in
 * another repetition of the texture. `box` is their bounding box. Returns false without doing
 * anything if the texels don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_window_at(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                 const struct sgd_t8_box *box, const struct sgd_t8_results *to)
{
   struct sgd_t8_window w;
   if (!sgd_t8_window_fill(n, x, y, box, false, false, &w))
      return false;
   if (likely(to->lanes == ~0u))
      sgd_t8_windows_store(to, &w, NULL, true);
   else
      sgd_t8_windows_store(to, &w, NULL, false);
   return true;
}

/* Version of sgd_t8_window_at() for lanes on both sides of the edge at which the texture repeats.
 */
static ATTRIBUTE_NOINLINE bool
sgd_t8_window_across(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                     const struct sgd_t8_results *to)
{
   __m256i fx[4], fy[4];
   const struct sgd_t8_box box = sgd_t8_fold_box(n, x, y, fx, fy);
   return sgd_t8_window_at(n, fx, fy, &box, to);
}

/* Filters all lanes by copying their texels to a window. x and y are the sgd_t8_fixed()
 * coordinates, and `box` is their bounding box. Returns false without doing anything if the texels
 * don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_window_linear(const struct sgd_t8 *b, const __m256i x[4], const __m256i y[4],
                     const struct sgd_t8_box *box)
{
   const struct sgd_t8_level n = sgd_t8_level_of(b);
   struct sgd_t8_results to = { .scale = b->scale, .lanes = b->active };
   _Alignas(32) float unused[SGD_WARP];
   for (unsigned r = 0; r < 4; r++)
      to.dst[r] = b->dst[r] ? (float *)b->dst[r] : unused;
   if (sgd_t8_window_at(&n, x, y, box, &to))
      return true;
   if (sgd_t8_is_across(&n, box)) {
      const __m256i px[4] = { x[0], x[1], x[2], x[3] }, py[4] = { y[0], y[1], y[2], y[3] };
      return sgd_t8_window_across(&n, px, py, &to);
   }
   return false;
}

#endif
