/* SPDX-License-Identifier: MIT */
/*
 * Arenas, the memory of batches: bump allocators with blocks from a shared pool, which are reused.
 */
#ifndef SGD_ARENA_H
#define SGD_ARENA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_arena_block;

/* A pool of blocks of SGD_ARENA_BLOCK bytes. Larger blocks are freed instead of reused. */
struct sgd_arena_pool {
   pthread_mutex_t lock;
   struct sgd_arena_block *free;
   _Atomic uint32_t used; /* number of blocks that arenas currently use */
};

/* The memory of a single batch. Only one thread may use an arena at a time. */
struct sgd_arena {
   struct sgd_arena_pool *pool;
   struct sgd_arena_block *blocks;
   uint8_t *next, *end;
};

#define SGD_ARENA_BLOCK (64 * 1024)

void sgd_arena_pool_init(struct sgd_arena_pool *pool);
/* All arenas must be empty. */
void sgd_arena_pool_finish(struct sgd_arena_pool *pool);

/* Allocates uninitialized memory, aligned to 16 bytes. Returns NULL on allocation failure. */
void *sgd_arena_alloc(struct sgd_arena *arena, size_t size);
/* Returns the number of allocated bytes, including unused space at the ends of full blocks. */
size_t sgd_arena_taken(const struct sgd_arena *arena);
/* Returns all blocks to the pool. */
void sgd_arena_free(struct sgd_arena *arena);

#endif
