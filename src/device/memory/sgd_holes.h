/* SPDX-License-Identifier: MIT */
/*
 * The free ranges of the address space.  To give a range back takes no memory:
 * with every range that is taken comes room for one more hole.  Calls take time
 * that grows with the logarithm of the number of holes.
 */
#ifndef SGD_HOLES_H
#define SGD_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct sgd_hole;

struct sgd_holes {
   struct sgd_hole *root;   /* of the tree; no two holes touch */
   struct sgd_hole *spares; /* records without a range: all records are ranges taken, plus 1 */
   uint32_t random;         /* for the shape of the tree */
};

/* All of [first, first + size) is free.  False: out of memory. */
bool sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size);
void sgd_holes_finish(struct sgd_holes *h);

/* The lowest range of `size` bytes (not 0), a multiple of `alignment`; 0: there
 * is none, or out of memory.
 */
uint64_t sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment);
/* This very range; false: part of it is taken, or out of memory. */
bool sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size);
/* A range that was taken, whole. */
void sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size);

#endif
