/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip's front end and raster. Operations, outputs, items, blocks
 * and warps are indices in the plan, the trace and the work, which all units can read.
 */
#ifndef SGT_FRONT_PORTS_H
#define SGT_FRONT_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_front/sgt_plan.h"

/* From the input assembler to the distributor, in program order. */
struct sgt_dist_order {
   uint32_t number; /* index of the warp, or of the operation if `begins` is set */
   /* the operation starts; otherwise, the inputs of its next vertex warp have arrived */
   bool begins;
};

/* From the distributor and the transfer unit to the host interface: all work of the operation has
 * ended.
 */
struct sgt_front_ended {
   /* index of the operation; SGT_NONE if the ROPs have written back their caches */
   uint32_t operation;
};

/* From the host interface to the transfer unit: execute an operation. */
struct sgt_front_transfer {
   uint32_t operation; /* index of the operation; SGT_NONE to write back the caches of the ROPs */
};

/* From the distributor to setup: the primitives of an output, in order. */
struct sgt_setup_work {
   uint32_t output; /* index in plan->outputs */
};

/* From setup to coarse raster: a primitive, or the message that the operation has no more of them.
 */
struct sgt_raster_item {
   uint32_t number; /* index of the item, or of the operation if `ends` is set */
   /* the operation has no more primitives */
   bool ends;
};

/* From coarse raster to zcull, and from zcull to fine raster: blocks of a tile that the item
 * covers, or the message that the operation has no more of them.
 */
struct sgt_raster_tile {
   uint32_t number;                  /* index of the item, or of the operation if `ends` is set */
   uint32_t blocks[SGT_TILE_BLOCKS]; /* indices of the blocks in the trace */
   uint8_t num;                      /* number of blocks */
   bool ends;                        /* the operation has no more blocks */
};

/* From fine raster to early tests: a block that zcull has not dropped, or the message that the
 * operation has no more of them.
 */
struct sgt_raster_block {
   uint32_t number; /* index of the block, or of the operation if `ends` is set */
   uint32_t item;   /* index of the block's item */
   bool ends;       /* the operation has no more blocks */
};

/* From early tests to the distributor: a pixel warp that can start, or the message that the
 * operation has no more of them.
 */
struct sgt_raster_release {
   uint32_t number; /* index of the warp, or of the operation if `ends` is set */
   bool ends;       /* the operation has no more warps */
};

/* From the distributor to early tests: all pixels are written of a draw that is tested after its
 * program.
 */
struct sgt_late_ended {
   uint32_t operation;
};

/* From the distributor to the pixel output of a TPC: a pixel warp and all earlier ones of that TPC
 * have ended.
 */
struct sgt_pixel_output {
   uint32_t warp;
};

/* From a pixel output to the distributor: all pixels of the warp are written. */
struct sgt_pixel_written {
   uint32_t warp;
};

#endif
