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

static inline struct sgd_sample_pos
sgd_sample_at(unsigned samples, unsigned n)
{
   const uint8_t *p = sgpu_sample_position(samples, n);

   return (struct sgd_sample_pos){ p[0] * (1.0f / 16), p[1] * (1.0f / 16) };
}

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

/* A depth moved by the primitive's offset.  `steps`, floating-point depth: by one step
 * at least, which rounding could lose where interpolation leads to a depth greater than
 * the vertices'.  The result is monotonous in z.
 */
static inline float
sgd_offset_depth(float z, float offset, bool steps)
{
   const float moved = sgpu_fp_raw_add(z, offset);
   const uint32_t lost = sgpu_fp_mask(steps & (offset != 0.0f) & (moved == z));
   const uint32_t step = sgpu_fp_mask((offset > 0.0f) != (z > 0.0f)) | 1u;

   return sgpu_bits2f(sgpu_f2bits(moved) + (lost & step));
}

/* Window depth of the lanes. */
static inline void
sgd_eval_depth(const struct sgd_raster *r, const struct sgd_pixels *pixels,
               const struct sgd_lane_pos *pos, float z[SGD_WARP])
{
   const struct SGPU_RASTERIZER *rast = &r->state->rast;
   const bool steps = r->state->rop.zs.format.is_float;

   sgd_eval_plane(pixels, pos, offsetof(struct sgd_prim, z), z);
   if (!(rast->offset_tri || rast->offset_line || rast->offset_point))
      return;
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      const float offset = pixels->prim[q]->depth_offset;
      for (unsigned i = 4 * q; i < 4 * q + 4; i++)
         z[i] = sgd_offset_depth(z[i], offset, steps);
   }
}

/* Inputs of the pixel program; also 1/w at the lanes. */
void sgd_interpolate(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                     const struct sgd_lane_pos *pos, float rw[SGD_WARP]);
/* Those that are not taken at the centre (VARYING.Place), once more. */
void sgd_interpolate_place(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos);

/* The same for components of one input: as they are where they are no planes. */
void sgd_interpolate_input(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                           const struct sgd_lane_pos *pos, unsigned input, unsigned comps,
                           struct sgd_vec *out);
/* Centres of pixels that the primitive covers whole, or not at all, else the first
 * sample that it covers; with r->multisample.
 */
void sgd_centroids_of_samples(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                              struct sgd_lane_pos *pos);
/* Runs the program for pixels, or for a sample (else -1) of each; as sgd_shader_run. */
bool sgd_pixel_program(const struct sgd_raster *r, const struct sgd_pixels *pixels, int sample,
                       uint32_t active, uint32_t *live);

/* Where the values of pixels are taken. */
void sgd_pixel_positions(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                         struct sgd_lane_pos *pos);
/* The presets that depend on the warp; `pos` and `rw` (1/w) are at `sample`.
 * SAMPLE_MASK is that of one sample.
 */
void sgd_pixel_sysvals(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                       struct sgd_sample_pos sample, const struct sgd_lane_pos *pos,
                       const float rw[SGD_WARP]);
/* Depth, where the state clamps it. */
void sgd_pixel_clamp_depths(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                            float z[SGD_WARP]);

/* fragment: antialiasing and the alpha test, on o[COLR0] and those that follow */
void sgd_fragment_cover(const struct sgd_raster *r, const struct sgd_pixels *pixels);
uint32_t sgd_fragment_alpha_test(const struct sgd_raster *r, uint32_t mask);
/* Alpha to coverage: takes lanes from samples first, first + 1, ... */
void sgd_fragment_to_coverage(const struct sgd_raster *r, unsigned first, unsigned count,
                              uint32_t *live);

#endif
