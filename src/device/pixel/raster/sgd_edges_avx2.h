/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: AVX2 version of sgd_edges.h, which processes eight lanes or blocks at a time.
 *
 * Vector i of a block has the lanes of quads i and i + 4, so that packing four vectors to bytes
 * yields the lane order.
 */
#ifndef SGD_EDGES_AVX2_H
#define SGD_EDGES_AVX2_H

#include <assert.h>
#include <immintrin.h>
#include <stddef.h>

/* Computes the edges in 64 bits. Each vector has one element per edge, and the fourth element is
 * unused.
 */
static ALWAYS_INLINE unsigned
sgd_edges_of(struct sgd_edges *ed, const struct sgd_prim *prim, int x, int y, int x0, int y0, int w,
             int h)
{
   static_assert(offsetof(struct sgd_prim, u.tri.a) == offsetof(struct sgd_prim, u.tri.c) + 24 &&
                    offsetof(struct sgd_prim, u.tri.b) == offsetof(struct sgd_prim, u.tri.a) + 12,
                 "");
   const __m256i c = _mm256_loadu_si256((const __m256i *)prim->u.tri.c);
   const __m128i a = _mm_loadu_si128((const __m128i *)prim->u.tri.a);
   const __m128i b = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&prim->u.tri.a[2]),
                                       _MM_SHUFFLE(3, 3, 2, 1));
   const __m128i none = _mm_setzero_si128();
#define WIDE(v) _mm256_cvtepi32_epi64(v)
#define SUM(a, x, b, y)                                               \
   _mm256_add_epi64(_mm256_mul_epi32(WIDE(a), _mm256_set1_epi64x(x)), \
                    _mm256_mul_epi32(WIDE(b), _mm256_set1_epi64x(y)))
   const __m256i first = _mm256_add_epi64(c, SUM(a, x, b, y));
   const __m256i e = _mm256_add_epi64(first, SUM(a, x0, b, y0));
   const __m256i low = _mm256_add_epi64(e,
                                        SUM(_mm_min_epi32(a, none), w, _mm_min_epi32(b, none), h));
   const __m256i high = _mm256_add_epi64(e,
                                         SUM(_mm_max_epi32(a, none), w, _mm_max_epi32(b, none), h));
#undef SUM
#undef WIDE
   const unsigned cuts = _mm256_movemask_pd(_mm256_castsi256_pd(low)) & 7;
   const unsigned outside = _mm256_movemask_pd(_mm256_castsi256_pd(high)) & 7;

   /* Move the low halves of the 64-bit elements to the front and the high halves to the back. */
   const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
   const __m128i cut =
      _mm_srai_epi32(_mm256_extracti128_si256(_mm256_permutevar8x32_epi32(low, even), 1), 31);
   const __m128i e32 = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(first, even));
   _mm_storeu_si128((__m128i *)ed->e, _mm_and_si128(e32, cut));
   _mm_storeu_si128((__m128i *)ed->a, _mm_and_si128(a, cut));
   _mm_storeu_si128((__m128i *)ed->b, _mm_and_si128(b, cut));
   return cuts | (outside ? SGD_EDGES_OUTSIDE : 0);
}

struct sgd_edge_lanes {
   /* change of the edge value from the block's first pixel to the lanes of quads 0 and 4 */
   __m256i first[3];
   __m256i step[3]; /* change of the edge value from each quad to the next */
};

static ALWAYS_INLINE void
sgd_edges_lanes(struct sgd_edge_lanes *lanes, const struct sgd_edges *ed, unsigned n)
{
   const __m256i right = _mm256_setr_epi32(0, -1, 0, -1, 0, -1, 0, -1);
   const __m256i below = _mm256_setr_epi32(0, 0, -1, -1, 0, 0, -1, -1);
   const __m256i lower = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);

   for (unsigned i = 0; i < n; i++) {
      const __m256i a = _mm256_set1_epi32(ed->a[i]), b = _mm256_set1_epi32(ed->b[i]);
      const __m256i b2 = _mm256_add_epi32(b, b);
      const __m256i y = _mm256_add_epi32(_mm256_and_si256(b, below), _mm256_and_si256(b2, lower));
      lanes->first[i] = _mm256_add_epi32(_mm256_and_si256(a, right), y);
      lanes->step[i] = _mm256_add_epi32(a, a);
   }
}

static ALWAYS_INLINE uint32_t
sgd_edges_inside(const struct sgd_edge_lanes *lanes, unsigned n, const int32_t *e, unsigned stride)
{
   __m256i v0, v1, v2, v3;

   for (unsigned i = 0; i < n; i++) {
      const __m256i e0 = _mm256_add_epi32(lanes->first[i], _mm256_set1_epi32(e[i * stride]));
      const __m256i e1 = _mm256_add_epi32(e0, lanes->step[i]);
      const __m256i e2 = _mm256_add_epi32(e1, lanes->step[i]);
      const __m256i e3 = _mm256_add_epi32(e2, lanes->step[i]);
      v0 = i ? _mm256_or_si256(v0, e0) : e0;
      v1 = i ? _mm256_or_si256(v1, e1) : e1;
      v2 = i ? _mm256_or_si256(v2, e2) : e2;
      v3 = i ? _mm256_or_si256(v3, e3) : e3;
   }
   const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(v0, v1), _mm256_packs_epi32(v2, v3));
   return ~(uint32_t)_mm256_movemask_epi8(bytes);
}

