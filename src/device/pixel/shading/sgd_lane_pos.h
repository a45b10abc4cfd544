/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: sampling points of a warp's lanes, and the formula of planes.
 */
#ifndef SGD_LANE_POS_H
#define SGD_LANE_POS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "sgpu_isa.h"

/* Sampling points relative to the origin of each quad's primitive. Coordinates are
 * multiples of 1/256 below 2^16, so these differences are exact. For smooth polygons they
 * are rounded.
 */
struct sgd_lane_pos {
   _Alignas(64) float rx[SGD_WARP];
   _Alignas(64) float ry[SGD_WARP];
   bool one; /* all quads have the same primitive; may be false even then */
};

/* A place in a pixel; (0.5, 0.5) is the centre. */
struct sgd_sample_pos {
   float x, y;
};
#define SGD_SAMPLE_CENTER ((struct sgd_sample_pos){ 0.5f, 0.5f })

/* Converts a place from units of 1/16 pixel. */
static inline struct sgd_sample_pos
sgd_sample_pos_of(const uint8_t p[2])
{
   return (struct sgd_sample_pos){ p[0] * (1.0f / 16), p[1] * (1.0f / 16) };
}

/* Evaluates the formula of struct sgd_plane. NaNs are not canonical. */
static inline float
sgd_plane_raw(float v0, float dx, float dy, float rx, float ry)
{
   return sgpu_fp_raw_add(v0, sgpu_fp_raw_add(sgpu_fp_raw_mul(dx, rx), sgpu_fp_raw_mul(dy, ry)));
}

/* Adds the primitive's offset to a depth. If `steps` is set, which is for floating-point
 * formats, a depth changes by at least one step. Rounding could lose the offset if a
 * depth of the plane is greater than those of the vertices. The result is monotonic in z.
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
