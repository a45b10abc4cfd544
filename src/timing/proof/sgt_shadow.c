/* SPDX-License-Identifier: MIT */
/*
 * Verifies a timing model by its rendering results. This file draws slices to the shadow memory.
 */
#include "proof/sgt_shadow.h"

#include <stdlib.h>

#include "proof/sgt_audit_plan.h"
#include "proof/sgt_blocks.h"
#include "engine99/sgt_breaking.h"
#include "proof/sgt_shadow_model.h"
#include "util/bitscan.h"

#define BATCH 32 /* number of blocks per draw call */

struct sgt_shadow *
sgt_shadow_create(const struct sgt_audit_plan *plan, const struct sgpu_shadow_image *image,
                  const uint32_t *records, enum sgt_breaking breaking)
{
   struct sgt_shadow *s = calloc(1, sizeof(*s));

   if (!s)
      return NULL;
   s->trace = plan->trace;
   s->image = image;
   s->records = records;
   s->breaking = breaking;
   s->audit = sgt_audit_create(plan, breaking);
   s->left = calloc((uint64_t)s->trace->num_items + 1, sizeof(*s->left));
   if (!s->audit || !s->left || (image && sgpu_shadow_create(image, &s->memory))) {
      sgt_shadow_destroy(s);
      return NULL;
   }
   for (uint32_t i = 0; i < s->trace->num_items; i++)
      s->left[i] = s->trace->items[i].pixels;
   return s;
}

void
sgt_shadow_destroy(struct sgt_shadow *s)
{
   if (!s)
      return;
   sgpu_shadow_destroy(s->memory);
   sgt_audit_destroy(s->audit);
   free(s->left);
   free(s);
}

uint32_t
sgt_shadow_record(const struct sgt_shadow *s, const struct sgt_operation *op)
{
   return op->state == UINT32_MAX || !s->records ? op->state : s->records[op->state];
}

/* Returns the rule that decides which of two fragments of the operation wins if their depths are
 * equal.
 */
static enum sgpu_shadow_ties
ties_of(const struct sgt_shadow *s, const struct sgt_operation *op)
{
   if (s->breaking != SGT_BREAK_EXACT)
      return SGPU_SHADOW_TIES_TEST;
   switch ((enum sgt_order)op->order) {
   case SGT_ORDER_PROGRAM:
      break;
   case SGT_ORDER_LOWEST:
   case SGT_ORDER_HIGHEST:
      return SGPU_SHADOW_TIES_FIRST;
   case SGT_ORDER_LOWEST_LAST:
   case SGT_ORDER_HIGHEST_LAST:
      return SGPU_SHADOW_TIES_LAST;
   }
   return SGPU_SHADOW_TIES_TEST;
}

/* Returns the words that start at an index in the trace, or NULL if the index is SGT_NO_VALUES. */
static const uint32_t *
shadow_words(const struct sgt_trace *t, uint32_t index)
{
   return index == SGT_NO_VALUES ? NULL : t->words + index;
}

bool
sgt_shadow_draw_of(const struct sgt_shadow *s, uint32_t number, struct sgpu_shadow_draw *draw)
{
   const struct sgt_item *item = &s->trace->items[number];
   const struct sgt_operation *op = &s->trace->operations[item->operation];

   *draw = (struct sgpu_shadow_draw){
      .record = sgt_shadow_record(s, op),
      .number = number,
      .ties = ties_of(s, op),
      .layer = item->layer,
      .front = item->front,
      .colors = op->colors,
      .depth_samples = op->depth_samples,
      .color_samples = op->color_samples,
   };
   return draw->record != UINT32_MAX;
}

struct sgpu_shadow_block
sgt_shadow_block_of(const struct sgt_trace *t, const struct sgt_block *b, uint32_t lanes)
{
   static const struct sgt_values none = {
      .depth = SGT_NO_VALUES,
      .color = SGT_NO_VALUES,
      .cover = SGT_NO_VALUES,
      .stencil = SGT_NO_VALUES,
   };
   const struct sgt_values *v = b->values == SGT_NO_VALUES ? &none : &t->values[b->values];

   return (struct sgpu_shadow_block){
      .x = b->x,
      .y = b->y,
      .mask = lanes,
      .colored = v->colored,
      .dropped = v->dropped,
      .depth = shadow_words(t, v->depth),
      .color = shadow_words(t, v->color),
      .cover = shadow_words(t, v->cover),
      .stencil = shadow_words(t, v->stencil),
   };
}

