/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: mipmapping with AVX2, for lanes that read the same one or two levels, and whose
 * texels in each level fit in a window (sgd_tex_window_avx2.h). Filtering, interpolation and
 * scaling stay in registers.
 */
#ifndef SGD_TEX_LEVELS_AVX2_H
#define SGD_TEX_LEVELS_AVX2_H

#include "texture/unit/sgd_tex_window_avx2.h"

/* Lanes of an operation that read the same levels. */
struct sgd_t8_group {
   const struct SGPU_SAMPLER *sampler;
   const float *s, *t; /* coordinates of all lanes */
   struct sgd_t8_results to;
};

/* Texels that a group of lanes reads from a mipmap level, copied as a window
 * (sgd_tex_window_avx2.h).
 */
struct sgd_t8_part {
   struct sgd_t8_level level;
   struct sgd_t8_groups groups;
   struct sgd_t8_window window;
};

/* Finds the window of texels that the lanes read from a level, but doesn't load it. `full` (all
 * lanes are active) and `across` (see sgd_t8_window_find()) are compile-time constants. Returns
 * false if the texels don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_find_part(const struct sgd_t8_group *g, const struct sgd_tex_level *level, bool full,
                 bool across, struct sgd_t8_part *p)
{
   const bool normalized = !g->sampler->unnormalized;
   const struct sgd_t8_level n = {
      .base = level->base,
      .pitch = level->pitch,
      .width = level->width,
      .height = level->height,
      .repeat_x = g->sampler->wrap_s == SGPU_WRAP_REPEAT && normalized,
      .repeat_y = g->sampler->wrap_t == SGPU_WRAP_REPEAT && normalized,
   };
   __m256i x[4], y[4];
   sgd_t8_steps(g->s, n.repeat_x, normalized, n.width, x);
   sgd_t8_steps(g->t, n.repeat_y, normalized, n.height, y);
   p->level = n;
   return sgd_t8_window_find(&n, x, y, full ? ~0u : g->to.lanes, across, &p->groups, &p->window);
}

/* Version of sgd_t8_find_part() for lanes on both sides of the edge at which the texture repeats.
 */
static ATTRIBUTE_NOINLINE bool
sgd_t8_find_across(const struct sgd_t8_group *g, const struct sgd_tex_level *level,
                   struct sgd_t8_part *p)
{
   return sgd_t8_find_part(g, level, false, true, p);
}

static ALWAYS_INLINE bool
sgd_t8_levels_at(const struct sgd_t8_group *g, const struct sgd_tex_level *level,
                 const struct sgd_tex_level *next, bool full)
{
   struct sgd_t8_part a, b;
   if (unlikely(!sgd_t8_find_part(g, level, full, false, &a)) && !sgd_t8_find_across(g, level, &a))
      return false;
   if (!next) {
      sgd_t8_window_copy(&a.level, &a.groups, &a.window);
      sgd_t8_windows_store(&g->to, &a.window, NULL, full);
      return true;
   }
   /* Find the windows of both levels before copying. The two searches are long chains of dependent
    * instructions, which can then overlap.
    */
   if (unlikely(!sgd_t8_find_part(g, next, full, false, &b)) && !sgd_t8_find_across(g, next, &b))
      return false;
   sgd_t8_window_copy(&a.level, &a.groups, &a.window);
   sgd_t8_window_copy(&b.level, &b.groups, &b.window);
   sgd_t8_windows_store(&g->to, &a.window, &b.window, full);
   return true;
}

/* Filters `level`, and interpolates with `next` unless it is NULL. Returns false without doing
 * anything if the texels of a level don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_levels(const struct sgd_t8_group *g, const struct sgd_tex_level *level,
              const struct sgd_tex_level *next)
{
   return likely(g->to.lanes == ~0u) ? sgd_t8_levels_at(g, level, next, true)
                                     : sgd_t8_levels_at(g, level, next, false);
}

#endif
