/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: coverage of smooth primitives.
 */
#ifndef SGD_COVERAGE_H
#define SGD_COVERAGE_H

#include "common/sgd_arch.h"

struct sgd_prim;
struct sgd_pixel_stage;

/* Computes the coverage of a smooth primitive for the four pixels of the quad at x, y. Coverage
 * below 2^-30 becomes 0.
 */
void sgd_coverage(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, int x, int y,
                  float coverage[4]);
/* Computes the centroids of the covered parts of a quad's four pixels, for smooth polygons. The
 * centroids are relative to the corner of each pixel.
 */
void sgd_centroids(const struct sgd_prim *prim, int x, int y, double cx[4], double cy[4]);

#endif
