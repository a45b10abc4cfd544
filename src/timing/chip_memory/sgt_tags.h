/* SPDX-License-Identifier: MIT */
/*
 * Tags of a simple set-associative cache with LRU replacement. A line is identified by its number.
 *
 * Used for caches whose lines have no state: the instruction and constant caches, and the texture
 * cache, which looks up its tags before the data has been fetched. sgt_cache.h has a model with
 * sectors, writes and pending fetches.
 */
#ifndef SGT_TAGS_H
#define SGT_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* Returned if a line is not in the cache. */
#define SGT_TAGS_NONE UINT32_MAX

struct sgt_tags {
   uint64_t *lines; /* [sets][ways]: line number, or UINT64_MAX if empty */
   uint64_t *used;  /* [sets][ways]: value of `uses` when the line was last used, or 0 if empty */
   uint32_t sets, ways;
   uint64_t uses; /* number of lookups and insertions of lines so far, for LRU replacement */
};

/* Creates empty tags. `sets` must be a power of 2. Returns false on allocation failure. */
bool sgt_tags_init(struct sgt_tags *t, uint32_t sets, uint32_t ways);
void sgt_tags_finish(struct sgt_tags *t);
/* Removes all lines. */
void sgt_tags_invalidate(struct sgt_tags *t);

/* Looks up a line and marks it as most recently used. Returns its index (set * ways + way), or
 * SGT_TAGS_NONE if the line is not in the cache.
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

/* Inserts a line, which must not be in the cache yet, as most recently used. Returns its index. If
 * `evicts` is not NULL, *evicts is set to true if another line was replaced.
 */
uint32_t sgt_tags_insert(struct sgt_tags *t, uint64_t line, bool *evicts);
/* Removes the line at index `place`. */
static inline void
sgt_tags_drop(struct sgt_tags *t, uint32_t place)
{
   t->lines[place] = UINT64_MAX;
   t->used[place] = 0;
}

#endif
