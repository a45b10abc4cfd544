/* SPDX-License-Identifier: MIT */
/*
 * Raster engine context: per-worker scratch memory for rasterizing one tile list of one batch.
 */
#ifndef SGD_RASTER_H
#define SGD_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/shading/sgd_pixel_stage.h"
#include "pixel/shading/sgd_pixels.h"
#include "pixel/raster/sgd_tile_targets.h"
#include "common/sgd_state.h"
#include "common/sgd_tile_meta.h"

struct sgd_prim;

/* Quads that are waiting until they fill a warp. `count` is less than SGD_QUADS, but can exceed it
 * by up to three while the quads of a block are being added. The arrays have four extra elements,
 * since quads are stored in groups of four.
 */
struct sgd_collector {
   /* Packed quad: lane mask in bits 0-3, x / 2 in the tile in bits 4-8, y / 2 in bits 10-14, and
    * the front-facing flag in bit 15 (see sgd_quad_word()).
    */
   _Alignas(16) uint16_t quad[SGD_QUADS + 4];
   const struct sgd_prim *prim[SGD_QUADS + 4];
   uint8_t count;
   bool distinct;
   bool sampled; /* whether the quads have per-sample coverage */
   /* row y, bit x: set if the collector holds quad (x, y) of the tile */
   uint32_t rows[SGD_TILE / 2];
   struct sgd_samples samples;
};

/* Depth bounds of the tile, used to reject primitives and blocks. */
struct sgd_zcull {
   struct sgd_tile_meta *meta; /* metadata record of the tile, or NULL */
   bool active;    /* whether the path `zcull` is enabled and the tile's depth bounds are known */
   bool tests;     /* whether the depth comparison can reject primitives */
   bool bounds;    /* whether the depth bounds test can reject primitives */
   bool update;    /* whether the state writes depth */
   bool quick;     /* whether sgd_zcull_rejects() can use the path `quick` */
   uint16_t dirty; /* bitmask of the 16x16 blocks that the tile list has written to */
   /* number of 8x4 blocks drawn in each 16x16 block since its bounds were computed */
   uint8_t writes[SGD_META_BLOCKS];
   /* copies of the members of *meta; valid only if `active` is set */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS], stale;
};

struct sgd_raster {
   struct sgd_pixel_stage pixel;
   bool early;     /* copy of sgd_plan.early: whether depth and stencil are tested before shading */
   uint32_t paths; /* bitmask of the plan's paths (enum sgpu_path) that this tile can use */
   /* whether visible fragments are added to the visibility buffer instead of being shaded; stays
    * false once the buffer is full, because fragments that are shaded immediately must not be older
    * than fragments in the buffer
    */
   bool waits;
   int x, y; /* absolute coordinates of the tile's first pixel */
   uint16_t layer;
   /* polygon stipple as lane masks, indexed by row and column of the 8x4 block */
   uint32_t stipple[8][4];
   struct sgd_tile_targets targets;
   struct sgd_zcull zcull;
   struct sgd_collector collector[2];
   /* increments for the device's counters, which are added at the end of the tile list */
   uint64_t quads, covered, waiting_lanes;
};

/* Returns true if the list can use the given path of the plan. */
static inline bool
sgd_raster_has(const struct sgd_raster *r, enum sgpu_path path)
{
   return r->paths >> path & 1;
}

#endif
