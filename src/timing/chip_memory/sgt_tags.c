/* SPDX-License-Identifier: MIT */
/*
 * Tags of a simple set-associative cache with LRU replacement.
 */
#include "chip_memory/sgt_tags.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT64_MAX

bool
sgt_tags_init(struct sgt_tags *t, uint32_t sets, uint32_t ways)
{
   const size_t lines = (size_t)sets * ways;
   *t = (struct sgt_tags){
      .lines = calloc(lines, sizeof(*t->lines)),
      .used = calloc(lines, sizeof(*t->used)),
      .sets = sets,
      .ways = ways,
   };
   if (!t->lines || !t->used) {
      sgt_tags_finish(t);
      return false;
   }
   sgt_tags_invalidate(t);
   return true;
}

void
sgt_tags_finish(struct sgt_tags *t)
{
   free(t->lines);
   free(t->used);
   *t = (struct sgt_tags){ 0 };
}

void
sgt_tags_invalidate(struct sgt_tags *t)
{
   const size_t lines = (size_t)t->sets * t->ways;
   memset(t->lines, 0xff, lines * sizeof(*t->lines));
   memset(t->used, 0, lines * sizeof(*t->used));
}

uint32_t
sgt_tags_insert(struct sgt_tags *t, uint64_t line, bool *evicts)
{
   const uint32_t first = ((uint32_t)line & (t->sets - 1)) * t->ways;
   uint32_t victim = first;
   for (uint32_t i = first + 1; i < first + t->ways; i++)
      if (t->used[i] < t->used[victim])
         victim = i;
   if (evicts)
      *evicts = t->lines[victim] != NO_LINE;
   t->lines[victim] = line;
   t->used[victim] = ++t->uses;
   return victim;
}
