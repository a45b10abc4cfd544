/* SPDX-License-Identifier: MIT */
/*
 * Pixel work: coverage of smooth primitives.
 */
#ifndef SGD_COVERAGE_H
#define SGD_COVERAGE_H

#include "sgd_arch.h"

struct sgd_prim;
struct sgd_raster;

/* Coverage of the pixels of a smooth primitive's quad at x, y; 0 below 2^-30 of a
 * pixel.
 */
void sgd_coverage(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                  float coverage[4]);
/* The middles of a smooth polygon's parts of these pixels, from the pixels' corners. */
void sgd_centroids(const struct sgd_prim *prim, int x, int y, double cx[4], double cy[4]);

#endif
