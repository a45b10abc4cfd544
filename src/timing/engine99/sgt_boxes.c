/* SPDX-License-Identifier: MIT */
/*
 * Stores the regions of the reservation stations, and compares them with other regions.
 */
#include "engine99/sgt_boxes.h"

#include <stdlib.h>
#include <string.h>

bool
sgt_boxes_init(struct sgt_boxes *b, uint32_t num)
{
   memset(b, 0, sizeof(*b));
   b->num = num;
   b->words = (num + 63) / 64;
   const size_t room = (size_t)b->words * 64;
   /* Zero the arrays, because the comparators also read the regions of unused stations. */
   int32_t **const arrays[] = { &b->x0, &b->y0, &b->x1, &b->y1, &b->layer0, &b->layer1 };
   bool ok = true;
   for (unsigned i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
      ok &= (*arrays[i] = calloc(room, sizeof(int32_t))) != NULL;
   for (unsigned i = 0; i < 4; i++)
      ok &= (b->small[i] = calloc(room, sizeof(int16_t))) != NULL;
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
   for (unsigned i = 0; i < 4; i++)
      free(b->small[i]);
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

/* Returns true if the coordinates fit in 16 bits and the layer is 0, which is the common case. */
static bool
is_small(const struct sgt_rect *r, int32_t layer0, int32_t layer1)
{
   return r->x0 == (int16_t)r->x0 && r->y0 == (int16_t)r->y0 && r->x1 == (int16_t)r->x1 &&
          r->y1 == (int16_t)r->y1 && (layer0 | layer1) == 0;
}

static bool
is_small_station(const struct sgt_boxes *b, uint32_t i)
{
   const struct sgt_rect rect = { b->x0[i], b->y0[i], b->x1[i], b->y1[i] };
   return is_small(&rect, b->layer0[i], b->layer1[i]);
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
   b->small[0][station] = region->rect.x0;
   b->small[1][station] = region->rect.y0;
   b->small[2][station] = region->rect.x1;
   b->small[3][station] = region->rect.y1;
   b->num_large += !is_small_station(b, station);
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
   b->num_large -= !is_small_station(b, station);

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

/* Compares a region with the regions of 64 stations, starting at station `first`. Sets meets[i] to
 * 1 if the regions overlap, and to 0 otherwise.
 */
static void
boxes_compare(const struct sgt_boxes *b, const struct sgt_region *r, uint32_t first,
              uint8_t *restrict meets)
{
   const int32_t *x0 = b->x0 + first, *y0 = b->y0 + first, *x1 = b->x1 + first;
   const int32_t *y1 = b->y1 + first, *layer0 = b->layer0 + first, *layer1 = b->layer1 + first;
   const struct sgt_rect q = r->rect;
   const int32_t q0 = r->first_layer, q1 = r->last_layer;
   for (unsigned i = 0; i < 64; i++)
      meets[i] = (x0[i] < q.x1) & (q.x0 < x1[i]) & (y0[i] < q.y1) & (q.y0 < y1[i]) &
                 (layer0[i] <= q1) & (q0 <= layer1[i]);
}

/* Like boxes_compare(), but compares 16-bit coordinates and ignores layers. Only valid if
 * is_small() is true for the regions of all stations.
 */
static void
compare_small(const struct sgt_boxes *b, const struct sgt_rect *r, uint32_t first,
              uint8_t *restrict meets)
{
   const int16_t *x0 = b->small[0] + first, *y0 = b->small[1] + first;
   const int16_t *x1 = b->small[2] + first, *y1 = b->small[3] + first;
   const int16_t qx0 = r->x0, qy0 = r->y0, qx1 = r->x1, qy1 = r->y1;
   for (unsigned i = 0; i < 64; i++)
      meets[i] = (x0[i] < qx1) & (qx0 < x1[i]) & (y0[i] < qy1) & (qy0 < y1[i]);
}

/* Packs eight bytes, each of which is 0 or 1, into eight bits. */
static inline uint64_t
boxes_gather(const uint8_t *meets)
{
   uint64_t bytes = 0;
   for (unsigned i = 0; i < 8; i++)
      bytes |= (uint64_t)meets[i] << (i * 8);
   return bytes * 0x0102040810204080ull >> 56;
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
   const bool small = !b->num_large &&
                      is_small(&region->rect, region->first_layer, region->last_layer);
   for (uint32_t w = 0; w < b->words; w++) {
      if (!mask[w])
         continue;
      uint8_t meets[64];
      if (small)
         compare_small(b, &region->rect, w * 64, meets);
      else
         boxes_compare(b, region, w * 64, meets);
      uint64_t bits = 0;
      for (unsigned i = 0; i < 64; i += 8)
         bits |= boxes_gather(meets + i) << i;
      mask[w] &= bits;
      any |= mask[w] != 0;
   }
   return any;
}
