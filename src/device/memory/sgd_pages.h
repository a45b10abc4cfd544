/* SPDX-License-Identifier: MIT */
/*
 * What the host has mapped of the address space.
 *
 * A process may have 65,530 mappings, and buffers of some pages could be as many.  So the space
 * is mapped in chunks of 2 MiB: one is mapped as long as it holds a part of a buffer.  Memory of
 * buffers that have ended goes back to the host page by page, and reads as zero when it is used
 * again.
 */
#ifndef SGD_PAGES_H
#define SGD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* That of a huge page. */
#define SGD_CHUNK (UINT64_C(2) * 1024 * 1024)

struct sgd_chunk {
   uint32_t users : 31; /* buffers that have a part of it */
   uint32_t mapped : 1;
};

struct sgd_pages {
   uint8_t *base; /* of the space, a multiple of the page size */
   uint64_t size; /* bytes; a multiple of SGD_CHUNK */
   struct sgd_chunk *chunks;
};

/* A space of which nothing is mapped.  False: out of memory. */
bool sgd_pages_init(struct sgd_pages *p, uint8_t *base, uint64_t size);
void sgd_pages_finish(struct sgd_pages *p);

/* Maps a range of whole pages that no buffer has; it reads as zero.  False: the host does not. */
bool sgd_pages_take(struct sgd_pages *p, uint64_t address, uint64_t size);
/* Gives the memory of a range that was taken back to the host.  Calls for different ranges need no
 * lock.  foreign: something else has been mapped there since.  False: that is still there.
 */
bool sgd_pages_drop(struct sgd_pages *p, uint64_t address, uint64_t size, bool foreign);
/* A range of which the memory was given back is no buffer's any more. */
void sgd_pages_give(struct sgd_pages *p, uint64_t address, uint64_t size);

#endif
