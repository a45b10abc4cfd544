/* SPDX-License-Identifier: MIT */
/*
 * Plan: computes the batches, steps, primitives, dependences and raster order of a trace.
 */
#include "chip_front/sgt_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "util/macros.h"

static bool
add_step(struct sgt_plan *plan, const struct sgt_plan_step *step)
{
   if (!sgt_array_reserve(&plan->steps, &plan->room_steps, plan->num_steps + 1ull,
                          sizeof(*plan->steps)))
      return false;
   plan->steps[plan->num_steps++] = *step;
   return true;
}

static bool
add_output(struct sgt_plan *plan, const struct sgt_plan_output *output)
{
   if (!sgt_array_reserve(&plan->outputs, &plan->room_outputs, plan->num_outputs + 1ull,
                          sizeof(*plan->outputs)))
      return false;
   plan->outputs[plan->num_outputs++] = *output;
   return true;
}

/* Adds a region to the list that starts at index `first`. The list has one region per memory set.
 * If the set of `r` is already in the list, extends its region to include `r`.
 */
static bool
add_region(struct sgt_plan *plan, uint32_t first, const struct sgt_region *r)
{
   for (uint32_t i = first; i < plan->num_regions; i++) {
      struct sgt_region *all = &plan->regions[i];
      if (all->set != r->set)
         continue;
      all->first_layer = MIN2(all->first_layer, r->first_layer);
      all->last_layer = MAX2(all->last_layer, r->last_layer);
      all->rect.x0 = MIN2(all->rect.x0, r->rect.x0);
      all->rect.y0 = MIN2(all->rect.y0, r->rect.y0);
      all->rect.x1 = MAX2(all->rect.x1, r->rect.x1);
      all->rect.y1 = MAX2(all->rect.y1, r->rect.y1);
      return true;
   }
   if (!sgt_array_reserve(&plan->regions, &plan->room_regions, plan->num_regions + 1ull,
                          sizeof(*plan->regions)))
      return false;
   plan->regions[plan->num_regions++] = *r;
   return true;
}

static bool
add_regions(struct sgt_plan *plan, struct sgt_plan_operation *o, const struct sgt_operation *op)
{
   const struct sgt_trace *t = plan->trace;
   const struct sgt_item *items = t->items + op->first_item;
   o->first_write = plan->num_regions;
   for (uint32_t i = 0; i < op->num_items; i++)
      if (!add_region(plan, o->first_write, &items[i].destination))
         return false;
   o->num_writes = plan->num_regions - o->first_write;
   o->first_read = plan->num_regions;
   for (uint32_t i = 0; i < op->num_items; i++) {
      /* Most items have the same list of sources as the previous item. */
      if (i && items[i].first_source == items[i - 1].first_source &&
          items[i].num_sources == items[i - 1].num_sources)
         continue;
      for (uint32_t j = 0; j < items[i].num_sources; j++)
         if (!add_region(plan, o->first_read, &t->sources[items[i].first_source + j]))
            return false;
   }
   o->num_reads = plan->num_regions - o->first_read;
   return true;
}

/* Divides the warps before the pixel warps into batches and steps. A change of `group` starts a new
 * batch, except in warps of the tessellation control stage, where `group` has a different meaning.
 * These warps belong to the same batch as the previous warp.
 */
