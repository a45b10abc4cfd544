/* SPDX-License-Identifier: MIT */
/*
 * The free ranges of the address space, first fit.
 *
 * n ranges that are taken have at most n + 1 holes between them, so n + 1
 * records are enough: one comes with each range and one goes with it.
 */
#include "sgd_holes.h"

#include <assert.h>
#include <stdlib.h>

struct hole {
   struct list_head link;
   uint64_t address, size;
};

static struct hole *
take_spare(struct sgd_holes *h)
{
   assert(!list_is_empty(&h->spares));
   struct hole *hole = list_first_entry(&h->spares, struct hole, link);
   list_del(&hole->link);
   return hole;
}

static void
make_spare(struct sgd_holes *h, struct hole *hole)
{
   list_del(&hole->link);
   list_add(&hole->link, &h->spares);
}

bool
sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size)
{
   struct hole *hole = malloc(sizeof(*hole));
   if (!hole)
      return false;
   hole->address = first;
   hole->size = size;
   list_inithead(&h->holes);
   list_inithead(&h->spares);
   list_add(&hole->link, &h->holes);
   return true;
}

void
sgd_holes_finish(struct sgd_holes *h)
{
   list_splicetail(&h->spares, &h->holes);
   list_for_each_entry_safe(struct hole, hole, &h->holes, link)
      free(hole);
}

/* The range that is to be taken brings its record. */
static bool
add_spare(struct sgd_holes *h)
{
   struct hole *hole = malloc(sizeof(*hole));
   if (hole)
      list_add(&hole->link, &h->spares);
   return hole != NULL;
}

/* Takes size bytes of the hole, behind its first `before`. */
static void
split(struct sgd_holes *h, struct hole *hole, uint64_t before, uint64_t size)
{
   const uint64_t end = hole->address + before + size;
   const uint64_t after = hole->size - before - size;

   if (before && after) {
      struct hole *second = take_spare(h);
      second->address = end;
      second->size = after;
      list_add(&second->link, &hole->link);
      hole->size = before;
   } else if (before) {
      hole->size = before;
   } else if (after) {
      hole->address = end;
      hole->size = after;
   } else {
      make_spare(h, hole);
   }
}

uint64_t
sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment)
{
   if (!add_spare(h))
      return 0;

   list_for_each_entry(struct hole, hole, &h->holes, link) {
      const uint64_t before = (alignment - hole->address % alignment) % alignment;
      if (hole->size < before || hole->size - before < size)
         continue;
      const uint64_t address = hole->address + before;
      split(h, hole, before, size);
      return address;
   }
   free(take_spare(h));
   return 0;
}

bool
sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size)
{
   if (!add_spare(h))
      return false;

   list_for_each_entry(struct hole, hole, &h->holes, link) {
      const uint64_t before = address - hole->address;
      if (address < hole->address || hole->size < before || hole->size - before < size)
         continue;
      split(h, hole, before, size);
      return true;
   }
   free(take_spare(h));
   return false;
}

void
sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size)
{
   struct list_head *next = &h->holes;
   list_for_each_entry(struct hole, hole, &h->holes, link) {
      if (hole->address > address) {
         next = &hole->link;
         break;
      }
   }
   struct hole *below = next->prev == &h->holes ? NULL : list_entry(next->prev, struct hole, link);
   struct hole *above = next == &h->holes ? NULL : list_entry(next, struct hole, link);
   assert(!below || below->address + below->size <= address);
   assert(!above || address + size <= above->address);

   const bool touches_below = below && below->address + below->size == address;
   const bool touches_above = above && address + size == above->address;
   if (touches_below) {
      below->size += size;
      if (touches_above) {
         below->size += above->size;
         make_spare(h, above);
      }
   } else if (touches_above) {
      above->address = address;
      above->size += size;
   } else {
      struct hole *hole = take_spare(h);
      hole->address = address;
      hole->size = size;
      list_addtail(&hole->link, next);
   }
   free(take_spare(h));
}
