/* SPDX-License-Identifier: MIT */
/*
 * Observation of pixel work: the results of the fragments of a warp.  Only in the observed level;
 * without effect if values are not observed.
 */
#ifndef SGD_OBSERVE_PIXEL_H
#define SGD_OBSERVE_PIXEL_H

#include <stdint.h>

#include "pixel/shading/sgd_pixels.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_arch.h"

/* Returns the number of color outputs with values, from o[COLR0] on; 0 if none is written. */
unsigned sgd_observe_colors(const struct sgd_pixel_stage *px);

/* Records `lanes` that program, alpha test or coverage dropped; `sample` is 0 for pixels. */
void sgd_observe_dropped(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         unsigned sample, uint32_t lanes);
/* Records depths, and stencil references or NULL, of `lanes` for the late test. */
void sgd_observe_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, const float z[SGD_WARP], const uint32_t *stencil,
                      uint32_t lanes);
/* Records that the lanes are kept without running a program. */
void sgd_observe_passed(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Records that `lanes` of a sample are kept, with the colors in the program's outputs. */
void sgd_observe_kept(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, uint32_t lanes);

/* Work: records the quads of the warp that has run, and the lanes that are kept. */
void sgd_observe_quads(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
void sgd_observe_quads_kept(const struct sgd_pixel_stage *px, uint32_t lanes);
/* Records the elements that LDT reads. */
void sgd_observe_target(const struct sgd_pixel_stage *px, unsigned target,
                        const struct sgd_quads *quads);

#endif
