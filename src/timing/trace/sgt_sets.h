/* SPDX-License-Identifier: MIT */
/*
 * Sets of pieces of memory, for the trace builder.
 */
#ifndef SGT_SETS_H
#define SGT_SETS_H

#include "trace/sgt_trace_builder.h"

struct sgt_set {
   uint32_t first, num; /* range in sets->members */
   bool written;        /* the set is the destination of an item */
   bool drawn;          /* the set is the destination of a primitive */
   bool whole;          /* its regions cover everything */
   /* Number in the finished trace, or UINT32_MAX if no region of the trace has the set. */
   uint32_t number;
   /* If written: bounds of the rectangles and layers of all destinations. */
   struct sgt_rect rect;
   uint16_t first_layer, last_layer;
};

/* A hash table that finds the number of an element by the hash of its contents. */
struct sgt_index {
   uint64_t *hashes; /* hash of each element, by number */
   uint64_t max_hashes;
   uint32_t *table; /* number of an element plus 1, or 0 if free */
   uint32_t size;   /* number of entries of `table`: a power of two, at most half of them in use */
};

struct sgt_sets {
   struct sgt_piece *pieces;
   struct sgt_set *sets;
   uint32_t *members; /* numbers of pieces, ascending in each set */
   uint32_t num_pieces, num_sets, num_members;
   uint64_t max_pieces, max_sets, max_members;
   struct sgt_index piece_index, set_index;
};

void sgt_sets_finish(struct sgt_sets *s);
/* Returns the number of the set, or UINT32_MAX if out of memory. */
uint32_t sgt_sets_add(struct sgt_sets *s, const struct sgt_piece *pieces, unsigned num);
/* Records that the region is the destination of an item. `drawn`: the item is a primitive. */
void sgt_sets_written(struct sgt_sets *s, const struct sgt_region *region, bool drawn);
/* Finds the sets whose regions cover everything, after all calls of sgt_sets_written(). Returns
 * false if out of memory.
 */
bool sgt_sets_widen(struct sgt_sets *s);
/* Returns true if the two sets share memory. */
bool sgt_sets_share(const struct sgt_sets *s, uint32_t a, uint32_t b);

#endif
