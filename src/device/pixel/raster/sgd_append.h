/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: appends quads to a collector (struct sgd_collector) and takes a warp's worth of
 * quads out of it.
 *
 * There are two implementations with identical results: plain loops for any host, and AVX2.
 */
#ifndef SGD_APPEND_H
#define SGD_APPEND_H

#include <stdint.h>
#include <string.h>

#include "pixel/raster/sgd_raster.h"
#include "common/sgd_lanes.h"
#include "util/bitscan.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static_assert(SGD_TILE == 64, "coordinates of a quad have five bits");

/* Packs a quad into an element of sgd_collector.quad[]. */
static inline uint16_t
sgd_quad_word(unsigned x, unsigned y, uint32_t lanes, bool front)
{
   return lanes | (x & 62) << 3 | (y & 62) << 9 | (uint32_t)front << 15;
}

static inline unsigned
sgd_quad_word_x(uint16_t word)
{
   return word >> 3 & 62;
}

static inline unsigned
sgd_quad_word_y(uint16_t word)
{
   return word >> 9 & 62;
}

#if defined(__AVX2__)

/* Splits the lane mask of a block into the lane masks of its eight quads, one byte per quad. */
static ALWAYS_INLINE __m128i
sgd_v8_quad_lanes(uint32_t mask)
{
   const __m128i bits = _mm_cvtsi32_si128(mask), four = _mm_set1_epi8(15);

   return _mm_unpacklo_epi8(_mm_and_si128(bits, four),
                            _mm_and_si128(_mm_srli_epi16(bits, 4), four));
}

#endif

/* Returns the mask of the quads that have lanes in `mask`, the lane mask of a block. Bit q is quad
 * q.
 */
static ALWAYS_INLINE uint32_t
sgd_block_quads(uint32_t mask)
{
#if defined(__AVX2__)
   const __m128i none = _mm_cmpeq_epi8(sgd_v8_quad_lanes(mask), _mm_setzero_si128());
   return ~_mm_movemask_epi8(none) & 0xff;
#else
   uint32_t quads = sgd_lanes_quads(mask);
   quads = (quads | quads >> 3) & 0x03030303;
   quads = (quads | quads >> 6) & 0x000f000f;
   return (quads | quads >> 12) & 0xff;
#endif
}

/* Appends up to four quads of the 8x4 block at pixel x, y. `mask` is the lane mask of the block.
 * `quads` is the mask of the quads to append, which must be a subset of sgd_block_quads(mask). The
 * collector must have room for four quads.
 */
static ALWAYS_INLINE void
sgd_append_quads(struct sgd_collector *c, const struct sgd_prim *prim, unsigned x, unsigned y,
                 uint32_t mask, uint32_t quads)
{
#if defined(__AVX2__)
   /* order[m] is the byte shuffle that moves the first four quads of mask m to the front. Each quad
    * is a 16-bit word.
    */
#define WORD(m, q, below) \
   ((uint64_t)((m) >> (q)&1 && (below) < 4 ? 0x0100 + 0x0202 * (q) : 0) << 16 * ((below)&3))
#define QUAD(m, q) WORD(m, q, __builtin_popcount((m) & ((1 << (q)) - 1)))
#define ORDER(m)                                                                              \
   QUAD(m, 0) | QUAD(m, 1) | QUAD(m, 2) | QUAD(m, 3) | QUAD(m, 4) | QUAD(m, 5) | QUAD(m, 6) | \
      QUAD(m, 7)
#define FOUR(m) ORDER(m), ORDER((m) + 1), ORDER((m) + 2), ORDER((m) + 3)
#define SIXTEEN(m) FOUR(m), FOUR((m) + 4), FOUR((m) + 8), FOUR((m) + 12)
#define SIXTY_FOUR(m) SIXTEEN(m), SIXTEEN((m) + 16), SIXTEEN((m) + 32), SIXTEEN((m) + 48)
   static const uint64_t order[256] = {
      SIXTY_FOUR(0),
      SIXTY_FOUR(64),
      SIXTY_FOUR(128),
      SIXTY_FOUR(192),
   };
#undef SIXTY_FOUR
#undef SIXTEEN
#undef FOUR
#undef ORDER
#undef QUAD
#undef WORD
   const __m128i places = _mm_setr_epi16(0, 16, 32, 48, 1024, 1040, 1056, 1072);
   const __m128i first = _mm_set1_epi16((int16_t)sgd_quad_word(x, y, 0, prim->front));
   const __m128i lanes = _mm_cvtepu8_epi16(sgd_v8_quad_lanes(mask));
   const __m128i words = _mm_add_epi16(first, _mm_or_si128(places, lanes));
   const __m128i front = _mm_shuffle_epi8(words, _mm_loadl_epi64((const __m128i *)&order[quads]));

   _mm_storel_epi64((__m128i *)(c->quad + c->count), front);
   _mm256_storeu_si256((__m256i *)(c->prim + c->count), _mm256_set1_epi64x((intptr_t)prim));
   c->count += util_bitcount(quads);
#else
   while (quads) {
      const unsigned q = u_bit_scan(&quads);
      c->quad[c->count] = sgd_quad_word(x + (q & 3) * 2, y + (q >> 2) * 2, mask >> 4 * q & 15,
                                        prim->front);
      c->prim[c->count++] = prim;
   }
#endif
}

