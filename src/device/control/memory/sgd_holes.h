/* SPDX-License-Identifier: MIT */
/*
 * Free ranges (holes) of the address space. Freeing a range can't fail, because each allocated
 * range comes with a spare record for one more hole. All operations take logarithmic time in the
 * number of holes.
 */
#ifndef SGD_HOLES_H
#define SGD_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct sgd_hole;

struct sgd_holes {
   struct sgd_hole *root; /* root of the tree; no two holes in it are adjacent */
   /* unused records; the total number of records is the number of allocated ranges plus 1 */
   struct sgd_hole *spares;
   uint32_t random; /* state of the random generator for priorities */
};

/* Initializes [first, first + size) as one free range. Returns false on allocation failure. */
bool sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size);
void sgd_holes_finish(struct sgd_holes *h);

/* Allocates the lowest free range of `size` bytes (not 0) at a multiple of `alignment`. Returns its
 * address, or 0 if there is no such range or an allocation fails.
 */
uint64_t sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment);
/* Allocates exactly the given range. Returns false if any part of it is in use, or on allocation
 * failure.
 */
bool sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size);
/* Frees a range, which must be exactly a range that was allocated. */
void sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size);

#endif
