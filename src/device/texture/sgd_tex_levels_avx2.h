/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, mipmaps with AVX2: lanes that read the same one or two levels, whose texels are
 * windows (sgd_tex_window_avx2.h) of these.  Filtering, mixing, and scaling follow each other in
 * registers.
 */
#ifndef SGD_TEX_LEVELS_AVX2_H
#define SGD_TEX_LEVELS_AVX2_H

#include "texture/sgd_tex_window_avx2.h"

/* Lanes of one operation that read the same levels. */
struct sgd_t8_group {
   const struct SGPU_SAMPLER *sampler;
   const float *s, *t; /* coordinates */
   struct sgd_t8_results to;
};

static ALWAYS_INLINE void
sgd_t8_level_axis(struct sgd_t8_axis *a, enum sgpu_wrap wrap, bool normalized, int32_t size)
{
   const struct sgd_tex_bytes_axis from = { .repeat = wrap == SGPU_WRAP_REPEAT && normalized,
                                            .normalized = normalized,
                                            .size = size };
   sgd_t8_axis_init(a, &from, 256.0f, 0.5f);
}

/* The lanes' window of a level, without its texels.  Returns false if there is none. */
static ALWAYS_INLINE bool
sgd_t8_level_find(const struct sgd_t8_group *g, const struct sgd_tex_level *level,
                  struct sgd_t8_level *n, struct sgd_t8_groups *groups, struct sgd_t8_window *w)
{
   const bool normalized = !g->sampler->unnormalized;
   __m256i x[4], y[4];
   sgd_t8_level_axis(&n->x, g->sampler->wrap_s, normalized, level->width);
   sgd_t8_level_axis(&n->y, g->sampler->wrap_t, normalized, level->height);
   n->base = level->base;
   n->pitch = level->pitch;
   for (unsigned k = 0; k < 4; k++) {
      x[k] = sgd_t8_fixed(&n->x, _mm256_loadu_ps(g->s + k * SGD_T8));
      y[k] = sgd_t8_fixed(&n->y, _mm256_loadu_ps(g->t + k * SGD_T8));
   }
   return sgd_t8_window_find(n, x, y, g->to.lanes, groups, w);
}

/* The lanes' results.  next: NULL, or the second level.  Returns false without effect unless their
 * texels are windows.
 */
static bool
sgd_t8_levels(const struct sgd_t8_group *g, const struct sgd_tex_level *level,
              const struct sgd_tex_level *next)
{
   struct sgd_t8_level n, m;
   struct sgd_t8_groups ng, mg;
   struct sgd_t8_window a, b;
   if (!sgd_t8_level_find(g, level, &n, &ng, &a))
      return false;
   if (!next) {
      sgd_t8_window_copy(&n, &ng, &a);
      sgd_t8_windows_store(&g->to, &a, NULL);
      return true;
   }
   /* Both are found first: the steps to one depend on each other. */
   if (!sgd_t8_level_find(g, next, &m, &mg, &b))
      return false;
   sgd_t8_window_copy(&n, &ng, &a);
   sgd_t8_window_copy(&m, &mg, &b);
   sgd_t8_windows_store(&g->to, &a, &b);
   return true;
}

#endif
