/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: tags of the instruction and the constant cache, of lines of 64
 * bytes, with the least recently used line of a set replaced.
 */
#ifndef SGT_SM_CACHE_H
#define SGT_SM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct sgt_sm_cache {
   uint64_t *lines;     /* [sets][ways]: address of the line | 1; 0: none */
   uint64_t *used;      /* [sets][ways]: stamp of the latest use */
   uint32_t sets, ways; /* sets: a power of two */
   uint64_t stamp;
};

/* False: no memory. */
bool sgt_sm_cache_init(struct sgt_sm_cache *c, uint32_t bytes, uint32_t ways);
void sgt_sm_cache_finish(struct sgt_sm_cache *c);
/* Whether the line at `address`, a multiple of 64, is there; that is a use of it. */
bool sgt_sm_cache_hit(struct sgt_sm_cache *c, uint64_t address);
/* Puts a line that is not there. */
void sgt_sm_cache_fill(struct sgt_sm_cache *c, uint64_t address);

#endif
