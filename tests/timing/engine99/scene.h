/* SPDX-License-Identifier: MIT */
/*
 * Traces made by hand, of boxes that are covered completely, and the times of the engine's slices.
 */
#ifndef SCENE_H
#define SCENE_H

#include "../../unit.h"
#include "engine99/sgt_engine.h"
#include "trace/sgt_trace_builder.h"

struct scene {
   struct sgt_trace_builder *builder;
   uint32_t targets[4]; /* sets of 1024x1024 pixels that share no memory */
   struct sgt_trace *trace;
};

void scene_begin(struct scene *s);
/* Begins a new operation for the following items. */
void scene_operation(struct scene *s, bool blends, enum sgt_order order, uint32_t order_key);
/* The following items read a rectangle of a target, or nothing if the width is 0. */
void scene_reads(struct scene *s, uint32_t target, int32_t x, int32_t y, int32_t w, int32_t h);
/* Adds an item whose box is covered completely. */
void scene_item(struct scene *s, enum sgt_item_kind kind, uint32_t target, int32_t x, int32_t y,
                int32_t w, int32_t h);
/* Adds a triangle of target 0. */
void scene_box(struct scene *s, int32_t x, int32_t y, int32_t w, int32_t h);
const struct sgt_trace *scene_end(struct scene *s);
void scene_finish(struct scene *s);

/* Sets parameters without setup and pipeline time.  Where there is a choice, the order is program
 * order.
 */
void scene_params(struct sgt_engine_params *p, uint32_t accelerators, uint32_t candidates);

/* Times at which slices were busy, in the order of entry. */
#define SCENE_MAX_SLICES 4096
struct scene_run {
   struct {
      struct sgt_slice slice;
      uint64_t enter, start, end; /* times in cycles; `end` is the last busy cycle */
      uint32_t accelerator;
   } slices[SCENE_MAX_SLICES];
   uint32_t num;
   uint32_t of_tag[SGT_MAX_ACCELERATORS];
   struct sgt_engine_result result; /* must be freed by scene_drop() */
};

/* Runs the trace and checks that the accounts add up. */
void scene_run(struct scene_run *run, const struct sgt_trace *trace,
               const struct sgt_engine_params *params);
void scene_drop(struct scene_run *run);

#endif
