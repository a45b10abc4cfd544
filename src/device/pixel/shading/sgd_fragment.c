/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: operations on a fragment's colours between the pixel program and the depth and
 * stencil tests.
 *
 * Antialiasing (OpenGL 2.1, section 3.12; 3.0, section 3.14) multiplies alpha by coverage, and the
 * alpha test (2.1, section 4.1.4) uses the product, so neither can be part of the program. If all
 * targets are unorm, alpha is clamped first, because the specification clamps colours at the end of
 * the program (3.0, section 3.9.6, FIXED_ONLY). The program itself does all other clamping.
 *
 * On multisampled targets, alpha to coverage can reduce the covered samples. Alpha counts as 1
 * afterwards (2.1, section 4.1.3).
 */
#include "pixel/shading/sgd_fragment.h"

#include "pixel/shading/sgd_coverage.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/shading/sgd_pixels.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"

void
sgd_fragment_cover(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   const bool clamp = px->state->plan.alpha.clamp;
   uint32_t outputs = px->ps->outputs_written >> SGPU_PO_COLR0 & px->state->plan.alpha.cover;
   _Alignas(64) float coverage[SGD_WARP];
   bool any = false;

   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];
      float *c = coverage + 4 * q;

      c[0] = c[1] = c[2] = c[3] = 1.0f;
      if (prim->smooth && (pixels->quads.mask >> 4 * q & 15)) {
         sgd_coverage(px, prim, pixels->quads.x[q], pixels->quads.y[q], c);
         any = true;
      }
   }

   while (any && outputs) {
      uint32_t *alpha = px->worker->core->warp.out[SGPU_PO_COLR0 + u_bit_scan(&outputs)].c[3];
      for (unsigned i = 0; i < 4u * pixels->quads.count; i++) {
         const float a = sgpu_bits2f(alpha[i]);
         alpha[i] = sgpu_f2bits(sgpu_fmul(clamp ? sgpu_fsat(a) : a, coverage[i]));
      }
   }
}

/* Returns the lanes in which "v func ref" is true. */
static uint32_t
compare(enum sgpu_compare func, const float v[SGD_WARP], float ref)
{
   _Alignas(64) uint32_t pass[SGD_WARP];

#define EACH(expr)                         \
   SGD_IVDEP                               \
   for (unsigned i = 0; i < SGD_WARP; i++) \
      pass[i] = expr;                      \
   break
   switch (func) {
   case SGPU_COMPARE_LESS:
      EACH(sgpu_flt(v[i], ref));
   case SGPU_COMPARE_EQUAL:
      EACH(sgpu_feq(v[i], ref));
   case SGPU_COMPARE_LEQUAL:
      EACH(sgpu_fge(ref, v[i]));
   case SGPU_COMPARE_GREATER:
      EACH(sgpu_flt(ref, v[i]));
   case SGPU_COMPARE_NOTEQUAL:
      EACH(sgpu_fne(v[i], ref));
   case SGPU_COMPARE_GEQUAL:
      EACH(sgpu_fge(v[i], ref));
   default:
      return 0;
   }
#undef EACH
   return sgd_mask_gather(pass);
}

uint32_t
sgd_fragment_alpha_test(const struct sgd_pixel_stage *px, uint32_t mask)
{
   const struct SGPU_DEPTH_STENCIL *dsa = &px->state->dsa;
   const uint32_t *alpha = px->out[SGPU_PO_COLR0].c[3];
   const bool clamp = px->state->plan.alpha.clamp, one = px->state->plan.alpha.one;
   const float ref = clamp ? sgpu_fsat(dsa->alpha_ref) : dsa->alpha_ref;
   _Alignas(64) float v[SGD_WARP];

   for (unsigned i = 0; i < SGD_WARP; i++) {
      const float a = sgpu_bits2f(alpha[i]);
      v[i] = one ? 1.0f : clamp ? sgpu_fsat(a) : a;
   }
   return mask & compare(dsa->alpha_func, v, ref);
}

/* Returns the number of a pixel in Bayer's order of 4x4 pixels, 0 to 15. The bits from the highest
 * one on are those of x ^ y and y, from their lowest bit on.
 */
static inline unsigned
bayer_number(unsigned x, unsigned y)
{
   const unsigned odd = x ^ y;

   return (odd & 1) << 3 | (y & 1) << 2 | (odd & 2) | (y >> 1 & 1);
}

/* The same as sgd_fragment_to_coverage() with dithering: each pixel of 4x4 rounds at another fraction,
 * and each of 2x2 counts the samples from another one.
 */
static __attribute__((noinline)) void
dithered_coverage(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned first,
                  unsigned count, uint32_t *live)
{
   const uint32_t *alpha = px->worker->core->warp.out[SGPU_PO_COLR0].c[3];
   const unsigned samples = px->mode.samples;

   for (unsigned i = 0; i < 4u * pixels->quads.count; i++) {
      const unsigned k = bayer_number(pixels->quads.x[i / 4] + i % 2,
                                      pixels->quads.y[i / 4] + i / 2 % 2);
      const float bias = (float)(2 * (int)k + 1) * 0x1p-5f;
      const float share = sgpu_fmul(sgpu_fsat(sgpu_bits2f(alpha[i])), (float)(int)samples);
      const unsigned left = (unsigned)(int)sgpu_fadd(share, bias);
      const unsigned turn = (k >> 2) * samples / 4;
      for (unsigned n = 0; n < count; n++)
         live[n] &= ~((uint32_t)((first + n + turn) % samples >= left) << i);
   }
}

/* Alpha covers the samples with the lowest numbers, as many as the product of alpha and the number
 * of samples, rounded.
 */
void
sgd_fragment_to_coverage(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         unsigned first, unsigned count, uint32_t *live)
{
   const uint32_t *alpha = px->worker->core->warp.out[SGPU_PO_COLR0].c[3];
   const float samples = (float)(int)px->mode.samples;

   if (px->state->blend.alpha_to_coverage_dither) {
      dithered_coverage(px, pixels, first, count, live);
      return;
   }
   for (unsigned i = 0; i < SGD_WARP; i++) {
      const float share = sgpu_fmul(sgpu_fsat(sgpu_bits2f(alpha[i])), samples);
      const unsigned left = (unsigned)(int)sgpu_fadd(share, 0.5f);
      for (unsigned n = 0; n < count; n++)
         live[n] &= ~((uint32_t)(first + n >= left) << i);
   }
}
