/* SPDX-License-Identifier: MIT */
/*
 * Plan: facts about a trace and its work that the front end of a chip needs. They are found once
 * and then only read, so units share them.
 *
 * An operation is a draw, a grid or a transfer. The warps that run before the pixel warps are
 * divided into batches, as in the device, and a batch into steps. A step is a series of warps of
 * the same stage. It reads what the previous step of its batch has written. Each warp of the last
 * step of a batch is an output. Its primitives continue to setup, in the order of the outputs.
 *
 * A trace does not have the primitives of each warp. The primitives of a draw are divided equally
 * among its outputs, and equally among its vertex warps.
 */
#ifndef SGT_PLAN_H
#define SGT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/sgt_work.h"

#define SGT_NONE UINT32_MAX

/* Size of a tile of coarse raster and zcull: log2 of its width and height in pixels, and its number
 * of blocks.
 */
#define SGT_TILE_LOG2 4
#define SGT_TILE_BLOCKS 8

enum sgt_plan_kind {
   SGT_PLAN_DRAW,
   SGT_PLAN_GRID,
   SGT_PLAN_TRANSFER,
   SGT_PLAN_NOTHING, /* the operation has neither items nor warps */
};

struct sgt_plan_step {
   uint32_t first, num; /* index of the first warp in work->warps; number of warps */
   uint32_t batch;      /* number of the batch; it increases over all operations */
   bool begins, ends;   /* the step is the first, or the last, of its batch */
};

struct sgt_plan_output {
   uint32_t operation; /* index of the operation */
   /* index of the warp, or SGT_NONE if the primitives wait for no warp */
   uint32_t warp;
   uint32_t batch; /* number of the warp's batch, or SGT_NONE */
   /* index of the first primitive in trace->items; number of primitives */
   uint32_t first_item, num_items;
   bool ends; /* the output is the last of its operation */
};

struct sgt_plan_operation {
   uint8_t kind;                   /* kind of the operation, enum sgt_plan_kind */
   uint32_t first_step, num_steps; /* index of the first step in plan->steps; number of steps */
   /* index of the first output in plan->outputs; number of outputs */
   uint32_t first_output, num_outputs;
   uint32_t num_vertex_warps; /* number of warps of the vertex stage */
   /* index of the first pixel warp in work->warps; number of pixel warps */
   uint32_t first_pixel, num_pixels;
   bool late;      /* depth is tested after the pixel program */
   uint32_t lates; /* number of earlier draws with late tests */
   /* regions that are written: index of the first in plan->regions, number of regions. There is one
    * region for each set of memory, which bounds the regions of all items.
    */
   uint32_t first_write, num_writes;
   /* regions that are read: index of the first in plan->regions, number of regions */
   uint32_t first_read, num_reads;
};

struct sgt_plan {
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   struct sgt_plan_operation *operations;
   struct sgt_plan_step *steps;
   struct sgt_plan_output *outputs;
   struct sgt_region *regions;
   uint32_t *step_of; /* index of each warp's step; SGT_NONE for pixel warps and grids */
   /* first pixel warp that fine raster of each block completes, or SGT_NONE */
   uint32_t *released;
   /* for each warp: next pixel warp that the same block completes, or SGT_NONE */
   uint32_t *next_released;
   uint32_t *passed; /* lanes of each block that are in its pixel warps */
   /* number of primitives in each pixel warp; one that recurs after another counts again */
   uint8_t *primitives;
   uint32_t num_lates; /* number of operations with late tests */
   uint32_t num_steps, num_outputs, num_regions;
   uint64_t room_steps, room_outputs, room_regions; /* allocated elements of the arrays */
};

/* Finds the plan. Returns false and writes a message if out of memory, or if the work does not fit
 * the trace.
 */
bool sgt_plan_init(struct sgt_plan *plan, const struct sgt_trace *trace,
                   const struct sgt_work *work, char *error, size_t error_size);
void sgt_plan_finish(struct sgt_plan *plan);

/* Returns true if operation `later` must not start before `earlier` has ended, since it reads data
 * that `earlier` writes, or writes data that `earlier` reads or writes. Draws that write the same
 * pixels need not wait, since the colours and depths of a pixel are written in the order of the
 * primitives.
 */
bool sgt_plan_depends(const struct sgt_plan *plan, uint32_t later, uint32_t earlier);

/* Returns a key for the order in which tiles and blocks of a primitive are rasterized: by rows of
 * tiles, and inside a tile by rows of blocks.
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

/* Returns how many of `num` elements come before part `i`, if they are divided equally into
 * `parts`.
 */
static inline uint32_t
sgt_plan_share(uint32_t num, uint32_t parts, uint32_t i)
{
   return (uint64_t)num * i / parts;
}

#endif
