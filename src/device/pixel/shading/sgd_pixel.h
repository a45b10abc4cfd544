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

/* Initializes the pixel stage for a tile list. */
void sgd_pixel_stage_begin(struct sgd_pixel_stage *px, struct sgd_worker *worker,
                           const struct sgd_batch *batch, struct sgd_stats *stats);
/* Prepares the worker's warp for a tile list. Must be called before the first warp of the list
 * runs. The worker's warp must not run other programs until the end of the list.
 */
void sgd_pixel_begin(struct sgd_pixel_stage *px);
/* Shades a warp of pixels. `pos` is the result of sgd_pixel_places(), or NULL if that function has
 * not been called.
 */
void sgd_pixel_run(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                   const struct sgd_lane_pos *pos);
void sgd_pixel_run_samples(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);

/* Computes the positions at which the attributes of the pixels are sampled. */
void sgd_pixel_positions(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         struct sgd_lane_pos *pos);
/* Returns true unless the warp is a block that is sampled at its pixel centres. */
static inline bool
sgd_pixel_needs_places(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   return !pixels->quads.block || px->mode.smooth;
}

/* Stores the sampling positions in *pos and returns pos. Returns NULL without computing anything if
 * the warp is a block that is sampled at its pixel centres.
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

/* Computes the window depths of the lanes, and clamps them if depth clamping is enabled. If
 * px->mode.multisample is set, depths are sampled at `sample`, and otherwise at the sampling
 * positions of the pixels.
 */
void sgd_pixel_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                     unsigned sample, float z[SGD_WARP]);
/* Clamps a depth to the viewport's depth range if depth clamping is enabled. */
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
