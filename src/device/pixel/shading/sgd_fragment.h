/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: antialiasing and the alpha test. Both use the colour outputs o[COLRn] of the pixel
 * program.
 */
#ifndef SGD_FRAGMENT_H
#define SGD_FRAGMENT_H

#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_pixels;
struct sgd_pixel_stage;

/* Multiplies the alpha of smooth primitives by their coverage of the pixel. */
void sgd_fragment_cover(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels);
/* Runs the alpha test. Returns the lanes in `mask` that pass. */
uint32_t sgd_fragment_alpha_test(const struct sgd_pixel_stage *px, uint32_t mask);
/* Alpha to coverage: removes the samples that alpha doesn't cover. live[n] is the lane mask of
 * sample first + n, for all n < count.
 */
void sgd_fragment_to_coverage(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                              unsigned first, unsigned count, uint32_t *live);

#endif
