/* SPDX-License-Identifier: MIT */
/*
 * Observation of pixel work: what becomes of the fragments of a warp.  Only in the observed
 * level; without effect if values are not observed.
 */
#ifndef SGD_OBSERVE_PIXEL_H
#define SGD_OBSERVE_PIXEL_H

#include <stdint.h>

#include "raster/sgd_pixels.h"
#include "raster/sgd_raster.h"
#include "sgd_arch.h"

/* Colour outputs with values: o[COLR0] and those behind it; 0: the draw writes none. */
unsigned sgd_observe_colors(const struct sgd_raster *r);

/* Program, alpha test or coverage have dropped `lanes` of a sample (else 0). */
void sgd_observe_dropped(const struct sgd_raster *r, const struct sgd_pixels *pixels,
                         unsigned sample, uint32_t lanes);
/* The late test of `lanes`: depths, and references of stencil or NULL. */
void sgd_observe_late(const struct sgd_raster *r, const struct sgd_pixels *pixels, unsigned sample,
                      const float z[SGD_WARP], const uint32_t *stencil, uint32_t lanes);
/* The lanes are kept, and no program runs. */
void sgd_observe_passed(const struct sgd_raster *r, const struct sgd_pixels *pixels);
/* `lanes` of a sample are kept, with the colours in the program's outputs. */
void sgd_observe_kept(const struct sgd_raster *r, const struct sgd_pixels *pixels, unsigned sample,
                      uint32_t lanes);

/* Work: the quads of the warp that has run, and lanes of it that are kept. */
void sgd_observe_quads(const struct sgd_raster *r, const struct sgd_pixels *pixels);
void sgd_observe_quads_kept(const struct sgd_raster *r, uint32_t lanes);
/* Elements that LDT reads. */
void sgd_observe_target(const struct sgd_raster *r, unsigned target, const struct sgd_quads *quads);

#endif
