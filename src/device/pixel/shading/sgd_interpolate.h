/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: sampling positions of a warp's lanes, and evaluation of planes.
 *
 * All quads of a block belong to the same primitive, so all 32 lanes are evaluated at once. Other
 * warps are evaluated quad by quad, with each quad's own primitive. All quads are stored before
 * wide loads read them, because a wide load stalls directly after the narrow stores of its data.
 */
#ifndef SGD_INTERPOLATE_H
#define SGD_INTERPOLATE_H

#include <stddef.h>
#include <stdint.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixels.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_arch.h"
#include "common/sgd_prim.h"

struct sgd_vec;

/* Computes the sampling positions of the pixels at `sample`, relative to the plane origins of their
 * primitives.
 */
void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);
/* Computes the sampling positions in window coordinates. */
void sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                     float x[SGD_WARP], float y[SGD_WARP]);

/* In the following functions, pos is NULL for a block that is evaluated at the pixel centres. */

/* Evaluates a plane for all lanes. `offset` is the offset of the plane in struct sgd_prim, in
 * bytes. Valid only for planes whose values can't overflow (see sgd_tame()), i.e. depth and 1/w.
 */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                    float out[SGD_WARP]);

/* Adds the depth offset of each quad's primitive to the depths of its lanes. */
void sgd_offset_depths(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       float z[SGD_WARP]);

/* Computes the window depth of each lane, including the depth offset. */
static inline void
sgd_eval_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
               const struct sgd_lane_pos *pos, float z[SGD_WARP])
{
   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, z), z);
   if (px->mode.depth_offset)
      sgd_offset_depths(px, pixels, z);
}

/* Interpolates the inputs of the pixel program. */
void sgd_interpolate(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos);

/* In the following functions, pos must not be NULL. */

/* Reevaluates the inputs that aren't sampled at the pixel centre (VARYING.Place) at pos. */
void sgd_interpolate_place(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos);
/* Evaluates the components of an input in the mask `comps` at pos. Flat and constant components are
 * copied.
 */
void sgd_interpolate_input(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                           struct sgd_vec *out);

#endif
