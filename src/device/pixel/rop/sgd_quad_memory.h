/* SPDX-License-Identifier: MIT */
/*
 * ROP: the quads of a warp, and their elements in a tiled surface.
 *
 * Quads at the same position must be processed in order, because each one reads the results of the
 * previous one. Therefore a warp is divided into groups of quads with distinct positions, and the
 * quads of a group are loaded, processed and stored together. The elements of an 8x4 block are in
 * lane order in memory.
 */
#ifndef SGD_QUAD_MEMORY_H
#define SGD_QUAD_MEMORY_H

#include <string.h>

#include "common/sgd_lanes.h"
#include "common/sgd_quads.h"
#include "common/sgd_state.h"
#include "util/compiler.h"

/* Returns true if no two quads of the warp have the same position, so that they form one group. */
static ALWAYS_INLINE bool
sgd_is_group(const struct sgd_quads *quads)
{
   return quads->distinct | quads->block;
}

/* Returns the index of the first quad that has the same position as an earlier quad, or SGD_QUADS
 * if all positions differ. Ignores quads with no lane in `lanes`.
 */
#if defined(__AVX2__)
static inline unsigned
sgd_first_again(const struct sgd_quads *quads, uint32_t lanes)
{
   const __m128i x = _mm_loadu_si128((const __m128i *)quads->x);
   const __m128i y = _mm_loadu_si128((const __m128i *)quads->y);
   const __m256i place = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(x, y)),
                                                 _mm_unpackhi_epi16(x, y), 1);
   const __m256i of_quad = _mm256_setr_epi32(15, 15 << 4, 15 << 8, 15 << 12, 15 << 16, 15 << 20,
                                             15 << 24, (int)(15u << 28));
   const __m256i unused = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes),
                                                              of_quad),
                                             _mm256_setzero_si256());
   const uint32_t used = ~_mm256_movemask_ps(_mm256_castsi256_ps(unused)) & 0xff;
   __m256i after = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
   uint32_t again = 0;

   /* Compare each quad with the quad that is i positions later in the warp. */
   for (unsigned i = 1; i < SGD_QUADS; i++) {
      const __m256i same = _mm256_cmpeq_epi32(place, _mm256_permutevar8x32_epi32(place, after));
      again |= (_mm256_movemask_ps(_mm256_castsi256_ps(same)) & used) << i & used;
      after = _mm256_add_epi32(after, _mm256_set1_epi32(1));
   }
   return again ? (unsigned)__builtin_ctz(again) : SGD_QUADS;
}
#else
static inline unsigned
sgd_first_again(const struct sgd_quads *quads, uint32_t lanes)
{
   for (unsigned q = 1; q < quads->count; q++) {
      if (!(lanes & sgd_quad_lanes(q)))
         continue;
      for (unsigned p = 0; p < q; p++) {
         if ((lanes & sgd_quad_lanes(p)) && quads->x[p] == quads->x[q] &&
             quads->y[p] == quads->y[q])
            return q;
      }
   }
   return SGD_QUADS;
}
#endif

/* Returns the lanes in `mask` of the group that starts with quad *next, or 0 if there are no more
 * lanes. Sets *next to the first quad of the next group. `mask` must not have lanes of unused
 * quads.
 */
static inline uint32_t
sgd_next_group(const struct sgd_quads *quads, uint32_t mask, unsigned *next)
{
   /* lanes of the quads that have not been processed yet */
   const uint32_t left = *next < SGD_QUADS ? mask & ~0u << 4 * *next : 0;

   *next = SGD_QUADS;
   if (!left || sgd_is_group(quads))
      return left;
   *next = sgd_first_again(quads, left);
   return *next < SGD_QUADS ? left & ((1u << 4 * *next) - 1) : left;
}

/* Addresses of a group's quads. The four elements of a quad are adjacent in memory. Quads without
 * lanes point to `nowhere`, so that loops need no conditions. The elements of a block are all
 * contiguous, starting at quad[0].
 */
struct sgd_quad_memory {
   uint8_t *quad[SGD_QUADS];
   _Alignas(64) uint8_t nowhere[64];
};

#if defined(__AVX2__)
/* Computes the addresses of the first `count` quads (4 or 8) in parallel. Offsets fit in 32 bits,
 * because a layer has at most SGPU_LAYOUT_MAX_SIZE squared elements of 16 bytes, which is 2^32
 * bytes.
 */
