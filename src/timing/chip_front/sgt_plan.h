/* SPDX-License-Identifier: MIT */
/*
 * Plan: batches, steps, primitives, dependences and raster order of a trace, which the front end of
 * a chip needs. The plan is computed once and never changes, which allows all units to share it.
 *
 * An operation is a draw, a grid or a transfer. The warps of a draw before its pixel warps are
 * divided into batches, like in the device, and batches into steps. A step is a sequence of warps
 * of the same stage that read what the previous step of the batch has written. Each warp in the
 * last step of a batch is called an output. The distributor passes the primitives of the outputs to
 * setup in order.
 *
 * Traces don't contain the primitives of each warp. The primitives of a draw are divided equally
 * among its outputs, and equally among its vertex warps.
 */
#ifndef SGT_PLAN_H
#define SGT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/sgt_work.h"

#define SGT_NONE UINT32_MAX

/* Size of a tile of coarse raster and zcull: log2 of its width and height in pixels, and number of
 * its 8x4 blocks.
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
   /* first: index of the first warp in work->warps
    * num: number of warps
    */
   uint32_t first, num;
   uint32_t batch; /* ID of the batch, which is unique among the batches of all operations */
   /* begins: true for the first step of a batch
    * ends: true for the last step of a batch
    */
   bool begins, ends;
};

struct sgt_plan_output {
   uint32_t operation; /* index of the operation */
   /* index of the warp, or SGT_NONE if the primitives don't wait for a warp */
   uint32_t warp;
   uint32_t batch; /* ID of the warp's batch, or SGT_NONE */
   /* first_item: index of the first primitive in trace->items
    * num_items: number of primitives
    */
   uint32_t first_item, num_items;
   bool ends; /* true if this is the last output of its operation */
};

struct sgt_plan_operation {
   uint8_t kind; /* enum sgt_plan_kind */
   /* first_step: index of the first step in plan->steps
    * num_steps: number of steps
    */
   uint32_t first_step, num_steps;
   /* first_output: index of the first output in plan->outputs
    * num_outputs: number of outputs
    */
   uint32_t first_output, num_outputs;
   uint32_t num_vertex_warps; /* number of warps of the vertex stage */
   /* first_pixel: index of the first pixel warp in work->warps
    * num_pixels: number of pixel warps
    */
   uint32_t first_pixel, num_pixels;
   bool late;      /* true if depth is tested after the pixel program */
   uint32_t lates; /* number of earlier draws with late depth tests */
   /* Regions that the operation writes: index of the first region in plan->regions, and number of
    * regions. Destinations of the items in the same memory set are merged into one region.
    */
   uint32_t first_write, num_writes;
   /* Regions that the operation reads: index of the first region in plan->regions, and number of
    * regions. Sources in the same memory set are merged, too.
    */
   uint32_t first_read, num_reads;
};

struct sgt_plan {
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   struct sgt_plan_operation *operations;
   struct sgt_plan_step *steps;
   struct sgt_plan_output *outputs;
   struct sgt_region *regions;
   uint32_t *step_of; /* step of each warp, or SGT_NONE for pixel warps and compute warps */
   /* for each block, the first pixel warp that is complete after fine raster of the block, or
    * SGT_NONE
    */
   uint32_t *released;
   /* for each warp, the next pixel warp that the same block completes, or SGT_NONE */
   uint32_t *next_released;
   uint32_t *passed; /* bitmask of the lanes of each block that are part of a pixel warp */
   /* Number of primitives of each pixel warp. A primitive is counted again if its quads are not
    * consecutive.
    */
   uint8_t *primitives;
   uint32_t num_lates; /* number of operations with late tests */
   uint32_t num_steps, num_outputs, num_regions;
   uint64_t room_steps, room_outputs, room_regions; /* capacities of the arrays */
};

/* Computes the plan of a trace. If memory runs out or `work` doesn't match `trace`, writes a
 * message to `error` and returns false.
 */
bool sgt_plan_init(struct sgt_plan *plan, const struct sgt_trace *trace,
                   const struct sgt_work *work, char *error, size_t error_size);
void sgt_plan_finish(struct sgt_plan *plan);

/* Returns true if operation `later` must not start before operation `earlier` has ended, because it
 * reads data that `earlier` writes, or writes data that `earlier` reads or writes. Draws that write
 * the same pixels don't need to wait: the colors and depths of a pixel are always written in
 * primitive order.
 */
bool sgt_plan_depends(const struct sgt_plan *plan, uint32_t later, uint32_t earlier);

/* Returns a sort key for the order in which the blocks of a primitive are rasterized: by rows of
 * tiles, and within each tile by rows of blocks.
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

/* Divides `num` elements equally into `parts` parts, and returns the index of the first element of
 * part `i`.
 */
static inline uint32_t
sgt_plan_share(uint32_t num, uint32_t parts, uint32_t i)
{
   return (uint64_t)num * i / parts;
}

#endif
