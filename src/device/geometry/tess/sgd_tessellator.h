/* SPDX-License-Identifier: MIT */
/*
 * Tessellator: subdivides the domain of a patch (OpenGL 4.6, section 11.2.2).
 *
 * The code is Mesa's copy of the reference tessellator of Direct3D 11. Coordinates in the
 * domain are integers in units of 1/65536, so results are the same on every host. Points
 * u and 1 - u are exactly symmetric, so an edge is subdivided in the same way from both
 * of its ends.
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

/* Maximum numbers of points and indices in a mesh; levels are at most 64. */
#define SGD_TESS_POINTS (65 * 65)
#define SGD_TESS_INDICES (64 * 64 * 2 * 3)

struct sgd_tess_point {
   float u, v;
};

/* A mesh: points, and the point numbers of its points, lines or triangles. */
struct sgd_tess_mesh {
   unsigned num_points, num_indices;
   const struct sgd_tess_point *point;
   const int *index;
};

/* Returns NULL if out of memory. */
struct sgd_tessellator *sgd_tessellator_create(void);
void sgd_tessellator_destroy(struct sgd_tessellator *t);
/* Sets the domain, spacing and winding of a tessellation evaluation program. Returns
 * false if out of memory.
 */
bool sgd_tessellator_begin(struct sgd_tessellator *t, const struct SGPU_SHADER *desc);

/* Makes the mesh of a patch. The mesh is valid until the next call. It has no points if
 * an outer level that the domain uses is not above 0, or is not a number. Levels are
 * clamped to 64, or to 63 with fractional odd spacing. An edge has as many segments as
 * OpenGL specifies for its level.
 */
void sgd_tessellate(struct sgd_tessellator *t, const float outer[4], const float inner[2],
                    struct sgd_tess_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