static ALWAYS_INLINE void
sgd_v8_place_quads(struct sgd_quad_memory *m, uint8_t *layer, uint32_t pitch,
                   const struct sgd_quads *quads, uint32_t lanes, unsigned bytes, unsigned count)
{
   const __m128i x = _mm_loadu_si128((const __m128i *)quads->x);
   const __m128i y = _mm_loadu_si128((const __m128i *)quads->y);
   const __m256i of_quad = _mm256_setr_epi32(15, 15 << 4, 15 << 8, 15 << 12, 15 << 16, 15 << 20,
                                             15 << 24, (int)(15u << 28));
   /* Each word has a quad's y in its high half and x in its low half. */
   const __m256i place = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(x, y)),
                                                 _mm_unpackhi_epi16(x, y), 1);
   /* Compute the index of the quad's first element in its row of blocks: 4 * x - 2 * (x & 6) + 8 *
    * (y & 2). A block has 32 elements, half a block 16 and a quad 4.
    */
   const __m256i in_block = _mm256_and_si256(place, _mm256_set1_epi32(2 << 16 | 6));
   const __m256i columns = _mm256_madd_epi16(place, _mm256_set1_epi32((int)(4 * bytes)));
   const __m256i rest = _mm256_madd_epi16(in_block,
                                          _mm256_set1_epi32(
                                             (int)(8 * bytes << 16 | (-2 * bytes & 0xffff))));
   const __m256i rows = _mm256_mullo_epi32(_mm256_srli_epi32(place, 18),
                                           _mm256_set1_epi32((int)pitch));
   const __m256i offset = _mm256_add_epi32(rows, _mm256_add_epi32(columns, rest));
   const __m256i unused = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes),
                                                              of_quad),
                                             _mm256_setzero_si256());
   const __m256i base = _mm256_set1_epi64x((intptr_t)layer);
   const __m256i nowhere = _mm256_set1_epi64x((intptr_t)m->nowhere);

   for (unsigned i = 0; i < count / 4; i++) {
      const __m128i o = i ? _mm256_extracti128_si256(offset, 1) : _mm256_castsi256_si128(offset);
      const __m128i u = i ? _mm256_extracti128_si256(unused, 1) : _mm256_castsi256_si128(unused);
      const __m256i at = _mm256_add_epi64(base, _mm256_cvtepu32_epi64(o));
      _mm256_storeu_si256((__m256i *)&m->quad[4 * i],
                          _mm256_blendv_epi8(at, nowhere, _mm256_cvtepi32_epi64(u)));
   }
}
#endif

/* Returns the address of the layer that the quads are in, in the sample plane of their sample. */
static ALWAYS_INLINE uint8_t *
sgd_quads_layer(const struct sgd_surface *s, const struct sgd_quads *quads)
{
   return s->base + quads->layer * s->layer_stride + quads->sample * s->sample_stride;
}

/* Returns the address of the quads' 8x4 block, whose elements are in lane order. */
static ALWAYS_INLINE uint8_t *
sgd_block_memory(const struct sgd_surface *s, const struct sgd_quads *quads, unsigned bytes)
{
   return sgd_quads_layer(s, quads) + (uint64_t)(uint32_t)(quads->y[0] >> 2) * s->pitch +
          (uint32_t)(quads->x[0] >> 3) * (SGD_WARP * bytes);
}

/* Prefetches the elements of a block for writing. */
static ALWAYS_INLINE void
sgd_prefetch_block(const struct sgd_surface *s, const struct sgd_quads *quads)
{
   const unsigned bytes = s->bpe;
   const uint8_t *const block = sgd_block_memory(s, quads, bytes);

   __builtin_prefetch(block, 1);
   __builtin_prefetch(block + SGD_WARP * bytes / 2, 1);
   for (unsigned i = 64; unlikely(i < SGD_WARP * bytes / 2); i += 64) {
      __builtin_prefetch(block + i, 1);
      __builtin_prefetch(block + i + SGD_WARP * bytes / 2, 1);
   }
}

