/* SPDX-License-Identifier: MIT */
/*
 * Setup unit: triangles that need no clipping, eight at a time.
 *
 * Facing and box of eight triangles are vectors, and what is not drawn is dropped there,
 * without a branch for each triangle.  Eight of those that are left have edges, lanes and
 * depth in vectors again.  Results are those of sgd_setup_triangle, bit by bit.
 */
#ifndef SGD_SETUP_EIGHT_H
#define SGD_SETUP_EIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"
#include "sgd_prim.h"

struct sgd_front;

#define SGD_EIGHT 8

/* Masks have bit k for triangle k. */
struct sgd_eight_boxes {
   uint32_t wide;  /* too large for 32 bits: the other fields of these have no meaning */
   uint32_t faces; /* with an area, and not culled */
   uint32_t drawn; /* of those in `faces`, the ones whose box has a pixel */
};

/* What struct sgd_prim has of a triangle. */
struct sgd_eight_row {
   float ox, oy;
   struct sgd_plane z, rw;
   int32_t a[3], b[3];
   uint16_t x0, y0, x1, y1;
   int32_t c[3];
   uint32_t cover;
};

struct sgd_eight {
   uint32_t front;
   uint32_t drawn; /* those that go on; the other fields of others have no meaning */
   uint32_t tame;  /* no value of z and rw can overflow */
   struct sgd_eight_row row[SGD_EIGHT];
   /* struct sgd_gradient */
   double gx1[SGD_EIGHT], gx2[SGD_EIGHT], gy1[SGD_EIGHT], gy2[SGD_EIGHT];
   double gx[SGD_EIGHT], gy[SGD_EIGHT];
};

/* Whether the batch's triangles may be set up eight at a time: filled, one sample, one
 * viewport.
 */
bool sgd_setup_takes_eight(const struct sgd_front *f);

/* The triangles of 24 vertices, three each. */
void sgd_setup_eight_boxes(const struct sgd_front *f, const uint16_t *corner,
                           struct sgd_eight_boxes *e);

/* Triangles number[0] to number[7] of the list whose vertices are at `corner`.  They are in
 * sgd_eight_boxes.drawn, and not wide.
 */
void sgd_setup_eight(const struct sgd_front *f, const uint16_t *corner,
                     const uint16_t number[SGD_EIGHT], struct sgd_eight *e);

/* Draws triangle k of `drawn`. */
void sgd_setup_eighth(struct sgd_front *f, const struct sgd_eight *e, unsigned k,
                      const uint16_t corner[3], unsigned provoking);

#endif
