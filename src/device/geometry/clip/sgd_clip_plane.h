/* SPDX-License-Identifier: MIT */
/*
 * Clipper, internal: cuts polygons and lines at planes in clip space.
 */
#ifndef SGD_CLIP_PLANE_H
#define SGD_CLIP_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_arch.h"

struct sgd_front;

/* Maximum number of vertices, including copies, that the clipper makes for a primitive. */
#define SGD_CLIP_VERTICES (3 + 4 * SGD_CLIP_PLANES)
/* Number of these vertices that are reserved for cutting an edge of an unfilled polygon
 * at the sides of the view volume.
 */
#define SGD_CLIP_LINE_VERTICES 4

/* A convex polygon while it is clipped. edge[k] is true if polygon mode LINE draws the
 * edge from vertex k to the next vertex.
 */
struct sgd_polygon {
   const struct sgd_vertex *v[SGD_CLIP_CORNERS];
   bool edge[SGD_CLIP_CORNERS];
   unsigned n;
};

/* Cuts off the parts of a polygon that are outside `planes`. Sets n < 3 if nothing is left. */
void sgd_clip_polygon(struct sgd_front *f, struct sgd_polygon *poly, uint32_t planes);
/* Cuts off the parts of a line that are outside `planes` and replaces its ends in v[].
 * Returns false if nothing is left.
 */
bool sgd_clip_segment(struct sgd_front *f, const struct sgd_vertex *v[2], uint32_t planes);
/* Returns the vertex as the provoking vertex's viewport transforms it: v itself or a copy. */
const struct sgd_vertex *sgd_clip_move(struct sgd_front *f, const struct sgd_vertex *v,
                                       const struct sgd_vertex *prov);

#endif
