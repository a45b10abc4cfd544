/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: tags of the instruction and the constant cache.
 */
#include "sgt_sm_cache.h"

#include <stdlib.h>
#include <string.h>

bool
sgt_sm_cache_init(struct sgt_sm_cache *c, uint32_t bytes, uint32_t ways)
{
   const uint32_t lines = bytes / 64;
   *c = (struct sgt_sm_cache){
      .lines = calloc(lines, sizeof(*c->lines)),
      .used = calloc(lines, sizeof(*c->used)),
      .sets = lines / ways,
      .ways = ways,
   };
   return c->lines && c->used;
}

void
sgt_sm_cache_finish(struct sgt_sm_cache *c)
{
   free(c->lines);
   free(c->used);
   memset(c, 0, sizeof(*c));
}

static uint32_t
first_way(const struct sgt_sm_cache *c, uint64_t address)
{
   return (address / 64 & (c->sets - 1)) * c->ways;
}

bool
sgt_sm_cache_hit(struct sgt_sm_cache *c, uint64_t address)
{
   const uint32_t first = first_way(c, address);
   for (uint32_t i = first; i < first + c->ways; i++) {
      if (c->lines[i] != (address | 1))
         continue;
      c->used[i] = ++c->stamp;
      return true;
   }
   return false;
}

void
sgt_sm_cache_fill(struct sgt_sm_cache *c, uint64_t address)
{
   const uint32_t first = first_way(c, address);
   uint32_t victim = first;
   for (uint32_t i = first; i < first + c->ways; i++)
      if (c->used[i] < c->used[victim])
         victim = i;
   c->lines[victim] = address | 1;
   c->used[victim] = ++c->stamp;
}
