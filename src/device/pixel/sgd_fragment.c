/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: the colours of a fragment between the program and the tests of depth
 * and stencil.
 *
 * Antialiasing (OpenGL 2.1, 3.12; 3.0, 3.14) multiplies alpha by coverage, and the
 * alpha test (4.1.4) compares the product, so neither can be part of the program.
 * If all targets are unsigned normalized, alpha is clamped before both, as the
 * specification clamps colours when they leave the program (GL 3.0, 3.9.6,
 * FIXED_ONLY); other clamping is in the program.
 *
 * On targets with several samples, alpha can reduce the covered samples, and then
 * counts as 1 (2.1, 4.1.3).
 */
#include "pixel/sgd_fragment.h"

#include "pixel/sgd_coverage.h"
#include "raster/sgd_raster.h"
#include "sgd_prim.h"
#include "sgd_shader.h"
#include "sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"

void
sgd_fragment_cover(const struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   const bool clamp = r->state->alpha.clamp;
   uint32_t outputs = r->ps->outputs_written >> SGPU_PO_COLR0 & r->state->alpha.cover;
   _Alignas(64) float coverage[SGD_WARP];
   bool any = false;

   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const struct sgd_prim *prim = pixels->prim[q];
      float *c = coverage + 4 * q;

      c[0] = c[1] = c[2] = c[3] = 1.0f;
      if (prim->smooth && (pixels->quads.mask >> 4 * q & 15)) {
         sgd_coverage(r, prim, pixels->quads.x[q], pixels->quads.y[q], c);
         any = true;
      }
   }

   while (any && outputs) {
      uint32_t *alpha = r->worker->core->warp.out[SGPU_PO_COLR0 + u_bit_scan(&outputs)].c[3];
      for (unsigned i = 0; i < 4u * pixels->quads.count; i++) {
         const float a = sgpu_bits2f(alpha[i]);
         alpha[i] = sgpu_f2bits(sgpu_fmul(clamp ? sgpu_fsat(a) : a, coverage[i]));
      }
   }
}

static inline bool
compare(enum sgpu_compare func, float a, float b)
{
   switch (func) {
   case SGPU_COMPARE_LESS:
      return sgpu_flt(a, b);
   case SGPU_COMPARE_EQUAL:
      return sgpu_feq(a, b);
   case SGPU_COMPARE_LEQUAL:
      return sgpu_fge(b, a);
   case SGPU_COMPARE_GREATER:
      return sgpu_flt(b, a);
   case SGPU_COMPARE_NOTEQUAL:
      return sgpu_fne(a, b);
   case SGPU_COMPARE_GEQUAL:
      return sgpu_fge(a, b);
   default:
      return false;
   }
}

uint32_t
sgd_fragment_alpha_test(const struct sgd_raster *r, uint32_t mask)
{
   const struct SGPU_DEPTH_STENCIL *dsa = &r->state->dsa;
   const uint32_t *alpha = r->out[SGPU_PO_COLR0].c[3];
   const bool clamp = r->state->alpha.clamp, one = r->state->alpha.one;
   const float ref = clamp ? sgpu_fsat(dsa->alpha_ref) : dsa->alpha_ref;
   uint32_t left = mask;

   while (left) {
      const unsigned i = u_bit_scan(&left);
      const float a = one ? 1.0f : sgpu_bits2f(alpha[i]);
      if (!compare(dsa->alpha_func, clamp ? sgpu_fsat(a) : a, ref))
         mask &= ~(1u << i);
   }
   return mask;
}

void
sgd_fragment_to_coverage(const struct sgd_raster *r, unsigned first, unsigned count, uint32_t *live)
{
   const uint32_t *alpha = r->worker->core->warp.out[SGPU_PO_COLR0].c[3];
   const float samples = (float)(int)r->samples;

   for (unsigned i = 0; i < SGD_WARP; i++) {
      const float share = sgpu_fmul(sgpu_fsat(sgpu_bits2f(alpha[i])), samples);
      const unsigned left = (unsigned)(int)sgpu_fadd(share, 0.5f);
      for (unsigned n = 0; n < count; n++)
         live[n] &= ~((uint32_t)(first + n >= left) << i);
   }
}
