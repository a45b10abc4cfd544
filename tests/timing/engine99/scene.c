/* SPDX-License-Identifier: MIT */
/*
 * Traces made by hand.
 */
#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "kernel/sgt_stats.h"
#include "unit_rig.h"
#include "util/macros.h"

#define SIZE 1024

void
scene_begin(struct scene *s)
{
   memset(s, 0, sizeof(*s));
   s->builder = sgt_trace_builder_create();
   assert_non_null(s->builder);
   for (unsigned i = 0; i < ARRAY_SIZE(s->targets); i++) {
      const uint64_t bytes = SIZE * SIZE * 4;
      const struct sgt_piece piece = {
         .begin = (i + 1) * bytes,
         .end = (i + 2) * bytes,
         .storage = i + 1,
         .width = SIZE,
         .height = SIZE,
         .grid = 1,
      };
      s->targets[i] = sgt_trace_builder_set(s->builder, &piece, 1);
   }
}

void
scene_operation(struct scene *s, bool blends, enum sgt_order order, uint32_t order_key)
{
   const struct sgt_operation op = {
      .blends = blends,
      .order = order,
      .order_key = order_key,
      .samples = 1,
   };
   sgt_trace_builder_operation(s->builder, &op);
}

void
scene_reads(struct scene *s, uint32_t target, int32_t x, int32_t y, int32_t w, int32_t h)
{
   const struct sgt_region region = { .set = s->targets[target], .rect = { x, y, x + w, y + h } };
   sgt_trace_builder_sources(s->builder, &region, w != 0);
}

void
scene_item(struct scene *s, enum sgt_item_kind kind, uint32_t target, int32_t x, int32_t y,
           int32_t w, int32_t h)
{
   const struct sgt_item item = {
      .kind = kind,
      .destination = { .set = s->targets[target], .rect = { x, y, x + w, y + h } },
   };
   sgt_trace_builder_item(s->builder, &item);
   if (!sgt_item_is_primitive(&item))
      return;
   for (int32_t by = y & ~3; by < y + h; by += 4) {
      for (int32_t bx = x & ~7; bx < x + w; bx += 8)
         sgt_trace_builder_block(s->builder, bx, by,
                                 sgt_block_cut(~0u, bx, by, &item.destination.rect), false);
   }
}

void
scene_box(struct scene *s, int32_t x, int32_t y, int32_t w, int32_t h)
{
   scene_item(s, SGT_ITEM_TRIANGLE, 0, x, y, w, h);
}

const struct sgt_trace *
scene_end(struct scene *s)
{
   s->trace = sgt_trace_builder_finish(s->builder);
   assert_non_null(s->trace);
   return s->trace;
}

void
scene_finish(struct scene *s)
{
   sgt_trace_destroy(s->trace);
   sgt_trace_builder_destroy(s->builder);
}

void
scene_params(struct sgt_engine_params *p, uint32_t accelerators, uint32_t candidates)
{
   sgt_engine_params_init(p);
   p->accelerators = accelerators;
   p->candidates = candidates;
   p->setup = p->span = p->depth = 0;
   p->select = SGT_SELECT_OLDEST;
}

static void
on_enter(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice)
{
   struct scene_run *run = data;
   assert_true(run->num < SCENE_MAX_SLICES && tag < ARRAY_SIZE(run->of_tag));
   run->of_tag[tag] = run->num;
   run->slices[run->num].slice = *slice;
   run->slices[run->num++].enter = cycle;
}

static void
on_start(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
         const struct sgt_slice *slice)
{
   struct scene_run *run = data;
   run->slices[run->of_tag[tag]].start = cycle;
   run->slices[run->of_tag[tag]].accelerator = accelerator;
}

static void
on_end(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
       const struct sgt_slice *slice)
{
   struct scene_run *run = data;
   assert_int_equal(run->slices[run->of_tag[tag]].accelerator, accelerator);
   run->slices[run->of_tag[tag]].end = cycle;
}

void
scene_run(struct scene_run *run, const struct sgt_trace *trace,
          const struct sgt_engine_params *params)
{
   const struct sgt_engine_observer observer = {
      .data = run,
      .enter = on_enter,
      .start = on_start,
      .end = on_end,
   };
   char error[256] = "";
   memset(run, 0, sizeof(*run));
   const bool ok = sgt_engine_run(trace, params, &observer, &run->result, error, sizeof(error));
   assert_string_equal(error, "");
   assert_true(ok);

   struct sgt_stats stats;
   sgt_stats_init(&stats);
   sgt_engine_result_register(&run->result, &stats);
   unit_rig_check(&stats);
   sgt_stats_finish(&stats);
   const struct sgt_engine_result *r = &run->result;
   assert_int_equal(r->slices, run->num);
   assert_true(r->cycles * r->accelerators >= r->work);
   uint64_t work = 0;
   for (uint32_t i = 0; i < run->num; i++)
      work += run->slices[i].end + 1 - run->slices[i].start;
   assert_int_equal(work, r->work);
}

void
scene_drop(struct scene_run *run)
{
   sgt_engine_result_finish(&run->result);
}
