/* SPDX-License-Identifier: MIT */
/*
 * ROP: blends the colours of a warp. Colours are stored as c[component][lane].
 */
#ifndef SGD_BLEND_H
#define SGD_BLEND_H

#include "pixel/rop/sgd_codec_lanes.h"
#include "common/sgd_rop_state.h"
#include "util/macros.h"

struct sgd_blend_inputs {
   const struct sgd_color *src, *src1, *dst;
   _Alignas(64) float saturate[SGD_WARP]; /* min(source alpha, 1 - destination alpha) */
};

static inline void
sgd_blend_begin(struct sgd_blend_inputs *in, const struct sgd_color *src,
                const struct sgd_color *src1, const struct sgd_color *dst)
{
   in->src = src;
   in->src1 = src1;
   in->dst = dst;
   for (unsigned l = 0; l < SGD_WARP; l++)
      in->saturate[l] = sgpu_fmin(src->c[3][l], sgpu_fsub(1.0f, dst->c[3][l]));
}

static inline const float *
sgd_blend_operand(const struct sgd_blend_inputs *in, const struct sgd_blend_term *t, unsigned c)
{
   switch ((enum sgd_blend_operand)t->operand) {
   case SGD_BLEND_CONSTANT:
   case SGD_BLEND_SRC:
      return in->src->c[c];
   case SGD_BLEND_SRC_ALPHA:
      return in->src->c[3];
   case SGD_BLEND_DST:
      return in->dst->c[c];
   case SGD_BLEND_DST_ALPHA:
      return in->dst->c[3];
   case SGD_BLEND_SRC1:
      return in->src1->c[c];
   case SGD_BLEND_SRC1_ALPHA:
      return in->src1->c[3];
   case SGD_BLEND_SATURATE:
      return in->saturate;
   }
   unreachable("blend operand");
}

/* -- normalized formats: all operands are finite ---------------------------- */

/* Blends component c without clamping the result to the format's range. */
static inline void
sgd_blend_unit(float *restrict o, const struct sgd_color_plan *p, const struct sgd_blend_inputs *in,
               unsigned c)
{
   const float *restrict s = in->src->c[c], *restrict d = in->dst->c[c];
   const float *restrict x = sgd_blend_operand(in, &p->src[c], c);
   const float *restrict y = sgd_blend_operand(in, &p->dst[c], c);
   const float sb = p->src[c].base, ss = p->src[c].slope;
   const float db = p->dst[c].base, ds = p->dst[c].slope;

   if (p->func[c] == SGPU_BLEND_FUNC_MIN) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = s[l] < d[l] ? s[l] : d[l];
      return;
   }
   if (p->func[c] == SGPU_BLEND_FUNC_MAX) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = s[l] > d[l] ? s[l] : d[l];
      return;
   }

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const float sf = sgpu_fp_raw_add(sb, sgpu_fp_raw_mul(ss, x[l]));
      const float df = sgpu_fp_raw_add(db, sgpu_fp_raw_mul(ds, y[l]));
      o[l] = sgpu_fp_raw_add(sgpu_fp_raw_mul(s[l], sf), sgpu_fp_raw_mul(d[l], df));
   }
}

/* -- float formats ----------------------------------------------------------- */

/* Multiplies x by the blend factor. A constant factor of 0 gives 0 even if x is Inf or NaN. */
static inline void
sgd_blend_product(float *restrict o, const struct sgd_blend_inputs *in,
                  const struct sgd_blend_term *t, const float *restrict x, unsigned c)
{
   const float *restrict f = sgd_blend_operand(in, t, c);

   if (t->operand == SGD_BLEND_CONSTANT) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = t->constant == 0.0f ? 0.0f : sgpu_fmul(x[l], t->constant);
   } else if (t->invert) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fmul(x[l], sgpu_fsub(1.0f, f[l]));
   } else {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fmul(x[l], f[l]);
   }
}

static inline void
sgd_blend_float(float *restrict o, const struct sgd_color_plan *p,
                const struct sgd_blend_inputs *in, unsigned c)
{
   const float *restrict s = in->src->c[c], *restrict d = in->dst->c[c];
   _Alignas(64) float a[SGD_WARP], b[SGD_WARP];

   if (p->func[c] == SGPU_BLEND_FUNC_MIN) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fmin(s[l], d[l]);
      return;
   }
   if (p->func[c] == SGPU_BLEND_FUNC_MAX) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fmax(s[l], d[l]);
      return;
   }
   sgd_blend_product(a, in, &p->src[c], s, c);
   sgd_blend_product(b, in, &p->dst[c], d, c);
   switch (p->func[c]) {
   case SGPU_BLEND_FUNC_ADD:
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fadd(a[l], b[l]);
      break;
   case SGPU_BLEND_FUNC_SUBTRACT:
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fsub(a[l], b[l]);
      break;
   default:
      for (unsigned l = 0; l < SGD_WARP; l++)
         o[l] = sgpu_fsub(b[l], a[l]);
      break;
   }
}

/* Blends src with dst, and clamps the result to the format's range. */
static inline void
sgd_blend_colors(struct sgd_color *restrict out, const struct sgd_color_plan *p,
                 const struct sgd_color *src, const struct sgd_color *src1,
                 const struct sgd_color *dst)
{
   struct sgd_blend_inputs in;
   sgd_blend_begin(&in, src, src1, dst);
   for (unsigned c = 0; c < 4; c++) {
      if (p->codec.normalized)
         sgd_blend_unit(out->c[c], p, &in, c);
      else
         sgd_blend_float(out->c[c], p, &in, c);
   }
   if (!p->codec.normalized)
      return;
   for (unsigned c = 0; c < 4; c++) {
      float *restrict o = out->c[c];
      if (!p->codec.is_signed) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fsat(o[l]);
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++)
            o[l] = sgpu_fmax(sgpu_fmin(o[l], 1.0f), -1.0f);
      }
   }
}

#endif
