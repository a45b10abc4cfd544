/* SPDX-License-Identifier: MIT */
/*
 * Tags of a simple set-associative cache with LRU replacement. Lines are identified by numbers.
 *
 * For caches without states of lines: the caches of instructions and constants, and the texture
 * cache, whose tags are looked up before the data are fetched. For sectors, writes and pending
 * fetches, use sgt_cache.h.
 */
#ifndef SGT_TAGS_H
#define SGT_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* The line is not in the cache. */
#define SGT_TAGS_NONE UINT32_MAX

struct sgt_tags {
   uint64_t *lines; /* array [sets][ways] of line numbers; UINT64_MAX: empty */
   uint64_t *used;  /* array [sets][ways] of the numbers of the latest uses; 0: never used */
   uint32_t sets, ways;
   uint64_t uses; /* number of uses so far */
};

/* Creates empty tags. `sets` must be a power of 2. Returns false if out of memory. */
bool sgt_tags_init(struct sgt_tags *t, uint32_t sets, uint32_t ways);
void sgt_tags_finish(struct sgt_tags *t);
/* Removes all lines. */
void sgt_tags_invalidate(struct sgt_tags *t);

/* Looks up a line, which counts as a use of it. Returns its place, which is set * ways + way, or
 * SGT_TAGS_NONE if it is not in the cache.
 */
static inline uint32_t
sgt_tags_find(struct sgt_tags *t, uint64_t line)
{
   const uint32_t first = ((uint32_t)line & (t->sets - 1)) * t->ways;
   for (uint32_t i = first; i < first + t->ways; i++) {
      if (t->lines[i] != line)
         continue;
      t->used[i] = ++t->uses;
      return i;
   }
   return SGT_TAGS_NONE;
}

/* Inserts a line, which must not be in the cache, and counts a use of it. Returns its place. If
 * `evicts` is not NULL, *evicts is set to whether another line was replaced.
 */
uint32_t sgt_tags_insert(struct sgt_tags *t, uint64_t line, bool *evicts);
/* Removes the line at a place. */
static inline void
sgt_tags_drop(struct sgt_tags *t, uint32_t place)
{
   t->lines[place] = UINT64_MAX;
   t->used[place] = 0;
}

#endif
