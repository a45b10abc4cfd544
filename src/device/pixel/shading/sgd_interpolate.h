/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: positions of a warp's lanes, and the evaluation of planes.
 *
 * All 32 lanes of a block are evaluated at once from its only primitive. Other warps are
 * evaluated quad by quad, each quad from its own primitive. All quads of a plane are
 * stored before wide loads read them, because a wide load directly after narrow stores of
 * its data stalls.
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

/* Computes the positions of the sampling points at `sample` of the pixels, relative to
 * the origins of the primitives' planes.
 */
void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);
/* Computes the positions of the sampling points in the window. */
void sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                     float x[SGD_WARP], float y[SGD_WARP]);

/* In the following functions, pos is NULL for a block that is evaluated at the centres of
 * its pixels.
 */

/* Evaluates a plane at all lanes. `offset` is the plane's offset in struct sgd_prim in
 * bytes. Only for planes whose values cannot overflow (see sgd_tame()), which are depth
 * and 1/w.
 */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                    float out[SGD_WARP]);

/* Adds the depth offset of each quad's primitive. */
void sgd_offset_depths(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       float z[SGD_WARP]);

/* Computes the window depths of the lanes, including the offset. */
static inline void
sgd_eval_depth(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
               const struct sgd_lane_pos *pos, float z[SGD_WARP])
{
   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, z), z);
   if (px->mode.depth_offset)
      sgd_offset_depths(px, pixels, z);
}

/* Computes the inputs of the pixel program. */
void sgd_interpolate(struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos);

/* In the following functions, pos must not be NULL. */

/* Evaluates the inputs that are not taken at the centre (VARYING.Place) again, at pos. */
void sgd_interpolate_place(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos);
/* Evaluates the components `comps` of one input at pos. Flat inputs and constants are copied. */
void sgd_interpolate_input(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                           struct sgd_vec *out);

#endif
