/* SPDX-License-Identifier: MIT */
/*
 * Devices and sums for the tests of traces.
 */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_counters.h"

const struct events_way events_ways[] = {
   { 1, SGPU_DISPATCH_INORDER, 0, SGPU_OBSERVE_VALUES, 0 },
   { 2, SGPU_DISPATCH_OOO, 0, SGPU_OBSERVE_VALUES, 0 },
   { 4, SGPU_DISPATCH_OOO_SPLIT, 7, SGPU_OBSERVE_VALUES, 0 },
   { 3, SGPU_DISPATCH_OOO_SPLIT_BREAK, 3, SGPU_OBSERVE_VALUES, 1 },
   { 2, SGPU_DISPATCH_OOO_SPLIT, 0, SGPU_OBSERVE_COVERAGE, 0 },
   { 3, SGPU_DISPATCH_OOO, 11, SGPU_OBSERVE_COVERAGE, 1 },
};
const unsigned events_num_ways = sizeof(events_ways) / sizeof(*events_ways);

struct sgpu_device_params
events_params(const struct events_way *way, struct sgt_store *store)
{
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.threads = way->threads;
   params.dispatch = way->policy;
   params.shuffle_seed = way->seed;
   params.host = SGPU_HOST_BASELINE;
   params.observer = store ? sgt_store_observer(store) : NULL;
   return params;
}

struct sgt_store *
events_store(const struct events_way *way)
{
   struct sgt_store *store = sgt_store_create(&(struct sgt_store_params){
      .classes = way->classes,
      .max_bytes = way->max_bytes,
   });

   if (!store) {
      printf("no store\n");
      exit(1);
   }
   return store;
}

void
events_counters(struct sgpu_device *dev, uint64_t values[EVENTS_MAX_COUNTERS])
{
   sgpu_device_read_counters(dev, values);
}

bool
events_same_work(const uint64_t *a, const uint64_t *b)
{
   static const enum sgpu_counter work[] = {
      SGPU_COUNTER_DRAWS,        SGPU_COUNTER_BATCHES,       SGPU_COUNTER_VERTICES,
      SGPU_COUNTER_VERTEX_WARPS, SGPU_COUNTER_PRIMITIVES,    SGPU_COUNTER_SLICES,
      SGPU_COUNTER_TILE_ENTRIES, SGPU_COUNTER_QUADS,         SGPU_COUNTER_PIXELS,
      SGPU_COUNTER_ZS_TESTED,    SGPU_COUNTER_ZS_PASSED,     SGPU_COUNTER_PIXEL_WARPS,
      SGPU_COUNTER_PIXEL_LANES,  SGPU_COUNTER_INSTRUCTIONS,  SGPU_COUNTER_TEXTURE_OPS,
      SGPU_COUNTER_ZCULL_SLICES, SGPU_COUNTER_ZCULL_BLOCKS,  SGPU_COUNTER_COLOR_WRITES,
      SGPU_COUNTER_TRANSFERS,    SGPU_COUNTER_TILES_CLEARED, SGPU_COUNTER_TILES_EXPANDED,
   };
   bool same = true;

   for (unsigned i = 0; i < sizeof(work) / sizeof(*work); i++) {
      if (a[work[i]] == b[work[i]])
         continue;
      printf("counter %s: %" PRIu64 ", observed %" PRIu64 "\n",
             sgpu_counter_get_info(work[i])->name, a[work[i]], b[work[i]]);
      same = false;
   }
   return same;
}

static unsigned
count(uint32_t mask)
{
   return __builtin_popcount(mask);
}

/* Fragments that are kept; bare: of blocks without colours. */
struct kept {
   uint64_t colored, bare;
};

static bool
check_values(const struct sgt_trace *t, const struct sgt_operation *o, const struct sgt_block *b,
             struct kept *kept)
{
   const struct sgt_values *v = &t->values[b->values];
   uint64_t *sum = v->color != SGT_NO_VALUES ? &kept->colored : &kept->bare;

   if (v->cover == SGT_NO_VALUES) {
      *sum += count(v->colored);
      return !((v->colored | v->dropped) & ~b->mask) && !(v->colored & v->dropped);
   }
   const uint32_t *cover = t->words + v->cover;
   uint32_t all = 0;
   for (unsigned s = 0; s < o->samples; s++) {
      const uint32_t dropped = cover[o->samples + s], colored = cover[2 * o->samples + s];
      if (((dropped | colored) & ~cover[s]) || (dropped & colored))
         return false;
      all |= cover[s];
      *sum += count(colored);
   }
   return all == b->mask;
}

bool
events_check(const struct sgt_trace *t, const uint64_t *before, const uint64_t *after)
{
   const uint64_t pixels = after[SGPU_COUNTER_PIXELS] - before[SGPU_COUNTER_PIXELS];
   const uint64_t colors = after[SGPU_COUNTER_COLOR_WRITES] - before[SGPU_COUNTER_COLOR_WRITES];
   struct kept kept = { 0 };
   uint64_t drawn = 0;
   bool good = true;

   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_item *item = &t->items[i];
      const struct sgt_operation *o = &t->operations[item->operation];
      for (uint32_t k = item->first_block; k < item->first_block + item->num_blocks; k++) {
         const struct sgt_block *b = &t->blocks[k];
         drawn += sgt_block_zculled(t, k) ? 0 : count(b->mask);
         good &= !t->has_values || check_values(t, o, b, &kept);
      }
   }
   if (!good)
      printf("values are not of covered fragments\n");
   if (drawn != pixels)
      printf("%" PRIu64 " pixels in blocks, %" PRIu64 " counted\n", drawn, pixels);
   good &= drawn == pixels;
   /* Fragments are also counted if the write mask has only components that the format lacks. */
   if (t->has_values && (kept.colored > colors || kept.colored + kept.bare < colors)) {
      printf("%" PRIu64 " colours and %" PRIu64 " without, %" PRIu64 " counted\n", kept.colored,
             kept.bare, colors);
      good = false;
   }
   return good;
}

bool
events_same_coverage(const struct sgt_trace *a, const struct sgt_trace *b)
{
   if (a->num_operations != b->num_operations || a->num_items != b->num_items ||
       a->num_blocks != b->num_blocks || a->num_sources != b->num_sources)
      return false;
   for (uint32_t i = 0; i < a->num_items; i++) {
      const struct sgt_item *p = &a->items[i], *q = &b->items[i];
      if (p->operation != q->operation || p->kind != q->kind || p->num_blocks != q->num_blocks ||
          p->pixels != q->pixels ||
          memcmp(&p->destination, &q->destination, sizeof(p->destination)))
         return false;
   }
   for (uint32_t i = 0; i < a->num_blocks; i++) {
      const struct sgt_block *p = &a->blocks[i], *q = &b->blocks[i];
      if (p->x != q->x || p->y != q->y || p->mask != q->mask ||
          sgt_block_zculled(a, i) != sgt_block_zculled(b, i))
         return false;
   }
   return true;
}
