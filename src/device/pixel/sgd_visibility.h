/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: the visibility buffer of a tile, for policy ooo+split+break.
 *
 * Fragments pass their early tests in program order.  Those of states with the role
 * SGD_ORDER_LATER are not shaded then: a record keeps a block's or a quad's lanes, and
 * the buffer has for each pixel the number of the last record that covers it.  Later, the
 * pixels that still have a record's number are the record's fragments to be shaded.  Each
 * pixel has one such fragment, so these can be shaded and stored in any order.
 *
 * Records of several lists of the tile wait together.  Fragments that are shaded at once,
 * of the role SGD_ORDER_NOW or for want of room, take their pixels from the buffer.
 */
#ifndef SGD_VISIBILITY_H
#define SGD_VISIBILITY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sgd_arch.h"
#include "sgd_lanes.h"
#include "sgd_state.h"
#include "sgd_waiting.h"

struct sgd_pixels;
struct sgd_prim;
struct sgd_quads;
struct sgd_raster;

struct sgd_visible {
   const struct sgd_prim *prim;
   uint32_t mask; /* lanes: 32 of a block, 4 of a quad */
   uint8_t x, y;  /* in the tile */
   bool block;
};

struct sgd_visibility {
   /* Number of the record that has a pixel: base and its index.  Lower ones, of which 0 is
    * one, are of no record that waits.  8x4 blocks row by row, in each the order of lanes.
    */
   _Alignas(64) uint16_t owner[SGD_TILE * SGD_TILE];
   uint32_t base, count;
   struct sgd_visible record[SGD_WAITING_RECORDS];
};

/* Allocates the buffer and, if `empty`, drops all records; false: no memory. */
bool sgd_visibility_begin(struct sgd_raster *r, bool empty);
/* Records the lanes of the quads; false: there is no room. */
bool sgd_visibility_add(struct sgd_raster *r, const struct sgd_pixels *pixels);
/* Takes the lanes of `mask` from their records. */
void sgd_visibility_hide(struct sgd_raster *r, const struct sgd_quads *quads, uint32_t mask);

/* The owners of a block's lanes, or of a quad's; x and y in the tile. */
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

/* Lanes of record n that are visible. */
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
