/* SPDX-License-Identifier: MIT */
/*
 * Lane masks as bits and as arrays of all ones or zeros.
 */
#ifndef SGD_LANES_H
#define SGD_LANES_H

#include <stdint.h>

#include "sgd_state.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* m[i] = all ones where bit i of mask is set. */
static inline void
sgd_mask_expand(uint32_t mask, uint32_t m[SGD_WARP])
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      m[i] = -((mask >> i) & 1);
}

/* Bit i: the top bit of m[i]. */
static inline uint32_t
sgd_mask_gather(const uint32_t m[SGD_WARP])
{
   uint32_t mask = 0;
#if defined(__AVX2__)
   for (unsigned i = 0; i < SGD_WARP; i += 8) {
      const __m256i v = _mm256_loadu_si256((const __m256i *)(m + i));
      mask |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)) << i;
   }
#else
   for (unsigned i = 0; i < SGD_WARP; i++)
      mask |= (m[i] >> 31) << i;
#endif
   return mask;
}

/* Lanes of quad q. */
static inline uint32_t
sgd_quad_lanes(unsigned q)
{
   return 15u << (q * 4);
}

#endif
