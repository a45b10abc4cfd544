/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: sampling positions of a warp's lanes, and the plane equation.
 */
#ifndef SGD_LANE_POS_H
#define SGD_LANE_POS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "sgpu_isa.h"

/* Sampling positions relative to the origin of each quad's primitive. The differences are exact,
 * because coordinates are multiples of 1/256 below 2^16. For smooth polygons they are rounded.
 */
struct sgd_lane_pos {
   _Alignas(64) float rx[SGD_WARP];
   _Alignas(64) float ry[SGD_WARP];
   bool one; /* whether all quads are known to belong to the same primitive */
};

/* Position within a pixel. The centre is (0.5, 0.5). */
struct sgd_sample_pos {
   float x, y;
};
#define SGD_SAMPLE_CENTER ((struct sgd_sample_pos){ 0.5f, 0.5f })

/* Converts a position from units of 1/16 pixel. */
static inline struct sgd_sample_pos
sgd_sample_pos_of(const uint8_t p[2])
{
   return (struct sgd_sample_pos){ p[0] * (1.0f / 16), p[1] * (1.0f / 16) };
}

/* Evaluates the plane equation (struct sgd_plane). NaNs are not canonicalized. */
static inline float
sgd_plane_raw(float v0, float dx, float dy, float rx, float ry)
{
   return sgpu_fp_raw_add(v0, sgpu_fp_raw_add(sgpu_fp_raw_mul(dx, rx), sgpu_fp_raw_mul(dy, ry)));
}

/* Adds the primitive's depth offset to a depth. If `steps` is set, as for floating-point formats, a
 * nonzero offset changes the depth by at least one ULP. Otherwise rounding could lose the offset at
 * pixels whose depth is greater than that of all vertices. The result is monotonic in z.
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