static ALWAYS_INLINE void
sgd_edges_blocks(const struct sgd_prim *prim, unsigned x, unsigned y, unsigned columns,
                 unsigned rows, uint32_t *mask)
{
   const __m256i column = _mm256_add_epi32(_mm256_set1_epi32(x),
                                           _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1));
   const __m256i row = _mm256_add_epi32(_mm256_set1_epi32(y),
                                        _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
   __m256i first[3], step[3], down[3];

   for (unsigned i = 0; i < 3; i++) {
      const __m256i a = _mm256_set1_epi32(prim->u.tri.a[i]);
      const __m256i b = _mm256_set1_epi32(prim->u.tri.b[i]);
      const __m256i c = _mm256_set1_epi32((int32_t)prim->u.tri.c[i]);
      first[i] = _mm256_add_epi32(c, _mm256_add_epi32(_mm256_mullo_epi32(a, column),
                                                      _mm256_mullo_epi32(b, row)));
      step[i] = _mm256_add_epi32(a, a);
      down[i] = _mm256_slli_epi32(b, 2);
   }
   for (unsigned r = 0; r < rows; r++) {
      __m256i e[3] = { first[0], first[1], first[2] };

      for (unsigned k = 0; k < columns; k++) {
         __m256i v[4];
         for (unsigned q = 0; q < 4; q++) {
            v[q] = _mm256_or_si256(_mm256_or_si256(e[0], e[1]), e[2]);
            for (unsigned i = 0; i < 3; i++)
               e[i] = _mm256_add_epi32(e[i], step[i]);
         }
         const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(v[0], v[1]),
                                                  _mm256_packs_epi32(v[2], v[3]));
         *mask++ = ~(uint32_t)_mm256_movemask_epi8(bytes);
      }
      for (unsigned i = 0; i < 3; i++)
         first[i] = _mm256_add_epi32(first[i], down[i]);
   }
}

static ALWAYS_INLINE void
sgd_edges_grid(struct sgd_edge_grid *grid, const struct sgd_edges *ed, unsigned n, unsigned first,
               unsigned end)
{
   const __m256i column = _mm256_setr_epi32(0, 8, 16, 24, 32, 40, 48, 56);
   const __m256i row = _mm256_set1_epi32(SGD_BLOCK_H * first);
   const __m256i zero = _mm256_setzero_si256();
   __m256i at[3], high[3], low[3], down[3];

   for (unsigned i = 0; i < n; i++) {
      const __m256i a = _mm256_set1_epi32(ed->a[i]), b = _mm256_set1_epi32(ed->b[i]);
      const __m256i e = _mm256_set1_epi32(ed->e[i]);
      at[i] = _mm256_add_epi32(_mm256_add_epi32(e, _mm256_mullo_epi32(a, column)),
                               _mm256_mullo_epi32(b, row));
      /* Change of the edge value from the first to the last pixel of a row (w) and of a column (h).
       */
      const __m256i w = _mm256_sub_epi32(_mm256_slli_epi32(a, 3), a);
      const __m256i h = _mm256_add_epi32(_mm256_add_epi32(b, b), b);
      high[i] = _mm256_add_epi32(_mm256_max_epi32(w, zero), _mm256_max_epi32(h, zero));
      low[i] = _mm256_add_epi32(_mm256_min_epi32(w, zero), _mm256_min_epi32(h, zero));
      down[i] = _mm256_slli_epi32(b, 2);
   }
   _mm_store_si128((__m128i *)grid->some, _mm_setzero_si128());
   _mm_store_si128((__m128i *)grid->full, _mm_setzero_si128());
   for (unsigned k = first; k < end; k++) {
      __m256i outside = zero, cut = zero;

      for (unsigned i = 0; i < n; i++) {
         _mm256_store_si256((__m256i *)grid->at[i][k], at[i]);
         outside = _mm256_or_si256(outside, _mm256_add_epi32(at[i], high[i]));
         cut = _mm256_or_si256(cut, _mm256_add_epi32(at[i], low[i]));
         at[i] = _mm256_add_epi32(at[i], down[i]);
      }
      const uint32_t some = _mm256_movemask_ps(_mm256_castsi256_ps(outside)) ^ 0xff;
      const uint32_t full = _mm256_movemask_ps(_mm256_castsi256_ps(cut)) ^ 0xff;
      grid->some[k / 4] |= some << k % 4 * 8;
      grid->full[k / 4] |= full << k % 4 * 8;
   }
}

#endif
