/* SPDX-License-Identifier: MIT */
/*
 * Verifies a chip model by its rendering results. This file maps the bytes that a request accesses
 * to pixels of an operation. It then tests, colors or transfers these pixels in the shadow memory.
 */
#include "proof/sgt_chip_apply.h"

#include <strings.h>

#include "proof/sgt_audit_plan.h"
#include "proof/sgt_blocks.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* A request to a ROP that is being applied to the shadow memory. */
struct action {
   struct sgt_chip_shadow *shadow;
   const struct sgt_rop_request *request;
   const struct sgt_item *item;
   const struct sgt_operation *operation;
   const struct sgt_target *target;
   /* cycle: time in cycles of the ROPs' clock;
    * plane: address of the current layer and sample of `target`
    */
   uint64_t cycle, plane;
   uint32_t number; /* index of `target` among the targets of its operation */
   uint32_t layer, sample;
   bool found; /* true if the target contains the memory line that the request accesses */
};

static bool
has_depth(const struct sgt_trace *t, const struct sgt_operation *op)
{
   return op->num_targets && t->targets[op->first_target].flags & SGT_TARGET_DEPTH;
}

/* Reports that lanes of the block at (x, y) were skipped, processed twice or outside the item. */
static void
note_parts(const struct action *a, uint32_t x, uint32_t y)
{
   const struct sgt_rect rect = { x, y, x + 8, y + 4 };
   sgt_audit_note(a->shadow->model->audit, SGT_HAZARD_PARTS, a->cycle, a->request->item, UINT32_MAX,
                  &rect);
}

/* Writes the colors of fragments that pass the tests although the functional device did not color
 * them. The chip won't send color requests for these fragments, so their colors are written
 * immediately.
 */
static void
write_poison(struct action *a, const struct sgpu_shadow_draw *draw,
             const struct sgpu_shadow_block *block, uint32_t lanes)
{
   struct sgt_shadow *m = a->shadow->model;
   struct sgpu_shadow_result unused = { 0 };
   bool writes = false;

   for (uint32_t i = 0; i < a->operation->num_targets; i++) {
      const struct sgt_target *t = &m->trace->targets[a->operation->first_target + i];
      if (!sgt_chip_is_color(t))
         continue;
      writes = true;
      m->failed |= !sgpu_shadow_color(m->memory, draw, block, a->sample, t->slot, lanes, &unused);
   }
   if (!writes)
      return;
   m->fragments.poisoned += util_bitcount(lanes);
   m->poison_in_order += util_bitcount(lanes);
}

static void
test_lanes(struct action *a, const struct sgt_block *b, uint32_t *words, uint32_t lanes)
{
   struct sgt_shadow *m = a->shadow->model;
   struct sgpu_shadow_draw draw;

   if (words[SGT_CHIP_TESTED] & lanes)
      note_parts(a, b->x, b->y);
   lanes &= ~words[SGT_CHIP_TESTED];
   words[SGT_CHIP_TESTED] |= lanes;
   if (!sgt_shadow_draw_of(m, a->request->item, &draw)) {
      words[SGT_CHIP_PASSED] |= lanes;
      return;
   }
   const struct sgpu_shadow_block block = sgt_shadow_block_of(m->trace, b, lanes);
   m->failed |= !sgpu_shadow_test(m->memory, &draw, &block, a->sample, &lanes, &m->fragments);
   words[SGT_CHIP_PASSED] |= lanes;
   const uint32_t poisoned = lanes & ~sgt_chip_colored(m->trace, a->operation, b, a->sample);
   if (poisoned)
      write_poison(a, &draw, &block, poisoned);
}

/* Returns the index of the target to write. If the same surface is bound to several targets of the
 * operation, returns the first of them, starting at a->target, in which these lanes have not been
 * written yet.
 */
static uint32_t
free_target(const struct action *a, const uint32_t *words, uint32_t lanes)
{
   const struct sgt_target *targets = a->target - a->number;

   for (uint32_t i = a->number; i < a->operation->num_targets; i++) {
      if (sgt_chip_is_color(&targets[i]) && targets[i].origin == a->target->origin &&
          !(words[SGT_CHIP_WRITTEN + i] & lanes))
         return i;
   }
   return a->number;
}

