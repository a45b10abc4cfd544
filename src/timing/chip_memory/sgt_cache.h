/* SPDX-License-Identifier: MIT */
/*
 * Cache model: the tags of a set-associative cache without data, and its miss status holding
 * registers (MSHRs).
 *
 * The cache is embedded in a simulated unit. The unit models the timing of the cache, which itself
 * has none. Each line has 32-byte sectors, which are fetched and written back separately. A miss
 * doesn't block the cache: later accesses can hit while fetches are pending.
 *
 * r = sgt_cache_lookup(c, address, sectors, tag) has one of these outcomes:
 * - HIT: the data is in the cache
 * - MISS: the unit must request the sectors r.fetch of the line, and the tag waits for them
 * - MERGED: all missing sectors have already been requested, and the tag waits for them
 * - STALL: nothing has changed, and the unit must retry after a fill, an unlock or a pop
 *
 * If r.write_back is not 0, the unit must write these sectors of the line at address r.evicted.
 *
 * When sectors arrive, in any order, the unit calls sgt_cache_fill(c, address, sectors), and then
 * sgt_cache_pop(c, &tag) until it returns false, to get the tags whose sectors have all arrived.
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
   SGT_CACHE_OUTCOMES = SGT_CACHE_STALL, /* number of outcomes other than STALL */
};

/* Reason why an access stalled and must be retried. */
enum sgt_cache_stall {
   SGT_CACHE_STALL_SET,  /* all lines of the set are locked or have pending fetches */
   SGT_CACHE_STALL_MSHR, /* all MSHRs are in use */
   /* the MSHR of the line has the maximum number of waiters, or all waiter entries are in use */
   SGT_CACHE_STALL_WAITER,
   SGT_CACHE_STALLS,
};

struct sgt_cache_result {
   enum sgt_cache_outcome outcome;
   enum sgt_cache_stall stall; /* reason for the outcome STALL */
   /* Index of the line, i.e. set * ways + way. UINT32_MAX for the outcome STALL, and for a write
    * that misses without allocating a line.
    */
   uint32_t line;
   uint32_t fetch;      /* bitmask of sectors that the unit must request; can be 0 for writes */
   uint64_t evicted;    /* address of the line that has been replaced */
   uint32_t write_back; /* bitmask of sectors of the replaced line that must be written to memory */
   /* subset of write_back: sectors that need a byte mask because only some of their bytes are valid
    */
   uint32_t partial;
};

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_cache_stats.h"

struct sgt_cache_line {
   uint64_t used; /* value of sgt_cache.uses when the line was last used, for LRU replacement */
   /* valid: bitmask of sectors that can be read
    * dirty: bitmask of sectors that must be written back
    * pending: bitmask of sectors that have been requested but have not arrived
    */
   uint32_t valid, dirty, pending;
   uint32_t locks; /* number of locks; a locked line can't be replaced */
   uint16_t mshr;  /* index of the MSHR of the line, or UINT16_MAX */
};

struct sgt_cache_mshr {
   uint32_t line; /* index of the line */
   /* first: index of the first waiter in the list of the MSHR
    * last: index of the last waiter
    * num: number of waiters
    */
   uint32_t first, last, num;
};

/* An access that waits for sectors. */
struct sgt_cache_waiter {
   /* tag: tag of the access
    * sectors: bitmask of the sectors that the access needs
    * next: index of the next waiter, or UINT32_MAX
    */
   uint32_t tag, sectors, next;
};

struct sgt_cache {
   struct sgt_cache_params params;
   struct sgt_cache_stats stats;

   /* The following members are private. */
   /* line_shift: log2 of the line size in bytes
    * set_bits: log2 of the number of sets
    */
   uint32_t line_shift, set_bits;
   uint32_t all; /* bitmask of all sectors of a line */
   /* Line number (address divided by the line size) of each line, or UINT64_MAX if the line is
    * unused.
    */
   uint64_t *tags;
   struct sgt_cache_line *lines;
   /* Bitmask of the bytes of each sector that were written while the sector was invalid. NULL
    * unless the write policy is BACK_BYTES.
    */
   uint32_t *bytes;
   uint64_t *trees; /* PLRU replacement tree of each set, or NULL if the cache doesn't use PLRU */
   uint64_t uses;   /* number of accesses so far, for LRU replacement */
   struct sgt_cache_mshr *mshrs;
   uint16_t *free_mshrs; /* stack of indices of free MSHRs */
   uint32_t num_free_mshrs;
   struct sgt_cache_waiter *waiters;
   /* free_waiter: index of the first free waiter
    * num_waiters: number of waiters in use
    */
   uint32_t free_waiter, num_waiters;
   /* first and last waiter of the list that sgt_cache_pop() reads */
   uint32_t first_done, last_done;
   uint32_t flush;     /* index of the line where sgt_cache_flush() continues */
   uint32_t num_locks; /* total number of locks of all lines */
   /* bitmask of stall reasons that have been counted since the cache last changed */
   uint32_t stalled;
};