/* Draws the pixels of a primitive that are inside `cut` to the shadow memory. */
static void
apply_fragments(struct sgt_shadow *s, uint32_t number, const struct sgt_rect *cut)
{
   const struct sgt_trace *t = s->trace;
   const struct sgt_item *item = &t->items[number];
   const uint64_t poisoned = s->fragments.poisoned;
   struct sgpu_shadow_block block[BATCH];
   struct sgpu_shadow_draw draw;
   struct sgt_block_walk walk;
   const struct sgt_block *b;
   unsigned count = 0;
   uint32_t lanes;

   if (!sgt_shadow_draw_of(s, number, &draw))
      return;
   sgt_block_walk_begin(&walk, t, item, cut);
   while ((b = sgt_block_walk_next(&walk, &lanes))) {
      block[count++] = sgt_shadow_block_of(t, b, lanes);
      if (count == BATCH) {
         s->failed |= !sgpu_shadow_draw(s->memory, &draw, block, count, &s->fragments);
         count = 0;
      }
   }
   if (count)
      s->failed |= !sgpu_shadow_draw(s->memory, &draw, block, count, &s->fragments);
   if (!sgt_break_key(t, item, s->breaking))
      s->poison_in_order += s->fragments.poisoned - poisoned;
}

/* Executes the part of a transfer that is inside `cut`. Transfers between buffers, and transfers
 * whose destination is SGT_RECT_ALL, can't be split. They are executed as a whole when their last
 * part ends.
 */
static void
apply_transfer(struct sgt_shadow *s, uint32_t number, const struct sgt_rect *cut)
{
   const struct sgt_item *item = &s->trace->items[number];
   const uint32_t record = sgt_shadow_record(s, &s->trace->operations[item->operation]);
   struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS];
   struct sgt_rect rect = *cut;

   if (record == UINT32_MAX)
      return;
   if (sgt_rect_is_all(&item->destination.rect) ||
       !sgpu_shadow_image_targets(s->image, record, targets)) {
      const uint64_t pixels = sgt_audit_pixels(s->trace, item, cut, cut);
      s->left[number] -= pixels < s->left[number] ? pixels : s->left[number];
      if (s->left[number])
         return;
      rect = SGT_RECT_ALL;
   }
   s->failed |= !sgpu_shadow_transfer(s->memory, record, rect.x0, rect.y0, rect.x1, rect.y1);
}

void
sgt_shadow_start(struct sgt_shadow *s, uint64_t cycle, uint32_t item, const struct sgt_rect *rect,
                 const struct sgt_rect *cut)
{
   sgt_audit_start(s->audit, cycle, item, rect, cut);
}

void
sgt_shadow_end(struct sgt_shadow *s, uint64_t cycle, uint32_t item, const struct sgt_rect *cut)
{
   sgt_audit_end(s->audit, cycle, item, cut);
   if (!s->memory)
      return;
   if (!sgt_item_is_primitive(&s->trace->items[item]))
      apply_transfer(s, item, cut);
   else if (s->trace->has_values)
      apply_fragments(s, item, cut);
}

static void
on_start(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
         const struct sgt_slice *slice)
{
   sgt_shadow_start(data, cycle, slice->item, &slice->rect, &slice->cut);
}

static void
on_end(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
       const struct sgt_slice *slice)
{
   sgt_shadow_end(data, cycle, slice->item, &slice->cut);
}

struct sgt_engine_observer
sgt_shadow_observer(struct sgt_shadow *shadow)
{
   return (struct sgt_engine_observer){ .data = shadow, .start = on_start, .end = on_end };
}

void
sgt_shadow_run_in_order(struct sgt_shadow *s)
{
   for (uint32_t i = 0; i < s->trace->num_items; i++) {
      const struct sgt_rect *rect = &s->trace->items[i].destination.rect;
      if (!s->trace->items[i].pixels)
         continue;
      sgt_shadow_start(s, i, i, rect, rect);
      sgt_shadow_end(s, i, i, rect);
   }
}
