/* SPDX-License-Identifier: MIT */
/*
 * Raster engine context: scratch memory that a worker uses for one tile list of one
 * batch.
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

/* Quads that wait until they fill a warp. `count` is less than SGD_QUADS, except that it
 * can be up to three larger while the quads of a block are added. The arrays have room
 * for stores of four quads.
 */
struct sgd_collector {
   /* Lanes in bits 0 to 3, x / 2 and y / 2 in the tile in bits 4 to 8 and 10 to 14, and
    * front-facing in bit 15 (see sgd_quad_word()).
    */
   _Alignas(16) uint16_t quad[SGD_QUADS + 4];
   const struct sgd_prim *prim[SGD_QUADS + 4];
   uint8_t count;
   bool distinct;
   bool sampled;                /* the quads have samples */
   uint32_t rows[SGD_TILE / 2]; /* bit x of row y: the collector holds quad (x, y) of the tile */
   struct sgd_samples samples;
};

/* Depth bounds of the tile, for rejecting primitives and blocks. */
struct sgd_zcull {
   struct sgd_tile_meta *meta;      /* metadata of the tile, or NULL */
   bool active;                     /* path `zcull`, and the tile's bounds are known */
   bool tests;                      /* the depth comparison allows rejection */
   bool bounds;                     /* the depth bounds test allows rejection */
   bool update;                     /* depth is written */
   bool quick;                      /* path `quick`, in sgd_zcull_rejects() */
   uint16_t dirty;                  /* 16x16 blocks that the list has written to */
   uint8_t writes[SGD_META_BLOCKS]; /* 8x4 blocks drawn since the bounds were last computed */
   /* copies of the record's members; valid if `active` is set */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS], stale;
};

struct sgd_raster {
   struct sgd_pixel_stage pixel;
   bool early;     /* copy of the plan's member */
   uint32_t paths; /* bit n: path n (enum sgpu_path) of the plan, if the tile allows it */
   bool waits;     /* fragments that pass go to the visibility buffer; cleared for good when it is
                    * full, since fragments that are shaded at once must not be older than those
                    * in it */
   int x, y;       /* first pixel of the tile */
   uint16_t layer;
   uint32_t stipple[8][4]; /* lane masks of polygon stipple, by block row and column */
   struct sgd_tile_targets targets;
   struct sgd_zcull zcull;
   struct sgd_collector collector[2];
   uint64_t quads, covered, waiting_lanes; /* for the counters */
};

/* Returns true if the list may take a path of the plan. */
static inline bool
sgd_raster_has(const struct sgd_raster *r, enum sgpu_path path)
{
   return r->paths >> path & 1;
}

#endif
