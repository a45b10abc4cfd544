/* SPDX-License-Identifier: MIT */
/*
 * The issue unit of Wolfe and Noonburg (MICRO-32, 1999, 3.3, Figures 8 to 10): destination and
 * source reservation stations, candidate buffers, and dependence and conflict vectors.
 *
 * The tag of a slice is the index of its destination station. A vector has one bit per destination
 * station. sgt_engine.h describes the order of steps in a cycle. Resources that become free in a
 * cycle can be reused after sgt_issue_end_cycle(). issue_reference.c in the tests implements the
 * same unit with simple loops.
 */
#ifndef SGT_ISSUE_H
#define SGT_ISSUE_H

#include "engine99/sgt_boxes.h"
#include "engine99/sgt_engine.h"
#include "kernel/sgt_random.h"

/* Kinds of dependences. If an accelerator is idle because of a hazard, its state is SGT_STATE_RAW +
 * hazard.
 */
enum sgt_hazard { SGT_HAZARD_RAW, SGT_HAZARD_WAW, SGT_HAZARD_WAR, SGT_HAZARDS };

#define SGT_NO_TAG UINT32_MAX

/* Describes a slice that enters the issue unit. */
struct sgt_issue_entry {
   struct sgt_region destination;
   /* source regions, which must stay valid until the slice retires */
   const struct sgt_region *sources;
   uint32_t num_sources;
   /* Breaking key (sgt_breaking.h), or 0 if the slice must not be reordered. Slices with the same
    * key can be reordered.
    */
   uint64_t key;
};

struct sgt_issue {
   const struct sgt_trace *trace;
   /* stations: number of destination stations;
    * words: number of 64-bit words in a bitmask of destination stations;
    * candidates: number of candidate buffers;
    * sources: number of source stations
    */
   uint32_t stations, words, candidates, sources;
   bool in_order; /* true if slices issue in the order in which they entered */
   enum sgt_select select;
   /* hazard (SGT_STATE_*) to ignore in order to test the audit, or SGT_STATE_BUSY for none */
   uint32_t drop_hazard;
   struct sgt_random random;

   struct sgt_boxes destination_boxes, source_boxes;
   uint32_t *source_tag; /* for each source station, the tag of the slice that uses it */
   /* for each source station, the next one with the same tag, or SGT_NO_TAG */
   uint32_t *source_after;
   /* for each tag, the first source station that the slice uses, or SGT_NO_TAG */
   uint32_t *first_source;
   uint32_t alone; /* tag of a slice that must be the only one in the unit, or SGT_NO_TAG */

   /* free_*: bitmasks of the stations that are free in this cycle;
    * freed_*: bitmasks of the stations that were freed in this cycle and can be reused in the next
    * cycle
    */
   uint64_t *free_stations, *freed_stations, *free_sources, *freed_sources;
   uint32_t num_free_stations, num_free_sources, free_candidates;
   uint32_t num_freed_stations, num_freed_sources, freed_candidates;

   /* Bitmasks of tags.
    * waiting: slices in a candidate buffer;
    * issued: slices in an accelerator;
    * independent: candidates that depend on no other slice;
    * ready: independent candidates that conflict with no issued slice
    */
   uint64_t *waiting, *issued, *independent, *ready;
   uint32_t num_waiting, num_issued, num_independent, num_ready;

