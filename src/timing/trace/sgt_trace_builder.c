/* SPDX-License-Identifier: MIT */
/*
 * Builds traces.
 */
#include "trace/sgt_trace_builder.h"

#include <assert.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_hash.h"
#include "trace/sgt_sets.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* The x coordinate of a block is a multiple of 8. Until the blocks are sorted, bit 0 of x is set if
 * zcull dropped the block.
 */
#define ZCULLED 1

struct sgt_trace_builder {
   struct sgt_trace trace;
   struct sgt_sets sets;
   uint64_t max_operations, max_items, max_sources, max_targets, max_blocks, max_values, max_words,
      max_states;
   /* range of the sources that the next items of the operation read */
   uint32_t first_source, num_sources;
   bool failed;
};

struct sgt_trace_builder *
sgt_trace_builder_create(void)
{
   return calloc(1, sizeof(struct sgt_trace_builder));
}

void
sgt_trace_builder_destroy(struct sgt_trace_builder *b)
{
   if (!b)
      return;
   sgt_trace_free_arrays(&b->trace);
   sgt_sets_finish(&b->sets);
   free(b);
}

/* Appends an element to an array of the trace and returns it, or NULL if allocation fails. */
#define APPEND(b, array)                                                                          \
   (sgt_array_reserve(&(b)->trace.array, &(b)->max_##array, (uint64_t)(b)->trace.num_##array + 1, \
                      sizeof(*(b)->trace.array))                                                  \
       ? &(b)->trace.array[(b)->trace.num_##array++]                                              \
       : NULL)

uint32_t
sgt_trace_builder_set(struct sgt_trace_builder *b, const struct sgt_piece *pieces, unsigned num)
{
   const uint32_t set = b->failed ? UINT32_MAX : sgt_sets_add(&b->sets, pieces, num);

   b->failed |= set == UINT32_MAX;
   return b->failed ? 0 : set;
}

uint32_t
sgt_trace_builder_state(struct sgt_trace_builder *b, uint32_t record)
{
   uint32_t *state = b->failed ? NULL : APPEND(b, states);

   b->failed |= !state;
   if (!state)
      return UINT32_MAX;
   *state = record;
   return b->trace.num_states - 1;
}

void
sgt_trace_builder_operation(struct sgt_trace_builder *b, const struct sgt_operation *op)
{
   struct sgt_operation *o = b->failed ? NULL : APPEND(b, operations);

   b->failed |= !o;
   if (!o)
      return;
   *o = *op;
   o->ordinal = b->trace.num_operations - 1;
   o->first_item = b->trace.num_items;
   o->num_items = 0;
   o->first_target = b->trace.num_targets;
   o->num_targets = 0;
   b->first_source = b->trace.num_sources;
   b->num_sources = 0;
}

void
sgt_trace_builder_target(struct sgt_trace_builder *b, const struct sgt_target *target)
{
   assert(b->failed || b->trace.num_operations);
   struct sgt_target *t = b->failed ? NULL : APPEND(b, targets);

   b->failed |= !t;
   if (!t)
      return;
   *t = *target;
   t->pad = 0;
   memset(t->pad1, 0, sizeof(t->pad1));
   b->trace.operations[b->trace.num_operations - 1].num_targets++;
}

void
sgt_trace_builder_sources(struct sgt_trace_builder *b, const struct sgt_region *regions,
                          uint32_t num)
{
   b->first_source = b->trace.num_sources;
   b->num_sources = num;
   for (uint32_t i = 0; i < num && !b->failed; i++) {
      struct sgt_region *r = APPEND(b, sources);
      b->failed |= !r;
      if (r)
         *r = regions[i];
   }
}

void
sgt_trace_builder_item(struct sgt_trace_builder *b, const struct sgt_item *item)
{
   assert(b->failed || b->trace.num_operations);
   struct sgt_item *i = b->failed ? NULL : APPEND(b, items);
   b->failed |= !i;
   if (!i)
      return;
   struct sgt_operation *o = &b->trace.operations[b->trace.num_operations - 1];
   memset(i, 0, sizeof(*i));
   i->operation = b->trace.num_operations - 1;
   i->number = o->num_items++;
   i->kind = item->kind;
   i->front = item->front;
   i->destination = item->destination;
   i->layer = item->layer;
   i->first_source = b->first_source;
   i->num_sources = b->num_sources;
   i->first_block = b->trace.num_blocks;
}

static bool
is_primitive(const struct sgt_item *item)
{
   return item->kind <= SGT_ITEM_POINT;
}

void
sgt_trace_builder_block(struct sgt_trace_builder *b, uint16_t x, uint16_t y, uint32_t mask,
                        bool zculled)
{
   if (!mask || b->failed)
      return;
   assert(b->trace.num_items && is_primitive(&b->trace.items[b->trace.num_items - 1]));
   assert(x % 8 == 0 && y % 4 == 0);
   struct sgt_block *block = b->trace.num_blocks == UINT32_MAX ? NULL : APPEND(b, blocks);
   b->failed |= !block;
   if (!block)
      return;
   *block = (struct sgt_block){ x | (zculled ? ZCULLED : 0), y, mask, SGT_NO_VALUES };
   b->trace.items[b->trace.num_items - 1].num_blocks++;
}

/* Appends `num` words to trace->words. Returns the index of the first word, or SGT_NO_VALUES if
 * `words` is NULL.
 */
static uint32_t
add_words(struct sgt_trace_builder *b, const uint32_t *words, uint32_t num)
{
   const uint64_t at = b->trace.num_words;

   if (!words || b->failed)
      return SGT_NO_VALUES;
   if (at + num >= SGT_NO_VALUES ||
       !sgt_array_reserve(&b->trace.words, &b->max_words, at + num, sizeof(*b->trace.words))) {
      b->failed = true;
      return SGT_NO_VALUES;
   }
   memcpy(b->trace.words + at, words, num * sizeof(*words));
   b->trace.num_words += num;
   return at;
}

void
sgt_trace_builder_values(struct sgt_trace_builder *b, const struct sgt_block_values *values)
{
   struct sgt_values *v = b->failed ? NULL : APPEND(b, values);

   b->failed |= !v;
   if (!v)
      return;
   const struct sgt_operation *o = &b->trace.operations[b->trace.num_operations - 1];
   assert(b->trace.num_blocks);
   b->trace.blocks[b->trace.num_blocks - 1].values = b->trace.num_values - 1;
   b->trace.has_values = true;
   v->colored = values->colored;
   v->dropped = values->dropped;
   v->depth = add_words(b, values->depth, 32 * o->depth_samples);
   v->color = add_words(b, values->color, 4 * 32 * o->colors * o->color_samples);
   v->cover = add_words(b, values->cover, 3 * o->samples);
   v->stencil = add_words(b, values->stencil, 32 * o->color_samples);
}

void
sgt_trace_builder_presented(struct sgt_trace_builder *b, uint32_t width, uint32_t height)
{
   if ((uint64_t)width * height > (uint64_t)b->trace.width * b->trace.height) {
      b->trace.width = width;
      b->trace.height = height;
   }
}

uint32_t
sgt_trace_builder_items(const struct sgt_trace_builder *b)
{
   return b->trace.num_items;
}

uint64_t
sgt_trace_builder_bytes(const struct sgt_trace_builder *b)
{
   return b->max_operations * sizeof(struct sgt_operation) +
          b->max_items * sizeof(struct sgt_item) + b->max_sources * sizeof(struct sgt_region) +
          b->max_targets * sizeof(struct sgt_target) + b->max_blocks * sizeof(struct sgt_block) +
          b->max_values * sizeof(struct sgt_values) + b->max_words * sizeof(uint32_t);
}

/* -- the finished trace ---------------------------------------------------------------- */

static int
compare_blocks(const void *a, const void *b)
{
   const struct sgt_block *p = a, *q = b;

   if (p->y != q->y)
      return p->y < q->y ? -1 : 1;
   return p->x < q->x ? -1 : p->x > q->x;
}

/* Bitmask of the lanes in each pixel row of a block. */
static const uint32_t row_lanes[4] = { 0x00003333, 0x0000cccc, 0x33330000, 0xcccc0000 };

static void
count_primitive(struct sgt_trace *t, struct sgt_item *item)
{
   struct sgt_block *block = t->blocks + item->first_block;
   bool sorted = true;

   for (uint32_t i = 1; i < item->num_blocks; i++)
      sorted &= compare_blocks(&block[i - 1], &block[i]) < 0;
   if (!sorted)
      qsort(block, item->num_blocks, sizeof(*block), compare_blocks);

   uint32_t rows = 0;
   for (uint32_t i = 0; i < item->num_blocks; i++) {
      item->pixels += util_bitcount(block[i].mask);
      for (unsigned y = 0; y < 4; y++)
         rows |= (block[i].mask & row_lanes[y]) ? 1u << y : 0;
      if (i + 1 == item->num_blocks || block[i + 1].y != block[i].y) {
         item->spans += util_bitcount(rows);
         rows = 0;
      }
      if (block[i].x & ZCULLED) {
         block[i].x &= ~ZCULLED;
         t->zculled[(item->first_block + i) / 32] |= 1u << ((item->first_block + i) % 32);
      }
      assert(i == 0 || compare_blocks(&block[i - 1], &block[i]) < 0);
   }
}

static void
count_transfer(struct sgt_item *item)
{
   const struct sgt_region *d = &item->destination;
   /* Buffers have a single layer. Their regions only use SGT_ALL_LAYERS so that they overlap
    * regions with any range of layers.
    */
   const int64_t layers = d->last_layer == SGT_ALL_LAYERS
                             ? 1
                             : (int64_t)d->last_layer - d->first_layer + 1;
   const int64_t rows = MAX2((int64_t)d->rect.y1 - d->rect.y0, 0) * layers;
   const int64_t pixels = MAX2((int64_t)d->rect.x1 - d->rect.x0, 0) * rows;

   item->spans = MIN2(rows, UINT32_MAX);
   item->pixels = MIN2(pixels, UINT32_MAX);
}

static void
builder_widen(const struct sgt_sets *sets, struct sgt_region *r)
{
   if (!sets->sets[r->set].whole)
      return;
   r->rect = SGT_RECT_ALL;
   r->first_layer = 0;
   r->last_layer = SGT_ALL_LAYERS;
}

/* Returns true if any item of the trace writes memory in the region. */
static bool
region_written(const struct sgt_sets *sets, const uint32_t *written, uint32_t num_written,
               const struct sgt_region *r)
{
   for (uint32_t i = 0; i < num_written; i++) {
      const struct sgt_set *set = &sets->sets[written[i]];
      if (sgt_rects_meet(&set->rect, &r->rect) && set->first_layer <= r->last_layer &&
          r->first_layer <= set->last_layer && sgt_sets_share(sets, written[i], r->set))
         return true;
   }
   return false;
}

/* Removes the sources that no item of the trace writes. Returns false if allocation fails. */
static bool
filter_sources(struct sgt_trace *t, const struct sgt_sets *sets)
{
   uint32_t *written = malloc((sets->num_sets + 1) * sizeof(*written));
   /* kept[i]: number of sources before source i that are kept */
   uint32_t *kept = malloc(((uint64_t)t->num_sources + 1) * sizeof(*kept));
   uint32_t num_written = 0, num = 0;

   if (!written || !kept) {
      free(written);
      free(kept);
      return false;
   }
   for (uint32_t i = 0; i < sets->num_sets; i++) {
      if (sets->sets[i].written)
         written[num_written++] = i;
   }
   for (uint32_t i = 0; i < t->num_sources; i++) {
      kept[i] = num;
      builder_widen(sets, &t->sources[i]);
      if (region_written(sets, written, num_written, &t->sources[i]))
         t->sources[num++] = t->sources[i];
   }
   kept[t->num_sources] = num;
   for (uint32_t i = 0; i < t->num_items; i++) {
      struct sgt_item *item = &t->items[i];
      const uint32_t end = kept[item->first_source + item->num_sources];
      item->first_source = kept[item->first_source];
      item->num_sources = end - item->first_source;
   }
   t->num_sources = num;
   free(written);
   free(kept);
   return true;
}

/* Renumbers the sets that regions use, and finds the sets that share memory. Returns false if
 * allocation fails.
 */
static bool
number_sets(struct sgt_trace *t, struct sgt_sets *sets)
{
   /* for each set of the trace, its index in the builder */
   uint32_t *old = malloc((sets->num_sets + 1) * sizeof(*old));

   if (!old)
      return false;
   for (uint32_t i = 0; i < t->num_sources; i++)
      sets->sets[t->sources[i].set].number = 0;
   for (uint32_t i = 0; i < sets->num_sets; i++) {
      struct sgt_set *set = &sets->sets[i];
      if (!set->written && set->number == UINT32_MAX)
         continue;
      old[t->num_sets] = i;
      set->number = t->num_sets++;
   }
   for (uint32_t i = 0; i < t->num_sources; i++)
      t->sources[i].set = sets->sets[t->sources[i].set].number;
   for (uint32_t i = 0; i < t->num_items; i++)
      t->items[i].destination.set = sets->sets[t->items[i].destination.set].number;

   const uint64_t row = (t->num_sets + 31) / 32;
   t->sets_meet = calloc(MAX2(t->num_sets * row, 1), sizeof(*t->sets_meet));
   for (uint32_t i = 0; t->sets_meet && i < t->num_sets; i++) {
      for (uint32_t k = 0; k <= i; k++) {
         if (!sgt_sets_share(sets, old[i], old[k]))
            continue;
         t->sets_meet[i * row + k / 32] |= 1u << (k % 32);
         t->sets_meet[k * row + i / 32] |= 1u << (i % 32);
      }
   }
   free(old);
   return t->sets_meet != NULL;
}

static void
find_size(struct sgt_trace *t, const struct sgt_sets *sets)
{
   uint64_t most = 0;

   if (t->width)
      return;
   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_set *set = &sets->sets[t->items[i].destination.set];
      for (uint32_t k = 0; is_primitive(&t->items[i]) && k < set->num; k++) {
         const struct sgt_piece *p = &sets->pieces[sets->members[set->first + k]];
         if ((uint64_t)p->width * p->height > most) {
            most = (uint64_t)p->width * p->height;
            t->width = p->width;
            t->height = p->height;
         }
      }
   }
}

