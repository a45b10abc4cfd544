/* SPDX-License-Identifier: MIT */
/*
 * Free ranges (holes) of the address space. Freeing a range never fails, because there is always a
 * spare record for the new hole. All operations take logarithmic time in the number of holes.
 */
#ifndef SGD_HOLES_H
#define SGD_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct sgd_hole;

struct sgd_holes {
   struct sgd_hole *root; /* root of the search tree; adjacent holes are always merged */
   /* Unused records. There is one record, used or unused, for each allocated range, plus 1. */
   struct sgd_hole *spares;
   uint32_t random; /* state of the random number generator */
};

/* Starts with a single hole of `size` bytes at address `first`. Returns false if out of memory. */
bool sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size);
void sgd_holes_finish(struct sgd_holes *h);

/* Allocates `size` bytes (not 0) at the lowest free address that is a multiple of `alignment`.
 * Returns the address, or 0 if no hole is large enough or memory runs out.
 */
uint64_t sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment);
/* Allocates the range at the given address. Returns false if it isn't completely free, or if out of
 * memory.
 */
bool sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size);
/* Frees a range, which must have the same address and size as when it was allocated. */
void sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size);

#endif
