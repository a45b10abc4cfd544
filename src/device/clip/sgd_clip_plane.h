/* SPDX-License-Identifier: MIT */
/*
 * Clipper, inside: polygons and lines against planes, in clip space.
 */
#ifndef SGD_CLIP_PLANE_H
#define SGD_CLIP_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "front/sgd_front_vertex.h"
#include "sgd_arch.h"

struct sgd_front;

/* All vertices made for a primitive: two a plane and copies. */
#define SGD_CLIP_VERTICES (3 + 4 * SGD_CLIP_PLANES)
/* Of these, reserved for an edge of a polygon that the sides of the view volume cut. */
#define SGD_CLIP_LINE_VERTICES 4

/* A convex polygon on its way through the planes.  edge[k]: polygon mode LINE
 * draws the edge from vertex k to the next.
 */
struct sgd_polygon {
   const struct sgd_vertex *v[SGD_CLIP_CORNERS];
   bool edge[SGD_CLIP_CORNERS];
   unsigned n;
};

/* Cuts off the parts outside of the planes of `planes`; n < 3 if nothing is left. */
void sgd_clip_polygon(struct sgd_front *f, struct sgd_polygon *poly, uint32_t planes);
/* The same for a line, by its ends; false if nothing is left. */
bool sgd_clip_segment(struct sgd_front *f, const struct sgd_vertex *v[2], uint32_t planes);
/* The vertex under the provoking vertex's viewport: itself, or a copy. */
const struct sgd_vertex *sgd_clip_move(struct sgd_front *f, const struct sgd_vertex *v,
                                       const struct sgd_vertex *prov);

#endif
