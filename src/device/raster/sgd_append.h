/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: quads of an 8x4 block to the end of a collector.
 *
 * There are two implementations with the same results: a loop for any host, and AVX2.
 */
#ifndef SGD_APPEND_H
#define SGD_APPEND_H

#include <stdint.h>
#include <string.h>

#include "raster/sgd_raster.h"
#include "sgd_lanes.h"
#include "util/bitscan.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Bit q: quad q of the four in bits 0 to 15 of sgd_lanes_quads(). */
static inline uint32_t
sgd_row_quads(uint32_t quads)
{
   return (quads & 0x1111) * 0x1248 >> 12 & 15;
}

/* Appends up to four quads of the block at x, y with their lanes of `mask`: `quads` as in
 * sgd_lanes_quads(), `upper` and `lower` those of its two rows.  The collector has room.
 */
static ALWAYS_INLINE void
sgd_append_quads(struct sgd_collector *c, const struct sgd_prim *prim, unsigned x, unsigned y,
                 uint32_t mask, uint32_t quads, uint32_t upper, uint32_t lower)
{
   const unsigned first = c->count;
   unsigned n = first;

#if defined(__AVX2__)
   /* The quads of a row in order, a byte each; 0 behind them. */
   static const uint32_t order[16] = {
      0x000000, 0x000000, 0x000001, 0x000100, 0x000002, 0x000200, 0x000201, 0x00020100,
      0x000003, 0x000300, 0x000301, 0x030100, 0x000302, 0x030200, 0x030201, 0x03020100,
   };
   const unsigned above = util_bitcount(upper);
   const uint64_t number = order[upper] | (uint64_t)(order[lower] + 0x04040404) << 8 * above;
   const __m128i q = _mm_cvtsi64_si128(number), four = _mm_set1_epi8(15);
   const __m128i bits = _mm_cvtsi32_si128(mask);
   const __m128i lanes = _mm_unpacklo_epi8(_mm_and_si128(bits, four),
                                           _mm_and_si128(_mm_srli_epi16(bits, 4), four));
   const __m128i wide = _mm_cvtepu8_epi16(q);
   const __m128i right = _mm_slli_epi16(_mm_and_si128(wide, _mm_set1_epi16(3)), 1);
   const __m128i down = _mm_and_si128(_mm_srli_epi16(wide, 1), _mm_set1_epi16(2));

   n += above + util_bitcount(lower);
   _mm_storeu_si32(c->lanes + first, _mm_shuffle_epi8(lanes, q));
   _mm_storel_epi64((__m128i *)(c->x + first), _mm_add_epi16(_mm_set1_epi16(x), right));
   _mm_storel_epi64((__m128i *)(c->y + first), _mm_add_epi16(_mm_set1_epi16(y), down));
   _mm256_storeu_si256((__m256i *)(c->prim + first), _mm256_set1_epi64x((intptr_t)prim));
#else
   while (quads) {
      const unsigned bit = u_bit_scan(&quads);
      c->x[n] = x + (bit >> 1 & 6);
      c->y[n] = y + (bit >> 4) * 2;
      c->prim[n] = prim;
      c->lanes[n] = mask >> bit & 15;
      n++;
   }
#endif
   c->front |= prim->front ? (1u << n) - (1u << first) : 0;
   c->count = n;
}

/* The lanes of the collector's first quads, 1 to 8 of them. */
static inline uint32_t
sgd_collected_lanes(const struct sgd_collector *c, unsigned count)
{
   uint64_t v;

   memcpy(&v, c->lanes, sizeof(v));
   v &= ~UINT64_C(0) >> (64 - 8 * count);
   v = (v | v >> 4) & UINT64_C(0x00ff00ff00ff00ff);
   v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
   return v | v >> 16;
}

#endif
