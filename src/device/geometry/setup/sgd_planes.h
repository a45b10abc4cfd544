/* SPDX-License-Identifier: MIT */
/*
 * Setup: computes the planes of triangles, four values at a time. There are two implementations
 * with bit-identical results: plain loops for any host, and AVX2. The values and their factors w
 * are single-precision numbers converted to double precision, so their products are exact.
 */
#ifndef SGD_PLANES_H
#define SGD_PLANES_H

#include "geometry/setup/sgd_setup_prim.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Factors for computing the gradients of a value in a triangle. d1 and d2 are the values at
 * vertices 1 and 2 minus the value at vertex 0.
 */
struct sgd_gradient {
   double x1, x2, y1, y2; /* d/dx = d1 * x1 + d2 * x2, d/dy = d1 * y1 + d2 * y2 */
   double x, y;           /* vector from vertex 0 to the origin of the planes, in pixels */
};

/* Computes the planes of four values, which are f[i][0..3] * w[i] at vertex i. The outputs must not
 * overlap the inputs.
 */
static ALWAYS_INLINE void
sgd_planes4(const struct sgd_gradient *g, const float *const f[3], const double w[3], float *v0,
            float *dx, float *dy)
{
#if defined(__AVX2__)
   const __m256d f0 = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(f[0])), _mm256_set1_pd(w[0]));
   const __m256d f1 = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(f[1])), _mm256_set1_pd(w[1]));
   const __m256d f2 = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(f[2])), _mm256_set1_pd(w[2]));
   const __m256d d1 = _mm256_sub_pd(f1, f0), d2 = _mm256_sub_pd(f2, f0);
#define SUM(a, x, b, y) \
   _mm256_add_pd(_mm256_mul_pd(a, _mm256_set1_pd(x)), _mm256_mul_pd(b, _mm256_set1_pd(y)))
   const __m256d gx = SUM(d1, g->x1, d2, g->x2), gy = SUM(d1, g->y1, d2, g->y2);
   const __m256d at = _mm256_add_pd(f0, SUM(gx, g->x, gy, g->y));
#undef SUM
   _mm_storeu_ps(v0, _mm256_cvtpd_ps(at));
   _mm_storeu_ps(dx, _mm256_cvtpd_ps(gx));
   _mm_storeu_ps(dy, _mm256_cvtpd_ps(gy));
#else
   float r[3][4];

   for (unsigned i = 0; i < 4; i++) {
      const double f0 = sgd_wide(f[0][i]) * w[0];
      const double d1 = sgd_wide(f[1][i]) * w[1] - f0, d2 = sgd_wide(f[2][i]) * w[2] - f0;
      const double gx = d1 * g->x1 + d2 * g->x2;
      const double gy = d1 * g->y1 + d2 * g->y2;

      r[0][i] = sgd_narrow(f0 + (gx * g->x + gy * g->y));
      r[1][i] = sgd_narrow(gx);
      r[2][i] = sgd_narrow(gy);
   }
   memcpy(v0, r[0], sizeof(r[0]));
   memcpy(dx, r[1], sizeof(r[1]));
   memcpy(dy, r[2], sizeof(r[2]));
#endif
}

#endif
