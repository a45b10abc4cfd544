/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: the tags of its cache.
 */
#include "sgt_tex_tags.h"

#include <stdlib.h>

#define NO_LINE UINT64_MAX

bool
sgt_tex_tags_init(struct sgt_tex_tags *t, uint32_t sets, uint32_t ways)
{
   *t = (struct sgt_tex_tags){
      .tags = calloc(sets * ways, sizeof(*t->tags)),
      .sets = sets,
      .ways = ways,
   };
   if (t->tags)
      sgt_tex_tags_invalidate(t);
   return t->tags != NULL;
}

void
sgt_tex_tags_finish(struct sgt_tex_tags *t)
{
   free(t->tags);
   t->tags = NULL;
}

void
sgt_tex_tags_invalidate(struct sgt_tex_tags *t)
{
   for (uint32_t i = 0; i < t->sets * t->ways; i++)
      t->tags[i] = (struct sgt_tex_tag){ .line = NO_LINE };
}

struct sgt_tex_tag *
sgt_tex_tags_find(struct sgt_tex_tags *t, uint64_t line)
{
   struct sgt_tex_tag *set = &t->tags[(line & (t->sets - 1)) * t->ways];

   for (uint32_t i = 0; i < t->ways; i++) {
      if (set[i].line != line)
         continue;
      set[i].used = ++t->uses;
      return &set[i];
   }
   return NULL;
}

bool
sgt_tex_tags_insert(struct sgt_tex_tags *t, uint64_t line, uint64_t fill)
{
   struct sgt_tex_tag *set = &t->tags[(line & (t->sets - 1)) * t->ways], *victim = set;

   for (uint32_t i = 1; i < t->ways; i++) {
      if (set[i].used < victim->used)
         victim = &set[i];
   }
   const bool evicts = victim->line != NO_LINE;
   *victim = (struct sgt_tex_tag){ .line = line, .used = ++t->uses, .fill = fill };
   return evicts;
}
