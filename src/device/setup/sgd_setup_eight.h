/* SPDX-License-Identifier: MIT */
/*
 * Setup unit: triangles that need no clipping, eight at a time.
 *
 * Facing, box, edges and gradients of eight triangles are vectors.  What is not drawn is
 * dropped there, without a branch for each triangle.  Results are those of
 * sgd_setup_triangle, bit by bit.
 */
#ifndef SGD_SETUP_EIGHT_H
#define SGD_SETUP_EIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"

struct sgd_front;

#define SGD_EIGHT 8

/* Masks have bit k for triangle k. */
struct sgd_eight {
   uint32_t wide;  /* too large for 32 bits: the other fields of these have no meaning */
   uint32_t faces; /* with an area, and not culled */
   uint32_t front;
   uint32_t drawn; /* of those in `faces`, the ones that go on */
   /* Boxes of up to 2x2 pixels, and whether the first one is inside, its right and its lower
    * neighbour, and the last one.
    */
   uint32_t small, inside[4];
   /* as in struct sgd_prim */
   int32_t a[3][SGD_EIGHT], b[3][SGD_EIGHT], c[3][SGD_EIGHT];
   int32_t x0[SGD_EIGHT], y0[SGD_EIGHT], x1[SGD_EIGHT], y1[SGD_EIGHT];
   int32_t area[SGD_EIGHT];
   double gx1[SGD_EIGHT], gx2[SGD_EIGHT], gy1[SGD_EIGHT], gy2[SGD_EIGHT]; /* sgd_gradient */
};

/* Whether the batch's triangles may be set up eight at a time: filled, one sample, one
 * viewport.
 */
bool sgd_setup_takes_eight(const struct sgd_front *f);

/* The triangles of 24 vertices, three each. */
void sgd_setup_eight(const struct sgd_front *f, const uint16_t *corner, struct sgd_eight *e);

/* Draws triangle k of `drawn`. */
void sgd_setup_eighth(struct sgd_front *f, const struct sgd_eight *e, unsigned k,
                      const uint16_t corner[3], unsigned provoking);

#endif
