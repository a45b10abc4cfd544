/* SPDX-License-Identifier: MIT */
/*
 * Sets of memory pieces, for the trace builder.
 */
#ifndef SGT_SETS_H
#define SGT_SETS_H

#include "trace/sgt_trace_builder.h"

struct sgt_set {
   uint32_t first, num; /* range in sgt_sets::members */
   bool written;        /* the set is the destination of an item */
   bool drawn;          /* the set is the destination of a primitive */
   bool whole; /* all regions of the set have the rectangle SGT_RECT_ALL and cover all layers */
   /* Index of the set in the finished trace, or UINT32_MAX if no region of the trace uses the set.
    */
   uint32_t number;
   /* Bounds of the rectangles and layers of all destinations. Only valid if `written` is true. */
   struct sgt_rect rect;
   uint16_t first_layer, last_layer;
};

/* Hash table that maps the hash of an element's contents to the index of the element. */
struct sgt_index {
   uint64_t *hashes; /* hash of each element */
   uint64_t max_hashes;
   uint32_t *table; /* index of an element plus 1, or 0 if the entry is free */
   /* number of entries of `table`: a power of two, with at most half of the entries in use */
   uint32_t size;
};

struct sgt_sets {
   struct sgt_piece *pieces;
   struct sgt_set *sets;
   uint32_t *members; /* indices of pieces, in ascending order within a set */
   uint32_t num_pieces, num_sets, num_members;
   uint64_t max_pieces, max_sets, max_members;
   struct sgt_index piece_index, set_index;
};

void sgt_sets_finish(struct sgt_sets *s);
/* Adds a set of pieces, unless an equal set exists. Returns the index of the set, or UINT32_MAX if
 * allocation fails.
 */
uint32_t sgt_sets_add(struct sgt_sets *s, const struct sgt_piece *pieces, unsigned num);
/* Records that the region is the destination of an item, which is a primitive if `drawn` is true.
 */
void sgt_sets_written(struct sgt_sets *s, const struct sgt_region *region, bool drawn);
/* Sets sgt_set::whole for sets without common coordinates. Must be called after all calls of
 * sgt_sets_written(). Returns false if allocation fails.
 */
bool sgt_sets_widen(struct sgt_sets *s);
/* Returns true if the two sets share memory. */
bool sgt_sets_share(const struct sgt_sets *s, uint32_t a, uint32_t b);

#endif
