/* SPDX-License-Identifier: MIT */
/*
 * Lanes of pixel warps. A lane mask is either a word with one bit per lane, or an array with a word
 * per lane that is all ones or zero.
 *
 * Lane 4q + i is pixel i of quad q. The pixels of a quad and the quads of a block are numbered row
 * by row from the upper left. struct sgd_quads and the elements of a micro tile use the same order.
 */
#ifndef SGD_LANES_H
#define SGD_LANES_H

#include <stdint.h>

#include "common/sgd_state.h"
#include "util/compiler.h"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

/* Returns a mask in which bit i is the top bit of m[i]. */
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

/* Returns all ones if bit l of `mask` is set, and 0 otherwise. */
static ALWAYS_INLINE uint32_t
sgd_lane_mask(uint32_t mask, unsigned l)
{
   static const uint32_t bit[SGD_WARP] = {
#define FOUR(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
      FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28),
#undef FOUR
   };
   return -(uint32_t)((mask & bit[l]) != 0);
}

/* Returns the lane mask of quad q. */
static inline uint32_t
sgd_quad_lanes(unsigned q)
{
   return 15u << (q * 4);
}

/* Returns a mask in which bit 4q is set if `mask` contains any lane of quad q. */
static inline uint32_t
sgd_lanes_quads(uint32_t mask)
{
   mask |= mask >> 1;
   mask |= mask >> 2;
   return mask & 0x11111111u;
}

/* Returns the lane mask of all quads that have at least one lane in `lanes`. */
static inline uint32_t
sgd_whole_quads(uint32_t lanes)
{
   return sgd_lanes_quads(lanes) * 15;
}

/* -- blocks of 8x4 pixels ------------------------------------------------------ */

#define SGD_BLOCK_W 8
#define SGD_BLOCK_H 4

/* Return the coordinates of a lane's pixel inside its block. */
static inline unsigned
sgd_lane_x(unsigned lane)
{
   return (lane >> 2 & 3) * 2 + (lane & 1);
}

static inline unsigned
sgd_lane_y(unsigned lane)
{
   return (lane >> 4) * 2 + (lane >> 1 & 1);
}

/* Return a mask in which bit n is set if v[n] is negative. */
static inline uint32_t
sgd_negative32(const int32_t v[32])
{
#if defined(__AVX512DQ__)
   return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(v)) |
          (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(v + 16)) << 16;
#elif defined(__AVX2__)
   uint32_t mask = 0;
   for (unsigned i = 0; i < 4; i++) {
      __m256i x = _mm256_loadu_si256((const __m256i *)(v + 8 * i));
      mask |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x)) << (8 * i);
   }
   return mask;
#elif defined(__SSE2__)
   uint32_t mask = 0;
   for (unsigned i = 0; i < 2; i++) {
      const __m128i *p = (const __m128i *)(v + 16 * i);
      __m128i low = _mm_packs_epi32(_mm_loadu_si128(p), _mm_loadu_si128(p + 1));
      __m128i high = _mm_packs_epi32(_mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3));
      mask |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << (16 * i);
   }
   return mask;
#else
   uint32_t mask = 0;
   for (unsigned i = 0; i < 32; i++)
      mask |= ((uint32_t)v[i] >> 31) << i;
   return mask;
#endif
}

static inline uint32_t
sgd_negative16(const int32_t v[16])
{
#if defined(__AVX512DQ__)
   return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(v));
#elif defined(__SSE2__)
   const __m128i *p = (const __m128i *)v;
   __m128i low = _mm_packs_epi32(_mm_loadu_si128(p), _mm_loadu_si128(p + 1));
   __m128i high = _mm_packs_epi32(_mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3));
   return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
   uint32_t mask = 0;
   for (unsigned i = 0; i < 16; i++)
      mask |= ((uint32_t)v[i] >> 31) << i;
   return mask;
#endif
}

/* Return the mask of the lanes whose pixels are in the first n columns, or in the first n rows, of
 * a block.
 */
static inline uint32_t
sgd_lanes_left(unsigned n)
{
   static const uint32_t table[SGD_BLOCK_W + 1] = {
      0x00000000, 0x00050005, 0x000f000f, 0x005f005f, 0x00ff00ff,
      0x05ff05ff, 0x0fff0fff, 0x5fff5fff, 0xffffffff,
   };
   return table[n];
}

static inline uint32_t
sgd_lanes_above(unsigned n)
{
   static const uint32_t table[SGD_BLOCK_H + 1] = {
      0x00000000, 0x00003333, 0x0000ffff, 0x3333ffff, 0xffffffff,
   };
   return table[n];
}

/* Returns the mask of the lanes whose pixels are inside [x0, x1) x [y0, y1), for the block at (x,
 * y).
 */
static inline uint32_t
sgd_lanes_box(int x, int y, int x0, int y0, int x1, int y1)
{
   const int l = x0 - x, t = y0 - y, r = x1 - x, b = y1 - y;

   if (r <= 0 || b <= 0 || l >= SGD_BLOCK_W || t >= SGD_BLOCK_H)
      return 0;
   return sgd_lanes_left(r < SGD_BLOCK_W ? r : SGD_BLOCK_W) & ~sgd_lanes_left(l > 0 ? l : 0) &
          sgd_lanes_above(b < SGD_BLOCK_H ? b : SGD_BLOCK_H) & ~sgd_lanes_above(t > 0 ? t : 0);
}

#endif
