/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: positions of a warp's lanes and the evaluation of planes.
 */
#ifndef SGD_PIXEL_H
#define SGD_PIXEL_H

#include "raster/sgd_raster.h"

/* Sampling point of each lane, absolute and from its primitive's origin. */
struct sgd_lane_pos {
   _Alignas(64) float x[SGD_WARP], y[SGD_WARP];
   float rx[SGD_WARP], ry[SGD_WARP];
   bool uniform;              /* all quads are of one primitive */
   unsigned count;            /* quads */
};

/* The place in its pixel at which a warp is sampled: 0.5, 0.5 is the centre. */
struct sgd_sample_pos {
   float x, y;
};
#define SGD_SAMPLE_CENTER ((struct sgd_sample_pos){ 0.5f, 0.5f })

void sgd_lane_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos sample,
                        struct sgd_lane_pos *pos);

/* The formula of struct sgd_plane. */
static inline float
sgd_plane_at(float v0, float dx, float dy, float rx, float ry)
{
   return sgpu_fadd(v0, sgpu_fp_raw_add(sgpu_fp_raw_mul(dx, rx), sgpu_fp_raw_mul(dy, ry)));
}

/* Values of one plane at all lanes. `offset`: bytes from the primitive to it. */
void sgd_eval_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos,
                    size_t offset, float out[SGD_WARP]);

/* Inputs of the pixel program. rw: 1/w at the lanes. */
void sgd_interpolate(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos, const float rw[SGD_WARP]);

#endif
