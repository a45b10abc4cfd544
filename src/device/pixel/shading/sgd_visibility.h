/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: visibility buffer of a tile, for the dispatch policy ooo+split+break.
 *
 * Fragments pass the early tests in program order. If their state has the role SGD_ORDER_LATER,
 * they aren't shaded immediately. Instead, the lanes of a block or quad are added to the buffer as
 * a record, and each covered pixel gets the number of that record, which replaces the number of an
 * earlier one. When a record is shaded later, only pixels that still have its number are shaded.
 * Each pixel has only one such fragment, so fragments can be shaded and stored in any order.
 *
 * The buffer can hold records of several lists of the tile. Fragments that are shaded immediately,
 * because their state has the role SGD_ORDER_NOW or because the buffer is full, remove their pixels
 * from the buffer.
 */
#ifndef SGD_VISIBILITY_H
#define SGD_VISIBILITY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/sgd_arch.h"
#include "common/sgd_lanes.h"
#include "common/sgd_state.h"
#include "common/sgd_waiting.h"

struct sgd_pixels;
struct sgd_prim;
struct sgd_quads;
struct sgd_pixel_stage;

struct sgd_visible {
   const struct sgd_prim *prim;
   uint32_t mask; /* mask of the 32 lanes of a block, or of the 4 lanes of a quad */
   uint8_t x, y;  /* position of the block or quad in the tile, in pixels */
   bool block;
};

struct sgd_visibility {
   /* Number of the record that owns each pixel, i.e. `base` plus the index in record[]. Numbers
    * below `base` mean that no record owns the pixel. Pixels are sorted by 8x4 block in row-major
    * order, and then by lane.
    */
   _Alignas(64) uint16_t owner[SGD_TILE * SGD_TILE];
   uint32_t base, count;
   struct sgd_visible record[SGD_WAITING_RECORDS];
};

/* Allocates the buffer if it doesn't exist yet, and drops all records if `empty` is set. Returns
 * false if the allocation fails.
 */
bool sgd_visibility_begin(struct sgd_pixel_stage *px, bool empty);
/* Adds the lanes of the quads to the buffer, as new records. Returns false if the buffer is full.
 */
bool sgd_visibility_add(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Removes the pixels of the lanes in `mask` from all records, because newer fragments hide them. */
void sgd_visibility_hide(struct sgd_pixel_stage *px, const struct sgd_quads *quads, uint32_t mask);

/* Returns a pointer to the 32 elements of v->owner[] for the block at pixel x, y of the tile. */
static inline uint16_t *
sgd_block_owners(struct sgd_visibility *v, unsigned x, unsigned y)
{
   return v->owner + (y / SGD_BLOCK_H * (SGD_TILE / SGD_BLOCK_W) + x / SGD_BLOCK_W) * SGD_WARP;
}

static inline uint16_t *
sgd_quad_owners(struct sgd_visibility *v, unsigned x, unsigned y)
{
   return sgd_block_owners(v, x, y) + (y >> 1 & 1) * 16 + (x >> 1 & 3) * 4;
}

/* Returns the lanes of record n that no newer fragment has hidden. */
static inline uint32_t
sgd_visibility_lanes(struct sgd_visibility *v, uint32_t n)
{
   const struct sgd_visible *record = &v->record[n];
   const uint16_t number = v->base + n;
   uint32_t mask = 0;

   if (!record->block) {
      const uint16_t *owner = sgd_quad_owners(v, record->x, record->y);
      for (unsigned i = 0; i < 4; i++)
         mask |= (uint32_t)(owner[i] == number) << i;
      return mask;
   }
   const uint16_t *owner = sgd_block_owners(v, record->x, record->y);
#if defined(__AVX512BW__)
   mask = _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(owner), _mm512_set1_epi16((short)number));
#elif defined(__SSE2__)
   const __m128i *p = (const __m128i *)owner, wanted = _mm_set1_epi16((short)number);
   for (unsigned i = 0; i < 2; i++) {
      const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(p + 2 * i), wanted);
      const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(p + 2 * i + 1), wanted);
      mask |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << (16 * i);
   }
#else
   for (unsigned l = 0; l < SGD_WARP; l++)
      mask |= (uint32_t)(owner[l] == number) << l;
#endif
   return mask;
}

#endif
