/* SPDX-License-Identifier: MIT */
/*
 * Coverage of triangles by exact arithmetic, and triangles to try it on.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "fixture.h"

struct point {
   int32_t x, y; /* 1/256 pixel */
};

struct triangle {
   struct point p[3];
   bool bottom_edge_rule;
};

/* Whether the triangle covers the point: edge functions in 128-bit integers,
 * the rule of an edge by its direction alone.
 */
bool oracle_covers(const struct triangle *t, struct point at);

/* A vertex whose window coordinates reach the setup unit unchanged: the
 * viewport's numbers are powers of two.
 */
unsigned oracle_vertex(struct fix *f, struct point p);
/* Clears and draws it, with its rule. */
void oracle_draw(struct fix *f, const struct fix_level *level, const struct triangle *t);

/* Corners up to the guard planes, for edge functions of the full range.  cross:
 * an edge goes through the middle of a target of size x size; false where the
 * corner that this needs would be too far out.
 */
bool oracle_huge(struct triangle *t, int size, bool cross, uint64_t *seed);
/* Draws a jittered grid of cells x cells, at most ORACLE_CELLS, over a target of
 * size x size, cut along random diagonals, in any winding.  Some corners lie at
 * multiples of `grain`, moved by `offset`.
 */
#define ORACLE_CELLS 96
void oracle_mesh(struct fix *f, const struct fix_level *level, int size, int cells, int grain,
                 int offset, uint64_t *seed);

#endif