/* Checks the parameters. If a value is invalid, returns false and writes a message to `error` that
 * refers to the parameter as NAME.MEMBER, e.g. "l2.sets".
 */
bool sgt_cache_check(const struct sgt_cache_params *p, const char *name, char *error,
                     size_t error_size);

/* Creates an empty cache. The parameters must be valid. Returns false on allocation failure. */
bool sgt_cache_init(struct sgt_cache *c, const struct sgt_cache_params *params);
void sgt_cache_finish(struct sgt_cache *c);

/* Reads the sectors in the nonzero bitmask `sectors` of the line at `address`. If the access must
 * wait, sgt_cache_pop() returns its `tag` later.
 */
struct sgt_cache_result sgt_cache_lookup(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                         uint32_t tag);
/* Writes bytes in sectors of the line at `address`. `sectors` and `bytes` are nonzero bitmasks.
 * `bytes` applies to each of the sectors; UINT32_MAX writes whole sectors.
 *
 * With THROUGH, the outcome is HIT if the line is in the cache, and MISS otherwise. The unit must
 * forward the write to memory in both cases. With BACK and BACK_BYTES, the write has been performed
 * for HIT, and for MISS without sectors to fetch. Otherwise, the tag waits like in a lookup.
 */
struct sgt_cache_result sgt_cache_write(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                        uint32_t bytes, uint32_t tag);
/* Returns the outcome that a lookup would have, without changing the cache. Units can call this
 * before accepting a request.
 */
enum sgt_cache_outcome sgt_cache_probe(const struct sgt_cache *c, uint64_t address,
                                       uint32_t sectors);

/* Marks requested sectors as valid after they have arrived. */
void sgt_cache_fill(struct sgt_cache *c, uint64_t address, uint32_t sectors);
/* If all sectors of a waiting access have arrived, stores the tag of the access in *tag and returns
 * true. Accesses that are completed by the same fill are returned in their original order.
 */
bool sgt_cache_pop(struct sgt_cache *c, uint32_t *tag);

/* Returns true if all sectors in the bitmask are valid. `line` is the index from a struct
 * sgt_cache_result.
 */
static inline bool
sgt_cache_has(const struct sgt_cache *c, uint32_t line, uint32_t sectors)
{
   return (c->lines[line].valid & sectors) == sectors;
}
/* Locks a line so that it stays in the cache until the data of a lookup has been used. A line can
 * be locked several times.
 */
static inline void
sgt_cache_lock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks++;
   c->num_locks++;
}
/* Releases one lock of a line. */
static inline void
sgt_cache_unlock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks--;
   c->num_locks--;
   c->stalled = 0;
}

/* Marks the next dirty line as clean. The evicted, write_back and partial members of *result
 * describe the write to memory. Returns false if all lines are clean. There must be no pending
 * fetches.
 */
bool sgt_cache_flush(struct sgt_cache *c, struct sgt_cache_result *result);
/* Removes all lines. The cache must be idle, and must not have dirty lines. */
void sgt_cache_invalidate(struct sgt_cache *c);
/* Returns true if there are no pending fetches, waiting tags or locked lines. */
bool sgt_cache_idle(const struct sgt_cache *c);

/* Registers the statistics of the cache under the name `unit`. Called at the end of a simulation.
 */
void sgt_cache_register(const struct sgt_cache *c, struct sgt_stats *s, const char *unit);

/* Returns the capacity of a cache in bytes. */
static inline uint32_t
sgt_cache_bytes(const struct sgt_cache_params *p)
{
   return p->line_bytes * p->sets * p->ways;
}

#endif
