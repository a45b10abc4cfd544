/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip's front and raster.  Operations, outputs, items, blocks
 * and warps are indices in the plan, the trace and the work, which all units can read.
 */
#ifndef SGT_FRONT_PORTS_H
#define SGT_FRONT_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_front/sgt_plan.h"

/* Input assembler to distributor, in program order. */
struct sgt_dist_order {
   uint32_t number; /* the warp, or the operation */
   bool begins;     /* the operation begins; else its next vertex warp has its inputs */
};

/* Distributor and transfer unit to the host interface: all work of the operation has ended. */
struct sgt_front_ended {
   uint32_t operation; /* SGT_NONE: the caches of the ROPs have been written back */
};

/* Host interface to the transfer unit. */
struct sgt_front_transfer {
   uint32_t operation; /* SGT_NONE: write back the caches of the ROPs */
};

/* Distributor to setup: the primitives of an output, in order. */
struct sgt_setup_work {
   uint32_t output; /* in plan->outputs */
};

/* Setup to coarse raster: a primitive; or the operation has no more of them. */
struct sgt_raster_item {
   uint32_t number; /* the item, or the operation */
   bool ends;
};

/* Coarse raster to zcull to fine raster: blocks of a tile that the item covers; or the
 * operation has no more of them.
 */
struct sgt_raster_tile {
   uint32_t number; /* the item, or the operation */
   uint32_t blocks[SGT_TILE_BLOCKS];
   uint8_t num;
   bool ends;
};

/* Fine raster to early tests: a block that zcull left; or the operation has no more of them. */
struct sgt_raster_block {
   uint32_t number; /* the block, or the operation */
   uint32_t item;
   bool ends;
};

/* Early tests to distributor: a pixel warp that can start; or the operation has no more. */
struct sgt_raster_release {
   uint32_t number; /* the warp, or the operation */
   bool ends;
};

/* Distributor to early tests: all pixels are written of a draw that is tested after its program. */
struct sgt_late_ended {
   uint32_t operation;
};

/* Distributor to the pixel output of a TPC: a pixel warp has ended, and so have those before it
 * of that TPC.
 */
struct sgt_pixel_output {
   uint32_t warp;
};

/* The pixel output to the distributor: all of the warp has been written. */
struct sgt_pixel_written {
   uint32_t warp;
};

#endif
