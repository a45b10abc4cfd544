/* SPDX-License-Identifier: MIT */
/*
 * Clipper: rejects, clips and culls primitives. Vertices are passed in order; `prov` is the
 * provoking vertex.
 */
#ifndef SGD_CLIP_H
#define SGD_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_front;
struct sgd_vertex;

/* Bit n of `edges` is set if the edge from vertex n to the next vertex is an edge of the primitive
 * rather than a diagonal. SGD_EDGES_CONTINUE is set if the triangle belongs to the same polygon as
 * the triangle of the previous call.
 */
#define SGD_EDGES_ALL 7u
#define SGD_EDGES_CONTINUE 8u

/* Maximum number of corners of a polygon in sgd_clip_face(). */
#define SGD_FACE_CORNERS 16

/* Prepares the clipper for a batch. Returns false on allocation failure. */
bool sgd_clip_begin(struct sgd_front *f);

void sgd_clip_point(struct sgd_front *f, const struct sgd_vertex *v);
void sgd_clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                   const struct sgd_vertex *prov);
void sgd_clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0,
                       const struct sgd_vertex *v1, const struct sgd_vertex *v2,
                       const struct sgd_vertex *prov, unsigned edges);

/* A list of triangles. Corners are vertex indices in the batch. */
struct sgd_triangles {
   const uint16_t *corner; /* vertex indices of the three corners of each triangle */
   unsigned count;
   uint32_t first_id; /* primitive_id of the first triangle */
   /* primitive ID of each triangle, relative to first_id; if NULL, this is its index in the list */
   const uint16_t *primitive;
   /* index (0 to 2) of each triangle's provoking corner; if NULL, same_provoking applies */
   const uint8_t *provoking;
   uint8_t same_provoking; /* index of the provoking corner of all triangles */
};

/* Returns true if the caller may pass triangles to sgd_clip_triangles(), which is faster than
 * drawing them one at a time. In this case, the `edges` of a triangle have no effect.
 */
bool sgd_clip_takes_lists(const struct sgd_front *f);

/* Draws the triangles in order. Modifies f->primitive_id. */
void sgd_clip_triangles(struct sgd_front *f, const struct sgd_triangles *t);

/* Draws a smooth polygon as a whole. Bit n of `edges` has the same meaning as for triangles.
 * `continues` is true if this is another piece of the same polygon as in the previous call. If the
 * polygon can't be drawn as a whole, splits it into triangles that share corner 0.
 */
void sgd_clip_face(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                   const struct sgd_vertex *prov, unsigned edges, bool continues);

#endif
