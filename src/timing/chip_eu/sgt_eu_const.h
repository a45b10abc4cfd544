/* SPDX-License-Identifier: MIT */
/*
 * The constant cache of US 8,564,604: header table, mapping table and storage.
 *
 * A thread requests constants of its shader type and context by index. For each shader type, the
 * header table has one row per context that is present. A context has versions: changing some of
 * its constants creates a new version, while threads of older versions keep reading the old values.
 * For each line of a version, the mapping table contains the change that wrote the line. This way,
 * versions share the lines that have not changed (sgt_const_lines.h).
 */
#ifndef SGT_EU_CONST_H
#define SGT_EU_CONST_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_const_lines.h"
#include "params/sgt_eu_const_params.h"
#include "chip_memory/sgt_tags.h"

/* Base addresses of code, constants and scratch memory. They are above all addresses that the
 * device uses, and within the 2^40 bytes that the partitions of a chip can address.
 */
#define SGT_EU_CODE (1ull << 38)
#define SGT_EU_CONSTANTS (2ull << 38)
#define SGT_EU_SCRATCH (3ull << 38)
#define SGT_EU_LINE_CONSTS 4 /* number of 16-byte constants in a 64-byte line */

struct sgt_eu_const_stats {
   /* contexts: number of contexts that were assigned a row
    * context_hits: number of threads whose version was already present
    * evicted: number of rows that were reused for another context
    * versions: number of versions that were created
    * max_mapping: maximum number of lines that exist in several versions
    */
   uint64_t contexts, context_hits, evicted, versions, max_mapping;
};

struct sgt_eu_const_row;

struct sgt_eu_const {
   struct sgt_eu_const_params params;
   const struct sgt_const_lines *lines;
   struct sgt_tags store;         /* tags of the cached 64-byte lines */
   struct sgt_eu_const_row *rows; /* header table, indexed by [stage][context] */
   uint64_t clock;                /* number of row lookups so far, for LRU replacement */
   struct sgt_eu_const_stats stats;
};

/* Identifies the constants of a thread: `row` is a row of the header table for the stage, and
 * `version` is an index into the versions of the row.
 */
struct sgt_eu_const_key {
   uint8_t stage, row, version;
};

/* Initializes the cache. `lines` must outlive the cache. Returns false on allocation failure. */
bool sgt_eu_const_init(struct sgt_eu_const *c, const struct sgt_eu_const_params *params,
                       const struct sgt_const_lines *lines);
void sgt_eu_const_finish(struct sgt_eu_const *c);

/* Reason why a thread can't start. */
enum sgt_eu_const_wait {
   SGT_EU_CONST_READY,        /* the thread can start */
   SGT_EU_CONST_WAIT_CONTEXT, /* all rows of the shader type are in use by running threads */
   SGT_EU_CONST_WAIT_VERSION, /* all versions of the context are in use by running threads */
   /* too many lines would differ from older versions that are still in use */
   SGT_EU_CONST_WAIT_MAPPING,
};

/* Finds or creates the row and the version with the constants of an operation for a new thread. If
 * the thread can start, increments the thread counts of the row and the version, fills in *key and
 * returns SGT_EU_CONST_READY. Otherwise, returns the reason why the thread must wait.
 */
enum sgt_eu_const_wait sgt_eu_const_enter(struct sgt_eu_const *c, enum sgpu_stage stage,
                                          uint32_t operation, struct sgt_eu_const_key *key);
/* Decrements the thread counts of a row and version when a thread has ended. */
void sgt_eu_const_leave(struct sgt_eu_const *c, struct sgt_eu_const_key key);

/* Returns the memory address of the line that contains constant `index` in the thread's version. */
uint64_t sgt_eu_const_address(const struct sgt_eu_const *c, struct sgt_eu_const_key key,
                              uint32_t index);

#endif
