/* SPDX-License-Identifier: MIT */
/*
 * A slow and simple cache for comparisons: flags for bytes, and lists for orders.
 */
#ifndef CACHE_REFERENCE_H
#define CACHE_REFERENCE_H

#include "chip_memory/sgt_cache.h"

#define REFERENCE_SETS 8
#define REFERENCE_WAYS 8
#define REFERENCE_SECTORS 8
#define REFERENCE_WAITERS 256

struct reference_sector {
   bool valid, dirty, pending, bytes[SGT_CACHE_SECTOR];
};

struct reference_line {
   bool present;
   uint64_t number;
   unsigned locks;
   struct reference_sector sectors[REFERENCE_SECTORS];
};

struct reference_waiter {
   uint64_t number;
   uint32_t tag, sectors;
   bool done;
};

struct reference {
   struct sgt_cache_params p;
   struct reference_line lines[REFERENCE_SETS][REFERENCE_WAYS];
   unsigned order[REFERENCE_SETS][REFERENCE_WAYS]; /* for LRU: ways, the most recently used first */
   /* For PLRU: bits of nodes, indexed by the way in their middle. */
   bool right[REFERENCE_SETS][REFERENCE_WAYS];
   /* Waiters by age.  Those that are done come first. */
   struct reference_waiter waiters[REFERENCE_WAITERS];
   unsigned num_waiters;
   struct sgt_cache_stats stats;
   bool stalled[SGT_CACHE_STALLS]; /* stalls since the latest change */
};

/* Must be called when something other than an access or a fill has changed the cache. */
void reference_changed(struct reference *r);
void reference_init(struct reference *r, const struct sgt_cache_params *p);
struct sgt_cache_result reference_read(struct reference *r, uint64_t address, uint32_t sectors,
                                       uint32_t tag);
struct sgt_cache_result reference_write(struct reference *r, uint64_t address, uint32_t sectors,
                                        uint32_t bytes, uint32_t tag);
void reference_fill(struct reference *r, uint64_t address, uint32_t sectors);
bool reference_pop(struct reference *r, uint32_t *tag);
struct reference_line *reference_line(struct reference *r, uint32_t line);
unsigned reference_pending_lines(const struct reference *r);

#endif
