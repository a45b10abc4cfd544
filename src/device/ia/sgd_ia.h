/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: cuts draws into batches, reads their indices, and puts
 * vertices together to points, lines and triangles.
 *
 * A draw's elements (vertices, or indices with restart indices among them) are
 * numbered from DRAW.First.  A batch is a run of elements.  Lists are cut
 * between primitives; strips, fans, loops and polygons between primitives too,
 * with the elements that both sides need in both batches, triangle strips
 * after an even number of triangles, so that the winding of a batch's first
 * triangle is known.  The first vertex of a fan, loop or polygon is reached
 * from every batch by sgd_batch.strip_first.
 */
#ifndef SGD_IA_H
#define SGD_IA_H

#include "sgd_prim.h"

/* Bounds of a batch.  A quad counts as two primitives; every batch but the
 * last of a draw's instance reaches one of the bounds as nearly as whole
 * primitives let it.
 */
#define SGD_BATCH_PRIMS 512
#define SGD_BATCH_ELEMENTS (3 * SGD_BATCH_PRIMS + 4)

/* Vertices that the primitives of a geometry program's draws may become, in a
 * batch: what it makes of them is kept until tiles have drawn it.
 */
#define SGD_BATCH_EMITTED 16384

struct sgd_ia_cutter {
   const struct sgd_draw *draw;
   uint32_t instance;
   uint32_t next;             /* element that the next batch begins with */
   uint32_t strip_first;
   uint32_t prim;             /* number of the next primitive in the instance */
   bool in_strip;             /* the next batch continues the strip at strip_first */
};

/* Iterates over the batches of all instances of a draw.  Reads index memory
 * only for draws with restart, every index about once.
 */
void sgd_ia_cut_begin(struct sgd_ia_cutter *cutter, const struct sgd_draw *draw);
/* Fills in what the input assembler knows of *batch; false when there are no more. */
bool sgd_ia_cut_next(struct sgd_ia_cutter *cutter, struct sgd_batch *batch);
/* No batch is left (sgd_ia_cut_next may return false even if this did). */
bool sgd_ia_cut_done(const struct sgd_ia_cutter *cutter);

/* How a primitive type takes its elements: primitive t of a strip uses those
 * from t * step on, lead + step of them.
 */
struct sgd_topology {
   uint8_t lead, step;
   uint8_t weight;            /* triangles, lines or points that one makes */
   bool even;                 /* cut only after an even number of primitives */
   bool whole;                /* counts as one primitive whatever its length */
   bool closed;               /* one primitive more joins the last element to the first */
};
struct sgd_topology sgd_ia_topology(enum sgpu_primitive primitive, unsigned patch_vertices);

/* The list that a strip, loop or fan is made of: POINTS, LINES, TRIANGLES, LINES
 * ADJACENCY, TRIANGLES ADJACENCY; other types are their own.
 */
enum sgpu_primitive sgd_ia_list(enum sgpu_primitive primitive);
/* Vertices of one primitive of such a list. */
unsigned sgd_ia_vertices(enum sgpu_primitive list);

/* Index of element `element`; 0 past the end of the buffer. */
static inline uint32_t
sgd_ia_index(const struct sgd_draw *draw, uint32_t element)
{
   const unsigned shift = draw->packet.index_size - SGPU_INDEX_SIZE_U8;
   const uint64_t offset = ((uint64_t)draw->packet.first + element) << shift;

   if (offset + (1u << shift) > draw->indices.size)
      return 0;
   const uint8_t *p = draw->indices.ptr + offset;
   switch (draw->packet.index_size) {
   case SGPU_INDEX_SIZE_U8:
      return *p;
   case SGPU_INDEX_SIZE_U16: {
      uint16_t v;
      memcpy(&v, p, sizeof(v));
      return v;
   }
   default: {
      uint32_t v;
      memcpy(&v, p, sizeof(v));
      return v;
   }
   }
}

#endif
