/* SPDX-License-Identifier: MIT */
/*
 * Mappings of the host in the address space.
 *
 * A process may have 65,530 mappings, and there could be as many buffers of a few pages.
 * So the space is mapped in chunks of 2 MiB. A chunk is mapped while it contains a part
 * of a buffer. The memory of destroyed buffers is returned to the host page by page, and
 * reads as zero when it is used again.
 */
#ifndef SGD_PAGES_H
#define SGD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Size of a chunk in bytes, which is that of a huge page. */
#define SGD_CHUNK (UINT64_C(2) * 1024 * 1024)

struct sgd_chunk {
   uint32_t users : 31; /* number of buffers that have a part of the chunk */
   uint32_t mapped : 1;
};

struct sgd_pages {
   uint8_t *base; /* host address of the space, a multiple of the page size */
   uint64_t size; /* size in bytes, a multiple of SGD_CHUNK */
   struct sgd_chunk *chunks;
};

/* Initializes a space in which nothing is mapped. Returns false if out of memory. */
bool sgd_pages_init(struct sgd_pages *p, uint8_t *base, uint64_t size);
void sgd_pages_finish(struct sgd_pages *p);

/* Maps a range of whole pages that belongs to no buffer. The range reads as zero. Returns
 * false if the host cannot map it.
 */
bool sgd_pages_take(struct sgd_pages *p, uint64_t address, uint64_t size);
/* Returns the memory of a range to the host. Calls for different ranges need no lock.
 * `foreign` is set if something else has been mapped there. Returns false if that could
 * not be removed.
 */
bool sgd_pages_drop(struct sgd_pages *p, uint64_t address, uint64_t size, bool foreign);
/* Releases a range whose memory was returned to the host by sgd_pages_drop(). */
void sgd_pages_give(struct sgd_pages *p, uint64_t address, uint64_t size);

#endif
