/* SPDX-License-Identifier: MIT */
/*
 * The constant cache of US 8,564,604: header table, mapping table, storage.
 *
 * A thread asks for constant `index` of its shader type and context.  The header table has a
 * row for each context of a shader type that is present.  A context has versions: a change of
 * some constants makes a new version, and threads of the version before go on with the old
 * values.  The mapping table says for each line of a version which change it comes from, so
 * versions share the lines that no change touched (sgt_const_lines.h).
 */
#ifndef SGT_EU_CONST_H
#define SGT_EU_CONST_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_const_lines.h"
#include "params/sgt_eu_const_params.h"
#include "chip_memory/sgt_tags.h"

/* Above those of the device and below the 2^40 bytes that the partitions of a chip can have. */
#define SGT_EU_CODE (1ull << 38)
#define SGT_EU_CONSTANTS (2ull << 38)
#define SGT_EU_SCRATCH (3ull << 38)
#define SGT_EU_LINE_CONSTS 4 /* constants of 16 bytes in a line of 64 */

struct sgt_eu_const_stats {
   uint64_t contexts, context_hits, evicted, versions, max_mapping;
};

struct sgt_eu_const_row;

struct sgt_eu_const {
   struct sgt_eu_const_params params;
   const struct sgt_const_lines *lines;
   struct sgt_tags store;         /* of lines of 64 bytes */
   struct sgt_eu_const_row *rows; /* header table: [stage][contexts] */
   uint64_t clock;                /* of uses */
   struct sgt_eu_const_stats stats;
};

/* The context and version of a thread. */
struct sgt_eu_const_key {
   uint8_t stage, row, version;
};

/* The lines stay.  False: no memory. */
bool sgt_eu_const_init(struct sgt_eu_const *c, const struct sgt_eu_const_params *params,
                       const struct sgt_const_lines *lines);
void sgt_eu_const_finish(struct sgt_eu_const *c);

/* What a thread has to wait for before it begins. */
enum sgt_eu_const_wait {
   SGT_EU_CONST_READY,
   SGT_EU_CONST_WAIT_CONTEXT, /* threads of all contexts of its shader type run */
   SGT_EU_CONST_WAIT_VERSION, /* threads of all versions of its context run */
   SGT_EU_CONST_WAIT_MAPPING, /* the changed lines are too many beside older versions */
};

/* A thread begins, if ready: finds or makes the rows of its operation's constants. */
enum sgt_eu_const_wait sgt_eu_const_enter(struct sgt_eu_const *c, enum sgpu_stage stage,
                                          uint32_t operation, struct sgt_eu_const_key *key);
void sgt_eu_const_leave(struct sgt_eu_const *c, struct sgt_eu_const_key key);

/* Address in memory of the line of a constant, in the thread's version. */
uint64_t sgt_eu_const_address(const struct sgt_eu_const *c, struct sgt_eu_const_key key,
                              uint32_t index);

#endif
