/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: sampling positions of a warp's lanes, and evaluation of planes.
 *
 * All quads of a block belong to the same primitive, so all 32 lanes are evaluated together. Other
 * warps are evaluated quad by quad, with the primitive of each quad. All quads are stored before
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

/* Computes the sampling positions of the lanes, relative to the plane origins of their primitives.
 * `sample` is the sampling position within the pixels.
 */
void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);
/* Computes the sampling positions of the lanes in window coordinates. */
void sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                     float x[SGD_WARP], float y[SGD_WARP]);

/* The following functions accept NULL as `pos` for a block that is evaluated at its pixel centres.
 */

/* Evaluates a plane of each quad's primitive for all lanes. `offset` is the byte offset of the
 * plane in struct sgd_prim. Only valid for planes whose values can't overflow (see sgd_tame()),
 * i.e. depth and 1/w.
 */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                    float out[SGD_WARP]);

/* Adds the depth offset of each quad's primitive to the depths of the quad's lanes. */
void sgd_offset_depths(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       float z[SGD_WARP]);

/* Computes the window depth of each lane and adds the primitive's depth offset. */
static inline void
sgd_eval_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
               const struct sgd_lane_pos *pos, float z[SGD_WARP])
{
   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, z), z);
   if (px->mode.depth_offset)
      sgd_offset_depths(px, pixels, z);
}

/* Interpolates the inputs of the pixel program for all lanes. */
void sgd_interpolate(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos);

/* The following functions don't accept NULL as `pos`. */

/* Interpolates the inputs that aren't sampled at the pixel centre (see VARYING.Place) again, at the
 * positions `pos`.
 */
void sgd_interpolate_place(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos);
/* Interpolates the components of an input that are in the mask `comps`, at the positions `pos`.
 * Flat and constant components are copied.
 */
void sgd_interpolate_input(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                           struct sgd_vec *out);

#endif
