/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: the positions at which the lanes of a warp are sampled, and the plane equation.
 */
#ifndef SGD_LANE_POS_H
#define SGD_LANE_POS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "sgpu_isa.h"

/* Sampling positions of the lanes, relative to the plane origin of the primitive of their quad. The
 * differences are exact, because coordinates are multiples of 1/256 below 2^16. Only for smooth
 * polygons are they rounded.
 */
struct sgd_lane_pos {
   _Alignas(64) float rx[SGD_WARP];
   _Alignas(64) float ry[SGD_WARP];
   bool one; /* set if all quads are known to belong to the same primitive */
};

/* Position within a pixel. The centre is (0.5, 0.5). */
struct sgd_sample_pos {
   float x, y;
};
#define SGD_SAMPLE_CENTER ((struct sgd_sample_pos){ 0.5f, 0.5f })

/* Converts a sample position from units of 1/16 pixel to pixels. */
static inline struct sgd_sample_pos
sgd_sample_pos_of(const uint8_t p[2])
{
   return (struct sgd_sample_pos){ p[0] * (1.0f / 16), p[1] * (1.0f / 16) };
}

/* Evaluates a plane equation (see struct sgd_plane) without canonicalizing NaNs. */
static inline float
sgd_plane_raw(float v0, float dx, float dy, float rx, float ry)
{
   return sgpu_fp_raw_add(v0, sgpu_fp_raw_add(sgpu_fp_raw_mul(dx, rx), sgpu_fp_raw_mul(dy, ry)));
}

/* Adds the primitive's depth offset to a depth. If `steps` is set, which it is for floating-point
 * formats, a nonzero offset changes the depth by at least one ULP. Otherwise rounding could lose
 * the offset at pixels whose depth is greater than that of all vertices. The result is monotonic in
 * z.
 */
static inline float
sgd_offset_depth(float z, float offset, bool steps)
{
   const float moved = sgpu_fp_raw_add(z, offset);
   const uint32_t lost = sgpu_fp_mask(steps & (offset != 0.0f) & (moved == z));
   const uint32_t step = sgpu_fp_mask((offset > 0.0f) != (z > 0.0f)) | 1u;

   return sgpu_bits2f(sgpu_f2bits(moved) + (lost & step));
}

#endif
