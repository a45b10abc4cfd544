/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: the visibility buffer of a tile, for dispatch policy ooo+split+break.
 *
 * Fragments pass their early tests in program order. If their state has the role
 * SGD_ORDER_LATER, they are not shaded then. Instead, a record keeps the lanes of a block
 * or a quad, and the buffer has for each pixel the number of the last record that covers
 * the pixel. Later, a record's fragments are shaded in those pixels that still have the
 * record's number. Each pixel has only one such fragment, so they can be shaded and
 * stored in any order.
 *
 * Records of several lists of the tile wait together. Fragments that are shaded at once,
 * because they have the role SGD_ORDER_NOW or because the buffer is full, remove their
 * pixels from the buffer.
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
   uint32_t mask; /* 32 lanes of a block, or 4 lanes of a quad */
   uint8_t x, y;  /* position in the tile */
   bool block;
};

struct sgd_visibility {
   /* For each pixel, the number of the record that owns it, which is `base` plus the
    * record's index. Lower numbers, such as 0, stand for no waiting record. The order is
    * 8x4 blocks row by row, and lanes within a block.
    */
   _Alignas(64) uint16_t owner[SGD_TILE * SGD_TILE];
   uint32_t base, count;
   struct sgd_visible record[SGD_WAITING_RECORDS];
};

/* Allocates the buffer, and drops all records if `empty` is set. Returns false if out of memory. */
bool sgd_visibility_begin(struct sgd_pixel_stage *px, bool empty);
/* Adds records for the lanes of the quads. Returns false if there is no room. */
bool sgd_visibility_add(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Removes the lanes of `mask` from their records. */
void sgd_visibility_hide(struct sgd_pixel_stage *px, const struct sgd_quads *quads, uint32_t mask);

/* Returns the owners of the lanes of a block or a quad; x and y are the position in the tile. */
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

/* Returns the visible lanes of record n. */
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