static void
hash_trace(struct sgt_trace *t)
{
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   for (uint32_t i = 0; i < t->num_operations; i++) {
      const struct sgt_operation *o = &t->operations[i];
      const uint32_t words[] = {
         o->submission,    o->packet,        o->draw,         o->frame,
         o->first_item,    o->num_items,     o->blends,       o->order,
         o->order_key,     o->state,         o->colors,       o->samples,
         o->depth_samples, o->color_samples, o->first_target, o->num_targets,
      };
      XXH64_update(&state, words, sizeof(words));
   }
   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_item *item = &t->items[i];
      const uint32_t words[] = {
         item->operation,    item->number,      item->kind,        item->front,
         item->first_source, item->num_sources, item->first_block, item->num_blocks,
         item->layer,        item->pixels,      item->spans,
      };
      XXH64_update(&state, words, sizeof(words));
      XXH64_update(&state, &item->destination, sizeof(item->destination));
   }
   XXH64_update(&state, t->sources, t->num_sources * sizeof(*t->sources));
   XXH64_update(&state, t->targets, t->num_targets * sizeof(*t->targets));
   XXH64_update(&state, t->blocks, t->num_blocks * sizeof(*t->blocks));
   XXH64_update(&state, t->zculled, ((uint64_t)t->num_blocks + 31) / 32 * sizeof(*t->zculled));
   XXH64_update(&state, t->values, t->num_values * sizeof(*t->values));
   XXH64_update(&state, t->words, t->num_words * sizeof(*t->words));
   XXH64_update(&state, t->sets_meet,
                t->num_sets * (((uint64_t)t->num_sets + 31) / 32) * sizeof(*t->sets_meet));
   const uint32_t size[] = { t->width, t->height };
   XXH64_update(&state, size, sizeof(size));
   t->hash = XXH64_digest(&state);
}

