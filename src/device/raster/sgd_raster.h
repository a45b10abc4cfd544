/* SPDX-License-Identifier: MIT */
/*
 * Raster engine context: scratch memory that a worker uses for one tile list of one
 * batch.
 */
#ifndef SGD_RASTER_H
#define SGD_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/sgd_pixels.h"
#include "sgd_batch.h"
#include "sgd_cleared_tile.h"
#include "sgd_state.h"
#include "sgd_tile_meta.h"

struct sgd_shader;
struct sgd_stats;
struct sgd_varyings;
struct sgd_vec;
struct sgd_visibility;
struct sgd_worker;

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
   bool active;                     /* one of the following flags is set */
   bool tests;                      /* the depth comparison allows rejection */
   bool bounds;                     /* the depth bounds test allows rejection */
   bool update;                     /* depth is written */
   bool quick;                      /* sgd_zcull_rejects() does most tests inline */
   uint16_t dirty;                  /* 16x16 blocks that the list has written to */
   uint8_t writes[SGD_META_BLOCKS]; /* 8x4 blocks drawn since the bounds were last computed */
   /* copies of the record's members; valid if `active` is set */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS], stale;
};

struct sgd_raster {
   struct sgd_worker *worker;
   const struct sgd_batch *batch;
   const struct sgd_state *state;
   const struct sgd_varyings *varyings;
   const struct sgd_shader *ps; /* pixel program; NULL if none has to run */
   struct sgd_stats *stats;
   /* Copies of the plan's members, which have the same names. */
   bool color, early, late;
   bool count_early; /* samples that pass are counted before the program */
   struct sgd_coverage_mode mode;
   uint32_t paths; /* bit n: path n (enum sgpu_path) of the plan, if the tile allows it */
   uint32_t kept;  /* lanes of the last warp whose colours are stored */
   bool stopped;   /* out of memory for running a program */
   int x, y;       /* first pixel of the tile */
   uint16_t layer;
   uint32_t stipple[8][4]; /* lane masks of polygon stipple, by block row and column */

   bool open;           /* the targets are prepared; this and the next members are valid */
   uint8_t num_cleared; /* number of elements of cleared[]: targets with a fast clear */
   uint16_t unstored;   /* 16x16 blocks whose clear value must be stored before they are drawn; all
                         * blocks if `open` is not set */
   uint16_t replaced;   /* bit i: stored fragments replace whole elements of cleared[i] */
   struct sgd_cleared_tile cleared[SGD_MAX_COLORS + 1];
   struct sgd_zcull zcull;

   /* State of dispatch policy ooo+split+break. */
   struct sgd_visibility *visibility; /* visibility buffer, or NULL */
   bool waits;        /* fragments that pass go to the visibility buffer; cleared for good when it
                       * is full, since fragments that are shaded at once must not be older than
                       * those in it */
   bool hides;        /* stored fragments remove their pixels from the visibility buffer */
   bool late_shading; /* fragments come from the visibility buffer, so queries have counted them */
   bool begun;        /* sgd_pixel_begin() has been called */
   bool known;        /* outputs are known without running the program */
   bool plain;        /* if begun: a block needs only its inputs, the program and the colours */
   const struct sgd_vec *out;   /* if begun: outputs of the program */
   const struct sgd_prim *flat; /* if begun: primitive of the flat inputs in all lanes, or NULL */

   struct sgd_collector collector[2];
   uint64_t quads, covered, warps, lanes, waiting_lanes;
};

static inline bool
sgd_raster_has(const struct sgd_raster *r, enum sgpu_path path)
{
   return r->paths >> path & 1;
}

/* Returns the line stipple counter at the start of a line. */
static inline unsigned
sgd_raster_stipple(const struct sgd_raster *r, bool carried, unsigned stipple)
{
   return (carried ? r->batch->stipple_begin : 0) + stipple;
}

#endif
