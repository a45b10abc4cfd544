/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: the visibility buffer of a tile, which is used by the dispatch policy
 * ooo+split+break.
 */
#include "pixel/shading/sgd_visibility.h"

#include <stdlib.h>
#include <string.h>

#include "pixel/shading/sgd_pixels.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_lanes.h"
#include "common/sgd_quads.h"
#include "util/bitscan.h"
#include "util/compiler.h"

bool
sgd_visibility_begin(struct sgd_pixel_stage *px, bool empty)
{
   struct sgd_visibility *v = px->visibility;

   if (!v) {
      v = aligned_alloc(64, sizeof(*v));
      if (!v)
         return false;
      v->base = UINT16_MAX;
      v->count = 0;
      px->visibility = v;
   }
   if (!empty)
      return true;
   v->base += v->count;
   v->count = 0;
   if (v->base + SGD_WAITING_RECORDS > UINT16_MAX) {
      memset(v->owner, 0, sizeof(v->owner));
      v->base = 1;
   }
   return true;
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
own_quad(uint16_t *owner, uint32_t lanes, uint16_t number)
{
   /* Copy the bit of each lane to all bits of a 16-bit word. */
   const uint64_t one = UINT64_C(0x0001000100010001), spread = UINT64_C(0x0000200040008001);
   const uint64_t mask = (lanes * spread & one) * 0xffff;
   uint64_t all;

   memcpy(&all, owner, sizeof(all));
   all = (all & ~mask) | (number * one & mask);
   memcpy(owner, &all, sizeof(all));
}

bool
sgd_visibility_add(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   struct sgd_visibility *v = px->visibility;
   const struct sgd_quads *quads = &pixels->quads;
   struct sgd_visible *record = &v->record[v->count];

   if (v->count + (quads->block ? 1 : SGD_QUADS) > SGD_WAITING_RECORDS)
      return false;
   if (quads->block) {
      const unsigned x = quads->x[0] % SGD_TILE, y = quads->y[0] % SGD_TILE;
      *record = (struct sgd_visible){ pixels->prim[0], quads->mask, x, y, true };
      own_block(sgd_block_owners(v, x, y), quads->mask, v->base + v->count++);
      return true;
   }
   for (uint32_t left = sgd_lanes_quads(quads->mask); left;) {
      const unsigned q = u_bit_scan(&left) / 4;
      const unsigned x = quads->x[q] % SGD_TILE, y = quads->y[q] % SGD_TILE;
      const uint32_t lanes = quads->mask >> 4 * q & 15;
      *record++ = (struct sgd_visible){ pixels->prim[q], lanes, x, y, false };
      own_quad(sgd_quad_owners(v, x, y), lanes, v->base + v->count++);
   }
   return true;
}

void
sgd_visibility_hide(struct sgd_pixel_stage *px, const struct sgd_quads *quads, uint32_t mask)
{
   struct sgd_visibility *v = px->visibility;

   if (quads->block) {
      own_block(sgd_block_owners(v, quads->x[0] % SGD_TILE, quads->y[0] % SGD_TILE), mask, 0);
      return;
   }
   for (uint32_t left = sgd_lanes_quads(mask); left;) {
      const unsigned q = u_bit_scan(&left) / 4;
      own_quad(sgd_quad_owners(v, quads->x[q] % SGD_TILE, quads->y[q] % SGD_TILE),
               mask >> 4 * q & 15, 0);
   }
}
