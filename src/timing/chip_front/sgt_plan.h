/* SPDX-License-Identifier: MIT */
/*
 * Plan: what the front of a chip needs to know of a trace and its work, found once.  It is
 * read-only, so units share it.
 *
 * An operation is a draw, a grid or a transfer.  The warps before its pixel warps are cut into
 * batches, as the device has them, and a batch into steps: warps of one stage in a row.  A
 * step reads what the step before it in its batch has written.  Warps of the last step of a
 * batch are outputs: primitives go on from them, in the order of the outputs.
 *
 * A trace does not say which primitives a warp has made.  The primitives of a draw are divided
 * over its outputs, and over its vertex warps, in equal numbers.
 */
#ifndef SGT_PLAN_H
#define SGT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/sgt_work.h"

#define SGT_NONE UINT32_MAX

/* A tile of coarse raster and of zcull: 256 pixels. */
#define SGT_TILE_LOG2 4
#define SGT_TILE_BLOCKS 8

enum sgt_plan_kind {
   SGT_PLAN_DRAW,
   SGT_PLAN_GRID,
   SGT_PLAN_TRANSFER,
   SGT_PLAN_NOTHING, /* neither items nor warps */
};

struct sgt_plan_step {
   uint32_t first, num; /* in work->warps */
   uint32_t batch;      /* ascending over all operations */
   bool begins, ends;   /* its batch */
};

struct sgt_plan_output {
   uint32_t operation;
   uint32_t warp;                  /* SGT_NONE: the primitives wait for none */
   uint32_t batch;                 /* of the warp */
   uint32_t first_item, num_items; /* in trace->items */
   bool ends;                      /* its operation */
};

struct sgt_plan_operation {
   uint8_t kind; /* enum sgt_plan_kind */
   uint32_t first_step, num_steps;
   uint32_t first_output, num_outputs;
   uint32_t num_vertex_warps;
   uint32_t first_pixel, num_pixels; /* in work->warps */
   bool late;                        /* its pixel warps are tested after their program */
   uint32_t lates;                   /* how many draws before it are */
   uint32_t first_write, num_writes; /* in plan->regions: bounds, one for each set */
   uint32_t first_read, num_reads;
};

struct sgt_plan {
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   struct sgt_plan_operation *operations;
   struct sgt_plan_step *steps;
   struct sgt_plan_output *outputs;
   struct sgt_region *regions;
   uint32_t *step_of;       /* of each warp; pixel warps and grids: SGT_NONE */
   uint32_t *released;      /* of each block: the first pixel warp that its fine raster completes */
   uint32_t *next_released; /* of each warp: the next one of the same block */
   uint32_t *passed;        /* of each block: lanes that its pixel warps have */
   uint8_t *primitives; /* of each pixel warp: those that its quads are of, one after the other */
   uint32_t num_lates;  /* operations that are late */
   uint32_t num_steps, num_outputs, num_regions;
   uint64_t room_steps, room_outputs, room_regions;
};

/* False, with a message: no memory, or the work does not fit the trace. */
bool sgt_plan_init(struct sgt_plan *plan, const struct sgt_trace *trace,
                   const struct sgt_work *work, char *error, size_t error_size);
void sgt_plan_finish(struct sgt_plan *plan);

/* Whether operation `later` may only begin when `earlier` has ended: it reads what the other
 * writes, or writes what the other reads or writes.  Draws that write the same pixels need not
 * wait: colours and depths of a pixel are written in the order of the primitives.
 */
bool sgt_plan_depends(const struct sgt_plan *plan, uint32_t later, uint32_t earlier);

/* The order in which tiles and blocks of a primitive are rasterized: by rows of tiles, in a
 * tile by rows of blocks.
 */
static inline uint64_t
sgt_raster_order(uint32_t x, uint32_t y)
{
   return (uint64_t)(y >> SGT_TILE_LOG2) << 34 | (uint64_t)(x >> SGT_TILE_LOG2) << 18 |
          (y >> 2 & 3) << 1 | (x >> 3 & 1);
}

static inline const struct sgt_program *
sgt_plan_program(const struct sgt_plan *plan, uint32_t warp)
{
   return plan->work->programs[plan->work->warps[warp].program];
}

/* Of `num` things that are divided over `parts`, those before part `i`. */
static inline uint32_t
sgt_plan_share(uint32_t num, uint32_t parts, uint32_t i)
{
   return (uint64_t)num * i / parts;
}

#endif
