/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: cuts draws into batches.
 *
 * A draw's elements (vertices, or indices with restart indices among them) are
 * numbered from DRAW.First.  A batch is a run of elements.  Lists are cut
 * between primitives.  Strips, fans, loops and polygons are cut between
 * primitives too, and both batches get the elements that both need; triangle
 * strips are cut after an even number of triangles, so that the winding of a
 * batch's first triangle is known.  Every batch reaches the first vertex of a
 * fan, loop or polygon by sgd_batch.strip_first.
 */
#ifndef SGD_IA_CUT_H
#define SGD_IA_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgd_batch;
struct sgd_draw;

/* Bounds of a batch.  A quad counts as two primitives; every batch but the
 * last of a draw's instance reaches one of the bounds as nearly as whole
 * primitives let it.
 */
#define SGD_BATCH_PRIMS 512
#define SGD_BATCH_ELEMENTS (3 * SGD_BATCH_PRIMS + 4)

/* Patches of a batch; and the primitives of them that it keeps, with those of a geometry
 * program for them.  Where the levels make more, another batch goes on with the rest.
 */
#define SGD_BATCH_PATCHES 64
#define SGD_BATCH_TESSELLATED 8192

/* Vertices that a geometry program may emit for a batch.  Its primitives stay in
 * memory until tiles have drawn them.
 */
#define SGD_BATCH_EMITTED 16384

struct sgd_ia_cutter {
   const struct sgd_draw *draw;
   uint32_t instance;
   uint32_t next; /* element that the next batch begins with */
   uint32_t strip_first;
   uint32_t prim; /* number of the next primitive in the instance */
   bool in_strip; /* the next batch continues the strip at strip_first */
};

/* Iterates over the batches of all instances of a draw.  Reads index memory
 * only for draws with restart (sgd_ia_cut_reads), every index about once.
 */
bool sgd_ia_cut_reads(const struct sgd_draw *draw);
void sgd_ia_cut_begin(struct sgd_ia_cutter *cutter, const struct sgd_draw *draw);
/* Fills in the cutter's fields of *batch; false when there are no more. */
bool sgd_ia_cut_next(struct sgd_ia_cutter *cutter, struct sgd_batch *batch);
/* True if no batch is left.  After false, sgd_ia_cut_next may still return false. */
bool sgd_ia_cut_done(const struct sgd_ia_cutter *cutter);

/* How a primitive type uses its elements: primitive t of a strip uses lead + step
 * elements from t * step on.
 */
struct sgd_topology {
   uint8_t lead, step;
   uint8_t weight; /* triangles, lines or points that one makes */
   bool even;      /* cut only after an even number of primitives */
   bool whole;     /* counts as one primitive whatever its length */
   bool closed;    /* one primitive more joins the last element to the first */
};
struct sgd_topology sgd_ia_topology(enum sgpu_primitive primitive, unsigned patch_vertices);

/* The list type of a strip, loop or fan: POINTS, LINES, TRIANGLES, LINES ADJACENCY,
 * TRIANGLES ADJACENCY; other types are returned as they are.
 */
enum sgpu_primitive sgd_ia_list(enum sgpu_primitive primitive);
/* Vertices of one primitive of such a list. */
unsigned sgd_ia_vertices(enum sgpu_primitive list);

#endif
