/* SPDX-License-Identifier: MIT */
/*
 * Pixel work, inside: a run of the pixel program.
 */
#ifndef SGD_PIXEL_PROGRAM_H
#define SGD_PIXEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/sgd_lane_pos.h"
#include "raster/sgd_raster.h"
#include "sgd_arch.h"
#include "sgd_shader.h"
#include "util/macros.h"

struct sgd_pixels;

/* The presets that depend on the warp; `pos` is at `sample`, or NULL (sgd_pixel_places).
 * SAMPLE_MASK is that of one sample.
 */
void sgd_pixel_sysvals(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                       struct sgd_sample_pos sample, const struct sgd_lane_pos *pos);
/* Runs a program that asks about its pixels. */
bool sgd_pixel_program_asks(const struct sgd_raster *r, const struct sgd_pixels *pixels, int sample,
                            uint32_t active, uint32_t *live);

/* Runs the program for pixels, or for a sample (else -1) of each; as sgd_shader_run. */
static inline bool
sgd_pixel_program(const struct sgd_raster *r, const struct sgd_pixels *pixels, int sample,
                  uint32_t active, uint32_t *live)
{
   if (unlikely(r->ps->interpolates | r->ps->targets_read))
      return sgd_pixel_program_asks(r, pixels, sample, active, live);
   return sgd_shader_run(r->worker, r->ps, &r->state->env[SGPU_STAGE_PIXEL], active, live);
}

/* Lanes whose pixels their triangles cover whole (COVERAGE.Conservative); of other
 * primitives none.
 */
uint32_t sgd_inner_lanes(const struct sgd_pixels *pixels);
/* For r->multisample: the centres of pixels that the primitive covers whole or not at
 * all, else the first sample that it covers.
 */
void sgd_centroids_of_samples(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                              struct sgd_lane_pos *pos);

#endif
