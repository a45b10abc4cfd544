/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: the context in which a worker rasterizes a tile list of a batch.
 */
#ifndef SGD_RASTER_H
#define SGD_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/shading/sgd_pixels.h"
#include "pixel/raster/sgd_tile_targets.h"
#include "common/sgd_lanes.h"
#include "common/sgd_state.h"
#include "common/sgd_tile_meta.h"

struct sgd_prim;

/* Quads that wait until they fill a warp. `count` is less than SGD_QUADS, but can exceed it by up
 * to three while the quads of a block are being added. The arrays have four extra elements, since
 * quads are stored in groups of four.
 */
struct sgd_collector {
   /* Packed quad: lane mask in bits 0-3, x / 2 in the tile in bits 4-8, y / 2 in bits 10-14, and
    * the front-facing flag in bit 15 (see sgd_quad_word()).
    */
   _Alignas(16) uint16_t quad[SGD_QUADS + 4];
   const struct sgd_prim *prim[SGD_QUADS + 4];
   uint8_t count;
   bool distinct;
   bool sampled; /* set if `samples` has the coverage of the quads */
   /* bit x of row y is set if the collector holds quad (x, y) of the tile */
   uint32_t rows[SGD_TILE / 2];
   struct sgd_samples samples;
};

/* Bounds of the depths stored in the tile, used to reject primitives and blocks. */
struct sgd_zcull {
   /* the tile's metadata record, or NULL if depth isn't tested or has no metadata */
   struct sgd_tile_meta *meta;
   bool active;    /* set if SGPU_PATH_ZCULL is enabled and the depth bounds are valid */
   bool tests;     /* set if the depth comparison can reject primitives */
   bool bounds;    /* set if the depth bounds test can reject primitives */
   bool update;    /* set if the draw writes depth */
   bool quick;     /* set if sgd_zcull_rejects() may use its short test (SGPU_PATH_QUICK) */
   uint16_t dirty; /* mask of the 16x16 blocks that the tile list has drawn to */
   /* number of 8x4 blocks drawn in each 16x16 block since its bounds were last computed */
   uint8_t writes[SGD_META_BLOCKS];
   /* copies of meta->low, high and stale; valid only if `active` is set */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS], stale;
   /* outermost places in a pixel at which depths are evaluated: those of the samples, or its centre;
    * valid only if `active` is set
    */
   struct sgd_sample_pos first, last;
};

/* Stencil values of 16x16 blocks, for a tile list. */
struct sgd_stencil_blocks {
   bool active;      /* set if sgd_stencil_block() may be called */
   uint16_t uniform; /* mask of the blocks whose stencil values are all `value` */
   uint8_t value[SGD_META_BLOCKS];
   uint8_t looks[SGD_META_BLOCKS]; /* how often the values of each block have been read */
};

struct sgd_raster {
   struct sgd_pixel_stage pixel;
   bool early;     /* set if depth and stencil are tested before shading */
   uint32_t paths; /* mask of the plan's paths (enum sgpu_path) that this tile can use */
   /* Set if visible fragments are added to the visibility buffer instead of being shaded. Cleared
    * for the rest of the list when the buffer is full: a fragment that is shaded immediately
    * removes its pixel from the buffer, so the buffer must not have newer fragments.
    */
   bool waits;
   bool masked; /* set if the polygon stipple or window rectangles drop pixels of polygons */
   /* set if window rectangles drop some pixels of the tile (sgd_window_rects.c) */
   bool cut;
   int x, y; /* absolute coordinates of the tile's first pixel */
   uint16_t layer;
   /* lane masks of the polygon stipple, indexed by row and column of the 8x4 block */
   uint32_t stipple[8][4];
   /* lane masks of the pixels that window rectangles keep, indexed by row and column of the 8x4
    * block; only valid if `cut` is set
    */
   uint32_t inside[SGD_TILE / SGD_BLOCK_H][SGD_TILE / SGD_BLOCK_W];
   struct sgd_tile_targets targets;
   struct sgd_zcull zcull;
   struct sgd_stencil_blocks stencil;
   struct sgd_collector collector[2];
   /* Event counts of this tile list. They are added to the device's counters at the end of the
    * list.
    */
   uint64_t quads, covered, waiting_lanes;
};

/* Returns true if the tile list can be drawn with the given path. */
static inline bool
sgd_raster_has(const struct sgd_raster *r, enum sgpu_path path)
{
   return r->paths >> path & 1;
}

#endif
