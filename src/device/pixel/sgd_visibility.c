/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: the visibility buffer of a tile, for policy ooo+split+break.
 */
#include "pixel/sgd_visibility.h"

#include <stdlib.h>
#include <string.h>

#include "raster/sgd_pixels.h"
#include "raster/sgd_raster.h"
#include "sgd_lanes.h"
#include "sgd_quads.h"
#include "util/bitscan.h"
#include "util/compiler.h"

bool
sgd_visibility_begin(struct sgd_raster *r, bool clear)
{
   if (!r->visibility) {
      r->visibility = aligned_alloc(64, sizeof(*r->visibility));
      if (!r->visibility)
         return false;
      clear = true;
   }
   if (clear) {
      memset(r->visibility->owner, 0xff, sizeof(r->visibility->owner));
      r->visibility->count = 0;
   }
   return true;
}

/* The first of the owners of a block, x and y in the tile. */
static inline uint16_t *
block_owners(struct sgd_visibility *v, unsigned x, unsigned y)
{
   return v->owner + (y / SGD_BLOCK_H * (SGD_TILE / SGD_BLOCK_W) + x / SGD_BLOCK_W) * SGD_WARP;
}

static inline uint16_t *
quad_owners(struct sgd_visibility *v, unsigned x, unsigned y)
{
   return block_owners(v, x, y) + (y >> 1 & 1) * 16 + (x >> 1 & 3) * 4;
}

static ALWAYS_INLINE void
own_block(uint16_t *restrict owner, uint32_t mask, uint16_t number)
{
#if defined(__AVX512BW__)
   _mm512_mask_storeu_epi16(owner, mask, _mm512_set1_epi16((short)number));
#else
   if (mask == ~0u) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         owner[l] = number;
      return;
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint16_t m = sgd_lane_mask(mask, l);
      owner[l] = (owner[l] & ~m) | (number & m);
   }
#endif
}

static inline void
own_quad(uint16_t *restrict owner, uint32_t lanes, uint16_t number)
{
   for (unsigned i = 0; i < 4; i++)
      owner[i] = lanes >> i & 1 ? number : owner[i];
}

static ALWAYS_INLINE uint32_t
owned_lanes(const uint16_t *owner, uint16_t number)
{
#if defined(__AVX512BW__)
   return _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(owner), _mm512_set1_epi16((short)number));
#elif defined(__SSE2__)
   const __m128i *p = (const __m128i *)owner, n = _mm_set1_epi16((short)number);
   uint32_t mask = 0;
   for (unsigned i = 0; i < 2; i++) {
      const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(p + 2 * i), n);
      const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(p + 2 * i + 1), n);
      mask |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << (16 * i);
   }
   return mask;
#else
   uint32_t mask = 0;
   for (unsigned l = 0; l < SGD_WARP; l++)
      mask |= (uint32_t)(owner[l] == number) << l;
   return mask;
#endif
}

bool
sgd_visibility_add(struct sgd_raster *r, const struct sgd_pixels *pixels)
{
   struct sgd_visibility *v = r->visibility;
   const struct sgd_quads *quads = &pixels->quads;
   struct sgd_visible *record = &v->record[v->count];

   if (v->count + (quads->block ? 1 : SGD_QUADS) > SGD_WAITING_RECORDS)
      return false;
   if (quads->block) {
      const unsigned x = quads->x[0] % SGD_TILE, y = quads->y[0] % SGD_TILE;
      *record = (struct sgd_visible){ pixels->prim[0], quads->mask, x, y, true };
      own_block(block_owners(v, x, y), quads->mask, v->count++);
      return true;
   }
   for (uint32_t left = sgd_lanes_quads(quads->mask); left;) {
      const unsigned q = u_bit_scan(&left) / 4;
      const unsigned x = quads->x[q] % SGD_TILE, y = quads->y[q] % SGD_TILE;
      const uint32_t lanes = quads->mask >> 4 * q & 15;
      *record++ = (struct sgd_visible){ pixels->prim[q], lanes, x, y, false };
      own_quad(quad_owners(v, x, y), lanes, v->count++);
   }
   return true;
}

unsigned
sgd_visibility_lanes(const struct sgd_raster *r, uint32_t first)
{
   const struct sgd_visibility *v = r->visibility;
   unsigned lanes = 0;

   for (uint32_t n = first; n < v->count; n++)
      lanes += util_bitcount(v->record[n].mask);
   return lanes;
}

void
sgd_visibility_hide(struct sgd_raster *r, const struct sgd_quads *quads, uint32_t mask)
{
   struct sgd_visibility *v = r->visibility;

   if (quads->block) {
      own_block(block_owners(v, quads->x[0] % SGD_TILE, quads->y[0] % SGD_TILE), mask,
                SGD_VISIBLE_NONE);
      return;
   }
   for (uint32_t left = sgd_lanes_quads(mask); left;) {
      const unsigned q = u_bit_scan(&left) / 4;
      own_quad(quad_owners(v, quads->x[q] % SGD_TILE, quads->y[q] % SGD_TILE), mask >> 4 * q & 15,
               SGD_VISIBLE_NONE);
   }
}

unsigned
sgd_visibility_resolve(struct sgd_raster *r, uint32_t first, uint32_t end)
{
   struct sgd_visibility *v = r->visibility;
   unsigned lanes = 0;

   for (uint32_t n = first; n < end; n++) {
      struct sgd_visible *record = &v->record[n];
      if (record->block) {
         record->mask = owned_lanes(block_owners(v, record->x, record->y), n);
      } else {
         const uint16_t *owner = quad_owners(v, record->x, record->y);
         uint32_t owned = 0;
         for (unsigned i = 0; i < 4; i++)
            owned |= (uint32_t)(owner[i] == n) << i;
         record->mask = owned;
      }
      lanes += util_bitcount(record->mask);
   }
   return lanes;
}
