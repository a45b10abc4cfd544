/* SPDX-License-Identifier: MIT */
/*
 * Tessellator: subdivides the domain of a patch (OpenGL 4.6, 11.2.2).
 *
 * It is Mesa's, the reference of Direct3D 11.  Places in the domain are integers, units
 * of 1/65536, so results are the same on every host, and a subdivided edge is the same
 * from both of its ends: points u and 1 - u are exactly symmetric.
 */
#ifndef SGD_TESSELLATOR_H
#define SGD_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sgd_tessellator;

/* Bounds of a mesh: levels are 64 at most. */
#define SGD_TESS_POINTS (65 * 65)
#define SGD_TESS_INDICES (64 * 64 * 2 * 3)

struct sgd_tess_point {
   float u, v;
};

/* Points, and the numbers of those that make points, lines or triangles. */
struct sgd_tess_mesh {
   unsigned num_points, num_indices;
   const struct sgd_tess_point *point;
   const int *index;
};

/* For the domain, the spacing and the order of a tessellation evaluation program.  NULL
 * without memory.
 */
struct sgd_tessellator *sgd_tessellator_create(void);
void sgd_tessellator_destroy(struct sgd_tessellator *t);
/* False without memory. */
bool sgd_tessellator_begin(struct sgd_tessellator *t, const struct SGPU_SHADER *desc);

/* The mesh of a patch, valid until the next call.  It has no points where an outer level
 * is not above 0, or not a number, of an edge that counts.  Levels are clamped to 64, or
 * 63 with fractional odd spacing; an edge has as many segments as OpenGL says for its level.
 */
void sgd_tessellate(struct sgd_tessellator *t, const float outer[4], const float inner[2],
                    struct sgd_tess_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
