/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: sgd_edges.h with AVX2, eight lanes or blocks at a time.
 *
 * Vector i of a block has quads i and i + 4: packing four vectors to bytes then gives
 * the order of the lanes.
 */
#ifndef SGD_EDGES_AVX2_H
#define SGD_EDGES_AVX2_H

#include <assert.h>
#include <immintrin.h>
#include <stddef.h>

/* Each edge in 64 bits; the fourth element of a vector has no meaning. */
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

   /* The lower and the upper halves of 64-bit elements. */
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
   __m256i first[3]; /* of quads 0 and 4 */
   __m256i step[3];  /* from quad to quad */
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
      const __m256i xy = _mm256_add_epi32(_mm256_and_si256(a, right), y);
      lanes->first[i] = _mm256_add_epi32(_mm256_set1_epi32(ed->e[i]), xy);
      lanes->step[i] = _mm256_add_epi32(a, a);
   }
}

struct sgd_edge_row {
   __m256i first[3];
};

static ALWAYS_INLINE void
sgd_edges_row(struct sgd_edge_row *row, const struct sgd_edge_lanes *lanes,
              const struct sgd_edges *ed, unsigned n, int y)
{
   for (unsigned i = 0; i < n; i++)
      row->first[i] = _mm256_add_epi32(lanes->first[i], _mm256_set1_epi32(ed->b[i] * y));
}

static ALWAYS_INLINE uint32_t
sgd_edges_block(const struct sgd_edge_row *row, const struct sgd_edge_lanes *lanes,
                const struct sgd_edges *ed, unsigned n, int x)
{
   __m256i v0 = _mm256_setzero_si256(), v1 = v0, v2 = v0, v3 = v0;

   for (unsigned i = 0; i < n; i++) {
      const __m256i e0 = _mm256_add_epi32(row->first[i], _mm256_set1_epi32(ed->a[i] * x));
      const __m256i e1 = _mm256_add_epi32(e0, lanes->step[i]);
      const __m256i e2 = _mm256_add_epi32(e1, lanes->step[i]);
      const __m256i e3 = _mm256_add_epi32(e2, lanes->step[i]);
      v0 = _mm256_or_si256(v0, e0);
      v1 = _mm256_or_si256(v1, e1);
      v2 = _mm256_or_si256(v2, e2);
      v3 = _mm256_or_si256(v3, e3);
   }
   const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(v0, v1), _mm256_packs_epi32(v2, v3));
   return ~(uint32_t)_mm256_movemask_epi8(bytes);
}

struct sgd_edge_columns {
   __m256i high[3];   /* at the corner of each block where the edge is greatest */
   __m256i to_low[3]; /* from there to the corner where it is least */
};

static ALWAYS_INLINE void
sgd_edges_columns(struct sgd_edge_columns *c, const struct sgd_edges *ed, unsigned n)
{
   const __m256i k = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

   for (unsigned i = 0; i < n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i];
      const int32_t high = sgd_edge_high(a, b, SGD_BLOCK_W - 1, SGD_BLOCK_H - 1);
      const int32_t low = sgd_edge_low(a, b, SGD_BLOCK_W - 1, SGD_BLOCK_H - 1);
      c->high[i] = _mm256_add_epi32(_mm256_set1_epi32(ed->e[i] + high),
                                    _mm256_mullo_epi32(_mm256_set1_epi32(a * SGD_BLOCK_W), k));
      c->to_low[i] = _mm256_set1_epi32(low - high);
   }
}

static ALWAYS_INLINE uint32_t
sgd_edges_sort(const struct sgd_edge_columns *c, const struct sgd_edges *ed, unsigned n, int y,
               uint32_t *full)
{
   __m256i high = _mm256_setzero_si256(), low = high;

   for (unsigned i = 0; i < n; i++) {
      const __m256i v = _mm256_add_epi32(_mm256_set1_epi32(ed->b[i] * y), c->high[i]);
      high = _mm256_or_si256(high, v);
      low = _mm256_or_si256(low, _mm256_add_epi32(v, c->to_low[i]));
   }
   *full = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low)) & 0xff;
   return ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(high)) & 0xff;
}

#endif
