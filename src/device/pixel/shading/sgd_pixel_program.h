/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage, internal: a run of the pixel program.
 */
#ifndef SGD_PIXEL_PROGRAM_H
#define SGD_PIXEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_arch.h"
#include "common/sgd_shader.h"
#include "util/macros.h"

struct sgd_pixels;

/* Sets the presets that depend on the warp. `pos` are the places at `sample`, or NULL as
 * from sgd_pixel_places(). SAMPLE_MASK is set for one sample.
 */
void sgd_pixel_sysvals(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       struct sgd_sample_pos sample, const struct sgd_lane_pos *pos);
/* Runs a program that uses IPAC, IPAO, IPAS or LDT. */
bool sgd_pixel_program_asks(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                            int sample, uint32_t active, uint32_t *live);

/* Runs the program for a sample of each pixel, or for whole pixels if `sample` is -1. The
 * result is that of sgd_shader_run().
 */
static inline bool
sgd_pixel_program(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, int sample,
                  uint32_t active, uint32_t *live)
{
   if (unlikely(px->ps->interpolates | px->ps->targets_read))
      return sgd_pixel_program_asks(px, pixels, sample, active, live);
   return sgd_shader_run(px->worker, px->ps, &px->state->env[SGPU_STAGE_PIXEL], active, live);
}

/* Returns the lanes whose pixels are completely covered by their triangles
 * (COVERAGE.Conservative). Other primitives have no such lanes.
 */
uint32_t sgd_inner_lanes(const struct sgd_pixels *pixels);
/* Computes the places of inputs at CENTROID if px->mode.multisample is set: the centre of a
 * pixel whose samples are all covered or all uncovered, and the first sample that the
 * primitive covers in other pixels.
 */
void sgd_centroids_of_samples(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                              struct sgd_lane_pos *pos);

#endif