/* Unpacks the positions, facing and lane masks of the collector's first `count` quads (1 to 8). x
 * and y are the coordinates of the tile's first pixel.
 */
static ALWAYS_INLINE void
sgd_take_quads(struct sgd_quads *quads, const struct sgd_collector *c, unsigned count, int x, int y)
{
#if defined(__AVX2__)
   const __m128i w = _mm_load_si128((const __m128i *)c->quad), even = _mm_set1_epi16(62);
   const __m128i right = _mm_and_si128(_mm_srli_epi16(w, 3), even);
   const __m128i down = _mm_and_si128(_mm_srli_epi16(w, 9), even);
   const __m128i none = _mm_setzero_si128();
   const __m128i lanes = _mm_packus_epi16(_mm_and_si128(w, _mm_set1_epi16(15)), none);
   const __m128i pairs = _mm_maddubs_epi16(lanes, _mm_set1_epi16(0x1001));

   _mm_storeu_si128((__m128i *)quads->x, _mm_add_epi16(right, _mm_set1_epi16(x)));
   _mm_storeu_si128((__m128i *)quads->y, _mm_add_epi16(down, _mm_set1_epi16(y)));
   quads->front = _mm_movemask_epi8(_mm_packs_epi16(w, none));
   quads->mask = _mm_cvtsi128_si32(_mm_packus_epi16(pairs, none));
#else
   quads->front = 0;
   quads->mask = 0;
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      const uint32_t word = c->quad[q];
      quads->x[q] = x + sgd_quad_word_x(word);
      quads->y[q] = y + sgd_quad_word_y(word);
      quads->front |= word >> 15 << q;
      quads->mask |= (word & 15) << 4 * q;
   }
#endif
   quads->count = count;
   quads->front &= (1u << count) - 1;
   quads->mask &= ~0u >> (32 - 4 * count);
}

/* Copies the primitive pointers of the collector's first `count` quads (1 to 8). The first quad's
 * primitive fills the rest of the array.
 */
static ALWAYS_INLINE void
sgd_take_prims(const struct sgd_prim **prim, const struct sgd_collector *c, unsigned count)
{
#if defined(__AVX2__)
   const __m256i first = _mm256_set1_epi64x((intptr_t)c->prim[0]);
   const __m256i n = _mm256_set1_epi64x(count), q = _mm256_setr_epi64x(0, 1, 2, 3);
   const __m256i four = _mm256_set1_epi64x(4);
   const __m256i low = _mm256_loadu_si256((const __m256i *)c->prim);
   const __m256i high = _mm256_loadu_si256((const __m256i *)(c->prim + 4));

   _mm256_storeu_si256((__m256i *)prim, _mm256_blendv_epi8(first, low, _mm256_cmpgt_epi64(n, q)));
   _mm256_storeu_si256((__m256i *)(prim + 4),
                       _mm256_blendv_epi8(first, high,
                                          _mm256_cmpgt_epi64(n, _mm256_add_epi64(q, four))));
#else
   for (unsigned i = 0; i < SGD_QUADS; i++)
      prim[i] = c->prim[i < count ? i : 0];
#endif
}

#endif
