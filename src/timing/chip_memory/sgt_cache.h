/* SPDX-License-Identifier: MIT */
/*
 * Cache model: the tags of a set-associative cache without data, and its miss status holding
 * registers (MSHRs).
 *
 * Units of a timing model contain a cache. The cache has no timing; its unit adds that. A line has
 * sectors of 32 bytes that are fetched and written back separately. A miss does not block the
 * cache: later accesses may hit while fetches are pending.
 *
 *    r = sgt_cache_lookup(c, address, sectors, tag);
 *    HIT      the data are in the cache
 *    MISS     the unit must request the sectors r.fetch of the line; the tag waits for them
 *    MERGED   all missing sectors have been requested before; the tag waits for them
 *    STALL    nothing has changed; the unit must retry after a fill, an unlock or a pop
 *    If r.write_back is not 0, the unit must write these sectors of the line at r.evicted.
 *
 *    sgt_cache_fill(c, address, sectors);          sectors have arrived; any order is allowed
 *    while (sgt_cache_pop(c, &tag)) ...            returns the tags whose sectors have arrived
 */
#ifndef SGT_CACHE_H
#define SGT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params/sgt_cache_params.h"

struct sgt_stats;

#define SGT_CACHE_SECTOR 32 /* size of a sector in bytes */

enum sgt_cache_outcome {
   SGT_CACHE_HIT,
   SGT_CACHE_MISS,
   SGT_CACHE_MERGED,
   SGT_CACHE_STALL,
   SGT_CACHE_OUTCOMES = SGT_CACHE_STALL, /* number of outcomes of accesses that are not retried */
};

/* The reason why an access must be retried. */
enum sgt_cache_stall {
   SGT_CACHE_STALL_SET,    /* each line of the set is locked or has pending fetches */
   SGT_CACHE_STALL_MSHR,   /* all MSHRs are in use */
   SGT_CACHE_STALL_WAITER, /* the MSHR has the maximum number of waiters, or no waiter is free */
   SGT_CACHE_STALLS,
};

struct sgt_cache_result {
   enum sgt_cache_outcome outcome;
   enum sgt_cache_stall stall; /* reason; valid for STALL */
   /* Index of the line: set * ways + way. UINT32_MAX for a STALL, or for a write that misses and
    * does not allocate a line.
    */
   uint32_t line;
   uint32_t fetch;      /* bit mask of sectors that the unit must request; may be 0 for writes */
   uint64_t evicted;    /* address of the line that was replaced */
   uint32_t write_back; /* bit mask of sectors of that line that must be written */
   uint32_t partial;    /* bit mask of those of them that must be written with a byte mask */
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_cache_stats.h"

struct sgt_cache_line {
   uint64_t used;                  /* number of the latest use of the cache that was of this line;
                                    * for LRU replacement */
   uint32_t valid, dirty, pending; /* bit masks of sectors; pending: requested, not arrived */
   uint32_t locks;                 /* number of locks; a locked line is not replaced */
   uint16_t mshr;                  /* index of the line's MSHR, or UINT16_MAX */
};

struct sgt_cache_mshr {
   uint32_t line;             /* index of the line */
   uint32_t first, last, num; /* indices of first and last waiter of a list, and its length */
};

/* An access that waits for sectors. */
struct sgt_cache_waiter {
   /* Tag of the access, bit mask of its sectors, and index of the next waiter, or UINT32_MAX. */
   uint32_t tag, sectors, next;
};

struct sgt_cache {
   struct sgt_cache_params params;
   struct sgt_cache_stats stats;

