/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip's front end and rasterizer. Operations, outputs, items,
 * blocks and warps are passed as indices into the arrays of struct sgt_plan, struct sgt_trace and
 * struct sgt_work, which all units can read.
 */
#ifndef SGT_FRONT_PORTS_H
#define SGT_FRONT_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_front/sgt_plan.h"

/* Message from the input assembler to the distributor, sent in program order. */
struct sgt_dist_order {
   uint32_t number; /* index of the operation if `begins` is set, index of the warp otherwise */
   /* true for the start of an operation; false if the inputs of a vertex warp have arrived */
   bool begins;
};

/* Message from the distributor or the transfer unit to the host interface: an operation has ended.
 */
struct sgt_front_ended {
   /* index of the operation, or SGT_NONE if the ROPs have written back their caches */
   uint32_t operation;
};

/* Message from the host interface to the transfer unit: an operation to execute. */
struct sgt_front_transfer {
   /* index of the operation, or SGT_NONE to write back the caches of the ROPs */
   uint32_t operation;
};

/* Message from the distributor to setup: the primitives of one output (struct sgt_plan_output).
 * Outputs are sent in the order of plan->outputs.
 */
struct sgt_setup_work {
   uint32_t output; /* index into plan->outputs */
};

/* Message from setup to coarse raster: a primitive, or the end of an operation's primitives. */
struct sgt_raster_item {
   uint32_t number; /* index of the operation if `ends` is set, index of the item otherwise */
   /* true if the operation has no more primitives */
   bool ends;
};

/* Message from coarse raster to zcull, and from zcull to fine raster: the blocks of a tile that an
 * item covers, or the end of an operation's blocks.
 */
struct sgt_raster_tile {
   uint32_t number; /* index of the operation if `ends` is set, index of the item otherwise */
   uint32_t blocks[SGT_TILE_BLOCKS]; /* indices into trace->blocks */
   uint8_t num;                      /* number of entries of `blocks` */
   bool ends;                        /* true if the operation has no more blocks */
};

/* Message from fine raster to the early tests: a block that has not been culled by zcull, or the
 * end of an operation's blocks.
 */
struct sgt_raster_block {
   uint32_t number; /* index of the operation if `ends` is set, index of the block otherwise */
   uint32_t item;   /* index of the item that the block belongs to */
   bool ends;       /* true if the operation has no more blocks */
};

/* Message from the early tests to the distributor: a pixel warp that can start, or the end of an
 * operation's pixel warps.
 */
struct sgt_raster_release {
   uint32_t number; /* index of the operation if `ends` is set, index of the warp otherwise */
   bool ends;       /* true if the operation has no more pixel warps */
};

/* Message from the distributor to the early tests: all pixels of a draw with late tests have been
 * written.
 */
struct sgt_late_ended {
   uint32_t operation;
};

/* Message from the distributor to the pixel output of a TPC: a pixel warp and all earlier pixel
 * warps of the TPC have ended.
 */
struct sgt_pixel_output {
   uint32_t warp;
};

/* Message from a pixel output to the distributor: all pixels of a warp have been written. */
struct sgt_pixel_written {
   uint32_t warp;
};

#endif
