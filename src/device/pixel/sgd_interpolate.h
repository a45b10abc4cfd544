/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: positions of a warp's lanes and the evaluation of planes.
 *
 * Blocks are evaluated 32 lanes at once from their one primitive, other warps
 * quad by quad, each from its own.  All quads of a plane are stored before wide
 * loads read them: a wide load right behind the narrow store of its data stalls.
 */
#ifndef SGD_INTERPOLATE_H
#define SGD_INTERPOLATE_H

#include <stddef.h>
#include <stdint.h>

#include "pixel/sgd_lane_pos.h"
#include "raster/sgd_pixels.h"
#include "raster/sgd_raster.h"
#include "sgd_arch.h"
#include "sgd_prim.h"

struct sgd_vec;

/* Sampling points at `sample` of the pixels. */
void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);
/* The same in the window. */
void sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                     float x[SGD_WARP], float y[SGD_WARP]);

/* In the functions below, pos is NULL for a block at the centres of its pixels. */

/* Values of one plane at all lanes. `offset`: bytes from the primitive to it.
 * For planes whose values cannot overflow (sgd_tame): depth, 1/w.
 */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                    float out[SGD_WARP]);

/* Adds the primitives' depth offsets. */
void sgd_offset_depths(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                       float z[SGD_WARP]);

/* Window depth of the lanes, offset included. */
static inline void
sgd_eval_depth(const struct sgd_raster *r, const struct sgd_pixels *pixels,
               const struct sgd_lane_pos *pos, float z[SGD_WARP])
{
   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, z), z);
   if (r->depth_offset)
      sgd_offset_depths(r, pixels, z);
}

/* Inputs of the pixel program. */
void sgd_interpolate(struct sgd_raster *r, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos);

/* In these it is never NULL. */

/* Again the inputs that are not taken at the centre (VARYING.Place), at pos. */
void sgd_interpolate_place(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos);
/* Components `comps` of one input at pos; flat ones and constants as they are. */
void sgd_interpolate_input(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                           struct sgd_vec *out);

#endif
