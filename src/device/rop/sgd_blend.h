/* SPDX-License-Identifier: MIT */
/*
 * ROP: blending of [component][lane] colours.
 */
#ifndef SGD_BLEND_H
#define SGD_BLEND_H

#include "sgd_state.h"
#include "sgpu_fp.h"
#include "util/compiler.h"
#include "util/macros.h"

struct sgd_color {
   _Alignas(64) float c[4][SGD_WARP];
};

struct sgd_blend {
   const struct SGPU_BLEND_TARGET *target;
   const float *constant;
   float lo, hi;          /* range of the format: operands are clamped to it */
   bool clamp;
};

/* Factor of component c into f. */
static inline void
sgd_blend_factor(float *restrict f, const struct sgd_blend *b, enum sgpu_blend_factor factor,
                 unsigned c, const struct sgd_color *s, const struct sgd_color *s1,
                 const struct sgd_color *d)
{
   const float *x = NULL;
   float k = 0.0f;
   bool invert = false;

   switch (factor) {
   case SGPU_BLEND_FACTOR_ZERO:
      k = 0.0f;
      break;
   case SGPU_BLEND_FACTOR_ONE:
      k = 1.0f;
      break;
   case SGPU_BLEND_FACTOR_INV_SRC_COLOR:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_SRC_COLOR:
      x = s->c[c];
      break;
   case SGPU_BLEND_FACTOR_INV_SRC_ALPHA:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_SRC_ALPHA:
      x = s->c[3];
      break;
   case SGPU_BLEND_FACTOR_INV_DST_COLOR:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_DST_COLOR:
      x = d->c[c];
      break;
   case SGPU_BLEND_FACTOR_INV_DST_ALPHA:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_DST_ALPHA:
      x = d->c[3];
      break;
   case SGPU_BLEND_FACTOR_INV_CONST_COLOR:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_CONST_COLOR:
      k = b->constant[c];
      break;
   case SGPU_BLEND_FACTOR_INV_CONST_ALPHA:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_CONST_ALPHA:
      k = b->constant[3];
      break;
   case SGPU_BLEND_FACTOR_INV_SRC1_COLOR:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_SRC1_COLOR:
      x = s1->c[c];
      break;
   case SGPU_BLEND_FACTOR_INV_SRC1_ALPHA:
      invert = true;
      FALLTHROUGH;
   case SGPU_BLEND_FACTOR_SRC1_ALPHA:
      x = s1->c[3];
      break;
   case SGPU_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      for (unsigned l = 0; l < SGD_WARP; l++)
         f[l] = c == 3 ? 1.0f : sgpu_fmin(s->c[3][l], sgpu_fadd(1.0f, -d->c[3][l]));
      return;
   }

   if (x && invert) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         f[l] = sgpu_fadd(1.0f, -x[l]);
   } else if (x) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         f[l] = x[l];
   } else {
      if (b->clamp)
         k = CLAMP(k, b->lo, b->hi);
      k = invert ? 1.0f - k : k;
      for (unsigned l = 0; l < SGD_WARP; l++)
         f[l] = k;
   }
}

/* out = s blended over d; s and s1 are within the format's range already. */
static inline void
sgd_blend_colors(struct sgd_color *restrict out, const struct sgd_blend *b,
                 const struct sgd_color *s, const struct sgd_color *s1,
                 const struct sgd_color *d)
{
   const struct SGPU_BLEND_TARGET *t = b->target;

   for (unsigned c = 0; c < 4; c++) {
      const enum sgpu_blend_func func = c == 3 ? t->alpha_func : t->rgb_func;
      const float *restrict sc = s->c[c], *restrict dc = d->c[c];
      float *restrict o = out->c[c];
      _Alignas(64) float sf[SGD_WARP], df[SGD_WARP];

      /* The factors play no part in these (GL 4.6, table 17.1). */
      if (func == SGPU_BLEND_FUNC_MIN) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fmin(sc[l], dc[l]);
         continue;
      }
      if (func == SGPU_BLEND_FUNC_MAX) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fmax(sc[l], dc[l]);
         continue;
      }

      sgd_blend_factor(sf, b, c == 3 ? t->alpha_src : t->rgb_src, c, s, s1, d);
      sgd_blend_factor(df, b, c == 3 ? t->alpha_dst : t->rgb_dst, c, s, s1, d);
      switch (func) {
      case SGPU_BLEND_FUNC_ADD:
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fadd(sgpu_fmul(sc[l], sf[l]), sgpu_fmul(dc[l], df[l]));
         break;
      case SGPU_BLEND_FUNC_SUBTRACT:
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fsub(sgpu_fmul(sc[l], sf[l]), sgpu_fmul(dc[l], df[l]));
         break;
      default:
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fsub(sgpu_fmul(dc[l], df[l]), sgpu_fmul(sc[l], sf[l]));
         break;
      }
   }
}

#endif