static bool
add_steps(struct sgt_plan *plan, struct sgt_plan_operation *o, uint32_t first, uint32_t end)
{
   const struct sgt_warp *warps = plan->work->warps;
   uint32_t group = 0;
   o->first_step = plan->num_steps;
   for (uint32_t i = first; i < end; i++) {
      const enum sgpu_stage stage = sgt_plan_program(plan, i)->stage;
      const bool vertex = stage == SGPU_STAGE_VERTEX;
      const bool grouped = stage != SGPU_STAGE_TESS_CTRL;
      const bool begins = i == first || (grouped && warps[i].group != group);
      if (grouped)
         group = warps[i].group;
      o->num_vertex_warps += vertex;
      struct sgt_plan_step *latest = i == first ? NULL : &plan->steps[plan->num_steps - 1];
      if (latest && !begins && sgt_plan_program(plan, latest->first)->stage == stage) {
         latest->num++;
      } else {
         if (latest)
            latest->ends = begins;
         const struct sgt_plan_step step = {
            .first = i,
            .num = 1,
            .batch = latest ? latest->batch + begins : plan->num_steps,
            .begins = begins,
            .ends = true,
         };
         if (!add_step(plan, &step))
            return false;
      }
      plan->step_of[i] = plan->num_steps - 1;
   }
   o->num_steps = plan->num_steps - o->first_step;
   return true;
}

static bool
add_outputs(struct sgt_plan *plan, struct sgt_plan_operation *o, uint32_t operation,
            const struct sgt_operation *op)
{
   o->first_output = plan->num_outputs;
   for (uint32_t s = o->first_step; s < o->first_step + o->num_steps; s++) {
      const struct sgt_plan_step *step = &plan->steps[s];
      for (uint32_t i = 0; step->ends && i < step->num; i++) {
         const struct sgt_plan_output output = { .operation = operation,
                                                 .warp = step->first + i,
                                                 .batch = step->batch };
         if (!add_output(plan, &output))
            return false;
      }
   }
   if (plan->num_outputs == o->first_output &&
       !add_output(plan, &(struct sgt_plan_output){
                            .operation = operation, .warp = SGT_NONE, .batch = SGT_NONE }))
      return false;
   o->num_outputs = plan->num_outputs - o->first_output;
   for (uint32_t i = 0; i < o->num_outputs; i++) {
      struct sgt_plan_output *output = &plan->outputs[o->first_output + i];
      const uint32_t begin = sgt_plan_share(op->num_items, o->num_outputs, i);
      output->first_item = op->first_item + begin;
      output->num_items = sgt_plan_share(op->num_items, o->num_outputs, i + 1) - begin;
      output->ends = i + 1 == o->num_outputs;
   }
   return true;
}

/* Returns the index of the block of the item that contains the pixel, or SGT_NONE. */
static uint32_t
find_block(const struct sgt_trace *t, const struct sgt_item *item, uint32_t x, uint32_t y)
{
   const struct sgt_block *blocks = t->blocks + item->first_block;
   uint32_t low = 0, high = item->num_blocks;
   x &= ~7u;
   y &= ~3u;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (blocks[middle].y < y || (blocks[middle].y == y && blocks[middle].x < x))
         low = middle + 1;
      else
         high = middle;
   }
   if (low == item->num_blocks || blocks[low].x != x || blocks[low].y != y)
      return SGT_NONE;
   return item->first_block + low;
}

/* A position in raster order: a primitive, and a block of the primitive. */
struct place {
   /* group: group of the warp; item: index of the primitive; block: index of the block */
   uint32_t group, item, block;
   uint64_t order; /* key from sgt_raster_order() */
};

/* Finds the block whose rasterization completes the warp, and stores its index temporarily in
 * next_released. Warps that were built from the same tile list stay in order: a warp is never
 * completed before the previous warp.
 */
