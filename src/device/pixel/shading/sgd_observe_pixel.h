/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: records the results of a warp's fragments for the observer. Compiled only for the
 * observed level (see sgd_observe.h). The functions do nothing unless the observer has requested
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

/* Records that the program, the alpha test or the sample mask has dropped `lanes`. `sample` must be
 * 0 if the program runs once per pixel.
 */
void sgd_observe_dropped(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                         unsigned sample, uint32_t lanes);
/* Records the depths of `lanes` for the late test, and their stencil references unless `stencil` is
 * NULL.
 */
void sgd_observe_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, const float z[SGD_WARP], const uint32_t *stencil,
                      uint32_t lanes);
/* Records that the lanes are kept. Called after the early tests if no pixel program runs. */
void sgd_observe_passed(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Records that `lanes` of a sample are kept, with the colours in the program's outputs. */
void sgd_observe_kept(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                      unsigned sample, uint32_t lanes);

/* sgd_observe_quads() records the quads of a warp that has run. sgd_observe_quads_kept() adds the
 * lanes that are kept.
 */
void sgd_observe_quads(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
void sgd_observe_quads_kept(const struct sgd_pixel_stage *px, uint32_t lanes);
/* Records that LDT reads elements of a render target. */
void sgd_observe_target(const struct sgd_pixel_stage *px, unsigned target,
                        const struct sgd_quads *quads);

#endif
