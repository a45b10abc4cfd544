/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: records the results of a warp's fragments for the observer. Compiled only for the
 * host level that records for the observer. The functions do nothing unless the observer asks for
 * values.
 */
#ifndef SGD_OBSERVE_PIXEL_H
#define SGD_OBSERVE_PIXEL_H

#include <stdint.h>

#include "pixel/shading/sgd_pixels.h"
#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_arch.h"

/* Returns the number of colour outputs to record, starting at o[COLR0], or 0 if the ROP reads none.
 */
unsigned sgd_observe_colors(const struct sgd_pixel_stage *px);

/* Records `lanes` as dropped by the program, the alpha test or the sample mask. `sample` is 0 when
 * shading per pixel.
 */
void sgd_observe_dropped(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         unsigned sample, uint32_t lanes);
/* Records the depths and, unless `stencil` is NULL, the stencil references of `lanes` for the late
 * test.
 */
void sgd_observe_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, const float z[SGD_WARP], const uint32_t *stencil,
                      uint32_t lanes);
/* Records the lanes as kept when no pixel program runs. */
void sgd_observe_passed(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Records `lanes` of a sample as kept, with the colours in the program's outputs. */
void sgd_observe_kept(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, uint32_t lanes);

/* Record the quads of a warp that has run, and then the lanes that are kept, for the observer. */
void sgd_observe_quads(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
void sgd_observe_quads_kept(const struct sgd_pixel_stage *px, uint32_t lanes);
/* Records the render target elements that LDT reads. */
void sgd_observe_target(const struct sgd_pixel_stage *px, unsigned target,
                        const struct sgd_quads *quads);

#endif