static ALWAYS_INLINE void
sgd_place_quads(struct sgd_quad_memory *m, const struct sgd_surface *s,
                const struct sgd_quads *quads, uint32_t lanes, unsigned bytes)
{
   if (quads->block) {
      uint8_t *const block = sgd_block_memory(s, quads, bytes);
      for (unsigned q = 0; q < SGD_QUADS; q++)
         m->quad[q] = block + q * 4 * bytes;
      return;
   }
   uint8_t *const layer = sgd_quads_layer(s, quads);

   memset(m->nowhere, 0, sizeof(m->nowhere));
#if defined(__AVX2__)
   sgd_v8_place_quads(m, layer, s->pitch, quads, lanes, bytes, SGD_QUADS);
#else
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      const uint32_t x = quads->x[q], y = quads->y[q];
      const uint32_t element = (x >> 3) * SGD_WARP + (y >> 1 & 1) * 16 + (x >> 1 & 3) * 4;
      uint8_t *const p = layer + (uint64_t)(y >> 2) * s->pitch + element * bytes;
      m->quad[q] = lanes & sgd_quad_lanes(q) ? p : m->nowhere;
   }
#endif
}

#if defined(__AVX2__)
/* Computes the addresses of the first `count` quads (4 or 8) of a warp that is not a block. */
static ALWAYS_INLINE void
sgd_v8_place_first(struct sgd_quad_memory *m, const struct sgd_surface *s,
                   const struct sgd_quads *quads, uint32_t lanes, unsigned bytes, unsigned count)
{
   memset(m->nowhere, 0, sizeof(m->nowhere));
   sgd_v8_place_quads(m, sgd_quads_layer(s, quads), s->pitch, quads, lanes, bytes, count);
}
#endif

/* Loads the elements of the quads in lane order. They are written to `elements` with vectors as
 * wide as those that read them later, so that the host CPU can forward the data from its store
 * queue.
 */
static ALWAYS_INLINE void
sgd_load_quads(void *restrict elements, const struct sgd_quad_memory *m, unsigned bytes)
{
   uint8_t *restrict e = elements;

#if defined(__AVX512F__)
   if (bytes == 4) {
      for (unsigned q = 0; q < SGD_QUADS; q += 4) {
         const __m128i *const *p = (const __m128i *const *)&m->quad[q];
         __m512i v = _mm512_castsi128_si512(_mm_loadu_si128(p[0]));
         v = _mm512_inserti32x4(v, _mm_loadu_si128(p[1]), 1);
         v = _mm512_inserti32x4(v, _mm_loadu_si128(p[2]), 2);
         v = _mm512_inserti32x4(v, _mm_loadu_si128(p[3]), 3);
         _mm512_storeu_si512(e + q * 16, v);
      }
      return;
   }
#endif
#if defined(__AVX2__)
   if (bytes == 4) {
      for (unsigned q = 0; q < SGD_QUADS; q += 2) {
         const __m128i *const *p = (const __m128i *const *)&m->quad[q];
         _mm256_storeu_si256((__m256i *)(e + q * 16), _mm256_loadu2_m128i(p[1], p[0]));
      }
      return;
   }
#endif
   for (unsigned q = 0; q < SGD_QUADS; q++)
      memcpy(e + q * 4 * bytes, m->quad[q], 4 * bytes);
}

/* Stores the elements of all lanes of the quads. */
static ALWAYS_INLINE void
sgd_store_quads(const void *restrict elements, const struct sgd_quad_memory *m, unsigned bytes)
{
   const uint8_t *restrict e = elements;

   for (unsigned q = 0; q < SGD_QUADS; q++)
      memcpy(m->quad[q], e + q * 4 * bytes, 4 * bytes);
}

/* The following functions load and store elements whose size isn't a compile-time constant. */

#define SGD_BY_SIZE(call, a, b) \
   switch (bytes) {             \
   case 1:                      \
      call(a, b, 1);            \
      break;                    \
   case 2:                      \
      call(a, b, 2);            \
      break;                    \
   case 4:                      \
      call(a, b, 4);            \
      break;                    \
   case 8:                      \
      call(a, b, 8);            \
      break;                    \
   case 16:                     \
      call(a, b, 16);           \
      break;                    \
   default:                     \
      call(a, b, bytes);        \
      break;                    \
   }

static inline void
sgd_load_elements(void *elements, const struct sgd_quad_memory *m, unsigned bytes)
{
   SGD_BY_SIZE(sgd_load_quads, elements, m)
}

static inline void
sgd_store_elements(const void *elements, const struct sgd_quad_memory *m, unsigned bytes)
{
   SGD_BY_SIZE(sgd_store_quads, elements, m)
}

#undef SGD_BY_SIZE

#endif
