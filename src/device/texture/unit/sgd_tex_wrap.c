/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: wrapping. Converts a coordinate to the one or two texels that a filter reads along
 * an axis, and to the weight of the second texel. Compiled once for each x86-64 level of the host
 * CPU.
 *
 * Coordinates are clamped in floating point to a range slightly larger than the axis before they
 * are converted to integers. NaN becomes the lower end of the range.
 */
#include "sgpu_int.h"
#include "texture/unit/sgd_tex_exec.h"

/* Distance from the edge of a texel to its center, in units of 1/256 texel. Linear filters measure
 * positions from the centers of texels.
 */
#define HALF_TEXEL 128

/* Converts a coordinate to units of texels. */
static inline float
texels(float s, float n, bool normalized)
{
   return normalized ? tmul(s, n) : sgpu_fp_in(s);
}

/* Returns s - floor(s), which is in [0, 1]. It can be 1 for small negative s, and is NaN for NaN.
 */
static inline float
fraction(float s)
{
   return tsub(s, tfloor(s));
}

/* Returns s modulo 2, in [0, 2]. */
static inline float
fraction2(float s)
{
   return tsub(s, tmul(2.0f, tfloor(tmul(0.5f, s))));
}

/* Mirrors negative indices, i.e. -1 becomes 0. */
static inline int32_t
mirror(int32_t i)
{
   return i ^ (i >> 31);
}

static void
border_index(int32_t size, struct sgd_tex_int *i, struct sgd_tex_int *out)
{
   SGD_EACH(l) {
      const int32_t k = i->v[l];
      out->v[l] = k < 0 || k >= size ? ~0 : 0;
      i->v[l] = iclamp(k, 0, size - 1);
   }
}

/* Wraps indices by the integer rules of GL 4.6, section 8.14.2. In repeating modes, indices are at
 * most one texel outside the first repetition, unless `far` is set, i.e. unless texel offsets were
 * added.
 */
static void
wrap_index(enum sgpu_wrap wrap, int32_t size, bool far, struct sgd_tex_int *i,
           struct sgd_tex_int *out)
{
   SGD_EACH(l) {
      out->v[l] = 0;
   }
   switch (wrap) {
   case SGPU_WRAP_REPEAT:
      for (unsigned l = 0; l < SGD_WARP; l++)
         i->v[l] = sgpu_imod(i->v[l], size);
      break;
   case SGPU_WRAP_MIRROR_REPEAT:
      if (far) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            i->v[l] = sgpu_imod(i->v[l], 2 * size);
      }
      SGD_EACH(l) {
         const int32_t k = i->v[l];
         i->v[l] = iclamp(k < size ? k : 2 * size - 1 - k, 0, size - 1);
      }
      break;
   case SGPU_WRAP_CLAMP_TO_EDGE:
      SGD_EACH(l) {
         i->v[l] = iclamp(i->v[l], 0, size - 1);
      }
      break;
   case SGPU_WRAP_CLAMP:
   case SGPU_WRAP_CLAMP_TO_BORDER:
      border_index(size, i, out);
      break;
   case SGPU_WRAP_MIRROR_CLAMP_TO_EDGE:
      SGD_EACH(l) {
         i->v[l] = iclamp(mirror(i->v[l]), 0, size - 1);
      }
      break;
   case SGPU_WRAP_MIRROR_CLAMP:
   case SGPU_WRAP_MIRROR_CLAMP_TO_BORDER:
      SGD_EACH(l) {
         i->v[l] = mirror(i->v[l]);
      }
      border_index(size, i, out);
      break;
   }
}

static bool
has_border(enum sgpu_wrap wrap)
{
   return wrap == SGPU_WRAP_CLAMP || wrap == SGPU_WRAP_CLAMP_TO_BORDER ||
          wrap == SGPU_WRAP_MIRROR_CLAMP || wrap == SGPU_WRAP_MIRROR_CLAMP_TO_BORDER;
}

/* Returns the wrap mode to use. Unnormalized coordinates never repeat. */
static enum sgpu_wrap
rule(enum sgpu_wrap wrap, bool normalized)
{
   return normalized || has_border(wrap) ? wrap : SGPU_WRAP_CLAMP_TO_EDGE;
}

/* Converts coordinates to units of texels. Coordinates are reduced to one repetition of the texture
 * in repeating modes, and clamped in GL_CLAMP modes, so that only the integer wrapping rules are
 * left to apply.
 */
static void
reduce(enum sgpu_wrap wrap, int32_t size, bool normalized, const struct sgd_tex_float *s,
       struct sgd_tex_float *u)
{
   const float n = (float)size;
   switch (rule(wrap, normalized)) {
   case SGPU_WRAP_REPEAT:
      SGD_EACH(l) {
         u->v[l] = tclamp(tmul(fraction(s->v[l]), n), 0.0f, n);
      }
      break;
   case SGPU_WRAP_MIRROR_REPEAT:
      SGD_EACH(l) {
         u->v[l] = tclamp(tmul(fraction2(s->v[l]), n), 0.0f, 2.0f * n);
      }
      break;
   case SGPU_WRAP_CLAMP:
      SGD_EACH(l) {
         u->v[l] = tclamp(texels(s->v[l], n, normalized), 0.0f, n);
      }
      break;
   case SGPU_WRAP_MIRROR_CLAMP:
      SGD_EACH(l) {
         u->v[l] = tclamp(texels(s->v[l], n, normalized), -n, n);
      }
      break;
   default:
      /* Texel offsets can move indices back into the level. Therefore, the margin must be at least
       * one texel larger than the maximum offset.
       */
      SGD_EACH(l) {
         u->v[l] = tclamp(texels(s->v[l], n, normalized), -n - 64.0f, n + 64.0f);
      }
      break;
   }
}

