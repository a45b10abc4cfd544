/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: positions of a warp's lanes and the evaluation of planes.
 *
 * Blocks are evaluated 32 lanes at once from their one primitive, other warps
 * quad by quad, each from its own, for all planes before their values are
 * worked on in full width: a wide load of what narrow stores have just written
 * would have to wait for them.
 */
#ifndef SGD_PIXEL_H
#define SGD_PIXEL_H

#include "raster/sgd_raster.h"

/* Sampling points from the origin of each quad's primitive.  Coordinates are
 * multiples of 1/256 below 2^16: these differences are exact, but for smooth
 * polygons, whose are rounded.
 */
struct sgd_lane_pos {
   _Alignas(64) float rx[SGD_WARP];
   _Alignas(64) float ry[SGD_WARP];
};

/* The place in its pixel at which a warp is sampled: 0.5, 0.5 is the centre. */
struct sgd_sample_pos {
   float x, y;
};
#define SGD_SAMPLE_CENTER ((struct sgd_sample_pos){ 0.5f, 0.5f })

void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);
/* The same in the window. */
void sgd_lane_window(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                     uint32_t x[SGD_WARP], uint32_t y[SGD_WARP]);

/* The formula of struct sgd_plane; NaNs are the host's. */
static inline float
sgd_plane_raw(float v0, float dx, float dy, float rx, float ry)
{
   return sgpu_fp_raw_add(v0, sgpu_fp_raw_add(sgpu_fp_raw_mul(dx, rx), sgpu_fp_raw_mul(dy, ry)));
}

/* Values of one plane at all lanes. `offset`: bytes from the primitive to it.
 * For planes whose values cannot overflow (sgd_tame): depth, 1/w.
 */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos,
                    size_t offset, float out[SGD_WARP]);

/* Inputs of the pixel program; also 1/w at the lanes. */
void sgd_interpolate(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos, float rw[SGD_WARP]);

/* fragment: antialiasing and the alpha test, on o[COLR0] and those that follow */
void sgd_fragment_cover(const struct sgd_raster *r, const struct sgd_pixels *pixels);
uint32_t sgd_fragment_alpha_test(const struct sgd_raster *r, uint32_t mask);

#endif
