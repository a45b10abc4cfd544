/* SPDX-License-Identifier: MIT */
/*
 * Setup: triangles that need no clipping, eight at a time. Facing and boxes of eight triangles are
 * computed with vectors, and triangles that are not drawn are discarded without a branch per
 * triangle. The remaining triangles are collected, and the edges, lane masks and depth of eight of
 * these are again computed with vectors. Results are bit-identical to those of
 * sgd_setup_triangle().
 */
#ifndef SGD_SETUP_EIGHT_H
#define SGD_SETUP_EIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_arch.h"
#include "common/sgd_prim.h"

struct sgd_front;

#define SGD_EIGHT 8

/* Results for eight triangles. Bit k of each mask belongs to triangle k. */
struct sgd_eight_boxes {
   /* mask of the triangles that are too large for 32-bit sums; the other masks are invalid for them
    */
   uint32_t wide;
   uint32_t faces; /* mask of the triangles that have an area and are not culled */
   uint32_t drawn; /* mask of the triangles in `faces` whose box is not empty */
};

/* The members of struct sgd_prim that differ between the triangles. */
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
   /* mask of the triangles to draw; the other members are only valid for these triangles */
   uint32_t drawn;
   uint32_t tame; /* mask of the triangles whose planes of z and rw can't overflow */
   struct sgd_eight_row row[SGD_EIGHT];
   /* gradient factors, as in struct sgd_gradient */
   double gx1[SGD_EIGHT], gx2[SGD_EIGHT], gy1[SGD_EIGHT], gy2[SGD_EIGHT];
   double gx[SGD_EIGHT], gy[SGD_EIGHT];
};

/* Returns true if the triangles of the batch can be set up eight at a time. */
bool sgd_setup_takes_eight(const struct sgd_front *f);

/* Computes the facing and the boxes of eight triangles. The vertices of triangle k start at
 * corner[3 * k].
 */
void sgd_setup_eight_boxes(const struct sgd_front *f, const uint16_t *corner,
                           struct sgd_eight_boxes *e);

/* Sets up triangles number[0] to number[7] of a list. `corner` has the vertices of all triangles in
 * the list. All eight must be set in sgd_eight_boxes.drawn, and clear in sgd_eight_boxes.wide.
 */
void sgd_setup_eight(const struct sgd_front *f, const uint16_t *corner,
                     const uint16_t number[SGD_EIGHT], struct sgd_eight *e);

/* Draws triangle k of the eight. Bit k of e->drawn must be set. */
void sgd_setup_eighth(struct sgd_front *f, const struct sgd_eight *e, unsigned k,
                      const uint16_t corner[3], unsigned provoking);

#endif
