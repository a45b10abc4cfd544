/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage, internal header: functions that run the pixel program.
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

/* Sets the system values that differ between warps. `pos` has the lane positions at `sample`, or is
 * NULL if sgd_pixel_places() has returned NULL. SAMPLE_MASK is set as for a single-sampled target.
 */
void sgd_pixel_sysvals(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                       struct sgd_sample_pos sample, const struct sgd_lane_pos *pos);
/* Runs a program that uses the instructions IPAC, IPAO, IPAS or LDT. */
bool sgd_pixel_program_asks(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                            int sample, uint32_t active, uint32_t *live);

/* Runs the program for one sample of each pixel, or once per pixel if `sample` is -1. Returns the
 * return value of sgd_shader_run().
 */
static inline bool
sgd_pixel_program(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, int sample,
                  uint32_t active, uint32_t *live)
{
   if (unlikely(px->ps->interpolates | px->ps->targets_read))
      return sgd_pixel_program_asks(px, pixels, sample, active, live);
   return sgd_shader_run(px->worker, px->ps, &px->state->env[SGPU_STAGE_PIXEL], active, live);
}

/* Returns the lanes whose pixels are completely inside their triangle (see COVERAGE.Conservative).
 * Lanes of other primitive types are never returned.
 */
uint32_t sgd_inner_lanes(const struct sgd_pixels *pixels);
/* Computes the sampling positions of inputs at CENTROID if px->mode.multisample is set. The
 * position is the pixel centre if all samples or no samples of the pixel are covered, and otherwise
 * the first covered sample.
 */
void sgd_centroids_of_samples(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                              struct sgd_lane_pos *pos);

#endif