   /* The remaining members are private. */
   uint32_t line_shift, set_bits; /* log2 of the line size in bytes, and of the number of sets */
   uint32_t all;                  /* bit mask of all sectors of a line */
   uint64_t *tags;                /* per line: address / line size, or UINT64_MAX if unused */
   struct sgt_cache_line *lines;
   uint32_t *bytes; /* with BACK_BYTES, per sector: bit mask of the bytes that were written while
                     * the sector was dirty and not valid */
   uint64_t *trees; /* with PLRU, per set: bits of the tree */
   uint64_t uses;   /* number of uses so far, for LRU */
   struct sgt_cache_mshr *mshrs;
   uint16_t *free_mshrs; /* stack of indices of free MSHRs */
   uint32_t num_free_mshrs;
   struct sgt_cache_waiter *waiters;
   uint32_t free_waiter, num_waiters; /* first element of the free list; number of waiters in use */
   uint32_t first_done, last_done;    /* list of waiters for sgt_cache_pop() */
   uint32_t flush;                    /* index of the line at which sgt_cache_flush() continues */
   uint32_t num_locks;                /* sum of the locks of all lines */
   uint32_t stalled; /* bit mask of reasons of stalls that were counted since the latest change */
};

/* Checks the parameters. If a value is illegal, returns false and writes a message to `error`, in
 * which NAME.MEMBER is the member.
 */
bool sgt_cache_check(const struct sgt_cache_params *p, const char *name, char *error,
                     size_t error_size);

/* Creates an empty cache. The parameters must be legal. Returns false if out of memory. */
bool sgt_cache_init(struct sgt_cache *c, const struct sgt_cache_params *params);
void sgt_cache_finish(struct sgt_cache *c);

/* Reads sectors of the line at the address. `sectors` is a bit mask and not 0. */
struct sgt_cache_result sgt_cache_lookup(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                         uint32_t tag);
/* Writes bytes of sectors of the line at the address. Both are bit masks and not 0. `bytes` applies
 * to each sector, and is UINT32_MAX for whole sectors.
 *
 * With THROUGH, the result HIT or MISS means that the line is in the cache or not. The unit must
 * forward the write to memory. With BACK and BACK_BYTES, the write is done for HIT, and for MISS
 * without sectors to fetch. Otherwise, the tag waits as in a lookup.
 */
struct sgt_cache_result sgt_cache_write(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                        uint32_t bytes, uint32_t tag);
/* Returns what a lookup would return, without changes. A unit can use this before it takes a
 * request.
 */
enum sgt_cache_outcome sgt_cache_probe(const struct sgt_cache *c, uint64_t address,
                                       uint32_t sectors);

/* Makes sectors valid that were requested and have arrived. */
void sgt_cache_fill(struct sgt_cache *c, uint64_t address, uint32_t sectors);
/* Returns the next tag whose sectors have all arrived in *tag, or false if there is none. Tags that
 * the same fill completes are returned in the order of their accesses.
 */
bool sgt_cache_pop(struct sgt_cache *c, uint32_t *tag);

/* Returns whether all of these sectors of a line are valid. `line` is from sgt_cache_result. */
static inline bool
sgt_cache_has(const struct sgt_cache *c, uint32_t line, uint32_t sectors)
{
   return (c->lines[line].valid & sectors) == sectors;
}
/* Locks a line, so that it stays in the cache from the lookup until its data are used. A line may
 * be locked several times.
 */
static inline void
sgt_cache_lock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks++;
   c->num_locks++;
}
/* Removes a lock of a line. */
static inline void
sgt_cache_unlock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks--;
   c->num_locks--;
   c->stalled = 0;
}

/* Cleans the next dirty line, and describes the write by evicted, write_back and partial of
 * *result. Returns false if all lines are clean. There must be no pending fetches.
 */
bool sgt_cache_flush(struct sgt_cache *c, struct sgt_cache_result *result);
/* Removes all lines. The cache must be idle, and no line may be dirty. */
void sgt_cache_invalidate(struct sgt_cache *c);
/* Returns whether no fetch is pending, no tag waits and no line is locked. */
bool sgt_cache_idle(const struct sgt_cache *c);

/* Registers the statistics for the unit with this name. Called at the end of a run. */
void sgt_cache_register(const struct sgt_cache *c, struct sgt_stats *s, const char *unit);

/* Returns the capacity of a cache in bytes. */
static inline uint32_t
sgt_cache_bytes(const struct sgt_cache_params *p)
{
   return p->line_bytes * p->sets * p->ways;
}

#endif
