/* SPDX-License-Identifier: MIT */
/*
 * Clipper, internal: clips polygons and lines to planes in clip space.
 */
#ifndef SGD_CLIP_PLANE_H
#define SGD_CLIP_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_arch.h"

struct sgd_front;

/* Maximum number of vertices, including copies, that the clipper creates per primitive. */
#define SGD_CLIP_VERTICES (3 + 4 * SGD_CLIP_PLANES)
/* Number of copies of a primitive's vertices: three corners and the provoking vertex. */
#define SGD_CLIP_COPIES 4
/* Number of vertices, out of SGD_CLIP_VERTICES, that are reserved for clipping an edge of an
 * unfilled polygon to the sides of the view volume.
 */
#define SGD_CLIP_LINE_VERTICES 4

/* A convex polygon during clipping. edge[k] is true if polygon mode LINE draws the edge from vertex
 * k to the next vertex.
 */
struct sgd_polygon {
   const struct sgd_vertex *v[SGD_CLIP_CORNERS];
   bool edge[SGD_CLIP_CORNERS];
   unsigned n;
};

/* Clips a polygon to the planes in the mask `planes`. Sets poly->n to less than 3 if nothing is
 * left.
 */
void sgd_clip_polygon(struct sgd_front *f, struct sgd_polygon *poly, uint32_t planes);
/* Clips a line to the planes in the mask `planes`, and replaces its end points in v[]. Returns
 * false if nothing is left.
 */
bool sgd_clip_segment(struct sgd_front *f, const struct sgd_vertex *v[2], uint32_t planes);
/* Returns v with window coordinates for the provoking vertex's viewport. Makes a copy if v has a
 * different viewport.
 */
const struct sgd_vertex *sgd_clip_move(struct sgd_front *f, const struct sgd_vertex *v,
                                       const struct sgd_vertex *prov);

/* Returns a copy of v in the given viewport, for a primitive that is drawn in several ones. `copy`
 * is the number of the copy, less than SGD_CLIP_COPIES.
 */
const struct sgd_vertex *sgd_clip_copy(struct sgd_front *f, const struct sgd_vertex *v,
                                       unsigned copy, unsigned viewport);

#endif
