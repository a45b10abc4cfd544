/* SPDX-License-Identifier: MIT */
/*
 * The constant cache of US 8,564,604: header table, mapping table, storage.
 *
 * A thread requests constant `index` of its shader type and context. For each shader type, the
 * header table has a row for each context that is present. A context has versions. Changing some
 * constants makes a new version, and threads of the previous version continue with the old values.
 * The mapping table gives, for each line of a version, the change that it comes from. Versions
 * therefore share lines that were not changed (sgt_const_lines.h).
 */
#ifndef SGT_EU_CONST_H
#define SGT_EU_CONST_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_const_lines.h"
#include "params/sgt_eu_const_params.h"
#include "chip_memory/sgt_tags.h"

/* Base addresses of code, constants and scratch memory. They are above the device's addresses, and
 * inside the 2^40 bytes that the partitions of a chip can have.
 */
#define SGT_EU_CODE (1ull << 38)
#define SGT_EU_CONSTANTS (2ull << 38)
#define SGT_EU_SCRATCH (3ull << 38)
#define SGT_EU_LINE_CONSTS 4 /* number of constants (16 bytes) in a line of 64 bytes */

struct sgt_eu_const_stats {
   /* Numbers of contexts that got a row, threads that found their version, rows that were reused,
    * and new versions; maximum number of lines with several versions.
    */
   uint64_t contexts, context_hits, evicted, versions, max_mapping;
};

struct sgt_eu_const_row;

struct sgt_eu_const {
   struct sgt_eu_const_params params;
   const struct sgt_const_lines *lines;
   struct sgt_tags store;         /* tags of cached lines of 64 bytes */
   struct sgt_eu_const_row *rows; /* header table: [stage][contexts] */
   uint64_t clock;                /* number of uses so far, for LRU replacement of rows */
   struct sgt_eu_const_stats stats;
};

/* Context and version of a thread: stage, row of the header table, and index of the version in the
 * row.
 */
struct sgt_eu_const_key {
   uint8_t stage, row, version;
};

/* Initializes the cache. The lines must outlive it. Returns false if out of memory. */
bool sgt_eu_const_init(struct sgt_eu_const *c, const struct sgt_eu_const_params *params,
                       const struct sgt_const_lines *lines);
void sgt_eu_const_finish(struct sgt_eu_const *c);

/* Why a thread cannot start. */
enum sgt_eu_const_wait {
   SGT_EU_CONST_READY,        /* the thread can start */
   SGT_EU_CONST_WAIT_CONTEXT, /* all rows of its shader type have running threads */
   SGT_EU_CONST_WAIT_VERSION, /* all versions of its context have running threads */
   SGT_EU_CONST_WAIT_MAPPING, /* too many lines would differ from older versions that are in use */
};

/* Finds or makes the row and version of an operation's constants for a thread. If the thread can
 * start, counts it as a user of both, fills *key and returns SGT_EU_CONST_READY. Otherwise, returns
 * the reason.
 */
enum sgt_eu_const_wait sgt_eu_const_enter(struct sgt_eu_const *c, enum sgpu_stage stage,
                                          uint32_t operation, struct sgt_eu_const_key *key);
/* Ends the use of a row and version by a thread. */
void sgt_eu_const_leave(struct sgt_eu_const *c, struct sgt_eu_const_key key);

/* Returns the address in memory of the line with a constant, in the thread's version. */
uint64_t sgt_eu_const_address(const struct sgt_eu_const *c, struct sgt_eu_const_key key,
                              uint32_t index);

#endif
