/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: one tile's list of one batch, from coverage to the pixel
 * programs.
 *
 * Quads with coverage take this way:
 *
 *    descent --> [collector 0] --> depth and stencil --> [collector 1] --> program --> ROP
 *                                     (early)                          (late depth)
 *
 * A block of 8x4 pixels in which most quads have coverage stays together on
 * this way, and its lanes are one run of memory in every surface.  Other quads,
 * of any primitives, are collected to groups of eight in primitive order.  What
 * a collector holds may be overtaken by a block, but only by one without a
 * pixel in common with it: per pixel, the order of primitives is kept.
 */
#ifndef SGD_RASTER_H
#define SGD_RASTER_H

#include "setup/sgd_varyings.h"
#include "sgd_arch.h"
#include "sgd_lanes.h"
#include "sgd_rop.h"
#include "sgd_tile_meta.h"
#include "sgd_worker.h"
#include "sgpu_fp.h"

/* From so many quads with coverage on a block stays together. */
#define SGD_BLOCK_QUADS 5

/* Lanes by sample. */
struct sgd_samples {
   uint32_t cover[SGD_MAX_SAMPLES];    /* that the primitive covers; of SAMPLE MASK alone */
   uint32_t live[SGD_MAX_SAMPLES];     /* of these, what early tests have left */
};

/* A pixel warp: quads, each with its primitive.  quads.mask is the union of the
 * live samples.
 */
struct sgd_pixels {
   struct sgd_quads quads;
   const struct sgd_prim *prim[SGD_QUADS];
   struct sgd_samples *samples;        /* NULL: targets have one */
};

struct sgd_collector {
   struct sgd_pixels pixels;
   struct sgd_samples samples;
   uint32_t rows[SGD_TILE / 2];        /* bit x of row y: it holds this quad of the tile */
};

/* Depth ranges of the tile: which primitives and blocks need no look. */
struct sgd_zcull {
   struct sgd_tile_meta *meta;         /* NULL: none */
   bool active;                        /* rejects; the state's comparison allows it */
   bool update;                        /* depth is written */
   uint16_t dirty;                     /* blocks of 16x16 written to by the list */
   uint8_t writes[SGD_META_BLOCKS];    /* blocks of 8x4 since their range was last found */
};

struct sgd_raster {
   struct sgd_worker *worker;
   const struct sgd_batch *batch;
   const struct sgd_state *state;
   const struct sgd_varyings *varyings;
   const struct sgd_shader *ps;        /* NULL: nothing to run */
   struct sgd_stats *stats;
   bool early, late;                   /* depth and stencil tests */
   bool smooth;                        /* there may be smooth primitives */
   bool color;                         /* there is something to write */
   uint8_t samples;                    /* of the targets */
   bool multisample;                   /* coverage and depth are those of samples */
   bool per_sample;                    /* so is what programs run for */
   bool centers, centroids;            /* there are inputs that are taken there, and elsewhere */
   uint32_t sample_mask;               /* samples that can be covered */
   bool stopped;                       /* a program could not run: no memory */
   int x, y;                           /* the tile's first pixel */
   uint16_t layer;
   uint32_t stipple[8][4];             /* polygon stipple, by block row and column */

   bool open;                          /* the targets' elements are stored */
   struct sgd_zcull zcull;

   struct sgd_collector collector[2];
   uint64_t quads, covered, warps, lanes;
};

/* Covered lanes of the aligned block at absolute x, y: the begin of the way. */
void sgd_raster_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                      uint32_t mask);
/* The same with the lanes of each sample, r->samples of them; those of no sample
 * of r->sample_mask are 0.
 */
void sgd_raster_samples(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                        const uint32_t *cover);
/* Sends on what the collectors hold. */
void sgd_raster_flush(struct sgd_raster *r);

/* sgd_zcull.c.  The box is of pixels in the tile, bounds included. */
void sgd_zcull_begin(struct sgd_raster *r);
bool sgd_zcull_rejects(struct sgd_raster *r, const struct sgd_prim *prim, int x0, int y0, int x1,
                       int y1);
void sgd_zcull_end(struct sgd_raster *r);

static inline void
sgd_zcull_note(struct sgd_raster *r, int x, int y)
{
   const unsigned k = y / SGD_META_BLOCK % 4 * 4 + x / SGD_META_BLOCK % 4;

   r->zcull.dirty |= 1u << k;
   r->zcull.writes[k]++;
}

void sgd_raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_line(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_polygon(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_strip(struct sgd_raster *r, const struct sgd_prim *prim);
/* sgd_raster_samples.c: with r->multisample. */
void sgd_raster_multisample(struct sgd_raster *r, const struct sgd_prim *prim);

/* Line stipple counter at the begin of a line. */
static inline unsigned
sgd_raster_stipple(const struct sgd_raster *r, bool carried, unsigned stipple)
{
   return (carried ? r->batch->stipple_begin : 0) + stipple;
}

/* pixel: depth as clamping to the viewport's range leaves it; window depth of the
 * lanes, at a sample where r->multisample; the program, late tests and colours
 */
void sgd_pixel_depth(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                     unsigned sample, float z[SGD_WARP]);
float sgd_pixel_clamp_depth(const struct sgd_raster *r, const struct sgd_prim *prim, float z);
/* Coverage of the pixels of a smooth primitive's quad at x, y; 0 where it has
 * no pixel's 2^-30.
 */
void sgd_coverage(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                  float coverage[4]);
/* The middles of what a smooth polygon has of those pixels, from the pixels'
 * corners.
 */
void sgd_centroids(const struct sgd_prim *prim, int x, int y, double cx[4], double cy[4]);
void sgd_pixel_begin(struct sgd_raster *r);
struct sgd_lane_pos;
/* pos: where values are taken (sgd_pixel_positions), or NULL. */
void sgd_pixel_run(struct sgd_raster *r, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos);
void sgd_pixel_run_samples(struct sgd_raster *r, const struct sgd_pixels *pixels);

#endif
