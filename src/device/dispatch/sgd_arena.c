/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: memory of batches, in blocks that are used again.
 */
#include <stdlib.h>

#include "sgd_dispatch.h"
#include "util/macros.h"

struct sgd_arena_block {
   struct sgd_arena_block *next;
   size_t size;
   _Alignas(16) uint8_t data[];
};

static struct sgd_arena_block *
block_get(struct sgd_dispatch *d, size_t size)
{
   struct sgd_arena_block *block = NULL;

   pthread_mutex_lock(&d->sched->lock);
   if (size <= SGD_ARENA_BLOCK && d->free_blocks) {
      block = d->free_blocks;
      d->free_blocks = block->next;
   }
   pthread_mutex_unlock(&d->sched->lock);

   if (!block) {
      size = MAX2(size, SGD_ARENA_BLOCK);
      block = malloc(sizeof(*block) + size);
      if (!block)
         return NULL;
      block->size = size;
   }
   pthread_mutex_lock(&d->sched->lock);
   d->sched->pressure = ++d->blocks_used > SGD_ARENA_PRESSURE;
   pthread_mutex_unlock(&d->sched->lock);
   return block;
}

void *
sgd_arena_alloc(struct sgd_arena *arena, size_t size)
{
   size = ALIGN_POT(size, 16);
   if ((size_t)(arena->end - arena->next) < size || !arena->blocks) {
      struct sgd_arena_block *block = block_get(arena->dispatch, size);
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

/* Lock held. */
void
sgd_arena_free(struct sgd_arena *arena)
{
   struct sgd_dispatch *d = arena->dispatch;

   for (struct sgd_arena_block *block = arena->blocks, *next; block; block = next) {
      next = block->next;
      d->blocks_used--;
      if (block->size == SGD_ARENA_BLOCK) {
         block->next = d->free_blocks;
         d->free_blocks = block;
      } else {
         free(block);
      }
   }
   d->sched->pressure = d->blocks_used > SGD_ARENA_PRESSURE;
   arena->blocks = NULL;
   arena->next = arena->end = NULL;
}

void
sgd_arena_finish(struct sgd_dispatch *d)
{
   for (struct sgd_arena_block *block = d->free_blocks, *next; block; block = next) {
      next = block->next;
      free(block);
   }
   d->free_blocks = NULL;
}