static bool
any(const struct sgd_tex_int *out)
{
   int32_t all = 0;
   SGD_EACH(l) {
      all |= out->v[l];
   }
   return all != 0;
}

void
sgd_tex_wrap_nearest(enum sgpu_wrap wrap, int32_t size, bool normalized,
                     const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                     struct sgd_tex_axis *axis)
{
   /* In these modes, nearest filters never read the border, regardless of the offset. */
   if (wrap == SGPU_WRAP_CLAMP)
      wrap = SGPU_WRAP_CLAMP_TO_EDGE;
   else if (wrap == SGPU_WRAP_MIRROR_CLAMP)
      wrap = SGPU_WRAP_MIRROR_CLAMP_TO_EDGE;

   struct sgd_tex_float u;
   reduce(wrap, size, normalized, s, &u);
   axis->border = false;

   /* The upper end of a repetition still belongs to the last texel. */
   const int32_t last = wrap == SGPU_WRAP_REPEAT ? size - 1 : INT32_MAX;
   struct sgd_tex_int *i = &axis->i[0];
   SGD_EACH(l) {
      const int32_t k = tint(tfloor(u.v[l]));
      i->v[l] = k < last ? k : last;
   }
   if (wrap == SGPU_WRAP_REPEAT && normalized && !offset)
      return;
   if (offset) {
      SGD_EACH(l) {
         i->v[l] += offset->v[l];
      }
   }
   wrap_index(rule(wrap, normalized), size, offset, i, &axis->out[0]);
   axis->border = has_border(wrap) && any(&axis->out[0]);
}

/* Linear filter with wrap mode REPEAT and no offsets: the last texel is followed by the first one.
 */
static void
linear_repeat(int32_t size, const struct sgd_tex_float *s, struct sgd_tex_axis *axis)
{
   const float n = (float)size;
   SGD_EACH(l) {
      const float u = tclamp(tmul(fraction(s->v[l]), n), 0.0f, n);
      const int32_t fixed = tfixed(u) - HALF_TEXEL;
      const int32_t k = fixed >> 8;
      axis->f.v[l] = tweight(fixed);
      axis->i[0].v[l] = k < 0 ? size - 1 : k;
      axis->i[1].v[l] = k + 1 < size ? k + 1 : 0;
   }
}

static void
linear_edge(int32_t size, bool normalized, const struct sgd_tex_float *s, struct sgd_tex_axis *axis)
{
   const float n = (float)size;
   SGD_EACH(l) {
      const float u = tclamp(texels(s->v[l], n, normalized), 0.5f, n - 0.5f);
      const int32_t fixed = tfixed(u) - HALF_TEXEL;
      const int32_t k = fixed >> 8;
      axis->f.v[l] = tweight(fixed);
      axis->i[0].v[l] = k;
      axis->i[1].v[l] = k + 1 < size ? k + 1 : size - 1;
   }
}

void
sgd_tex_wrap_linear(enum sgpu_wrap wrap, int32_t size, bool normalized,
                    const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                    struct sgd_tex_axis *axis)
{
   axis->border = false;
   if (!offset && wrap == SGPU_WRAP_REPEAT && normalized) {
      linear_repeat(size, s, axis);
      return;
   }
   if (!offset && (wrap == SGPU_WRAP_CLAMP_TO_EDGE || (!normalized && !has_border(wrap)))) {
      linear_edge(size, normalized, s, axis);
      return;
   }

   struct sgd_tex_float u;
   const bool mirrored = wrap == SGPU_WRAP_MIRROR_CLAMP || wrap == SGPU_WRAP_MIRROR_CLAMP_TO_EDGE ||
                         wrap == SGPU_WRAP_MIRROR_CLAMP_TO_BORDER;
   reduce(wrap, size, normalized, s, &u);
   if (mirrored && !offset) {
      SGD_EACH(l) {
         u.v[l] = sgpu_fabs(u.v[l]);
      }
   }
   SGD_EACH(l) {
      const int32_t fixed = tfixed(u.v[l]) - HALF_TEXEL;
      axis->f.v[l] = tweight(fixed);
      axis->i[0].v[l] = fixed >> 8;
   }
   if (offset) {
      SGD_EACH(l) {
         axis->i[0].v[l] += offset->v[l];
      }
   }
   SGD_EACH(l) {
      axis->i[1].v[l] = axis->i[0].v[l] + 1;
   }
   wrap_index(rule(wrap, normalized), size, offset, &axis->i[0], &axis->out[0]);
   wrap_index(rule(wrap, normalized), size, offset, &axis->i[1], &axis->out[1]);
   axis->border = has_border(wrap) && (any(&axis->out[0]) || any(&axis->out[1]));
}
