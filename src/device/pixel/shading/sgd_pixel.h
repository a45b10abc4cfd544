/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: runs a warp of quads through the pixel program and the late depth and stencil tests,
 * and writes its colours to the render targets.
 */
#ifndef SGD_PIXEL_H
#define SGD_PIXEL_H

#include <stddef.h>

#include "pixel/shading/sgd_pixels.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_arch.h"
#include "common/sgd_state.h"
#include "util/macros.h"

struct sgd_lane_pos;
struct sgd_prim;

struct sgd_batch;

/* Initializes the context for a tile list. */
void sgd_pixel_stage_begin(struct sgd_pixel_stage *px, struct sgd_worker *worker,
                           const struct sgd_batch *batch, struct sgd_stats *stats);
/* Prepares the worker's warp for the list. Must be called before the first warp runs. Until the end
 * of the list, the worker's warp must not run other programs.
 */
void sgd_pixel_begin(struct sgd_pixel_stage *px);
/* Shades a warp. `pos` is the result of sgd_pixel_places(), or NULL if it has not been called. */
void sgd_pixel_run(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos);
void sgd_pixel_run_samples(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);

/* Computes the positions at which the pixels' attributes are sampled. */
void sgd_pixel_positions(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         struct sgd_lane_pos *pos);
/* Returns true if the sampling positions can differ from the pixel centres of a block. */
static inline bool
sgd_pixel_needs_places(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   return !pixels->quads.block || px->mode.smooth;
}

/* Computes the sampling positions in *pos and returns pos. Returns NULL without computing anything
 * if the warp is a block sampled at its pixel centres.
 */
static inline const struct sgd_lane_pos *
sgd_pixel_places(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                 struct sgd_lane_pos *pos)
{
   if (!sgd_pixel_needs_places(px, pixels))
      return NULL;
   sgd_pixel_positions(px, pixels, pos);
   return pos;
}

/* Computes the clamped window depths of the lanes, at sample `sample` if px->mode.multisample is
 * set or else at the pixels' sampling positions.
 */
void sgd_pixel_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                     unsigned sample, float z[SGD_WARP]);
/* Clamps the depth to the viewport's depth range if depth clamping is enabled. */
float sgd_pixel_clamp_depth(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, float z);
void sgd_pixel_clamp_to_range(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                              float z[SGD_WARP]);

static inline void
sgd_pixel_clamp_depths(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       float z[SGD_WARP])
{
   if (unlikely(px->state->rast.depth_clamp))
      sgd_pixel_clamp_to_range(px, pixels, z);
}

#endif
