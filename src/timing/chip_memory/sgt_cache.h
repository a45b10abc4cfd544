/* SPDX-License-Identifier: MIT */
/*
 * Cache: the tags of a set-associative store, and its miss status holding registers (MSHRs).
 *
 * A plain structure that a unit embeds; it has no time of its own.  A line has sectors of 32
 * bytes that are fetched and written back one by one.  A lookup never blocks the store: later
 * ones hit while fetches are under way.
 *
 *    r = sgt_cache_lookup(c, address, sectors, tag);
 *    HIT      the data are there
 *    MISS     request r.fetch of the line; the tag waits
 *    MERGED   all that is missing is under way; the tag waits
 *    STALL    nothing has changed: try again after a fill, an unlock or a pop
 *    If r.write_back is not 0, write these sectors of the line r.evicted.
 *
 *    sgt_cache_fill(c, address, sectors);          data arrive, in any order
 *    while (sgt_cache_pop(c, &tag)) ...            tags that wait no longer, in their order
 */
#ifndef SGT_CACHE_H
#define SGT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params/sgt_cache_params.h"

struct sgt_stats;

#define SGT_CACHE_SECTOR 32 /* bytes */

enum sgt_cache_outcome {
   SGT_CACHE_HIT,
   SGT_CACHE_MISS,
   SGT_CACHE_MERGED,
   SGT_CACHE_STALL,
   SGT_CACHE_OUTCOMES = SGT_CACHE_STALL, /* of accesses: a stall is none */
};

/* Why an access cannot be done now. */
enum sgt_cache_stall {
   SGT_CACHE_STALL_SET,    /* each line of the set is locked, or has fetches under way */
   SGT_CACHE_STALL_MSHR,   /* all MSHRs are in use */
   SGT_CACHE_STALL_WAITER, /* the line has all its waiters, or none is free in all */
   SGT_CACHE_STALLS,
};

struct sgt_cache_result {
   enum sgt_cache_outcome outcome;
   enum sgt_cache_stall stall; /* STALL: why */
   uint32_t line;       /* set x ways + way; UINT32_MAX: a write that allocates none, or a STALL */
   uint32_t fetch;      /* MISS: sectors to be requested; of writes also 0 */
   uint64_t evicted;    /* the line that loses its place ... */
   uint32_t write_back; /* ... and its sectors to be written; 0: none */
   uint32_t partial;    /* those of them with a mask of bytes */
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_cache_stats.h"

struct sgt_cache_line {
   uint64_t used;                  /* LRU: number of the latest use */
   uint32_t valid, dirty, pending; /* sectors */
   uint32_t locks;
   uint16_t mshr; /* UINT16_MAX: none */
};

struct sgt_cache_mshr {
   uint32_t line;
   uint32_t first, last, num; /* waiters */
};

struct sgt_cache_waiter {
   uint32_t tag, sectors, next;
};

struct sgt_cache {
   struct sgt_cache_params params;
   struct sgt_cache_stats stats;

   /* Private. */
   uint32_t line_shift, set_bits;
   uint32_t all;   /* sectors of a line */
   uint64_t *tags; /* of lines: the line's number; UINT64_MAX: none */
   struct sgt_cache_line *lines;
   uint32_t *bytes; /* BACK_BYTES: of each sector, those written since it is dirty and not valid */
   uint64_t *trees; /* PLRU: of sets */
   uint64_t uses;
   struct sgt_cache_mshr *mshrs;
   uint16_t *free_mshrs;
   uint32_t num_free_mshrs;
   struct sgt_cache_waiter *waiters;
   uint32_t free_waiter, num_waiters;
   uint32_t first_done, last_done;
   uint32_t flush; /* the next line to be looked at */
   uint32_t num_locks;
   uint32_t stalled; /* causes since the latest change */
};

/* If a value is illegal, false and a message that names the member, after `name` and a dot. */
bool sgt_cache_check(const struct sgt_cache_params *p, const char *name, char *error,
                     size_t error_size);

/* Empty.  The parameters are legal.  False: no memory. */
bool sgt_cache_init(struct sgt_cache *c, const struct sgt_cache_params *params);
void sgt_cache_finish(struct sgt_cache *c);

/* Reads sectors (bits, at least one) of the line that has the address. */
struct sgt_cache_result sgt_cache_lookup(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                         uint32_t tag);
/*
 * Writes the bytes (bits, at least one; UINT32_MAX: all) of each of the sectors.
 *
 * THROUGH: HIT or MISS says whether the line is there.  The unit sends the write on.
 * BACK, BACK_BYTES: the write is done with HIT, and with MISS if nothing is to be fetched.  Else
 * the tag waits as that of a lookup.
 */
struct sgt_cache_result sgt_cache_write(struct sgt_cache *c, uint64_t address, uint32_t sectors,
                                        uint32_t bytes, uint32_t tag);
/* What a lookup would return, without a change: for units that ask before they take. */
enum sgt_cache_outcome sgt_cache_probe(const struct sgt_cache *c, uint64_t address,
                                       uint32_t sectors);

/* Sectors arrive that were requested. */
void sgt_cache_fill(struct sgt_cache *c, uint64_t address, uint32_t sectors);
/* The next tag whose sectors have all arrived; false: there is none.  Tags that the same fill
 * completes are in the order of their accesses.
 */
bool sgt_cache_pop(struct sgt_cache *c, uint32_t *tag);

/* Whether these sectors of a line (result.line) have arrived. */
static inline bool
sgt_cache_has(const struct sgt_cache *c, uint32_t line, uint32_t sectors)
{
   return (c->lines[line].valid & sectors) == sectors;
}
/* Between a lookup and its use of the data: the line keeps its place.  Locks count. */
static inline void
sgt_cache_lock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks++;
   c->num_locks++;
}
static inline void
sgt_cache_unlock(struct sgt_cache *c, uint32_t line)
{
   c->lines[line].locks--;
   c->num_locks--;
   c->stalled = 0;
}

/* The next dirty line, which is clean from then on; evicted, write_back and partial of `result`
 * are set.  False: all are clean.  No fetch is under way.
 */
bool sgt_cache_flush(struct sgt_cache *c, struct sgt_cache_result *result);
/* Forgets all lines.  The cache is idle, and no line is dirty. */
void sgt_cache_invalidate(struct sgt_cache *c);
/* No fetch is under way, no tag waits and no line is locked. */
bool sgt_cache_idle(const struct sgt_cache *c);

/* Registers the statistics as of `unit`, once the run has ended. */
void sgt_cache_register(const struct sgt_cache *c, struct sgt_stats *s, const char *unit);

/* Bytes of a cache. */
static inline uint32_t
sgt_cache_bytes(const struct sgt_cache_params *p)
{
   return p->line_bytes * p->sets * p->ways;
}

#endif