   /* The following arrays are indexed by tag. */
   uint64_t *vector; /* [stations][words]: dependence vectors */
   /* [stations][words]: for each kind of hazard, the transposed dependence vectors, i.e. the slices
    * that depend on each tag
    */
   uint64_t *waiters[SGT_HAZARDS];
   uint32_t *num_waiters; /* number of bits set in `waiters` */
   uint64_t *conflict;    /* [stations][words]: conflict vectors (a symmetric matrix) */
   /* for each kind of hazard, the number of slices that the slice depends on */
   uint32_t (*count)[SGT_HAZARDS];
   uint32_t *num_conflict;   /* number of bits set in `conflict` */
   uint32_t *conflicts;      /* number of conflicting slices that are in an accelerator */
   uint64_t *sequence, *key; /* sequence number, and breaking key */
   /* For SGT_SELECT_CRITICAL, the length of the longest chain of candidates that depend on the
    * slice.
    */
   uint32_t *chain;
   uint32_t *path; /* for SGT_SELECT_CRITICAL, scratch memory of extend_chains() */
   /* Cached result of sgt_issue_blocker(): the oldest slice that this slice depended on in the last
    * search, or SGT_NO_TAG.
    */
   uint32_t *blocker;
   /* Links of a list of candidates that is sorted by age. The element [stations] is the list head.
    */
   uint32_t *older, *younger;
   uint64_t *scratch; /* scratch memory for 5 bitmasks of tags and 1 bitmask of source stations */

   uint64_t entered; /* number of slices that have entered so far */
   /* statistics, see struct sgt_engine_result */
   uint64_t pairs[SGT_HAZARDS], conflict_pairs, overtakes;
};

/* Initializes the unit with the given number of destination and source stations. Unlike in
 * `params`, 0 does not select a default number. Returns false if allocation fails.
 */
bool sgt_issue_init(struct sgt_issue *u, const struct sgt_trace *trace,
                    const struct sgt_engine_params *params, uint32_t stations, uint32_t sources);
void sgt_issue_finish(struct sgt_issue *u);

/* Returns SGT_FETCH_ENTERED if a slice with `num_sources` source regions can enter in this cycle.
 * Otherwise, returns the reason why it can't.
 */
enum sgt_fetch_state sgt_issue_room(const struct sgt_issue *u, uint32_t num_sources);
/* Adds a slice, and allocates its stations and a candidate buffer. The caller must make sure that
 * enough of them are free. Returns the tag of the slice.
 */
uint32_t sgt_issue_enter(struct sgt_issue *u, const struct sgt_issue_entry *entry);
/* Selects a candidate to issue, and frees its buffer. Returns the tag of the candidate, or
 * SGT_NO_TAG if no candidate can issue.
 */
uint32_t sgt_issue_next(struct sgt_issue *u);
/* Retires a completed slice. Frees its stations and clears its bits in all vectors. */
void sgt_issue_retire(struct sgt_issue *u, uint32_t tag);
/* Makes resources that were freed in this cycle available in the next cycle. */
void sgt_issue_end_cycle(struct sgt_issue *u);

/* These functions iterate over the candidates from oldest to youngest. They return SGT_NO_TAG at
 * the end of the list.
 */
static inline uint32_t
sgt_issue_oldest(const struct sgt_issue *u)
{
   const uint32_t tag = u->younger[u->stations];
   return tag == u->stations ? SGT_NO_TAG : tag;
}

static inline uint32_t
sgt_issue_younger(const struct sgt_issue *u, uint32_t tag)
{
   tag = u->younger[tag];
   return tag == u->stations ? SGT_NO_TAG : tag;
}

static inline bool
sgt_issue_is_ready(const struct sgt_issue *u, uint32_t tag)
{
   return u->ready[tag / 64] >> (tag % 64) & 1;
}

/* Returns true if sgt_issue_next() would return a candidate. */
static inline bool
sgt_issue_can(const struct sgt_issue *u)
{
   if (!u->in_order)
      return u->num_ready != 0;
   const uint32_t tag = sgt_issue_oldest(u);
   return tag != SGT_NO_TAG && sgt_issue_is_ready(u, tag);
}

/* Returns the reason why the candidate has not been issued: RAW, WAW, WAR, CONFLICT or ISSUE_RATE.
 */
enum sgt_state sgt_issue_reason(const struct sgt_issue *u, uint32_t tag);
/* Returns the tag of the oldest slice that the candidate is waiting for, or SGT_NO_TAG. */
uint32_t sgt_issue_blocker(struct sgt_issue *u, uint32_t tag);

#endif
