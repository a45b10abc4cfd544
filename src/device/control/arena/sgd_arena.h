/* SPDX-License-Identifier: MIT */
/*
 * Arenas: bump allocators for the memory of batches. Each arena takes its blocks from a shared
 * pool, and returns them all at the same time when the batch ends.
 */
#ifndef SGD_ARENA_H
#define SGD_ARENA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_arena_block;

/* A pool of blocks of SGD_ARENA_BLOCK bytes, which arenas reuse. Larger blocks are freed, not
 * reused.
 */
struct sgd_arena_pool {
   pthread_mutex_t lock;
   struct sgd_arena_block *free;
   _Atomic uint32_t used; /* number of blocks that are currently part of an arena */
};

/* The memory of a single batch. There is no lock, so only one thread at a time may use an arena. */
struct sgd_arena {
   struct sgd_arena_pool *pool;
   struct sgd_arena_block *blocks;
   uint8_t *next, *end;
};

#define SGD_ARENA_BLOCK (64 * 1024)

void sgd_arena_pool_init(struct sgd_arena_pool *pool);
/* All arenas must be empty. */
void sgd_arena_pool_finish(struct sgd_arena_pool *pool);

/* Allocates `size` bytes of uninitialized memory, aligned to 16 bytes. Returns NULL if out of
 * memory.
 */
void *sgd_arena_alloc(struct sgd_arena *arena, size_t size);
/* Returns the number of bytes taken from the arena. Unused space at the end of a full block counts
 * as taken.
 */
size_t sgd_arena_taken(const struct sgd_arena *arena);
/* Returns all blocks to the pool. */
void sgd_arena_free(struct sgd_arena *arena);

#endif
