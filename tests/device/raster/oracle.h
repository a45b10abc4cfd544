/* SPDX-License-Identifier: MIT */
/*
 * Coverage of triangles by exact arithmetic, and triangles for tests of it.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "fixture.h"

struct point {
   int32_t x, y; /* window coordinates, in 1/256 pixel */
};

struct triangle {
   struct point p[3];
   bool bottom_edge_rule;
};

/* Returns whether the triangle covers the point. Edge functions are 128-bit integers; the fill rule
 * depends on the direction of an edge only.
 */
bool oracle_covers(const struct triangle *t, struct point at);

/* Adds a vertex whose window coordinates reach setup unchanged: all numbers of the viewport are
 * powers of two. Returns its number.
 */
unsigned oracle_vertex(struct fix *f, struct point p);
/* Clear the targets and draw a line, or a triangle with its fill rule. */
void oracle_line(struct fix *f, const struct fix_level *level, struct point a, struct point b);
void oracle_draw(struct fix *f, const struct fix_level *level, const struct triangle *t);

/* Makes a triangle with corners up to the guard band, so that edge functions have their full range.
 * If `cross`, an edge goes through the middle of a target of size x size. Returns false if this
 * needs a corner beyond the guard band.
 */
bool oracle_huge(struct triangle *t, int size, bool cross, uint64_t *seed);
/* Draws a jittered mesh of cells x cells, at most ORACLE_CELLS, over a target of size x size. Cells
 * are cut along random diagonals, with any winding. Some corners are at multiples of `grain`, moved
 * by `offset`, in 1/256 pixel.
 */
#define ORACLE_CELLS 96
void oracle_mesh(struct fix *f, const struct fix_level *level, int size, int cells, int grain,
                 int offset, uint64_t *seed);

#endif
