/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: finds the covered blocks of a primitive in the tile.
 */
#ifndef SGD_DESCENT_H
#define SGD_DESCENT_H

#include "common/sgd_arch.h"

struct sgd_prim;
struct sgd_raster;

void sgd_raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_line(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_polygon(struct sgd_raster *r, const struct sgd_prim *prim);
void sgd_raster_line_rect(struct sgd_raster *r, const struct sgd_prim *prim);
/* Rasterizes primitives of all types if r->pixel.mode.multisample is set. */
void sgd_raster_multisample(struct sgd_raster *r, const struct sgd_prim *prim);

#endif
