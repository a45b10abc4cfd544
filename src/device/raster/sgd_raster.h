/* SPDX-License-Identifier: MIT */
/*
 * The raster engine's context: scratch memory of a worker for one tile's list of
 * one batch.
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

/* Quads that wait for others, `count` of them: less than a warp, but while the quads of a block
 * are added, up to four.  There is room for stores of four.
 */
struct sgd_collector {
   /* Lanes in bits 0 to 3, x and y in the tile in quads in 4 to 8 and 10 to 14, front-facing in
    * 15 (sgd_quad_word).
    */
   _Alignas(16) uint16_t quad[SGD_QUADS + 4];
   const struct sgd_prim *prim[SGD_QUADS + 4];
   uint8_t count;
   bool distinct;
   bool sampled;                /* the quads have samples */
   uint32_t rows[SGD_TILE / 2]; /* bit x of row y: holds this quad of the tile */
   struct sgd_samples samples;
};

/* Depth bounds of the tile, to reject primitives and blocks. */
struct sgd_zcull {
   struct sgd_tile_meta *meta;      /* NULL: none */
   bool active;                     /* some of what follows */
   bool tests;                      /* the state's comparison allows to reject */
   bool bounds;                     /* so does its bounds test */
   bool update;                     /* depth is written */
   bool quick;                      /* sgd_zcull_rejects does most tests itself */
   uint16_t dirty;                  /* blocks of 16x16 that the list wrote to */
   uint8_t writes[SGD_META_BLOCKS]; /* 8x4 blocks drawn since the bounds were last found */
   /* active: as in the record */
   uint32_t low[SGD_META_BLOCKS], high[SGD_META_BLOCKS], stale;
};

struct sgd_raster {
   struct sgd_worker *worker;
   const struct sgd_batch *batch;
   const struct sgd_state *state;
   const struct sgd_varyings *varyings;
   const struct sgd_shader *ps; /* NULL: nothing to run */
   struct sgd_stats *stats;
   bool early, late;                      /* depth and stencil tests */
   bool count_early;                      /* samples pass before the program */
   bool smooth;                           /* there may be smooth primitives */
   bool color;                            /* a colour target is written */
   uint8_t samples;                       /* of the targets */
   bool multisample;                      /* coverage and depth are those of samples */
   bool conservative;                     /* but coverage is that of whole pixels */
   bool per_sample;                       /* programs run for each sample */
   bool exclusive;                        /* no two quads of a warp have a pixel in common */
   bool windows;                          /* the order of a primitive's quads is free */
   bool depth_offset;                     /* primitives may have one */
   bool centers, centroids;               /* some inputs are taken at centres; some elsewhere */
   uint32_t sample_mask;                  /* samples that can be covered */
   uint8_t sample_at[SGD_MAX_SAMPLES][2]; /* multisample: their places, in 1/16 pixel */
   bool wholes;                           /* sgd_raster_whole may draw */
   uint32_t kept;                         /* lanes of the last warp whose colours are stored */
   bool stopped;                          /* a program could not run: no memory */
   int x, y;                              /* the tile's first pixel */
   uint16_t layer;
   uint32_t stipple[8][4]; /* polygon stipple, by block row and column */

   bool open;           /* the tile's targets have been looked at: */
   uint8_t num_cleared; /* those of which a fast clear is left */
   uint16_t unstored;   /* their blocks of 16x16 that are stored when they are drawn; not
                         * open: all */
   uint16_t replaced;   /* bit i: fragments that are stored replace the elements of cleared[i] */
   struct sgd_cleared_tile cleared[SGD_MAX_COLORS + 1];
   struct sgd_zcull zcull;

   /* Policy ooo+split+break */
   struct sgd_visibility *visibility; /* or NULL */
   bool waits;        /* fragments that pass go to the visibility buffer: until it is full, since
                * those that are shaded in the collector must not be older than its own */
   bool hides;        /* fragments that are stored take their pixels from it */
   bool late_shading; /* fragments are those of the buffer: queries have counted them */
   bool begun;        /* sgd_pixel_begin */
   bool known;        /* outputs are known without a run of the program */
   bool plain;        /* begun: blocks go from their inputs through the program to the colours */
   const struct sgd_vec *out;   /* of the program; begun */
   const struct sgd_prim *flat; /* begun: whose flat inputs all lanes have; or NULL */

   struct sgd_collector collector[2];
   uint64_t quads, covered, warps, lanes, waiting_lanes;
};

/* Line stipple counter at the start of a line. */
static inline unsigned
sgd_raster_stipple(const struct sgd_raster *r, bool carried, unsigned stipple)
{
   return (carried ? r->batch->stipple_begin : 0) + stipple;
}

#endif