static void
color_lanes(struct action *a, const struct sgt_block *b, uint32_t *words, uint32_t lanes)
{
   struct sgt_shadow *m = a->shadow->model;
   const uint32_t number = free_target(a, words, lanes);
   const bool tests = has_depth(m->trace, a->operation);
   struct sgpu_shadow_draw draw;

   if (words[SGT_CHIP_WRITTEN + number] & lanes)
      note_parts(a, b->x, b->y);
   lanes &= ~words[SGT_CHIP_WRITTEN + number];
   words[SGT_CHIP_WRITTEN + number] |= lanes;
   if (tests) {
      const uint32_t lost = lanes & sgt_chip_colored(m->trace, a->operation, b, a->sample) &
                            ~words[SGT_CHIP_PASSED];
      m->lost += util_bitcount(lost);
      lanes &= words[SGT_CHIP_PASSED];
   }
   if (!lanes || !sgt_shadow_draw_of(m, a->request->item, &draw))
      return;
   const struct sgpu_shadow_block block = sgt_shadow_block_of(m->trace, b, lanes);
   struct sgpu_shadow_result result = { 0 };
   m->failed |= !sgpu_shadow_color(m->memory, &draw, &block, a->sample,
                                   m->trace->targets[a->operation->first_target + number].slot,
                                   lanes, &result);
   if (tests || number)
      return;
   m->fragments.fragments += result.fragments;
   m->fragments.passed += result.passed;
}

static void
fragment_lanes(struct action *a, uint32_t x, uint32_t y, uint32_t lanes)
{
   const struct sgt_trace *t = a->shadow->trace;
   const uint32_t end = a->item->first_block + a->item->num_blocks;
   const uint32_t block = sgt_find_block(t->blocks, a->item->first_block, end, x, y);
   const struct sgt_block *b = &t->blocks[block];

   if (block == end || b->x != x || b->y != y || lanes & ~b->mask ||
       a->sample >= a->operation->samples) {
      note_parts(a, x, y);
      return;
   }
   uint32_t *words = sgt_chip_words(a->shadow, a->operation, block, a->sample);
   if (a->request->kind == SGT_ROP_DEPTH)
      test_lanes(a, b, words, lanes);
   else
      color_lanes(a, b, words, lanes);
}

/* -- transfers --------------------------------------------------------------------------- */

/* Transfers lanes of a block in the shadow memory. The request for the last sample transfers all
 * samples, so requests for other samples are ignored.
 */
static void
transfer_lanes(struct action *a, uint32_t x, uint32_t y, uint32_t lanes)
{
   struct sgt_shadow *m = a->shadow->model;
   const uint32_t record = sgt_shadow_record(m, a->operation);
   const struct sgt_target *targets = a->target - a->number;
   uint32_t number = 0;

   if (record == UINT32_MAX || a->sample + 1u != a->target->samples)
      return;
   for (uint32_t i = 0; i < a->number; i++)
      number += (targets[i].flags & SGT_TARGET_WRITE) != 0;
   while (lanes) {
      /* Find the largest rectangle of lanes that starts at the first remaining lane. Maximize the
       * width first, and then the height.
       */
      const uint32_t first = ffs(lanes) - 1;
      const uint32_t left = x + (first >> 1 & 6) + (first & 1);
      const uint32_t top = y + (first >> 3 & 2) + (first >> 1 & 1);
      struct sgt_rect r = { left, top, left + 1, top + 1 };
      uint32_t in;
      while (r.x1 < (int32_t)x + 8) {
         const struct sgt_rect wider = { r.x0, r.y0, r.x1 + 1, r.y1 };
         if (sgt_lanes_in(&wider, x, y) & ~lanes)
            break;
         r = wider;
      }
      while (r.y1 < (int32_t)y + 4) {
         const struct sgt_rect taller = { r.x0, r.y0, r.x1, r.y1 + 1 };
         if (sgt_lanes_in(&taller, x, y) & ~lanes)
            break;
         r = taller;
      }
      in = sgt_lanes_in(&r, x, y);
      m->failed |= !sgpu_shadow_transfer_part(m->memory, record, number, a->layer, r.x0, r.y0, r.x1,
                                              r.y1);
      lanes &= ~in;
   }
}

/* -- from bytes to lanes ------------------------------------------------------------------ */

