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

/* Kinds of dependences. A slice that waits because of a hazard has the state SGT_STATE_RAW +
 * hazard.
 */
enum sgt_hazard { SGT_HAZARD_RAW, SGT_HAZARD_WAW, SGT_HAZARD_WAR, SGT_HAZARDS };

#define SGT_NO_TAG UINT32_MAX

/* Description of a slice that enters the issue unit. */
struct sgt_issue_entry {
   struct sgt_region destination;
   /* source regions, which must stay valid until the slice retires */
   const struct sgt_region *sources;
   uint32_t num_sources;
   /* breaking key (sgt_breaking.h): slices with the same key can be reordered; 0 if the slice must
    * not be reordered
    */
   uint64_t key;
};

struct sgt_issue {
   const struct sgt_trace *trace;
   /* Numbers of destination stations, of words in a bitmask of destination stations, of candidate
    * buffers, and of source stations.
    */
   uint32_t stations, words, candidates, sources;
   bool in_order; /* slices issue in the order in which they have entered */
   enum sgt_select select;
   /* hazard that is ignored to test the audit (SGT_STATE_*), or SGT_STATE_BUSY for none */
   uint32_t drop_hazard;
   struct sgt_random random;

   struct sgt_boxes destination_boxes, source_boxes;
   uint32_t *source_tag;   /* tag of the slice that uses each source station */
   uint32_t *source_after; /* next source station of the same tag, or SGT_NO_TAG */
   uint32_t *first_source; /* first source station of each tag, or SGT_NO_TAG */
   uint32_t alone;         /* tag of a slice that must be the only one in the unit, or SGT_NO_TAG */

   /* Bitmasks of stations that are free in this cycle, and of stations that were freed in this
    * cycle and can be reused in the next cycle.
    */
   uint64_t *free_stations, *freed_stations, *free_sources, *freed_sources;
   uint32_t num_free_stations, num_free_sources, free_candidates;
   uint32_t num_freed_stations, num_freed_sources, freed_candidates;

   /* Bitmasks of tags: slices in a candidate buffer, slices in an accelerator, candidates without
    * dependences, and candidates with neither dependences nor conflicts.
    */
   uint64_t *waiting, *issued, *independent, *ready;
   uint32_t num_waiting, num_issued, num_independent, num_ready;

   /* The following arrays are indexed by tag. */
   uint64_t *vector; /* [stations][words]: dependence vectors */
   /* [stations][words]: transposed dependence vectors, for each kind of hazard */
   uint64_t *waiters[SGT_HAZARDS];
   uint32_t *num_waiters; /* number of bits set in `waiters` */
   uint64_t *conflict;    /* [stations][words]: conflict vectors (a symmetric matrix) */
   /* number of bits set in the dependence vector, for each kind of hazard */
   uint32_t (*count)[SGT_HAZARDS];
   uint32_t *num_conflict;   /* number of bits set in `conflict` */
   uint32_t *conflicts;      /* number of conflicting slices that have been issued */
   uint64_t *sequence, *key; /* sequence number, and breaking key */
   /* for SGT_SELECT_CRITICAL: length of the longest chain of candidates that depend on the slice */
   uint32_t *chain;
   uint32_t *path; /* for SGT_SELECT_CRITICAL: scratch memory of extend_chains() */
   /* tag of the oldest slice in the vector when the vector was last searched, or SGT_NO_TAG */
   uint32_t *blocker;
   /* links of the list of candidates sorted by age; element [stations] is the list head */
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
/* Adds a slice, allocating its stations and a candidate buffer. The caller must make sure that
 * there are enough free ones. Returns the tag of the slice.
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

/* These functions return the oldest candidate and the next younger candidate, or SGT_NO_TAG. */
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

/* Returns the reason why the candidate does not issue: RAW, WAW, WAR, CONFLICT or ISSUE_RATE. */
enum sgt_state sgt_issue_reason(const struct sgt_issue *u, uint32_t tag);
/* Returns the oldest slice that the candidate waits for, or SGT_NO_TAG. */
uint32_t sgt_issue_blocker(struct sgt_issue *u, uint32_t tag);

#endif