static_assert(sizeof(struct sgt_target) == 64, "no hidden padding: it is hashed");

/* Sets SGT_TARGET_ALONE on the depth surfaces of operations that don't write colours. */
static void
find_alone(struct sgt_trace *t)
{
   for (uint32_t i = 0; i < t->num_operations; i++) {
      struct sgt_target *targets = t->targets + t->operations[i].first_target;
      const uint32_t num = t->operations[i].num_targets;
      bool color = false;

      for (uint32_t k = 0; k < num; k++)
         color |= (targets[k].flags & (SGT_TARGET_DEPTH | SGT_TARGET_WRITE)) == SGT_TARGET_WRITE;
      for (uint32_t k = 0; k < num; k++) {
         targets[k].flags &= ~SGT_TARGET_ALONE;
         if (!color && targets[k].flags & SGT_TARGET_DEPTH)
            targets[k].flags |= SGT_TARGET_ALONE;
      }
   }
}

struct sgt_trace *
sgt_trace_builder_finish(struct sgt_trace_builder *b)
{
   struct sgt_trace *t = &b->trace;

   if (b->failed)
      return NULL;
   t->zculled = calloc(((uint64_t)t->num_blocks + 31) / 32 + 1, sizeof(*t->zculled));
   if (!t->zculled)
      return NULL;
   for (uint32_t i = 0; i < t->num_items; i++) {
      struct sgt_item *item = &t->items[i];
      if (is_primitive(item))
         count_primitive(t, item);
      else
         count_transfer(item);
      sgt_sets_written(&b->sets, &item->destination, is_primitive(item));
   }
   if (!sgt_sets_widen(&b->sets))
      return NULL;
   for (uint32_t i = 0; i < t->num_items; i++)
      builder_widen(&b->sets, &t->items[i].destination);
   find_size(t, &b->sets);
   if (!filter_sources(t, &b->sets) || !number_sets(t, &b->sets))
      return NULL;
   find_alone(t);
   hash_trace(t);

   struct sgt_trace *trace = malloc(sizeof(*trace));
   if (!trace)
      return NULL;
   *trace = *t;
   memset(t, 0, sizeof(*t));
   b->failed = true;
   return trace;
}
