/* SPDX-License-Identifier: MIT */
/*
 * Constant cache of an execution unit, with contexts and versions (US 8,564,604).
 *
 * A header table has the place of each context's constants in the cache, so a thread names a
 * constant of its context and not a place.  When a constant changes while threads that
 * started before still run, a mapping table gives the changed line a place of its own: threads
 * of each version find their value.  A FIFO delivers: what a request has found enters it, a
 * miss only when its line has come, so misses stall nobody else.
 *
 * It is a part of a unit, not a unit: its owner arbitrates requests, sends the fills to memory
 * and says when they are back.  In each cycle sgt_const_cycle comes first.  docs/chip-constants.md
 * has the rules where the patent is silent.
 */
#ifndef SGT_CONST_CACHE_H
#define SGT_CONST_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SGT_CONST_LINE 64 /* bytes, as of memory */
#define SGT_CONST_MAX_CONTEXTS 16
#define SGT_CONST_MAX_VERSIONS 16
#define SGT_CONST_MAX_LINES 4096
#define SGT_CONST_MAX_MAPPING 64
#define SGT_CONST_MAX_FIFO 64
#define SGT_CONST_MAX_MISSES 64
#define SGT_CONST_TAGS 256

struct sgt_const_params {
   uint32_t contexts; /* entries of the header table, 1 to SGT_CONST_MAX_CONTEXTS */
   uint32_t versions; /* of a context that threads have at a time, 1 to SGT_CONST_MAX_VERSIONS */
   uint32_t lines;    /* of the storage that the header table divides, from 1 */
   uint32_t mapping;  /* entries of the mapping table, a line of storage each, from 0 */
   uint32_t fifo;     /* constants that were found and not taken, from 1 */
   uint32_t misses;   /* lines that are on their way, from 1 */
   uint32_t latency;  /* cycles from a request that hits until its constant is ready, from 1 */
};

enum sgt_const_result {
   SGT_CONST_HIT,
   SGT_CONST_MISS,   /* the owner sends the fill */
   SGT_CONST_MERGED, /* waits for a line that is on its way */
   /* Nothing has happened; again in a later cycle: */
   SGT_CONST_FIFO_FULL,
   SGT_CONST_PORT, /* a constant has entered the FIFO in this cycle */
   SGT_CONST_MISSES_FULL,
   SGT_CONST_RESULTS,
};

enum sgt_const_change {
   SGT_CONST_CHANGED, /* threads that acquire from now on read the new value */
   SGT_CONST_FETCH,   /* the owner sends the fill, then changes again, before memory is written */
   /* Nothing has happened; again when threads have released: */
   SGT_CONST_NO_VERSION,
   SGT_CONST_NO_MAPPING,
   SGT_CONST_PINNED, /* an old line that must stay lies at the place of the changed one */
   SGT_CONST_NO_MISS,
   SGT_CONST_CHANGES,
};

/* A line to be read from memory. */
struct sgt_const_fill {
   uint64_t address; /* multiple of SGT_CONST_LINE */
   uint16_t id;      /* for sgt_const_filled */
};

struct sgt_const_counts {
   uint64_t results[SGT_CONST_RESULTS]; /* of sgt_const_lookup */
   uint64_t changes[SGT_CONST_CHANGES]; /* of sgt_const_change */
   uint64_t in_place;                   /* changes without threads of older versions */
   uint64_t versions;                   /* that changes have begun */
   uint64_t merged;                     /* entries of the mapping table that returned home */
   uint64_t superseded;                 /* ... that a newer one made useless */
   uint64_t opened, reopened;           /* contexts: new in the header table, found there */
   uint64_t evicted;                    /* contexts that left the header table */
   uint64_t no_context;                 /* openings refused: threads hold what is in the way */
   uint64_t replaced;                   /* lines that left for another of their context */
   uint64_t bypassed;                   /* fills that could not stay */
   uint64_t fills;
   uint64_t delivered;       /* constants that left the FIFO */
   uint64_t fifo_occupancy;  /* sum over cycles of constants in the FIFO */
   uint64_t fifo_residence;  /* sum over delivered constants of cycles in the FIFO */
   uint64_t request_latency; /* sum over delivered constants: request to the earliest taking */
   uint64_t fifo_most;
};

struct sgt_const_cache;

void sgt_const_params_init(struct sgt_const_params *p);
/* If a value is illegal, false and a message that names the member. */
bool sgt_const_params_check(const struct sgt_const_params *p, char *error, size_t error_size);

/* NULL: out of memory. */
struct sgt_const_cache *sgt_const_cache_create(const struct sgt_const_params *p);
void sgt_const_cache_destroy(struct sgt_const_cache *c);

/* The context `id` of a shader type in the header table: its constants are `bytes` bytes from
 * `address` on, a multiple of SGT_CONST_LINE.  -1: threads hold all that could make room.
 */
int sgt_const_open(struct sgt_const_cache *c, uint32_t shader, uint32_t id, uint64_t address,
                   uint32_t bytes);
/* A thread starts: it reads the version that is returned, until it releases it. */
uint32_t sgt_const_acquire(struct sgt_const_cache *c, int context);
void sgt_const_release(struct sgt_const_cache *c, int context, uint32_t version);

/* A thread requests the constant at a byte of its context.  `tag` names the request until it is
 * taken; it is below SGT_CONST_TAGS and free.
 */
enum sgt_const_result sgt_const_lookup(struct sgt_const_cache *c, int context, uint32_t version,
                                       uint32_t address, uint32_t tag, uint64_t now,
                                       struct sgt_const_fill *fill);
/* A line is there.  `value` is any number that stands for its contents as they were when the
 * fill was sent.
 */
void sgt_const_filled(struct sgt_const_cache *c, uint32_t id, uint64_t value);
/* Before all requests of a cycle.  True: to be called in the next cycle as well. */
bool sgt_const_cycle(struct sgt_const_cache *c, uint64_t now);

/* The cycle from which on the constant can be taken; UINT64_MAX: not known yet. */
uint64_t sgt_const_ready(const struct sgt_const_cache *c, uint32_t tag);
/* Takes it out of the FIFO: its place is free from now on.  Returns the line's value.  Threads
 * that need several constants must take each when it is ready, or the FIFO can fill with
 * constants that wait for each other.
 */
uint64_t sgt_const_take(struct sgt_const_cache *c, uint32_t tag, uint64_t now);

/* The line at a byte of the context changes in memory, behind all fills that were sent. */
enum sgt_const_change sgt_const_change(struct sgt_const_cache *c, int context, uint32_t address,
                                       struct sgt_const_fill *fill);

const struct sgt_const_counts *sgt_const_counts(const struct sgt_const_cache *c);
/* Adds the statistics, which are the cache's own memory. */
struct sgt_stats;
void sgt_const_cache_register(const struct sgt_const_cache *c, struct sgt_stats *s,
                              const char *unit);
/* What holds between calls.  NULL, or a static text. */
const char *sgt_const_cache_check(const struct sgt_const_cache *c);

#endif