static bool
find_release(struct sgt_plan *plan, const struct sgt_operation *op, uint32_t warp,
             struct place *latest, char *error, size_t error_size)
{
   const struct sgt_trace *t = plan->trace;
   const struct sgt_warp *w = &plan->work->warps[warp];
   struct place at = { .group = w->group, .block = SGT_NONE };
   uint32_t block = SGT_NONE;
   if (latest->group == w->group)
      at = *latest;
   for (uint32_t i = 0; i < w->num_quads; i++) {
      const struct sgt_quad *quad = &plan->work->quads[w->first_quad + i];
      if (quad->item - op->first_item >= op->num_items) {
         snprintf(error, error_size, "warp %" PRIu32 ": a quad belongs to no primitive of its draw",
                  warp);
         return false;
      }
      if (!i || quad->item != quad[-1].item || quad->x >> 3 != quad[-1].x >> 3 ||
          quad->y >> 2 != quad[-1].y >> 2)
         block = find_block(t, &t->items[quad->item], quad->x, quad->y);
      if (block == SGT_NONE || sgt_block_zculled(t, block)) {
         snprintf(error, error_size,
                  "warp %" PRIu32 ": a quad is in a block that its primitive does not cover, or "
                  "that zcull dropped",
                  warp);
         return false;
      }
      plan->passed[block] |= (quad->covered & 15u)
                             << (16 * (quad->y >> 1 & 1) + 4 * (quad->x >> 1 & 3));
      plan->primitives[warp] += !i || quad->item != quad[-1].item;
      const uint64_t order = sgt_raster_order(quad->x, quad->y);
      if (at.block == SGT_NONE || quad->item > at.item ||
          (quad->item == at.item && order > at.order))
         at = (struct place){ w->group, quad->item, block, order };
   }
   if (!w->num_quads) {
      snprintf(error, error_size, "warp %" PRIu32 ": a pixel warp has no quads", warp);
      return false;
   }
   plan->next_released[warp] = at.block;
   *latest = at;
   return true;
}

static bool
add_releases(struct sgt_plan *plan, const struct sgt_operation *op, uint32_t first, uint32_t end,
             char *error, size_t error_size)
{
   struct place latest = { .group = SGT_NONE, .block = SGT_NONE };
   for (uint32_t i = first; i < end; i++) {
      if (sgt_plan_program(plan, i)->stage != SGPU_STAGE_PIXEL) {
         snprintf(error, error_size, "warp %" PRIu32 " has no pixel program", i);
         return false;
      }
      if (!find_release(plan, op, i, &latest, error, error_size))
         return false;
   }
   /* Insert in reverse order to make the list of a block start with its first warp. */
   for (uint32_t i = end; i > first; i--) {
      uint32_t *head = &plan->released[plan->next_released[i - 1]];
      plan->next_released[i - 1] = *head;
      *head = i - 1;
   }
   return true;
}

/* Returns true if the operation tests depth after its pixel program. */
static bool
tests_late(const struct sgt_trace *t, const struct sgt_operation *op)
{
   for (uint32_t i = 0; i < op->num_targets; i++) {
      const uint32_t flags = t->targets[op->first_target + i].flags;
      if (flags & SGT_TARGET_DEPTH)
         return !(flags & SGT_TARGET_EARLY);
   }
   return false;
}

static bool
add_operation(struct sgt_plan *plan, uint32_t n, char *error, size_t error_size)
{
   const struct sgt_trace *t = plan->trace;
   const struct sgt_work *work = plan->work;
   const struct sgt_operation *op = &t->operations[n];
   const struct sgt_operation_work *w = &work->operations[n];
   struct sgt_plan_operation *o = &plan->operations[n];
   const bool draws = op->num_items && t->items[op->first_item].kind <= SGT_ITEM_POINT;
   const uint32_t end = w->first_warp + w->num_warps;

   if (w->num_warps && sgt_plan_program(plan, w->first_warp)->stage == SGPU_STAGE_COMPUTE)
      o->kind = SGT_PLAN_GRID;
   else if (draws || w->num_warps)
      o->kind = SGT_PLAN_DRAW;
   else
      o->kind = op->num_items ? SGT_PLAN_TRANSFER : SGT_PLAN_NOTHING;
   o->first_pixel = end;
   bool ok = add_regions(plan, o, op);
   if (o->kind == SGT_PLAN_DRAW) {
      o->first_pixel = w->first_warp;
      while (o->first_pixel < end &&
             sgt_plan_program(plan, o->first_pixel)->stage != SGPU_STAGE_PIXEL)
         o->first_pixel++;
      o->num_pixels = end - o->first_pixel;
      o->late = tests_late(t, op) && o->num_pixels;
      ok = ok && add_steps(plan, o, w->first_warp, o->first_pixel) && add_outputs(plan, o, n, op);
   }
   if (!ok) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   return add_releases(plan, op, o->first_pixel, end, error, error_size);
}

