/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: cuts draws into batches. The elements of a draw are its vertices, or its indices
 * including restart indices, counted from DRAW.First. A batch is a range of elements.
 *
 * Draws are cut between primitives. If the cut is inside a strip, fan, loop or polygon, shared
 * elements are part of both batches. Triangle strips are cut after an even number of triangles, so
 * that the winding of a batch's first triangle is known. A batch gets the first vertex of its fan,
 * loop or polygon from sgd_batch.strip_first.
 */
#ifndef SGD_IA_CUT_H
#define SGD_IA_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgd_batch;
struct sgd_draw;

/* Maximum number of primitives and of elements in a batch. A quad counts as two primitives. Every
 * batch of an instance except the last one contains as many whole primitives as fit.
 */
#define SGD_BATCH_PRIMS 512
#define SGD_BATCH_ELEMENTS (3 * SGD_BATCH_PRIMS + 4)

/* Maximum number of patches in a batch, and maximum number of primitives that tessellation and the
 * geometry program may generate from them. If they generate more primitives, another batch
 * continues with the rest.
 */
#define SGD_BATCH_PATCHES 64
#define SGD_BATCH_TESSELLATED 8192

/* Maximum number of vertices that a geometry program can emit per batch. This limits memory usage,
 * since the primitives of a batch stay allocated until all tiles have drawn them.
 */
#define SGD_BATCH_EMITTED 16384

struct sgd_ia_cutter {
   const struct sgd_draw *draw;
   uint32_t instance;
   uint32_t next; /* first element of the next batch */
   uint32_t strip_first;
   uint32_t prim; /* index of the next primitive in the instance */
   bool in_strip; /* true if the next batch continues the strip at strip_first */
};

/* Iterator over the batches of all instances of a draw. It only reads index memory for draws with
 * primitive restart (sgd_ia_cut_reads() returns true), and reads each index about once.
 */
bool sgd_ia_cut_reads(const struct sgd_draw *draw);
void sgd_ia_cut_begin(struct sgd_ia_cutter *cutter, const struct sgd_draw *draw);
/* Fills in the members of *batch that the cutter sets. Returns false if there are no more batches.
 */
bool sgd_ia_cut_next(struct sgd_ia_cutter *cutter, struct sgd_batch *batch);
/* Returns true if there are certainly no more batches. If this returns false, sgd_ia_cut_next() may
 * still return false.
 */
bool sgd_ia_cut_done(const struct sgd_ia_cutter *cutter);

/* Describes how a primitive type uses elements. Primitive t of a strip uses lead + step elements,
 * starting at element t * step.
 */
struct sgd_topology {
   uint8_t lead, step;
   uint8_t weight; /* number of triangles, lines or points per primitive */
   bool even;      /* true if strips may only be cut after an even number of primitives */
   bool whole;     /* true if a strip counts as a single primitive, regardless of its length */
   bool closed;    /* true if an additional primitive connects the last element to the first */
};
struct sgd_topology sgd_ia_topology(enum sgpu_primitive primitive, unsigned patch_vertices);

/* Returns the list type that corresponds to a strip, loop or fan type: POINTS, LINES, TRIANGLES,
 * LINES ADJACENCY or TRIANGLES ADJACENCY. Returns other types unchanged.
 */
enum sgpu_primitive sgd_ia_list(enum sgpu_primitive primitive);
/* Returns the number of vertices per primitive of a list type. */
unsigned sgd_ia_vertices(enum sgpu_primitive list);

#endif
