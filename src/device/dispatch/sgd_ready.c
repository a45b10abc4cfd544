/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: work that is ready, oldest first, in two binary heaps: what
 * makes work for the tiles (command processors, geometry), and the tiles.
 */
#include <stdlib.h>

#include "sgd_device.h"
#include "util/macros.h"

static void
place(struct sgd_heap *heap, uint32_t i, struct sgd_item *item)
{
   heap->items[i] = item;
   item->index = i + 1;
}

static void
sift_up(struct sgd_heap *heap, uint32_t i, struct sgd_item *item)
{
   while (i > 0) {
      const uint32_t parent = (i - 1) / 2;
      if (heap->items[parent]->key <= item->key)
         break;
      place(heap, i, heap->items[parent]);
      i = parent;
   }
   place(heap, i, item);
}

static void
sift_down(struct sgd_heap *heap, uint32_t i, struct sgd_item *item)
{
   for (;;) {
      uint32_t child = 2 * i + 1;
      if (child >= heap->count)
         break;
      if (child + 1 < heap->count && heap->items[child + 1]->key < heap->items[child]->key)
         child++;
      if (item->key <= heap->items[child]->key)
         break;
      place(heap, i, heap->items[child]);
      i = child;
   }
   place(heap, i, item);
}

static struct sgd_heap *
heap_of(struct sgd_dispatch *d, enum sgd_item_kind kind)
{
   return kind == SGD_ITEM_CP || kind == SGD_ITEM_GEOMETRY ? &d->early : &d->late;
}

bool
sgd_ready_reserve(struct sgd_dispatch *d, enum sgd_item_kind kind, uint32_t n)
{
   struct sgd_heap *heap = heap_of(d, kind);
   const uint64_t needed = (uint64_t)heap->reserved + n;

   if (needed > heap->capacity) {
      const uint64_t capacity = MAX3(64, (uint64_t)heap->capacity * 2, needed);
      if (capacity > UINT32_MAX)
         return false;
      struct sgd_item **items = realloc(heap->items, capacity * sizeof(*items));
      if (!items)
         return false;
      heap->items = items;
      heap->capacity = capacity;
   }
   heap->reserved = needed;
   return true;
}

void
sgd_ready_release(struct sgd_dispatch *d, enum sgd_item_kind kind, uint32_t n)
{
   struct sgd_heap *heap = heap_of(d, kind);

   assert(heap->reserved >= n && heap->reserved - n >= heap->count);
   heap->reserved -= n;
}

void
sgd_ready_push(struct sgd_dispatch *d, struct sgd_item *item, uint64_t key)
{
   struct sgd_heap *heap = heap_of(d, item->kind);

   assert(!item->index && heap->count < heap->reserved);
   item->key = key;
   heap->count++;
   sift_up(heap, heap->count - 1, item);
   atomic_fetch_add_explicit(&d->dev->ready_count, 1, memory_order_relaxed);
}

void
sgd_ready_remove(struct sgd_dispatch *d, struct sgd_item *item)
{
   struct sgd_heap *heap = heap_of(d, item->kind);
   const uint32_t i = item->index - 1;
   struct sgd_item *last = heap->items[--heap->count];

   item->index = 0;
   if (last != item) {
      if (last->key < item->key)
         sift_up(heap, i, last);
      else
         sift_down(heap, i, last);
   }
   atomic_fetch_sub_explicit(&d->dev->ready_count, 1, memory_order_relaxed);
}

/* xorshift64* (Vigna 2016): for the shuffling scheduler of the tests. */
static uint64_t
next_random(struct sgd_dispatch *d)
{
   d->random ^= d->random >> 12;
   d->random ^= d->random << 25;
   d->random ^= d->random >> 27;
   return d->random * UINT64_C(0x2545f4914f6cdd1d);
}

struct sgd_item *
sgd_ready_pop(struct sgd_dispatch *d)
{
   const bool engine_free = d->engines_busy < d->dev->params.engines;
   const uint32_t late = engine_free ? d->late.count : 0;
   struct sgd_item *item = NULL;

   if (d->random && d->early.count + late) {
      const uint64_t i = next_random(d) % (d->early.count + late);
      item = i < d->early.count ? d->early.items[i] : d->late.items[i - d->early.count];
   } else if (d->early.count && late) {
      const bool pressure = d->blocks_used > SGD_ARENA_PRESSURE;
      const bool lead = d->early.items[0]->key < d->late.items[0]->key + SGD_GEOMETRY_LEAD;
      item = lead && !pressure ? d->early.items[0] : d->late.items[0];
   } else if (d->early.count) {
      item = d->early.items[0];
   } else if (late) {
      item = d->late.items[0];
   }

   if (item)
      sgd_ready_remove(d, item);
   return item;
}
