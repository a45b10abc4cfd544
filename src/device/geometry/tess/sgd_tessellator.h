/* SPDX-License-Identifier: MIT */
/*
 * Tessellator: subdivides the domain of a patch (OpenGL 4.6, section 11.2.2), using Mesa's copy of
 * the Direct3D 11 reference tessellator. Coordinates in the domain are integers in units of
 * 1/65536, so results are identical on every host. Points u and 1 - u are exactly symmetric, so an
 * edge is subdivided identically from both ends.
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

/* Maximum number of points and of indices in a mesh, for levels up to 64. */
#define SGD_TESS_POINTS (65 * 65)
#define SGD_TESS_INDICES (64 * 64 * 2 * 3)

struct sgd_tess_point {
   float u, v;
};

/* A mesh: points, and indices of points that form points, lines or triangles. */
struct sgd_tess_mesh {
   unsigned num_points, num_indices;
   const struct sgd_tess_point *point;
   const int *index;
};

/* Creates a tessellator. Returns NULL on allocation failure. */
struct sgd_tessellator *sgd_tessellator_create(void);
void sgd_tessellator_destroy(struct sgd_tessellator *t);
/* Sets the domain, spacing and winding from a tessellation evaluation program. Returns false on
 * allocation failure.
 */
bool sgd_tessellator_begin(struct sgd_tessellator *t, const struct SGPU_SHADER *desc);

/* Generates the mesh of a patch, which is valid until the next call. The mesh is empty if any outer
 * level that the domain uses is NaN or not above 0. Levels are clamped to 64, or to 63 with
 * fractional odd spacing. The number of segments per edge is as specified by OpenGL.
 */
void sgd_tessellate(struct sgd_tessellator *t, const float outer[4], const float inner[2],
                    struct sgd_tess_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