static void
do_lanes(struct action *a, uint32_t x, uint32_t y, uint32_t lanes)
{
   const struct sgt_target *t = a->target;

   a->found = true;
   sgt_audit_block(a->shadow->model->audit, a->cycle, a->request->item, t->flags & SGT_TARGET_WRITE,
                   a->plane, t->width, t->height, x, y, lanes);
   if (a->request->kind == SGT_ROP_WRITE)
      transfer_lanes(a, x, y, lanes);
   else
      fragment_lanes(a, x, y, lanes);
}

/* Applies the request to the elements that start in a memory line and belong to the current layer
 * and sample of the target, one 8x4 block at a time.
 */
static void
do_plane(struct action *a, uint64_t line, uint64_t mask)
{
   const struct sgt_target *t = a->target;
   const bool tiled = t->flags & SGT_TARGET_TILED;
   const uint32_t rows = tiled ? DIV_ROUND_UP(t->height, SGPU_TILE_HEIGHT) : t->height;
   const uint64_t plane_end = a->plane + (uint64_t)rows * t->pitch;
   const uint64_t end = MIN2(line + SGT_CHIP_LINE, plane_end);
   uint64_t at = MAX2(line, a->plane);
   uint32_t block_x = UINT32_MAX, block_y = 0, lanes = 0;

   if (at >= end)
      return;
   uint64_t row = (at - a->plane) / t->pitch;
   uint64_t element = ((at - a->plane) % t->pitch + t->bytes - 1) / t->bytes;
   for (; row < rows; row++, element = 0) {
      for (; (element + 1) * t->bytes <= t->pitch; element++) {
         at = a->plane + row * t->pitch + element * t->bytes;
         if (at >= end)
            break;
         if (!(mask >> (at - line) & 1))
            continue;
         const uint32_t e = element % SGPU_TILE_ELEMENTS;
         const uint32_t x = tiled ? element / SGPU_TILE_ELEMENTS * SGPU_TILE_WIDTH + (e >> 1 & 6) +
                                       (e & 1)
                                  : element;
         const uint32_t y = tiled ? row * SGPU_TILE_HEIGHT + (e >> 3 & 2) + (e >> 1 & 1) : row;
         if (x >= t->width || y >= t->height)
            continue;
         if ((x & ~7u) != block_x || (y & ~3u) != block_y) {
            if (lanes)
               do_lanes(a, block_x, block_y, lanes);
            block_x = x & ~7u;
            block_y = y & ~3u;
            lanes = 0;
         }
         lanes |= 1u << sgpu_tile_element(x, y);
      }
      if (at >= end)
         break;
   }
   if (lanes)
      do_lanes(a, block_x, block_y, lanes);
}

/* Returns true if the request accesses this target. */
static bool
apply_takes(const struct sgt_rop_request *r, const struct sgt_target *t)
{
   switch (r->kind) {
   case SGT_ROP_DEPTH:
      return t->flags & SGT_TARGET_DEPTH;
   case SGT_ROP_COLOR:
      return sgt_chip_is_color(t);
   default:
      return t->flags & SGT_TARGET_WRITE && !(t->flags & SGT_TARGET_BUFFER);
   }
}

void
sgt_chip_apply_line(struct sgt_chip_shadow *s, uint64_t cycle, const struct sgt_rop_request *r,
                    uint64_t line, uint64_t mask)
{
   struct action a = {
      .shadow = s, .request = r, .item = &s->trace->items[r->item], .cycle = cycle
   };
   a.operation = &s->trace->operations[a.item->operation];
   const bool draws = sgt_item_is_primitive(a.item);

   for (; a.number < a.operation->num_targets && !a.found; a.number++) {
      a.target = &s->trace->targets[a.operation->first_target + a.number];
      if (!apply_takes(r, a.target))
         continue;
      const uint32_t layers = draws ? a.item->layer + 1 : a.target->layers;
      for (a.layer = draws ? a.item->layer : 0; a.layer < layers; a.layer++) {
         for (a.sample = 0; a.sample < a.target->samples; a.sample++) {
            a.plane = a.target->origin + a.layer * a.target->layer_stride +
                      a.sample * a.target->sample_stride;
            do_plane(&a, line, mask);
         }
      }
   }
}