bool
sgt_plan_init(struct sgt_plan *plan, const struct sgt_trace *trace, const struct sgt_work *work,
              char *error, size_t error_size)
{
   *plan = (struct sgt_plan){ .trace = trace, .work = work };
   if (work->num_operations != trace->num_operations) {
      snprintf(error, error_size, "the work has %" PRIu32 " operations, the trace has %" PRIu32,
               work->num_operations, trace->num_operations);
      return false;
   }
   const size_t blocks = MAX2(trace->num_blocks, 1) * sizeof(uint32_t);
   const size_t warps = MAX2(work->num_warps, 1) * sizeof(uint32_t);
   plan->operations = calloc(MAX2(trace->num_operations, 1), sizeof(*plan->operations));
   plan->step_of = malloc(warps);
   plan->released = malloc(blocks);
   plan->next_released = malloc(warps);
   plan->passed = calloc(MAX2(trace->num_blocks, 1), sizeof(uint32_t));
   plan->primitives = calloc(MAX2(work->num_warps, 1), 1);
   bool ok = plan->operations && plan->step_of && plan->released && plan->next_released &&
             plan->passed && plan->primitives;
   if (!ok) {
      snprintf(error, error_size, "out of memory");
   } else {
      memset(plan->step_of, 0xff, warps);
      memset(plan->released, 0xff, blocks);
      memset(plan->next_released, 0xff, warps);
   }
   for (uint32_t i = 0; ok && i < trace->num_operations; i++) {
      ok = add_operation(plan, i, error, error_size);
      plan->operations[i].lates = plan->num_lates;
      plan->num_lates += plan->operations[i].late;
   }
   if (!ok)
      sgt_plan_finish(plan);
   return ok;
}

void
sgt_plan_finish(struct sgt_plan *plan)
{
   free(plan->operations);
   free(plan->steps);
   free(plan->outputs);
   free(plan->regions);
   free(plan->step_of);
   free(plan->released);
   free(plan->next_released);
   free(plan->passed);
   free(plan->primitives);
   memset(plan, 0, sizeof(*plan));
}

static bool
regions_meet(const struct sgt_plan *plan, uint32_t a, uint32_t num_a, uint32_t b, uint32_t num_b,
             bool drawn)
{
   for (uint32_t i = a; i < a + num_a; i++) {
      for (uint32_t j = b; j < b + num_b; j++) {
         const struct sgt_region *x = &plan->regions[i], *y = &plan->regions[j];
         if (!sgt_regions_meet(plan->trace, x, y))
            continue;
         /* Two draws don't wait for each other if both regions are known rectangles, because the
          * ROPs write each pixel in program order. There is no such order for regions that
          * aren't known as rectangles.
          */
         if (drawn && !sgt_rect_is_all(&x->rect) && !sgt_rect_is_all(&y->rect))
            continue;
         return true;
      }
   }
   return false;
}

bool
sgt_plan_depends(const struct sgt_plan *plan, uint32_t later, uint32_t earlier)
{
   const struct sgt_plan_operation *l = &plan->operations[later];
   const struct sgt_plan_operation *e = &plan->operations[earlier];
   const bool draws = l->kind == SGT_PLAN_DRAW && e->kind == SGT_PLAN_DRAW;
   return regions_meet(plan, l->first_read, l->num_reads, e->first_write, e->num_writes, false) ||
          regions_meet(plan, l->first_write, l->num_writes, e->first_read, e->num_reads, false) ||
          regions_meet(plan, l->first_write, l->num_writes, e->first_write, e->num_writes, draws);
}
