/* SPDX-License-Identifier: MIT */
/*
 * Tags of a plain set-associative store: lines by number, the least recently used of a set goes.
 *
 * For caches that keep no state of a line: those of instructions and constants, and textures,
 * whose lookups run ahead of the data.  sgt_cache.h has sectors, writes and fetches under way.
 */
#ifndef SGT_TAGS_H
#define SGT_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#define SGT_TAGS_NONE UINT32_MAX

struct sgt_tags {
   uint64_t *lines; /* [sets][ways]: number of the line; UINT64_MAX: none */
   uint64_t *used;  /* [sets][ways]: number of the latest use; 0: none */
   uint32_t sets, ways;
   uint64_t uses;
};

/* Empty.  sets: a power of 2.  False: no memory. */
bool sgt_tags_init(struct sgt_tags *t, uint32_t sets, uint32_t ways);
void sgt_tags_finish(struct sgt_tags *t);
/* Forgets all lines. */
void sgt_tags_invalidate(struct sgt_tags *t);

/* The place of a line, set x ways + way, which is a use of it; SGT_TAGS_NONE: it is not there. */
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

/* The place that a line gets, which is a use of it; the line is not there.  *evicts, if it is not
 * NULL: whether another loses the place.
 */
uint32_t sgt_tags_insert(struct sgt_tags *t, uint64_t line, bool *evicts);
/* Forgets the line at a place. */
static inline void
sgt_tags_drop(struct sgt_tags *t, uint32_t place)
{
   t->lines[place] = UINT64_MAX;
   t->used[place] = 0;
}

#endif
