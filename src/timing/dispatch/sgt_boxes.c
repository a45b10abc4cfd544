/* SPDX-License-Identifier: MIT */
/*
 * Reservation stations' regions.
 */
#include "sgt_boxes.h"

#include <stdlib.h>
#include <string.h>

bool
sgt_boxes_init(struct sgt_boxes *b, uint32_t num)
{
   memset(b, 0, sizeof(*b));
   b->num = num;
   b->words = (num + 63) / 64;
   const size_t room = (size_t)b->words * 64;
   /* Zeros: the comparators also read stations that were never used. */
   int32_t **const arrays[] = { &b->x0, &b->y0, &b->x1, &b->y1, &b->layer0, &b->layer1 };
   bool ok = true;
   for (unsigned i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
      ok &= (*arrays[i] = calloc(room, sizeof(int32_t))) != NULL;
   ok &= (b->set = malloc(room * sizeof(uint32_t))) != NULL;
   ok &= (b->valid = calloc(b->words, sizeof(uint64_t))) != NULL;
   ok &= (b->active = malloc(room * sizeof(uint32_t))) != NULL;
   ok &= (b->active_count = malloc(room * sizeof(uint32_t))) != NULL;
   ok &= (b->active_mask = malloc(room * b->words * sizeof(uint64_t))) != NULL;
   if (!ok) {
      sgt_boxes_finish(b);
      return false;
   }
   return true;
}

void
sgt_boxes_finish(struct sgt_boxes *b)
{
   free(b->x0);
   free(b->y0);
   free(b->x1);
   free(b->y1);
   free(b->layer0);
   free(b->layer1);
   free(b->set);
   free(b->valid);
   free(b->active);
   free(b->active_count);
   free(b->active_mask);
   memset(b, 0, sizeof(*b));
}

static uint32_t
find_active(const struct sgt_boxes *b, uint32_t set)
{
   uint32_t i = 0;
   while (i < b->num_active && b->active[i] != set)
      i++;
   return i;
}

void
sgt_boxes_add(struct sgt_boxes *b, uint32_t station, const struct sgt_region *region)
{
   b->x0[station] = region->rect.x0;
   b->y0[station] = region->rect.y0;
   b->x1[station] = region->rect.x1;
   b->y1[station] = region->rect.y1;
   b->layer0[station] = region->first_layer;
   b->layer1[station] = region->last_layer;
   b->set[station] = region->set;
   b->valid[station / 64] |= 1ull << (station % 64);
   b->num_valid++;

   const uint32_t active = find_active(b, region->set);
   uint64_t *mask = b->active_mask + (size_t)active * b->words;
   if (active == b->num_active) {
      b->num_active++;
      b->active[active] = region->set;
      b->active_count[active] = 0;
      memset(mask, 0, b->words * sizeof(*mask));
   }
   b->active_count[active]++;
   mask[station / 64] |= 1ull << (station % 64);
}

void
sgt_boxes_remove(struct sgt_boxes *b, uint32_t station)
{
   b->valid[station / 64] &= ~(1ull << (station % 64));
   b->num_valid--;

   const uint32_t active = find_active(b, b->set[station]);
   uint64_t *mask = b->active_mask + (size_t)active * b->words;
   mask[station / 64] &= ~(1ull << (station % 64));
   if (--b->active_count[active])
      return;
   const uint32_t last = --b->num_active;
   b->active[active] = b->active[last];
   b->active_count[active] = b->active_count[last];
   memmove(mask, b->active_mask + (size_t)last * b->words, b->words * sizeof(*mask));
}

/* Whether each of 64 stations meets the region, as bytes of 0 and 1. */
static void
compare(const struct sgt_boxes *b, const struct sgt_region *r, uint32_t first, uint8_t *meets)
{
   const int32_t *x0 = b->x0 + first, *y0 = b->y0 + first, *x1 = b->x1 + first;
   const int32_t *y1 = b->y1 + first, *layer0 = b->layer0 + first, *layer1 = b->layer1 + first;
   const struct sgt_rect q = r->rect;
   const int32_t q0 = r->first_layer, q1 = r->last_layer;
   for (unsigned i = 0; i < 64; i++)
      meets[i] = (x0[i] < q.x1) & (q.x0 < x1[i]) & (y0[i] < q.y1) & (q.y0 < y1[i]) &
                 (layer0[i] <= q1) & (q0 <= layer1[i]);
}

bool
sgt_boxes_meet(const struct sgt_boxes *b, const struct sgt_trace *trace,
               const struct sgt_region *region, uint64_t *mask)
{
   memset(mask, 0, b->words * sizeof(*mask));
   bool any = false;
   for (uint32_t i = 0; i < b->num_active; i++) {
      if (!sgt_sets_meet(trace, region->set, b->active[i]))
         continue;
      const uint64_t *set = b->active_mask + (size_t)i * b->words;
      for (uint32_t w = 0; w < b->words; w++)
         mask[w] |= set[w];
      any = true;
   }
   if (!any)
      return false;

   any = false;
   for (uint32_t w = 0; w < b->words; w++) {
      if (!mask[w])
         continue;
      uint8_t meets[64];
      compare(b, region, w * 64, meets);
      uint64_t bits = 0;
      for (unsigned i = 0; i < 64; i += 8) {
         /* Eight bytes to eight bits; the order of bytes in memory does not matter. */
         const uint64_t bytes = meets[i] | (uint64_t)meets[i + 1] << 8 |
                                (uint64_t)meets[i + 2] << 16 | (uint64_t)meets[i + 3] << 24 |
                                (uint64_t)meets[i + 4] << 32 | (uint64_t)meets[i + 5] << 40 |
                                (uint64_t)meets[i + 6] << 48 | (uint64_t)meets[i + 7] << 56;
         bits |= (bytes * 0x0102040810204080ull >> 56) << i;
      }
      mask[w] &= bits;
      any |= mask[w] != 0;
   }
   return any;
}
