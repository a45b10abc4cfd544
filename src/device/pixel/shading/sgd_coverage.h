/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: coverage of smooth primitives.
 */
#ifndef SGD_COVERAGE_H
#define SGD_COVERAGE_H

#include "common/sgd_arch.h"

struct sgd_prim;
struct sgd_pixel_stage;

/* Computes the fraction of each of the four pixels in the quad at x, y that a smooth primitive
 * covers. Fractions below 2^-30 become 0.
 */
void sgd_coverage(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, int x, int y,
                  float coverage[4]);
/* Computes the centroids of the parts of a quad's four pixels that a smooth polygon covers. Each
 * centroid is relative to the corner of its pixel.
 */
void sgd_centroids(const struct sgd_prim *prim, int x, int y, double cx[4], double cy[4]);

#endif
