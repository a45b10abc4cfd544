/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: antialiasing and the alpha test, on o[COLR0] and its successors.
 */
#ifndef SGD_FRAGMENT_H
#define SGD_FRAGMENT_H

#include <stdint.h>

#include "sgd_arch.h"

struct sgd_pixels;
struct sgd_raster;

/* Multiplies alpha by coverage. */
void sgd_fragment_cover(const struct sgd_raster *r, const struct sgd_pixels *pixels);
/* The lanes of `mask` that pass. */
uint32_t sgd_fragment_alpha_test(const struct sgd_raster *r, uint32_t mask);
/* Alpha to coverage: takes lanes from samples first, first + 1, ... */
void sgd_fragment_to_coverage(const struct sgd_raster *r, unsigned first, unsigned count,
                              uint32_t *live);

#endif
