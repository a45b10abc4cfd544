/* SPDX-License-Identifier: MIT */
/*
 * Clipper: rejects, clips and culls primitives.
 *
 * Vertices come in order; `prov` is the provoking one.
 */
#ifndef SGD_CLIP_H
#define SGD_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"

struct sgd_front;
struct sgd_vertex;

/* Bit n of `edges`: the edge from vertex n to the next is one of the primitive's
 * own.  SGD_EDGES_CONTINUE: of the same polygon as the call before.
 */
#define SGD_EDGES_ALL 7u
#define SGD_EDGES_CONTINUE 8u

/* Corners of a polygon that sgd_clip_face takes. */
#define SGD_FACE_CORNERS 16

/* Prepares for a batch.  False without memory. */
bool sgd_clip_begin(struct sgd_front *f);

void sgd_clip_point(struct sgd_front *f, const struct sgd_vertex *v);
void sgd_clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                   const struct sgd_vertex *prov);
void sgd_clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0,
                       const struct sgd_vertex *v1, const struct sgd_vertex *v2,
                       const struct sgd_vertex *prov, unsigned edges);

/* A list of triangles, by their vertices' numbers in the batch. */
struct sgd_triangles {
   const uint16_t *corner; /* three of each */
   unsigned count;
   uint32_t first_id;         /* the first one's primitive_id; */
   const uint16_t *primitive; /* what others have more, or NULL: each its own */
   const uint8_t *provoking;  /* each one's provoking corner, or NULL: */
   uint8_t same_provoking;    /* that of all */
};

/* Whether lists are drawn faster than one triangle after the other, and edges do not matter. */
bool sgd_clip_takes_lists(const struct sgd_front *f);

/* The triangles in order; changes primitive_id. */
void sgd_clip_triangles(struct sgd_front *f, const struct sgd_triangles *t);

/* A smooth polygon as a whole.  Bit n of `edges` as above; `continues`: a piece of
 * the polygon of the call before.  It falls apart to triangles from corner 0 on.
 */
void sgd_clip_face(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
                   const struct sgd_vertex *prov, unsigned edges, bool continues);

#endif
