/* SPDX-License-Identifier: MIT */
/*
 * Arenas: bump allocators for the memory of batches. Their blocks come from a pool and are reused.
 */
#include "control/arena/sgd_arena.h"

#include <assert.h>
#include <stdlib.h>

#include "util/macros.h"

struct sgd_arena_block {
   struct sgd_arena_block *next;
   size_t size;
   _Alignas(16) uint8_t data[];
};

void
sgd_arena_pool_init(struct sgd_arena_pool *pool)
{
   pthread_mutex_init(&pool->lock, NULL);
   pool->free = NULL;
   pool->used = 0;
}

void
sgd_arena_pool_finish(struct sgd_arena_pool *pool)
{
   assert(!pool->used);
   for (struct sgd_arena_block *block = pool->free, *next; block; block = next) {
      next = block->next;
      free(block);
   }
   pthread_mutex_destroy(&pool->lock);
}

static struct sgd_arena_block *
block_get(struct sgd_arena_pool *pool, size_t size)
{
   struct sgd_arena_block *block = NULL;

   if (size <= SGD_ARENA_BLOCK) {
      size = SGD_ARENA_BLOCK;
      pthread_mutex_lock(&pool->lock);
      block = pool->free;
      if (block)
         pool->free = block->next;
      pthread_mutex_unlock(&pool->lock);
   }
   if (!block) {
      block = malloc(sizeof(*block) + size);
      if (!block)
         return NULL;
      block->size = size;
   }
   atomic_fetch_add_explicit(&pool->used, 1, memory_order_relaxed);
   return block;
}

void *
sgd_arena_alloc(struct sgd_arena *arena, size_t size)
{
   size = ALIGN_POT(size, 16);
   if ((size_t)(arena->end - arena->next) < size || !arena->blocks) {
      struct sgd_arena_block *block = block_get(arena->pool, size);
      if (!block)
         return NULL;
      block->next = arena->blocks;
      arena->blocks = block;
      arena->next = block->data;
      arena->end = block->data + block->size;
   }
   void *p = arena->next;
   arena->next += size;
   return p;
}

size_t
sgd_arena_taken(const struct sgd_arena *arena)
{
   size_t taken = 0;

   for (const struct sgd_arena_block *block = arena->blocks; block; block = block->next)
      taken += block->size;
   return taken - (arena->end - arena->next);
}

void
sgd_arena_free(struct sgd_arena *arena)
{
   struct sgd_arena_pool *pool = arena->pool;

   if (!arena->blocks)
      return;
   pthread_mutex_lock(&pool->lock);
   for (struct sgd_arena_block *block = arena->blocks, *next; block; block = next) {
      next = block->next;
      atomic_fetch_sub_explicit(&pool->used, 1, memory_order_relaxed);
      if (block->size == SGD_ARENA_BLOCK) {
         block->next = pool->free;
         pool->free = block;
      } else {
         free(block);
      }
   }
   pthread_mutex_unlock(&pool->lock);
   arena->blocks = NULL;
   arena->next = arena->end = NULL;
}
