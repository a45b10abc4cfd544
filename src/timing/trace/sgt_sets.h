/* SPDX-License-Identifier: MIT */
/*
 * Sets of pieces of memory, for the builder of traces.
 */
#ifndef SGT_SETS_H
#define SGT_SETS_H

#include "trace/sgt_trace_builder.h"

struct sgt_set {
   uint32_t first, num;  /* in sets->members */
   bool written;         /* is the destination of an item */
   bool drawn;           /* of a primitive */
   bool whole;           /* its regions are everything */
   uint32_t number;      /* in the finished trace; UINT32_MAX: in none of its regions */
   struct sgt_rect rect; /* if written: bounds of the destinations, and of their layers */
   uint16_t first_layer, last_layer;
};

/* Numbers of elements by the hash of their contents. */
struct sgt_index {
   uint64_t *hashes; /* of the elements */
   uint64_t max_hashes;
   uint32_t *table; /* numbers plus 1; 0: free */
   uint32_t size;   /* a power of two, at most half full */
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
/* UINT32_MAX: out of memory. */
uint32_t sgt_sets_add(struct sgt_sets *s, const struct sgt_piece *pieces, unsigned num);
/* The region is the destination of an item; drawn: of a primitive. */
void sgt_sets_written(struct sgt_sets *s, const struct sgt_region *region, bool drawn);
/* After all calls of sgt_sets_written: finds the sets whose regions are everything. */
bool sgt_sets_widen(struct sgt_sets *s);
/* Two sets share memory. */
bool sgt_sets_share(const struct sgt_sets *s, uint32_t a, uint32_t b);

#endif
