/* SPDX-License-Identifier: MIT */
/*
 * Memory of batches: bump allocators over blocks of a pool, which are used again.
 */
#ifndef SGD_ARENA_H
#define SGD_ARENA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_arena_block;

/* Blocks of SGD_ARENA_BLOCK bytes, and larger ones that are not kept. */
struct sgd_arena_pool {
   pthread_mutex_t lock;
   struct sgd_arena_block *free;
   _Atomic uint32_t used; /* blocks in arenas */
};

/* One batch's; used by one thread at a time. */
struct sgd_arena {
   struct sgd_arena_pool *pool;
   struct sgd_arena_block *blocks;
   uint8_t *next, *end;
};

#define SGD_ARENA_BLOCK (64 * 1024)

void sgd_arena_pool_init(struct sgd_arena_pool *pool);
/* No arena has blocks. */
void sgd_arena_pool_finish(struct sgd_arena_pool *pool);

/* 16-byte aligned, not cleared; NULL without memory. */
void *sgd_arena_alloc(struct sgd_arena *arena, size_t size);
/* Bytes that are taken, with what is left at the ends of full blocks. */
size_t sgd_arena_taken(const struct sgd_arena *arena);
/* Gives all blocks back to the pool. */
void sgd_arena_free(struct sgd_arena *arena);

#endif
