/* SPDX-License-Identifier: MIT */
/*
 * Host mappings in the address space. A process can have up to 65,530 mappings, but there could be
 * that many small buffers, so the address space is mapped in chunks of 2 MiB. A chunk is mapped as
 * long as any buffer overlaps it. The memory of destroyed buffers is returned to the host page by
 * page, and reads as zero when it is reused.
 */
#ifndef SGD_PAGES_H
#define SGD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Size of a chunk in bytes, which is also the size of a huge page. */
#define SGD_CHUNK (UINT64_C(2) * 1024 * 1024)

struct sgd_chunk {
   uint32_t users : 31; /* number of buffers that overlap the chunk */
   uint32_t mapped : 1;
};

struct sgd_pages {
   uint8_t *base; /* host address of the address space, aligned to the page size */
   uint64_t size; /* size in bytes, a multiple of SGD_CHUNK */
   struct sgd_chunk *chunks;
};

/* Initializes an address space with no mapped chunks. Returns false on allocation failure. */
bool sgd_pages_init(struct sgd_pages *p, uint8_t *base, uint64_t size);
void sgd_pages_finish(struct sgd_pages *p);

/* Maps a range of whole pages that no buffer uses. The memory reads as zero. Returns false if the
 * host can't map it.
 */
bool sgd_pages_take(struct sgd_pages *p, uint64_t address, uint64_t size);
/* Returns the memory of a range to the host. Calls for different ranges don't need a lock.
 * `foreign` means that other memory was mapped there. Returns false if that memory couldn't be
 * unmapped.
 */
bool sgd_pages_drop(struct sgd_pages *p, uint64_t address, uint64_t size, bool foreign);
/* Releases a range after sgd_pages_drop() has returned its memory to the host. */
void sgd_pages_give(struct sgd_pages *p, uint64_t address, uint64_t size);

#endif
