/* SPDX-License-Identifier: MIT */
/*
 * Bump allocator of a batch.  Its blocks come from the dispatch unit's pool.
 */
#ifndef SGD_ARENA_H
#define SGD_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct sgd_arena {
   struct sgd_dispatch *dispatch;
   struct sgd_arena_block *blocks;
   uint8_t *next, *end;
};

/* 16-byte aligned, not cleared; NULL without memory. */
void *sgd_arena_alloc(struct sgd_arena *arena, size_t size);

#endif
