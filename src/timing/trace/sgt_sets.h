/* SPDX-License-Identifier: MIT */
/*
 * Sets of memory pieces, for the trace builder.
 */
#ifndef SGT_SETS_H
#define SGT_SETS_H

#include "trace/sgt_trace_builder.h"

struct sgt_set {
   uint32_t first, num; /* range in sgt_sets::members */
   bool written;        /* set if an item writes the set */
   bool drawn;          /* set if a primitive writes the set */
   /* Set if all regions of the set have the rectangle SGT_RECT_ALL and cover all layers. */
   bool whole;
   /* Index of the set in the finished trace, or UINT32_MAX if no region of the trace uses the set.
    */
   uint32_t number;
   /* Bounds of the rectangles and layers that items write. Only valid if `written` is true. */
   struct sgt_rect rect;
   uint16_t first_layer, last_layer;
};

/* Hash table that maps the hash of an element's contents to the index of the element. */
struct sgt_index {
   uint64_t *hashes; /* hash of each element */
   uint64_t max_hashes;
   uint32_t *table; /* 1 + index of an element, or 0 if the entry is free */
   /* number of entries in `table`, a power of two; at most half of the entries are in use */
   uint32_t size;
};

struct sgt_sets {
   struct sgt_piece *pieces;
   struct sgt_set *sets;
   uint32_t *members; /* indices of the pieces in each set, in ascending order */
   uint32_t num_pieces, num_sets, num_members;
   uint64_t max_pieces, max_sets, max_members;
   struct sgt_index piece_index, set_index;
};

void sgt_sets_finish(struct sgt_sets *s);
/* Adds a set of pieces, unless an equal set exists. Returns the index of the set, or UINT32_MAX if
 * allocation fails.
 */
uint32_t sgt_sets_add(struct sgt_sets *s, const struct sgt_piece *pieces, unsigned num);
/* Records that an item writes the region. `drawn` must be true if the item is a primitive. */
void sgt_sets_written(struct sgt_sets *s, const struct sgt_region *region, bool drawn);
/* Sets sgt_set::whole for all sets whose regions have no common coordinates. Must be called after
 * all calls of sgt_sets_written(). Returns false if allocation fails.
 */
bool sgt_sets_widen(struct sgt_sets *s);
/* Returns true if the two sets share memory. */
bool sgt_sets_share(const struct sgt_sets *s, uint32_t a, uint32_t b);

#endif
