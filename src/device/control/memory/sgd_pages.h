/* SPDX-License-Identifier: MIT */
/*
 * Host mappings in the device's address space. A process can only have 65,530 mappings, but a
 * device can have more buffers than that. Memory is therefore mapped in chunks of 2 MiB. A chunk
 * stays mapped while any buffer overlaps it. When a buffer is destroyed, its pages are returned to
 * the host, and read as zero when they are used again.
 */
#ifndef SGD_PAGES_H
#define SGD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Size of a chunk in bytes. This is also the size of a huge page. */
#define SGD_CHUNK (UINT64_C(2) * 1024 * 1024)

struct sgd_chunk {
   uint32_t users : 31; /* number of buffers that overlap this chunk */
   uint32_t mapped : 1;
};

struct sgd_pages {
   uint8_t *base; /* host address of device address 0, aligned to pages */
   uint64_t size; /* size of the address space in bytes; a multiple of SGD_CHUNK */
   struct sgd_chunk *chunks;
};

/* Initializes the chunks of an address space. None of them are mapped. Returns false if out of
 * memory.
 */
bool sgd_pages_init(struct sgd_pages *p, uint8_t *base, uint64_t size);
void sgd_pages_finish(struct sgd_pages *p);

/* Maps a page-aligned range that isn't used by any buffer, and fills it with zeros. Returns false
 * if the host can't map it.
 */
bool sgd_pages_take(struct sgd_pages *p, uint64_t address, uint64_t size);
/* Returns the pages of a range to the host. No lock is needed for calls with different ranges.
 * `foreign` must be true if memory of the application is mapped there. In this case, returns false
 * if the memory couldn't be unmapped.
 */
bool sgd_pages_drop(struct sgd_pages *p, uint64_t address, uint64_t size, bool foreign);
/* Frees a range. sgd_pages_drop() must have returned its pages to the host. */
void sgd_pages_give(struct sgd_pages *p, uint64_t address, uint64_t size);

#endif
