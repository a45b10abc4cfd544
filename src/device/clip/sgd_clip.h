/* SPDX-License-Identifier: MIT */
/*
 * Clipper: polygons and lines against planes, in clip space.
 */
#ifndef SGD_CLIP_H
#define SGD_CLIP_H

#include "front/sgd_front.h"

/* A convex polygon on its way through the planes.  edge[k]: the edge from
 * vertex k to the next is drawn in polygon mode LINE.
 */
struct sgd_polygon {
   const struct sgd_vertex *v[SGD_CLIP_CORNERS];
   bool edge[SGD_CLIP_CORNERS];
   unsigned n;
};

/* Cuts off what is outside of the planes of `planes`; n < 3 if nothing is left. */
void sgd_clip_polygon(struct sgd_front *f, struct sgd_polygon *poly, uint32_t planes);
/* Both ends of a line; false if nothing is left. */
bool sgd_clip_segment(struct sgd_front *f, const struct sgd_vertex *v[2], uint32_t planes);
/* Copy of a vertex under another vertex's viewport. */
const struct sgd_vertex *sgd_clip_move(struct sgd_front *f, const struct sgd_vertex *v,
                                       const struct sgd_vertex *prov);

#endif
