/* SPDX-License-Identifier: MIT */
/*
 * Free ranges of the address space. Freeing a range needs no memory, because each
 * allocated range comes with a record for one more hole. The time of a call is
 * logarithmic in the number of holes.
 */
#ifndef SGD_HOLES_H
#define SGD_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct sgd_hole;

struct sgd_holes {
   struct sgd_hole *root;   /* root of the tree; no two holes are adjacent */
   struct sgd_hole *spares; /* records without a hole; there is one record more than allocated
                             * ranges */
   uint32_t random;         /* state of the generator of priorities */
};

/* Makes all of [first, first + size) free. Returns false if out of memory. */
bool sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size);
void sgd_holes_finish(struct sgd_holes *h);

/* Allocates the lowest range of `size` bytes (not 0) whose address is a multiple of
 * `alignment`. Returns its address, or 0 if there is none or if out of memory.
 */
uint64_t sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment);
/* Allocates the given range. Returns false if part of it is allocated or if out of memory. */
bool sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size);
/* Frees a range, which must be exactly one that was allocated. */
void sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size);

#endif
